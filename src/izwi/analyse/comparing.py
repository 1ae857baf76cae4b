"""Two texts side by side: a query in both, its collocates in both."""

from collections.abc import Sequence

import numpy as np

from izwi.analyse import keyness
from izwi.analyse.grouping import optional
from izwi.analyse.intervals import Sums, rates
from izwi.analyse.selection import Selection
from izwi.model.analyses import Collocate, SharedCollocate, Side
from izwi.query.deadline import Deadline
from izwi.query.tree import Query, format_query


def side_of(selection: Selection, query: Query, name: str, deadline: Deadline) -> Side:
    """Return a query in one text, with its rate and the interval by document."""
    parts = selection.hits(query, deadline)
    counts = np.concatenate([np.zeros(0), *(part.tally.counts for part in parts)])
    lengths = np.concatenate(
        [np.zeros(0), *(part.segment.document_lengths[part.tally.documents] for part in parts)]
    )
    found = rates(
        Sums(
            np.array([selection.documents]),
            np.array([selection.tokens]),
            np.array([_tokens_squared(selection)]),
            np.array([int(counts.sum())]),
            np.array([float((counts**2).sum())]),
            np.array([float((counts * lengths).sum())]),
            np.array([len(counts)]),
        )
    )
    rate, low, high = (
        optional(float(column[0])) for column in (found.per_million, found.low, found.high)
    )
    opens = selection.opening(format_query(query))
    hits = int(counts.sum())
    return Side(name, hits, len(counts), selection.tokens, rate, low, high, opens)


def _tokens_squared(selection: Selection) -> float:
    total = 0.0
    for segment, mask in zip(selection.segments, selection.masks, strict=True):
        lengths = segment.document_lengths.astype(np.float64)
        total += float(((lengths if mask is None else lengths[mask]) ** 2).sum())
    return total


def difference(first: Side, second: Side) -> tuple[float | None, float | None]:
    """Return log2 of the ratio of two rates and the log-likelihood of their difference."""
    if not (first.tokens and second.tokens and first.hits + second.hits):
        return None, None
    found = keyness.Frequencies(
        np.array([float(first.hits)]),
        np.array([float(second.hits)]),
        float(first.tokens),
        float(second.tokens),
    )
    return float(keyness.logratio(found)[0]), abs(float(keyness.ll(found)[0]))


def shared_collocates(
    first: Sequence[Collocate], second: Sequence[Collocate], measure: str
) -> tuple[SharedCollocate, ...]:
    """Return the collocates of both texts, those that differ most in strength first.

    A collocate that is in one text only has no score in the other.
    """
    here = {line.value: line for line in first}
    there = {line.value: line for line in second}
    rows = [
        _shared(value, here.get(value), there.get(value), measure)
        for value in dict.fromkeys((*here, *there))
    ]
    return tuple(sorted(rows, key=_distance, reverse=True))


def _shared(
    value: str, first: Collocate | None, second: Collocate | None, measure: str
) -> SharedCollocate:
    known = first or second
    assert known is not None
    return SharedCollocate(
        value,
        first.total if first else 0,
        second.total if second else 0,
        getattr(first, measure) if first else None,
        getattr(second, measure) if second else None,
        first.opens if first else None,
        second.opens if second else None,
    )


def _distance(row: SharedCollocate) -> float:
    if row.first_score is None or row.second_score is None:
        return float("inf")
    return abs(row.first_score - row.second_score)
