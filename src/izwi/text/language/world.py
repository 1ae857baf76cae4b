"""Hundreds of languages at once: which n-grams are telling for which, and what a text's sum says.

Every known n-gram has a list of the languages it speaks for, each with a small weight; a text's
score for a language is the sum over its n-grams, divided by the root of their number. Long texts
are read in stretches, and reading ends when one language is far enough before all others.
"""

import io
import re
import unicodedata
import zipfile
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import IO

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.postings import add_text, judge, read_letters
from izwi.text.language.model import repack

FORMAT = 1
FINGERPRINT_BITS = 28
# Letters read of one text, in so many stretches spread over it.
MOST_LETTERS, _STRETCHES = 400, 4
# After so many letters one looks whether the best is so far ahead (in nats) that it stays the best.
_STEP, _LEAD = 40, 5.0
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|\S+@\S+\.\w+")


@dataclass(frozen=True, slots=True)
class WorldModel:
    """Lists of languages by n-gram, and how sums of weights become probabilities.

    `fingerprints` are sorted; the list of each has `counts` languages. Classes that are not
    `named` are languages one knows too little of: together they are `und`.
    """

    classes: tuple[str, ...]
    named: NDArray[np.bool_]
    fingerprints: NDArray[np.int64]
    counts: NDArray[np.int64]
    languages: NDArray[np.uint16]
    weights: NDArray[np.int8]
    bias: NDArray[np.float32]
    scale: float
    # Upper bounds of the number of n-grams, and the temperature of texts up to each.
    lengths: NDArray[np.int64]
    temperatures: NDArray[np.float64]

    def slots(self) -> NDArray[np.uint64]:
        """Return the table the n-grams are looked up in."""
        return lookup_table(self.fingerprints, self.counts)

    def seen(self) -> NDArray[np.uint8]:
        """Return one bit for each thirty-second fingerprint: whether some n-gram is there."""
        bits = np.zeros(1 << (FINGERPRINT_BITS - 5), np.uint8)
        bits[self.fingerprints >> 5] = 1
        return np.packbits(bits, bitorder="little")

    def postings(self) -> NDArray[np.uint32]:
        """Return languages and weights as one number each."""
        shifted = self.weights.astype(np.int64) + 128
        return (self.languages.astype(np.int64) << 8 | shifted).astype(np.uint32)


def lookup_table(fingerprints: NDArray[np.int64], counts: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return slots of fingerprint, begin of list and length; a fingerprint's place is its size."""
    size = 1 << max(4, int(np.ceil(np.log2(max(1, len(fingerprints)) * 1.4))))
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
    gap = iter(np.flatnonzero(table == 0).tolist())
    for entry in held[~inside].tolist():
        table[next(gap)] = entry
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
    table[0x2BC] = 0
    return table


def stretches(size: int) -> list[tuple[int, int]]:
    """Return the parts of a text of that size that are read: all of it, or some spread over it."""
    if size <= MOST_LETTERS:
        return [(0, size)]
    width = MOST_LETTERS // _STRETCHES
    step = (size - width) / (_STRETCHES - 1)
    return [(int(n * step), int(n * step) + width) for n in range(_STRETCHES)]


def without_addresses(text: str) -> str:
    """Return a text without the addresses in it, which are in no language."""
    if "://" in text or "@" in text or "www." in text:
        return _ADDRESS.sub(" ", text)
    return text


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
    )
    repack(buffer, file)


def read_world(file: IO[bytes]) -> WorldModel:
    """Return a model from its file; ValueError if it is not one of this format."""
    with np.load(file, allow_pickle=False) as held:
        if int(held["format"][0]) != FORMAT:
            raise ValueError("a model of languages of another format")
        gaps = _joined(held, "gaps_low", "gaps_mid", "gaps_high")
        sizes = held["sizes"].astype(np.int64)
        starts = np.cumsum(sizes) - sizes
        sums = np.cumsum(gaps)
        before = np.where(starts > 0, sums[np.maximum(starts, 1) - 1], 0)
        numbers = sums - np.repeat(before, sizes)
        languages = np.repeat(np.arange(len(sizes)), sizes).astype(np.uint16)
        order = np.argsort(numbers, kind="stable")
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
        )


def _joined(held: dict[str, NDArray[np.uint8]], *names: str) -> NDArray[np.int64]:
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

    `second` names the classes of which another model knows more.
    """

    def __init__(self, model: WorldModel, second: Iterable[str] = ()) -> None:
        self.model = model
        known = frozenset(second)
        self._tables = (model.seen(), model.slots(), model.postings())
        self._letters = np.zeros(2 * MOST_LETTERS + 64, np.uint32)
        most = 5 * len(self._letters) + 8
        self._room = (np.zeros(most, np.int64), np.zeros(most, np.uint64))
        self._scores = np.zeros(len(model.classes), np.int32)
        self._counts = np.zeros(4, np.int64)
        self._kinds = model.named.astype(np.uint8)
        self._kinds[[n for n, code in enumerate(model.classes) if code in known]] = 2
        self._shares, self._found = np.zeros(len(model.classes)), np.zeros(4)
        self._named = np.flatnonzero(model.named)
        self._lead = _LEAD / model.scale
        self._heats = model.temperatures.tolist()
        self._lengths = model.lengths.tolist()

    @property
    def named(self) -> tuple[str, ...]:
        """The languages it names."""
        return tuple(self.model.classes[number] for number in self._named)

    def read(self, text: str) -> tuple[int, list[int]]:
        """Read the letters of a text; return their number, and counts of words and letters.

        The counts are of words, Latin letters, other letters and control characters.
        """
        self._counts[:] = 0
        used = 0
        for start, end in stretches(len(text)):
            used = read_letters(text, start, end, letter_table(), self._letters, used, self._counts)
        return used, self._counts.tolist()

    def judge(self, used: int, *, is_whole: bool) -> tuple[int, NDArray[np.float64], list[float]]:
        """Return the best named class, all probabilities, and what `judge` finds of each kind.

        A text that was read whole need not be gone through to its end.
        """
        model = self.model
        self._scores[:] = 0
        lead = self._lead if is_whole else 0.0
        count = add_text(self._letters, used, *self._tables, self._scores, *self._room, _STEP, lead)
        heat = self._heats[min(bisect_left(self._lengths, count), len(self._heats) - 1)]
        factor = model.scale / max(1, count) ** 0.5
        best = judge(self._scores, model.bias, self._kinds, factor, heat, self._shares, self._found)
        return best, self._shares, self._found.tolist()

    def unnamed(self, shares: NDArray[np.float64]) -> float:
        """Return the probability of all languages that are not named."""
        return float(1.0 - shares[self._named].sum())

    def by_name(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the probabilities of the languages named, and of all others together."""
        return np.append(shares[self._named], self.unnamed(shares))
