"""Train the model of the world's languages from a folder of language data.

    python tools/train_world.py DATA src/izwi/models/world.npz --more MORE \\
        --people cldr-core/supplemental/territoryInfo.json --learnt learnt.npz

DATA holds `world/train/CODE.txt.gz` (one sentence or paragraph a line), `world/sizes.tsv`,
`treebanks/CODE_NAME-train.conllu.gz`, and `lid/CODE.train.tsv.gz` (source, text) of the South African
languages. MORE has messages of programs, words made up from lingua's models, words drawn from lists
and conversations (`tools/gather_samples.py`). How many people read a language is told by CLDR (npm:
cldr-core 48.2.0). Chinese characters are converted by opencc-python-reimplemented 0.1.7. Sources: see
NOTICE. The shipped model is what this command writes.

After each pass the weights are kept in `learnt.npz`. A run that finds them there goes on after the
last pass; if there is none left, only priors and temperatures are fitted anew, in a few seconds.
"""

import argparse
import gzip
import io
import random
import sys
import time
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

import numpy as np
from ngram_training import repack
from people import FEWEST, readers
from world_text import OTHER_SCRIPT, read_data

from izwi.kernels.postings import count_ngrams, learn, read_letters
from izwi.text.language.model import shipped_model
from izwi.text.language.ngrams import Izwi
from izwi.text.language.world import (
    FORMAT,
    MOST_LETTERS,
    World,
    WorldModel,
    letter_table,
    lookup_table,
    without_addresses,
)

# How much rarer than the others one meets each language that is not named, as a logarithm, and each
# that is, though no second source of it was to be had; how much more a language with ten times the readers.
RARER, UNMEASURED, TENFOLD = 2.5, 1.8, 0.3
# N-grams chosen for a language with much text; one with little gets half.
MANY = 3_400
# Occurrences per million added to each, and the least share of the highest to be on a list.
FLOOR, LEAST_SHARE, LONGEST_LIST = 0.5, 0.02, 30
# Sizes that weights are rounded to: finer ones tell nothing more and take more room.
LEVELS = 12
# How much of naive Bayes the learning starts from.
START = 0.6
PIECES_MANY, PIECES_FEW = 2_500, 900
# How far each pass through new pieces moves the weights; the last ones hardly, so that chance
# evens out. Share of n-grams left out of each piece.
RATES, DROPPED = (1.6, 0.8, 0.4, 0.12), 0.35
# Shares of pieces of one to five words, and of six to fifteen.
SHORT, MIDDLE = 0.7, 0.19
# Words drawn by the root of their frequency, pieces of them in each pass, the share of short ones.
ROOTED_MANY, ROOTED_FEW = 15_000, 5_000
DRAWN_MANY, DRAWN_FEW, ROOTED_SHORT = 3_000, 1_000, 0.95
# Temperatures by number of n-grams fit every second string of world/dev, and one of its own texts put
# together from its sentences, longer than is read whole.
LENGTHS = (20, 40, 80, 150, 300, 600)
SHORTEST_SENTENCE, SHORTEST_LONG = 60, 900
# Sentences of a language that the second step is asked about.
PIECES_ASKED = 200
# Classes that a held-out string may be in beside its own, the best ones.
NEAREST = 30
# Strings of the development data that are in another language than it says.
MISLABELLED = {("slv", "tatoeba"), ("nso", "ntrex")}


