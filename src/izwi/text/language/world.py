"""Hundreds of languages at once: which n-grams are telling for which, and what a text's sum says.

Every known n-gram has a list of the languages it speaks for, each with a small weight; a text's
score for a language is the sum over its n-grams, divided by the root of their number. Long texts
are read in stretches, and reading ends when one language is far enough before all others.
"""

import re
import unicodedata
import zipfile
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.language_lists import NO_WEIGHT, WEIGHT_BITS, WEIGHTS
from izwi.kernels.postings import add_text, agree, judge, read_letters
from izwi.text.language.expected import weigh

FORMAT = 1
# What a second step says against a class is never worth more than this, however seldom it errs.
LEAST_LIKENESS = 1e-4
FINGERPRINT_BITS = 28
# Letters read of one text, in so many stretches spread over it.
MOST_LETTERS, _STRETCHES = 400, 4
# Room for these, and for the spaces before, between and after stretches.
_MOST_READ = 2 * MOST_LETTERS + 64
# After so many letters one looks whether the best is so far ahead (in nats) that it stays the best.
_STEP, _LEAD = 40, 5.0
# A second opinion is of the same letters as the first, and the more there are, the more of it was
# said before: for a text of so many n-grams it counts in full, above as the root of their number.
# (Where it counts more or less than these, there is too little text, or one that was hard to tell.)
_FULL, _FEWEST, _MOST = 17, 4, 370
# An entry of a list has sixteen bits: the class, and the weight.
_MOST_CLASSES = 1 << 16 - WEIGHT_BITS
# So many entries of lists lie in one line of memory, which is fetched as a whole.
_LINE = 32
# No search begins inside what spaces part: of a long run of signs each would be read to its end.
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|(?<!\S)\S[^\s@]*+@\S+\.\w+")


@dataclass(frozen=True, slots=True)
class WorldModel:
    """Lists of languages by n-gram, and how sums of weights become probabilities.

    `fingerprints` are sorted; the list of each has `counts` languages. Classes that are not
    `named` are languages one knows too little of: together they are `und`. A language written in
    two scripts has two classes of one name.
    """

    classes: tuple[str, ...]
    named: NDArray[np.bool_]
    fingerprints: NDArray[np.int64]
    counts: NDArray[np.int64]
    languages: NDArray[np.uint16]
    weights: NDArray[np.int8]
    bias: NDArray[np.float32]
    scale: float
    # Upper bounds of the number of n-grams, and the temperature of texts up to each; one more, the
    # last, is that of texts read in stretches. (A text read whole has many n-grams only if it was
    # hard to tell, so that one can be less sure of it.)
    lengths: NDArray[np.int64]
    temperatures: NDArray[np.float64]
    # How much the second step takes each class for one of its own languages, of which it learnt far
    # more: Scots for English nearly always. So little does it say against that class.
    likeness: NDArray[np.float32]

    def tables(self) -> tuple[NDArray[np.uint64], NDArray[np.uint16]]:
        """Return the table the n-grams are looked up in, and the lists it leads to.

        The longest lists are those met most: they come first, so that they stay near the processor.
        """
        if len(self.classes) > _MOST_CLASSES:
            raise ValueError(f"{len(self.classes)} classes, and an entry has room for 1,024")
        begins, size = _places_of_lists(self.counts)
        weights = np.clip(self.weights, -NO_WEIGHT, WEIGHTS - NO_WEIGHT).astype(np.int64)
        packed = self.languages.astype(np.int64) << WEIGHT_BITS | weights + NO_WEIGHT
        own = np.arange(len(packed)) - np.repeat(np.cumsum(self.counts) - self.counts, self.counts)
        lists = _aligned(size)
        lists[np.repeat(begins, self.counts) + own] = packed
        return lookup_table(self.fingerprints, self.counts, begins), lists


