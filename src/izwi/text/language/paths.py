"""The cheapest path through words and languages, compiled."""

import numpy as np
from numba import njit
from numpy.typing import NDArray


@njit(cache=True)
def cheapest_path(costs: NDArray[np.float64], changes: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the language of each word: least cost of words plus cost of changes (Viterbi)."""
    words, languages = costs.shape
    came_from = np.empty((words, languages), np.int64)
    best = costs[0].copy()
    for word in range(1, words):
        cheapest = int(best.argmin())
        changed = best[cheapest] + changes[word]
        for language in range(languages):
            stays = best[language] <= changed
            came_from[word, language] = language if stays else cheapest
            best[language] = (best[language] if stays else changed) + costs[word, language]
    path = np.empty(words, np.int64)
    path[-1] = best.argmin()
    for word in range(words - 1, 0, -1):
        path[word - 1] = came_from[word, path[word]]
    return path
