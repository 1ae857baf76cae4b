"""The sorted distinct values of an attribute, how they are searched, which words carry them."""

import mmap
import unicodedata
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, reduce
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.index.columns import (
    Packed,
    Postings,
    damaged,
    distinct,
    read_packed,
    write_lists,
    write_packed,
)
from izwi.kernels.packing import distinct_pairs
from izwi.model.records import dataclass

Ids = NDArray[np.int64]
_END = b"\xff"


class Lexicon:
    """Values in the order of their bytes, each ended by a line break, mapped from a file.

    The line breaks let one regular expression run over all values in a single call.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @cached_property
    def text(self) -> bytes | mmap.mmap:
        """All values, one a line."""
        path = self._file("values")
        try:
            with path.open("rb") as file:
                size = path.stat().st_size
                found = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) if size else b""
        except OSError as error:
            raise damaged(path) from error
        if len(found) != self.begins[len(self.begins) - 1]:
            raise damaged(path)
        return found

    @cached_property
    def begins(self) -> Packed:
        """Where each value begins, and at last where the text ends."""
        return read_packed(self._file("places"))

    @cached_property
    def by_collation(self) -> Packed:
        """The values' numbers as people sort them: capitals beside small letters."""
        return read_packed(self._file("collation"))

    @cached_property
    def by_ending(self) -> Packed:
        """The values' numbers sorted by their last byte, then the last but one, and so on."""
        return read_packed(self._file("endings"))

    @cached_property
    def ranks(self) -> NDArray[np.int32]:
        """The place of each value as people sort it."""
        ranks = np.empty(len(self), np.int32)
        ranks[self.by_collation[:]] = np.arange(len(self), dtype=np.int32)
        return ranks

    def __len__(self) -> int:
        return len(self.begins) - 1

    def __getitem__(self, number: int) -> str:
        return self.octets(number).decode()

    def __iter__(self) -> Iterator[str]:
        return iter(self.to_pylist())

    def to_pylist(self) -> list[str]:
        """Return all values."""
        return bytes(self.text[:]).decode().split("\n")[:-1]

    def octets(self, number: int) -> bytes:
        """Return a value as UTF-8."""
        begin = self.begins.one(number)
        return self.text[begin : self.text.find(b"\n", begin)]

    def values(self, numbers: NDArray[np.integer]) -> list[str]:
        """Return the values of some numbers."""
        return self.lines(numbers).decode().split("\n")[:-1]

    def lines(self, numbers: NDArray[np.integer]) -> bytes:
        """Return the values of some numbers, one a line."""
        begins, ends = self._edges(numbers)
        return self._between(begins, ends - begins)

    def spelt(self, numbers: NDArray[np.integer], spaces: Ids) -> tuple[bytes, Ids]:
        """Return values one after the other, a space behind some, and where each ends."""
        begins, ends = self._edges(numbers)
        # What ends a value's line stands for the space.
        lengths = ends - begins - 1 + spaces
        return self._between(begins, lengths).replace(b"\n", b" "), np.cumsum(lengths)

    def _edges(self, numbers: NDArray[np.integer]) -> tuple[Ids, Ids]:
        # Both ends by one look: for a page of lines looking costs more than reading does.
        begins, ends = self.begins[np.concatenate((numbers, numbers + 1))].reshape(2, -1)
        return begins, ends

    def _between(self, begins: Ids, lengths: Ids) -> bytes:
        before = np.cumsum(lengths) - lengths
        places = np.arange(lengths.sum()) + np.repeat(begins - before, lengths)
        return bytes(np.frombuffer(self.text, np.uint8)[places].data)

    def number(self, value: str) -> int | None:
        """Return the number of a value, None if it does not occur."""
        wanted = value.encode(errors="replace")
        place = bisect_left(range(len(self)), wanted, key=self.octets)
        return place if place < len(self) and self.octets(place) == wanted else None

    def beginning_with(self, prefix: bytes) -> tuple[int, int]:
        """Return the range of values that begin with some bytes."""
        every = range(len(self))
        first = bisect_left(every, prefix, key=self.octets)
        return first, bisect_left(every, prefix + _END, lo=first, key=self.octets)

    def ending_with(self, suffix: bytes) -> Ids:
        """Return the numbers of the values that end with some bytes, in no order."""
        turned, places = suffix[::-1], range(len(self))
        reversed_at = self._reversed_at
        first = bisect_left(places, turned, key=reversed_at)
        last = bisect_left(places, turned + _END, lo=first, key=reversed_at)
        return self.by_ending[first:last]

    def _reversed_at(self, place: int) -> bytes:
        return self.octets(self.by_ending[place])[::-1]

    def same_but_for_case(self, value: str) -> Ids:
        """Return the numbers of the values that differ from one in case only, or not at all."""
        folded = value.casefold()
        every = range(len(self))
        first = bisect_left(every, folded, key=self._folded_at)
        found = []
        while first < len(self) and self._folded_at(first) == folded:
            found.append(self.by_collation[first])
            first += 1
        return np.array(sorted(found), np.int64)

    def _folded_at(self, place: int) -> str:
        return self[self.by_collation[place]].casefold()

    @cached_property
    def plain_text(self) -> bytes:
        """All values without diacritics, one a line."""
        return without_diacritics(bytes(self.text[:]).decode()).encode()

    def _file(self, kind: str) -> Path:
        return self._path.with_name(f"{self._path.name}.{kind}.bin")


