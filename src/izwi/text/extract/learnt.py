"""The default extractor: decision trees over what a block is, where it stands and what is round it.

Two passes: the first judges each block by its features; the second sees also what the first
thought of the neighbours, the containers and the blocks of the same template place, and what
sort of page it is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_END, B_KIND, B_LINKED, B_LINKS, B_START
from izwi.model.document import PAGE_TYPES, Mark, Paragraph
from izwi.text.blocks import MOST_BLOCKS, SORTS, Segmented, segment_lean
from izwi.text.decode import CUT
from izwi.text.elements import FLAGS, KINDS
from izwi.text.extract.model import model_at
from izwi.text.features import after_comments_heading
from izwi.text.pagetype import is_surely, named

COMMENT = "comment"
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


@dataclass(frozen=True, slots=True)
class IzwiOptions:
    """Settings of the default extractor."""

    # How sure one must be of a block (0 to 1), beside how sure one can be on its page. 0.5 gives
    # the best F1 where the chances are right; a little more gives a better F0.5.
    cutoff: float = 0.65
    # A model of your own (see izwi train extractor); empty for the one that comes along.
    model: str = ""

    def __post_init__(self) -> None:
        if not 0 < self.cutoff < 1:
            raise ValueError(f"cutoff = {self.cutoff} is not between 0 and 1")


@dataclass(frozen=True)
class Judged:
    """A page in blocks with the class of each; shown one by one when asked for."""

    page: Segmented
    chances: NDArray[np.float32]
    marks: NDArray[np.bool_]
    comments: NDArray[np.bool_]
    page_type: str
    types: NDArray[np.float32]

    @property
    def type_chances(self) -> dict[str, float]:
        """How likely the page is of each of PAGE_TYPES."""
        return dict(zip(PAGE_TYPES, self.types.tolist(), strict=False))

    @property
    def notes(self) -> tuple[str, ...]:
        """Where text was read beside plain markup, and whether the page was too long."""
        cut = f"{CUT} {MOST_BLOCKS:,} blocks were read" if self.page.is_cut else ""
        origin = f"from {self.page.origin}" if self.page.origin else ""
        return tuple(note for note in (origin, cut) if note)

    @cached_property
    def paragraphs(self) -> tuple[Paragraph, ...]:
        """All blocks, each with how likely it is main text as the reason."""
        return self._shown(np.arange(len(self.page)), self.page.marks(self.marks))

    @cached_property
    def main(self) -> tuple[Paragraph, ...]:
        """The blocks of the main text alone, for their words: without what is set apart in them."""
        return self._shown(np.flatnonzero(self.marks), {})

    def _shown(
        self, places: NDArray[np.int64], formats: Mapping[int, tuple[Mark, ...]]
    ) -> tuple[Paragraph, ...]:
        text, table = self.page.text, self.page.table[places]
        classes = np.where(self.marks[places], 0, np.where(self.comments[places], 1, 2))
        percents = np.rint(self.chances[places] * 100).astype(np.int64)
        rows = np.column_stack(
            [places, table[:, B_START], table[:, B_END], table[:, B_KIND], classes, percents]
        )
        return tuple(
            [
                Paragraph(
                    text[start:end],
                    KINDS[kind],
                    found == 0,
                    _REASONS[found][percent],
                    formats.get(place, ()),
                )
                for place, start, end, kind, found, percent in rows.tolist()
            ]
        )


class Izwi:
    """Finds main text, and readers' comments apart from it, in pages of any kind and language."""

    Options: ClassVar[type] = IzwiOptions
    depends_on: ClassVar[tuple[str, ...]] = ("selectolax",)

    def __init__(self, options: IzwiOptions) -> None:
        self._options = options

    def __call__(self, html: str) -> Sequence[Paragraph]:
        """Return the blocks with how likely each is main text as the reason."""
        return self.judge(html).paragraphs

    def judge(self, html: str, lean: bytes = b"") -> Judged:
        """Return the blocks, and what sort of page it is; `lean` as in `Decoded`."""
        return self.judge_page(segment_lean(html, lean))

    def judge_page(self, page: Segmented) -> Judged:
        """Return the same for a page that is already in blocks."""
        chances, types = model_at(self._options.model).answers(page)
        marks, comments = judged_marks(page, chances, self._options.cutoff, types)
        page_type = named(types) if len(types) else ""
        return Judged(page, chances, marks, comments, page_type, types)


def judged_marks(
    page: Segmented,
    chances: NDArray[np.float32],
    cutoff: float,
    types: NDArray[np.float32],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which blocks are main text and which stand among comments."""
    sizes = page.sizes
    least = cutoff * _LEAST_SURE * float(chances.max(initial=0.0)) ** 2
    marks = chances >= max(cutoff_of(chances, sizes, cutoff), least)
    comments = (page.flags_of_blocks() & FLAGS["comments"]) > 0
    below = after_comments_heading(page)
    if not comments.any() and sizes[marks & ~below].sum() >= _LEAST_TEXT:
        comments = below
    is_forum = bool(page.sorts & _FORUM) or is_surely(types, "forum", _SURE_FORUM)
    if not is_forum and has_text_beside_comments(sizes, marks, comments):
        marks = marks & ~comments
    marks = with_headline(page, chances, without_link_lists(page, marks, types))
    if sizes[marks].sum() < _LEAST_MAIN:
        marks = np.zeros(len(marks), dtype=bool)
    return marks, comments


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


# Made once: pages have thousands of blocks, and only so many reasons.
_REASONS = tuple(
    tuple(f"{name} {percent / 100:.2f}" for percent in range(101))
    for name in ("main", COMMENT, "boilerplate")
)
