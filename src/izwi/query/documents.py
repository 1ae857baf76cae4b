"""Which documents count: a range of dates, some sources, or any condition on their metadata."""

from datetime import date

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import CqlSyntaxError, QueryError
from izwi.model.records import dataclass
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
    # Whether copies that were folded count too.
    copies: bool = False

    def __post_init__(self) -> None:
        if self.since and self.until and self.since > self.until:
            raise QueryError(
                f"The range of dates is reversed: it begins on {self.since} and ends on "
                f"{self.until}. Exchange the two."
            )


@dataclass(frozen=True, slots=True)
class Chosen:
    """The documents of a segment that count (all, if there is no mask) and their size."""

    mask: NDArray[np.bool_] | None
    tokens: int
    # Documents and tokens by year, counted from the segment's first; undated ones left out.
    documents_by_year: NDArray[np.int64]
    tokens_by_year: NDArray[np.int64]


def chosen_documents(segment: Segment, chosen: Filter) -> Chosen:
    """Return which documents of a segment count; asked again, the same is not computed again."""
    return segment.remembered(chosen, lambda: _measured(segment, _mask(segment, chosen)))


def _measured(segment: Segment, mask: NDArray[np.bool_]) -> Chosen:
    _, places = segment.years
    counted = mask & (places >= 0)
    kept, lengths = places[counted], segment.document_lengths
    return Chosen(
        None if mask.all() else mask,
        int(lengths[mask].sum()),
        np.bincount(kept).astype(np.int64),
        np.bincount(kept, lengths[counted]).astype(np.int64),
    )


def _mask(segment: Segment, chosen: Filter) -> NDArray[np.bool_]:
    mask = ~segment.is_gone
    if not chosen.copies:
        mask &= ~segment.is_copy
    if chosen.since:
        mask &= segment.dates >= (chosen.since - _EPOCH).days
    if chosen.until:
        mask &= (segment.dates <= (chosen.until - _EPOCH).days) & (segment.dates != NO_DATE)
    if chosen.sources:
        numbers, names = segment.sources
        mask &= np.array([name in chosen.sources for name in names], np.bool_)[numbers]
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
