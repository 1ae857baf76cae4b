"""How much text there is under each value of what documents are sorted by."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.dimensions import DocumentDimension
from izwi.analyse.selection import Selection

Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Texts:
    """Chosen documents, tokens, and squares of documents' tokens, by joined code."""

    documents: NDArray[np.int64]
    tokens: NDArray[np.int64]
    tokens_squared: NDArray[np.float64]
    # The cell of each document, segment by segment.
    cells: tuple[Codes, ...]
    # The joined code of each cell, ascending. By one thing, all codes in order; by several, only
    # those that occur, as the others would be far too many.
    keys: Codes

    def places(self, joined: Codes) -> Codes:
        """Return the cells of some joined codes that occur."""
        return np.searchsorted(self.keys, joined)


def texts_of(selection: Selection, dimensions: Sequence[DocumentDimension]) -> Texts:
    """Return how much text each cell has; all of it in one cell if there are no dimensions."""
    names = tuple(each.name for each in dimensions)
    folders = tuple(segment.folder.name for segment in selection.segments)
    if not selection.segments or selection.only is not None:
        return _counted(selection, dimensions)
    key = ("texts", selection.chosen, names, folders)
    return selection.segments[0].remembered(key, lambda: _counted(selection, dimensions))


def _counted(selection: Selection, dimensions: Sequence[DocumentDimension]) -> Texts:
    joined = [_joined(selection, dimensions, place) for place in range(len(selection.segments))]
    keys = _keys(dimensions, joined)
    cells = tuple(np.searchsorted(keys, each) if len(dimensions) > 1 else each for each in joined)
    size = len(keys)
    sums = np.zeros((3, size))
    for segment, mask, every in zip(selection.segments, selection.masks, cells, strict=True):
        own = every if mask is None else every[mask]
        lengths = segment.document_lengths
        some = (lengths if mask is None else lengths[mask]).astype(np.float64)
        sums[0] += np.bincount(own, minlength=size)
        sums[1] += np.bincount(own, some, size)
        sums[2] += np.bincount(own, some**2, size)
    return Texts(sums[0].astype(np.int64), np.rint(sums[1]).astype(np.int64), sums[2], cells, keys)


def _joined(selection: Selection, dimensions: Sequence[DocumentDimension], place: int) -> Codes:
    """Return the joined code of each document of a segment."""
    joined = np.zeros(len(selection.segments[place].document_lengths), np.int64)
    for each in dimensions:
        joined = joined * each.size + each.document_codes(place)
    return joined


def _keys(dimensions: Sequence[DocumentDimension], joined: Sequence[Codes]) -> Codes:
    if len(dimensions) > 1 and joined:
        return np.unique(np.concatenate(joined))
    return np.arange(dimensions[0].size if dimensions else 1)
