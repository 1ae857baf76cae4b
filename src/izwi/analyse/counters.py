"""Counting sequences of codes in bounded memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import Packed, bits_for
from izwi.kernels.counting import count_ngrams, regrow, sketch_ngrams
from izwi.model.results import Listener, Progress
from izwi.query.deadline import Deadline

Numbers = NDArray[np.int64]
# Places of the small table; a power of two. Its two megabytes stay near the processor.
_SKETCH = 1 << 20
# Counts of the small table end here.
_FULL = 65_535
# Places of the exact table at first and at most; powers of two, each place has 20 bytes.
_TABLE, _LARGEST = 1 << 18, 1 << 24
# Tokens read between two looks at the clock.
_BUDGET = 4_000_000
# An odd number with no pattern, for keys of sequences too long to be written out.
_FACTOR = 0x9E3779B97F4A7C15


_Given = tuple[
    NDArray[np.uint64], int, NDArray[np.int32], NDArray[np.uint64], NDArray[np.int32],
    NDArray[np.int32], int, int,
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Source:
    """A column to read: which values are wanted, how they are coded, and which stretches."""

    column: Packed
    is_wanted: NDArray[np.bool_]
    # Empty where the values stand for themselves.
    codes: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    # What is added to a place, so that places of all columns differ.
    offset: int

    def coded(self, values: Numbers) -> Numbers:
        """Return the codes of some values."""
        return self.codes[values].astype(np.int64) if len(self.codes) else values


@dataclass(frozen=True, slots=True)
class Tally:
    """Where each sequence was met first, and how often it was met."""

    places: Numbers
    counts: Numbers
    # Whether all sequences of the minimum are there, not only the most frequent.
    is_all: bool = True


class Counter:
    """Counts the sequences of a length in some columns."""

    def __init__(
        self,
        sources: Sequence[Source],
        size: int,
        types: int,
        deadline: Deadline,
        listener: Listener,
    ) -> None:
        self._sources = tuple(source for source in sources if len(source.starts))
        self._size = size
        # Written with as many bits a code as the largest needs, a key is the sequence itself.
        bits = bits_for(max(0, types - 1))
        self._factor = 1 << bits if bits * size <= 64 else _FACTOR
        self._deadline, self._listener = deadline, listener

    def frequent(self, least: int, most: int) -> Tally:
        """Return the sequences that are among the so many most frequent, and perhaps others."""
        sketch = self._sketch()
        floor = max(least, _first_floor(sketch, most))
        while True:
            found = self._exact(sketch, floor)
            enough = np.sort(found.counts)[-most] if len(found.counts) >= most else 0
            # What was not counted is rarer than the floor.
            if floor <= least or enough >= floor:
                return Tally(found.places, found.counts, floor <= least)
            floor = max(least, int(enough) or floor // 8)

    def _sketch(self) -> NDArray[np.uint16]:
        sketch = np.zeros(_SKETCH, np.uint16)
        for source in self._sources:
            begin = 0
            while begin < len(source.starts):
                self._say("reading", source, begin)
                begin = sketch_ngrams(*self._given(source), sketch, begin, _BUDGET)
        return sketch

    def _given(self, source: Source) -> _Given:
        column = source.column
        bits = np.packbits(source.is_wanted, bitorder="little")
        wanted = np.zeros(-(-max(1, len(bits)) // 8) * 8, np.uint8)
        wanted[: len(bits)] = bits
        return (
            *(column.words, column.bits, source.codes, wanted.view(np.uint64)),
            *(source.starts, source.ends, self._size, self._factor),
        )

    def _say(self, step: str, source: Source, begin: int) -> None:
        self._deadline.check()
        self._listener(Progress(step, begin, len(source.starts)))

    def _exact(self, sketch: NDArray[np.uint16], least: int) -> Tally:
        """Count what may be frequent enough, in as many goes as the memory asks for."""
        shares = 1
        while True:
            parts = []
            for share in range(shares):
                part = self._share(sketch, least, (share, shares))
                if part is None:
                    break
                parts.append(part)
            else:
                places, counts = (np.concatenate(each) for each in zip(*parts, strict=True))
                return Tally(places, counts)
            shares *= 4

    def _share(
        self, sketch: NDArray[np.uint16], least: int, share: tuple[int, int]
    ) -> tuple[Numbers, Numbers] | None:
        """Count a part of the keys; None if they are too many for the memory."""
        table = _Table(_TABLE)
        for source in self._sources:
            state = np.zeros(2, np.int64)
            longest = int((source.ends - source.starts).max())
            while state[0] < len(source.starts):
                self._say("counting", source, int(state[0]))
                while 2 * (table.size + longest) > len(table.keys):
                    if len(table.keys) >= max(_LARGEST, 4 * longest):
                        return None
                    table = table.larger()
                state[1] = table.size
                count_ngrams(
                    *self._given(source), sketch, min(least, _FULL), share,
                    table.keys, table.counts, table.places, source.offset, state, _BUDGET,
                )  # fmt: skip
                table.size = int(state[1])
        kept = table.counts >= least
        return table.places[kept], table.counts[kept].astype(np.int64)


class _Table:
    """Keys by their places in a table, with their counts and where they were met first."""

    def __init__(self, places: int) -> None:
        self.keys = np.zeros(places, np.uint64)
        self.counts = np.zeros(places, np.uint32)
        self.places = np.zeros(places, np.int64)
        self.size = 0

    def larger(self) -> "_Table":
        """Return a table of four times the size with the same keys."""
        found = _Table(4 * len(self.keys))
        regrow(self.keys, self.counts, self.places, found.keys, found.counts, found.places)
        found.size = self.size
        return found


def _first_floor(sketch: NDArray[np.uint16], most: int) -> int:
    """Return a frequency that so many sequences probably have: half of what their places say."""
    if 2 * most >= len(sketch):
        return 0
    return int(np.partition(sketch, len(sketch) - 2 * most)[len(sketch) - 2 * most]) // 2


def count_plainly(sources: Sequence[Source], size: int, least: int) -> Tally:
    """Count the sequences of short columns without compiled code."""
    rows, places = [], []
    for source in sources:
        codes = np.where(source.is_wanted, source.coded(np.arange(len(source.is_wanted))), -1)
        codes = codes[source.column[:]]
        for start, end in _long_enough(source, size):
            firsts = np.arange(start, end - size + 1)
            own = np.stack([codes[firsts + distance] for distance in range(size)], 1)
            kept = (own >= 0).all(axis=1)
            rows.append(own[kept])
            places.append(source.offset + firsts[kept])
    if not rows:
        return Tally(np.empty(0, np.int64), np.empty(0, np.int64))
    _, first, counts = np.unique(
        np.concatenate(rows), axis=0, return_index=True, return_counts=True
    )
    kept = counts >= least
    return Tally(np.concatenate(places)[first[kept]], counts[kept].astype(np.int64))


def _long_enough(source: Source, size: int) -> Iterator[tuple[int, int]]:
    for start, end in zip(source.starts.tolist(), source.ends.tolist(), strict=True):
        if end - start >= size:
            yield start, end
