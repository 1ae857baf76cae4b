"""Train the model that tells close languages apart from a folder of language data.

    python tools/train_telling.py DATA src/izwi/models/telling.npz --people supplementalData.xml

DATA is as for `tools/train_world.py`. Each family learns from its members' text alone: pieces of one
word to fifty, as many of each member, sources weighed by a low power of their size. How many people
read a language is told by CLDR (Debian: unicode-cldr-core 41). The shipped model is what this
command writes.
"""

import argparse
import gzip
import io
import random
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from malay import as_indonesian, as_malay
from ngram_training import repack
from people import FEWEST as FEWEST_READERS
from people import readers
from spellings import RESPELT, TRANSLITERATED, in_both_scripts, respelt
from train_world import joined_text, letters_of, pieces_of, say, windows, write_world
from world_text import SAME, SAMPLES, SHIPPABLE, SOUTH_AFRICAN, TALK, by_source, sentences

from izwi.kernels.postings import count_ngrams, learn
from izwi.text.language.telling import OTHER_SCRIPT, TellingModel
from izwi.text.language.world import WorldModel, lookup_table

# Families that gain at 1-5 and at 6-15 words on the half that may be looked at.
NGUNI, MALAY = "nbl ssw xho zul", "ind msa"
FAMILIES = (
    NGUNI,
    "nso sot tsn",
    "spa ast glg por cat oci",
    "tgl ceb hil war",
    "deu hrx gsw ltz bar",
    "nld lim nds frr",
    "dan nob nno",
    "hrv bos srp+",
    "aze tly tur crh",
    MALAY,
    "urd kas skr pnb",
    "azb fas",
    "mri tah",
    "cnh lus",
    "asm ben",
    "gla gle",
    "epo ido",
    "isl fao",
    "lav ltg",
    "ady kbd",
    "ita vec lmo",
    "ara arq",
    "hau fij",
    "ban sun jav",
    "swa kam",
)  # fmt: skip
# Languages that also learn from another's text, said as they would: theirs is of other kinds.
SAID_ANEW = {"msa": ("ind", as_malay), "ind": ("msa", as_indonesian)}
# Letters read of one source; a source weighs by this power of them, what was written for this project
# so many times as much.
MOST_OF_SOURCE, POWER = 1_500_000, 0.25
TIMES = {"talk": 6, "samples": 4}
# N-grams chosen for each member, seen so often at least; occurrences per million added to each.
MANY, MANY_OF, FEWEST, FLOOR = 2_500, {MALAY: 6_000}, 2, 2.0
# How much of naive Bayes the learning starts from, and what is shared out between the steps.
START = 0.6
PIECES, RATES, DROPPED = 30_000, (1.0, 0.5, 0.25, 0.1), 0.35
# The mean of so many learnings from other pieces is taken: what is chance in one evens out.
LEARNINGS = 3
SHORT, MIDDLE = 0.6, 0.28
# Sizes that weights are rounded to.
LEVELS = 15
# How much what was said before counts (as a power), and how much what the family's lists say, for
# texts of up to so many n-grams and longer ones. Of the pairs tried those by which neither all
# languages nor those that others know lose.
LENGTHS = (20, 40, 80, 150, 300)
ANY = ([0.5] * 6, [0.5] * 6)
# Of the Nguni languages the second step has read more than there is here.
COUNTED = {NGUNI: ([1.0] * 6, [0.3, 0.3, 0.3, 0.3, 0.1, 0.0])}
# A language with ten times the readers counts as met more often by so much, where it is said: what
# the first step knows of that is lost where the second has answered.
TENFOLD = {NGUNI: 1.0}


@dataclass(frozen=True)
class Family:
    """What was learnt of a family: n-grams, a weight of each for each member, and their bias."""

    codes: tuple[str, ...]
    prints: np.ndarray
    weights: np.ndarray
    bias: np.ndarray


