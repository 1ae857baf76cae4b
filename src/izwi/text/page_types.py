"""What sort of page it is: an article, a forum, a list of teasers, and so on."""

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import features as kernel
from izwi.kernels.columns import B_NODE
from izwi.kernels.feature_columns import LEVELS
from izwi.model.document import PAGE_TYPES as PAGE_TYPES
from izwi.text.blocks import Segmented
from izwi.text.elements import KINDS
from izwi.text.features import FLAG_NAMES, NAMES, Rows
from izwi.text.page_sorts import SORT_NAMES
from izwi.text.trees import Forests

LIKELY = 0.5
_COLUMN = {name: number for number, name in enumerate(NAMES)}
_MEANS = (
    "chars", "words", "link_share", "capital_share", "digit_share", "stops", "commas",
    "fence_share", "is_ended", "inlines", "copies", "alike", "path_hint", "title_share",
    *(f"in_{name}" for name in FLAG_NAMES), *(f"up{level}_twins" for level in range(1, LEVELS + 1)),
)  # fmt: skip
_FIRST = ("page_chars", "page_blocks", "page_links", "page_prose", "has_h1", "best_share")
_MEAN_COLUMNS = np.array([_COLUMN[name] for name in _MEANS])
_FIRST_COLUMNS = np.array([_COLUMN[name] for name in _FIRST])


class PageTypes(Forests):
    """One forest for each of PAGE_TYPES, or none at all."""

    def chances(self, rows: Rows) -> Rows:
        """Return for each page how likely it is of each type."""
        if not self.forests:
            return np.zeros((len(rows), len(PAGE_TYPES)), dtype=np.float32)
        return super().chances(rows)


def page_row(page: Segmented, rows: Rows, chances: NDArray[np.float32]) -> Rows:
    """Return what is seen of a whole page: means over its text, all of it and the likely main."""
    out = np.zeros(row_width(), dtype=np.float32)
    if not len(rows):
        return out
    is_likely = chances > LIKELY
    likely = np.flatnonzero(is_likely)
    first, means = len(_FIRST), len(_MEANS)
    out[:first] = rows[0, _FIRST_COLUMNS]
    _fill_means(rows, chances, out[first:])
    rest = out[first + 2 * means + len(KINDS) :]
    rest[2] = len(likely)
    rest[3] = len(likely) / len(rows)
    rest[5], rest[6] = _runs(is_likely), len(set(page.table[likely, B_NODE].tolist()))
    rest[-len(SORT_NAMES) :] = rows[0, -len(SORT_NAMES) :]
    return out


def _fill_means(rows: Rows, chances: NDArray[np.float32], out: Rows) -> None:
    """Fill means over all text and over the likely, shares of kinds, and what is summed of both."""
    width, shape = len(_MEANS), 2 * len(_MEANS) + len(KINDS)
    sums, kinds = np.zeros((2, width)), np.zeros(len(KINDS))
    total, likely, main = kernel.means(rows, chances, _MEAN_COLUMNS, sums, kinds)
    out[:width] = sums[0] / total
    out[width : 2 * width] = sums[1] / max(likely, 1.0)
    out[2 * width : shape] = kinds / total
    out[shape], out[shape + 1], out[shape + 4] = likely, likely / total, main
    out[shape + 7] = np.add.reduce(np.abs(chances - LIKELY)) / len(chances)


def row_width() -> int:
    """Return the number of columns of `page_row`."""
    return len(_FIRST) + 2 * len(_MEANS) + len(KINDS) + 8 + len(SORT_NAMES)


def named(chances: NDArray[np.float32]) -> str:
    """Return the likeliest type, or nothing if none is likely."""
    best = int(chances.argmax())
    return PAGE_TYPES[best] if chances[best] >= LIKELY else ""


def is_surely(chances: NDArray[np.float32], wanted: str, least: float) -> bool:
    """Return whether a type is the likeliest and at least so likely."""
    place = PAGE_TYPES.index(wanted)
    return bool(len(chances) and chances.argmax() == place and chances[place] >= least)


def _runs(marks: NDArray[np.bool_]) -> int:
    """Return how many runs of marked blocks there are."""
    return int(marks[0]) + int(np.count_nonzero(marks[1:] & ~marks[:-1]))
