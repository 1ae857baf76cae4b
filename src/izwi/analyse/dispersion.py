"""How evenly a query is spread over the text."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.categories import Cell
from izwi.analyse.dimensions import DocumentDimension, dimension
from izwi.analyse.frequency import notes_on
from izwi.analyse.grouping import optional
from izwi.analyse.selection import Selection
from izwi.analyse.texts import texts_of
from izwi.model.analyses import Dispersion, PartLine
from izwi.model.errors import QueryError
from izwi.query.deadline import Deadline
from izwi.query.hits import SegmentHits
from izwi.query.tree import Query, format_query

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


def dispersion(
    selection: Selection,
    query: Query,
    by: str,
    *,
    most: int,
    text: str,
    snapshot: int,
    deadline: Deadline,
) -> Dispersion:
    """Return how evenly a query is spread over documents, or over other parts of the text."""
    parts = selection.hits(query, deadline)
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
        snapshot=snapshot,
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
            _line(selection, cql, own.cell(int(codes[at])), int(hits[at]), int(tokens[at]))
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


def _line(selection: Selection, cql: str, cell: Cell, hits: int, tokens: int) -> PartLine:
    opens = selection.opening(cql, where=cell.where)
    if cell.since:
        since = max(filter(None, (cell.since, opens.since)))
        until = min(filter(None, (cell.until, opens.until)))
        opens = replace(opens, since=since, until=until)
    return PartLine(cell.label, hits, tokens, 1e6 * hits / tokens if tokens else None, opens)