def main() -> None:
    """Learn each family, put them together, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("model", type=Path)
    parser.add_argument("--people", type=Path, help="CLDR's territoryInfo.json")
    given = parser.parse_args()
    families = [
        with_readers(learnt(tuple(codes.split()), given.data), given.people) for codes in FAMILIES
    ]
    model = together(families)
    with given.model.open("wb") as file:
        write_telling(model, file)
    say(f"{given.model}: {given.model.stat().st_size:,} bytes")


def sources_of(code: str, data: Path) -> dict[str, list[str]]:
    """Return the texts of a language that may be learnt from, by source, in its script."""
    name = code.removesuffix(OTHER_SCRIPT)
    found = gathered(name, data)
    if name in RESPELT:
        found["respelt"] = respelt(name, [text for own in found.values() for text in own])
    if name in SAID_ANEW:
        other, said = SAID_ANEW[name]
        theirs = gathered(other, data)
        found["said anew"] = said([text for own in theirs.values() for text in own])
    if name in TRANSLITERATED:
        script = int(code.endswith(OTHER_SCRIPT))
        found = {source: in_both_scripts(name, own)[script] for source, own in found.items()}
    return found


def gathered(name: str, data: Path) -> dict[str, list[str]]:
    """Return the texts of a language by source, as they are."""
    found: dict[str, list[str]] = defaultdict(list)
    for part in (name, *(part for part, whole in SAME.items() if whole == name)):
        path = data / "world" / "train" / f"{part}.txt.gz"
        if path.exists():
            with gzip.open(path, "rt", encoding="utf-8") as file:
                found["world"] += file.read().splitlines()
    for source, folder in (("samples", SAMPLES), ("talk", TALK)):
        if (folder / f"{name}.txt").exists():
            found[source] = (folder / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    for path in sorted((data / "treebanks").glob(f"{name}_*-train.conllu.gz")):
        found[path.name] = sentences(path)
    if name in SOUTH_AFRICAN:
        own = by_source(data / "lid" / f"{name}.train.tsv.gz")
        found.update({source: texts for source, texts in own.items() if source in SHIPPABLE})
    return dict(found)


def read(code: str, data: Path) -> dict[str, list[np.ndarray]]:
    """Return the letters of a language's lines by source, at most so many of each."""
    found = {}
    for source, own in sources_of(code, data).items():
        mixed, lines, size = random.Random(1).sample(own, len(own)), [], 0
        for text in mixed:
            if size > MOST_OF_SOURCE:
                break
            lines.append(letters_of(text))
            size += len(lines[-1])
        lines = [line for line in lines if len(line) > 2]
        if lines:
            found[source] = lines
    return found


def shares_of(texts: dict[str, list[np.ndarray]]) -> dict[str, float]:
    """Return how much each source weighs; they sum to one."""
    weights = {
        source: sum(map(len, own)) ** POWER * TIMES.get(source, 1) for source, own in texts.items()
    }
    whole = sum(weights.values())
    return {source: weight / whole for source, weight in weights.items()}


def learnt(codes: tuple[str, ...], data: Path) -> Family:
    """Return what tells the members of a family apart, the mean of some learnings."""
    texts = [read(code, data) for code in codes]
    prints, first = begun(texts, MANY_OF.get(" ".join(codes), MANY))
    flat = {f"{n} {source}": lines for n, own in enumerate(texts) for source, lines in own.items()}
    names, chance = list(flat), np.random.default_rng(0)
    joined = joined_text({name: windows(flat[name], chance) for name in names}, names)
    classes = np.array([int(name.partition(" ")[0]) for name in names])
    shares = np.concatenate([list(shares_of(own).values()) for own in texts])
    counts = np.full(len(prints), len(codes), np.int64)
    languages = np.tile(np.arange(len(codes), dtype=np.uint16), len(prints))
    slots, room = lookup_table(prints, counts), np.zeros(len(codes))
    marks, lists = np.zeros(200_000, np.int64), np.zeros(200_000, np.uint64)
    found, losses = [], []
    for seed in range(LEARNINGS):
        weights, bias, loss = first.copy(), np.zeros(len(codes), np.float32), 0.0
        for epoch, rate in enumerate(RATES):
            pieces = drawn(joined, classes, shares, np.random.default_rng(100 * seed + epoch))
            loss = learn(
                joined[0], pieces, slots, languages, weights, bias, room, marks, lists, rate,
                DROPPED, 100 * seed + epoch + 7,
            )  # fmt: skip
        found.append((weights, bias))
        losses.append(loss)
    say(f"{' '.join(codes)}: {len(prints):,} n-grams, loss {np.mean(losses):.3f}")
    weights, bias = (np.mean(each, axis=0) for each in zip(*found, strict=True))
    return Family(codes, prints, weights.reshape(-1, len(codes)), bias)


