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
    def _packed(self) -> NDArray[np.int32]:
        """The nodes as compiled code reads them quickest: each in sixteen bytes of its own."""
        packed = self.nodes.astype(np.int32)
        packed[:, 1] = np.ascontiguousarray(self.nodes[:, 1]).view(np.int32)
        return packed.reshape(-1)

    def chances(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each row the probability of the class the trees were grown for."""
        return chances_of(self.sums(rows))

    def sums(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each row the logarithm of the odds."""
        packed = self._packed
        found: NDArray[np.float64] = _sums(
            np.ascontiguousarray(rows), packed, packed.view(np.float32), self.values, self.roots
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
def _sums(rows, nodes, limits, values, roots):  # type: ignore[no-untyped-def]
    """Return the sum of the leaves each row comes to; rows that are sure are left early."""
    sums = np.zeros(len(rows), dtype=np.float64)
    unsure = np.arange(len(rows))
    count = len(rows)
    for number in range(len(roots)):
        root = np.int64(roots[number])
        place = 0
        # Four rows at a time: while one waits for memory the others go on.
        while place + 4 <= count:
            _descend(rows, nodes, limits, values, root, unsure, place, sums)
            place += 4
        while place < count:
            row = unsure[place]
            sums[row] += values[~_leaf(rows, row, nodes, limits, root)]
            place += 1
        if number % _LOOK_EVERY == _LOOK_EVERY - 1:
            count = _keep_unsure(unsure, count, sums)
    return sums


@njit(cache=True, inline="always")
def _descend(rows, nodes, limits, values, root, unsure, place, sums):  # type: ignore[no-untyped-def]
    one, two = unsure[place], unsure[place + 1]
    three, last = unsure[place + 2], unsure[place + 3]
    a = b = c = d = root
    while (a | b | c | d) >= 0:
        a = _next(rows, one, nodes, limits, a)
        b = _next(rows, two, nodes, limits, b)
        c = _next(rows, three, nodes, limits, c)
        d = _next(rows, last, nodes, limits, d)
    sums[one] += values[~_leaf(rows, one, nodes, limits, a)]
    sums[two] += values[~_leaf(rows, two, nodes, limits, b)]
    sums[three] += values[~_leaf(rows, three, nodes, limits, c)]
    sums[last] += values[~_leaf(rows, last, nodes, limits, d)]


@njit(cache=True, inline="always")
def _next(rows, row, nodes, limits, node):  # type: ignore[no-untyped-def]
    at = np.uint64(node) << np.uint64(2)
    is_high = rows[np.uint64(row), np.uint64(nodes[at])] > limits[at + np.uint64(1)]
    return np.int64(nodes[at + np.uint64(2) + np.uint64(is_high)])


@njit(cache=True, inline="always")
def _leaf(rows, row, nodes, limits, node):  # type: ignore[no-untyped-def]
    while node >= 0:
        node = _next(rows, row, nodes, limits, node)
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
