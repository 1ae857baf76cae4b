"""Greetings and everyday sentences of the eleven languages of South Africa: how many are told.

    python benchmarks/language/greetings.py [--wrong]

The sentences (`greetings.txt`) were written for this project, by no speaker of the languages, and
differ from those the models learnt from (`tools/samples/talk`).
"""

import argparse
from collections import defaultdict
from pathlib import Path

from izwi.text.language.ngrams import Izwi

SENTENCES = Path(__file__).with_name("greetings.txt")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--wrong", action="store_true", help="print those told as another")
    given = parser.parse_args()
    identify, right = Izwi(), defaultdict(list)
    for code, text in read_sentences():
        guess = identify(text)
        right[code].append(guess.code == code)
        if given.wrong and guess.code != code:
            print(f"  {code} as {guess.code} {guess.score:.2f}: {text}")
    told = {code: 100 * sum(own) / len(own) for code, own in right.items()}
    print(", ".join(f"{code} {share:.0f}" for code, share in told.items()))
    print(
        f"of {sum(map(len, right.values()))} sentences, mean {sum(told.values()) / len(told):.1f} %"
    )


def read_sentences() -> list[tuple[str, str]]:
    """Return code and sentence."""
    rows = SENTENCES.read_text(encoding="utf-8").splitlines()
    return [(code, text) for code, _, text in (row.partition("\t") for row in rows)]


if __name__ == "__main__":
    main()
