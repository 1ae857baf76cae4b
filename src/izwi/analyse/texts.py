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
    # The joined code of each document, segment by segment.
    cells: tuple[Codes, ...]


def texts_of(selection: Selection, dimensions: Sequence[DocumentDimension]) -> Texts:
    """Return how much text each cell has; all of it in one cell if there are no dimensions."""
    size = int(np.prod([each.size for each in dimensions], dtype=np.int64))
    if not selection.segments:
        return Texts(np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size), ())
    names = tuple(each.name for each in dimensions)
    folders = tuple(segment.folder.name for segment in selection.segments)
    if selection.only is not None:
        return _counted(selection, dimensions, size)
    key = ("texts", selection.chosen, names, folders)
    return selection.segments[0].remembered(key, lambda: _counted(selection, dimensions, size))


def _counted(selection: Selection, dimensions: Sequence[DocumentDimension], size: int) -> Texts:
    sums = np.zeros((3, size))
    cells = []
    for place, (segment, mask) in enumerate(zip(selection.segments, selection.masks, strict=True)):
        lengths = segment.document_lengths
        joined = np.zeros(len(lengths), np.int64)
        for each in dimensions:
            joined = joined * each.size + each.document_codes(place)
        cells.append(joined)
        own = joined if mask is None else joined[mask]
        some = (lengths if mask is None else lengths[mask]).astype(np.float64)
        sums[0] += np.bincount(own, minlength=size)
        sums[1] += np.bincount(own, some, size)
        sums[2] += np.bincount(own, some**2, size)
    return Texts(sums[0].astype(np.int64), np.rint(sums[1]).astype(np.int64), sums[2], tuple(cells))
