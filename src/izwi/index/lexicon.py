"""The sorted distinct values of an attribute, and the orders in which they are searched."""

import mmap
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import Packed, damaged, read_packed, write_packed

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
        return self.text[self.begins[number] : self.begins[number + 1] - 1]

    def values(self, numbers: NDArray[np.integer]) -> list[str]:
        """Return the values of some numbers."""
        return self.lines(numbers).decode().split("\n")[:-1]

    def lines(self, numbers: NDArray[np.integer]) -> bytes:
        """Return the values of some numbers, one a line."""
        begins = self.begins[numbers]
        lengths = self.begins[numbers + 1] - begins
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
