"""What the first pass thinks of a block's surroundings: what the second pass sees beside it."""

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_NODE, N_PARENT
from izwi.kernels.feature_columns import CONTEXT as CONTEXT
from izwi.kernels.feature_columns import LIKELY_SUMS
from izwi.kernels.surroundings import Surroundings
from izwi.text.blocks import Segmented
from izwi.text.features import Rows, branches_from, places_alike


def context(page: Segmented, rows: Rows, chances: NDArray[np.float32]) -> Rows:
    """Return one row of CONTEXT for each block."""
    out = np.full((len(page), len(CONTEXT)), -1, dtype=np.float32)
    if not len(page):
        return out
    parents = np.ascontiguousarray(page.elements[:, N_PARENT])
    alike = places_alike(page)
    around = Surroundings(
        np.ascontiguousarray(rows[:, 0]),
        np.ascontiguousarray(chances, dtype=np.float32),
        np.ascontiguousarray(page.table[:, B_NODE]),
        parents,
        alike,
        np.zeros((len(parents), len(LIKELY_SUMS)), dtype=np.float32),
        np.zeros((int(alike.max()) + 1, len(LIKELY_SUMS)), dtype=np.float32),
    )
    around.add_up()
    here = np.zeros(max(len(parents), 1))
    around.weigh(here)
    best = int(here.argmax())
    around.fill(out, best, *branches_from(best, parents))
    return out
