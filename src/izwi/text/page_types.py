"""What type a page is: told from the whole of it, and from the words on it and in its markup."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import features as kernel
from izwi.kernels.columns import B_WORDS, B_WORDS_END, N_WORDS, N_WORDS_END
from izwi.model.document import PAGE_TYPES
from izwi.model.records import dataclass
from izwi.text.blocks import Segmented
from izwi.text.features import PageTypes, Rows, Weights

NO_LEANINGS = Weights(
    np.zeros(0, dtype=np.uint64), np.zeros((0, len(PAGE_TYPES)), dtype=np.float32)
)


class Leanings(NamedTuple):
    """What it says of a page that it has a word, a weight for each of PAGE_TYPES.

    Of the words in the names of its elements, and of those in its short blocks.
    """

    names: Weights = NO_LEANINGS
    words: Weights = NO_LEANINGS


@dataclass(frozen=True)
class TypeTeller:
    """Trees that see a page's words beside what the extractor found: surer of what a page is.

    Main text is chosen without them, by the types that `features.PageTypes` guesses.
    """

    leanings: Leanings = Leanings()
    types: PageTypes = PageTypes()

    def chances(self, page: Segmented, row: Rows) -> Rows:
        """Return how likely a page with this `page_row` is of each type."""
        seen = np.concatenate([row, leaning_row(page, self.leanings)])
        found: Rows = self.types.chances(seen[None, :])[0]
        return found


def leaning_row(page: Segmented, leanings: Leanings) -> Rows:
    """Return what all names and all short blocks of a page speak for, each word counted once."""
    out = np.zeros((2, len(PAGE_TYPES)), dtype=np.float32)
    _lean(out[0], leanings.names, page.elements, (N_WORDS, N_WORDS_END), page.names)
    _lean(out[1], leanings.words, page.table, (B_WORDS, B_WORDS_END), page.words)
    return out.ravel()


def _lean(
    out: Rows,
    known: Weights,
    ranges: NDArray[np.int64],
    columns: tuple[int, int],
    words: NDArray[np.uint64],
) -> None:
    """Add up what the words in the ranges speak for."""
    begin, end = columns
    hashes, values, starts = known.table
    seen = np.zeros(len(hashes), dtype=np.uint8)
    kernel.lean(out, ranges, begin, end, words, hashes, values, starts, seen)
