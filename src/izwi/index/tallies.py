"""How much a segment holds, counted when it is written: nobody counts its documents again.

Documents and tokens by origin, by month and by whether they are copies, with the first and the last
day; and documents by section. Of a segment with documents that are gone these are taken off, one by
one: it costs what is gone, not what is there.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.columns import Numbers, Texts, read_table, view_of, write_table
from izwi.index.reader import NO_DATE, Segment, copies_at, days_at
from izwi.index.structures import whole_column
from izwi.model.records import dataclass
from izwi.model.results import MonthCount, YearCount

_TALLY, _SECTIONS = "tally.arrow", "sections.arrow"
# Months since 1970, and what stands for none; so many bits hold all that a calendar has.
_MONTH_BITS = 20
NO_MONTH = -(1 << (_MONTH_BITS - 1))
_LATEST = np.int32(np.iinfo(np.int32).max)

Days = NDArray[np.int32]
Name = TypeVar("Name", str, int)


@dataclass(frozen=True, slots=True)
class Tally:
    """Documents counted together: those of one origin and month that are copies, or are not."""

    # In this order.
    origins: Numbers
    is_copy: NDArray[np.bool_]
    months: Numbers
    documents: Numbers
    tokens: Numbers
    # Days since 1970, NO_DATE without one. Of an origin's other months than its first and its last
    # they may be those of documents that are gone.
    first: Days
    last: Days

    def some(self, kept: NDArray[Any]) -> "Tally":
        """Return some of the rows, by a mask or by their numbers."""
        return Tally(*(getattr(self, name)[kept] for name in _COLUMNS))


_COLUMNS = ("origins", "is_copy", "months", "documents", "tokens", "first", "last")


@dataclass(frozen=True, slots=True)
class Amount:
    """How much there is of something, copies left out, and its first and last day, if any has."""

    documents: int
    tokens: int
    first: int | None
    last: int | None

    def __add__(self, other: "Amount") -> "Amount":
        firsts, lasts = (self.first, other.first), (self.last, other.last)
        return Amount(
            self.documents + other.documents,
            self.tokens + other.tokens,
            min((day for day in firsts if day is not None), default=None),
            max((day for day in lasts if day is not None), default=None),
        )


NOTHING = Amount(0, 0, None, None)


def write_tallies(folder: Path, cards: pa.Table, origins: Numbers, lengths: Numbers) -> None:
    """Count the documents of a segment that is being written."""
    every = np.arange(cards.num_rows)
    is_copy = copies_at(cards, every)
    tally = counted(origins, is_copy, days_at(cards, every), lengths)
    write_table(folder / _TALLY, pa.table({name: getattr(tally, name) for name in _COLUMNS}))
    sections = Counter(_sections(cards, every[~is_copy]))
    columns = {"section": [*sections], "documents": [*sections.values()]}
    schema = pa.schema([("section", pa.string()), ("documents", pa.int64())])
    write_table(folder / _SECTIONS, pa.table(columns, schema=schema))


def counted(origins: Numbers, is_copy: NDArray[np.bool_], days: Days, lengths: Numbers) -> Tally:
    """Return the tally of documents, given one by one."""
    months = _months(days)
    keys = _keys(origins, is_copy, months)
    order = np.argsort(keys, kind="stable")
    is_new = np.ones(len(keys), np.bool_)
    np.not_equal(keys[order][1:], keys[order][:-1], out=is_new[1:])
    starts = np.flatnonzero(is_new)
    documents = np.diff(np.append(starts, len(keys)))
    if not len(starts):  # of nothing there is no first
        return Tally(origins, is_copy, months, documents, lengths, days, days)
    one = order[starts]
    return Tally(
        origins[one],
        is_copy[one],
        months[one],
        documents,
        np.add.reduceat(lengths[order], starts),
        np.minimum.reduceat(days[order], starts),
        np.maximum.reduceat(days[order], starts),
    )


def tally_of(segment: Segment) -> Tally:
    """Return what counts of a segment."""
    return segment.remembered("tally", lambda: _tally(segment))


def _tally(segment: Segment) -> Tally:
    path = segment.folder / _TALLY
    if not path.exists():  # one of before there were any
        return _recounted(segment, np.flatnonzero(~segment.is_gone))
    table = read_table(path)
    columns = {name: _column(table.column(name)) for name in _COLUMNS}
    noted = Tally(**columns)
    return _without(segment, noted) if segment.gone else noted


def _column(column: pa.ChunkedArray) -> NDArray[Any]:
    if column.type == pa.bool_():
        return np.array(column.to_pylist(), np.bool_)
    return view_of(column.chunk(0)) if column.num_chunks else np.zeros(0, np.int64)


def _recounted(segment: Segment, rows: Numbers) -> Tally:
    return counted(
        segment.origins.numbers[:][rows],
        copies_at(segment.cards, rows),
        days_at(segment.cards, rows),
        segment.document_lengths[rows],
    )


def _gone(segment: Segment) -> Numbers:
    """Return the numbers of the documents that count no more."""
    ranges = [np.arange(first, last) for first, last in segment.gone]
    return np.concatenate([np.zeros(0, np.int64), *ranges])


def _without(segment: Segment, noted: Tally) -> Tally:
    """Return a tally less what is gone."""
    rows = _gone(segment)
    days, lengths = days_at(segment.cards, rows), segment.lengths_of(rows)
    keys = _keys(segment.origins.numbers[rows], copies_at(segment.cards, rows), _months(days))
    places = np.searchsorted(_keys(noted.origins, noted.is_copy, noted.months), keys)
    size = len(noted.documents)
    documents = noted.documents - np.bincount(places, minlength=size)
    tokens = noted.tokens - np.bincount(places, lengths, size).astype(np.int64)
    left = Tally(
        noted.origins, noted.is_copy, noted.months, documents, tokens, noted.first, noted.last
    )
    lost = np.zeros((2, size), np.bool_)
    for row, edge in zip(lost, (noted.first, noted.last), strict=True):
        row[places[days == edge[places]]] = True
    left, lost = left.some(documents > 0), lost[:, documents > 0]
    return _with_edges(segment, left, lost)


def _with_edges(segment: Segment, left: Tally, lost: NDArray[np.bool_]) -> Tally:
    """Return a tally with the days of those months again that begin or end an origin's time."""
    is_dated = left.months != NO_MONTH
    groups = np.where(is_dated, left.origins * 2 + left.is_copy, -1)
    is_begin = np.append(True, groups[1:] != groups[:-1])[: len(groups)]
    is_end = np.append(groups[1:] != groups[:-1], True)[: len(groups)]
    open_ = is_dated & ((lost[0] & is_begin) | (lost[1] & is_end))
    if not open_.any():
        return left
    # Only where the first or the last page of an origin is gone: its documents are looked through.
    wanted = np.zeros(len(segment.origins.rows), np.bool_)
    wanted[left.origins[open_]] = True
    again = _recounted(
        segment, np.flatnonzero(wanted[segment.origins.numbers[:]] & ~segment.is_gone)
    )
    kept = ~wanted[left.origins]
    both = (np.append(getattr(left.some(kept), n), getattr(again, n)) for n in _COLUMNS)
    whole = Tally(*both)
    return whole.some(np.argsort(_keys(whole.origins, whole.is_copy, whole.months), kind="stable"))


