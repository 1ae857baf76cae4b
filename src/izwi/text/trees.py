"""A forest of decision trees as plain arrays: small on disk, quick to ask, no library needed."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

_FIELDS = ("columns", "limits", "lows", "highs", "values", "roots")


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees one after another: an inner node tests a column against a limit, a leaf has a value.

    `lows` and `highs` hold the next node, or a leaf as its number's complement (~leaf).
    """

    columns: NDArray[np.int16]
    limits: NDArray[np.float64]
    lows: NDArray[np.int32]
    highs: NDArray[np.int32]
    values: NDArray[np.float32]
    roots: NDArray[np.int32]

    def chances(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each row the probability of the class the trees were grown for."""
        sums = _sums(
            rows, self.columns, self.limits, self.lows, self.highs, self.values, self.roots
        )
        return np.asarray(1 / (1 + np.exp(-sums)), dtype=np.float32)

    def arrays(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """Return the arrays under names that begin with the prefix, to be saved."""
        return {f"{prefix}_{name}": getattr(self, name) for name in _FIELDS}


def read_forest(arrays: Mapping[str, NDArray[np.generic]], prefix: str) -> Forest:
    """Return the forest saved under a prefix."""
    return Forest(*(arrays[f"{prefix}_{name}"] for name in _FIELDS))  # type: ignore[arg-type]


@njit(cache=True)
def _sums(rows, columns, limits, lows, highs, values, roots):  # type: ignore[no-untyped-def]
    out = np.zeros(len(rows), dtype=np.float64)
    for root in roots:
        for row in range(len(rows)):
            node = root
            while node >= 0:
                is_low = rows[row, columns[node]] <= limits[node]
                node = lows[node] if is_low else highs[node]
            out[row] += values[~node]
    return out
