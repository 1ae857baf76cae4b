"""Make language packs from a folder of language data, and the table of how good they are.

    python tools/train_packs.py DATA OUTPUT [CODE ...] [--table PAGE.md]

DATA holds `treebanks/CODE_NAME-train.conllu.gz` and `-dev`, and `world/train/CODE.txt.gz`. A pack is
measured on the development parts, which are neither learnt from nor looked at for any choice; where
there is none, on a tenth of the treebank. Sources and licences stand on each pack's card. Treebanks
under GPL or LGPL make packs of their own name (pol-lfg, fra-sequoia), so that others stay free of them.
"""

import argparse
import gzip
import json
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from math import log1p
from pathlib import Path

from izwi.annotate.base import UNIVERSAL
from izwi.annotate.conllu import GoldWord, read_conllu
from izwi.cases.language_tools import Samples, make_pack

SHARE_ALIKE = "CC BY-SA 4.0"
# Treebanks by pack, and licences that are not CC BY-SA 4.0. Spoken and social text is left out where
# there is written text enough.
TREEBANKS = {
    "bel": "hse", "ces": "cac cltt pud", "cym": "ccg", "dan": "ddt", "deu": "gsd pud", "ell": "gud",
    "fas": "perdt", "fin": "tdt pud", "fra": "gsd pud", "fra-sequoia": "sequoia", "gla": "arcosg",
    "gle": "idt twittirish", "heb": "iahltwiki", "hrv": "set", "hye": "armtdp", "ind": "gsd", "isl": "modern",
    "ita": "markit parlamint pud", "lav": "lvtb", "lit": "alksnis", "mlt": "mudt", "nld": "alpino",
    "nno": "nynorsk", "nob": "bokmaal", "pol": "pud", "pol-lfg": "lfg", "por": "bosque pud",
    "ron": "rrt", "rus": "gsd", "slk": "snk", "slv": "ssj", "spa": "gsd pud", "srp": "set",
    "swe": "talbanken pud", "tur": "boun", "ukr": "parlamint",
}  # fmt: skip
LICENCES = {"pol-lfg": "GPL 3.0", "fra-sequoia": "LGPL-LR"}
# Their training parts are of earlier versions of UD; the other treebank says how words are tagged now.
OLD = {"swe": "talbanken", "gle": "idt"}
# Packs measured by some of their treebanks alone: the other of Irish is tweets.
MEASURED = {"gle": "idt"}
COLUMNS = ("tags", "tags of rare words", "lemmas", "features", "running text dropped")


