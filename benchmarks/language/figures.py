"""Measure each language that comes along, for the list of `izwi languages`.

    python benchmarks/language/figures.py DATA src/izwi/models/figures.json

DATA holds `world/dev.tsv.gz` (code, kind, source, text), of which every second string is used (the
others set the temperatures), and `pos/*-dev.conllu.gz` for the taggers.
"""

import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path

from izwi.annotate.conllu import read_conllu
from izwi.annotate.models import shipped_model
from izwi.cases.tagging import score_model
from izwi.text.language.ngrams import Izwi

KINDS = {"1-5w": "1-5 words", "6-15w": "6-15 words", "paragraph": "paragraph"}
BANKS = {
    "eng": "en_ewt", "afr": "af_afribooms", "zul": "sadilar_zul", "xho": "sadilar_xho",
    "nbl": "sadilar_nbl", "ssw": "sadilar_ssw",
}  # fmt: skip
# Fewer strings than this say nothing.
FEWEST = 20


def main() -> None:
    """Measure, write."""
    data, found = Path(sys.argv[1]), defaultdict(dict)
    for (code, kind), right in identified(data / "world" / "dev.tsv.gz").items():
        if len(right) >= FEWEST:
            found[code][f"identified, {KINDS[kind]}"] = round(sum(right) / len(right), 3)
    for code, bank in BANKS.items():
        gold = read_conllu(data / "pos" / f"{bank}-dev.conllu.gz")
        score = score_model(shipped_model(code), gold)
        # The Bantu corpora have tags of their own only.
        found[code] |= {"tags": round(score.upos or score.xpos, 3), "lemmas": round(score.lemma, 3)}
    text = json.dumps({code: found[code] for code in sorted(found)}, indent=0)
    Path(sys.argv[2]).write_text(text + "\n", encoding="utf-8")


def identified(path: Path) -> dict[tuple[str, str], list[bool]]:
    """Return for each language and length whether strings were told rightly."""
    identify, right = Izwi(), defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for number, line in enumerate(file):
            code, kind, _, text = line.rstrip("\n").split("\t", 3)
            if number % 2:
                right[code, kind].append(identify(text).code == code)
    return right


if __name__ == "__main__":
    main()
