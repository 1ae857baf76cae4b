"""What a build costs as a corpus grows: CPU per page, of a rebuild, of one more per cent.

    python benchmarks/scale/build.py --pages 250 1000 4000 --data .../pages.jsonl.gz
    python benchmarks/scale/build.py --pages 5000 50000 200000 --short --folder /var/tmp/scale
    python benchmarks/scale/build.py --pages 1600 --ratios

The second takes short pages (about 170 words) and keeps the corpora, so that one that is there is
not made again. The third says how much faster two workers are than one, and two of a cluster.
Each build is a process of its own; CPU time, with that of its workers; start-up (a build with
nothing to do) is told apart. From several sizes it is reckoned what a thousand million tokens take,
by the straight line that fits them best.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pages import LONG, SHORT, Shape, address, captures, read_texts

from izwi.model.document import KEPT
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout
from izwi.store.snapshots import current

_CONFIG = """
[corpus]
name = "scale"
languages = ["en"]
[gather]
contact = "x"
[select]
minimum_words = {minimum_words}
"""
Steps = dict[str, dict[str, float]]
# Ways to build, the first of which the others are held against.
_WAYS = {
    "one worker": ("--workers", "1"),
    "two workers": ("--workers", "2"),
    "two of Dask": ("--workers", "2", "--runner", "dask"),
}


def make_corpus(
    folder: Path,
    count: int,
    data: Path | None,
    *,
    first: int = 0,
    shape: Shape = LONG,
    shard_pages: int = 2000,
) -> None:
    """Put pages into a corpus folder."""
    folder.mkdir(exist_ok=True, parents=True)
    write_config(folder)
    layout = Layout(folder)
    with Catalog.write(layout.catalog) as catalog:
        store = CaptureStore(
            layout, catalog, shard_bytes=256 << 20, shard_pages=shard_pages, software="benchmark"
        )
        store.recover()
        for number, capture in enumerate(captures(count, read_texts(data), first, shape)):
            catalog.add_leads([capture.lead])
            queued = catalog.find_lead(capture.lead.url)
            assert queued is not None
            store.append(queued, capture)
            catalog.settle(queued, "fetched", KEPT)
            if (number + 1) % min(100, shard_pages) == 0:  # where a file may end
                store.commit()
        store.commit()
        store.seal()
        store.close()


def write_config(folder: Path, minimum_words: int = 20) -> None:
    """Write corpus.toml."""
    text = _CONFIG.format(minimum_words=minimum_words)
    (folder / "corpus.toml").write_text(text, encoding="utf-8")


def measured(*command: str) -> dict[str, float]:
    """Run an izwi command; return its CPU seconds, wall seconds and largest memory in MB."""
    begun = time.perf_counter()
    # As installed: there the code is compiled, which some shells forbid to keep.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryFile() as said:
        words = [sys.executable, "-m", "izwi", *command]
        run = subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT, env=environment)
        # Of this process and of those it waited for.
        _, status, used = os.wait4(run.pid, 0)
        run.returncode = os.waitstatus_to_exitcode(status)
        if run.returncode:
            said.seek(0)
            raise SystemExit(said.read().decode())
    found = {
        "cpu": round(used.ru_utime + used.ru_stime, 2),
        "wall": round(time.perf_counter() - begun, 2),
        "memory": used.ru_maxrss // 1024,
    }
    # At once: large sizes take long, and what is done is worth having.
    print(json.dumps({"step": command[0], **found}), file=sys.stderr, flush=True)
    return found


def sizes(folder: Path) -> dict[str, float]:
    """Return the tokens of a corpus, and what it takes on disk in bytes."""
    layout = Layout(folder)
    places = {"raw": layout.warcs, "layers": layout.layers, "index": layout.segments}
    taken = {
        name: float(sum(path.stat().st_size for path in place.rglob("*") if path.is_file()))
        for name, place in places.items()
    }
    return {"tokens": float(current(layout).tokens), **taken}


def reckoned(found: Sequence[dict[str, float]], tokens: float) -> dict[str, float]:
    """Return what a corpus of some tokens takes, by the straight lines through what was measured.

    >>> reckoned([{"tokens": 1.0, "cpu": 3.0}, {"tokens": 2.0, "cpu": 5.0}], 10.0)
    {'cpu': 21.0}
    """
    known = [each["tokens"] for each in found]
    lines = {
        name: np.polyfit(known, [each[name] for each in found], 1)
        for name in found[0]
        if name != "tokens"
    }
    return {name: round(float(np.polyval(line, tokens)), 6) for name, line in lines.items()}


def print_reckoned(found: Sequence[dict[str, float]], tokens: float) -> None:
    """Print disk, memory, and hours on so many cores if the work is divided evenly."""
    at = reckoned(found, tokens)
    # A process does one shard at a time: it takes what the largest of them took.
    memory = max(each["memory"] for each in found)
    print(f"{tokens:,.0f} tokens, reckoned from {len(found)} sizes:")
    for name in ("raw", "layers", "index"):
        print(f"  disk, {name:12} {at[name] / 1e9:8.1f} GB")
    print(f"  memory of a process {memory:6.0f} MB")
    for cores in (1, 16, 256):
        print(f"  hours on {cores:3} cores {at['cpu'] / 3600 / cores:10.2f}")


def table(count: int, given: argparse.Namespace, parent: Path) -> tuple[Steps, dict[str, float]]:
    """Return what the steps in the life of a corpus of some pages cost, and how large it is."""
    shape = SHORT if given.short else LONG
    folder = parent / f"scale-{count}"
    if not (folder / "corpus.toml").exists():
        make_corpus(folder, count, given.data, shape=shape)
    build = ("build", str(folder), "--workers", str(given.workers))
    found = {"whole": measured(*build)}
    size = sizes(folder) | {name: found["whole"][name] for name in ("cpu", "memory")}
    found["nothing"] = measured(*build)
    if given.whole:
        return found, size
    found["status"] = measured("status", str(folder))
    found["drops"] = measured("drops", str(folder))
    found["home"] = measured("info", str(folder))
    make_corpus(folder, max(1, count // 100), given.data, first=count, shape=shape)
    found["one per cent more"] = measured(*build)
    write_config(folder, given.threshold)
    found["one threshold"] = measured(*build)
    takedown = ("takedown", str(folder), "--reason", "x")
    found["first page down"] = measured(*takedown, address(0))
    found["middle page down"] = measured(*takedown, address(count // 2))
    return found, size


def print_ratios(count: int, given: argparse.Namespace, parent: Path) -> None:
    """Print how much faster two workers are than one, of processes and of a cluster."""
    shape = SHORT if given.short else LONG
    shard_pages = max(1, count // 8)
    make_corpus(whole := parent / "ratios", count, given.data, shape=shape, shard_pages=shard_pages)
    # What all of them read is in memory by then.
    make_corpus(parent / "warm", 8, given.data)
    measured("build", str(parent / "warm"))
    seconds = {}
    for name, words in _WAYS.items():
        folder = shutil.copytree(whole, parent / name)
        seconds[name] = measured("build", str(folder), *words)["wall"]
    for name in list(_WAYS)[1:]:
        ratio = seconds["one worker"] / seconds[name]
        print(f"{count} pages, {name}: {seconds[name]:.1f} s, {ratio:.2f} times as fast as one")


def print_table(count: int, steps: Steps) -> None:
    """Print what the steps cost."""
    cpu = steps["whole"]["cpu"] - steps["nothing"]["cpu"]
    print(f"{count} pages: {count / cpu:.1f} pages per CPU s, start-up taken off")
    for name, cost in steps.items():
        print(f"  {name:18} {cost['cpu']:8.2f} CPU s {cost['wall']:8.2f} s {cost['memory']:6} MB")
    sys.stdout.flush()


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=[250, 1000])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--short", action="store_true", help="pages of about 170 words")
    parser.add_argument("--folder", type=Path, help="keep the corpora here")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--threshold", type=int, default=60, help="words below which pages go")
    parser.add_argument("--tokens", type=float, default=1e9, help="reckon for so many")
    parser.add_argument("--whole", action="store_true", help="whole builds only")
    parser.add_argument("--ratios", action="store_true", help="two workers against one only")
    given = parser.parse_args(arguments)
    print(json.dumps({"load": os.getloadavg()}), flush=True)
    found = []
    with tempfile.TemporaryDirectory() as scratch:
        for count in given.pages:
            if given.ratios:
                print_ratios(count, given, Path(scratch))
                continue
            steps, size = table(count, given, given.folder or Path(scratch))
            found.append(size)
            print_table(count, steps)
    if len(found) > 1:
        print_reckoned(found, given.tokens)


if __name__ == "__main__":
    main()
