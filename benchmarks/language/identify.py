"""Our identifier beside pycld2 on the dev parts of the language data, goals beside the figures.

    python benchmarks/language/identify.py DATA [--methods izwi,pycld2,lingua] [--confusions]

South African languages are measured on sources the shipped model was not trained on; where a
language has none such in the data it is left out here (--trained measures all dev parts).
"""

import argparse
import gzip
import random
from pathlib import Path

from izwi.evaluate.language import SOUTH_AFRICAN, Labelled, evaluate, pieces, speed
from izwi.text.language.base import identifier

UNSEEN = {"masakhanews", "masakhapos", "gum"}
GOALS = {"1-5 words": 0.82, "6-15 words": 0.96, "paragraph": 0.995}
MOST = 400


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--methods", default="izwi,pycld2")
    parser.add_argument("--model", type=Path, help="another model for izwi")
    parser.add_argument("--trained", action="store_true", help="sources trained on, too")
    parser.add_argument("--confusions", action="store_true")
    given = parser.parse_args()
    items = read_items(given.data, is_trained=given.trained)
    italian = [item for item in items if item.language == "ita"]
    for method in given.methods.split(","):
        identify = _identifier(method, given.model)
        found = evaluate(method, identify, items)
        print(
            f"== {method}: {found.megabytes_per_second:.1f} MB/s (goal 10), "
            f"calibration error {found.calibration_error:.3f}"
        )
        for score in found.scores:
            print(
                f"{score.length:>11}: South African {score.south_african:.1%} "
                f"(goal {GOALS[score.length]:.1%}), others accepted {score.accepted_wrongly:.2%} "
                f"(goal 1 %), Zulu precision {score.zulu_precision:.1%} (goal 93 % at 6-15), "
                f"all {score.accuracy:.1%}"
            )
        for length, low, high in (("6-15 words", 6, 15), ("paragraph", 16, 200)):
            taken = [identify(p.text).code in ("zul", "eng") for p in pieces(italian, low, high, 5)]
            print(
                f"Italian rejected as Zulu or English, {length}: "
                f"{1 - sum(taken) / len(taken):.2%} of {len(taken)} (goal 99.5 %)"
            )
        _growth(identify, items)
        if given.confusions:
            for one in found.sources:
                if one.language in SOUTH_AFRICAN:
                    print(
                        f"  {one.length} {one.language} {one.source}: {one.accuracy:.1%} of {one.texts}"
                    )
            for one in found.confusions[:60]:
                print(
                    f"  {one.length}: {one.language} as {one.taken_for} {one.count} ({one.share:.1%})"
                )


def _identifier(method, model):
    if method == "izwi" and model:
        from izwi.text.language.model import read_model
        from izwi.text.language.ngrams import Izwi

        with model.open("rb") as file:
            return Izwi(read_model(file))
    return identifier(method)


def _growth(identify, items) -> None:
    texts = [item.text for item in items]
    sizes = (len(texts) // 4, len(texts) // 2, len(texts))
    print(
        "speed over three sizes: "
        + ", ".join(f"{n:,} texts {speed(identify, texts[:n]):.1f} MB/s" for n in sizes)
    )


def read_items(data: Path, *, is_trained: bool) -> list[Labelled]:
    """Return labelled texts: other languages' dev parts, South African ones from unseen sources."""
    items = []
    for path in sorted((data / "lid").glob("*.dev.tsv.gz")):
        code = path.name.split(".")[0]
        rows = _rows(path)
        if code in SOUTH_AFRICAN and not is_trained:
            rows += _rows(path.with_name(f"{code}.train.tsv.gz"))
            rows = [row for row in rows if row[0] in UNSEEN]
        rows = [row for row in rows if len(row[1].split()) >= 16]
        random.Random(7).shuffle(rows)
        items += [Labelled(code, source, text) for source, text in rows[:MOST]]
    return items


def _rows(path: Path) -> list[tuple[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [tuple(line.rstrip("\n").split("\t", 1)) for line in file]


if __name__ == "__main__":
    main()
