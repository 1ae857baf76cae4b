"""Hits as lines in context: filtered, sampled, sorted, paged, counted by year."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.results import Concordance, KwicLine, YearCount
from izwi.query.context import UNITS, cut, stretch
from izwi.query.cql import parse
from izwi.query.deadline import Deadline
from izwi.query.documents import Filter, chosen_documents
from izwi.query.engine import SegmentHits, find
from izwi.query.sorting import SORTS, page_of, sort_keys
from izwi.query.tree import Query

__all__ = ["SORTS", "Filter", "Narrowing", "View", "concordance", "hit_id", "years_of"]

MOST_LINES = 1000
MOST_CONTEXT = 100
MOST_CHARACTERS = 1000
MOST_WINDOW = 100


@dataclass(frozen=True, slots=True)
class View:
    """How lines are ordered and shown."""

    sort: str = "date"
    seed: int = 1
    page: int = 1
    size: int = 50
    context: int = 12
    # What the context is measured in: tokens, characters, or the sentence or paragraph around.
    unit: str = "tokens"

    def __post_init__(self) -> None:
        sort_keys(self.sort)
        if self.unit not in UNITS:
            raise QueryError(f"Context is one of {', '.join(UNITS)}, not '{self.unit}'.")
        most = MOST_CHARACTERS if self.unit == "characters" else MOST_CONTEXT
        if not 1 <= self.size <= MOST_LINES:
            raise QueryError(f"A page has 1 to {MOST_LINES} lines, not {self.size}.")
        if not 0 <= self.context <= most:
            unit = "characters" if self.unit == "characters" else "tokens"
            raise QueryError(f"The context has 0 to {most} {unit}, not {self.context}.")
        if self.seed < 0:
            raise QueryError(f"A seed is 0 or more, not {self.seed}.")
        if self.page < 1:
            raise QueryError(f"Pages are counted from 1, so there is no page {self.page}.")


@dataclass(frozen=True, slots=True)
class Narrowing:
    """Which of the hits are wanted: near something, the first of each document, a sample."""

    # CQL; only hits with a match of it among so many tokens on either side.
    near: str = ""
    window: int = 5
    is_first_only: bool = False
    # At most so many, by chance; 0 for all.
    sample: int = 0

    def __post_init__(self) -> None:
        if self.sample < 0:
            raise QueryError(f"A sample has at least one line, not {self.sample}.")
        if not 1 <= self.window <= MOST_WINDOW:
            raise QueryError(f"The window has 1 to {MOST_WINDOW} tokens, not {self.window}.")


def concordance(
    segments: Sequence[Segment],
    query: Query,
    *,
    text: str,
    tokens: Sequence[str] = (),
    cql: str = "",
    snapshot: int,
    chosen: Filter,
    view: View,
    narrowing: Narrowing | None = None,
    deadline: Deadline | None = None,
) -> Concordance:
    """Return one page of the lines that a query finds."""
    limit = deadline or Deadline(None)
    masks = [chosen_documents(segment, chosen) for segment in segments]
    parts = [
        _in_documents(part, mask)
        for part, mask in zip(find(segments, query, limit), masks, strict=True)
    ]
    parts = _narrowed(parts, narrowing or Narrowing(), view.seed, limit)
    counts = [part.by_document for part in parts]
    hits = sum(len(part.starts) for part in parts)
    corpus_tokens = sum(map(_tokens, segments, masks))
    pages = max(1, -(-hits // view.size))
    if view.page > pages:
        raise QueryError(f"There is no page {view.page}: the {hits} lines fill {pages}.")
    first = (view.page - 1) * view.size
    shown = page_of(parts, view.sort, view.seed, first, first + view.size)
    limit.check()
    return Concordance(
        query=text,
        tokens=tuple(tokens),
        snapshot=snapshot,
        hits=hits,
        documents=sum(int(np.count_nonzero(own)) for own in counts),
        sources=len(_sources(segments, counts)),
        per_million=1e6 * hits / corpus_tokens if corpus_tokens else 0.0,
        corpus_tokens=corpus_tokens,
        page=view.page,
        pages=pages,
        size=view.size,
        sort=view.sort,
        lines=_lines(segments, shown, view),
        years=_years(segments, masks, counts),
        cql=cql,
    )


def years_of(segments: Sequence[Segment]) -> tuple[YearCount, ...]:
    """Return the tokens of each year; `hits` are its documents here."""
    masks = [np.ones(len(segment.document_starts), np.bool_) for segment in segments]
    return _years(segments, masks, [mask.astype(np.int64) for mask in masks])


def _in_documents(part: SegmentHits, mask: NDArray[np.bool_]) -> SegmentHits:
    if mask.all():
        return part
    return _kept(part, mask[part.documents])


def _kept(part: SegmentHits, kept: NDArray[np.bool_]) -> SegmentHits:
    return SegmentHits(part.segment, part.starts[kept], part.ends[kept])


def _narrowed(
    parts: list[SegmentHits], wanted: Narrowing, seed: int, deadline: Deadline
) -> list[SegmentHits]:
    if wanted.near:
        query = parse(wanted.near)
        near = find([part.segment for part in parts], query, deadline)
        parts = [
            _near(part, other.starts, wanted.window)
            for part, other in zip(parts, near, strict=True)
        ]
    if wanted.is_first_only:
        parts = [_kept(part, _is_first(part)) for part in parts]
    total = sum(len(part.starts) for part in parts)
    if not wanted.sample or wanted.sample >= total:
        return parts
    drawn = np.zeros(total, np.bool_)
    drawn[np.random.default_rng(seed).choice(total, wanted.sample, replace=False)] = True
    ends = np.cumsum([len(part.starts) for part in parts])
    return [_kept(part, own) for part, own in zip(parts, np.split(drawn, ends[:-1]), strict=True)]


def _near(part: SegmentHits, others: NDArray[np.int32], window: int) -> SegmentHits:
    """Return the hits beside which, in the same document, another match starts."""
    documents = part.documents
    begin = part.segment.document_starts[documents].astype(np.int64)
    low = np.maximum(part.starts.astype(np.int64) - window, begin)
    high = np.minimum(part.ends.astype(np.int64) + window, part.segment.document_ends[documents])
    around = np.searchsorted(others, high) - np.searchsorted(others, low)
    inner = np.searchsorted(others, part.ends) - np.searchsorted(others, part.starts)
    return _kept(part, around > inner)


def _is_first(part: SegmentHits) -> NDArray[np.bool_]:
    documents = part.documents
    return np.concatenate(([True], documents[1:] != documents[:-1]))[: len(documents)]


def _lines(
    segments: Sequence[Segment], chosen: Sequence[tuple[SegmentHits, int]], view: View
) -> tuple[KwicLine, ...]:
    """Return the lines of some hits; what a segment gives for all of them is read at once."""
    copies = _copy_counts(segments) if chosen else {}
    lines: dict[int, KwicLine] = {}
    for part in {id(part): part for part, _ in chosen}.values():
        places = [place for place, (own, _) in enumerate(chosen) if own is part]
        hits = np.array([chosen[place][1] for place in places])
        lines.update(zip(places, _segment_lines(part, hits, view, copies), strict=True))
    return tuple(lines[place] for place in range(len(chosen)))


def _segment_lines(
    part: SegmentHits, chosen: NDArray[np.int64], view: View, copies: Mapping[str, int]
) -> Iterator[KwicLine]:
    segment = part.segment
    documents = segment.documents_at(part.starts[chosen]).tolist()
    hits = list(zip(part.starts[chosen].tolist(), part.ends[chosen].tolist(), strict=True))
    ranges = [
        stretch(segment, document, hit, view.context, view.unit)
        for document, hit in zip(documents, hits, strict=True)
    ]
    rows = zip(
        documents,
        hits,
        ranges,
        segment.pieces(ranges),
        segment.some_cards(documents),
        strict=True,
    )
    for document, (start, end), (first, _), pieces, card in rows:
        match = "".join(pieces[start - first : end - first])
        left, right = "".join(pieces[: start - first]), "".join(pieces[end - first :]).rstrip()
        left, right = cut(left, right, view.context, view.unit)
        yield KwicLine(
            id=hit_id(card.id, segment.offset(document, start), match.rstrip()),
            left=left,
            match=match.rstrip(),
            right=(" " if match.endswith(" ") else "") + right,
            document=replace(card, copies=copies.get(card.id, 0)),
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


def _sources(segments: Sequence[Segment], counts: Sequence[NDArray[np.int64]]) -> set[str]:
    found: set[str] = set()
    for segment, own in zip(segments, counts, strict=True):
        codes, names = segment.sources
        used = np.unique(codes[own > 0])
        found.update(names[number] for number in used.tolist())
    return found


def _tokens(segment: Segment, mask: NDArray[np.bool_]) -> int:
    lengths = segment.document_ends - segment.document_starts
    return int(lengths[mask].sum())


def _years(
    segments: Sequence[Segment],
    masks: Sequence[NDArray[np.bool_]],
    counts: Sequence[NDArray[np.int64]],
) -> tuple[YearCount, ...]:
    """Return hits and tokens by year of publication, undated documents left out."""
    found: dict[int, int] = {}
    tokens: dict[int, int] = {}
    for segment, mask, own in zip(segments, masks, counts, strict=True):
        first, places = segment.years
        counted = mask & (places >= 0)
        kept = places[counted]
        lengths = (segment.document_ends - segment.document_starts)[counted]
        hits, sizes = np.bincount(kept, own[counted]), np.bincount(kept, lengths)
        for place in np.flatnonzero(np.bincount(kept)).tolist():
            year = first + place
            found[year] = found.get(year, 0) + int(hits[place])
            tokens[year] = tokens.get(year, 0) + int(sizes[place])
    return tuple(YearCount(year, found[year], tokens[year]) for year in sorted(tokens))
