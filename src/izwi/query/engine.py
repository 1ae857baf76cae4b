"""Where a sequence of tokens occurs: the rarest token's postings, then its neighbours' columns."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import Attribute, Segment

Starts = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class SegmentHits:
    """The hits in one segment: where each begins and which document holds it."""

    segment: Segment
    starts: Starts
    documents: NDArray[np.int64]


def find(
    segments: Sequence[Segment], tokens: Sequence[str], *, is_exact_case: bool
) -> Iterator[SegmentHits]:
    """Yield the hits of a token sequence, segment by segment; a hit lies within one document."""
    for segment in segments:
        attribute = segment.word if is_exact_case else segment.lc
        values = tokens if is_exact_case else [token.lower() for token in tokens]
        starts = _sequence_starts(attribute, values)
        documents = segment.documents_at(starts)
        inside = starts + len(values) <= segment.document_ends[documents]
        yield SegmentHits(segment, starts[inside], documents[inside])


def _sequence_starts(attribute: Attribute, values: Sequence[str]) -> Starts:
    numbers = [attribute.number(value) for value in values]
    known = [number for number in numbers if number is not None]
    if not known or len(known) < len(numbers):
        return np.empty(0, np.int64)
    anchor = min(range(len(known)), key=lambda place: attribute.frequency(known[place]))
    starts = attribute.positions(known[anchor]).astype(np.int64) - anchor
    starts = starts[(starts >= 0) & (starts + len(known) <= len(attribute.column))]
    for place, number in enumerate(known):
        if place != anchor:
            starts = starts[attribute.column[starts + place] == number]
    return starts
