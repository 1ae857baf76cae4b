"""A query asked of all segments of a snapshot, and a phrase as the query it stands for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import Segment
from izwi.query.deadline import Deadline
from izwi.query.execute import execute
from izwi.query.tree import Query

_COMPILED_FROM = 20_000


# Without slots: what is derived from the hits is kept once it was needed.
@dataclass(frozen=True)
class SegmentHits:
    """The hits in one segment, in corpus order: where each begins and where it has ended."""

    segment: Segment
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    @cached_property
    def documents(self) -> NDArray[np.int64]:
        """The number of the document that holds each hit."""
        return np.repeat(np.arange(len(self.segment.document_starts)), self.by_document)

    @cached_property
    def by_document(self) -> NDArray[np.int64]:
        """How many hits each document has."""
        edges = self.segment.document_starts
        if len(self.starts) < _COMPILED_FROM:
            places = self.segment.documents_at(self.starts)
            return np.bincount(places, minlength=len(edges))
        from izwi.query.kernels import count_by_region

        counts: NDArray[np.int64] = count_by_region(self.starts, edges)
        return counts


def find(
    segments: Sequence[Segment], query: Query, deadline: Deadline | None = None
) -> Iterator[SegmentHits]:
    """Yield the hits of a query, segment by segment; a hit lies within one document."""
    limit = deadline or Deadline(None)
    for segment in segments:
        hits = execute(segment, query, limit)
        yield SegmentHits(segment, hits.starts, hits.ends)
