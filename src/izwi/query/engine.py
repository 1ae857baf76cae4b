"""A query asked of all segments of a snapshot."""

from collections.abc import Iterator, Sequence

from izwi.index.reader import Segment
from izwi.query.deadline import Deadline
from izwi.query.execute import execute
from izwi.query.hits import SegmentHits
from izwi.query.tree import Query


def find(
    segments: Sequence[Segment], query: Query, deadline: Deadline | None = None
) -> Iterator[SegmentHits]:
    """Yield the hits of a query, segment by segment; a hit lies within one document."""
    limit = deadline or Deadline(None)
    for segment in segments:
        yield SegmentHits(segment, execute(segment, query, limit))
