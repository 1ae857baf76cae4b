"""Train the model of the world's languages from a folder of language data.

    python tools/train_world.py DATA src/izwi/models/world.npz

DATA holds `world/train/CODE.txt.gz` (one sentence or paragraph a line), `world/sizes.tsv`, and
`lid/CODE.train.tsv.gz` (source, text) of the South African languages. Sources: see NOTICE.
"""

import argparse
import gzip
import random
import sys
import time
from collections import defaultdict
from pathlib import Path

import numpy as np

from izwi.kernels.postings import count_ngrams, learn, read_letters
from izwi.text.language.world import WorldModel, letter_table, lookup_table, write_world

SOUTH_AFRICAN = ["afr", "eng", "nbl", "nso", "sot", "ssw", "tsn", "tso", "ven", "xho", "zul"]
SHIPPABLE = {"nchlt", "vukuzenzele", "govza", "sadilar", "ewt", "afribooms", "ud"}
# Letters of each further source of a South African language.
MOST_OF_SOURCE = 80_000
# N-grams chosen for a language with much text, and for one with little.
MANY, FEW = 3_600, 1_800
# Occurrences per million added to each, and the least share of the highest to be on a list.
FLOOR, LEAST_SHARE, LONGEST_LIST = 0.5, 0.02, 30
# How much of naive Bayes the learning starts from.
START = 0.6
PIECES_MANY, PIECES_FEW = 2_500, 900
EPOCHS, RATE, DROPPED = 5, 2.0, 0.25
# Temperatures by number of n-grams: likelihood of every second string of world/dev, then times 1.3,
# by which of answers with .9 nine in ten are right.
LENGTHS = (20, 40, 80, 150, 300, 600, 1_200)
TEMPERATURES = (1.374, 1.374, 1.23, 1.23, 1.535, 1.918, 2.674, 2.989)
# Parts of a macrolanguage that the data names beside it.
SAME = {"hnj": "hmn", "mww": "hmn"}


