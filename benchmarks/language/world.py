"""All languages of the world data: right answers by length, and speed, goals beside the figures.

    python benchmarks/language/world.py DATA [--half 0|1|all] [--confusions]

Every second string of the development data (half 0) was looked at when the model was made; half 1
was not. `nso` of that data is Sesotho, so the South African mean is of ten languages.
"""

import argparse
import gzip
import time
from collections import Counter, defaultdict
from pathlib import Path

from izwi.evaluate.language import SOUTH_AFRICAN
from izwi.text.language.ngrams import Izwi

GOALS = {"1-5w": 70, "6-15w": 85, "paragraph": 90}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("--half", default="1")
    parser.add_argument("--confusions", action="store_true")
    given = parser.parse_args()
    with gzip.open(given.data / "world" / "dev.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    if given.half != "all":
        rows = [row for number, row in enumerate(rows) if number % 2 == int(given.half)]
    identify = Izwi()
    print(f"{len(identify.codes) - 1} languages named, {len({row[0] for row in rows})} asked")
    for kind, goal in GOALS.items():
        report(kind, goal, [(row[0], row[3]) for row in rows if row[1] == kind], identify, given)
    speed(identify, [row[3] for row in rows if row[1] == "paragraph"])


def report(kind, goal, texts, identify, given) -> None:
    answers = defaultdict(list)
    sure = []
    for code, text in texts:
        guess = identify(text)
        answers[code].append(guess.code)
        sure.append((guess.score, guess.code == code))
    right = {code: own.count(code) / len(own) for code, own in answers.items()}
    south = [right[code] for code in SOUTH_AFRICAN if code in right and code != "nso"]
    taken = [
        sum(each in SOUTH_AFRICAN for each in own) / len(own)
        for code, own in answers.items()
        if code not in SOUTH_AFRICAN
    ]
    print(
        f"{kind:>9}: {100 * mean(right.values()):.1f} (goal {goal}); South African ten "
        f"{100 * mean(south):.1f}, others taken for one {100 * mean(taken):.2f} %"
    )
    print(f"{'':>11}answers with a score of ... are right: {', '.join(calibration(sure))}")
    if given.confusions:
        wrong = Counter(
            (code, each) for code, own in answers.items() for each in own if each != code
        )
        print("   ", ", ".join(f"{a}>{b} {n}" for (a, b), n in wrong.most_common(40)))


def calibration(sure) -> list[str]:
    """Return for each tenth of the scores how many answers have it, and how many are right."""
    found = []
    for tenth in range(10):
        own = [is_right for score, is_right in sure if tenth <= min(9.99, 10 * score) < tenth + 1]
        found.append(f".{tenth} {100 * mean(own):.0f} % of {len(own)}")
    return found


def speed(identify, texts) -> None:
    identify(texts[0])
    joined = ["\n".join(texts[n : n + 10]) for n in range(0, len(texts), 10)]
    for name, given in (("one paragraph a call (goal 10)", texts), ("joined (goal 15)", joined)):
        begun = time.process_time()
        for text in given:
            identify(text)
        spent = time.process_time() - begun
        print(f"{name}: {sum(len(t.encode()) for t in given) / spent / 1e6:.1f} MB per CPU s")


def mean(values) -> float:
    found = list(values)
    return sum(found) / max(1, len(found))


if __name__ == "__main__":
    main()
