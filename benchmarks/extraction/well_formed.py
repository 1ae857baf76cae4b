"""How many pages are written well formed without a parser, and that each is what a parser writes.

    python benchmarks/extraction/well_formed.py DATA [--limit 40]

DATA holds folders with pages.jsonl.gz (html or html_b64, text). A page that differs is named, and
the exit status is 1.
"""

import argparse
import sys
from pathlib import Path

from compare import gold_pages
from selectolax.lexbor import LexborHTMLParser

from izwi.kernels.letters import encoded
from izwi.text.nesting import written
from izwi.text.stripped_html import lean


def differs(markup: bytes) -> bool | None:
    """Return whether a lean page is written otherwise than by a parser; None if it takes one."""
    found = written(markup)
    if found is None:
        return None
    return found.markup != (LexborHTMLParser(markup).html or "").encode()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int, default=40)
    given = parser.parse_args()
    has_differences = False
    for folder in sorted(path.parent for path in given.data.glob("*/pages.jsonl.gz")):
        pages = gold_pages(folder, given.limit)
        found = [differs(lean(encoded(page.html, "replace")).markup) for page in pages]
        wrong = [page.id for page, is_other in zip(pages, found, strict=True) if is_other]
        print(
            f"{folder.name:14} {len(pages):5d} pages, {found.count(None):4d} take a parser, "
            f"{len(wrong)} differ {' '.join(wrong)}"
        )
        has_differences |= bool(wrong)
    return int(has_differences)


if __name__ == "__main__":
    sys.exit(main())