def main() -> None:
    """Read, choose, learn, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--more", type=Path, help="further text: CODE.tsv.gz of source and line")
    parser.add_argument("--people", type=Path, help="CLDR's territoryInfo.json")
    parser.add_argument("--many", type=int, default=MANY)
    parser.add_argument("--learnt", type=Path, help="where the weights of each pass are kept")
    given = parser.parse_args()
    lines, much = read_data(given.data, given.more)
    codes = sorted(lines)
    names = tuple(code.removesuffix(OTHER_SCRIPT) for code in codes)
    is_measured = np.isin(names, sorted(measured(given.data)))
    named = np.isin(names, sorted(much)) | is_measured
    texts = {code: [letters_of(line) for line in lines[code]] for code in codes}
    say(f"{len(codes)} languages, {sum(len(t) for own in texts.values() for t in own):,} letters")
    rich = np.isin(names, sorted(much))
    learnt = Learnt(given.learnt)
    prints, counts, languages, weights, bias = learnt.begun(
        lambda: choose([texts[code] for code in codes], rich, given.many)
    )
    say(f"{len(prints):,} n-grams, {len(languages):,} places on lists")
    improve(texts, codes, rich, (prints, counts, languages, weights, bias), learnt)
    scale = float(np.quantile(np.abs(weights), 0.999)) / LEVELS
    small = np.clip(np.rint(weights / scale), -127, 127).astype(np.int8)
    priors = met(names, given.people)
    priors[~named] -= RARER
    priors[named & ~is_measured] -= UNMEASURED
    model = WorldModel(
        names, named, prints, counts, languages, small, bias + priors, scale,
        np.array(LENGTHS), np.ones(len(LENGTHS) + 2), likeness([lines[code] for code in codes]),
    )  # fmt: skip
    model = calibrated(model, given.data)
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


def met(names: tuple[str, ...], people: Path | None) -> np.ndarray:
    """Return how much more often than another each language is met, by the number of its readers."""
    if people is None:
        return np.zeros(len(names), np.float32)
    known = readers(people)
    tens = np.log10([known.get(name, FEWEST) for name in names])
    return (TENFOLD * (tens - np.median(tens))).astype(np.float32)


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


class Learnt:
    """Lists and weights as they are after each pass, kept in a file if there is a name for one."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self.passes = 0

    def begun(self, choose_lists: Callable[[], tuple]) -> tuple:
        """Return fingerprints, counts, languages, weights and bias as kept, or as of naive Bayes."""
        if self._path and self._path.exists():
            with np.load(self._path) as held:
                self.passes = int(held["passes"])
                self._lists = tuple(held[f"part{number}"] for number in range(5))
        else:
            chosen = choose_lists()
            classes = int(chosen[2].max()) + 1
            self._lists = (*chosen, np.zeros(classes, np.float32))
        return self._lists

    def keep(self) -> None:
        """Count a pass, and keep what was learnt in it."""
        self.passes += 1
        if self._path:
            parts = {f"part{number}": part for number, part in enumerate(self._lists)}
            with self._path.open("wb") as file:
                np.savez(file, passes=self.passes, **parts)


def improve(texts, codes, rich, lists: tuple, learnt: Learnt) -> None:
    """Change weights and bias by learning from pieces of all lengths.

    Half of them are words drawn by the root of their frequency: what is often in the text at hand
    (labels of menus, names of stars) is not in other text, what is rare may well be.
    """
    if learnt.passes == len(RATES):
        return
    prints, counts, languages, weights, bias = lists
    chance = np.random.default_rng(1)
    running = joined_text({code: windows(texts[code], chance) for code in codes}, codes)
    sizes = np.where(rich, ROOTED_MANY, ROOTED_FEW).tolist()
    drawn = [rooted(texts[code], size, chance) for code, size in zip(codes, sizes, strict=True)]
    rooted_words = joined_text(dict(zip(codes, drawn, strict=True)), codes)
    joined = np.concatenate([running[0], rooted_words[0]])
    slots, shares = lookup_table(prints, counts), np.zeros(len(codes))
    marks, found = np.zeros(200_000, np.int64), np.zeros(200_000, np.uint64)
    many, some = (
        np.repeat(np.arange(len(codes)), np.where(rich, *numbers))
        for numbers in ((PIECES_MANY, PIECES_FEW), (DRAWN_MANY, DRAWN_FEW))
    )
    for epoch, rate in list(enumerate(RATES))[learnt.passes :]:
        chance = np.random.default_rng(epoch + 2)
        first = pieces_of(*running, chance.permutation(many), chance)
        second = pieces_of(*rooted_words, chance.permutation(some), chance, short=ROOTED_SHORT)
        second[:, :2] += len(running[0])
        pieces = np.ascontiguousarray(chance.permutation(np.concatenate([first, second])))
        loss = learn(
            joined, pieces, slots, languages, weights, bias, shares, marks, found, rate, DROPPED,
            epoch + 7,
        )  # fmt: skip
        learnt.keep()
        say(f"pass {epoch + 1}: loss {loss:.4f}")


