"""Which documents count: a range of dates, some sources, or any condition on their metadata."""

from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import CqlSyntaxError, QueryError
from izwi.query.conditions import holds_for
from izwi.query.cql import parse
from izwi.query.tree import Condition, Region

_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents count; `where` is a condition such as `section="news" & author!=""`."""

    since: date | None = None
    until: date | None = None
    sources: tuple[str, ...] = ()
    where: str = ""


def chosen_documents(segment: Segment, chosen: Filter) -> NDArray[np.bool_]:
    """Return which documents of a segment count."""
    mask = np.ones(len(segment.document_starts), np.bool_)
    if chosen.since:
        mask &= segment.dates >= (chosen.since - _EPOCH).days
    if chosen.until:
        mask &= (segment.dates <= (chosen.until - _EPOCH).days) & (segment.dates != NO_DATE)
    if chosen.sources:
        sources = segment.cards.column("source").to_pylist()
        mask &= np.fromiter(
            (source in chosen.sources for source in sources), np.bool_, len(sources)
        )
    if chosen.where:
        mask &= holds_for(segment, "doc", condition_of(chosen.where))
    return mask


def condition_of(text: str) -> Condition:
    """Return a condition on documents, written as in `<doc ...>`."""
    opening = "<doc "
    try:
        pattern = parse(f"{opening}{text}/>").pattern
    except CqlSyntaxError as error:
        place = max(0, error.position - len(opening))
        words = str(error).splitlines()[0].split(": ", 1)[-1]
        raise QueryError(
            f"In the condition on documents, at character {place + 1}: {words}"
        ) from None
    if not isinstance(pattern, Region) or pattern.condition is None:
        raise QueryError(f"'{text}' is not a condition on documents, such as source=\"herald\".")
    return pattern.condition
