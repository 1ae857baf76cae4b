"""The cheapest path through words and languages."""

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import ngrams as loops


def cheapest_path(costs: NDArray[np.float64], changes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the language of each word: least cost of words plus cost of changes (Viterbi)."""
    words, languages = costs.shape
    path = np.empty(words, np.int64)
    came_from = np.empty((words, languages), np.int64)
    loops.cheapest_path(
        np.ascontiguousarray(costs), np.ascontiguousarray(changes, np.float64),
        np.empty(languages), came_from, path,
    )  # fmt: skip
    return path
