"""Which blocks are main text at a cut-off: comments apart, with headlines, without menus."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_KIND, B_LINKED, B_LINKS
from izwi.model.document import PAGE_TYPES
from izwi.text.blocks import SORTS, Segmented
from izwi.text.elements import FLAGS, KINDS
from izwi.text.features import after_comments_heading
from izwi.text.pagetype import is_surely

Marks = NDArray[np.bool_]
# Fewer characters of main text are none.
_LEAST_MAIN = 15
_FORUM = 1 << list(SORTS).index("forum")
# Comments stand below a text if there is so much of it, in characters and beside theirs.
_LEAST_TEXT = 200
_LEAST_SHARE = 0.02
# A blog with many comments looks like a forum; only a page that surely is one keeps them.
_SURE_FORUM = 0.9
# If even the best block is worse than this the page has no main text.
_HOPELESS = 0.2
# However unsure the page, blocks below this share of the cut-off are left out; of the square of the
# best chance, because where the best block is half sure, others that are little less so count.
# Of some twenty rules this lost on no set (docs/explanation/extraction.md).
_LEAST_SURE = 0.9
# A heading so likely, at most so many blocks above the text, is its headline. Tried 0 to .45 and 3
# to 8: dragnet gained .005 at .2, and scrapinghub, whose gold has no headlines, lost .003.
_MAYBE_HEADLINE, _HEADLINE_ABOVE = 0.2, 4
# A block of so many links and next to nothing else is a menu, if there is three times as much text
# beside it and the page is no list for sure: no set lost, old pages in other scripts gained.
_LEAST_LINKS, _ALL_LINKED, _MANY_TIMES = 3, 0.9, 3
_OF_LINKS, _SURE_LIST = ("listing", "collection"), 0.8


class Split(NamedTuple):
    """Where a page is cut: the cut-off, and which blocks stand among or below comments."""

    cutoff: float
    comments: Marks
    below: Marks


def split_of(page: Segmented, chances: NDArray[np.float32], wanted: float) -> Split:
    """Return the cut-off of a page, for the one that is wanted, and its comments."""
    sizes = page.sizes
    least = wanted * _LEAST_SURE * float(chances.max(initial=0.0)) ** 2
    cutoff = max(cutoff_of(chances, sizes, wanted), least)
    comments = (page.flags_of_blocks() & FLAGS["comments"]) > 0
    below = after_comments_heading(page)
    if not comments.any() and sizes[(chances >= cutoff) & ~below].sum() >= _LEAST_TEXT:
        comments = below
    return Split(cutoff, comments, below)


def usual_marks(
    page: Segmented, chances: NDArray[np.float32], split: Split, types: NDArray[np.float32]
) -> Marks:
    """Return which blocks are main text by the cut-off and by rules for comments and lists."""
    sizes, marks = page.sizes, chances >= split.cutoff
    is_forum = bool(page.sorts & _FORUM) or is_surely(types, "forum", _SURE_FORUM)
    if not is_forum and has_text_beside_comments(sizes, marks, split.comments):
        marks = marks & ~split.comments
    marks = with_headline(page, chances, without_link_lists(page, marks, types))
    if sizes[marks].sum() < _LEAST_MAIN:
        return np.zeros(len(marks), dtype=bool)
    return marks


def with_headline(
    page: Segmented, chances: NDArray[np.float32], marks: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Return the marks with the headings just above the text: some gold texts leave them out."""
    if not marks.any():
        return marks
    first = int(marks.argmax())
    above = slice(max(0, first - _HEADLINE_ABOVE), first)
    is_head = page.table[above, B_KIND] == KINDS.index("h")
    found = marks.copy()
    found[above] |= is_head & (chances[above] >= _MAYBE_HEADLINE)
    return found


def without_link_lists(
    page: Segmented, marks: NDArray[np.bool_], types: NDArray[np.float32]
) -> NDArray[np.bool_]:
    """Return the marks without blocks of nothing but links, where a text stands beside them.

    In lists of other pages such blocks are the text.
    """
    listing = sum(types[PAGE_TYPES.index(name)] for name in _OF_LINKS) if len(types) else 0.0
    linked = page.table[:, B_LINKED] > _ALL_LINKED * page.sizes
    lists = marks & linked & (page.table[:, B_LINKS] >= _LEAST_LINKS)
    if listing >= _SURE_LIST or not lists.any():
        return marks
    rest = marks & ~lists
    least = max(_LEAST_TEXT, _MANY_TIMES * int(page.sizes[lists].sum()))
    return rest if page.sizes[rest].sum() >= least else marks


def has_text_beside_comments(
    sizes: NDArray[np.int64], marks: NDArray[np.bool_], comments: NDArray[np.bool_]
) -> bool:
    """Return whether the comments stand below a text; in a forum they are the text."""
    if not comments.any():
        return False
    beside, inside = sizes[marks & ~comments].sum(), sizes[marks & comments].sum()
    return bool(beside >= _LEAST_TEXT and beside >= _LEAST_SHARE * inside)


def cutoff_of(chances: NDArray[np.float32], sizes: NDArray[np.int64], wanted: float = 0.5) -> float:
    """Return the cut-off for a page: the wanted share of the best F1 one can expect on it.

    With right chances, half of the best expected F1 is the cut-off that reaches it (Lipton,
    Elkan and Narayanaswamy 2014): where nothing is sure, less sure blocks must do.
    """
    best = float(chances.max(initial=0.0))
    if best < _HOPELESS:
        return 1.1
    order = np.argsort(-chances, kind="stable")
    weights, likely = sizes[order], sizes[order] * chances[order]
    expected = 2 * np.cumsum(likely) / (np.cumsum(weights) + likely.sum())
    return min(wanted * float(expected.max()), best)
