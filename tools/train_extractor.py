"""Train the models of the extractors from gold pages and write them into the package.

    python tools/train_extractor.py DATA            DATA holds the folders named below
    python tools/train_extractor.py DATA --hold 4   leave a quarter of the hosts out, to measure
    python tools/train_extractor.py DATA --answers answers.npz   for tools/train_listings.py, which
                                                    must follow: it learns from what the models say
    python tools/train_extractor.py DATA --types-only   what tells types anew, blocks as they are

Every page is also judged by models that have not seen its host; how well is printed by set and type.
Only folders whose licence lets a shipped model be trained on them are read (see NOTICE).
"""

import argparse
import base64
import gzip
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import numpy as np

from izwi.evaluate.extraction import PageScore, score_page, summed
from izwi.evaluate.gold_pages import Example, GoldPage, example, part_of
from izwi.evaluate.training import (
    Answered,
    NetworkOptions,
    TrainingOptions,
    held_out_marks,
    train_and_answer,
    train_network,
)
from izwi.model.document import Paragraph
from izwi.text.decode import decode, tidy
from izwi.text.extract.cuts import Marks
from izwi.text.extract.learnt import read_model, write_model
from izwi.text.extract.perceptron import write_network

OPTIONS = TrainingOptions()
FOLDERS = ("wcxb", "scrapinghub", "readability", "trafilatura-seg")
# Sets that hold pages of one type only, and do not say so.
TYPES = {"scrapinghub": "article", "readability": "article"}
MODELS = Path(__file__).parent.parent / "src" / "izwi" / "models"


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


def figures(
    pages: Sequence[tuple[str, GoldPage, Example]], marks: Sequence[Marks]
) -> Iterator[str]:
    """Yield how well pages with a gold text were read, by set and by type in it, a line each."""
    groups: dict[str, list[PageScore]] = {}
    for (folder, gold, one), each in zip(pages, marks, strict=True):
        if gold.text:
            texts = zip(one.page.texts, each.tolist(), strict=True)
            score = score_page(gold, [Paragraph(text, is_main=mark) for text, mark in texts])
            for name in (folder, f"{folder} {gold.kind}"):
                groups.setdefault(name, []).append(score)
    for name, scores in sorted(groups.items()):
        found = summed(name, scores)
        yield (
            f"held out: {name:24} {found.pages:5d} pages  F1 {found.f1:.4f}  F0.5 {found.f05:.4f}"
            f"  under half {found.under_half:.4f}\n"
        )


def write_answers(
    path: Path, names: Sequence[str], blind: Sequence[Answered], marks: Sequence[Marks]
) -> None:
    """Keep what models that have not seen a page's host say of it: chances, types, main text."""
    answers = blind[: len(names)]
    np.savez_compressed(
        path,
        names=np.array(names),
        ends=np.cumsum([len(each) for each in marks]),
        chances=np.concatenate([each.chances for each in answers]),
        types=np.array([each.told for each in answers]),
        marks=np.concatenate(marks),
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--hold", type=int, default=0, help="leave out one part of so many")
    parser.add_argument("--output", type=Path, default=MODELS, help="a folder")
    parser.add_argument("--types-only", action="store_true", help="let blocks be as they are")
    parser.add_argument("--answers", type=Path, help="keep what models say blind of each page here")
    given = parser.parse_args()
    pages = [
        (folder, page, one)
        for folder in FOLDERS
        for page in gold_pages(given.data, folder)
        if (not given.hold or part_of(page.host, given.hold)) and (one := example(page))
    ]
    examples = [one for _, _, one in pages]
    model, blind = train_and_answer(examples, OPTIONS)
    marks = held_out_marks(blind, len(examples), OPTIONS)
    sys.stdout.writelines(figures(pages, marks))
    if given.answers:
        write_answers(given.answers, [gold.id for _, gold, _ in pages], blind, marks)
    if given.types_only:
        shipped = read_model((MODELS / "extractor.npz").read_bytes())
        made = {"extractor.npz": write_model(replace(shipped, teller=model.teller))}
    else:
        made = {
            "perceptron.npz": write_network(train_network(examples, NetworkOptions())),
            "extractor.npz": write_model(model),
        }
    given.output.mkdir(parents=True, exist_ok=True)
    for name, archive in made.items():
        (given.output / name).write_bytes(archive)
        sys.stdout.write(f"{len(examples)} pages, {len(archive)} bytes, {given.output / name}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