def _keys(origins: Numbers, is_copy: NDArray[np.bool_], months: Numbers) -> Numbers:
    """Return numbers that are in the order of a tally's rows."""
    keys: Numbers = ((origins.astype(np.int64) * 2 + is_copy) << _MONTH_BITS) + (months - NO_MONTH)
    return keys


def _months(days: Days) -> Numbers:
    months = days.astype("datetime64[D]").astype("datetime64[M]").astype(np.int64)
    return np.where(days == NO_DATE, NO_MONTH, months)


def originals(segment: Segment) -> Tally:
    """Return what counts of a segment, copies left out."""
    tally = tally_of(segment)
    return tally.some(~tally.is_copy)


def count_copies(segments: Iterable[Segment]) -> int:
    """Return how many documents are copies."""
    return sum(int(t.documents[t.is_copy].sum()) for t in map(tally_of, segments))


def by_month(segments: Iterable[Segment]) -> dict[int, Amount]:
    """Return what there is of each month that has some, by months since 1970."""
    found: dict[int, Amount] = {}
    for tally in map(originals, segments):
        dated = tally.some(tally.months != NO_MONTH)
        _add(found, dated, dated.months, None)
    return dict(sorted(found.items()))


def years_of(segments: Sequence[Segment]) -> tuple[YearCount, ...]:
    """Return the tokens of each year; `hits` are its documents here."""
    found: dict[int, Amount] = {}
    for month, held in by_month(segments).items():
        year = 1970 + month // 12
        found[year] = found.get(year, NOTHING) + held
    return tuple(YearCount(year, held.documents, held.tokens) for year, held in found.items())


