"""Tables among the text: results above a report, fees below a service, votes of a meeting.

Cells of a word or a figure look like no text, and some of a table are taken and others are not. A
table that stands between blocks of the text belongs to it; one at its edge does if it is a table of
things, with heads and rows of one length, and not what old pages lay themselves out with.
"""

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_KIND, B_LINKED, B_NODE, N_PARENT, N_TAG
from izwi.text.blocks import Segmented
from izwi.text.elements import FLAGS, KINDS, TAGS
from izwi.text.extract.cuts import Marks

# So likely text must a table be in the mean: between blocks of the text, and at its edge.
_BETWEEN, _AT_EDGE = 0.5, 0.4
# A table has so many cells; a page with more than so many is made of them.
_FEWEST, _MOST = 6, 2000
# Where more of it is linked it is a list of other pages.
_MOST_LINKED = 0.3
# Tables of things have short cells, rows of one length, and stand so near the text.
_LONGEST_MEAN, _FEWEST_ROWS, _MOST_ROWS, _NEAR = 60, 3, 0.6, 3
_CELL = KINDS.index("td")
_ELSEWHERE = sum(
    FLAGS[name]
    for name in (
        "hidden", "comments", "nav", "header", "footer", "aside", "form", "button", "dialog",
    )
)  # fmt: skip


def with_data_tables(page: Segmented, chances: NDArray[np.float32], marks: Marks) -> Marks:
    """Return marks with all cells of the tables that belong to the text."""
    cells = np.flatnonzero((page.table[:, B_KIND] == _CELL) & ((page.flags & _ELSEWHERE) == 0))
    if not _FEWEST <= len(cells) <= _MOST or marks[cells].all() or not marks.any():
        return marks
    rows = _rows_by_table(page, cells)
    round_others = {above for table in rows for above in _tables_above(page, table)}
    found = marks.copy()
    for table, cells_by_row in rows.items():
        own = np.array([cell for row in cells_by_row.values() for cell in row])
        if table not in round_others and _belongs(page, chances, marks, own, cells_by_row):
            found[own] = True
    return found


def _belongs(
    page: Segmented,
    chances: NDArray[np.float32],
    marks: Marks,
    own: NDArray[np.int64],
    rows: dict[int, list[int]],
) -> bool:
    sizes = page.sizes[own]
    if len(own) < _FEWEST or page.table[own, B_LINKED].sum() > _MOST_LINKED * sizes.sum():
        return False
    likely = float(np.average(chances[own], weights=sizes))
    first, last = int(own.min()), int(own.max())
    if marks[:first].any() and marks[last + 1 :].any() and likely >= _BETWEEN:
        return True
    is_near = bool(marks[max(0, first - _NEAR) : first].any() or marks[last + 1 :][:_NEAR].any())
    return is_near and likely >= _AT_EDGE and _is_of_things(page, own, rows)


def _is_of_things(page: Segmented, own: NDArray[np.int64], rows: dict[int, list[int]]) -> bool:
    """Whether a table has heads, short cells and rows of the same number of cells."""
    tags = page.elements[page.table[own, B_NODE], N_TAG]
    if not (tags == TAGS["th"]).any() or page.sizes[own].mean() > _LONGEST_MEAN:
        return False
    length, count = Counter(map(len, rows.values())).most_common(1)[0]
    return length > 1 and count >= max(_FEWEST_ROWS, _MOST_ROWS * len(rows))


def _rows_by_table(page: Segmented, cells: NDArray[np.int64]) -> dict[int, dict[int, list[int]]]:
    """Return the cells of each row of each table; a cell is of the innermost table round it."""
    found: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    tags, parents = page.elements[:, N_TAG].tolist(), page.elements[:, N_PARENT].tolist()
    table, tr = TAGS["table"], TAGS["tr"]
    for cell, element in zip(cells.tolist(), page.table[cells, B_NODE].tolist(), strict=True):
        row = -1
        while element >= 0 and tags[element] != table:
            if tags[element] == tr and row < 0:
                row = element
            element = parents[element]
        if element >= 0:
            found[element][row].append(cell)
    return found


def _tables_above(page: Segmented, table: int) -> list[int]:
    """Return the tables that a table lies in."""
    found, element = [], int(page.elements[table, N_PARENT])
    while element >= 0:
        if page.elements[element, N_TAG] == TAGS["table"]:
            found.append(element)
        element = int(page.elements[element, N_PARENT])
    return found
