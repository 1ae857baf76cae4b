"""Connected text: what is dropped of lists and of running text, goals beside the figures.

    python benchmarks/language/connected.py DATA

Beside the tag clouds, alphabetical lists and title lists of the data it makes harder ones: lists
of names, lists of products with prices, tables of song lines, one sentence said again and again.
"""

import argparse
import gzip
import random
import re
from collections import defaultdict
from pathlib import Path

from izwi.text.connected import (
    SOURCE_THRESHOLD,
    connectedness,
    measure,
    shipped_profiles,
    source_deviation,
)

GOALS = {"text": "at most 1.5 %, no language above 3 %"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    given = parser.parse_args()
    profiles = shipped_profiles()
    dropped = defaultdict(lambda: defaultdict(list))
    fixed = defaultdict(list)
    for code, kind, text in _texts(given.data):
        found = connectedness(text, profiles[code])
        dropped[kind][code].append(not found.is_connected)
        fixed[kind].append(source_deviation(measure(text), profiles[code]) > SOURCE_THRESHOLD)
    for kind, by_language in dropped.items():
        shares = {code: sum(flags) / len(flags) for code, flags in by_language.items()}
        extreme = max if kind == "text" else min
        code = extreme(shares, key=shares.get)
        print(
            f"{kind:>10}: dropped {sum(shares.values()) / len(shares):.2%} "
            f"(goal {GOALS.get(kind, 'at least 99 %')}), {extreme.__name__} {code} "
            f"{shares[code]:.1%}; ten words and threshold 10: "
            f"{sum(fixed[kind]) / len(fixed[kind]):.1%}"
        )

    _print_languages(given.data, dropped["text"])


def _print_languages(data: Path, known) -> None:
    """Print false drops by language: the texts above, and running text of 100 words and more."""
    print(
        "running text dropped, by language: texts of the set; runs of paragraphs of other sources"
    )
    paragraphs = _paragraphs(data)
    for code, profile in sorted(shipped_profiles().items()):
        runs = list(_runs(paragraphs[code]))
        lost = sum(not connectedness(text, profile).is_connected for text in runs)
        print(f"  {code}  {sum(known[code])} of {len(known[code])}  {lost} of {len(runs)}")
    print("  a language without a profile is never judged, and nothing of it is dropped")


def _paragraphs(data: Path):
    """Return by language the paragraphs of the South African data, of the world's for the others."""
    found = defaultdict(list)
    with gzip.open(data / "world" / "dev.tsv.gz", "rt", encoding="utf-8") as file:
        for code, kind, _, text in (line.rstrip("\n").split("\t") for line in file):
            found[code] += [text] if kind == "paragraph" else []
    for path in (data / "lid").glob("*.dev.tsv.gz"):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found[path.name.partition(".")[0]] = [
                line.rstrip("\n").split("\t")[-1] for line in file
            ]
    return found


def _runs(paragraphs: list[str]):
    """Yield paragraphs in runs of 100 words and more."""
    run: list[str] = []
    for text in paragraphs:
        run.append(text)
        if sum(len(part.split()) for part in run) >= 100:
            yield "\n".join(run)
            run = []


def _texts(data: Path):
    chance = random.Random(3)
    with gzip.open(data / "connected" / "dev.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file]
    for code, _, kind, text in rows:
        yield code, kind, text
    for code, _, kind, text in rows:
        if kind == "text":
            yield from ((code, name, hard) for name, hard in _harder(text, chance))


def _harder(text: str, chance: random.Random):
    words = re.findall(r"\w{4,}", text)
    sentences = re.split(r"(?<=[.!?])\s+", text)
    if len(words) < 40:
        return
    yield (
        "names",
        "\n".join(
            f"{chance.choice(words).title()} {chance.choice(words).title()}" for _ in range(120)
        ),
    )
    yield (
        "products",
        "\n".join(
            f"{chance.choice(words).title()} {chance.choice(words)} R{chance.randint(10, 999)}.99"
            for _ in range(120)
        ),
    )
    yield (
        "table",
        "\n".join(
            f"{n}\t{chance.choice(words)} {chance.choice(words)}\t{chance.randint(1, 5)}:{chance.randint(10, 59)}"
            for n in range(100)
        ),
    )
    yield "repeated", " ".join([chance.choice(sentences)] * 25)


if __name__ == "__main__":
    main()
