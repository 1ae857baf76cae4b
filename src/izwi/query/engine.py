"""A query asked of all segments of a snapshot."""

from collections.abc import Iterator, Sequence

import numpy as np

from izwi.index.reader import Segment
from izwi.query.deadline import Deadline
from izwi.query.execute import execute
from izwi.query.explain import refuse_runaway
from izwi.query.hits import SegmentHits
from izwi.query.tree import Query


def find(
    segments: Sequence[Segment], query: Query, deadline: Deadline | None = None
) -> Iterator[SegmentHits]:
    """Yield the hits of a query, segment by segment; a hit lies within one document."""
    limit = deadline or Deadline(None)
    refuse_runaway(segments, query, limit)
    left = query.cut
    for segment in segments:
        hits = execute(segment, query, limit)
        if query.cut:
            hits = hits.kept(np.arange(len(hits)) < left)
            left -= len(hits)
        yield SegmentHits(segment, hits)
