"""Documents by date and month: pages of their cards, and how many each month has."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import QueryError
from izwi.model.reading import DocumentList
from izwi.model.results import DocumentCard, MonthCount
from izwi.query.documents import Filter, chosen_documents

MOST_CARDS = 1000
_ORDERS = ("date", "newest")


def list_documents(
    segments: Sequence[Segment],
    chosen: Filter,
    *,
    snapshot: int,
    sort: str = "date",
    page: int = 1,
    size: int = 100,
) -> DocumentList:
    """Return one page of the documents that count, oldest or newest first, undated ones last."""
    if sort not in _ORDERS:
        raise QueryError(f"Documents are sorted by {' or '.join(_ORDERS)}, not '{sort}'.")
    if not 1 <= size <= MOST_CARDS:
        raise QueryError(f"A page has 1 to {MOST_CARDS} documents, not {size}.")
    places = [_numbers(segment, chosen) for segment in segments]
    owners = np.repeat(np.arange(len(segments)), [len(own) for own in places])
    numbers = np.concatenate(places) if places else np.zeros(0, np.int64)
    days = _days(segments, places, is_newest_first=sort == "newest")
    total = len(numbers)
    pages = max(1, -(-total // size))
    if not 1 <= page <= pages:
        raise QueryError(f"There is no page {page}: the documents fill {pages}.")
    shown = np.argsort(days, kind="stable")[(page - 1) * size : page * size]
    cards = tuple(_card(segments, int(owners[each]), int(numbers[each])) for each in shown)
    return DocumentList(snapshot, total, page, pages, size, sort, cards)


def months_of(segments: Sequence[Segment]) -> tuple[MonthCount, ...]:
    """Return documents and tokens of each month that has some, copies and undated ones left out."""
    found: dict[str, tuple[int, int]] = {}
    for segment in segments:
        counted = segment.is_original & (segment.dates != NO_DATE)
        months = segment.dates[counted].astype("datetime64[D]").astype("datetime64[M]")
        names, places = np.unique(months, return_inverse=True)
        documents = np.bincount(places, minlength=len(names))
        tokens = np.bincount(places, segment.document_lengths[counted], len(names))
        for name, many, long in zip(names.astype(str), documents, tokens, strict=True):
            before = found.get(name, (0, 0))
            found[name] = (before[0] + int(many), before[1] + int(long))
    return tuple(MonthCount(month, *found[month]) for month in sorted(found))


def _numbers(segment: Segment, chosen: Filter) -> NDArray[np.int64]:
    mask = chosen_documents(segment, chosen).mask
    every = np.arange(len(segment.document_starts), dtype=np.int64)
    return every if mask is None else every[mask]


def _days(
    segments: Sequence[Segment], places: Sequence[NDArray[np.int64]], *, is_newest_first: bool
) -> NDArray[np.int64]:
    """Return what documents are ordered by: their day, the undated after all others."""
    if not segments:
        return np.zeros(0, np.int64)
    days = np.concatenate(
        [segment.dates[own].astype(np.int64) for segment, own in zip(segments, places, strict=True)]
    )
    ordered = -days if is_newest_first else days
    return np.where(days == NO_DATE, np.iinfo(np.int64).max, ordered)


def _card(segments: Sequence[Segment], owner: int, number: int) -> DocumentCard:
    segment = segments[owner]
    id = segment.document_id(number)
    return segment.card(number, copies=sum(each.copies_of(id) for each in segments))