def main() -> None:
    """Read, choose, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--many", type=int, default=MANY)
    parser.add_argument("--rate", type=float, default=RATE)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    given = parser.parse_args()
    lines, much = read_data(given.data)
    codes = sorted(lines)
    named = np.array([code in much or code in measured(given.data) for code in codes])
    texts = {code: [letters_of(line) for line in lines[code]] for code in codes}
    say(f"{len(codes)} languages, {sum(len(t) for own in texts.values() for t in own):,} letters")
    rich = np.array([code in much for code in codes])
    prints, counts, languages, weights = choose([texts[code] for code in codes], rich, given.many)
    say(f"{len(prints):,} n-grams, {len(languages):,} places on lists")
    weights, bias = improve(texts, codes, rich, prints, counts, languages, weights, given)
    scale = float(np.quantile(np.abs(weights), 0.999)) / 63
    small = np.clip(np.rint(weights / scale), -127, 127).astype(np.int8)
    model = WorldModel(
        tuple(codes), named, prints, counts, languages, small, bias, scale,
        np.array(LENGTHS), np.array(TEMPERATURES),
    )  # fmt: skip
    with given.model.open("wb") as file:
        write_world(model, file)
    say(f"{given.model}: {given.model.stat().st_size:,} bytes, {int(named.sum())} named")


def say(words: str) -> None:
    """Print what was done and the processor time so far."""
    sys.stderr.write(f"{time.process_time():6.0f} s {words}\n")
    sys.stderr.flush()


def measured(data: Path) -> set[str]:
    """Return the languages whose naming is measured on a source of its own."""
    with gzip.open(data / "world" / "dev.tsv.gz", "rt", encoding="utf-8") as file:
        return {line.split("\t", 1)[0] for line in file}


def read_data(data: Path) -> tuple[dict[str, list[str]], set[str]]:
    """Return lines by language, and the languages with much text."""
    rows = (data / "world" / "sizes.tsv").read_text(encoding="utf-8").splitlines()[1:]
    tiers = {row.split("\t")[0]: row.split("\t")[3] for row in rows}
    lines: dict[str, list[str]] = defaultdict(list)
    for code in tiers:
        with gzip.open(data / "world" / "train" / f"{code}.txt.gz", "rt", encoding="utf-8") as file:
            lines[SAME.get(code, code)] += file.read().splitlines()
    for code in SOUTH_AFRICAN:
        lines[code] += south_african(data / "lid" / f"{code}.train.tsv.gz")
    return dict(lines), {code for code, tier in tiers.items() if tier == "A"}


def south_african(path: Path) -> list[str]:
    """Return some text of each source that may be used."""
    by_source: dict[str, list[str]] = defaultdict(list)
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            source, _, text = line.rstrip("\n").partition("\t")
            if source in SHIPPABLE:
                by_source[source].append(text)
    found, chance = [], random.Random(1)
    for texts in by_source.values():
        chance.shuffle(texts)
        size = 0
        for text in texts:
            if size > MOST_OF_SOURCE:
                break
            found.append(text)
            size += len(text)
    return found


def letters_of(line: str) -> np.ndarray:
    """Return the letters of a line between single spaces."""
    out = np.zeros(len(line) + 3, np.uint32)
    used = read_letters(line, 0, len(line), letter_table(), out, 0, np.zeros(4, np.int64))
    return out[:used]


def choose(texts: list, rich: np.ndarray, many: int) -> tuple:
    """Return the n-grams that tell most about some language, and their lists as of naive Bayes."""
    prints, owners, shares = [], [], []
    for number, own in enumerate(texts):
        room = np.zeros(sum(len(t) for t in own) * 6 + 8, np.int64)
        used = 0
        for text in own:
            used += count_ngrams(text, len(text), room[used:])
        found, times = np.unique(room[:used], return_counts=True)
        kept = times >= 2
        prints.append(found[kept])
        shares.append(times[kept] * (1e6 / max(1, used)))
        owners.append(np.full(int(kept.sum()), number))
    prints, owners, shares = map(np.concatenate, (prints, owners, shares))
    order = np.argsort(prints, kind="stable")
    prints, owners, shares = prints[order], owners[order], shares[order]
    group = np.cumsum(np.concatenate([[0], np.diff(prints) != 0]))
    mean = np.bincount(group, shares) / len(texts)
    told = shares * np.log(shares / (mean[group] + 0.3))
    is_chosen = np.zeros(group[-1] + 1, bool)
    for number in range(len(texts)):
        mine = np.flatnonzero(owners == number)
        best = mine[np.argsort(-told[mine])][: many if rich[number] else many // 2]
        is_chosen[group[best[told[best] > 0]]] = True
    highest = np.zeros(len(is_chosen))
    np.maximum.at(highest, group, shares)
    kept = np.flatnonzero(is_chosen[group] & (shares >= LEAST_SHARE * highest[group]))
    kept = kept[np.lexsort((-shares[kept], group[kept]))]
    own = group[kept]
    firsts = np.concatenate([[0], np.flatnonzero(np.diff(own)) + 1])
    rank = np.arange(len(own)) - np.repeat(firsts, np.diff(np.append(firsts, len(own))))
    kept = kept[rank < LONGEST_LIST]
    chosen, counts = np.unique(prints[kept], return_counts=True)
    weights = START * np.log1p(shares[kept] / FLOOR)
    return chosen, counts, owners[kept].astype(np.uint16), weights.astype(np.float32)


def improve(texts, codes, rich, prints, counts, languages, weights, given) -> tuple:
    """Return weights and bias after learning from pieces of all lengths."""
    chance = np.random.default_rng(1)
    joined, bounds = joined_text({code: windows(texts[code], chance) for code in codes}, codes)
    slots = lookup_table(prints, counts)
    bias = np.zeros(len(codes), np.float32)
    shares = np.zeros(len(codes))
    marks, lists = np.zeros(200_000, np.int64), np.zeros(200_000, np.uint64)
    classes = np.repeat(np.arange(len(codes)), np.where(rich, PIECES_MANY, PIECES_FEW))
    for epoch in range(given.epochs):
        pieces = pieces_of(joined, bounds, chance.permutation(classes), chance)
        rate = given.rate / (1 + 0.7 * epoch)
        loss = learn(
            joined, pieces, slots, languages, weights, bias, shares, marks, lists, rate, DROPPED,
            epoch + 7,
        )  # fmt: skip
        say(f"pass {epoch + 1}: loss {loss:.4f}")
    return weights, bias


def windows(own: list, chance) -> list:
    """Return texts as they are, or cut where a script leaves no spaces: those have no words."""
    letters, words = sum(map(len, own)), sum(int((t == 32).sum()) for t in own)
    if letters < 14 * words:
        return own
    pieces = []
    for text in own:
        place = 1
        while place < len(text) - 1:
            width = int(chance.integers(3, 70))
            part = text[place : place + width]
            pieces.append(np.concatenate([[32], part[part != 32], [32]]).astype(np.uint32))
            place += width
    return pieces


def joined_text(texts: dict, codes: list[str]) -> tuple:
    """Return all text behind one another; places of spaces, first word of lines, lines of classes."""
    own = [t for code in codes for t in texts[code] if len(t) > 2]
    joined = np.concatenate(own)
    spaces = [np.flatnonzero(t[:-1] == 32) for t in own]
    starts = np.cumsum([0, *map(len, own)])[:-1]
    words = np.concatenate([s + b for s, b in zip(spaces, starts, strict=True)])
    lines = np.cumsum([0, *map(len, spaces)])
    of_class = np.cumsum([0, *(sum(len(t) > 2 for t in texts[code]) for code in codes)])
    return joined, (words, lines, of_class)


def pieces_of(joined, bounds, classes, chance) -> np.ndarray:
    """Return begin, end and class of pieces of one word to fifty, drawn by chance."""
    words, lines, of_class = bounds
    line = chance.integers(of_class[classes], of_class[classes + 1])
    first, last = lines[line], lines[line + 1]
    kind = chance.random(len(classes))
    low = np.where(kind < 0.5, 1, np.where(kind < 0.8, 6, 16))
    high = np.where(kind < 0.5, 6, np.where(kind < 0.8, 16, 50))
    size = np.minimum(chance.integers(low, high), last - first)
    start = chance.integers(first, last - size + 1)
    begin = words[start]
    spaces = np.append(words, len(joined) - 1)
    end = spaces[start + size]
    # The space behind the last word of a line is not the one before the next line's first.
    end = np.where(start + size == last, end - (end < len(joined) - 1), end)
    return np.ascontiguousarray(np.stack([begin, end, classes], axis=1).astype(np.int64))


if __name__ == "__main__":
    main()
