"""Measure each language that comes along, for the list of `izwi languages`.

Beside right answers that is: which languages at least a tenth of its strings of 6 to 15 words are taken
for, and the share of running words on its stop list.

    python benchmarks/language/figures.py DATA src/izwi/models/figures.json

DATA holds `world/dev.tsv.gz` (code, kind, source, text), of which every second string is used (the
others set the temperatures), and `pos/*-dev.conllu.gz` for the taggers.
"""

import gzip
import json
import sys
from collections import defaultdict
from pathlib import Path

import numpy as np

from izwi.annotate.conllu import read_conllu
from izwi.annotate.tagger import shipped_model
from izwi.cases.tagging import score_model
from izwi.kernels.postings import read_letters
from izwi.text.language.new_language import stop_words
from izwi.text.language.ngrams import Izwi
from izwi.text.language.world import letter_table

KINDS = {"1-5w": "1-5 words", "6-15w": "6-15 words", "paragraph": "paragraph"}
BANKS = {
    "eng": "en_ewt", "afr": "af_afribooms", "zul": "sadilar_zul", "xho": "sadilar_xho",
    "nbl": "sadilar_nbl", "ssw": "sadilar_ssw",
}  # fmt: skip
# Fewer strings than this say nothing; a language that so large a part is taken for is close.
FEWEST, OFTEN = 20, 0.1


def main() -> None:
    """Measure, write."""
    data, found = Path(sys.argv[1]), defaultdict(dict)
    rows = held_out(data / "world" / "dev.tsv.gz")
    for (code, kind), answers in identified(rows).items():
        if len(answers) >= FEWEST:
            found[code][f"identified, {KINDS[kind]}"] = share_of(code, answers)
            found[code] |= taken(code, answers) if kind == "6-15w" else {}
    for code, share in stopped(rows).items():
        found[code]["running text stopped"] = share
    for code, figures in tagged(data / "pos").items():
        found[code] |= figures
    text = json.dumps({code: found[code] for code in sorted(found)}, indent=0)
    Path(sys.argv[2]).write_text(text + "\n", encoding="utf-8")


def tagged(folder: Path) -> dict[str, dict[str, float]]:
    """Return how good the taggers that come along are."""
    found = {}
    for code, bank in BANKS.items():
        gold = read_conllu(folder / f"{bank}-dev.conllu.gz")
        score = score_model(shipped_model(code), gold)
        # The Bantu corpora have tags of their own only.
        found[code] = {"tags": round(score.upos or score.xpos, 3), "lemmas": round(score.lemma, 3)}
        if any(word.feats != "_" for sentence in gold for word in sentence.words):
            found[code]["features"] = round(score.feats, 3)
    return found


def held_out(path: Path) -> list[list[str]]:
    """Return code, kind, source and text of the strings that nothing was set by."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [line.rstrip("\n").split("\t", 3) for n, line in enumerate(file) if n % 2]


def identified(rows: list[list[str]]) -> dict[tuple[str, str], list[str]]:
    """Return for each language and length what strings were told as."""
    identify, answers = Izwi(), defaultdict(list)
    for code, kind, _, text in rows:
        answers[code, kind].append(identify(text).code)
    return answers


def share_of(code: str, answers: list[str]) -> float:
    """Return how large a part of the answers a language is."""
    return round(answers.count(code) / len(answers), 3)


def taken(code: str, answers: list[str]) -> dict[str, float]:
    """Return the languages that a language is often taken for, with how often."""
    others = {other: share_of(other, answers) for other in {*answers} - {code, "und"}}
    return {f"taken for {each}": n for each, n in sorted(others.items()) if n >= OFTEN}


def read_words(text: str) -> list[str]:
    """Return the words of a text in lower case, cut as those of stop lists are."""
    out = np.zeros(len(text) + 3, np.uint32)
    used = read_letters(text, 0, len(text), letter_table(), out, 0, np.zeros(4, np.int64))
    return "".join(map(chr, out[:used].tolist())).split()


def stopped(rows: list[list[str]]) -> dict[str, float]:
    """Return by language the share of running words that are on its stop list."""
    words = defaultdict(list)
    for code, kind, _, text in rows:
        if kind == "paragraph":
            words[code] += read_words(text)
    shares = {code: (own, frozenset(stop_words(code))) for code, own in words.items()}
    return {
        code: round(sum(word in listed for word in own) / len(own), 3)
        for code, (own, listed) in shares.items()
        if listed and len(own) >= FEWEST
    }


if __name__ == "__main__":
    main()
