"""Posts and comments as documents of their own: how many of their words, authors and dates are found.

    python benchmarks/extraction/comments.py DATA

DATA holds the folders wcxb and dragnet with pages.jsonl.gz. Of forum pages the gold main text is
what was posted; other pages have their readers' comments noted apart from the text.
"""

import argparse
import base64
import gzip
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from selectolax.lexbor import LexborHTMLParser

from izwi.evaluate.gold_pages import words
from izwi.text.comments import Comment, comments_of_page
from izwi.text.decode import decode, tidy


def pages(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield the markup and the gold comments of the pages that have some."""
    with gzip.open(
        folder / "pages.jsonl.gz", "rt", encoding="utf-8", errors="surrogatepass"
    ) as lines:
        for line in lines:
            row = json.loads(line)
            gold = row.get("text") if row.get("page_type") == "forum" else row.get("comments")
            if gold:
                raw = row.get("html_b64")
                yield decode(base64.b64decode(raw)).text if raw else tidy(row["html"]), gold


def measured(found: list[list[Comment]], golds: list[str]) -> str:
    """Return the figures of one folder in a line; precision where posts were found."""
    pairs = [
        (Counter(words("\n".join(each.text for each in posts))), Counter(words(gold)))
        for posts, gold in zip(found, golds, strict=True)
    ]
    posts = [each for some in found for each in some]
    right = [((got & gold).total(), got.total(), gold.total()) for got, gold in pairs]
    shares = {
        "precision": mean(hit / got for hit, got, _ in right if got),
        "recall": mean(hit / max(gold, 1) for hit, _, gold in right),
        "author": mean(bool(each.user) for each in posts),
        "date": mean(bool(each.date) for each in posts),
        "answer": mean(bool(each.answers) for each in posts),
    }
    told = "  ".join(f"{name} {share:.3f}" for name, share in shares.items())
    return f"{len(found)} pages, posts on {sum(map(bool, found))}, {len(posts)} posts  {told}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    given = parser.parse_args()
    for name in ("wcxb", "dragnet"):
        chosen = list(pages(given.data / name))
        found = [comments_of_page(LexborHTMLParser(html)) for html, _ in chosen]
        print(f"{name:8} {measured(found, [gold for _, gold in chosen])}")


if __name__ == "__main__":
    main()
