"""Between which ends a match may lie: what within, containing and their negations come to.

For a match that starts at a position, every limit is a bound on its end. Within regions: the
furthest end of those that begin at or before it. Containing regions: the nearest end of those that
begin at or after it. So the longest match up to the smallest upper bound is right, or none is.
"""

from collections.abc import Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import is_worth_compiling
from izwi.kernels.matching import bounds_at
from izwi.model.records import dataclass
from izwi.query.tree import Limit

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
        documents: Edges | None,
        limits: Sequence[tuple[Edges, Limit]],
        longest: int = int(_FAR),
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
