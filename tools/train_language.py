"""Train the identifier that comes with izwi from a folder of language data.

The folder holds `lid/<code>.train.tsv.gz` (source, text) and `lid/und.train.tsv.gz` (code, text).
Only sources whose licence allows shipping a model are read (see NOTICE); languages without such a
source are trained from `tools/samples`, sentences written for this project.

    python tools/train_language.py DATA src/izwi/models/language.npz --more MORE

MORE is made by tools/gather_samples.py.
"""

import argparse
import gzip
import random
import sys
from collections import defaultdict
from pathlib import Path

from pidgin import pidgin

from izwi.text.language.model import write_model
from izwi.text.language.training import Plan, train

SHIPPABLE = {"nchlt", "vukuzenzele", "govza", "sadilar", "ewt", "afribooms", "ud"}
# Italian treebanks allow no commercial use.
REFUSED = {("ita", "ud")}
# The Venda version of the declaration is no unnamed language.
NAMED_ELSEWHERE = {"ven2"}
SAMPLES = Path(__file__).parent / "samples"


def main() -> None:
    """Read, train, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path, help="folder with lid/*.tsv.gz")
    parser.add_argument("model", type=Path, help="the file to write")
    parser.add_argument("--sources", default=",".join(sorted(SHIPPABLE)), help="sources to read")
    parser.add_argument("--bits", type=int, default=Plan().bits, help="the table has 2^bits slots")
    parser.add_argument("--epochs", type=int, default=Plan().epochs)
    parser.add_argument("--snippets", type=int, default=Plan().snippets)
    parser.add_argument("--more", type=Path, help="folder made by tools/gather_samples.py")
    given = parser.parse_args()

    samples = read_samples(given.data, set(given.sources.split(",")), given.more)
    plan = Plan(bits=given.bits, epochs=given.epochs, snippets=given.snippets)
    model = train(samples, plan, lambda words: print(words, file=sys.stderr, flush=True))
    with given.model.open("wb") as file:
        write_model(model, file)
    print(f"{given.model}: {given.model.stat().st_size:,} bytes, {len(model.classes)} classes")


def read_samples(
    data: Path, sources: set[str], more: Path | None = None
) -> dict[str, dict[str, list[str]]]:
    """Return class to source to texts, of the given sources, our own samples and `und`."""
    samples: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for path in sorted((data / "lid").glob("*.train.tsv.gz")):
        code = path.name.split(".")[0]
        for source, text in _rows(path):
            if code != "und" and source in sources and (code, source) not in REFUSED:
                samples[code][source].append(text)
    named = {path.name.split(".")[0] for path in (data / "lid").glob("*.dev.tsv.gz")}
    for code in sorted(named) if more else ():
        for source, text in _rows(more / f"{code}.tsv.gz"):
            samples[code][source].append(text)
    for path in sorted(SAMPLES.glob("*.txt")):
        samples[path.stem]["izwi"] = path.read_text(encoding="utf-8").splitlines()
    chance = random.Random(4)
    samples["pcm"]["rules"] = [
        pidgin(text, chance) for texts in samples["eng"].values() for text in texts[::3]
    ]
    return {**samples, "und": _unnamed(data, more, named)}


def _unnamed(data: Path, more: Path | None, named: set[str]) -> dict[str, list[str]]:
    """Return texts by language for the class of all others."""
    texts: dict[str, list[str]] = defaultdict(list)
    for code, text in _rows(data / "lid" / "und.train.tsv.gz"):
        if code not in NAMED_ELSEWHERE:
            texts[code].append(text)
    for path in sorted(more.glob("*.tsv.gz")) if more else ():
        code = path.name.split(".")[0]
        if code not in named and code not in texts:
            texts[code] = [text for _, text in _rows(path)]
    return texts


def _rows(path: Path) -> list[tuple[str, str]]:
    if not path.exists():
        return []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = (line.rstrip("\n").partition("\t") for line in file)
        return [(first, second) for first, _, second in rows if second.strip()]


if __name__ == "__main__":
    main()
