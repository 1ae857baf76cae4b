"""Which blocks of a page are its main text: several cuts through their chances, and the best one.

A cut-off that is right in the mean takes a sidebar for text on one page and loses half of another.
So stricter and laxer cuts are made, of one run of text or of all; trees that saw how well such cuts
did on gold pages say which to take.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_KIND, B_LINKED
from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import Segmented
from izwi.text.elements import KINDS
from izwi.text.extract.marks import Marks, Split, usual_marks, with_headline, without_link_lists
from izwi.text.features import NAMES, Rows
from izwi.text.trees import Forest

# So much stricter or laxer than the page's cut-off, in logarithms of odds.
_STEPS = (-2.0, -1.25, -0.6, 0.0, 0.6, 1.2, 1.8, 2.4)
# Blocks that so many others part are of two runs.
_RUN_GAP = 4
# What stands inside the text is filled in if it is not less likely than this.
_LEAST_FILLED = 0.03
_SURE = 0.9
# How a cut was made: the usual one, a step, one run of it, up to that run, its first runs, with
# what stands between, in the largest article, in the text body.
_USUAL, _STEP, _RUN, _TO_RUN, _FIRST_RUNS, _FILLED, _ARTICLE, _BODY = range(8)
_COLUMN = {name: number for number, name in enumerate(NAMES)}
# Text of these sorts is summed up in each cut, as a share of it.
_SHARES = (
    "likely", "linked", "prose", "sure", "article", "body", "quote", "li",
    "td", "h",
)  # fmt: skip
CUT_NAMES = (
    "way", "step", "chars", "share", "growth", "blocks", "runs", "run_chars",
    "expected_recall", "expected_f1", "gain", "least", "left", "left_best", "first", "last",
    "density", "filling", *_SHARES, "dates", "dates_between", "heads", "of_prose", "of_sure",
    "alike", "places", "first_title",
    "cutoff", "page_best", "page_chars", "page_blocks", "page_linked", "page_prose",
    "page_dates", "page_sure", "page_unsure", *PAGE_TYPES,
)  # fmt: skip


# A cut, and how it was made: by which way, how far from the cut-off.
Cut = tuple[Marks, tuple[int, float]]
# Where more of a page are readers' comments the usual cut is taken: whatever is laxer takes some of
# them for text (dragnet lost .012 by it, and no set gained by more than .003).
_MOST_COMMENTS = 0.02


class Cuts(NamedTuple):
    """Cuts of a page, the usual one first: the blocks of each, and what is seen of it."""

    marks: NDArray[np.bool_]
    rows: Rows


def best_cut(forest: Forest, made: Cuts) -> Marks:
    """Return the blocks of the cut that promises most."""
    best = int(forest.sums(made.rows).argmax()) if len(made.marks) > 1 else 0
    marks: Marks = made.marks[best]
    return marks


def cuts(
    page: Segmented, rows: Rows, chances: NDArray[np.float32], split: Split, types: Rows
) -> Cuts:
    """Return the cuts of a page that differ; `rows` as the features give them."""
    usual = usual_marks(page, chances, split, types)
    alone = Cuts(usual[None, :], np.zeros((1, len(CUT_NAMES)), dtype=np.float32))
    if not usual.any() or page.sizes[split.comments].sum() > _MOST_COMMENTS * page.sizes.sum():
        return alone
    made: dict[bytes, Cut] = {usual.tobytes(): (usual, (_USUAL, 0.0))}
    for marks, way in _different(_stepped(chances, split)):
        whole = with_headline(page, chances, without_link_lists(page, marks, types))
        made.setdefault(whole.tobytes(), (whole, way))
    for marks, way in _narrowed(page, rows, chances, usual):
        whole = without_link_lists(page, marks, types)
        made.setdefault(whole.tobytes(), (whole, way))
    found = [(marks, way) for marks, way in made.values() if marks.any()]
    if len(found) < 2:
        return alone
    table = np.array([marks for marks, _ in found])
    ways = np.array([way for _, way in found])
    return Cuts(table, _seen(page, rows, chances, split, types, table, ways))


def _different(made: Iterable[Cut]) -> Iterable[Cut]:
    """Return the cuts that differ, the first of each."""
    found: dict[bytes, Cut] = {}
    for marks, way in made:
        found.setdefault(marks.tobytes(), (marks, way))
    return found.values()


def _stepped(chances: NDArray[np.float32], split: Split) -> Iterator[Cut]:
    """Yield what is left at stricter and laxer cut-offs."""
    odds, limit = _odds(chances.astype(np.float64)), _odds(np.array(min(split.cutoff, 0.999)))
    for step in _STEPS:
        yield odds >= limit + step, (_STEP, step)


def _odds(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.log(np.maximum(chances, 1e-4) / np.maximum(1 - chances, 1e-4))
    return found


def _narrowed(
    page: Segmented, rows: Rows, chances: NDArray[np.float32], usual: Marks
) -> Iterator[Cut]:
    """Yield parts of the usual text: one run, the first ones, one article, all between its ends."""
    places = np.flatnonzero(usual)
    numbers = np.full(len(usual), -1)
    numbers[places] = np.cumsum(np.diff(places, prepend=places[0]) > _RUN_GAP)
    weights = np.bincount(numbers[places], weights=(page.sizes * chances)[places])
    best = int(weights.argmax())
    if len(weights) > 1:
        yield numbers == best, (_RUN, 0.0)
        until = best if best else 1
        yield usual & (numbers <= until), (_TO_RUN if best else _FIRST_RUNS, 0.0)
    between = np.zeros(len(usual), dtype=bool)
    between[places[0] : places[-1] + 1] = True
    yield usual | (between & (chances >= _LEAST_FILLED)), (_FILLED, 0.0)
    yield usual & (rows[:, _COLUMN["article_rank"]] == 0), (_ARTICLE, 0.0)
    yield usual & (rows[:, _COLUMN["in_best"]] > 0), (_BODY, 0.0)


def _seen(
    page: Segmented,
    rows: Rows,
    chances: NDArray[np.float32],
    split: Split,
    types: Rows,
    marks: NDArray[np.bool_],
    ways: NDArray[np.float64],
) -> Rows:
    """Return one row of CUT_NAMES for each cut."""
    sizes, count = page.sizes.astype(np.float64), len(chances)
    sorts = _sorts(page, rows, chances, split)
    weights = np.column_stack([sizes, sorts * sizes[:, None], _counted(page, rows)])
    # Not a product of matrices: that would start threads for a few thousand numbers.
    sums = np.einsum("kb,bw->kw", marks.astype(np.float64), weights)
    all_of = weights.sum(axis=0)
    chars, blocks, total = np.maximum(sums[:, 0], 1), sums[:, -3], max(all_of[0], 1.0)
    likely, all_likely = sums[:, 1], max(all_of[1], 1.0)
    runs = (marks[:, 1:] & ~marks[:, :-1]).sum(axis=1) + marks[:, 0]
    first, last = marks.argmax(axis=1), count - 1 - marks[:, ::-1].argmax(axis=1)
    read, dated = np.cumsum(sizes), np.cumsum(weights[:, -2])
    expected = 2 * likely / (chars + all_likely)
    by_place = _by_place(page, sizes, marks)
    own = [
        *ways.T, np.log1p(chars), chars / total, np.log(chars / chars[0]), blocks, runs,
        chars / np.maximum(runs, 1), likely / all_likely, expected, expected - expected[0],
        np.where(marks, chances, 2.0).min(axis=1), (all_of[1] - likely) / all_likely,
        np.where(marks | (sizes <= 40), 0.0, chances).max(axis=1), first / count, last / count,
        blocks / (last - first + 1), chars / np.maximum(read[last] - read[first] + sizes[first], 1),
        *(sums[:, 1 : 1 + len(_SHARES)] / chars[:, None]).T, sums[:, -2],
        dated[last] - dated[first], sums[:, -1],
        *(sums[:, 1 + place] / max(all_of[1 + place], 1.0) for place in _WHOLE),
        by_place.max(axis=1) / chars, (by_place > 0).sum(axis=1),
        rows[first, _COLUMN["title_share"]],
    ]  # fmt: skip
    of_page = [
        split.cutoff, float(chances.max()), np.log1p(total), count,
        *(all_of[1 + _SHARES.index(name)] / total for name in ("linked", "prose")),
        all_of[-2], all_of[1 + _SHARES.index("sure")] / total, np.abs(chances - 0.5).mean(),
        *(types if len(types) else np.zeros(len(PAGE_TYPES))),
    ]  # fmt: skip
    return np.column_stack([*own, np.tile(of_page, (len(marks), 1))]).astype(np.float32)


# Of these sorts a cut's share of the page's is seen, too.
_WHOLE = tuple(_SHARES.index(name) for name in ("prose", "sure"))


def _sorts(
    page: Segmented, rows: Rows, chances: NDArray[np.float32], split: Split
) -> NDArray[np.float64]:
    """Return for each block how far it is of each of _SHARES."""
    kinds, sizes = page.table[:, B_KIND], np.maximum(page.sizes, 1)
    is_prose = (rows[:, _COLUMN["stops"]] >= 1) & (rows[:, _COLUMN["words"]] >= 8)
    columns = [
        chances, np.minimum(page.table[:, B_LINKED] / sizes, 1.0),
        is_prose & (rows[:, _COLUMN["link_share"]] < 0.4),
        chances >= _SURE, rows[:, _COLUMN["article_share"]] > 0, rows[:, _COLUMN["in_best"]],
        *(kinds == KINDS.index(name) for name in ("quote", "li", "td", "h")),
    ]  # fmt: skip
    return np.column_stack(columns).astype(np.float64)


def _counted(page: Segmented, rows: Rows) -> NDArray[np.float64]:
    """Return for each block what is counted, not measured: itself, a date, a heading."""
    is_head = page.table[:, B_KIND] == KINDS.index("h")
    return np.column_stack([np.ones(len(rows)), rows[:, _COLUMN["is_dated"]], is_head])


def _by_place(
    page: Segmented, sizes: NDArray[np.float64], marks: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Return for each cut how much of its text stands in each place of the template."""
    count = int(page.alike.max()) + 1
    return np.array([np.bincount(page.alike, sizes * each, count) for each in marks])
