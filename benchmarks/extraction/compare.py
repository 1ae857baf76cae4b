"""Our extractors beside their peers: quality and pages per CPU second, in one run.

    python benchmarks/extraction/compare.py DATA [--limit 40] [--method izwi --method trafilatura ...]

DATA holds folders with pages.jsonl.gz (html or html_b64, text). Pages are taken in the order of a
hash of their name, so that a limit is a fixed random sample. One thread, CPU time.
"""

import argparse
import base64
import gzip
import hashlib
import json
import statistics
import time
from pathlib import Path

from izwi import plugins
from izwi.evaluate.extraction import evaluate
from izwi.evaluate.gold_pages import GoldPage
from izwi.text.decode import decode, tidy

GOALS = {"mean F1": 0.925, "mean F0.5": 0.925, "pages under 0.5": 0.04, "times trafilatura": 10.0}


def gold_pages(folder: Path, limit: int) -> list[GoldPage]:
    with gzip.open(
        folder / "pages.jsonl.gz", "rt", encoding="utf-8", errors="surrogatepass"
    ) as lines:
        rows = [json.loads(line) for line in lines]
    rows.sort(key=lambda row: hashlib.sha256(row["id"].encode("utf-8", "surrogatepass")).digest())
    return [
        GoldPage(
            decode(base64.b64decode(row["html_b64"])).text
            if "html_b64" in row
            else tidy(row["html"]),
            row.get("text") or "",
            row["id"],
            kind=row.get("page_type") or "",
        )
        for row in (rows[:limit] if limit else rows)
    ]


def extractor(name: str):
    kind = plugins.load("izwi.extractors", name)
    made = kind(kind.Options())
    made("<p>warm</p>")  # compiling and loading are not part of the work
    return made


def growth(name: str) -> None:
    made, block = (
        extractor(name),
        "<p>The ferry was late again, said the harbour master on the quay.</p>",
    )
    for size in (100, 1000, 10000):
        start = time.process_time()
        made(block * size)
        print(f"{name:12} {size:6d} blocks {time.process_time() - start:8.3f} s CPU")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--method", action="append")
    given = parser.parse_args()
    methods = given.method or ["izwi", "justext", "resiliparse", "trafilatura"]
    found: dict[str, list] = {name: [] for name in methods}
    for folder in sorted(path.parent for path in given.data.glob("*/pages.jsonl.gz")):
        pages = [page for page in gold_pages(folder, given.limit) if page.text]
        for name in methods if pages else ():
            scores = evaluate(name, extractor(name), pages)
            found[name].append(scores)
            print(
                f"{folder.name:14} {name:12} P {scores.precision:.3f} R {scores.recall:.3f} "
                f"F1 {scores.f1:.3f} F0.5 {scores.f05:.3f} <0.5 {scores.under_half:.3f} "
                f"{scores.pages_per_second:7.1f} pages/s",
                flush=True,
            )
    for name, scores in found.items():
        speed = sum(s.pages for s in scores) / sum(s.pages / s.pages_per_second for s in scores)
        print(
            f"mean {name:12} F1 {statistics.mean(s.f1 for s in scores):.3f} "
            f"F0.5 {statistics.mean(s.f05 for s in scores):.3f} {speed:7.1f} pages per CPU second"
        )
    print("goals:", GOALS)
    growth(methods[0])


if __name__ == "__main__":
    main()
