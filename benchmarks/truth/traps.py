"""What do traps cost, and is a real page lost? Made hosts, friendly and hostile, are crawled.

    python benchmarks/truth/traps.py FOLDER [--kinds wiki notes] [--held-out] [--count 40] [--together]

FOLDER becomes one corpus for each kind of host (or one of all, with --together), crawled from the
front page at default settings but for the pause between requests. Of each page it is known whether
it is a document, a real page that is none, or beyond the real pages: a view of one, or one of no end.
Printed for each kind: documents, those fetched and kept, requests beyond the real pages (of the worst
host, where there are several), documents that were never asked for, CPU seconds of the crawl.
"""

import argparse
from pathlib import Path

from webs import (
    endless,
    forums,
    friendly,
    held_out,
    held_out_again,
    held_out_texts,
    same_again,
    short_texts,
    systems,
    wikis,
)
from webs.measuring import Figures, Web, crawled

TUNED_ON = {
    **wikis.KINDS, **forums.KINDS, **systems.KINDS, **endless.KINDS, **same_again.KINDS,
    **friendly.KINDS, **short_texts.KINDS,
}  # fmt: skip
HELD_OUT = {**held_out.KINDS, **held_out_again.KINDS, **held_out_texts.KINDS}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kinds", nargs="+", default=[], help="only these")
    parser.add_argument("--held-out", action="store_true", help="the kinds nothing is tuned on")
    parser.add_argument("--count", type=int, default=40, help="documents of a host")
    parser.add_argument("--hosts", type=int, default=1, help="hosts of each kind")
    parser.add_argument("--seconds", type=float, default=60.0, help="a crawl ends after so many")
    parser.add_argument("--together", action="store_true", help="all hosts in one corpus")
    parser.add_argument("--no-build", action="store_true", help="crawl only")
    parser.add_argument(
        "--shapes", action="store_true", help="what was asked for beyond, and missed"
    )
    asked = parser.parse_args()
    kinds = HELD_OUT if asked.held_out else TUNED_ON
    kinds = {name: kind for name, kind in kinds.items() if name in asked.kinds or not asked.kinds}
    runs = [kinds] if asked.together else [{name: kind} for name, kind in kinds.items()]
    print("kind                documents fetched kept beyond false seconds")
    for at, some in enumerate(runs):
        web = Web(some, asked.count, asked.hosts)
        name = "all" if asked.together else next(iter(some))
        figures, _ = crawled(
            asked.folder / f"{at}-{name}", web, seconds=asked.seconds, is_built=not asked.no_build
        )
        web.close()
        for each in figures:
            tell(each, has_shapes=asked.shapes)


def tell(each: Figures, *, has_shapes: bool = False) -> None:
    kept = "-" if each.kept is None else each.kept
    print(
        f"{each.kind:20}{each.documents:9}{each.fetched:8}{kept:>5}{each.beyond:7}"
        f"{each.false_traps:6}{each.seconds:8.1f}",
        flush=True,
    )
    if has_shapes:
        for shape, count in each.most:
            print(f"      {count:5} {shape}")
        for url in each.missed[:5]:
            print(f"      never asked: {url}")


if __name__ == "__main__":
    main()
