"""The order of concordance lines: by their documents, by words around them, by chance."""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import NO_DATE, Attribute, Segment
from izwi.model.errors import QueryError
from izwi.query.engine import SegmentHits
from izwi.query.examples import scores

SORTS = ("date", "newest", "left", "node", "right", "source", "random", "example")
MOST_KEYS = 5
_BY_DOCUMENT = {"date", "newest", "source"}
# Tokens of a match that are compared; longer ones are equal for the purpose of sorting.
_MOST_NODE = 6
_NEAR = 3

Order = NDArray[np.int64]


def sort_keys(sort: str) -> tuple[str, ...]:
    """Return the keys of a sort order such as `left,date`, or raise an error that lists them."""
    keys = tuple(key.strip() for key in sort.split(","))
    for key in keys:
        if key not in SORTS:
            raise QueryError(
                f"Lines cannot be sorted by '{key}'; choose one of {', '.join(SORTS)}."
            )
    if len(keys) > MOST_KEYS:
        raise QueryError(f"Lines are sorted by at most {MOST_KEYS} keys, not {len(keys)}.")
    return keys


def page_of(
    parts: Sequence[SegmentHits], sort: str, seed: int, first: int, last: int
) -> list[tuple[SegmentHits, int]]:
    """Return the hits from one place of the order up to another; ties keep corpus order."""
    keys = sort_keys(sort)
    if set(keys) <= _BY_DOCUMENT:
        return _page_by_document(parts, keys, first, last)
    lengths = [len(part.starts) for part in parts]
    order = _order(parts, keys, seed)[first:last]
    ends = np.cumsum(lengths)
    places = np.searchsorted(ends, order, side="right")
    begins = np.concatenate(([0], ends))[places] if len(order) else order
    return [
        (parts[place], number)
        for place, number in zip(places.tolist(), (order - begins).tolist(), strict=True)
    ]


def _page_by_document(
    parts: Sequence[SegmentHits], keys: Sequence[str], first: int, last: int
) -> list[tuple[SegmentHits, int]]:
    """Sort documents instead of hits, of which there are many more, and count off the page."""
    none = np.empty(0, np.int64)
    counts = [part.by_document for part in parts]
    every = np.concatenate([none, *counts]).astype(np.int64)
    begins = np.concatenate([none, *(np.cumsum(own) - own for own in counts)]).astype(np.int64)
    segments = np.repeat(np.arange(len(parts)), [len(own) for own in counts])
    used = np.flatnonzero(every)
    columns = [column[used] for key in keys for column in _document_keys(parts, key)]
    order = used[np.lexsort(columns[::-1])]
    ends = np.cumsum(every[order])
    found: list[tuple[SegmentHits, int]] = []
    place = int(np.searchsorted(ends, first, side="right"))
    while place < len(order) and first < last:
        document = order[place]
        before = int(ends[place] - every[document])
        numbers = range(first - before, min(last, int(ends[place])) - before)
        part, begin = parts[segments[document]], int(begins[document])
        found += [(part, begin + number) for number in numbers]
        first, place = max(first, int(ends[place])), place + 1
    return found


def _document_keys(parts: Sequence[SegmentHits], key: str) -> list[Order]:
    segments = [part.segment for part in parts]
    none = np.empty(0, np.int64)
    if key == "source":
        return [_ranked([segment.sources for segment in segments])]
    days = np.concatenate([none, *(segment.dates.astype(np.int64) for segment in segments)])
    undated = (days == NO_DATE).astype(np.int64)
    return [undated, -days if key == "newest" else days]


def _order(parts: Sequence[SegmentHits], keys: Sequence[str], seed: int) -> Order:
    total = sum(len(part.starts) for part in parts)
    if keys == ("random",):
        return np.random.default_rng(seed).permutation(total)
    columns = [column for key in keys for column in _hit_keys(parts, key, seed, total)]
    return _sorted_by(columns) if columns else np.arange(total)


