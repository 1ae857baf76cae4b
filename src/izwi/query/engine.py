"""A query asked of all segments of a snapshot."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from izwi.index.reader import Segment
from izwi.query.deadline import Deadline
from izwi.query.execute import execute
from izwi.query.explain import refuse_runaway
from izwi.query.hits import SegmentHits
from izwi.query.labels import counted_in_all
from izwi.query.tree import Query


def find(
    segments: Sequence[Segment], query: Query, deadline: Deadline | None = None
) -> Iterator[SegmentHits]:
    """Return the hits of a query, segment by segment; a hit lies within one document."""
    limit = deadline or Deadline(None)
    refuse_runaway(segments, query, limit)
    parts = (
        SegmentHits(segment, execute(segment, _for_segment(query, segment, segments), limit))
        for segment in segments
    )
    drawn = _drawn(list(parts), query.sample) if query.sample else parts
    return _cut(drawn, query.skip, query.cut) if query.cut else iter(drawn)


def _for_segment(query: Query, segment: Segment, segments: Sequence[Segment]) -> Query:
    """Return a query as one of several segments is asked it."""
    return query if len(segments) == 1 else counted_in_all(query, segment, segments)


def _drawn(parts: list[SegmentHits], sample: float) -> list[SegmentHits]:
    """Return so many hits, or such a share of them, by chance; asked again, the same."""
    total = sum(map(len, parts))
    many = min(total, round(sample * total) if sample < 1 else int(sample))
    kept = np.zeros(total, np.bool_)
    kept[np.random.default_rng(1).choice(total, many, replace=False)] = True
    ends = np.cumsum([len(part) for part in parts])
    return [part.kept(own) for part, own in zip(parts, np.split(kept, ends[:-1]), strict=True)]


def _cut(parts: Iterable[SegmentHits], skip: int, most: int) -> Iterator[SegmentHits]:
    """Yield the hits from one place on, so many of all segments together."""
    before = 0
    for part in parts:
        places = before + np.arange(len(part))
        before += len(part)
        yield part.kept((places >= skip) & (places < skip + most))
