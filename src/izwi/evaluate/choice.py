"""How the best of several cuts of a page is chosen: learnt from how well each did on gold pages."""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.evaluate.examples import Example
from izwi.evaluate.labels import UNKNOWN
from izwi.text.extract.cuts import Cuts, cuts
from izwi.text.extract.marks import split_of

Rows = NDArray[np.float32]
# The cut-off that the usual cut is made with.
_CUTOFF = 0.65


class Answered(NamedTuple):
    """A page, its features, and what models that have not seen its host say of it."""

    one: Example
    rows: Rows
    chances: Rows
    types: Rows

    def cuts(self) -> Cuts:
        """Return the cuts of the page round the usual cut-off."""
        page = self.one.page
        split = split_of(page, self.chances, _CUTOFF)
        return cuts(page, self.rows, self.chances, split, self.types)


def cuts_learnt_from(
    pages: Iterable[Answered],
) -> tuple[Rows, NDArray[np.float64], NDArray[np.float64]]:
    """Return what is seen of the cuts of pages, what each gains on the usual one, its weight."""
    seen, gains, weights = [], [], []
    for page in pages:
        one = page.one
        if not len(one.labels) or (one.labels == UNKNOWN).any():
            continue
        made = page.cuts()
        if len(made.marks) > 1:
            scores = scores_of(made, one)
            seen.append(made.rows)
            gains.append(scores - scores[0])
            weights.append(np.full(len(scores), (0.5 if one.is_aged else 1.0) / len(scores)))
    if not seen:
        return np.zeros((0, 0), dtype=np.float32), np.zeros(0), np.zeros(0)
    return np.concatenate(seen), np.concatenate(gains), np.concatenate(weights)


def scores_of(made: Cuts, one: Example) -> NDArray[np.float64]:
    """Return the mean of F1 and F0.5 of each cut, by the characters of the blocks."""
    sizes = one.page.sizes.astype(np.float64)
    wanted = max(float(sizes @ one.labels), 1.0)
    found = np.maximum((made.marks * sizes).sum(axis=1), 1.0)
    right = (made.marks * (sizes * one.labels)).sum(axis=1)
    scores: NDArray[np.float64] = right / (found + wanted) + 0.625 * right / (found + 0.25 * wanted)
    return scores


def settings(seed: int) -> dict[str, Any]:
    """Return how the trees are grown: small ones, for there are a few thousand pages."""
    return {
        "objective": "regression", "learning_rate": 0.05, "num_leaves": 7, "min_data_in_leaf": 30,
        "feature_fraction": 0.5, "bagging_fraction": 0.7, "bagging_freq": 1, "lambda_l2": 1,
        "seed": seed, "verbose": -1, "deterministic": True, "force_row_wise": True,
        "num_threads": 1, "extra_trees": True,
    }  # fmt: skip
