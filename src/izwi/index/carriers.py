"""Which words carry a value: an attribute that hangs on the word needs no postings of its own."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import Packed, read_packed, write_packed
from izwi.kernels.packing import distinct_pairs

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
            return np.unique(np.concatenate([np.empty(0, np.int64), *lists]))
        ends = self._ends[:]
        begins = np.concatenate(([0], ends[:-1]))
        sizes = (ends - begins)[numbers]
        first = np.cumsum(sizes) - sizes
        places = np.arange(sizes.sum()) + np.repeat(begins[numbers] - first, sizes)
        return np.unique(self._words[places])

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
