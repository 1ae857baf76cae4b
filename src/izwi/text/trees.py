"""A forest of decision trees as plain arrays: small on disk, quick to ask, no library needed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numba import njit
from numpy.typing import NDArray

_FIELDS = ("nodes", "values", "roots")
# Beyond this sum (a chance of 5 %, or 95 %) the remaining trees change no page's score.
_SURE = 3.0
_LOOK_EVERY = 8


@dataclass(frozen=True)
class Forest:
    """Trees one after another: an inner node tests a column against a limit, a leaf has a value.

    A row of `nodes` is column, limit, and where to go below and above the limit: the number of a
    node, or the complement (~leaf) of a leaf's.
    """

    nodes: NDArray[np.float32]
    values: NDArray[np.float32]
    roots: NDArray[np.int32]

    @cached_property
    def _tables(self) -> tuple[NDArray[np.uint32], NDArray[np.float32], NDArray[np.int32]]:
        """The columns, limits and ways of the nodes as compiled code reads them quickest."""
        return (
            self.nodes[:, 0].astype(np.uint32),
            np.ascontiguousarray(self.nodes[:, 1]),
            np.ascontiguousarray(self.nodes[:, 2:4].astype(np.int32).reshape(-1)),
        )

    def chances(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each row the probability of the class the trees were grown for."""
        return chances_of(self.sums(rows))

    def sums(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each row the logarithm of the odds."""
        found: NDArray[np.float64] = _sums(
            np.ascontiguousarray(rows), *self._tables, self.values, self.roots
        )
        return found

    def arrays(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """Return the arrays under names that begin with the prefix, to be saved."""
        return {f"{prefix}_{name}": getattr(self, name) for name in _FIELDS}


def chances_of(sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return probabilities from the logarithms of odds."""
    found: NDArray[np.float32] = (1 / (1 + np.exp(-sums))).astype(np.float32)
    return found


def read_forest(arrays: Mapping[str, NDArray[np.generic]], prefix: str) -> Forest:
    """Return the forest saved under a prefix."""
    return Forest(*(arrays[f"{prefix}_{name}"] for name in _FIELDS))  # type: ignore[arg-type]


@njit(cache=True)
def _sums(rows, columns, limits, ways, values, roots):  # type: ignore[no-untyped-def]
    """Return the sum of the leaves each row comes to; rows that are sure are left early."""
    sums = np.zeros(len(rows), dtype=np.float64)
    unsure = np.arange(len(rows))
    count = len(rows)
    for number in range(len(roots)):
        root = np.int64(roots[number])
        place = 0
        # Four rows at a time: while one waits for memory the others go on.
        while place + 4 <= count:
            _descend(rows, columns, limits, ways, values, root, unsure[place : place + 4], sums)
            place += 4
        while place < count:
            row = unsure[place]
            sums[row] += values[~_leaf(rows[row], columns, limits, ways, root)]
            place += 1
        if number % _LOOK_EVERY == _LOOK_EVERY - 1:
            count = _keep_unsure(unsure, count, sums)
    return sums


@njit(cache=True, inline="always")
def _descend(rows, columns, limits, ways, values, root, four, sums):  # type: ignore[no-untyped-def]
    one, two, three, last = rows[four[0]], rows[four[1]], rows[four[2]], rows[four[3]]
    a = b = c = d = root
    while (a | b | c | d) >= 0:
        a = _next(one, columns, limits, ways, a)
        b = _next(two, columns, limits, ways, b)
        c = _next(three, columns, limits, ways, c)
        d = _next(last, columns, limits, ways, d)
    sums[four[0]] += values[~_leaf(one, columns, limits, ways, a)]
    sums[four[1]] += values[~_leaf(two, columns, limits, ways, b)]
    sums[four[2]] += values[~_leaf(three, columns, limits, ways, c)]
    sums[four[3]] += values[~_leaf(last, columns, limits, ways, d)]


@njit(cache=True, inline="always")
def _next(row, columns, limits, ways, node):  # type: ignore[no-untyped-def]
    at = np.uint64(node)
    is_high = row[columns[at]] > limits[at]
    return np.int64(ways[np.uint64(2) * at + np.uint64(is_high)])


@njit(cache=True, inline="always")
def _leaf(row, columns, limits, ways, node):  # type: ignore[no-untyped-def]
    while node >= 0:
        node = _next(row, columns, limits, ways, node)
    return node


@njit(cache=True)
def _keep_unsure(unsure, count, sums):  # type: ignore[no-untyped-def]
    """Move the rows that are not sure yet to the front; return how many they are."""
    kept = 0
    for place in range(count):
        if abs(sums[unsure[place]]) <= _SURE:
            unsure[kept] = unsure[place]
            kept += 1
    return kept
