"""The default extractor: decision trees over what a block is, where it stands and what is round it.

They give each block a chance to be main text; of several cuts through the chances (cuts.py) the
most promising is taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import B_END, B_KIND, B_START
from izwi.model.document import PAGE_TYPES, Mark, Paragraph
from izwi.text.blocks import MOST_BLOCKS, Segmented, segment_lean
from izwi.text.decode import CUT
from izwi.text.elements import KINDS
from izwi.text.extract.cuts import best_cut, cuts
from izwi.text.extract.marks import split_of
from izwi.text.extract.model import model_at
from izwi.text.pagetype import named

COMMENT = "comment"


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
        model = model_at(self._options.model)
        chances, types, rows = model.answers(page)
        split = split_of(page, chances, self._options.cutoff)
        marks = best_cut(model.choice, cuts(page, rows, chances, split, types))
        page_type = named(types) if len(types) else ""
        return Judged(page, chances, marks, split.comments, page_type, types)


# Made once: pages have thousands of blocks, and only so many reasons.
_REASONS = tuple(
    tuple(f"{name} {percent / 100:.2f}" for percent in range(101))
    for name in ("main", COMMENT, "boilerplate")
)
