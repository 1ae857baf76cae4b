"""Kill -9 of workers, of the scheduler, of a build, of a gatherer and of PostgreSQL; then run again.

    python benchmarks/scale/kills.py --kills 20

Each kill comes at a random moment. What counts: the same command, given again, ends with the
layers of a calm build, byte for byte, or with every page captured once; and how many pages were
asked for more often than once. A PostgreSQL server is started where its programs are installed.
"""

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pages import captures, read_texts

from izwi.model.document import KEPT
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks" / "gather")]
BUILD = '[corpus]\nname = "kills"\nlanguages = ["en"]\n[gather]\ncontact = "x"\n'
GATHER = """
[corpus]
name = "kills"
[gather]
contact = "https://izwi.example/benchmark"
delay = 0.1
proxy = "http://127.0.0.1:{port}"
respect = []
{store}
[[source]]
name = "one"
type = "seeds"
urls = {urls}
"""
# Whom the kills of a series meet, in turn.
VICTIMS = ("worker", "dask worker", "gatherer", "scheduler", "worker", "dask worker",
           "postgresql", "build", "worker", "dask worker")  # fmt: skip


def izwi(*words: str) -> subprocess.Popen[str]:
    """Start a command."""
    command = [sys.executable, "-m", "izwi", *words]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd="/"
    )


def again_until_done(*words: str, tries: int = 4) -> int:
    """Run a command until it ends well; return how often that took."""
    for tried in range(1, tries + 1):
        run = izwi(*words)
        said, _ = run.communicate()
        if run.returncode == 0:
            return tried
    raise SystemExit(f"{words} did not end well in {tries} tries:\n{said[-2000:]}")


def make_corpus(folder: Path, pages: int, shard_pages: int) -> None:
    """Put pages into a corpus of many small shards."""
    folder.mkdir()
    (folder / "corpus.toml").write_text(BUILD, encoding="utf-8")
    layout = Layout(folder)
    with Catalog.write(layout.catalog) as catalog:
        store = CaptureStore(
            layout, catalog, shard_bytes=1 << 30, shard_pages=shard_pages, software="benchmark"
        )
        for capture in captures(pages, read_texts(None)):
            catalog.add_leads([capture.lead])
            queued = catalog.find_lead(capture.lead.url)
            assert queued is not None
            store.append(queued, capture)
            catalog.settle(queued, "fetched", KEPT)
            store.commit()
        store.seal()
        store.close()


def layers(folder: Path) -> str:
    """Return one sum of all layers of a corpus."""
    found = hashlib.blake2b()
    for path in sorted((folder / "layers").glob("*/*.parquet")):
        found.update(path.relative_to(folder).as_posix().encode() + path.read_bytes())
    return found.hexdigest()


def children(pid: int) -> list[int]:
    """Return the workers below a process: those that compute, not the one that tracks resources."""
    found = subprocess.run(["ps", "-eo", "pid,ppid,args"], capture_output=True, text=True).stdout
    rows = [line.split(None, 2) for line in found.splitlines()[1:]]
    below = [int(row[0]) for row in rows if int(row[1]) == pid and "resource_tracker" not in row[2]]
    return below + [each for child in below for each in children(child)]


def killed(targets: Sequence[int], dice: random.Random) -> bool:
    """Kill one of some processes; say whether there was one, for workers come and go."""
    try:
        os.kill(dice.choice(targets), signal.SIGKILL)
    except (IndexError, ProcessLookupError):
        time.sleep(0.1)
        return False
    return True


@contextmanager
def dask_cluster(workers: int = 2) -> Iterator[tuple[str, subprocess.Popen[str], list[int]]]:
    """Run a scheduler and workers; yield the address, the scheduler and the workers' numbers."""
    place = Path(tempfile.mkdtemp()) / "scheduler.json"
    python = [sys.executable, "-m"]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "text": True, "cwd": "/"}
    words = ["distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0"]
    words += ["--no-dashboard", "--scheduler-file", str(place)]
    scheduler = subprocess.Popen([*python, *words], **quiet)  # type: ignore[call-overload]
    while not (place.exists() and place.read_text(encoding="utf-8").strip()):
        time.sleep(0.1)
    address = json.loads(place.read_text(encoding="utf-8"))["address"]
    words = ["distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard"]
    # Each with its nurse, which starts it anew.
    started = [subprocess.Popen([*python, *words], **quiet) for _ in range(workers)]  # type: ignore[call-overload]
    try:
        yield address, scheduler, [each.pid for each in started]
    finally:
        for each in (scheduler, *started):
            each.terminate()
        for each in (scheduler, *started):
            each.wait()


