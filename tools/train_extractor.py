"""Train the models of the extractors from gold pages and write them into the package.

    python tools/train_extractor.py DATA            DATA holds the folders named below
    python tools/train_extractor.py DATA --hold 4   leave a quarter of the hosts out, to measure

Only folders whose licence lets a shipped model be trained on them are read (see NOTICE).
"""

import argparse
import base64
import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

from izwi.evaluate.examples import example, part_of
from izwi.evaluate.labels import GoldPage
from izwi.evaluate.networks import NetworkOptions, train_network
from izwi.evaluate.training import TrainingOptions, train
from izwi.text.decode import decode, tidy
from izwi.text.extract.model import write_model
from izwi.text.extract.perceptron import write_network

OPTIONS = TrainingOptions()
FOLDERS = ("wcxb", "scrapinghub", "readability", "trafilatura-seg")
# Sets that hold pages of one type only, and do not say so.
TYPES = {"scrapinghub": "article", "readability": "article"}
MODELS = Path(__file__).parent.parent / "src" / "izwi" / "text" / "models"


def gold_pages(data: Path, folder: str) -> Iterator[GoldPage]:
    """Yield the pages of one folder."""
    with gzip.open(
        data / folder / "pages.jsonl.gz", "rt", encoding="utf-8", errors="surrogatepass"
    ) as lines:
        for line in lines:
            row = json.loads(line)
            raw = row.get("html_b64")
            yield GoldPage(
                decode(base64.b64decode(raw)).text if raw else tidy(row["html"]),
                row.get("text") or "",
                row["id"],
                urlsplit(row.get("url") or "").hostname or folder + row["id"],
                row.get("page_type") or TYPES.get(folder, ""),
                tuple(row.get("with") or ()),
                tuple(row.get("without") or ()),
            )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--hold", type=int, default=0, help="leave out one part of so many")
    parser.add_argument("--output", type=Path, default=MODELS, help="a folder")
    given = parser.parse_args()
    pages = (page for folder in FOLDERS for page in gold_pages(given.data, folder))
    wanted = (page for page in pages if not given.hold or part_of(page.host, given.hold))
    examples = [one for page in wanted if (one := example(page))]
    given.output.mkdir(parents=True, exist_ok=True)
    made = {
        "perceptron.npz": write_network(train_network(examples, NetworkOptions())),
        "extractor.npz": write_model(train(examples, OPTIONS)),
    }
    for name, archive in made.items():
        (given.output / name).write_bytes(archive)
        sys.stdout.write(f"{len(examples)} pages, {len(archive)} bytes, {given.output / name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