def drawn(joined, classes: np.ndarray, shares: np.ndarray, chance) -> np.ndarray:
    """Return begin, end and class of as many pieces of each class, sources by their shares."""
    lines = [
        chance.choice(np.flatnonzero(classes == number), PIECES, p=shares[classes == number])
        for number in np.unique(classes)
    ]
    pieces = pieces_of(*joined, chance.permutation(np.concatenate(lines)), chance, SHORT, MIDDLE)
    pieces[:, 2] = classes[pieces[:, 2]]
    return pieces


def with_readers(family: Family, people: Path | None) -> Family:
    """Return a family whose members count as met more often the more people read them."""
    tenfold = TENFOLD.get(" ".join(family.codes), 0.0)
    if people is None or not tenfold:
        return family
    known = readers(people)
    tens = np.log10([known.get(code, FEWEST_READERS) for code in family.codes])
    return replace(family, bias=family.bias + (tenfold * (tens - tens.mean())).astype(np.float32))


def begun(texts: list[dict[str, list[np.ndarray]]], many: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the n-grams that tell most, and weights of naive Bayes around their mean."""
    prints, owners, shares, times = [], [], [], []
    for number, own in enumerate(texts):
        weights = shares_of(own)
        for source, lines in own.items():
            found, seen = counted(lines)
            prints.append(found)
            owners.append(np.full(len(found), number))
            shares.append(seen * (1e6 * weights[source] / seen.sum()))
            times.append(seen)
    known, place = np.unique(np.concatenate(prints), return_inverse=True)
    often = np.zeros((len(known), len(texts)))
    np.add.at(often, (place, np.concatenate(owners)), np.concatenate(shares))
    logs = np.log1p(often / FLOOR)
    logs -= logs.mean(axis=1, keepdims=True)
    worth = np.sqrt(often.mean(axis=1)) * np.abs(logs).max(axis=1)
    worth[np.bincount(place, np.concatenate(times)) < FEWEST] = 0
    best = np.sort(np.argsort(-worth)[: many * len(texts)])
    return known[best], np.ascontiguousarray((START * logs[best]).astype(np.float32).ravel())


def counted(lines: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Return the n-grams of lines and how often each is there."""
    room = np.zeros(sum(map(len, lines)) * 6 + 8, np.int64)
    used = 0
    for line in lines:
        used += count_ngrams(line, len(line), room[used:])
    return np.unique(room[:used], return_counts=True)


def together(families: list[Family]) -> TellingModel:
    """Return all families in one model; what a weight rounds to nothing is on no list."""
    scale = float(np.quantile(np.abs(np.concatenate([f.weights.ravel() for f in families])), 0.999))
    scale /= LEVELS
    prints, languages, weights, before = [], [], [], 0
    for family in families:
        small = np.clip(np.rint(family.weights / scale), -LEVELS, LEVELS).astype(np.int8)
        rows, columns = np.nonzero(small)
        prints.append(family.prints[rows])
        languages.append(columns + before)
        weights.append(small[rows, columns])
        before += len(family.codes)
    prints, languages, weights = map(np.concatenate, (prints, languages, weights))
    order = np.lexsort((languages, prints))
    known, counts = np.unique(prints, return_counts=True)
    classes = tuple(code for family in families for code in family.codes)
    numbers = np.repeat(np.arange(len(families)), [len(family.codes) for family in families])
    lists = WorldModel(
        classes, np.ones(len(classes), bool), known, counts, languages[order].astype(np.uint16),
        weights[order], np.concatenate([f.bias for f in families]).astype(np.float32), scale,
        np.array(LENGTHS), np.ones(len(LENGTHS) + 1), np.zeros(len(classes), np.float32),
    )  # fmt: skip
    kept, told = zip(*(COUNTED.get(" ".join(f.codes), ANY) for f in families), strict=True)
    return TellingModel(lists, numbers, np.array(kept), np.array(told))


def write_telling(model: TellingModel, file) -> None:
    """Write the lists as those of all languages are, and what else is to be known."""
    lists, buffer = io.BytesIO(), io.BytesIO()
    write_world(model.lists, lists)
    lists.seek(0)
    with np.load(lists) as held:
        parts = dict(held)
    families = model.families.astype(np.uint8)
    np.savez(buffer, **parts, families=families, kept=model.kept, told=model.told)
    repack(buffer, file)


if __name__ == "__main__":
    main()
