"""The frontier at three sizes: bytes on disk per URL, memory, pushes and pops per CPU second.

    .venv/bin/python benchmarks/gather/frontier.py [1000000 10000000]

Each size runs in a process of its own, so that memory is its own. URLs are invented: hosts with
Zipf-like sizes, paths of sections, dates and slugs (44 bytes on average with the query).
"""

import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from izwi.gather.frontier import Frontier
from izwi.model.capture import Lead
from izwi.model.document import KEPT
from izwi.store.catalog import Catalog

_WORDS = (
    "water",
    "council",
    "bakkie",
    "school",
    "road",
    "fire",
    "match",
    "market",
    "police",
    "rain",
)
_POPS = 20_000


def leads(count: int) -> Iterator[list[Lead]]:
    """Yield pages' worth of links, twenty-five new ones each."""
    chance = random.Random(1)
    for page in range(0, count, 25):
        host = f"www.paper{int(chance.paretovariate(0.6)) % 5000}.example"
        referrer = f"https://{host}/archive/{page}"
        yield [
            Lead(_url(host, page + n, chance), "crawl", referrer=referrer, depth=3)
            for n in range(25)
        ]


def _url(host: str, number: int, chance: random.Random) -> str:
    slug = "-".join(chance.choice(_WORDS) for _ in range(4))
    return f"https://{host}/news/20{number % 26:02d}/{slug}-{number}"


def measure(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "catalog.sqlite"
        with Catalog.write(path) as catalog:
            began = time.process_time()
            for number, page in enumerate(leads(count)):
                catalog.add_leads(page)
                if number % 400 == 399:
                    catalog.commit()
            catalog.commit()
            pushed = time.process_time() - began
            popped = _pop(catalog)
        size = path.stat().st_size
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            f"{count:>11,} URLs  {size / count:6.1f} B/URL (goal 100) {memory:6.0f} MB (goal 150) "
            f"{count / pushed:9,.0f} pushes/CPU s  {_POPS / popped:9,.0f} pops/CPU s",
            flush=True,
        )


def _pop(catalog: Catalog) -> float:
    began, now = time.process_time(), time.time()
    frontier = Frontier(catalog)
    frontier.refresh(now)
    for number in range(_POPS):
        queued = frontier.next(now)
        assert queued is not None
        catalog.settle(queued, "fetched", KEPT)
        frontier.done(queued, now=now, delay=0.0, is_failure=False)
        if number % 100 == 99:
            catalog.commit()
    return time.process_time() - began


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        measure(int(sys.argv[2]))
        return
    for size in sys.argv[1:] or ("100000", "1000000", "10000000"):
        subprocess.run([sys.executable, __file__, "--one", size], check=True)


if __name__ == "__main__":
    main()