def _hit_keys(parts: Sequence[SegmentHits], key: str, seed: int, total: int) -> list[Order]:
    if key == "random":
        return [np.random.default_rng(seed).permutation(total)]
    if key == "example":
        none = np.empty(0, np.float64)
        found = np.concatenate([none, *(scores(part) for part in parts)])
        return [(-found * 1_000_000).astype(np.int64)]
    if key in _BY_DOCUMENT:
        counts = np.concatenate([np.empty(0, np.int64), *(part.by_document for part in parts)])
        columns = _document_keys(parts, key)
        return [np.repeat(column, counts.astype(np.int64)) for column in columns]
    # The forms of a hit differ in their capitals only; its neighbours sort without regard to them.
    choose = _as_written if key == "node" else sorting_attribute
    return [
        _ranked([_neighbours(part, at, choose(part.segment)) for part in parts])
        for at in _places(parts, key)
    ]


def _places(
    parts: Sequence[SegmentHits], key: str
) -> list[Callable[[SegmentHits], NDArray[np.int64]]]:
    """Return which token each key compares, as functions of the hits."""
    if key == "left":
        return [lambda hits, n=n: hits.starts.astype(np.int64) - n for n in range(1, _NEAR + 1)]  # type: ignore[misc]
    if key == "right":
        return [lambda hits, n=n: hits.ends.astype(np.int64) + n for n in range(_NEAR)]  # type: ignore[misc]
    longest = max(
        (int((part.ends - part.starts).max()) for part in parts if len(part.starts)), default=0
    )
    return [
        lambda hits, n=n: np.where(hits.starts + n < hits.ends, hits.starts + n, -1).astype(  # type: ignore[misc]
            np.int64
        )
        for n in range(min(longest, _MOST_NODE))
    ]


def sorting_attribute(segment: Segment) -> Attribute:
    """Return the attribute by which words are sorted: in lower case if there is one."""
    return segment.lc if "lc" in segment.attributes else segment.word


def _as_written(segment: Segment) -> Attribute:
    return segment.word


def _neighbours(
    hits: SegmentHits, at: Callable[[SegmentHits], NDArray[np.int64]], attribute: Attribute
) -> tuple[Order, "list[str] | Attribute"]:
    """Return the value number of a token near each hit, -1 outside its document."""
    positions, segment = at(hits), hits.segment
    documents = hits.documents
    begins = segment.document_starts[documents].astype(np.int64)
    inside = (positions >= begins) & (positions < segment.document_ends[documents])
    numbers = np.full(len(positions), -1, np.int64)
    numbers[inside] = attribute.column[positions[inside]]
    return numbers, attribute


def _ranked(parts: Sequence[tuple[Order, "list[str] | Attribute"]]) -> Order:
    """Return a number for each item that sorts as its text does, across segments; -1 is first."""
    if len(parts) == 1 and isinstance(parts[0][1], Attribute):
        numbers, attribute = parts[0]
        assert isinstance(attribute, Attribute)
        ranks = attribute.lexicon.ranks[np.maximum(numbers, 0)].astype(np.int64)
        return np.where(numbers < 0, -1, ranks)
    used = [np.unique(numbers, return_inverse=True) for numbers, _ in parts]
    texts = [_texts(distinct, own) for (distinct, _), (_, own) in zip(used, parts, strict=True)]
    every = sorted({text for own in texts for text in own}, key=lambda t: (t.casefold(), t))
    rank = {text: place for place, text in enumerate(every)}
    none = np.empty(0, np.int64)
    return np.concatenate(
        [
            none,
            *(
                np.array([rank[text] for text in own], np.int64)[inverse] if own else none
                for own, (_, inverse) in zip(texts, used, strict=True)
            ),
        ]
    )


def _texts(distinct: Order, own: "list[str] | Attribute") -> list[str]:
    if isinstance(own, list):
        return [own[number] for number in distinct.tolist()]
    known = distinct[distinct >= 0]
    return [""] * (len(distinct) - len(known)) + own.values(known)


def _sorted_by(columns: Sequence[Order]) -> Order:
    """Return the stable order by several keys, as one number each where they fit into one."""
    spans = [int(column.max() - column.min()) + 1 if len(column) else 1 for column in columns]
    total = 1
    for span in spans:
        total *= span
    if total >= 1 << 62:
        return np.lexsort(list(columns[::-1]))
    joined = np.zeros(len(columns[0]), np.int64)
    for column, span in zip(columns, spans, strict=True):
        joined = joined * span + (column - column.min() if len(column) else column)
    return np.argsort(joined, kind="stable")
