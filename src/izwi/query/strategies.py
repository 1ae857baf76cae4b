"""Which of several matches count: one for every start, or as CQP chooses among nested ones."""

import numpy as np
from numpy.typing import NDArray

from izwi.query.hits import Hits

# Names as CQP has them, and what they keep.
STRATEGIES = {
    "": "the longest match from every start",
    "traditional": "the shortest match from every start",
    "standard": "the shortest match from every start; of those that end together the longest",
    "shortest": "the shortest match from every start, without those that hold another",
    "longest": "the longest match from every start, without those that lie in another",
}


def takes_shortest(strategy: str) -> bool:
    """Return whether the first end of a match counts, not the last."""
    return strategy in {"traditional", "standard", "shortest"}


def chosen(hits: Hits, strategy: str) -> Hits:
    """Return the hits, one for each start, that a strategy keeps."""
    if strategy not in {"standard", "shortest", "longest"} or len(hits) < 2:
        return hits
    mask = _MASKS[strategy](hits.ends)
    return hits if mask.all() else hits.kept(mask)


def _not_inside(ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    # Starts rise, so a hit lies in an earlier one if that ends no earlier.
    before = np.maximum.accumulate(ends)[:-1]
    return np.concatenate(([True], ends[1:] > before))


def _holding_none(ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    after = np.minimum.accumulate(ends[::-1])[::-1][1:]
    return np.concatenate((ends[:-1] < after, [True]))


def _first_of_an_end(ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    mask = np.zeros(len(ends), np.bool_)
    mask[np.unique(ends, return_index=True)[1]] = True
    return mask


_MASKS = {"longest": _not_inside, "shortest": _holding_none, "standard": _first_of_an_end}
