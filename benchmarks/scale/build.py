"""What a build costs as a corpus grows: CPU per page, of a rebuild, of one more per cent.

    python benchmarks/scale/build.py --pages 250 1000 4000 --data .../pages.jsonl.gz

Each build is a process of its own; CPU time, with that of its workers; start-up (a build with
nothing to do) is told apart. From several sizes it is reckoned what a thousand million tokens take,
by the straight line that fits them best.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from pages import captures, read_texts

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


def make_corpus(folder: Path, count: int, data: Path | None, *, first: int = 0) -> None:
    """Put pages into a corpus folder."""
    folder.mkdir(exist_ok=True)
    write_config(folder)
    layout = Layout(folder)
    with Catalog.write(layout.catalog) as catalog:
        store = CaptureStore(layout, catalog, shard_bytes=256 << 20, software="benchmark")
        store.recover()
        for number, capture in enumerate(captures(count, read_texts(data), first)):
            catalog.add_leads([capture.lead])
            queued = catalog.find_lead(capture.lead.url)
            assert queued is not None
            store.append(queued, capture)
            if number % 100 == 99:
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
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "izwi", *command], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    found = {
        "cpu": round(cpu, 2),
        "wall": round(time.perf_counter() - begun, 2),
        "memory": after.ru_maxrss // 1024,
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


def table(
    count: int, data: Path | None, workers: int, *, is_whole_only: bool = False
) -> tuple[dict[str, dict[str, float]], dict[str, float]]:
    """Return what the steps in the life of a corpus of some pages cost, and how large it is."""
    with tempfile.TemporaryDirectory() as parent:
        folder = Path(parent) / "scale"
        make_corpus(folder, count, data)
        build = ("build", str(folder), "--workers", str(workers))
        found = {"whole": measured(*build)}
        size = sizes(folder) | {name: found["whole"][name] for name in ("cpu", "memory")}
        found["nothing"] = measured(*build)
        if is_whole_only:
            return found, size
        found["status"] = measured("status", str(folder))
        found["drops"] = measured("drops", str(folder))
        found["home"] = measured("info", str(folder))
        make_corpus(folder, max(1, count // 100), data, first=count)
        found["one per cent more"] = measured(*build)
        write_config(folder, 60)
        found["one threshold"] = measured(*build)
        site = "https://site0.example/2024/01/story-0"
        found["one take-down"] = measured("takedown", str(folder), site, "--reason", "x")
        return found, size


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, nargs="+", default=[250, 1000])
    parser.add_argument("--data", type=Path)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--tokens", type=float, default=1e9, help="reckon for so many")
    parser.add_argument("--whole", action="store_true", help="whole builds only")
    given = parser.parse_args(arguments)
    print(json.dumps({"load": os.getloadavg()}))
    found = []
    for count in given.pages:
        steps, size = table(count, given.data, given.workers, is_whole_only=given.whole)
        found.append(size)
        cpu = steps["whole"]["cpu"] - steps["nothing"]["cpu"]
        print(f"{count} pages: {count / cpu:.1f} pages per CPU s, start-up taken off")
        for name, cost in steps.items():
            print(
                f"  {name:18} {cost['cpu']:8.2f} CPU s {cost['wall']:8.2f} s {cost['memory']:6} MB"
            )
    if len(found) > 1:
        print_reckoned(found, given.tokens)


if __name__ == "__main__":
    main()
