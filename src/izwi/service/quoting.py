"""Hits as quotations: found by their permanent ids, or by a query."""

from collections.abc import Callable, Iterator, Sequence

from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.quotation import Quotation, quotation_of
from izwi.model.results import Concordance, KwicLine
from izwi.query.concordance import MOST_LINES
from izwi.query.lookup import find_hit

MOST = 10_000


def lines_named(
    segments: Sequence[Segment], hits: Sequence[str], *, context: int
) -> tuple[KwicLine, ...]:
    """Return the lines of hits; those that are not there are all named in one error."""
    if len(hits) > MOST:
        raise QueryError(f"At most {MOST:,} hits are quoted at once, not {len(hits):,}.")
    missing: list[str] = []
    found = tuple(_found(segments, hits, context, missing))
    if missing:
        raise QueryError(" ".join(missing))
    return found


def quotations_of(lines: Sequence[KwicLine], corpus: str, version: int) -> tuple[Quotation, ...]:
    """Return lines as quotations of a version of a corpus."""
    return tuple(quotation_of(line, corpus, version) for line in lines)


def first_lines(page: Callable[[int, int], Concordance], most: int) -> tuple[KwicLine, ...]:
    """Return the first lines of a query, given a way to its pages by number and size."""
    if not 1 <= most <= MOST:
        raise QueryError(f"1 to {MOST:,} hits of a query are quoted, not {most}.")
    size = min(most, MOST_LINES)
    found = page(1, size)
    lines = found.lines
    for number in range(2, min(found.pages, -(-most // size)) + 1):
        lines += page(number, size).lines
    return lines[:most]


def _found(
    segments: Sequence[Segment], hits: Sequence[str], context: int, missing: list[str]
) -> Iterator[KwicLine]:
    for hit in hits:
        try:
            yield find_hit(segments, hit, context=context)
        except QueryError as error:
            missing.append(str(error))
