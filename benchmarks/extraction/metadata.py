"""Title, author and date of pages: how often exactly as people noted them, beside peers.

    python benchmarks/extraction/metadata.py DATA [--limit 400] [--half held] [--peers] [--errors author]

DATA holds folders with pages.jsonl.gz (html or html_b64, and title, author, date where known).
Exact: titles equal but for case and white space (alike: four of five words the same); authors equal as sets of names, or (strict) as
written; dates equal by day. Halves are by host: rules are mended with a look at the errors of
the first (seen), never at those of the second (held). A property no one noted is not counted. CPU time, one thread;
ours is with the main text, whose type the title depends on.
"""

import argparse
import base64
import gzip
import hashlib
import json
import re
import time
from collections import Counter
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from izwi.text.decode import decode, tidy

GOALS = {"title": 0.86, "title alike": 0.95, "author": 0.78, "author strict": 0.78, "date": 0.91}
_AND = re.compile(r"\s*[,;]\s*|\s+(?:and|und|et|y)\s+|\s+&\s+")
_WORD = re.compile(r"\w+")


class Found(NamedTuple):
    """What a tool says of a page."""

    title: str
    author: str
    date: str


Reader = Callable[[str, str], Found]


def half_of(row: dict[str, str]) -> str:
    """Return the half of a page's host, of one without address its own."""
    host = (urlsplit(row.get("url") or "").hostname or row["id"]).removeprefix("www.")
    return "held" if hashlib.sha256(host.encode("utf-8", "replace")).digest()[0] & 1 else "seen"


def rows_of(folder: Path, limit: int, half: str = "") -> list[dict[str, str]]:
    path = folder / "pages.jsonl.gz"
    with gzip.open(path, "rt", encoding="utf-8", errors="surrogatepass") as lines:
        rows = [json.loads(line) for line in lines]
    rows.sort(key=lambda row: hashlib.sha256(row["id"].encode("utf-8", "surrogatepass")).digest())
    noted = [row for row in rows if any(row.get(name) for name in ("title", "author", "date"))]
    return [row for row in noted if half in ("", half_of(row))][: limit or None]


def page_of(row: dict[str, str]) -> str:
    if "html_b64" in row:
        return decode(base64.b64decode(row["html_b64"])).text
    return tidy(row["html"])


def by_izwi(html: str, url: str) -> Found:
    from izwi.text.extract.page import extract

    found = extract(html, url, captured=date.today()).metadata
    return Found(found.title, found.author, str(found.date.value) if found.date else "")


def by_trafilatura(html: str, url: str) -> Found:
    from trafilatura.metadata import extract_metadata

    found = extract_metadata(html, default_url=url or None)
    return Found(found.title or "", found.author or "", found.date or "")


def same(name: str, said: str, noted: str) -> bool:
    if name == "title alike":
        return alike(Counter(_WORD.findall(said.lower())), Counter(_WORD.findall(noted.lower())))
    if name == "date":
        return said[:10] == noted[:10]
    left, right = " ".join(said.casefold().split()), " ".join(noted.casefold().split())
    return left == right or (name == "author" and set(_AND.split(left)) == set(_AND.split(right)))


def alike(said: Counter[str], noted: Counter[str]) -> bool:
    return 2 * (said & noted).total() >= 0.8 * (said.total() + noted.total())


def measure(name: str, reader: Reader, rows: list[dict[str, str]], shown: str) -> None:
    right, counted = dict.fromkeys(GOALS, 0), dict.fromkeys(GOALS, 0)
    spent = 0.0
    for row in rows:
        html = page_of(row)
        start = time.process_time()
        found = reader(html, row.get("url") or "")
        spent += time.process_time() - start
        for goal in GOALS:
            key = goal.split()[0]
            if not row.get(key):
                continue
            noted = row[key] if isinstance(row[key], str) else ", ".join(row[key])
            said = getattr(found, key)
            is_right = same(goal, said, noted)
            counted[goal] += 1
            right[goal] += is_right
            if goal == shown and not is_right:
                print(f"  {row['id'][:60]:60} {said[:60]!r:62} noted {noted[:60]!r}")
    figures = (f"{g} {right[g] / max(counted[g], 1):.3f} ({counted[g]})" for g in GOALS)
    print(f"{name:12} {'  '.join(figures)}  {1000 * spent / max(len(rows), 1):.2f} ms/page")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int, default=400)
    parser.add_argument("--half", choices=("", "seen", "held"), default="")
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--errors", default="")
    given = parser.parse_args()
    print(f"goals {GOALS}")
    for folder in sorted(path.parent for path in given.data.glob("*/pages.jsonl.gz")):
        if rows := rows_of(folder, given.limit, given.half):
            print(f"{folder.name}: {len(rows)} pages")
            measure("izwi", by_izwi, rows, given.errors)
            if given.peers:
                measure("trafilatura", by_trafilatura, rows, "")


if __name__ == "__main__":
    main()