def without_diacritics(text: str) -> str:
    """Return a text without its combining marks.

    >>> without_diacritics("Müller, señor")
    'Muller, senor'
    """
    if text.isascii():
        return text
    parts = unicodedata.normalize("NFD", text)
    marks = {ord(mark): None for mark in set(parts) if unicodedata.category(mark) == "Mn"}
    return unicodedata.normalize("NFC", parts.translate(marks))


def write_lexicon(path: Path, values: Sequence[bytes]) -> None:
    """Write distinct values that are sorted already, with their other orders."""
    lengths = np.fromiter(map(len, values), np.int64, len(values)) + 1
    begins = np.concatenate(([0], np.cumsum(lengths)))
    whole = b"\n".join([*values, b""])
    path.with_name(f"{path.name}.values.bin").write_bytes(whole)
    write_packed(path.with_name(f"{path.name}.places.bin"), begins)
    # All at once: the line breaks between the values stay what they are.
    keys = whole.decode().casefold().split("\n")[:-1]
    # Stable: values equal but for case stay in the order of their bytes.
    collation = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
    write_packed(path.with_name(f"{path.name}.collation.bin"), collation)
    turned = [value[::-1] for value in values]
    endings = np.array(sorted(range(len(turned)), key=turned.__getitem__), np.int64)
    write_packed(path.with_name(f"{path.name}.endings.bin"), endings)


# More pairs than this many times the words: the attribute does not hang on the word after all.
_MOST_PAIRS = 4


