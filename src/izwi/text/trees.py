"""A forest of decision trees as plain arrays: small on disk, quick to ask, no library needed."""

from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import trees as kernel
from izwi.kernels.columns import T_ABOVE, T_BELOW, T_COLUMN, T_LIMIT
from izwi.model.records import dataclass

_FIELDS = ("nodes", "values", "roots")
# So many rows are asked at once, and so many leaves a tree may have: one bit each.
TOGETHER = 32
# Where a bit stands, by five of the bits of its product with a number in which all fives differ.
_CODES = [0x077CB531 << place >> 27 & 31 for place in range(TOGETHER)]
_BITS = bytes(_CODES.index(code) for code in range(TOGETHER))


class _Packed(NamedTuple):
    """Of each node its column, limit and the leaves on its left; of trees where they begin."""

    columns: NDArray[np.int32]
    limits: NDArray[np.float32]
    struck: NDArray[np.uint32]
    trees: NDArray[np.int32]
    # How many trees there are up to the end of each forest.
    ends: NDArray[np.int32]
    values: NDArray[np.float32]


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
    def _packed(self) -> _Packed:
        """The trees as compiled code reads them, each with its leaves from left to right."""
        below = self.nodes[:, T_BELOW].astype(np.int64)
        count = len(below)
        starts = np.where(self.roots < 0, count, self.roots)[::-1]
        starts = np.minimum.accumulate(starts)[::-1]
        sizes = np.diff(starts, append=count)
        leaves = self._followed(self.roots.astype(np.int64), T_BELOW)
        lowest, highest = self._followed(below, T_BELOW), self._followed(below, T_ABOVE)
        first = lowest - np.repeat(leaves, np.maximum(sizes, 0))
        number = highest - lowest + 1
        if count and (min(first.min(), number.min() - 1) < 0 or (first + number).max() > TOGETHER):
            raise ValueError(f"Trees of more than {TOGETHER} leaves, or in no order.")
        return _Packed(
            self.nodes[:, T_COLUMN].astype(np.int32),
            self.nodes[:, T_LIMIT].copy(),
            (((1 << number) - 1) << first).astype(np.uint32),
            np.column_stack([starts, starts + sizes, leaves]).astype(np.int32),
            np.array([len(starts)], dtype=np.int32),
            self.values,
        )

    def _followed(self, nodes: NDArray[np.int64], way: int) -> NDArray[np.int64]:
        """Return the leaf that one comes to from each node by always going the same way."""
        ways = self.nodes[:, way].astype(np.int64)
        for _ in range(TOGETHER):
            inner = np.flatnonzero(nodes >= 0)
            if not len(inner):
                break
            nodes = nodes.copy()
            nodes[inner] = ways[nodes[inner]]
        return ~nodes

    def chances(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each row the probability of the class the trees were grown for."""
        return chances_of(self.sums(rows))

    def sums(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each row the logarithm of the odds."""
        return _asked(self._packed, rows)[:, 0]

    def arrays(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """Return the arrays under names that begin with the prefix, to be saved."""
        return {f"{prefix}_{name}": getattr(self, name) for name in _FIELDS}


@dataclass(frozen=True)
class Forests:
    """Several forests that are asked about the same rows, at once."""

    forests: tuple[Forest, ...] = ()

    @cached_property
    def _packed(self) -> _Packed:
        """All trees one after another."""
        parts = [forest._packed for forest in self.forests]
        nodes = np.cumsum([0, *(len(part.columns) for part in parts)])
        leaves = np.cumsum([0, *(len(part.values) for part in parts)])
        moved = [
            part.trees + np.array([node, node, leaf], dtype=np.int32)
            for part, node, leaf in zip(parts, nodes, leaves, strict=False)
        ]
        return _Packed(
            np.concatenate([part.columns for part in parts]),
            np.concatenate([part.limits for part in parts]),
            np.concatenate([part.struck for part in parts]),
            np.concatenate(moved),
            np.cumsum([len(part.trees) for part in parts], dtype=np.int32),
            np.concatenate([part.values for part in parts]),
        )

    def chances(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each row the probability of the class that each forest was grown for."""
        return chances_of(_asked(self._packed, rows))


def _asked(trees: _Packed, rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return for each row the sums of its leaves, one of each forest."""
    found = np.zeros((len(rows), len(trees.ends)), dtype=np.float64)
    kernel.sums(
        np.ascontiguousarray(rows),
        *trees,
        _BITS,
        found,
        np.empty((rows.shape[1], TOGETHER), dtype=np.float32),
        np.empty(TOGETHER, dtype=np.uint32),
        np.empty(TOGETHER, dtype=np.uint8),
    )
    return found


# Trees that say nothing: all rows are alike to them.
NO_TREES = Forest(
    np.zeros((0, 4), dtype=np.float32),
    np.zeros(0, dtype=np.float32),
    np.zeros(0, dtype=np.int32),
)


def chances_of(sums: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return probabilities from the logarithms of odds."""
    found: NDArray[np.float32] = (1 / (1 + np.exp(-sums))).astype(np.float32)
    return found


def read_forest(arrays: Mapping[str, NDArray[np.generic]], prefix: str) -> Forest:
    """Return the forest saved under a prefix; ValueError if it is none."""
    forest = Forest(*(arrays[f"{prefix}_{name}"] for name in _FIELDS))  # type: ignore[arg-type]
    # Asked about nothing, to find out before a page is.
    forest.sums(np.zeros((0, 0), dtype=np.float32))
    return forest