def kill_in_build(
    victim: str, whole: Path, wanted: str, seconds: float, dice: random.Random
) -> str:
    """Kill somebody in a build and run it again; return what there is to say."""
    with tempfile.TemporaryDirectory() as parent, dask_cluster() as (address, scheduler, nurses):
        folder = Path(shutil.copytree(whole, Path(parent) / "kills"))
        words = ["build", str(folder), "--workers", "2"]
        if victim in ("dask worker", "scheduler"):
            settings = f'{BUILD}[build]\nrunner = "dask"\nscheduler = "{address}"\n'
            (folder / "corpus.toml").write_text(settings, encoding="utf-8")
        run = izwi(*words)
        time.sleep(seconds * dice.uniform(0.1, 0.9))
        find = {
            "build": lambda: [run.pid],
            "worker": lambda: children(run.pid),
            "dask worker": lambda: [each for nurse in nurses for each in children(nurse)],
            "scheduler": lambda: [scheduler.pid],
        }[victim]
        is_met = False
        while not is_met and run.poll() is None:
            is_met = killed(find(), dice)
        said = run.communicate()[0]
        if victim == "scheduler":  # what is left of a cluster is none
            (folder / "corpus.toml").write_text(BUILD, encoding="utf-8")
        tries = again_until_done(*words) if run.returncode else 0
        assert layers(folder) == wanted, f"other layers after a kill of a {victim}:\n{said}"
        last = said.strip().splitlines()[-1] if said.strip() else ""
        met = "" if is_met else "(over before the kill) "
        return f"{met}same layers, {tries} more runs; {last[:120]}"


def start_again(start: Callable[[], None]) -> None:
    """Start a killed server; processes it left hold its memory for a moment."""
    for _ in range(30):
        try:
            return start()
        except AssertionError:  # which says why not
            time.sleep(2)
    raise SystemExit("PostgreSQL could not be started again.")


def kill_in_gathering(victim: str, pages: int, dice: random.Random) -> str:
    """Kill a gatherer, or its database, and run it again; return what there is to say."""
    import together
    from tests import postgres

    together.ANSWER_SECONDS = 0.05
    far = together.Far()
    with postgres.running() as server, tempfile.TemporaryDirectory() as parent:
        store = f'[store]\ncatalog = "{server.new_place()}"' if victim == "postgresql" else ""
        urls = [f"http://host{n % 8}.example/{n}" for n in range(pages)]
        settings = GATHER.format(port=far.port, store=store, urls=json.dumps(urls))
        (folder := Path(parent) / "kills").mkdir()
        (folder / "corpus.toml").write_text(settings, encoding="utf-8")
        run = izwi("gather", str(folder))
        least = dice.randint(pages // 8, pages // 2)
        while len(far.visits) < least and run.poll() is None:
            time.sleep(0.02)
        if victim == "gatherer":
            run.kill()
        else:
            number = Path(server.data, "postmaster.pid").read_text(encoding="ascii").split()[0]
            os.kill(int(number), signal.SIGKILL)
        said = run.communicate()[0]
        if victim == "postgresql":
            start_again(server.start)
        tries = again_until_done("gather", str(folder))
        with Catalog.read(Layout(folder).catalog) as catalog:
            captured = Counter(url for url, _ in catalog.captured_pages())
        assert set(captured) == set(urls), f"{len(urls) - len(captured)} pages are lost"
        assert max(captured.values()) == 1, "a page was captured twice"
        last = said.strip().splitlines()[-1] if said.strip() else ""
        asked = len(far.visits) - pages
        return f"all pages once, {asked} of {pages} asked again, {tries} more runs; {last[:120]}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a line for every kill."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--first", type=int, default=1, help="go on with a series from this one")
    parser.add_argument("--pages", type=int, default=60)
    parser.add_argument("--seed", type=int, default=22)
    given = parser.parse_args(arguments)
    dice = random.Random(given.seed)
    with tempfile.TemporaryDirectory() as parent:
        make_corpus(whole := Path(parent) / "whole", given.pages, max(1, given.pages // 8))
        calm = Path(shutil.copytree(whole, Path(parent) / "calm"))
        begun = time.monotonic()
        again_until_done("build", str(calm), "--workers", "2")
        seconds, wanted = time.monotonic() - begun, layers(calm)
        print(json.dumps({"load": os.getloadavg(), "calm seconds": round(seconds, 1)}), flush=True)
        for number in range(given.first, given.kills + 1):
            victim = VICTIMS[(number - 1) % len(VICTIMS)]
            if victim in ("gatherer", "postgresql"):
                said = kill_in_gathering(victim, 4 * given.pages, dice)
            else:
                said = kill_in_build(victim, whole, wanted, seconds, dice)
            print(f"{number:2} {victim:12} {said}", flush=True)


if __name__ == "__main__":
    main()