def months_of(segments: Sequence[Segment]) -> tuple[MonthCount, ...]:
    """Return documents and tokens of each month that has some, copies and undated ones left out."""
    return tuple(
        MonthCount(f"{1970 + month // 12:04}-{month % 12 + 1:02}", held.documents, held.tokens)
        for month, held in by_month(segments).items()
    )


def by_origin(segments: Sequence[Segment], names: Sequence[Sequence[Name]]) -> dict[Name, Amount]:
    """Return what there is of each name, given those of each segment's origins."""
    found: dict[Name, Amount] = {}
    for segment, own in zip(segments, names, strict=True):
        tally = originals(segment)
        _add(found, tally, tally.origins, own)
    return found


def _add(
    found: dict[Name, Amount], tally: Tally, groups: Numbers, names: Sequence[Name] | None
) -> None:
    order = np.argsort(groups, kind="stable")
    starts = np.flatnonzero(np.append(True, np.diff(groups[order]) != 0)[: len(groups)])
    if not len(starts):
        return
    early = np.where(tally.first == NO_DATE, _LATEST, tally.first)
    sums = zip(
        groups[order][starts].tolist(),
        np.add.reduceat(tally.documents[order], starts).tolist(),
        np.add.reduceat(tally.tokens[order], starts).tolist(),
        np.minimum.reduceat(early[order], starts).tolist(),
        np.maximum.reduceat(tally.last[order], starts).tolist(),
        strict=True,
    )
    for number, documents, tokens, first, last in sums:
        name: Any = number if names is None else names[number]
        is_dated = last != NO_DATE
        own = Amount(documents, tokens, first if is_dated else None, last if is_dated else None)
        found[name] = found.get(name, NOTHING) + own


def by_section(segments: Iterable[Segment]) -> dict[str, int]:
    """Return how many documents each section has, copies left out."""
    found: Counter[str] = Counter()
    for segment in segments:
        found.update(segment.remembered("sections", partial(_sectioned, segment)))
    return {section: many for section, many in found.items() if many}


def _sectioned(segment: Segment) -> Counter[str]:
    path = segment.folder / _SECTIONS
    if not path.exists():
        return Counter(_sections(segment.cards, np.flatnonzero(segment.is_original)))
    sections, documents = (column.to_pylist() for column in read_table(path).columns)
    noted = Counter(dict(zip(sections, documents, strict=True)))
    if segment.gone:
        rows = _gone(segment)
        noted.subtract(_sections(segment.cards, rows[~copies_at(segment.cards, rows)]))
    return noted


def _sections(cards: pa.Table, rows: Numbers) -> list[str]:
    # Where none is said Arrow has no letters either.
    return Texts(whole_column(cards, "section")).some(rows.tolist())