def rooted(own: list, number: int, chance) -> list:
    """Return lines of words drawn by the root of their frequency; a few texts where none have spaces."""
    words = Counter(word for text in own for word in text.tobytes().decode("utf-32-le").split())
    if sum(map(len, own)) >= 14 * words.total():
        return own[:50]
    known, roots = list(words), np.sqrt(list(words.values()))
    drawn = [known[n] for n in chance.choice(len(known), number, p=roots / roots.sum())]
    lines = [f" {' '.join(drawn[n : n + 12])} " for n in range(0, number - 11, 12)]
    return [np.frombuffer(line.encode("utf-32-le"), np.uint32) for line in lines]


def likeness(lines: list[list[str]]) -> np.ndarray:
    """Return how much sentences of each language look to the second step like its own."""
    identify, chance = Izwi(shipped_model()), random.Random(5)
    found = []
    for own in lines:
        words = [line.split() for line in chance.sample(own, min(len(own), PIECES_ASKED))]
        starts = [chance.randrange(max(1, len(line) - 6)) for line in words]
        pieces = [
            line[n : n + chance.randint(6, 15)] for n, line in zip(starts, words, strict=True)
        ]
        found.append(identify.likeness(map(" ".join, pieces)))
    return np.array(found, np.float32)


def calibrated(model: WorldModel, data: Path) -> WorldModel:
    """Return a model with the temperatures by which of answers with .9 nine in ten are right.

    Raising and lowering whole classes on the same strings names 3 % more of their sources and 1 to
    2 % fewer of another source: that is not learnt here.
    """
    rows = held_out(data)
    rows += long_texts(rows)
    sums, bands = sums_of(model, rows)
    codes = [code for code, _, _ in rows]
    times = Counter(zip(codes, bands.tolist(), strict=True))
    share = np.array([1 / times[each] for each in zip(codes, bands.tolist(), strict=True)])
    heats = []
    for band in range(len(LENGTHS) + 2):
        own, weights = sums[bands == band], share[bands == band]
        heats.append(min(np.geomspace(0.8, 5, 60), key=lambda heat: misplaced(own / heat, weights)))
    say(f"heats {np.round(heats, 2)}")
    return replace(model, lengths=np.array(LENGTHS), temperatures=np.array(heats))


def misplaced(sums: np.ndarray, weights: np.ndarray) -> float:
    """Return how far the probability of the best is from whether it is the first and right one.

    Squared, so that languages spelt in another way than all text at hand, which are surely told as
    others, count no more than those of which one is unsure.
    """
    shares = np.exp(sums - sums.max(axis=1, keepdims=True))
    best = shares.max(axis=1) / shares.sum(axis=1)
    return float((weights * (best - (sums.argmax(axis=1) == 0)) ** 2).sum())


def held_out(data: Path) -> list[tuple[str, str, str]]:
    """Return code, source and text of every second development string."""
    with gzip.open(data / "world" / "dev.tsv.gz", "rt", encoding="utf-8") as file:
        rows = [line.rstrip("\n").split("\t") for line in file][::2]
    return [
        (code, source, text)
        for code, _, source, text in rows
        if (code, source) not in MISLABELLED and any(map(str.isalpha, text))
    ]


