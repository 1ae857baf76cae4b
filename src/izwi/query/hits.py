"""Hits: integers only; which of several matches count, and between which ends one may lie."""

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from izwi.index.columns import is_worth_compiling
from izwi.index.reader import Segment
from izwi.kernels.matching import bounds_at, tally
from izwi.model.records import dataclass
from izwi.query.tree import Limit

Positions = NDArray[np.int32]
_YES = np.ones(1, np.bool_)


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
        # Ascending already, so that equal ones stand together. By hand: `np.diff` with what comes
        # before or after the first copies it all three times.
        firsts = np.flatnonzero(np.concatenate((_YES[: len(places)], places[1:] != places[:-1])))
        counts = np.empty_like(firsts)
        np.subtract(firsts[1:], firsts[:-1], out=counts[:-1])
        counts[-1:] = len(places) - firsts[-1:]
        return Tally(places[firsts], counts)

    @cached_property
    def documents(self) -> NDArray[np.int64]:
        """The number of the document that holds each hit."""
        return np.repeat(self.tally.documents, self.tally.counts)


# Names as CQP has them, and what they keep.
STRATEGIES = {
    "": "the longest match from every start",
    "traditional": "the shortest match from every start",
    "standard": "the shortest match from every start; of those that end together the longest",
    "shortest": "the shortest match from every start, without those that hold another",
    "longest": "the longest match from every start, without those that lie in another",
}


def takes_shortest(strategy: str) -> bool:
    """Return whether the first end of a match counts, not the last."""
    return strategy in {"traditional", "standard", "shortest"}


def chosen(hits: Hits, strategy: str) -> Hits:
    """Return the hits, one for each start, that a strategy keeps."""
    if strategy not in {"standard", "shortest", "longest"} or len(hits) < 2:
        return hits
    mask = _MASKS[strategy](hits.ends)
    return hits if mask.all() else hits.kept(mask)


def _not_inside(ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    # Starts rise, so a hit lies in an earlier one if that ends no earlier.
    before = np.maximum.accumulate(ends)[:-1]
    return np.concatenate(([True], ends[1:] > before))


def _holding_none(ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    after = np.minimum.accumulate(ends[::-1])[::-1][1:]
    return np.concatenate((ends[:-1] < after, [True]))


def _first_of_an_end(ends: NDArray[np.int32]) -> NDArray[np.bool_]:
    mask = np.zeros(len(ends), np.bool_)
    mask[np.unique(ends, return_index=True)[1]] = True
    return mask


_MASKS = {"longest": _not_inside, "shortest": _holding_none, "standard": _first_of_an_end}


_NO_GUIDE = np.empty(0, np.int32)
_FAR = np.int32(np.iinfo(np.int32).max)


@dataclass(frozen=True, slots=True)
class Edges:
    """Where stretches begin and end, and what speeds up finding one if they are a structure's."""

    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    guide: NDArray[np.int32] = field(default_factory=lambda: _NO_GUIDE)
    # Stretches of a structure do not overlap, so that their ends rise already.
    are_apart: bool = False


@dataclass(frozen=True, slots=True)
class _Bound:
    """A bound that changes at some edges."""

    edges: NDArray[np.int32]
    guide: NDArray[np.int32]
    values: NDArray[np.int32]
    is_upper: bool
    # Whether the last edge at or before a start counts, or the next one at or after it.
    is_right: bool
    # Where no edge counts, and what is added to the bound.
    default: int
    plus: int


@dataclass(frozen=True, slots=True)
class Bounds:
    """All limits of a query in one segment."""

    parts: tuple[_Bound, ...]
    # How many tokens a match has at most.
    longest: int = int(_FAR)

    @staticmethod
    def of(
        documents: Edges | None, limits: Sequence[tuple[Edges, Limit]], longest: int = int(_FAR)
    ) -> "Bounds":
        """Return the bounds that some limits come to, documents among them unless implied."""
        every = [] if documents is None else [(documents, True, False)]
        every += [(edges, limit.is_within, limit.is_negated) for edges, limit in limits]
        return Bounds(tuple(_bound(*each) for each in every), longest)


def _bound(edges: Edges, is_within: bool, is_negated: bool) -> _Bound:
    starts, ends, guide = edges.starts, edges.ends, edges.guide
    if is_within:
        furthest = ends if edges.are_apart else np.maximum.accumulate(ends)
        # Outside: the end has to be beyond the furthest end.
        return _Bound(starts, guide, furthest, not is_negated, True, -1, int(is_negated))
    nearest = ends if edges.are_apart else np.minimum.accumulate(ends[::-1])[::-1]
    # Not containing: the end has to be before the nearest end.
    return _Bound(starts, guide, nearest, is_negated, False, int(_FAR), -int(is_negated))


def narrowed(
    bounds: Bounds, starts: NDArray[np.int32]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return the largest and the smallest end that a match from each ascending start may have."""
    upper = np.full(len(starts), _FAR, np.int32)
    if bounds.longest < _FAR:
        upper = np.minimum(starts, _FAR - np.int32(bounds.longest)) + np.int32(bounds.longest)
    lower = np.zeros(len(starts), np.int32)
    for bound in bounds.parts:
        values = _values_at(bound, starts)
        if bound.is_upper:
            np.minimum(upper, values, out=upper)
        else:
            np.maximum(lower, values, out=lower)
    return upper, lower


def _values_at(bound: _Bound, starts: NDArray[np.int32]) -> NDArray[np.int32]:
    if is_worth_compiling(len(starts)):
        found = bounds_at(
            starts, bound.edges, bound.guide, bound.values, bound.default, bound.is_right
        )
    else:
        side = "right" if bound.is_right else "left"
        place = np.searchsorted(bound.edges, starts, side=side) - int(bound.is_right)  # type: ignore[call-overload]
        known = (place >= 0) & (place < len(bound.edges))
        found = np.full(len(starts), bound.default, np.int32)
        found[known] = bound.values[place[known]]
    if bound.plus:
        found[found != _FAR] += np.int32(bound.plus)
    return found
