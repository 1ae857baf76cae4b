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
from itertools import accumulate
from pathlib import Path

from ngram_training import Plan, train, write_model
from pidgin import pidgin

SHIPPABLE = {"nchlt", "vukuzenzele", "govza", "sadilar", "ewt", "afribooms", "ud"}
# Italian treebanks allow no commercial use.
REFUSED = {("ita", "ud")}
# No unnamed languages: a version of the declaration in Venda, and Ndebele of Zimbabwe, which
# nobody could tell from the languages of the same name and of Zulu by its few messages.
NAMED_ELSEWHERE = {"ven2", "nd", "nde"}
SAMPLES = Path(__file__).parent / "samples"
# Letters taken of one source of a named language, and of one unnamed language: what rich sources
# have beyond this only lets them outweigh the poor ones.
MOST_OF_SOURCE = 500_000
MOST_OF_MESSAGES = 250_000
MOST_OF_UNNAMED = 40_000


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
        for source, texts in _by_source(path).items():
            if code != "und" and source in sources and (code, source) not in REFUSED:
                samples[code][source] = some_of(texts, MOST_OF_SOURCE)
    named = {path.name.split(".")[0] for path in (data / "lid").glob("*.dev.tsv.gz")}
    for code in sorted(named) if more else ():
        for source, texts in _by_source(more / f"{code}.tsv.gz").items():
            samples[code][source] = some_of(texts, MOST_OF_MESSAGES)
    # Others of the samples are for the model of all languages.
    for path in (p for p in sorted(SAMPLES.glob("*.txt")) if p.stem in named):
        samples[path.stem]["izwi"] = path.read_text(encoding="utf-8").splitlines()
    chance = random.Random(4)
    samples["pcm"]["rules"] = [
        pidgin(text, chance) for texts in samples["eng"].values() for text in texts[::3]
    ]
    return {**samples, "und": _unnamed(data, more, named)}


def _unnamed(data: Path, more: Path | None, named: set[str]) -> dict[str, list[str]]:
    """Return texts by language for the class of all others: half declaration, half messages."""
    declared = _by_source(data / "lid" / "und.train.tsv.gz")
    texts = {code: own for code, own in declared.items() if code not in NAMED_ELSEWHERE}
    for path in sorted(more.glob("*.tsv.gz")) if more else ():
        code, found = path.name.split(".")[0], _by_source(path)
        if code in named or code in NAMED_ELSEWHERE:
            continue
        known = texts.get(code) or found.get("udhr", [])
        others = [text for source, own in found.items() if source != "udhr" for text in own]
        half = MOST_OF_UNNAMED // 2
        texts[code] = some_of(known, half) + some_of(others, half)
    return texts


def some_of(texts: list[str], letters: int) -> list[str]:
    """Return texts by chance until they have so many letters; all if there are fewer."""
    mixed = random.Random(3).sample(texts, len(texts))
    before = accumulate(map(len, mixed), initial=0)
    return [text for text, size in zip(mixed, before, strict=False) if size <= letters]


def _by_source(path: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = defaultdict(list)
    if path.exists():
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for line in file:
                source, _, text = line.rstrip("\n").partition("\t")
                if text.strip():
                    found[source].append(text)
    return found


if __name__ == "__main__":
    main()
