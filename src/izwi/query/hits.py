"""Hits: integers only; what follows from them is made once it is needed."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import is_worth_compiling
from izwi.index.reader import Segment
from izwi.kernels.matching import tally
from izwi.model.records import dataclass

Positions = NDArray[np.int32]


# Without slots: what is derived from the hits is kept once it was needed.
@dataclass(frozen=True)
class Hits:
    """Where hits begin, in corpus order, and where each has ended or how long all of them are."""

    starts: Positions
    various: Positions | None = None
    width: int = 1

    def __len__(self) -> int:
        return len(self.starts)

    @cached_property
    def ends(self) -> Positions:
        """The position after the last token of each hit."""
        return self.starts + np.int32(self.width) if self.various is None else self.various

    def ends_of(self, numbers: NDArray[np.int64]) -> Positions:
        """Return the ends of some hits."""
        own = self.starts if self.various is None else self.various
        return own[numbers] + np.int32(self.width if self.various is None else 0)

    def kept(self, mask: NDArray[np.bool_]) -> "Hits":
        """Return some of the hits."""
        various = None if self.various is None else self.various[mask]
        return Hits(self.starts[mask], various, self.width)


@dataclass(frozen=True, slots=True)
class Tally:
    """The documents that have hits, ascending, and how many each has."""

    documents: NDArray[np.int64]
    counts: NDArray[np.int64]


@dataclass(frozen=True)
class SegmentHits:
    """The hits in one segment."""

    segment: Segment
    hits: Hits

    def __len__(self) -> int:
        return len(self.hits)

    @property
    def starts(self) -> Positions:
        """Where each hit begins."""
        return self.hits.starts

    @property
    def ends(self) -> Positions:
        """The position after the last token of each hit."""
        return self.hits.ends

    def kept(self, mask: NDArray[np.bool_]) -> "SegmentHits":
        """Return some of the hits."""
        return SegmentHits(self.segment, self.hits.kept(mask))

    @cached_property
    def tally(self) -> Tally:
        """How the hits are spread over documents."""
        structure = self.segment.structure("doc")
        edges = structure.edges
        if is_worth_compiling(len(self.starts)):
            # The guide leaves out documents without tokens.
            guide = structure.guide if len(structure.bounds[0]) == len(edges) else edges[:0]
            return Tally(*tally(self.starts, edges, guide))
        places = np.searchsorted(edges, self.starts, side="right") - 1
        # Ascending already, so that equal ones stand together.
        firsts = np.flatnonzero(np.diff(places, prepend=-2))
        return Tally(places[firsts], np.diff(firsts, append=len(places)))

    @cached_property
    def documents(self) -> NDArray[np.int64]:
        """The number of the document that holds each hit."""
        return np.repeat(self.tally.documents, self.tally.counts)