def main() -> None:
    """Make each pack, then the table of all that are there."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("codes", nargs="*")
    parser.add_argument("--table", type=Path)
    given = parser.parse_args()
    for name in given.codes or TREEBANKS:
        begun = time.process_time()
        made = make(given.data, given.output, name)
        shown = ", ".join(f"{key} {value:.3f}" for key, value in made.figures.items())
        seconds = time.process_time() - begun
        sys.stdout.write(f"{name} {made.size_bytes / 1e6:.2f} MB {seconds:.0f} s: {shown}\n")
        sys.stdout.flush()
    if given.table:
        given.table.write_text(table(given.output), encoding="utf-8")


def make(data: Path, output: Path, name: str):
    """Make one pack."""
    code = name.partition("-")[0]
    with tempfile.TemporaryDirectory() as folder:
        banks = [data / "treebanks" / f"{code}_{bank}" for bank in TREEBANKS[name].split()]
        trains = [bank.with_name(f"{bank.name}-train.conllu.gz") for bank in banks]
        measured = MEASURED.get(name, TREEBANKS[name]).split()
        devs = [data / "treebanks" / f"{code}_{bank}-dev.conllu.gz" for bank in measured]
        trains = renewed(trains, name, Path(folder))
        text = data / "world" / "train" / f"{code}.txt.gz"
        samples = Samples(
            texts=(text,) if text.exists() else (),
            treebanks=tuple(trains),
            tests=tuple(dev for dev in devs if dev.exists()),
            source=f"UD {', '.join(bank.name for bank in banks)}; texts as in NOTICE",
            licence=LICENCES.get(name, SHARE_ALIKE),
        )
        return make_pack(code, output / name, samples)


def renewed(trains: list[Path], name: str, folder: Path) -> list[Path]:
    """Return the treebanks, with the one that follows other habits written anew as the rest has it.

    Parallel treebanks (PUD) were annotated by others than the treebanks that packs are measured by.
    """
    differs = f"_{OLD.get(name, 'pud')}-"
    others = [path for path in trains if differs not in path.name]
    if not others or len(others) == len(trains):
        return trains
    olds, rest = [path for path in trains if path not in others], _words(others)
    if not any(word.feats != "_" for word in rest):
        # Tweets in Irish have no features: they get those of the older treebank.
        new = {path: _renewed(path, folder, _words(olds), _renew_features) for path in others}
        new |= {path: _renewed(path, folder, rest, _renew_tags) for path in olds}
    else:
        steps = (_renew_tags, _renew_features) if name in OLD else (_renew_features,)
        new = {path: _renewed(path, folder, rest, *steps) for path in olds}
    return [new.get(path, path) for path in trains]


def _words(paths: list[Path]) -> list[GoldWord]:
    return [word for path in paths for sentence in read_conllu(path) for word in sentence.words]


Rows = list[list[str]]


def _renewed(
    old: Path, folder: Path, rest: list[GoldWord], *steps: Callable[[Rows, list[GoldWord]], None]
) -> Path:
    """Write a treebank anew, its words changed step by step, and return where."""
    lines = gzip.decompress(old.read_bytes()).decode().splitlines()
    rows = [line.split("\t") for line in lines]
    for step in steps:
        step([row for row in rows if len(row) == 10], rest)
    path = folder / old.name.removesuffix(".gz")
    path.write_text("\n".join(map("\t".join, rows)) + "\n", encoding="utf-8")
    return path


def _renew_tags(rows: Rows, rest: list[GoldWord]) -> None:
    """Tag words as the other treebank tags them, where it always does."""
    tags: dict[str, Counter[str]] = defaultdict(Counter)
    for word in rest:
        tags[word.form.lower()][word.upos] += 1
    for columns in rows:
        known = tags.get(columns[1].lower(), Counter())
        is_wrong = columns[3] not in UNIVERSAL or known.total() >= 3
        if known and is_wrong and columns[3] not in known:
            columns[3] = known.most_common(1)[0][0]
        elif columns[3] not in UNIVERSAL:
            columns[3] = "DET"


def _renew_features(rows: Rows, rest: list[GoldWord]) -> None:
    """Give words the bundle of features that stands for theirs in the other treebank.

    Of the bundles there that contradict theirs in no value: one of the same word, else the one that
    has most values in common with theirs, and words in common with those of their bundle.
    """
    of_words: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    of_tags: dict[str, Counter[str]] = defaultdict(Counter)
    for word in rest:
        of_words[word.form.lower(), word.upos][word.feats] += 1
        of_tags[word.upos][word.feats] += 1
    shared: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for row in rows:
        shared[row[3], row[5]].update(of_words.get((row[1].lower(), row[3]), Counter()).keys())
    for row in rows:
        tag, own = row[3], row[5]
        same_word = _agreeing(own, of_words.get((row[1].lower(), tag), Counter()))
        if own not in same_word and (same_word or own not in of_tags[tag]):
            found = same_word or _agreeing(own, of_tags[tag])
            times = shared[tag, own]
            row[5] = max(found, key=lambda b: (found[b] + log1p(times[b]), b), default=own)


def _agreeing(own: str, bundles: Counter[str]) -> dict[str, int]:
    """Return the bundles that have no other value where they have one, with those in common."""
    values = dict(value.split("=", 1) for value in own.split("|") if "=" in value)
    found = {}
    for bundle in bundles:
        theirs = dict(value.split("=", 1) for value in bundle.split("|") if "=" in value)
        common = values.keys() & theirs.keys()
        if all(values[name] == theirs[name] for name in common):
            found[bundle] = len(common)
    return found


def table(output: Path) -> str:
    """Return the figures of all packs in a folder as a page."""
    head = ("pack", "licence", "words", *COLUMNS, "MB")
    rows = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    for path in sorted(output.glob("*/card.json")):
        card = json.loads(path.read_text(encoding="utf-8"))
        figures = card["figures"]
        shares = [f"{100 * figures[name]:.1f}" if name in figures else "" for name in COLUMNS]
        words = f"{figures['words learnt from']:,}"
        size = f"{card['size_bytes'] / 1e6:.2f}"
        rows.append(f"| {' | '.join((path.parent.name, card['licence'], words, *shares, size))} |")
    return "\n".join(rows) + "\n"


if __name__ == "__main__":
    main()
