"""What sort of page it is: an article, a forum, a list of teasers, and so on."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.model.document import PAGE_TYPES as PAGE_TYPES
from izwi.text.blocks import SORTS, Segmented
from izwi.text.elements import KINDS
from izwi.text.features import FLAG_NAMES, LEVELS, NAMES, Rows, numbered
from izwi.text.scan import B_NODE
from izwi.text.trees import Forest, chances_of

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


@dataclass(frozen=True, slots=True)
class PageTypes:
    """One forest for each of PAGE_TYPES, or none at all."""

    forests: tuple[Forest, ...] = ()

    def chances(self, table: Rows) -> Rows:
        """Return for each page how likely it is of each type."""
        if not self.forests:
            return np.zeros((len(table), len(PAGE_TYPES)), dtype=np.float32)
        return chances_of(np.stack([forest.sums(table) for forest in self.forests], axis=1))


def page_row(page: Segmented, rows: Rows, chances: NDArray[np.float32]) -> Rows:
    """Return what is seen of a whole page: means over its text, all of it and the likely main."""
    if not len(rows):
        return np.zeros(row_width(), dtype=np.float32)
    seen = rows[:, _MEAN_COLUMNS]
    chars = rows[:, 0] + 1
    likely = chars * chances
    total, likely_total = chars.sum(), likely.sum()
    kinds = np.bincount(rows[:, _COLUMN["kind"]].astype(np.int64), chars, len(KINDS)) / total
    main = chances > LIKELY
    nodes = numbered(page.table[main, B_NODE])
    shape = (
        likely_total, likely_total / total, main.sum(), main.mean(), chars[main].sum(),
        _runs(main), nodes.max(initial=-1) + 1, np.abs(chances - LIKELY).mean(),
    )  # fmt: skip
    out = np.empty(row_width(), dtype=np.float32)
    first, means = len(_FIRST), len(_MEANS)
    out[:first] = rows[0, _FIRST_COLUMNS]
    out[first : first + means] = chars @ seen / total
    out[first + means : first + 2 * means] = likely @ seen / max(likely_total, 1)
    rest = out[first + 2 * means :]
    rest[: len(KINDS)] = kinds
    rest[len(KINDS) : -len(SORTS)] = shape
    rest[-len(SORTS) :] = [page.sorts >> bit & 1 for bit in range(len(SORTS))]
    return out


def row_width() -> int:
    """Return the number of columns of `page_row`."""
    return len(_FIRST) + 2 * len(_MEANS) + len(KINDS) + 8 + len(SORTS)


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
