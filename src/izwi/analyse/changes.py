"""Where a rate changes its level: the split into levels that explains counts best for its cost.

Counts are Poisson with more variance than that (the design effect); each further level has to gain
more than the modified Bayes criterion of Zhang and Siegmund (2007) asks. The best split is found by
dynamic programming (Jackson et al. 2005).
"""

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
# Fewer hits than this say nothing about levels.
LEAST_HITS = 30
# A level lasts at least so many periods: one high month is no change.
SHORTEST = 3
# The cost grows with the square of the periods: of more than these, neighbours count as one.
MOST_PERIODS = 2_000
# Ends whose costs are computed together.
_BLOCK = 256


def change_points(hits: Floats, tokens: Floats, design_effect: float) -> list[int]:
    """Return the places at which another level begins."""
    together = -(-len(hits) // MOST_PERIODS)
    if together > 1:
        starts = np.arange(0, len(hits), together)
        hits, tokens = (np.add.reduceat(each, starts) for each in (hits, tokens))
        return [together * place for place in change_points(hits, tokens, design_effect)]
    size = len(hits)
    if size < 2 * SHORTEST or hits.sum() < LEAST_HITS:
        return []
    sums = np.concatenate(([0.0], np.cumsum(hits))), np.concatenate(([0.0], np.cumsum(tokens)))
    penalty = 3 * np.log(size) * max(1.0, design_effect)
    best = np.full(size + 1, np.inf)
    best[0] = -penalty
    previous = np.zeros(size + 1, np.int64)
    for first in range(SHORTEST, size + 1, _BLOCK):
        last = min(first + _BLOCK, size + 1)
        for end, costs in zip(range(first, last), _costs(sums, first, last), strict=True):
            sizes = best[: end - SHORTEST + 1] + costs[: end - SHORTEST + 1]
            previous[end] = place = int(sizes.argmin())
            best[end] = sizes[place] + penalty
    return _traced(previous)


def _costs(sums: tuple[Floats, Floats], first: int, last: int) -> Floats:
    """Return minus twice the log-likelihood of one level, from each start (columns) to some ends.

    Constants are left out; what lies above the diagonal is nonsense and not looked at.
    """
    hits, tokens = (each[first:last, None] - each[None, :] for each in sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(hits > 0, -2 * hits * np.log(hits / tokens), 0.0)


def _traced(previous: NDArray[np.int64]) -> list[int]:
    found, at = [], len(previous) - 1
    while previous[at] > 0:
        at = int(previous[at])
        found.append(at)
    return found[::-1]
