"""Arrays, packed integers and ascending lists in mapped files: opening one reads almost nothing."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.kernels import packing as kernel
from izwi.kernels.packing import count, decode_lists, encode_lists, sort_positions
from izwi.model.errors import CorruptShard, unreadable

Positions = NDArray[np.uint32]
Integers = NDArray[Any]
Kind = TypeVar("Kind", bound=np.generic)


def smallest_type(largest: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest unsigned type that holds a number."""
    if largest < 1 << 8:
        return np.uint8
    return np.uint16 if largest < 1 << 16 else np.uint32


class Texts:
    """A column of strings without gaps, read one by one from where it is mapped."""

    def __init__(self, column: pa.Array) -> None:
        _, places, octets = column.buffers()
        numbers = np.frombuffer(places, np.int32) if len(column) else np.zeros(1, np.int32)
        self._places = memoryview(numbers[column.offset :])  # type: ignore[arg-type]
        self._octets = memoryview(octets or b"")
        # Much that could be said of documents is said of none: such a column is never looked at.
        self._is_empty = bool(numbers[column.offset] == numbers[column.offset + len(column)])

    def __getitem__(self, number: int) -> str:
        return self.some((number,))[0]

    def some(self, numbers: Sequence[int]) -> list[str]:
        """Return the texts of some rows."""
        if self._is_empty:
            return [""] * len(numbers)
        places, octets = self._places, self._octets
        return [str(octets[places[each] : places[each + 1]], "utf-8") for each in numbers]


def write_array(path: Path, values: Integers) -> None:
    """Write a column of integers."""
    write_table(path, pa.table({"values": pa.array(values)}))


def read_array(path: Path) -> Integers:
    """Return a column of integers, mapped from the file."""
    column = read_table(path).column("values")
    if column.num_chunks != 1:
        return np.asarray(column.to_numpy())
    return view_of(column.chunk(0))


def write_table(path: Path, table: pa.Table) -> None:
    """Write a table as one batch, so that columns can be mapped whole."""
    whole = table.combine_chunks()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, whole.schema) as file:
        file.write_table(whole, max_chunksize=max(1, whole.num_rows))


def read_table(path: Path) -> pa.Table:
    """Return a table, mapped from the file."""
    try:
        return pa.ipc.open_file(pa.memory_map(str(path), "r")).read_all()
    except (pa.ArrowException, OSError) as error:
        raise unreadable(
            f"{path} is damaged or missing ({error}). Run izwi build to make it again.", path, error
        ) from error


def distinct(values: NDArray[Kind]) -> NDArray[Kind]:
    """Return the values that differ, ascending.

    `np.unique` puts them into a table of hashes first: 15 times as slow for numbers in no order,
    200 times for a few ascending lists one after the other (NumPy 2.4, five million numbers).

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(values, kind="stable")
    is_new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    return ordered[is_new]


def view_of(numbers: pa.Array) -> NDArray[Any]:
    """Return numbers where they lie; Arrow's own to_numpy imports pandas where that is there."""
    kind = np.dtype(numbers.type.to_pandas_dtype())
    return np.frombuffer(numbers.buffers()[1] or b"", kind)[numbers.offset :][: len(numbers)]


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
        if isinstance(place, int):
            return self.one(place)
        if isinstance(place, slice):
            return self._stretch(*place.indices(self._length)[:2])
        return self._gathered(place) if isinstance(place, np.ndarray) else self.one(int(place))

    def __array__(self, dtype: type | None = None, copy: bool | None = None) -> Numbers:
        found = self[:]
        return found if dtype is None else found.astype(dtype)

    def tolist(self) -> list[int]:
        """Return the values as Python integers."""
        return list(map(int, self[:]))

    def one(self, place: int) -> int:
        """Return the value at a place."""
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


SignedPositions = NDArray[np.int32]


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

    def positions(self, number: int) -> SignedPositions:
        """Return the places of one value, ascending."""
        size, begin = self.sizes[number], self._begins[number]
        if is_worth_compiling(size):
            return self.several(np.array([number]))
        return _decoded(self._words, begin, size, self._universe)

    def several(self, numbers: NDArray[np.int64]) -> SignedPositions:
        """Return the places of some values, list after list (sort them where order matters)."""
        sizes = self.sizes[numbers]
        total = int(sizes.sum())
        if not is_worth_compiling(total) and len(numbers) < 64:
            lists = [self.positions(int(number)) for number in numbers]
            return np.concatenate(lists) if lists else np.empty(0, np.int32)
        return decode_lists(self._words, self._begins[numbers], sizes, self._universe, total)


def _decoded(words: Words, begin: int, size: int, universe: int) -> SignedPositions:
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
