"""Several segments as one: lexicons merge, columns are renumbered, readers are left alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.assemble import MEMORY_BYTES, Blocks, Origin, Part, PartColumn, assemble
from izwi.index.packed import Packed
from izwi.index.reader import Segment
from izwi.index.structures import Regions
from izwi.store.snapshots import SegmentEntry

_BLOCK = 1 << 20


def merge_segments(
    folder: Path,
    segments: Sequence[Segment],
    origin: Origin,
    *,
    memory_bytes: int = MEMORY_BYTES,
) -> SegmentEntry:
    """Write the documents of some segments, in their order, as one new segment."""
    names = tuple(dict.fromkeys(name for each in segments for name in each.attributes))
    parts = [_part(segment, names) for segment in segments]
    return assemble(folder, parts, origin, memory_bytes=memory_bytes)


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Documents of a segment that follow each other and count: the positions they take."""

    begin: int
    end: int


def _part(segment: Segment, names: Sequence[str]) -> Part:
    kept = _kept(segment)
    return Part(
        sum(each.end - each.begin for each in kept),
        {name: _column(segment, name, kept) for name in names},
        _blocks(segment.spaces, kept),
        None if segment.offsets is None else _blocks(segment.offsets, kept),
        {name: _regions(segment, name) for name in segment.structures},
        segment.cards.filter(pa.array(~segment.is_gone)),
    )


def _kept(segment: Segment) -> list[_Stretch]:
    """Return what is taken over: all, unless documents are gone."""
    if not segment.is_gone.any():
        return [_Stretch(0, segment.tokens)]
    changes = np.diff(np.concatenate(([True], segment.is_gone, [True])).astype(np.int8))
    starts, ends = segment.document_starts, segment.document_ends
    pairs = zip(np.flatnonzero(changes < 0), np.flatnonzero(changes > 0) - 1, strict=True)
    return [_Stretch(int(starts[first]), int(ends[last])) for first, last in pairs]


def _column(segment: Segment, name: str, kept: Sequence[_Stretch]) -> PartColumn:
    """Return an attribute of a segment; the empty value throughout if it has none of the name."""
    if name not in segment.attributes:
        tokens = sum(each.end - each.begin for each in kept)
        return PartColumn([b""], lambda: iter([np.zeros(tokens, np.uint32)]))
    attribute = segment.attribute(name)
    values = bytes(attribute.lexicon.text[:]).split(b"\n")[:-1]
    blocks = _blocks(attribute.column, kept)
    if not segment.is_gone.any():
        return PartColumn(values, blocks)
    # Words that only stood in what is gone leave the lexicon, too.
    is_used = np.zeros(len(values), np.bool_)
    for block in blocks():
        is_used[block] = True
    table = (np.cumsum(is_used) - 1).astype(np.uint32)
    used = [values[number] for number in np.flatnonzero(is_used).tolist()]
    return PartColumn(used, lambda: (table[block] for block in blocks()))


def _regions(segment: Segment, name: str) -> Regions:
    structure = segment.structure(name)
    attributes: pa.Table = structure.attributes
    starts, ends = structure.starts.astype(np.int64), structure.ends
    if not segment.is_gone.any():
        return Regions(starts, ends, attributes)
    # A document without tokens begins where the next one does: its number tells them apart.
    is_document = name == "doc"
    owners = np.arange(len(starts)) if is_document else segment.documents_at(structure.starts)
    stays, moved = ~segment.is_gone[owners], _ways(segment)[owners]
    rows = attributes.filter(pa.array(stays)) if attributes.num_columns else attributes
    return Regions((starts + moved)[stays], (ends + moved)[stays], rows)


def _ways(segment: Segment) -> NDArray[np.int64]:
    """Return how far each document moves if those that are gone leave no gaps."""
    left: NDArray[np.int64] = segment.document_lengths * segment.is_gone
    ways: NDArray[np.int64] = left - np.cumsum(left)
    return ways


def _blocks(values: Packed, kept: Sequence[_Stretch]) -> Blocks:
    def blocks() -> Iterator[NDArray[np.integer]]:
        for each in kept:
            for first in range(each.begin, each.end, _BLOCK):
                yield values[first : min(each.end, first + _BLOCK)]

    return blocks
