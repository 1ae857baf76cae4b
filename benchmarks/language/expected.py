"""What it brings a corpus that its own languages are expected: kept of its own, taken of others.

    python benchmarks/language/expected.py DATA [--half 0|1|all] [--priors 1 5] [--south]

Each language named is the one of a corpus in turn (`[corpus] languages`), which keeps what is told as
it with `[language] minimum` and more. Own: its strings of the development data that are kept. Others:
strings of the three languages it is taken for most often, and of all, that are kept as well.
"""

import argparse
import gzip
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

from izwi.evaluate.language import SOUTH_AFRICAN
from izwi.text.language.base import expected_of
from izwi.text.language.ngrams import Izwi

MINIMUM = 0.5
KINDS = ("1-5w", "6-15w", "paragraph")
# Strings of all other languages, for each language.
SAMPLE, NEAREST = 300, 3

Strings = Mapping[str, Sequence[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", default="1")
    parser.add_argument("--priors", type=float, nargs="+", default=[1.0, 5.0])
    parser.add_argument("--south", action="store_true", help="the South African languages alone")
    given = parser.parse_args()
    with gzip.open(given.data / "world" / "dev.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    if given.half != "all":
        rows = [row for number, row in enumerate(rows) if number % 2 == int(given.half)]
    for kind in KINDS:
        texts = defaultdict(list)
        for code, length, _, text in rows:
            if length == kind:
                texts[code].append(text)
        wanted = [code for code in texts if code in SOUTH_AFRICAN or not given.south]
        near = nearest(texts)
        for prior in given.priors:
            found = [kept(code, texts, near[code], prior) for code in wanted]
            own, close, far = (100 * sum(part) / len(found) for part in zip(*found, strict=True))
            print(
                f"{kind:>9} prior {prior:4g}: of a corpus's own {own:.1f} % kept, of the "
                f"{NEAREST} nearest languages {close:.2f} %, of all {far:.3f} %"
            )


def nearest(texts: Strings) -> dict[str, list[str]]:
    """Return the languages whose strings are most often told as each language."""
    identify, wrong = Izwi(), defaultdict(Counter)
    for code, own in texts.items():
        for text in own:
            for guess in identify.guesses(text)[:3]:
                if guess.code != code:
                    wrong[guess.code][code] += guess.score
    return {code: [near for near, _ in wrong[code].most_common(NEAREST)] for code in texts}


def kept(code: str, texts: Strings, near: Sequence[str], prior: float) -> tuple[float, ...]:
    """Return the shares that a corpus of this language keeps: of its own, its nearest, all others."""
    identify = Izwi(expected=expected_of([code], prior))
    others = [text for each, some in texts.items() if each != code for text in some]
    sample = Random(code).sample(others, min(SAMPLE, len(others)))
    close = [text for each in near for text in texts[each]]
    return tuple(share_kept(identify, code, some) for some in (texts[code], close, sample))


def share_kept(identify: Izwi, code: str, texts: Iterable[str]) -> float:
    """Return the share of strings that are told as this language, surely enough."""
    guesses = identify.many(texts)
    told = sum(guess.code == code and guess.score >= MINIMUM for guess in guesses)
    return told / max(1, len(guesses))


if __name__ == "__main__":
    main()
