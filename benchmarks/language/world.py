"""All languages of the world data: right answers by length, and speed, goals beside the figures.

    python benchmarks/language/world.py DATA [--half 0|1|all] [--confusions]

Every second string of the development data (half 0) was looked at when the model was made; half 1
was not. `nso` of that data is Sesotho, so the South African mean is of ten languages; the Slovenian of
one source is Slovak and left out of the mean of the languages that eld 1.0.6 names. Documents are
strings of 6 words and more, of one language and source, put together.
"""

import argparse
import gzip
import time
from collections import Counter, defaultdict
from pathlib import Path

from izwi.evaluate.language import SOUTH_AFRICAN
from izwi.text.language.ngrams import Izwi

GOALS = {"1-5w": 70, "6-15w": 85, "paragraph": 90}
# Those that eld names.
PEERS = (
    "amh ara aze bel bul ben cat ces dan deu ell eng spa est eus fas fin fra guj heb hin hrv hun hye "
    "isl ita jpn kat kan kor kmr lao lit lav mal mar msa nld nob ori pan pol por ron rus slk slv sqi "
    "srp swe tam tel tha tgl tur ukr urd vie yor zho"
)
MISLABELLED = {("slv", "tatoeba"), ("nso", "ntrex")}
# Letters of a document, and what a corpus asks for at least ([language] minimum).
LONG, MINIMUM = 900, 0.5


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
        report(
            kind, goal, [(*row[:1], *row[2:]) for row in rows if row[1] == kind], identify, given
        )
    documents(rows, identify)
    speed(identify, [row[3] for row in rows if row[1] == "paragraph"])


def report(kind, goal, texts, identify, given) -> None:
    answers, known = defaultdict(list), defaultdict(list)
    sure = []
    for code, source, text in texts:
        guess = identify(text)
        answers[code].append(guess.code)
        if code in PEERS and (code, source) not in MISLABELLED:
            known[code].append(guess.code == code)
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
        f"{100 * mean(south):.1f}, others taken for one {100 * mean(taken):.2f} %; "
        f"{len(known)} that eld knows {100 * mean(map(mean, known.values())):.1f}"
    )
    print(f"{'':>11}answers with a score of ... are right: {', '.join(calibration(sure))}")
    if given.confusions:
        wrong = Counter(
            (code, each) for code, own in answers.items() for each in own if each != code
        )
        print("   ", ", ".join(f"{a}>{b} {n}" for (a, b), n in wrong.most_common(40)))


def documents(rows, identify) -> None:
    """Print how many documents are told, and how many of these a corpus would drop as unsure."""
    parts, found = defaultdict(list), []
    for code, kind, source, text in rows:
        if kind == "1-5w" or (code, source) in MISLABELLED:
            continue
        own = parts[code, source]
        own.append(text)
        if sum(map(len, own)) > LONG:
            guess = identify("\n".join(parts.pop((code, source))))
            found.append((guess.score, guess.code == code))
    unsure = sum(is_right and score < MINIMUM for score, is_right in found)
    print(
        f"documents: {100 * mean(is_right for _, is_right in found):.1f} % of {len(found)}; told "
        f"rightly, but with less than {MINIMUM}: {100 * unsure / len(found):.2f} %"
    )
    print(f"{'':>11}answers with a score of ... are right: {', '.join(calibration(found))}")


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
