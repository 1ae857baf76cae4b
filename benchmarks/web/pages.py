"""Every page of a reader on a large corpus: how long it takes, and how much CPU the server needs for it.

    python benchmarks/web/pages.py /tmp/50m/SEGMENT [--only new]

A corpus is put round the segment, as readers.py does it, and served by `izwi serve`; each page is asked for by one
reader as a browser does it, first when nothing is kept yet, then again. Goal: every page within a second at 50 million tokens and 200,000
documents, or it shows what it has and goes on. On a machine that does other work, the CPU of the server says more
than the clock.
"""

import argparse
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import httpx
from readers import corpus_round, cpu_seconds, served

GOAL_SECONDS = 1.0
REFRESH_SECONDS = 1.0
PATHS = (
    "", "/c/big", "/c/big/conc?q=house", "/c/big/conc?q=the", "/c/big/conc?q=the&sort=right", "/c/big/conc?q=the&sort=example",
    "/c/big/conc?q=house&sort=random", "/c/big/conc?q=take&mode=lemma", "/c/big/conc?q=the&page=200", "/c/big/facets?q=the",
    "/c/big/facets?q=house", "/c/big/word/house", "/c/big/wordlist", "/c/big/wordlist?pattern=un.*",
    "/c/big/freq?q=house", "/c/big/freq?q=the&by=year", "/c/big/coll?q=house", "/c/big/coll?q=the", "/c/big/sketch?word=house",
    "/c/big/sketch-difference?word=house&other=water", "/c/big/thesaurus?word=house", "/c/big/keywords", "/c/big/keywords?of={part}",
    "/c/big/ngrams", "/c/big/ngrams?size=3", "/c/big/dispersion?q=house", "/c/big/dispersion?q=the", "/c/big/compare",
    "/c/big/trend?q=house&q=water&q=time", "/c/big/trend?q=the", "/c/big/new", "/c/big/watch", "/c/big/docs",
    "/c/big/docs?sort=newest&page=100", "/c/big/builder?value=old&value=house", "/c/big/baskets", "/c/big/saved", "/c/big/word/the",
    "/c/big/doc/{document}", "/c/big/doc/{document}/paragraphs", "/c/big/doc/{document}/metadata", "/c/big/doc/{document}/copies",
    "/c/big/hit/{hit}", "/h/{hit}", "/c/big/explain?q=the&mode=phrase", "/c/big/conc.atom?q=house", "/c/big/watch.atom", "/help", "/preferences",
)  # fmt: skip


@dataclass(frozen=True)
class Taken:
    """What a page took: until something was shown, until it was there, the server's CPU."""

    shown: float
    whole: float
    cpu: float
    status: int


def names_in(client: httpx.Client) -> dict[str, str]:
    """Return a part of the corpus, a document and a hit that pages are about."""
    line = client.get("/c/big/conc.json", params={"q": "house", "size": 1}).json()["lines"][0]
    source = line["document"]["source"]
    part = quote(f'source="{source}"')
    return {"part": part, "document": line["document"]["id"], "hit": line["id"]}


def measure(client: httpx.Client, path: str, process: int) -> Taken:
    """Ask for a page as a browser does, again and again while it is being made."""
    begun, used, shown = time.perf_counter(), cpu_seconds(process), 0.0
    while True:
        answer = client.get(path or "/", headers={"Accept": "text/html", "Connection": "close"})
        shown = shown or time.perf_counter() - begun
        if answer.status_code != 202:
            whole = time.perf_counter() - begun
            return Taken(shown, whole, cpu_seconds(process) - used, answer.status_code)
        time.sleep(REFRESH_SECONDS)


def report(client: httpx.Client, paths: tuple[str, ...], process: int) -> int:
    """Print what each page takes; return how many show nothing within the goal."""
    slow = 0
    print(f"{'page':56} {'shown s':>8} {'whole s':>8} {'CPU':>6} {'again s':>8} {'CPU':>6}")
    for path in paths:
        first, again = (measure(client, path, process) for _ in range(2))
        is_slow = first.shown > GOAL_SECONDS or first.status != 200
        slow += is_slow
        told = f" {first.status}" if first.status != 200 else ""
        print(
            f"{path[:56]:56} {first.shown:8.2f} {first.whole:8.2f} {first.cpu:6.2f} "
            f"{again.whole:8.2f} {again.cpu:6.2f}{told}{'  <- over' if is_slow else ''}",
            flush=True,
        )
    return slow


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("segment", type=Path)
    parser.add_argument("--only", default="", help="Only pages whose address holds this.")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = corpus_round(given.segment, Path(place))
        with served(folder) as (address, process):
            with httpx.Client(base_url=address, trust_env=False, timeout=120) as client:
                named = names_in(client)
                paths = tuple(path.format_map(named) for path in PATHS if given.only in path)
                slow = report(client, paths, process)
            print(f"{slow} of {len(paths)} pages show nothing within {GOAL_SECONDS} s")


if __name__ == "__main__":
    main()
