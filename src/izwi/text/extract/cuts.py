"""Which blocks of a page are its main text: several cuts through their chances, the best one.

A cut-off that is right in the mean takes a sidebar for text on one page and loses half of another.
So stricter and laxer cuts are made, of one run of text or of all; trees that saw how well such cuts
did on gold pages say which to take.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_LINKED
from izwi.kernels.cuts import Cutter, find_copies
from izwi.kernels.feature_columns import CUT, WEIGHED
from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import Segmented
from izwi.text.elements import FLAGS
from izwi.text.features import LIKELY, NAMES, Rows, after_comments_heading, is_surely
from izwi.text.page_sorts import SORT_NAMES
from izwi.text.trees import Forest

Marks = NDArray[np.bool_]
_FORUM = 1 << SORT_NAMES.index("forum")
# Comments stand below a text if there is so much of it, in characters and beside theirs.
_LEAST_TEXT = 200
_LEAST_SHARE = 0.02
# A post that says something has so many characters; names and dates have fewer.
_LEAST_SAID = 25
# A blog with many comments looks like a forum; only a page that surely is one keeps them.
_SURE_FORUM = 0.9
# If even the best block is worse than this the page has no main text.
_HOPELESS = 0.2
# However unsure the page, blocks below this share of the cut-off are left out; of the square of the
# best chance, because where the best block is half sure, others that are little less so count.
# Of some twenty rules this lost on no set (docs/explanation/extraction.md).
_LEAST_SURE = 0.9


class Split(NamedTuple):
    """Where a page is cut: the cut-off, and which blocks stand among or below comments."""

    cutoff: float
    comments: Marks
    below: Marks


def split_of(page: Segmented, chances: NDArray[np.float32], wanted: float) -> Split:
    """Return the cut-off of a page, for the one that is wanted, and its comments."""
    sizes = page.sizes
    least = wanted * _LEAST_SURE * _best(chances) ** 2
    cutoff = max(cutoff_of(chances, sizes, wanted), least)
    comments = (page.flags & FLAGS["comments"]) > 0
    below = after_comments_heading(page)
    has_none = not np.count_nonzero(comments)
    if has_none and _chars(sizes[(chances >= cutoff) & ~below]) >= _LEAST_TEXT:
        comments = below
    return Split(cutoff, comments, below)


def likely_marks(
    page: Segmented, chances: NDArray[np.float32], split: Split, types: NDArray[np.float32]
) -> Marks:
    """Return which blocks are main text by the cut-off, without comments below a text."""
    marks = chances >= split.cutoff
    is_apart = has_text_beside_comments(page.sizes, marks, split.comments)
    if is_apart and not _is_thread(page, chances, marks, split.comments, types):
        return marks & ~split.comments
    if is_surely(types, "forum", LIKELY) and _chars(page.sizes[marks]) < _LEAST_TEXT:
        return marks | posts(page, split.comments)
    return marks


def _is_thread(
    page: Segmented, chances: NDArray[np.float32], marks: Marks, comments: Marks, types: Rows
) -> bool:
    """Return whether comments are a thread's posts: the page says so, surely is one, or looks so.

    Below an article its readers' words are less likely text than it is. Where a thread is the
    likeliest type, and they are likelier than that and than not, they are its posts.
    """
    if page.sorts & _FORUM or is_surely(types, "forum", _SURE_FORUM):
        return True
    if not is_surely(types, "forum", LIKELY):
        return False
    sizes, said = page.sizes, comments & (page.sizes >= _LEAST_SAID)
    beside = _mean(chances, sizes, marks & ~comments)
    return _mean(chances, sizes, said) >= LIKELY and _mean(chances, sizes, marks & said) > beside


def _mean(chances: NDArray[np.float32], sizes: NDArray[np.int64], marks: Marks) -> float:
    """Return how likely the characters of some blocks are text."""
    return float(chances[marks] @ sizes[marks]) / max(_chars(sizes[marks]), 1)


def posts(page: Segmented, comments: Marks) -> Marks:
    """Return which blocks among comments are what their writers say, not names, dates or links.

    Of a thread whose posts are named as comments are below articles, nothing else is the text.
    """
    sizes = page.sizes
    found: Marks = comments & (sizes >= _LEAST_SAID) & (2 * page.table[:, B_LINKED] < sizes)
    return found


def has_text_beside_comments(
    sizes: NDArray[np.int64], marks: NDArray[np.bool_], comments: NDArray[np.bool_]
) -> bool:
    """Return whether the comments stand below a text; in a forum they are the text."""
    if not np.count_nonzero(comments):
        return False
    beside, inside = _chars(sizes[marks & ~comments]), _chars(sizes[marks & comments])
    return beside >= _LEAST_TEXT and beside >= _LEAST_SHARE * inside


def _chars(sizes: NDArray[np.int64]) -> int:
    """Return the sum; the method of arrays takes twice as long for so few."""
    return int(np.add.reduce(sizes))


def cutoff_of(chances: NDArray[np.float32], sizes: NDArray[np.int64], wanted: float = 0.5) -> float:
    """Return the cut-off for a page: the wanted share of the best F1 one can expect on it.

    With right chances, half of the best expected F1 is the cut-off that reaches it (Lipton,
    Elkan and Narayanaswamy 2014): where nothing is sure, less sure blocks must do.
    """
    best = _best(chances)
    if best < _HOPELESS:
        return 1.1
    order = (-chances).argsort(kind="stable")
    weights = sizes[order]
    likely = weights * chances[order]
    expected = 2 * likely.cumsum() / (weights.cumsum() + np.add.reduce(likely))
    return min(wanted * float(np.maximum.reduce(expected)), best)


def _best(chances: NDArray[np.float32]) -> float:
    return float(np.maximum.reduce(chances)) if len(chances) else 0.0


# So much stricter or laxer than the page's cut-off, in logarithms of odds.
_STEPS = (-2.0, -1.25, -0.6, 0.0, 0.6, 1.2, 1.8, 2.4)
# The usual cut, the steps, and five parts of the usual one.
_MOST_CUTS = len(_STEPS) + 6
CUT_NAMES = (*CUT, *PAGE_TYPES)
_EXTRA, _SECTION = NAMES.index("in_best"), NAMES.index("head_gap")
# Where more of a page are readers' comments the usual cut is taken: whatever is laxer takes some of
# them for text (dragnet lost .012 by it, and no set gained by more than .003).
_MOST_COMMENTS = 0.02
# Fewer characters of main text are none.
_LEAST_MAIN = 15
# On a page that is surely a list of others, blocks of links are the text.
_OF_LINKS, _SURE_LIST = ("listing", "collection"), 0.8


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
    count, sizes = len(chances), page.sizes
    room = np.zeros((_MOST_CUTS, count), dtype=np.uint8)
    marks, ways = room.view(np.bool_), np.zeros((_MOST_CUTS, 2))
    marks[0] = likely_marks(page, chances, split, types)
    cutter = Cutter(rows, page.table, chances, _is_list(types), _copied(page), room, ways)
    has_text = cutter.settle() and _chars(sizes[marks[0]]) >= _LEAST_MAIN
    if not has_text or _chars(sizes[split.comments]) > _MOST_COMMENTS * _chars(sizes):
        return _alone(marks[:1] & bool(has_text))
    cutter.take_steps(min(split.cutoff, 0.999), _STEPS, np.empty(count))
    made = cutter.narrow(np.empty(count, dtype=np.int64), np.zeros(count), _EXTRA, _SECTION)
    if made < 2:
        return _alone(marks[:1])
    seen = np.zeros((made, len(CUT_NAMES)), dtype=np.float32)
    weights, sums = np.empty((count, len(WEIGHED))), np.zeros((made + 1, len(WEIGHED)))
    places = np.zeros((made, int(page.alike.max()) + 1))
    cutter.fill(seen, weights, sums, page.alike, places, split.cutoff, _EXTRA, _SECTION)
    seen[:, len(CUT) :] = types if len(types) else 0.0
    return Cuts(marks[:made], seen)


def _copied(page: Segmented) -> NDArray[np.int64]:
    """Return of each block the first one elsewhere that says the same, or -1."""
    count = len(page)
    copied, first = np.empty(count, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    find_copies(page.table, page.elements, page.said, first, copied, FLAGS["hidden"])
    return copied


def _alone(marks: NDArray[np.bool_]) -> Cuts:
    return Cuts(marks, np.zeros((1, len(CUT_NAMES)), dtype=np.float32))


def _is_list(types: NDArray[np.float32]) -> bool:
    likely = sum(types[PAGE_TYPES.index(name)] for name in _OF_LINKS) if len(types) else 0.0
    return bool(likely >= _SURE_LIST)