class Carriers:
    """The words that occur with each value of an attribute."""

    def __init__(self, path: Path) -> None:
        self._words = read_packed(path.with_name(f"{path.name}.carriers.bin"))
        self._ends = read_packed(path.with_name(f"{path.name}.carrier-ends.bin"))
        self._is_shared = read_packed(path.with_name(f"{path.name}.shared.bin"))

    def split(self, numbers: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the words that occur with some values: those with one value only, and others."""
        words = self.of(numbers)
        is_shared = self._is_shared[words] == 1
        return words[~is_shared], words[is_shared]

    def of(self, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the words that occur with one of some values, ascending."""
        lists = [self._of(number) for number in numbers.tolist()] if len(numbers) < 64 else None
        if lists is not None and len(lists) == 1:
            return lists[0].astype(np.int64)
        if lists is not None:
            return distinct(np.concatenate([np.empty(0, np.int64), *lists]))
        ends = self._ends[:]
        begins = np.concatenate(([0], ends[:-1]))
        sizes = (ends - begins)[numbers]
        first = np.cumsum(sizes) - sizes
        places = np.arange(sizes.sum()) + np.repeat(begins[numbers] - first, sizes)
        return distinct(self._words[places])

    def _of(self, number: int) -> NDArray[np.int64]:
        begin = self._ends[number - 1] if number else 0
        return self._words[begin : self._ends[number]]


def write_carriers(path: Path, word: Packed, column: Packed, words: int, types: int) -> bool:
    """Write the words of each value, if they are few; return whether that was so."""
    pairs = distinct_pairs(column.words, column.bits, word.words, word.bits, len(column))
    if len(pairs) > _MOST_PAIRS * words:
        return False
    pairs.sort()
    values = (pairs >> np.uint64(32)).astype(np.int64)
    ends = np.cumsum(np.bincount(values, minlength=types))
    carried = (pairs & np.uint64(0xFFFFFFFF)).astype(np.int64)
    write_packed(path.with_name(f"{path.name}.carriers.bin"), carried, max(0, words - 1))
    is_shared = np.bincount(carried, minlength=words) > 1
    write_packed(path.with_name(f"{path.name}.shared.bin"), is_shared.astype(np.int64), 1)
    write_packed(path.with_name(f"{path.name}.carrier-ends.bin"), ends)
    return True


# One expression over a lexicon smaller than this takes less than a millisecond anyway.
TRIGRAMS_FROM = 20_000
_CAPITALS = bytes.maketrans(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ", b"abcdefghijklmnopqrstuvwxyz")


class Trigrams:
    """The values in which each trigram occurs; capitals count as small letters."""

    def __init__(self, path: Path) -> None:
        self._codes = read_packed(path.with_name(f"{path.name}.codes.bin"))[:]
        self._lists = Postings(path)

    def holding(self, texts: Iterable[bytes]) -> NDArray[np.int64] | None:
        """Return the values that may hold all of some texts; None if that says nothing."""
        codes = {code for text in texts for code in codes_of(text)}
        if not codes:
            return None
        places = np.searchsorted(self._codes, sorted(codes))
        if any(
            place == len(self._codes) or self._codes[place] != code
            for place, code in zip(places, sorted(codes), strict=True)
        ):
            return np.empty(0, np.int64)
        lists = sorted((self._lists.positions(int(place)) for place in places), key=len)
        return reduce(_common, lists).astype(np.int64)


def _common(few: NDArray[np.int32], many: NDArray[np.int32]) -> NDArray[np.int32]:
    if not len(few):
        return few
    places = np.minimum(np.searchsorted(many, few), len(many) - 1)
    return np.asarray(few[many[places] == few])


def codes_of(text: bytes) -> set[int]:
    """Return the trigrams of a text as numbers.

    >>> len(codes_of(b"Abcabc"))
    3
    """
    small = text.translate(_CAPITALS)
    return {int.from_bytes(small[at : at + 3], "big") for at in range(len(small) - 2)}


def write_trigrams(path: Path, values: Sequence[bytes]) -> None:
    """Write the trigrams of sorted values; nothing for a small lexicon."""
    if len(values) < TRIGRAMS_FROM:
        return
    text = np.frombuffer(b"\n".join(values).translate(_CAPITALS), np.uint8).astype(np.uint32)
    codes = text[:-2] << 16 | text[1:-1] << 8 | text[2:]
    lines = np.cumsum(text == 10, dtype=np.uint32)[:-2]
    # A sequence across a line break belongs to no value.
    whole = (text[:-2] != 10) & (text[1:-1] != 10) & (text[2:] != 10)
    pairs = codes[whole].astype(np.uint64) << np.uint64(32) | lines[whole]
    # Sorted and compared with the neighbour: five times as fast as np.unique on so many.
    pairs.sort()
    pairs = pairs[_is_new(pairs)]
    found = pairs >> np.uint64(32)
    firsts = np.flatnonzero(_is_new(found))
    write_packed(path.with_name(f"{path.name}.codes.bin"), found[firsts].astype(np.int64))
    counts = np.diff(np.append(firsts, len(pairs)))
    members = (pairs & np.uint64(0xFFFFFFFF)).astype(np.uint32)
    write_lists(path, members, counts, len(values))


def _is_new(values: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """Return which of some sorted values differ from the one before."""
    return np.concatenate(([True], values[1:] != values[:-1]))[: len(values)]


@dataclass(frozen=True, slots=True)
class Spelt:
    """Tokens as UTF-8, one after the other, each with the space that follows it."""

    octets: bytes
    # Where each begins, and at last where the text ends.
    places: list[int]

    def text(self, first: int, last: int) -> str:
        """Return some tokens as they stood in the text."""
        return self.octets[self.places[first] : self.places[last]].decode()

    def pieces(self, first: int, last: int) -> list[str]:
        """Return some tokens one by one."""
        edges = pairwise(self.places[first : last + 1])
        return [self.octets[begin:end].decode() for begin, end in edges]
