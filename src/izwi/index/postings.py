"""Where each value stands: ascending lists in Elias-Fano code, two bits and a little a place."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import (
    Packed,
    Words,
    damaged,
    gathered,
    is_worth_compiling,
    read_packed,
    read_words,
    write_packed,
)
from izwi.kernels.packing import count, decode_lists, encode_lists, sort_positions

Positions = NDArray[np.int32]


class Postings:
    """The places of every value of a lexicon, mapped from three files."""

    def __init__(self, path: Path) -> None:
        self._begins = read_packed(path.with_name(f"{path.name}.begins.bin"))
        self.sizes = read_packed(path.with_name(f"{path.name}.sizes.bin"))
        words = read_words(path.with_name(f"{path.name}.postings.bin"))
        if len(words) < 2 or len(words) != int(words[1]) + 2:
            raise damaged(path.with_name(f"{path.name}.postings.bin"))
        self._universe = int(words[0])
        self._words: Words = words[2:]

    def positions(self, number: int) -> Positions:
        """Return the places of one value, ascending."""
        size, begin = self.sizes[number], self._begins[number]
        if is_worth_compiling(size):
            return self.several(np.array([number]))
        return _decoded(self._words, begin, size, self._universe)

    def several(self, numbers: NDArray[np.int64]) -> Positions:
        """Return the places of some values, list after list (sort them where order matters)."""
        sizes = self.sizes[numbers]
        total = int(sizes.sum())
        if not is_worth_compiling(total) and len(numbers) < 64:
            lists = [self.positions(int(number)) for number in numbers]
            return np.concatenate(lists) if lists else np.empty(0, np.int32)
        return decode_lists(self._words, self._begins[numbers], sizes, self._universe, total)


def _decoded(words: Words, begin: int, size: int, universe: int) -> Positions:
    """Return one list without compiled code."""
    if not size:
        return np.empty(0, np.int32)
    low = low_bits(universe, size)
    upper = begin + size * low
    # The last place of the list has at most this many upper bits.
    end = upper + size + (universe >> low) + 1
    stretch = words[upper >> 6 : (end >> 6) + 1]
    bits = np.unpackbits(stretch.view(np.uint8), bitorder="little")[upper & 63 :]
    ones = np.flatnonzero(bits)[:size]
    high = (ones - np.arange(size)) << low
    if not low:
        return high.astype(np.int32)
    shifted = words[begin >> 6 : (upper >> 6) + 2]
    lower = _unaligned(shifted, begin & 63, low, size)
    return (high | lower).astype(np.int32)


def _unaligned(words: Words, offset: int, bits: int, size: int) -> NDArray[np.int64]:
    """Return packed values that begin at some bit of the first word."""
    if offset == 0:
        return gathered(words, bits, np.arange(size))
    moved = words[:-1] >> np.uint64(offset) | words[1:] << np.uint64(64 - offset)
    return gathered(np.append(moved, np.uint64(0)), bits, np.arange(size))


def low_bits(universe: int, size: int) -> int:
    """Return how many low bits of each number in a list are stored as they are."""
    low = 0
    while universe >> (low + 1) >= size:
        low += 1
    return low


def write_postings(path: Path, column: Packed, types: int, *, memory_bytes: int) -> None:
    """Invert a column by counting sorts over ranges of values that fit into memory."""
    counts = count(column.words, column.bits, len(column), types)
    parts = (
        (
            sort_positions(column.words, column.bits, len(column), first, last, counts),
            counts[first:last],
        )
        for first, last in value_ranges(counts, memory_bytes // 8)
    )
    encoded = (encode_lists(positions, own, len(column)) for positions, own in parts)
    _write(path, encoded, counts, len(column))


def write_lists(
    path: Path, members: NDArray[np.uint32], counts: NDArray[np.int64], universe: int
) -> None:
    """Write ascending lists that stand one after the other in memory."""
    _write(path, iter([encode_lists(members, counts, universe)]), counts, universe)


def value_ranges(counts: NDArray[np.int64], most: int) -> Iterator[tuple[int, int]]:
    """Yield ranges of values that together have at most so many places, or are one value.

    >>> list(value_ranges(np.array([2, 2, 9, 1]), 5))
    [(0, 2), (2, 3), (3, 4)]
    """
    ends = np.cumsum(counts)
    first, before = 0, 0
    while first < len(counts):
        last = max(first + 1, int(np.searchsorted(ends, before + most, side="right")))
        yield first, last
        first, before = last, int(ends[last - 1])


def _write(
    path: Path,
    encoded: Iterator[tuple[Words, NDArray[np.int64]]],
    counts: NDArray[np.int64],
    universe: int,
) -> None:
    written = 0
    begins: list[NDArray[np.int64]] = []
    with path.with_name(f"{path.name}.postings.bin").open("wb") as file:
        file.write(np.array([universe, 0], np.uint64).tobytes())
        for words, own in encoded:
            begins.append(own[:-1] + 64 * written)
            file.write(words.tobytes())
            written += len(words)
        # Two words more, so that the decoder may read beyond the last list.
        file.write(bytes(16))
        file.seek(8)
        file.write(np.array([written + 2], np.uint64).tobytes())
    first = np.concatenate(begins) if begins else np.empty(0, np.int64)
    write_packed(path.with_name(f"{path.name}.begins.bin"), first)
    write_packed(path.with_name(f"{path.name}.sizes.bin"), counts)
