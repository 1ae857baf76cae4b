"""Integers in as few bits as the largest of them needs, read in place from a mapped file."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import overload

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import packing as kernel
from izwi.model.errors import CorruptShard, unreadable

Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]

# The first two words of a file: bits a value, and how many values follow.
_HEADER = 2
# One word more than the values fill, so that a value may be read as two neighbouring words.
_PADDING = 1
# Calling compiled code costs as much as NumPy takes for so many values.
_COMPILED_FROM = 64
# Values packed at a time; a multiple of 64, so that each block ends with a whole word.
BLOCK = 1 << 20


def is_worth_compiling(size: int) -> bool:
    """Whether there is enough to do for compiled code to be quicker."""
    return size >= _COMPILED_FROM


def bits_for(largest: int) -> int:
    """Return how many bits hold every number up to the largest.

    >>> bits_for(0), bits_for(255), bits_for(256)
    (1, 8, 9)
    """
    return max(1, int(largest).bit_length())


class Packed:
    """A sequence of integers of equal width; slices and index arrays give NumPy arrays."""

    def __init__(self, words: Words, bits: int, length: int) -> None:
        self.words = read_only(words)
        self.bits = bits
        self._length = length
        # Single values are read four times as fast this way.
        self._view = memoryview(self.words)  # type: ignore[arg-type]

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, place: int) -> int: ...
    @overload
    def __getitem__(self, place: slice | NDArray[np.integer]) -> Numbers: ...
    def __getitem__(self, place: int | slice | NDArray[np.integer]) -> int | Numbers:
        if isinstance(place, slice):
            return self._stretch(*place.indices(self._length)[:2])
        if isinstance(place, np.ndarray):
            return self._gathered(place)
        return self._one(int(place))

    def __array__(self, dtype: type | None = None, copy: bool | None = None) -> Numbers:
        found = self[:]
        return found if dtype is None else found.astype(dtype)

    def tolist(self) -> list[int]:
        """Return the values as Python integers."""
        return list(map(int, self[:]))

    def _one(self, place: int) -> int:
        if not 0 <= place < self._length:
            raise IndexError(place)
        bit = place * self.bits
        word, shift = bit >> 6, bit & 63
        found: int = self._view[word] >> shift
        if shift + self.bits > 64:
            found |= self._view[word + 1] << (64 - shift)
        return found & ((1 << self.bits) - 1)

    def _stretch(self, begin: int, end: int) -> Numbers:
        if not is_worth_compiling(end - begin):
            return self._gathered(np.arange(begin, max(begin, end)))
        return kernel.unpack(self.words, self.bits, begin, end)

    def _gathered(self, places: NDArray[np.integer]) -> Numbers:
        if is_worth_compiling(len(places)):
            wanted = np.ascontiguousarray(places, np.int64)
            return kernel.gather(self.words, self.bits, wanted)
        return gathered(self.words, self.bits, places)


def read_only(words: Words) -> Words:
    """Return words nobody may write to: compiled code then meets one kind of array only."""
    found = words.view()
    found.flags.writeable = False
    return found


def gathered(words: Words, bits: int, places: NDArray[np.integer]) -> Numbers:
    """Return the values at some places without compiled code."""
    bit = places.astype(np.uint64) * np.uint64(bits)
    word, shift = (bit >> np.uint64(6)).astype(np.int64), bit & np.uint64(63)
    low = words[word] >> shift
    # A shift by 64 is undefined, so the upper word moves in two steps.
    high = words[word + 1] << np.uint64(1) << (np.uint64(63) - shift)
    mask = np.uint64((1 << bits) - 1)
    return ((low | high) & mask).astype(np.int64)


def pack(values: NDArray[np.integer], bits: int) -> Words:
    """Return the words that hold some values, the last filled up with zeros."""
    if is_worth_compiling(len(values)):
        return kernel.pack(values.astype(np.uint64), bits)
    places = np.arange(bits, dtype=np.uint64)
    single = (values.astype(np.uint64)[:, None] >> places & np.uint64(1)).astype(np.uint8)
    octets = np.packbits(single.ravel(), bitorder="little")
    padded = np.zeros(-(-len(octets) // 8) * 8, np.uint8)
    padded[: len(octets)] = octets
    return padded.view(np.uint64)


def packed(values: NDArray[np.integer], largest: int | None = None) -> Packed:
    """Return values packed in memory."""
    top = int(values.max()) if largest is None and len(values) else largest or 0
    bits = bits_for(top)
    words = np.concatenate((pack(values, bits), np.zeros(_PADDING, np.uint64)))
    return Packed(words, bits, len(values))


def write_packed(path: Path, values: NDArray[np.integer], largest: int | None = None) -> None:
    """Write values packed by their largest."""
    top = int(values.max()) if largest is None and len(values) else largest or 0
    write_packed_blocks(path, [values], top)


def write_packed_blocks(path: Path, blocks: Iterable[NDArray[np.integer]], largest: int) -> int:
    """Write values that come in blocks of any length, one block in memory; return how many."""
    bits, length = bits_for(largest), 0
    with path.open("wb") as file:
        file.write(np.array([bits, 0], np.uint64).tobytes())
        for block in _even_blocks(blocks):
            file.write(pack(block, bits).tobytes())
            length += len(block)
        file.write(bytes(8 * _PADDING))
        file.seek(8)
        file.write(np.array([length], np.uint64).tobytes())
    return length


def read_packed(path: Path) -> Packed:
    """Return packed values mapped from a file."""
    words = read_words(path)
    if len(words) < _HEADER + _PADDING:
        raise damaged(path)
    bits, length = int(words[0]), int(words[1])
    if not 1 <= bits <= 64 or len(words) != _HEADER + _PADDING + -(-length * bits // 64):
        raise damaged(path)
    return Packed(words[_HEADER:], bits, length)


def read_words(path: Path) -> Words:
    """Return the words of a file, mapped."""
    try:
        if path.stat().st_size % 8:
            raise damaged(path)
        return np.memmap(path, np.uint64, "r").view(np.ndarray)
    except (OSError, ValueError) as error:
        raise unreadable(str(damaged(path)), path, error) from error


def damaged(path: Path) -> CorruptShard:
    """Return the error that names a file of the index that cannot be read."""
    return CorruptShard(
        f"{path} is damaged or missing. Run izwi build to make it again.", str(path)
    )


def _even_blocks(blocks: Iterable[NDArray[np.integer]]) -> Iterator[NDArray[np.integer]]:
    """Yield the same values in blocks whose lengths, but for the last, are multiples of 64."""
    waiting: list[NDArray[np.integer]] = []
    held = 0
    for block in blocks:
        waiting.append(block)
        held += len(block)
        if held >= BLOCK:
            whole = np.concatenate(waiting)
            even = held // 64 * 64
            yield whole[:even]
            waiting, held = [whole[even:]], held - even
    if held:
        yield np.concatenate(waiting)