def _places_of_lists(counts: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """Return where each list begins, longest first, and the end of all.

    Lists of one length fill lines of memory, so that hardly any lies in two of them.
    """
    begins, end = np.zeros_like(counts), 0
    for length in np.flatnonzero(np.bincount(counts))[::-1].tolist():
        own = np.flatnonzero(counts == length)
        line, a_line = np.divmod(np.arange(len(own)), max(1, _LINE // max(1, length)))
        width = _LINE if length <= _LINE else length
        begins[own] = end + line * width + a_line * length
        end += (int(line[-1]) + 1) * width
    return begins, end


def _aligned(size: int) -> NDArray[np.uint16]:
    """Return room that begins where a line of memory does."""
    room = np.zeros(size + _LINE, np.uint16)
    skipped = -room.ctypes.data // room.itemsize % _LINE
    return room[skipped : skipped + size]


def lookup_table(
    fingerprints: NDArray[np.int64],
    counts: NDArray[np.int64],
    begins: NDArray[np.int64] | None = None,
) -> NDArray[np.uint64]:
    """Return slots of fingerprint, begin of list and length; a fingerprint's place is its size.

    Lists follow each other in the order of the fingerprints if it is not said where they begin.
    """
    size = 1 << max(4, int(np.ceil(np.log2(max(1, len(fingerprints)) * 1.4))))
    if begins is None:
        begins = np.cumsum(counts) - counts
    held = (
        fingerprints.astype(np.uint64) << np.uint64(36)
        | begins.astype(np.uint64) << np.uint64(10)
        | counts.astype(np.uint64)
    )
    home = (fingerprints * size) >> FINGERPRINT_BITS
    # Sorted by home, so each goes to its home or just behind the one before it.
    free = home - np.arange(len(home))
    place = np.maximum.accumulate(free) + np.arange(len(home)) if len(home) else home
    table = np.zeros(size, np.uint64)
    inside = place < size
    table[place[inside]] = held[inside]
    beyond = held[~inside]
    table[np.flatnonzero(table == 0)[: len(beyond)]] = beyond
    return table


@cache
def letter_table() -> NDArray[np.uint16]:
    """Return for each code of the first plane its letter in lower case, 0 if it is none."""
    table = np.zeros(0x10000, np.uint16)
    for code in range(0x10000):
        sign = chr(code)
        if unicodedata.category(sign)[0] in "LM":
            low = ord(sign.lower()[0])
            table[code] = low if low < 0x10000 else code
    table[0x2BB] = table[0x2BC] = 0
    return table


def stretches(size: int) -> list[tuple[int, int]]:
    """Return the parts of a text of that size that are read: all of it, or some spread over it."""
    if size <= MOST_LETTERS:
        return [(0, size)]
    width = MOST_LETTERS // _STRETCHES
    step = (size - width) / (_STRETCHES - 1)
    return [(int(n * step), int(n * step) + width) for n in range(_STRETCHES)]


def room_of_marks() -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
    """Return room for the n-grams of all letters that are read of a text."""
    most = 5 * _MOST_READ + 8
    return np.zeros(most, np.int64), np.zeros(most, np.uint64)


def without_addresses(text: str) -> str:
    """Return a text without the addresses in it, which are in no language."""
    if "://" in text or "@" in text or "www." in text:
        return _ADDRESS.sub(" ", text)
    return text


def read_world(file: IO[bytes]) -> WorldModel:
    """Return a model from its file; ValueError if it is not one of this format."""
    with np.load(file, allow_pickle=False) as held:
        return world_of(held)


def world_of(held: Mapping[str, NDArray[Any]]) -> WorldModel:
    """Return a model from the parts of its file; ValueError if it is not one of this format."""
    if int(held["format"][0]) != FORMAT:
        raise ValueError("a model of languages of another format")
    gaps = _joined(held, "gaps_low", "gaps_mid", "gaps_high")
    sizes = held["sizes"].astype(np.int64)
    starts = np.cumsum(sizes) - sizes
    sums = np.cumsum(gaps)
    before = np.where(starts > 0, sums[np.maximum(starts, 1) - 1], 0)
    numbers = sums - np.repeat(before, sizes)
    languages = np.repeat(np.arange(len(sizes)), sizes).astype(np.uint16)
    order = _order(numbers)
    fingerprints = np.cumsum(
        held["prints_low"].astype(np.int64) + (held["prints_high"].astype(np.int64) << 8)
    )
    return WorldModel(
        tuple(map(str, held["classes"])),
        held["named"],
        fingerprints,
        np.bincount(numbers, minlength=len(fingerprints)),
        languages[order],
        held["weights"][order],
        held["bias"],
        float(held["numbers"][0]),
        held["lengths"],
        held["temperatures"],
        _likeness(held, len(sizes)),
    )


def _likeness(held: Mapping[str, NDArray[Any]], classes: int) -> NDArray[np.float32]:
    """Return what the second step takes each class for; older models do not say."""
    if "likeness" in held:
        return held["likeness"].astype(np.float32)
    return np.full(classes, LEAST_LIKENESS, np.float32)


def _order(numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the order of numbers below 2**32, equal ones as they are, by two halves of each.

    Numbers of sixteen bits are counted instead of compared: a third of the time.
    """
    first = np.argsort((numbers & 0xFFFF).astype(np.uint16), kind="stable")
    return first[np.argsort((numbers >> 16).astype(np.uint16)[first], kind="stable")]


def _joined(held: Mapping[str, NDArray[np.uint8]], *names: str) -> NDArray[np.int64]:
    total: NDArray[np.int64] = sum(  # type: ignore[assignment]
        held[name].astype(np.int64) << (8 * n) for n, name in enumerate(names)
    )
    return total


@cache
def shipped_world() -> WorldModel | None:
    """Return the model of the world's languages that comes with izwi."""
    path = files("izwi") / "models" / "world.npz"
    try:
        with path.open("rb") as file:
            return read_world(file)
    except (FileNotFoundError, zipfile.BadZipFile):
        return None


@cache
def named_languages() -> frozenset[str]:
    """Return the languages (ISO 639-3) that can be told, without reading the model's weights."""
    with (files("izwi") / "models" / "world.npz").open("rb") as file, np.load(file) as held:
        pairs = zip(held["classes"].tolist(), held["named"].tolist(), strict=True)
        return frozenset(code for code, is_named in pairs if is_named)


class World:
    """Sums over the lists of a text's n-grams, with room that is used again.

    `second` names the classes of which another model knows more, `named` is what it names.
    """

    def __init__(self, model: WorldModel, second: Iterable[str] = ()) -> None:
        self.model = model
        known = frozenset(second)
        self._tables = model.tables()
        self._letters = np.zeros(_MOST_READ, np.uint32)
        self._room = room_of_marks()
        self.scores = np.zeros(len(model.classes), np.int32)
        self._counts = np.zeros(4, np.int64)
        self._kinds = model.named.astype(np.uint8)
        self._second = np.flatnonzero([code in known for code in model.classes])
        self._kinds[self._second] = 2
        self._shares, self._found = np.zeros(len(model.classes)), np.zeros(4)
        self._ngrams = 0
        self._named = np.flatnonzero(model.named)
        codes = [model.classes[number] for number in self._named]
        self.named = tuple(dict.fromkeys(codes))
        self._names = np.array([self.named.index(code) for code in codes])
        self._lead = _LEAD / model.scale
        self._heats = model.temperatures.tolist()
        self._lengths = model.lengths.tolist()

    def read(self, text: str) -> tuple[int, list[int]]:
        """Read the letters of a text; return their number, and counts of words and letters.

        The counts are of words, Latin letters, other letters and control characters.
        """
        self._counts[:] = 0
        used = 0
        for start, end in stretches(len(text)):
            used = read_letters(text, start, end, letter_table(), self._letters, used, self._counts)
        return used, self._counts.tolist()

    def add(self, used: int, *, is_whole: bool) -> int:
        """Add up the weights of the letters read (`scores`); return the number of n-grams."""
        self.scores[:] = 0
        lead = self._lead if is_whole else 0.0
        return add_text(self._letters, used, *self._tables, self.scores, *self._room, _STEP, lead)

    def judge(self, used: int, *, is_whole: bool) -> tuple[int, NDArray[np.float64], list[float]]:
        """Return the best named class, all probabilities, and what `judge` finds of each kind.

        A text that was read whole need not be gone through to its end.
        """
        model, count = self.model, self.add(used, is_whole=is_whole)
        self._ngrams = count
        heat = self._heats[bisect_left(self._lengths, count) if is_whole else -1]
        factor = model.scale / max(1, count) ** 0.5
        best = judge(self.scores, model.bias, self._kinds, factor, heat, self._shares, self._found)
        return best, self._shares, self._found.tolist()

    def agree(
        self, second: NDArray[np.float64], numbers: NDArray[np.int64], first: float, trust: float
    ) -> tuple[int, NDArray[np.float64], list[float]]:
        """Return what `judge` did, together with a second opinion that is trusted so much."""
        shares, kinds, found = self._shares, self._kinds, self._found
        like = self.model.likeness
        first *= (_FULL / min(max(self._ngrams, _FEWEST), _MOST)) ** 0.5
        best = agree(shares, self._second, second, numbers, first, trust, like, kinds, found)
        return best, self._shares, found.tolist()

    @property
    def letters(self) -> NDArray[np.uint32]:
        """The letters read last."""
        return self._letters

    def best_named(self) -> int:
        """Return the best named class of the probabilities as they are now."""
        return int(self._named[self._shares[self._named].argmax()])

    def expect(self, places: NDArray[np.int64], times: float) -> tuple[int, float]:
        """Multiply the odds of some classes; return the best named one, and the best other's share.

        Classes that are not named are none that can be expected.
        """
        shares, is_named = self._shares, self.model.named
        weigh(shares, places[is_named[places]], times)
        return self.best_named(), float(shares[~is_named].max(initial=0.0))

    def unnamed(self, shares: NDArray[np.float64]) -> float:
        """Return the probability of all languages that are not named."""
        return float(1.0 - shares[self._named].sum())

    def by_name(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities of the languages named, and of all others together."""
        found = np.bincount(self._names, shares[self._named], len(self.named))
        return np.append(found, self.unnamed(shares))
