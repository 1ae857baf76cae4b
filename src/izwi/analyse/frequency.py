"""Frequencies of a query by documents, forms or neighbours, and how evenly it is spread."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.categories import Cell
from izwi.analyse.dimensions import (
    Dimension,
    DocumentDimension,
    PointDimension,
    Texts,
    dimension,
    texts_of,
)
from izwi.analyse.selection import Selection
from izwi.analyse.statistics import Rates, Sums, grouped, optional, rates
from izwi.model.analyses import Dispersion, Frequencies, FrequencyLine, Opening, PartLine
from izwi.model.errors import QueryError
from izwi.query.hits import SegmentHits
from izwi.query.tree import Query, format_query

SORTS = ("hits", "rate", "value")
Codes = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Counting:
    """By what frequencies are counted, and which lines are shown."""

    by: str = "publication"
    and_by: str = ""
    sort: str = "hits"
    least: int = 1
    most: int = 100

    def __post_init__(self) -> None:
        if self.sort not in SORTS:
            raise QueryError(f"Lines are sorted by {', '.join(SORTS)}, not by '{self.sort}'.")
        if self.least < 0 or self.most < 1:
            raise QueryError("The minimum is 0 or more, and at least one line is shown.")

    @property
    def names(self) -> tuple[str, ...]:
        """What is counted by."""
        return (self.by, self.and_by) if self.and_by else (self.by,)


@dataclass(frozen=True, slots=True)
class _Cells:
    """The cells that have hits or text: a code in each dimension, and sums over documents."""

    codes: tuple[Codes, ...]
    sums: Sums


def frequencies(selection: Selection, query: Query, wanted: Counting, text: str) -> Frequencies:
    """Return how often a query occurs, by one thing or by two."""
    dimensions = [dimension(selection.segments, name, query) for name in wanted.names]
    parts = selection.hits(query)
    hits = sum(map(len, parts))
    cells = _cells(selection, parts, dimensions)
    found = rates(cells.sums)
    shown = _chosen(cells, dimensions, found, wanted)
    return Frequencies(
        query=text,
        cql=format_query(query),
        snapshot=selection.number,
        by=wanted.names,
        hits=hits,
        documents=sum(len(part.tally.documents) for part in parts),
        tokens=selection.tokens,
        total=int((cells.sums.hits >= wanted.least).sum()),
        sort=wanted.sort,
        lines=tuple(_line(selection, query, dimensions, cells, found, hits, at) for at in shown),
        notes=notes_on(selection, hits),
    )


def notes_on(selection: Selection, hits: int) -> tuple[str, ...]:
    """Return why a table is empty, if it is."""
    if not selection.tokens:
        return ("No document matches the conditions, so there is nothing to count.",)
    return () if hits else ("The query does not occur in the chosen documents.",)


def _cells(
    selection: Selection, parts: Sequence[SegmentHits], dimensions: Sequence[Dimension]
) -> _Cells:
    texts = texts_of(
        selection, [each for each in dimensions if isinstance(each, DocumentDimension)]
    )
    if all(isinstance(each, DocumentDimension) for each in dimensions):
        return _document_cells(selection, parts, texts, dimensions)
    columns = []
    for place, part in enumerate(parts):
        selection.deadline.check()
        columns.append(_pairs(part, [each.codes(place, part) for each in dimensions]))
    if not columns:
        return _document_cells(selection, parts, texts, dimensions[:0])
    return _form_cells(
        [np.concatenate(each) for each in zip(*columns, strict=True)], dimensions, texts
    )


def _document_cells(
    selection: Selection,
    parts: Sequence[SegmentHits],
    texts: Texts,
    dimensions: Sequence[Dimension],
) -> _Cells:
    """Return the cells of documents alone: their hits are added up document by document."""
    size = len(texts.tokens)
    sums = np.zeros((4, size))
    for place, part in enumerate(parts):
        tally, lengths = part.tally, part.segment.document_lengths
        cells, counts = texts.cells[place][tally.documents], tally.counts.astype(np.float64)
        for row, weights in enumerate(
            (counts, counts**2, counts * lengths[tally.documents], np.ones(len(counts)))
        ):
            sums[row] += np.bincount(cells, weights, size)
    return _Cells(_unjoined(texts.keys, dimensions), _with_texts(texts, np.arange(size), sums))


def _pairs(part: SegmentHits, codes: list[Codes]) -> list[NDArray[np.int64]]:
    """Return one row for each cell and document that meet: codes, hits, tokens of the document."""
    documents = part.documents
    joined = documents.copy()
    for column in codes:
        own, size = grouped(column, int(column.max()) + 1 if len(column) else 1)
        joined = joined * len(size) + own
    _, first, counts = np.unique(joined, return_index=True, return_counts=True)
    lengths = part.segment.document_lengths[documents[first]]
    return [*(column[first] for column in codes), counts, lengths]


def _form_cells(
    columns: list[NDArray[np.int64]], dimensions: Sequence[Dimension], texts: Texts
) -> _Cells:
    """Return the cells of forms and neighbours: those that have hits."""
    *codes, counts, lengths = columns
    joined = np.zeros(len(counts), np.int64)
    for column, each in zip(codes, dimensions, strict=True):
        joined = joined * each.size + column
    keys, cells = np.unique(joined, return_inverse=True)
    some = counts.astype(np.float64)
    weights = (some, some**2, some * lengths, np.ones(len(some)))
    sums = np.array([np.bincount(cells.reshape(-1), each, len(keys)) for each in weights], float)
    unjoined = _unjoined(keys, dimensions)
    outer = np.zeros(len(keys), np.int64)
    for column, each in zip(unjoined, dimensions, strict=True):
        if isinstance(each, DocumentDimension):
            outer = outer * each.size + column
    return _Cells(unjoined, _with_texts(texts, texts.places(outer), sums))


def _unjoined(keys: Codes, dimensions: Sequence[Dimension]) -> tuple[Codes, ...]:
    """Return the code of each dimension that a joined code is made of."""
    found: list[Codes] = []
    for each in reversed(dimensions):
        keys, code = np.divmod(keys, each.size)
        found.insert(0, code)
    return tuple(found)


def _with_texts(texts: Texts, outer: Codes, sums: NDArray[np.float64]) -> Sums:
    hits, squared, by_tokens, with_hits = sums
    return Sums(
        texts.documents[outer],
        texts.tokens[outer],
        texts.tokens_squared[outer],
        np.rint(hits).astype(np.int64),
        squared,
        by_tokens,
        with_hits.astype(np.int64),
    )


def _chosen(
    cells: _Cells, dimensions: Sequence[Dimension], found: Rates, wanted: Counting
) -> list[int]:
    """Return the cells to be shown, in order."""
    sums = cells.sums
    has_text = (sums.tokens > 0) | (sums.hits > 0)
    candidates = np.flatnonzero((sums.hits >= wanted.least) & has_text)
    if wanted.sort == "value":
        return sorted(
            candidates.tolist(),
            key=lambda at: [
                each.order(int(codes[at]))
                for each, codes in zip(dimensions, cells.codes, strict=True)
            ],
        )[: wanted.most]
    first = sums.hits if wanted.sort == "hits" else np.nan_to_num(found.per_million)
    order = np.lexsort((candidates, -first[candidates]))
    shown: list[int] = candidates[order][: wanted.most].tolist()
    return shown


def _line(
    selection: Selection,
    query: Query,
    dimensions: Sequence[Dimension],
    cells: _Cells,
    found: Rates,
    hits: int,
    at: int,
) -> FrequencyLine:
    sums = cells.sums
    codes = [int(column[at]) for column in cells.codes]
    return FrequencyLine(
        tuple(each.label(code) for each, code in zip(dimensions, codes, strict=True)),
        int(sums.hits[at]),
        float(sums.hits[at]) / hits if hits else 0.0,
        int(sums.with_hits[at]),
        int(sums.tokens[at]),
        optional(found.per_million[at]),
        optional(found.low[at]),
        optional(found.high[at]),
        _opening(selection, query, dimensions, codes),
    )


def _opening(
    selection: Selection, query: Query, dimensions: Sequence[Dimension], codes: Sequence[int]
) -> Opening:
    wheres = []
    since, until = selection.chosen.since, selection.chosen.until
    for each, code in zip(dimensions, codes, strict=True):
        if isinstance(each, PointDimension) and not each.label(code):
            return Opening("")  # beyond the text: no query asks for what is not there
        query = each.narrowed(query, code)
        if isinstance(each, DocumentDimension):
            cell = each.cell(code)
            wheres += [f"({cell.where})"] if cell.where else []
            since = max(filter(None, (since, cell.since)), default=None)
            until = min(filter(None, (until, cell.until)), default=None)
    opening = selection.opening(format_query(query), where=" & ".join(wheres))
    return replace(opening, since=since, until=until)


MOST_MARKS = 1000
Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


def juilland_d(hits: Counts, tokens: Counts) -> float:
    """Return Juilland's D: 1 is even over parts, 0 is all in one (rates, so parts may differ).

    >>> round(juilland_d(np.array([1, 2, 3, 4, 5]), np.array([9, 10, 10, 10, 11])), 3)
    0.785
    """
    shares = hits / tokens
    if len(hits) < 2 or not hits.any():
        return float("nan")
    variation = float(shares.std() / shares.mean())
    return max(0.0, 1 - variation / float(np.sqrt(len(hits) - 1)))


def deviation_of_proportions(hits: Counts, tokens: Counts) -> tuple[float, float]:
    """Return Gries's DP (2008) and DP norm (Lijffijt and Gries 2012): 0 is even, 1 is clumped.

    >>> dp, norm = deviation_of_proportions(
    ...     np.array([1, 2, 3, 4, 5]), np.array([9, 10, 10, 10, 11]))
    >>> round(dp, 2), round(norm, 2)
    (0.18, 0.22)
    """
    if not hits.any() or not tokens.any():
        return float("nan"), float("nan")
    shares = tokens / tokens.sum()
    dp = float(np.abs(hits / hits.sum() - shares).sum() / 2)
    smallest = float(shares[shares > 0].min())
    return dp, dp / (1 - smallest) if smallest < 1 else 0.0


def average_reduced_frequency(places: Counts, tokens: int) -> float:
    """Return ARF (Savický and Hlaváčová 2002): hits, each worth at most its even share of text.

    >>> average_reduced_frequency(np.array([0, 5]), 10), round(
    ...     average_reduced_frequency(np.array([0, 1]), 10), 1)
    (2.0, 1.2)
    """
    if not len(places):
        return float("nan")
    even = tokens / len(places)
    distances = np.diff(places, append=places[0] + tokens)
    return float(np.minimum(distances, even).sum() / even)


def dispersion(selection: Selection, query: Query, by: str, *, most: int, text: str) -> Dispersion:
    """Return how evenly a query is spread over documents, or over other parts of the text."""
    parts = selection.hits(query)
    name = "id" if by == "document" else by
    own = dimension(selection.segments, name, query)
    if not isinstance(own, DocumentDimension):
        raise QueryError(f"The text has no parts by '{by}'; choose document, source, host, month.")
    hits, tokens, codes = _by_part(selection, own, parts)
    dp, dp_norm = deviation_of_proportions(hits, tokens)
    places = _places(selection, parts)
    order = np.lexsort((codes, -hits))[:most]
    cql = format_query(query)
    return Dispersion(
        query=text,
        cql=cql,
        snapshot=selection.number,
        by=by,
        hits=int(hits.sum()),
        tokens=selection.tokens,
        parts=len(hits),
        range=int((hits > 0).sum()),
        juilland_d=optional(juilland_d(hits, tokens)),
        dp=optional(dp),
        dp_norm=optional(dp_norm),
        arf=optional(average_reduced_frequency(places, selection.tokens)),
        barcode=_marks(places, selection.tokens),
        lines=tuple(
            _dispersion_line(
                selection, cql, own.cell(int(codes[at])), int(hits[at]), int(tokens[at])
            )
            for at in order.tolist()
        ),
        notes=notes_on(selection, int(hits.sum())),
    )


def _by_part(
    selection: Selection, own: DocumentDimension, parts: Sequence[SegmentHits]
) -> tuple[Counts, Counts, Counts]:
    """Return the hits, the tokens and the codes of the parts that have text."""
    texts = texts_of(selection, [own])
    hits = np.zeros(len(texts.tokens), np.int64)
    for part, cells in zip(parts, texts.cells, strict=True):
        found = np.bincount(cells[part.tally.documents], part.tally.counts, len(hits))
        hits += found.astype(np.int64)
    codes = np.flatnonzero(texts.tokens)
    return hits[codes], texts.tokens[codes], codes


def _places(selection: Selection, parts: Sequence[SegmentHits]) -> Counts:
    """Return where hits stand if the chosen documents are put one after the other."""
    found, before = [np.empty(0, np.int64)], 0
    for part, mask in zip(parts, selection.masks, strict=True):
        lengths = part.segment.document_lengths
        chosen = lengths if mask is None else lengths * mask
        begins = np.cumsum(chosen) - chosen
        documents = part.documents
        inside = part.starts - part.segment.structure("doc").edges[documents]
        found.append(before + begins[documents] + inside)
        before += int(chosen.sum())
    return np.concatenate(found)


def _marks(places: Counts, tokens: int) -> tuple[float, ...]:
    """Return places as shares of the text; of many only so many, evenly taken."""
    step = max(1, -(-len(places) // MOST_MARKS))
    return tuple((places[::step] / max(1, tokens)).tolist())


def _dispersion_line(
    selection: Selection, cql: str, cell: Cell, hits: int, tokens: int
) -> PartLine:
    opens = selection.opening(cql, where=cell.where)
    if cell.since:
        since = max(filter(None, (cell.since, opens.since)))
        until = min(filter(None, (cell.until, opens.until)))
        opens = replace(opens, since=since, until=until)
    return PartLine(cell.label, hits, tokens, 1e6 * hits / tokens if tokens else None, opens)
