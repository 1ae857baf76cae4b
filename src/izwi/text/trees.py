"""A forest of decision trees as plain arrays: small on disk, quick to ask, no library needed."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

_FIELDS = ("nodes", "values", "roots")
# Beyond this sum (a chance of 5 %, or 95 %) the remaining trees change no page's score.
_SURE = 3.0
_LOOK_EVERY = 8


@dataclass(frozen=True, slots=True)
class Forest:
    """Trees one after another: an inner node tests a column against a limit, a leaf has a value.

    A row of `nodes` is column, limit, and where to go below and above the limit: the number of a
    node, or the complement (~leaf) of a leaf's. All as float32, so that one row is read at once.
    """

    nodes: NDArray[np.float32]
    values: NDArray[np.float32]
    roots: NDArray[np.int32]

    def chances(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return for each row the probability of the class the trees were grown for."""
        found: NDArray[np.float32] = _chances(rows, self.nodes, self.values, self.roots)
        return found

    def arrays(self, prefix: str) -> dict[str, NDArray[np.generic]]:
        """Return the arrays under names that begin with the prefix, to be saved."""
        return {f"{prefix}_{name}": getattr(self, name) for name in _FIELDS}


def read_forest(arrays: Mapping[str, NDArray[np.generic]], prefix: str) -> Forest:
    """Return the forest saved under a prefix."""
    return Forest(*(arrays[f"{prefix}_{name}"] for name in _FIELDS))  # type: ignore[arg-type]


@njit(cache=True)
def _chances(rows, nodes, values, roots):  # type: ignore[no-untyped-def]
    out = np.zeros(len(rows), dtype=np.float32)
    for row in range(len(rows)):
        total = 0.0
        for number in range(len(roots)):
            node = np.int64(roots[number])
            while node >= 0:
                is_low = rows[row, np.int64(nodes[node, 0])] <= nodes[node, 1]
                node = np.int64(nodes[node, 2] if is_low else nodes[node, 3])
            total += values[~node]
            if number % _LOOK_EVERY == _LOOK_EVERY - 1 and abs(total) > _SURE:
                break
        out[row] = 1 / (1 + np.exp(-total))
    return out
