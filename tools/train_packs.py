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
from pathlib import Path

from izwi.annotate.base import UNIVERSAL
from izwi.annotate.conllu import read_conllu
from izwi.cases.language_packs import Samples, make_pack

SHARE_ALIKE = "CC BY-SA 4.0"
# Treebanks by pack, and licences that are not CC BY-SA 4.0. Spoken and social text is left out where
# there is written text enough.
TREEBANKS = {
    "bel": "hse", "ces": "cac cltt pud", "cym": "ccg", "dan": "ddt", "deu": "gsd pud", "ell": "gud",
    "fas": "perdt", "fin": "tdt pud", "fra": "gsd pud", "fra-sequoia": "sequoia", "gla": "arcosg",
    "gle": "idt", "heb": "iahltwiki", "hrv": "set", "hye": "armtdp", "ind": "gsd", "isl": "modern",
    "ita": "markit parlamint pud", "lav": "lvtb", "lit": "alksnis", "mlt": "mudt", "nld": "alpino",
    "nno": "nynorsk", "nob": "bokmaal", "pol": "pud", "pol-lfg": "lfg", "por": "bosque pud",
    "ron": "rrt", "rus": "gsd", "slk": "snk", "slv": "ssj", "spa": "gsd pud", "srp": "set",
    "swe": "talbanken pud", "tur": "boun", "ukr": "parlamint",
}  # fmt: skip
LICENCES = {"pol-lfg": "GPL 3.0", "fra-sequoia": "LGPL-LR", "gle": "CC BY-SA 3.0"}
# Its training part is of the first version of UD; the other treebank says how words are tagged now.
OLD = {"swe": ("talbanken", "pud")}
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
        devs = [bank.with_name(f"{bank.name}-dev.conllu.gz") for bank in banks]
        if name in OLD:
            trains[0] = renewed(trains[0], trains[1], Path(folder))
        text = data / "world" / "train" / f"{code}.txt.gz"
        samples = Samples(
            texts=(text,) if text.exists() else (),
            treebanks=tuple(trains),
            tests=tuple(dev for dev in devs if dev.exists()),
            source=f"UD {', '.join(bank.name for bank in banks)}; texts as in NOTICE",
            licence=LICENCES.get(name, SHARE_ALIKE),
        )
        return make_pack(code, output / name, samples)


def renewed(old: Path, new: Path, folder: Path) -> Path:
    """Write a treebank whose words are tagged as another treebank tags them, where it always does."""
    tags: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in read_conllu(new):
        for word in sentence.words:
            tags[word.form.lower()][word.upos] += 1
    rows = []
    for line in gzip.decompress(old.read_bytes()).decode().splitlines():
        columns = line.split("\t")
        if len(columns) == 10:
            known = tags.get(columns[1].lower(), Counter())
            is_wrong = columns[3] not in UNIVERSAL or known.total() >= 3
            if known and is_wrong and columns[3] not in known:
                columns[3] = known.most_common(1)[0][0]
            elif columns[3] not in UNIVERSAL:
                columns[3] = "DET"
        rows.append("\t".join(columns))
    path = folder / old.name.removesuffix(".gz")
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path


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
