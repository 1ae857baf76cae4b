"""Several segments as one: lexicons merge, columns are renumbered, readers are left alone."""

from collections.abc import Iterator, Sequence
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


def _part(segment: Segment, names: Sequence[str]) -> Part:
    return Part(
        segment.tokens,
        {name: _column(segment, name) for name in names},
        _blocks(segment.spaces),
        None if segment.offsets is None else _blocks(segment.offsets),
        {name: _regions(segment, name) for name in segment.structures},
        segment.cards,
    )


def _column(segment: Segment, name: str) -> PartColumn:
    """Return an attribute of a segment; the empty value throughout if it has none of the name."""
    if name not in segment.attributes:
        return PartColumn([b""], lambda: iter([np.zeros(segment.tokens, np.uint32)]))
    attribute = segment.attribute(name)
    values = bytes(attribute.lexicon.text[:]).split(b"\n")[:-1]
    return PartColumn(values, _blocks(attribute.column))


def _regions(segment: Segment, name: str) -> Regions:
    structure = segment.structure(name)
    attributes: pa.Table = structure.attributes
    return Regions(structure.starts.astype(np.int64), structure.ends, attributes)


def _blocks(values: Packed) -> Blocks:
    def blocks() -> Iterator[NDArray[np.integer]]:
        for first in range(0, len(values), _BLOCK):
            yield values[first : first + _BLOCK]

    return blocks