def long_texts(rows: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Return texts as long as documents, of strings of the same language and source."""
    parts, found = defaultdict(list), []
    for code, source, text in (row for row in rows if len(row[2]) > SHORTEST_SENTENCE):
        own = parts[code, source]
        own.append(text)
        if sum(map(len, own)) > SHORTEST_LONG:
            found.append((code, source, "\n".join(parts.pop((code, source)))))
    return found


def sums_of(model: WorldModel, rows: list[tuple[str, str, str]]) -> tuple:
    """Return the sums of texts (right class first, then the best) and which temperature is theirs."""
    world, places = World(model), defaultdict(list)
    for number, code in enumerate(model.classes):
        places[code].append(number)
    sums, bands = [], []
    for code, _, text in rows:
        plain = without_addresses(text)
        is_whole = len(plain) <= MOST_LETTERS
        count = world.add(world.read(plain)[0], is_whole=is_whole)
        found = world.scores * (model.scale / max(1, count) ** 0.5) + model.bias
        best = max(places[code], key=found.__getitem__)
        others = -np.partition(-np.delete(found, best), NEAREST)[:NEAREST]
        sums.append([found[best], *others])
        bands.append(bisect_left(LENGTHS, count) if is_whole else len(LENGTHS) + 1)
    return np.array(sums), np.array(bands)


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


def pieces_of(joined, bounds, classes, chance, short=SHORT, middle=MIDDLE) -> np.ndarray:
    """Return begin, end and class of pieces of one word to fifty, drawn by chance."""
    words, lines, of_class = bounds
    # Drawn by words, not by lines: labels of menus are many lines and few words.
    word = chance.integers(lines[of_class[classes]], lines[of_class[classes + 1]])
    line = np.searchsorted(lines, word, side="right") - 1
    first, last = lines[line], lines[line + 1]
    kind = chance.random(len(classes))
    is_short, is_middle = kind < short, kind < short + middle
    low = np.where(is_short, 1, np.where(is_middle, 6, 16))
    high = np.where(is_short, 6, np.where(is_middle, 16, 50))
    size = np.minimum(chance.integers(low, high), last - first)
    start = chance.integers(first, last - size + 1)
    begin = words[start]
    spaces = np.append(words, len(joined) - 1)
    end = spaces[start + size]
    # The space behind the last word of a line is not the one before the next line's first.
    end = np.where(start + size == last, end - (end < len(joined) - 1), end)
    return np.ascontiguousarray(np.stack([begin, end, classes], axis=1).astype(np.int64))


def write_world(model: WorldModel, file: IO[bytes]) -> None:
    """Write a model, language by language, so that it packs well."""
    numbers = np.repeat(np.arange(len(model.counts)), model.counts)
    order = np.lexsort((numbers, model.languages))
    gaps = np.diff(numbers[order], prepend=0)
    gaps = np.where(gaps < 0, numbers[order], gaps)
    sizes = np.bincount(model.languages, minlength=len(model.classes))
    prints = np.diff(model.fingerprints, prepend=0)
    buffer = io.BytesIO()
    np.savez(
        buffer,
        format=np.array([FORMAT]),
        classes=np.array(model.classes),
        named=model.named,
        prints_low=(prints & 0xFF).astype(np.uint8),
        prints_high=(prints >> 8).astype(np.uint16),
        sizes=sizes.astype(np.int32),
        gaps_low=(gaps & 0xFF).astype(np.uint8),
        gaps_mid=(gaps >> 8 & 0xFF).astype(np.uint8),
        gaps_high=(gaps >> 16).astype(np.uint8),
        weights=model.weights[order],
        bias=model.bias,
        numbers=np.array([model.scale]),
        lengths=model.lengths,
        temperatures=model.temperatures,
        likeness=model.likeness.astype(np.float16),
    )
    repack(buffer, file)


if __name__ == "__main__":
    main()
