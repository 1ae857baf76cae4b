"""Which values stand in the windows round hits."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import Packed, is_worth_compiling
from izwi.kernels.counting import count_window
from izwi.kernels.matching import bounds_at
from izwi.query.hits import SegmentHits

Counts = NDArray[np.int64]
Positions = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Window:
    """How far to look to both sides, in which structure, and whether a value counts once a hit."""

    left: int
    right: int
    structure: str = "doc"
    is_once: bool = False


@dataclass(frozen=True, slots=True)
class WindowCounts:
    """How often each value stands to the left and to the right, and how many places there were."""

    left: NDArray[np.integer]
    right: NDArray[np.integer]
    places: int


def window_counts(part: SegmentHits, attribute: str, window: Window) -> WindowCounts:
    """Count the values near the hits of a segment."""
    column = part.segment.attribute(attribute)
    size = max(1, len(column.lexicon))
    lows, highs = around = surroundings(part, window.structure)
    if not is_worth_compiling((window.left + window.right) * len(part)):
        return _plain(part, column.column, window, around, size)
    counts = np.zeros(2 * size, np.int32)
    firsts = np.minimum(part.starts, np.maximum(lows, part.starts - np.int32(window.left)))
    lasts = np.maximum(part.ends, np.minimum(highs, part.ends + np.int32(window.right)))
    places = count_window(
        *(column.column.words, column.column.bits, part.starts, part.ends, firsts, lasts),
        *(window.is_once, counts),
    )
    return WindowCounts(counts[::2], counts[1::2], places)


def _plain(
    part: SegmentHits,
    column: Packed,
    window: Window,
    around: tuple[Positions, Positions],
    size: int,
) -> WindowCounts:
    """Count without compiled code, distance by distance."""
    lows, highs = around
    columns = []
    for distance in (*range(-window.left, 0), *range(window.right)):
        places = (part.starts if distance < 0 else part.ends).astype(np.int64) + distance
        hits = np.flatnonzero((places >= lows) & (places < highs))
        side = np.full(len(hits), int(distance >= 0))
        columns.append(np.stack((hits, column[places[hits]], side)))
    every = np.concatenate([np.empty((3, 0), np.int64), *columns], axis=1)
    places_seen = every.shape[1]
    if window.is_once:
        # The first of a hit and a value, in the order in which the window is read.
        _, first = np.unique(every[:2], axis=1, return_index=True)
        every = every[:, first]
    left, right = (np.bincount(every[1][every[2] == side], minlength=size) for side in (0, 1))
    return WindowCounts(left, right, places_seen)


def surroundings(part: SegmentHits, structure: str) -> tuple[Positions, Positions]:
    """Return where the document or sentence round each hit begins and ends.

    A hit outside every sentence, or one that reaches beyond its own, keeps at least what it is.
    """
    own = part.segment.structure(structure)
    if structure == "doc":
        documents = part.documents
        return own.edges[documents], own.ends.astype(np.int32)[documents]
    starts, ends = own.bounds
    if not len(starts):
        return part.starts, part.ends
    lows = _at_last_edge(part.starts, starts, starts, own.guide)
    highs = _at_last_edge(part.starts, starts, ends, own.guide)
    return np.minimum(lows, part.starts), np.maximum(highs, part.ends)


def _at_last_edge(
    starts: Positions, edges: Positions, values: Positions, guide: Positions
) -> Positions:
    """Return the value of the last edge at or before each of some ascending places."""
    if is_worth_compiling(len(starts)):
        return bounds_at(starts, edges, guide, values, 0, True)
    places = np.searchsorted(edges, starts, side="right") - 1
    return np.where(places >= 0, values[np.maximum(places, 0)], 0).astype(np.int32)
