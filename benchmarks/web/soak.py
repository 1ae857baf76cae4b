"""Many readers for long on one server: no error, and memory that does not grow.

    izwi demo --no-serve --folder /tmp/demo
    python benchmarks/web/soak.py /tmp/demo --seconds 600

Thirty-two readers ask for pages of all kinds about the corpus's own words, so that every question fits it: an answer that
is neither 200 nor 202 (it is being made) is an error. Memory is looked at ten times; the second half must not be above
the first by more than a twentieth. It ends with status 1 if a goal is missed. The default is short: it says that it works.
"""

import argparse
import random
import sys
import threading
import time
import tomllib
from collections import Counter
from pathlib import Path
from urllib.parse import quote

import httpx
from readers import cpu_seconds, report_memory, served, watch

PAGES = (
    "conc?q={}", "conc?q={}&sort=right", "conc?q={}&sort=newest&page=2", "conc?q={}&sample=20&seed=7",
    "conc?mode=cql&q=%5Bword%3D%22{}%22%5D", "facets?q={}&part=1", "freq?q={}&by=year", "coll?q={}",
    "dispersion?q={}", "trend?q={}", "word/{}", "wordlist?pattern={}.*", "ngrams?size=2", "docs", "keywords", "new",
    "trend.svg?q={}",
)  # fmt: skip
FINE = (200, 202)
# What answers hold for a moment may lie between two looks.
GROWTH = 1.05


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--readers", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--pause", type=float, default=1.0)
    given = parser.parse_args()
    with served(given.corpus) as (address, process):
        name = tomllib.loads((given.corpus / "corpus.toml").read_text("utf-8"))["corpus"]["name"]
        words = own_words(address, name)
        held = [report_memory(process, "before")]
        answers = asked_by_all(address, words, given, process, held)
        print(f"CPU of the server in all: {cpu_seconds(process):.1f} s")
    return told(answers, held, given)


def own_words(address: str, name: str) -> tuple[str, list[str]]:
    """Return the name of the corpus and fifty words that are in it."""
    with httpx.Client(base_url=address, trust_env=False, timeout=300) as client:
        found = client.get(f"/api/v1/c/{name}/wordlist", params={"pattern": "[a-z]+", "most": 50})
        return name, [each["value"] for each in found.json()["lines"]]


def asked_by_all(
    address: str,
    words: tuple[str, list[str]],
    given: argparse.Namespace,
    process: int,
    held: list[float],
) -> Counter[tuple[str, int]]:
    """Let all readers ask until the time is up; count what was answered to what."""
    answers: list[tuple[str, int]] = []
    threads = [threading.Thread(target=watch, args=(process, given.seconds, held))] + [
        threading.Thread(target=read, args=(address, words, given, seed, answers))
        for seed in range(given.readers)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return Counter(answers)


def read(
    address: str,
    words: tuple[str, list[str]],
    given: argparse.Namespace,
    seed: int,
    answers: list[tuple[str, int]],
) -> None:
    """Ask for page after page, and look at each for a moment."""
    chance, end = random.Random(seed), time.monotonic() + given.seconds
    with httpx.Client(base_url=address, trust_env=False, timeout=120) as client:
        while time.monotonic() < end:
            page = chance.choice(PAGES)
            path = page.format(quote(chance.choice(words[1])))
            kind = "api/v1/c" if ".svg" in path else "c"
            try:
                status = client.get(f"/{kind}/{words[0]}/{path}").status_code
            except httpx.HTTPError:
                status = 0
            answers.append((page, status))
            time.sleep(chance.uniform(0, 2 * given.pause))


def told(answers: Counter[tuple[str, int]], held: list[float], given: argparse.Namespace) -> int:
    """Print the outcome; return 1 if a goal is missed."""
    wrong = {each: count for each, count in answers.items() if each[1] not in FINE}
    half = len(held) // 2
    first, last = max(held[1 : half + 1]), max(held[half + 1 :])
    print(f"{given.readers} readers, {given.seconds:.0f} s: {answers.total():,} answers")
    print(f"errors: {sum(wrong.values())} (goal 0) {wrong or ''}")
    print(f"memory at most {first:.0f} MB in the first half, {last:.0f} MB in the second")
    # In less than some minutes a server is still loading what it needs.
    is_grown = given.seconds >= 300 and last > GROWTH * first
    return int(bool(wrong) or is_grown)


if __name__ == "__main__":
    sys.exit(main())
