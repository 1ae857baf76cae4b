"""Hits as lines in context: filtered by metadata, sorted, paged, counted by year."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import QueryError
from izwi.model.results import Concordance, KwicLine, YearCount
from izwi.query.engine import SegmentHits, find

SORTS = ("date", "newest", "left", "node", "right", "source", "random")
MOST_LINES = 1000
MOST_CONTEXT = 100
_EPOCH = date(1970, 1, 1)


@dataclass(frozen=True, slots=True)
class Filter:
    """Which documents count: a range of dates, some sources."""

    since: date | None = None
    until: date | None = None
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class View:
    """How lines are ordered and shown."""

    sort: str = "date"
    seed: int = 1
    page: int = 1
    size: int = 50
    context: int = 12

    def __post_init__(self) -> None:
        if self.sort not in SORTS:
            raise QueryError(
                f"Lines cannot be sorted by '{self.sort}'; choose one of {', '.join(SORTS)}."
            )
        if not 1 <= self.size <= MOST_LINES:
            raise QueryError(f"A page has 1 to {MOST_LINES} lines, not {self.size}.")
        if not 0 <= self.context <= MOST_CONTEXT:
            raise QueryError(f"The context has 0 to {MOST_CONTEXT} tokens, not {self.context}.")
        if self.seed < 0:
            raise QueryError(f"A seed is 0 or more, not {self.seed}.")
        if self.page < 1:
            raise QueryError(f"Pages are counted from 1, so there is no page {self.page}.")


@dataclass(frozen=True, slots=True)
class _Hits:
    """The hits of all segments, one array entry each."""

    segments: Sequence[Segment]
    segment: NDArray[np.int64]
    start: NDArray[np.int64]
    document: NDArray[np.int64]
    width: int

    def __len__(self) -> int:
        return len(self.start)


def concordance(
    segments: Sequence[Segment],
    tokens: Sequence[str],
    *,
    query: str,
    snapshot: int,
    chosen: Filter,
    view: View,
    is_exact_case: bool = False,
) -> Concordance:
    """Return one page of the lines in which a token sequence occurs."""
    masks = [_mask(segment, chosen) for segment in segments]
    found = find(segments, tokens, is_exact_case=is_exact_case)
    hits = _gathered(segments, list(found), masks, len(tokens))
    corpus_tokens = sum(
        _tokens(segment, mask) for segment, mask in zip(segments, masks, strict=True)
    )
    pages = max(1, -(-len(hits) // view.size))
    if view.page > pages:
        raise QueryError(f"There is no page {view.page}: the {len(hits)} lines fill {pages}.")
    order = _order(hits, view)[(view.page - 1) * view.size : view.page * view.size]
    return Concordance(
        query=query,
        tokens=tuple(tokens),
        snapshot=snapshot,
        hits=len(hits),
        documents=_distinct_documents(hits),
        sources=len(_source_counts(hits)),
        per_million=1e6 * len(hits) / corpus_tokens if corpus_tokens else 0.0,
        corpus_tokens=corpus_tokens,
        page=view.page,
        pages=pages,
        size=view.size,
        sort=view.sort,
        lines=_lines(hits, order, view.context),
        years=_years(hits, masks),
    )


def years_of(segments: Sequence[Segment]) -> tuple[YearCount, ...]:
    """Return the tokens of each year; `hits` are its documents here."""
    starts = [segment.document_starts.astype(np.int64) for segment in segments]
    every = [
        SegmentHits(s, first, np.arange(len(first)))
        for s, first in zip(segments, starts, strict=True)
    ]
    masks = [np.ones(len(first), np.bool_) for first in starts]
    return _years(_gathered(segments, every, masks, 1), masks)


def _mask(segment: Segment, chosen: Filter) -> NDArray[np.bool_]:
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
    return mask


def _gathered(
    segments: Sequence[Segment],
    found: list[SegmentHits],
    masks: list[NDArray[np.bool_]],
    width: int,
) -> _Hits:
    keep = [mask[part.documents] for part, mask in zip(found, masks, strict=True)]
    numbers = [np.full(int(kept.sum()), place) for place, kept in enumerate(keep)]
    none = [np.empty(0, np.int64)]
    return _Hits(
        segments,
        np.concatenate(numbers or none),
        np.concatenate([part.starts[kept] for part, kept in zip(found, keep, strict=True)] or none),
        np.concatenate(
            [part.documents[kept] for part, kept in zip(found, keep, strict=True)] or none
        ),
        width,
    )


def _order(hits: _Hits, view: View) -> NDArray[np.int64]:
    """Return the hits' numbers in the order asked for; ties keep corpus order."""
    if view.sort == "random":
        return np.random.default_rng(view.seed).permutation(len(hits))
    if view.sort in ("date", "newest"):
        days = _per_hit(hits, [segment.dates.astype(np.int64) for segment in hits.segments])
        undated = days == NO_DATE
        return np.lexsort((-days if view.sort == "newest" else days, undated))
    if view.sort == "source":
        return np.argsort(_ranks(hits, _source_names(hits)), kind="stable")
    places = {
        "left": [-1, -2, -3],
        "node": range(hits.width),
        "right": [hits.width + step for step in range(3)],
    }[view.sort]
    # The forms of a hit differ in their capitals only; its neighbours sort without regard to them.
    name = "word" if view.sort == "node" else "lc"
    keys = [_ranks(hits, _neighbours(hits, place, name)) for place in places]
    return np.lexsort(keys[::-1])


