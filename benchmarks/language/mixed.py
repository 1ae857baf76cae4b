"""Mixed pages: word-level F1 of the Zulu part, sentences of Zulu and English in any order.

python benchmarks/language/mixed.py DATA
"""

import argparse
import gzip
import random
from pathlib import Path

from izwi.text.language.ngrams import Izwi
from izwi.text.language.parts import language_runs

PAGES = 200


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    given = parser.parse_args()
    identify, chance = Izwi(), random.Random(11)
    zulu, english = (_sentences(given.data, code) for code in ("zul", "eng"))
    for name, languages in (("all languages", ()), ("zul and eng only", ("zul", "eng"))):
        right = found = wanted = 0
        for _ in range(PAGES):
            page = _page(zulu, english, chance)
            hits, named, real = _words(page, identify, languages)
            right, found, wanted = right + hits, found + named, wanted + real
        precision, recall = right / max(found, 1), right / max(wanted, 1)
        print(
            f"{name}: precision {precision:.1%}, recall {recall:.1%}, "
            f"F1 {2 * precision * recall / (precision + recall):.1%} (goal 96 %)"
        )


def _page(zulu, english, chance):
    kinds = [chance.random() < 0.4 for _ in range(chance.randint(4, 14))]
    return [(is_zulu, chance.choice(zulu if is_zulu else english)) for is_zulu in kinds]


def _words(page, identify, languages):
    text, spans = "", []
    for is_zulu, sentence in page:
        spans.append((len(text), len(text) + len(sentence), is_zulu))
        text += sentence + " "
    named = [False] * len(text)
    for run in language_runs(text, identify, languages=languages):
        if run.code == "zul":
            named[run.start : run.end] = [True] * (run.end - run.start)
    hits = found = wanted = 0
    for low, high, is_zulu in spans:
        place = low
        for word in text[low:high].split():
            place = text.index(word, place)
            is_named = named[place + len(word) // 2]
            hits, found, wanted = hits + (is_named and is_zulu), found + is_named, wanted + is_zulu
            place += len(word)
    return hits, found, wanted


def _sentences(data: Path, code: str) -> list[str]:
    with gzip.open(data / "lid" / f"{code}.dev.tsv.gz", "rt", encoding="utf-8") as file:
        texts = [line.rstrip("\n").split("\t", 1)[1] for line in file]
    return [text for text in texts if 5 <= len(text.split()) <= 40]


if __name__ == "__main__":
    main()
