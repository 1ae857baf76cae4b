"""How the frequency of a query changes over time."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.categories import (
    NO_PERIOD,
    check_period,
    period_end,
    period_label,
    period_start,
    periods_of,
)
from izwi.analyse.frequency import notes_on
from izwi.analyse.selection import Selection
from izwi.analyse.statistics import (
    MOST_POINTS,
    Rates,
    Slope,
    Sums,
    change_points,
    optional,
    rates,
    slope_of,
)
from izwi.index.columns import distinct
from izwi.index.reader import NO_DATE
from izwi.model.analyses import ChangePoint, Opening, Trend, TrendPoint, escaped
from izwi.model.errors import QueryError
from izwi.query.engine import Filter
from izwi.query.hits import SegmentHits
from izwi.query.tree import Query, format_query

_YEAR = 365.2425
_EPOCH = date(1970, 1, 1)
# More points than anybody can look at: one wrong date is enough for millions of days.
MOST_PERIODS = 40_000
_NOTHING = Slope(np.nan, np.nan, np.nan, np.nan, np.nan)


# The period is chosen by how many hits there are: the shortest with so many of them on average,
# and no more periods than can be told apart in a picture.
AUTO = "auto"
_ENOUGH_HITS = 10
_MOST_PERIODS = 150
_LENGTHS = {"week": 7, "month": 30, "quarter": 91, "year": 365}
_LONG_DAYS = 365 * 40


@dataclass(frozen=True, slots=True)
class _Span:
    """The text of each period from the first to the last, and where it begins and ends."""

    name: str
    first: int
    documents: NDArray[np.int64]
    tokens: NDArray[np.int64]
    tokens_squared: NDArray[np.float64]
    undated_tokens: int
    # The first and the last day with text that is in a period.
    begin: date
    end: date
    # The period of each document, counted from the first; the one past the last is none.
    places: tuple[NDArray[np.int64], ...]
    # What the periods are called, and their first and last days.
    labels: tuple[str, ...]
    days: tuple[tuple[date, date], ...]
    # When they begin, in years.
    times: NDArray[np.float64]

    @property
    def size(self) -> int:
        """How many periods there are."""
        return len(self.tokens)


def trend(selection: Selection, query: Query, by: str, *, has_panel: bool, text: str) -> Trend:
    """Return the rate of a query in every period, and whether it rises or falls."""
    if by == AUTO:
        by = period_for(_days(selection.hits(query)))
    check_period(by)
    panel: tuple[str, ...] = ()
    if has_panel:
        panel, selection = fixed_panel(selection, by)
    span = _span(selection, by)
    parts = selection.hits(query)
    sums, undated = _summed(span, parts)
    found = rates(sums)
    is_complete = _complete(selection, span)
    points = _points(selection, span, sums, found, is_complete, format_query(query))
    slope = _slope(span, sums, found, is_complete) or _NOTHING
    return Trend(
        query=text,
        cql=format_query(query),
        snapshot=selection.number,
        by=by,
        hits=int(sums.hits.sum()) + undated,
        tokens=selection.tokens,
        points=points,
        slope=optional(slope.slope),
        slope_low=optional(slope.low),
        slope_high=optional(slope.high),
        tau=optional(slope.tau),
        p=optional(slope.p),
        changes=_changes(span, sums, found, is_complete),
        panel=panel,
        undated_hits=undated,
        undated_tokens=span.undated_tokens,
        notes=(
            *_notes(selection, span, int(sums.hits.sum()) + undated, has_panel, panel),
            *_sample_notes(sums, is_complete),
        ),
    )


def period_for(days: NDArray[np.int64]) -> str:
    """Return the shortest period that has enough of some hits, given by their days since 1970.

    >>> period_for(np.arange(0, 3650, 2)), period_for(np.array([0, 365, 3650]))
    ('month', 'year')
    """
    if not len(days):
        return "year"
    span = int(days.max() - days.min()) + 1
    for name, length in _LENGTHS.items():
        periods = max(1, span // length)
        if periods <= _MOST_PERIODS and len(days) >= _ENOUGH_HITS * periods:
            return name
    return "decade" if span > _LONG_DAYS and len(days) < span // 365 else "year"


def _days(parts: Sequence[SegmentHits]) -> NDArray[np.int64]:
    """Return the days of all hits that have one."""
    every = [part.segment.dates[part.documents].astype(np.int64) for part in parts]
    days = np.concatenate([np.empty(0, np.int64), *every])
    return np.asarray(days[days != NO_DATE])


def fixed_panel(selection: Selection, by: str) -> tuple[tuple[str, ...], Selection]:
    """Return the publications with text in every period, and the selection of their documents."""
    span = _span(selection, by)
    present: dict[str, set[int]] = {}
    for segment, mask, places in zip(selection.segments, selection.masks, span.places, strict=True):
        numbers, names = segment.publications
        counted = places < span.size if mask is None else (places < span.size) & mask
        pairs = distinct(numbers[counted] * span.size + places[counted])
        for pair in pairs.tolist():
            present.setdefault(names[pair // span.size], set()).add(pair % span.size)
    wanted = set(np.flatnonzero(span.documents).tolist())
    panel = tuple(sorted(name for name, own in present.items() if own >= wanted))
    only = tuple(
        np.array([name in panel for name in names], np.bool_)[numbers]
        for numbers, names in (segment.publications for segment in selection.segments)
    )
    # What opens a point has to know the panel too.
    chosen = _narrowed_to(panel, selection.chosen) if panel else selection.chosen
    return panel, replace(selection, chosen=chosen, only=None if panel else only)


def _narrowed_to(panel: tuple[str, ...], chosen: Filter) -> Filter:
    own = " | ".join(f'publication="{escaped(name)}"' for name in panel)
    return replace(chosen, where=f"({chosen.where}) & ({own})" if chosen.where else own)


def _span(selection: Selection, name: str) -> _Span:
    """Return the text of each period; kept with the segments, as it is the same for all queries."""
    if not selection.segments or selection.only is not None:
        return _measured(selection, name)
    folders = tuple(segment.folder.name for segment in selection.segments)
    key = ("span", name, selection.chosen, folders)
    return selection.segments[0].remembered(key, lambda: _measured(selection, name))


def _measured(selection: Selection, name: str) -> _Span:
    rows = list(zip(selection.segments, selection.masks, strict=True))
    periods = [periods_of(segment, name) for segment, _ in rows]
    kept = [
        own if mask is None else np.where(mask, own, NO_PERIOD)
        for own, (_, mask) in zip(periods, rows, strict=True)
    ]
    every = np.concatenate([np.empty(0, np.int64), *kept])
    known = every[every != NO_PERIOD]
    first = int(known.min()) if len(known) else 0
    size = _checked(int(known.max()) - first + 1 if len(known) else 0, name)
    places = tuple(np.where(own == NO_PERIOD, size, own - first) for own in kept)
    sums = np.zeros((3, size + 1))
    for at, (segment, mask) in zip(places, rows, strict=True):
        own = at if mask is None else at[mask]
        lengths = segment.document_lengths if mask is None else segment.document_lengths[mask]
        for row, weights in enumerate((np.ones(len(own)), lengths, lengths.astype(float) ** 2)):
            sums[row] += np.bincount(own, weights, size + 1)
    # A date too vague for its period does not tell how far the text reaches.
    days = [segment.dates[own != NO_PERIOD] for own, (segment, _) in zip(kept, rows, strict=True)]
    spans = tuple(
        (period_start(name, number), period_end(name, number))
        for number in range(first, first + size)
    )
    begin, end = _extent(np.concatenate([np.empty(0, np.int32), *days]))
    return _Span(
        name,
        first,
        sums[0, :size].astype(np.int64),
        np.rint(sums[1, :size]).astype(np.int64),
        sums[2, :size],
        int(sums[1, size]),
        begin,
        end,
        places,
        tuple(period_label(name, number) for number in range(first, first + size)),
        spans,
        np.array([start.toordinal() for start, _ in spans], np.float64) / _YEAR,
    )


def _checked(size: int, name: str) -> int:
    if size > MOST_PERIODS:
        raise QueryError(
            f"From the first document to the last there are {size:,} periods by {name}, more than "
            f"{MOST_PERIODS:,}: choose a longer period, or the years to be counted."
        )
    return size


def _extent(days: NDArray[np.int32]) -> tuple[date, date]:
    if not len(days):
        return _EPOCH, _EPOCH
    return _EPOCH + timedelta(int(days.min())), _EPOCH + timedelta(int(days.max()))


def _summed(span: _Span, parts: Sequence[SegmentHits]) -> tuple[Sums, int]:
    """Return the sums of each period, and the hits of documents without one."""
    sums = np.zeros((4, span.size + 1))
    for part, places in zip(parts, span.places, strict=True):
        documents, counts = part.tally.documents, part.tally.counts.astype(np.float64)
        lengths = part.segment.document_lengths[documents]
        at = places[documents]
        for row, weights in enumerate((counts, counts**2, counts * lengths, np.ones(len(at)))):
            sums[row] += np.bincount(at, weights, span.size + 1)
    hits = np.rint(sums[0]).astype(np.int64)
    size = span.size
    return (
        Sums(
            span.documents,
            span.tokens,
            span.tokens_squared,
            hits[:size],
            sums[1, :size],
            sums[2, :size],
            sums[3, :size].astype(np.int64),
        ),
        int(hits[size]),
    )


def _complete(selection: Selection, span: _Span) -> NDArray[np.bool_]:
    """Return which periods the chosen text reaches over; the first and the last often are cut."""
    found = np.ones(span.size, np.bool_)
    if not span.size:
        return found
    begin = max(filter(None, (span.begin, selection.chosen.since)))
    end = min(filter(None, (span.end, selection.chosen.until)))
    found[0] = span.days[0][0] >= begin
    found[-1] &= span.days[-1][1] <= end
    return found


def _points(
    selection: Selection,
    span: _Span,
    sums: Sums,
    found: Rates,
    is_complete: NDArray[np.bool_],
    cql: str,
) -> tuple[TrendPoint, ...]:
    columns = (
        *(sums.hits, sums.with_hits, sums.documents, sums.tokens),
        *(found.per_million, found.low, found.high, is_complete),
    )
    rows = zip(*(column.tolist() for column in columns), strict=True)
    opening = selection.opening(cql)
    return tuple(
        _point(label, days, row, opening)
        for label, days, row in zip(span.labels, span.days, rows, strict=True)
    )


def _point(
    label: str, days: tuple[date, date], row: tuple[Any, ...], opening: Opening
) -> TrendPoint:
    hits, with_hits, documents, tokens, rate, low, high, is_complete = row
    start, end = days
    has_text = tokens > 0
    return TrendPoint(
        label,
        start,
        end,
        hits,
        with_hits,
        documents,
        tokens,
        rate if has_text else None,
        low if has_text else None,
        high if has_text else None,
        is_complete,
        Opening(
            opening.query,
            opening.where,
            max(start, opening.since) if opening.since else start,
            min(end, opening.until) if opening.until else end,
            opening.sources,
            opening.copies,
        ),
    )


def _counted(sums: Sums, is_complete: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return the complete periods that have text."""
    return np.flatnonzero(is_complete & (sums.tokens > 0))