def _per_hit(hits: _Hits, columns: list[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return a document column's value for each hit."""
    values = np.empty(len(hits), np.int64)
    for number, column in enumerate(columns):
        here = hits.segment == number
        values[here] = column[hits.document[here]]
    return values


def _neighbours(hits: _Hits, place: int, name: str) -> list[tuple[NDArray[np.int64], list[str]]]:
    """Return, per segment, the number and the text of the token at a distance from each hit."""
    found = []
    for number, segment in enumerate(hits.segments):
        here = hits.segment == number
        documents = hits.document[here]
        positions = hits.start[here] + place
        begins = segment.document_starts[documents].astype(np.int64)
        inside = (positions >= begins) & (positions < segment.document_ends[documents])
        numbers = np.full(len(positions), -1, np.int64)
        attribute = segment.word if name == "word" else segment.lc
        numbers[inside] = attribute.column[positions[inside]]
        distinct, inverse = np.unique(numbers, return_inverse=True)
        texts = ["" if value < 0 else attribute.values(np.array([value]))[0] for value in distinct]
        found.append((inverse, texts))
    return found


def _source_names(hits: _Hits) -> list[tuple[NDArray[np.int64], list[str]]]:
    found = []
    for number, segment in enumerate(hits.segments):
        names = segment.cards.column("source").to_numpy()
        texts, inverse = np.unique(names.astype(str), return_inverse=True)
        found.append(
            (inverse[hits.document[hits.segment == number]], [str(text) for text in texts])
        )
    return found


def _ranks(hits: _Hits, parts: list[tuple[NDArray[np.int64], list[str]]]) -> NDArray[np.int64]:
    """Return a number per hit that sorts as its text does, across segments."""
    texts = sorted(
        {text for _, own in parts for text in own}, key=lambda text: (text.casefold(), text)
    )
    rank = {text: place for place, text in enumerate(texts)}
    ranks = np.empty(len(hits), np.int64)
    for number, (inverse, own) in enumerate(parts):
        table = np.array([rank[text] for text in own], np.int64)
        ranks[hits.segment == number] = table[inverse] if len(own) else 0
    return ranks


def _lines(hits: _Hits, order: NDArray[np.int64], context: int) -> tuple[KwicLine, ...]:
    copies = _copy_counts(hits.segments)
    return tuple(_line(hits, int(number), context, copies) for number in order)


def _line(hits: _Hits, number: int, context: int, copies: Mapping[str, int]) -> KwicLine:
    segment = hits.segments[int(hits.segment[number])]
    document, start = int(hits.document[number]), int(hits.start[number])
    end = start + hits.width
    first = max(int(segment.document_starts[document]), start - context)
    last = min(int(segment.document_ends[document]), end + context)
    card = segment.card(document)
    match = segment.text(start, end).rstrip()
    return KwicLine(
        id=hit_id(card.id, int(segment.offsets[start]), match),
        left=segment.text(first, start),
        match=match,
        right=(" " if segment.spaces[end - 1] else "") + segment.text(end, last).rstrip(),
        document=segment.card(document, copies=copies.get(card.id, 0)),
    )


def hit_id(document: str, offset: int, match: str) -> str:
    """Return a name for a hit that outlives the index: document, character offset, text."""
    digest = hashlib.blake2b(match.encode(), digest_size=4).hexdigest()
    return f"{document}.{offset}.{digest}"


def _copy_counts(segments: Sequence[Segment]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for segment in segments:
        for owner in segment.copies.column("owner").to_pylist():
            counts[owner] = counts.get(owner, 0) + 1
    return counts


def _distinct_documents(hits: _Hits) -> int:
    return len(np.unique(np.stack((hits.segment, hits.document)), axis=1).T)


def _source_counts(hits: _Hits) -> set[str]:
    return {own[place] for inverse, own in _source_names(hits) for place in set(inverse.tolist())}


def _tokens(segment: Segment, mask: NDArray[np.bool_]) -> int:
    lengths = segment.document_ends - segment.document_starts
    return int(lengths[mask].sum())


def _years(hits: _Hits, masks: list[NDArray[np.bool_]]) -> tuple[YearCount, ...]:
    """Return hits and tokens by year of publication, undated documents left out."""
    found: dict[int, int] = {}
    tokens: dict[int, int] = {}
    for number, segment in enumerate(hits.segments):
        years = (
            segment.dates.astype("datetime64[D]").astype("datetime64[Y]").astype(np.int64) + 1970
        )
        dated = segment.dates != NO_DATE
        lengths = segment.document_ends - segment.document_starts
        documents = hits.document[hits.segment == number]
        for year in np.unique(years[dated & masks[number]]).tolist():
            chosen = dated & masks[number] & (years == year)
            tokens[year] = tokens.get(year, 0) + int(lengths[chosen].sum())
            found[year] = found.get(year, 0) + int(chosen[documents].sum())
    return tuple(YearCount(year, found[year], tokens[year]) for year in sorted(tokens))
