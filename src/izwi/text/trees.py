"""A forest of decision trees as plain arrays: small on disk, quick to ask, no library needed."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import trees as kernel
from izwi.kernels.columns import T_LIMIT

_FIELDS = ("nodes", "values", "roots")


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
        packed[:, T_LIMIT] = np.ascontiguousarray(self.nodes[:, T_LIMIT]).view(np.int32)
        return np.ascontiguousarray(packed)

    def chances(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each row the probability of the class the trees were grown for."""
        return chances_of(self.sums(rows))

    def sums(self, rows: NDArray[np.float32]) -> NDArray[np.float64]:
        """Return for each row the logarithm of the odds."""
        packed, found = self._packed, np.zeros(len(rows), dtype=np.float64)
        kernel.sums(
            np.ascontiguousarray(rows),
            packed,
            packed.view(np.float32),
            self.values,
            self.roots,
            found,
            np.arange(len(rows), dtype=np.int64),
        )
        return found

    def arrays(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """Return the arrays under names that begin with the prefix, to be saved."""
        return {f"{prefix}_{name}": getattr(self, name) for name in _FIELDS}


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
    """Return the forest saved under a prefix."""
    return Forest(*(arrays[f"{prefix}_{name}"] for name in _FIELDS))  # type: ignore[arg-type]