def _slope(span: _Span, sums: Sums, found: Rates, is_complete: NDArray[np.bool_]) -> Slope | None:
    """Return the slope over complete periods that have text, per million and year."""
    counted = _counted(sums, is_complete)
    return slope_of(span.times[counted], found.per_million[counted])


def _changes(
    span: _Span, sums: Sums, found: Rates, is_complete: NDArray[np.bool_]
) -> tuple[ChangePoint, ...]:
    counted = _counted(sums, is_complete)
    hits, tokens = sums.hits[counted].astype(np.float64), sums.tokens[counted].astype(np.float64)
    if not len(counted):
        return ()
    places = change_points(hits, tokens, float(np.median(found.design_effect[counted])))
    edges = [0, *places, len(counted)]
    levels = [1e6 * hits[a:b].sum() / tokens[a:b].sum() for a, b in pairwise(edges)]
    return tuple(
        ChangePoint(span.labels[int(counted[at])], float(levels[number]), float(levels[number + 1]))
        for number, at in enumerate(places)
    )


def _notes(
    selection: Selection, span: _Span, hits: int, has_panel: bool, panel: Sequence[str]
) -> tuple[str, ...]:
    notes = list(notes_on(selection, hits))
    if has_panel and not panel:
        notes = ["No publication has text in every period, so a fixed panel is empty."]
    if selection.tokens and not span.size:
        notes.append(f"No chosen document has a date exact enough for its {span.name}.")
    if span.undated_tokens and span.size:
        notes.append(
            f"{span.undated_tokens:,} of {selection.tokens:,} tokens have no date, or one too "
            f"vague to give a {span.name}; they belong to no period."
        )
    empty = int((span.tokens == 0).sum())
    if empty:
        notes.append(f"{empty} periods have no text and so no rate.")
    return tuple(notes)


def _sample_notes(sums: Sums, is_complete: NDArray[np.bool_]) -> tuple[str, ...]:
    counted = len(_counted(sums, is_complete))
    if counted <= MOST_POINTS:
        return ()
    return (
        f"{counted:,} periods have too many pairs to look at each: the slope and its interval are "
        "estimated from a sample of them, the same every time.",
    )
