"""Hits as lines in context: filtered, sampled, sorted, paged, counted by year; one by its name."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

import numpy as np
from numpy.typing import NDArray

from izwi.index.limits import Deadline
from izwi.index.reader import Segment, common_attributes
from izwi.model.errors import NotFound, QueryError
from izwi.model.records import dataclass
from izwi.model.results import Concordance, DocumentCard, KwicLine, LineToken, YearCount
from izwi.query.cql import parse
from izwi.query.engine import Chosen, Filter, chosen_documents, find
from izwi.query.hits import Hits, SegmentHits
from izwi.query.sorting import page_of, sort_keys
from izwi.query.tree import Query

UNITS = ("tokens", "characters", "sentence", "paragraph")
# Others' texts may have sentences alone, or paragraphs, or neither: the next best is shown.
_STRUCTURES = {"sentence": ("s", "p"), "paragraph": ("p", "s")}


def stretch(
    segment: Segment, document: tuple[int, int], hit: tuple[int, int], context: int, unit: str
) -> tuple[int, int]:
    """Return from which to which position a hit is shown, inside the bounds of its document."""
    (start, end), (begin, last) = hit, document
    there = [name for name in _STRUCTURES.get(unit, ()) if name in segment.structures]
    if there:
        first, final = _around(segment, there[0], start, end)
        return max(begin, first), min(last, final)
    # A token has at least one character, so that so many tokens are enough for characters too.
    return max(begin, start - context), min(last, end + context)


def cut(left: str, right: str, context: int, unit: str) -> tuple[str, str]:
    """Return what is shown on both sides, cut to a number of characters if that was asked."""
    if unit != "characters":
        return left, right
    return _last_words(left, context), _first_words(right, context)


def paragraph_starts(segment: Segment, ranges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """Return which tokens after the first of each stretch, counted from it, begin a paragraph."""
    if "p" not in segment.structures or not ranges:
        return [[] for _ in ranges]
    starts = segment.structure("p").starts
    # Keys of the same type, or NumPy would convert all starts.
    edges = np.array([(first + 1, last) for first, last in ranges], starts.dtype)
    inside = np.searchsorted(starts, edges).tolist()
    return [
        (starts[low:high].astype(np.int64) - first).tolist() if high > low else []
        for (low, high), (first, _) in zip(inside, ranges, strict=True)
    ]


def _around(segment: Segment, name: str, start: int, end: int) -> tuple[int, int]:
    """Return the bounds of the structures in which a hit begins and ends."""
    structure = segment.structure(name)
    ends = np.array([start, end - 1], structure.starts.dtype)
    places = np.searchsorted(structure.starts, ends, side="right") - 1
    if places[0] < 0:
        return start, end
    first, last = int(structure.starts[places[0]]), int(structure.ends[places[1]])
    return min(first, start), max(last, end)


def _last_words(text: str, most: int) -> str:
    """Return the end of a text, cut where a word begins."""
    if len(text) <= most:
        return text
    cut = text[len(text) - most :]
    space = cut.find(" ")
    is_whole = text[len(text) - most - 1] == " "
    return cut if is_whole or space < 0 else cut[space + 1 :]


def _first_words(text: str, most: int) -> str:
    """Return the beginning of a text, cut where a word ends."""
    if len(text) <= most:
        return text
    cut = text[:most]
    return cut if text[most] == " " or " " not in cut else cut[: cut.rindex(" ")]


__all__ = ["Filter", "Narrowing", "View", "concordance", "hit_id"]

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
    # Attributes whose values are wanted for every token, such as lemma.
    show: tuple[str, ...] = ()

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
    counted = [chosen_documents(segment, chosen) for segment in segments]
    parts = [
        _in_documents(part, own.mask)
        for part, own in zip(find(segments, query, limit), counted, strict=True)
    ]
    parts = _narrowed(parts, narrowing or Narrowing(), view.seed, limit)
    hits = sum(map(len, parts))
    corpus_tokens = sum(own.tokens for own in counted)
    pages = max(1, -(-hits // view.size))
    if view.page > pages:
        raise QueryError(f"There is no page {view.page}: the {hits} lines fill only {pages}.")
    first = (view.page - 1) * view.size
    sort = query.sort or view.sort
    shown = page_of(parts, sort, view.seed, first, first + view.size, query)
    limit.check()
    return Concordance(
        query=text,
        tokens=tuple(tokens),
        snapshot=snapshot,
        hits=hits,
        documents=sum(len(part.tally.documents) for part in parts),
        sources=_named(parts, lambda segment: segment.sources),
        publications=_named(parts, lambda segment: segment.publications),
        per_million=1e6 * hits / corpus_tokens if corpus_tokens else 0.0,
        corpus_tokens=corpus_tokens,
        page=view.page,
        pages=pages,
        size=view.size,
        sort=sort,
        lines=lines_of(segments, shown, view),
        years=_years(parts, counted),
        cql=cql,
    )


def _in_documents(part: SegmentHits, mask: NDArray[np.bool_] | None) -> SegmentHits:
    return part if mask is None else part.kept(mask[part.documents])


def _narrowed(
    parts: list[SegmentHits], wanted: Narrowing, seed: int, deadline: Deadline
) -> list[SegmentHits]:
    if wanted.near:
        segments = [part.segment for part in parts]
        near = find(segments, parse(wanted.near, common_attributes(segments)), deadline)
        parts = [
            _near(part, other.starts, wanted.window)
            for part, other in zip(parts, near, strict=True)
        ]
    if wanted.is_first_only:
        parts = [part.kept(_is_first(part)) for part in parts]
    total = sum(map(len, parts))
    if not wanted.sample or wanted.sample >= total:
        return parts
    drawn = np.zeros(total, np.bool_)
    drawn[np.random.default_rng(seed).choice(total, wanted.sample, replace=False)] = True
    ends = np.cumsum([len(part) for part in parts])
    return [part.kept(own) for part, own in zip(parts, np.split(drawn, ends[:-1]), strict=True)]


def _near(part: SegmentHits, others: NDArray[np.int32], window: int) -> SegmentHits:
    """Return the hits beside which, in the same document, another match starts."""
    documents = part.documents
    begin = part.segment.document_starts[documents].astype(np.int64)
    low = np.maximum(part.starts.astype(np.int64) - window, begin)
    high = np.minimum(part.ends.astype(np.int64) + window, part.segment.document_ends[documents])
    around = np.searchsorted(others, high) - np.searchsorted(others, low)
    inner = np.searchsorted(others, part.ends) - np.searchsorted(others, part.starts)
    return part.kept(around > inner)


def _is_first(part: SegmentHits) -> NDArray[np.bool_]:
    documents = part.documents
    return np.concatenate(([True], documents[1:] != documents[:-1]))[: len(documents)]


def lines_of(
    segments: Sequence[Segment], chosen: Sequence[tuple[SegmentHits, int]], view: View
) -> tuple[KwicLine, ...]:
    """Return the lines of some hits; what a segment gives for all of them is read at once."""
    lines: dict[int, KwicLine] = {}
    for part in {id(part): part for part, _ in chosen}.values():
        places = [place for place, (own, _) in enumerate(chosen) if own is part]
        hits = np.array([chosen[place][1] for place in places])
        lines.update(zip(places, _segment_lines(part, hits, view, segments), strict=True))
    return tuple(lines[place] for place in range(len(chosen)))


def _segment_lines(
    part: SegmentHits, chosen: NDArray[np.int64], view: View, segments: Sequence[Segment]
) -> Iterator[KwicLine]:
    segment = part.segment
    starts = part.starts[chosen]
    holding = segment.documents_at(starts)
    documents = holding.tolist()
    hits = list(zip(starts.tolist(), part.hits.ends_of(chosen).tolist(), strict=True))
    bounds = (segment.document_starts[holding].tolist(), segment.document_ends[holding].tolist())
    ranges = [
        stretch(segment, (begin, last), hit, view.context, view.unit)
        for hit, begin, last in zip(hits, *bounds, strict=True)
    ]
    rows = zip(
        documents,
        hits,
        ranges,
        _cards(segment, documents, segments),
        _shown(segment, ranges, view.show),
        paragraph_starts(segment, ranges),
        strict=True,
    )
    spelt, at = segment.spelt(ranges), 0
    for document, (start, end), (first, last), card, values, begins in rows:
        before, after, until = (at + place - first for place in (start, end, last))
        spaced = spelt.text(before, after)
        match = spaced.rstrip()
        whole, right = spelt.text(at, before), spelt.text(after, until).rstrip()
        left, right = cut(whole, right, view.context, view.unit)
        pieces = spelt.pieces(at, until) if begins or values else []
        shift = len(whole) - len(left)
        shown = range(shift, len(whole) + len(spaced) + len(right))
        yield KwicLine(
            id=hit_id(card.id, segment.offset(document, start), match),
            left=left,
            match=match,
            right=f" {right}" if spaced.endswith(" ") else right,
            document=card,
            breaks=tuple(_places(pieces, begins, shift)) if begins else (),
            tokens=_tokens(pieces, values, range(start - first, end - first), shown),
        )
        at = until


def _shown(
    segment: Segment, ranges: Sequence[tuple[int, int]], show: Sequence[str]
) -> list[list[tuple[str, ...]]]:
    """Return for each stretch the values of its tokens; nothing where none are asked for."""
    if not show:
        return [[] for _ in ranges]
    places = np.concatenate([np.arange(*each) for each in ranges])
    columns = [
        attribute.values(attribute.column[places])
        for attribute in (segment.attribute(name) for name in show)
    ]
    values = list(zip(*columns, strict=True))
    ends = np.cumsum([last - first for first, last in ranges]).tolist()
    return [
        values[end - (last - first) : end] for end, (first, last) in zip(ends, ranges, strict=True)
    ]


def _tokens(
    pieces: Sequence[str], values: Sequence[tuple[str, ...]], match: range, shown: range
) -> tuple[LineToken, ...]:
    """Return the tokens that begin among the characters shown."""
    begins = accumulate(map(len, pieces), initial=0)
    return tuple(
        LineToken(piece.rstrip(), own, place in match, piece.endswith(" "))
        for place, (begin, piece, own) in enumerate(zip(begins, pieces, values, strict=False))
        if begin in shown
    )


def _places(pieces: Sequence[str], begins: Sequence[int], shift: int) -> Iterator[int]:
    """Yield how many characters stand before some tokens, less those that were cut off."""
    for begin in begins:
        place = sum(map(len, pieces[:begin])) - shift
        if place > 0:
            yield place


def _cards(
    segment: Segment, documents: Sequence[int], segments: Sequence[Segment]
) -> list[DocumentCard]:
    """Return what is known of some documents, with their copies in all segments."""
    numbers = list(dict.fromkeys(documents))
    copies = [0] * len(numbers)
    if any(each.has_copies for each in segments):
        names = map(segment.document_id, numbers)
        copies = [sum(each.copies_of(name) for each in segments) for name in names]
    by_number = dict(zip(numbers, segment.cards_of(numbers, copies), strict=True))
    return [by_number[number] for number in documents]


def hit_id(document: str, offset: int, match: str) -> str:
    """Return a name for a hit that outlives the index: document, character offset, text."""
    digest = hashlib.blake2b(match.encode(), digest_size=4).hexdigest()
    return f"{document}.{offset}.{digest}"


def _named(
    parts: Sequence[SegmentHits], names_in: Callable[[Segment], tuple[NDArray[np.int64], list[str]]]
) -> int:
    """Return how many sources or publications the hits are from."""
    found: set[str] = set()
    for part in parts:
        numbers, names = names_in(part.segment)
        used = np.bincount(numbers[part.tally.documents], minlength=len(names))
        found.update(names[number] for number in np.flatnonzero(used).tolist())
    return len(found)


def _years(parts: Sequence[SegmentHits], counted: Sequence[Chosen]) -> tuple[YearCount, ...]:
    """Return hits and tokens by year of publication, undated documents left out."""
    hits = []
    for part, own in zip(parts, counted, strict=True):
        # Undated documents have no year, which is counted in front of the first.
        places = part.segment.years[1][part.tally.documents] + 1
        found = np.bincount(places, part.tally.counts, len(own.tokens_by_year) + 1)
        hits.append(found[1:].astype(np.int64))
    return _by_year([part.segment for part in parts], counted, hits)


def _by_year(
    segments: Sequence[Segment], counted: Sequence[Chosen], hits: Sequence[NDArray[np.int64]]
) -> tuple[YearCount, ...]:
    found: dict[int, tuple[int, int]] = {}
    for segment, own, many in zip(segments, counted, hits, strict=True):
        columns = (own.documents_by_year, many, own.tokens_by_year)
        rows = zip(*(column.tolist() for column in columns), strict=True)
        for year, (documents, hits_then, tokens) in enumerate(rows, segment.years[0]):
            if documents:
                before = found.get(year, (0, 0))
                found[year] = (before[0] + hits_then, before[1] + tokens)
    return tuple(YearCount(year, *found[year]) for year in sorted(found))


# Longer matches than this are not looked for under a name.
_LONGEST = 1000


def find_hit(
    segments: Sequence[Segment], name: str, *, context: int, unit: str = "tokens"
) -> KwicLine:
    """Return the line of the hit with a name, or raise an error that says why there is none."""
    document, offset = _parts(name)
    if not 0 <= context <= MOST_CONTEXT:
        raise QueryError(f"The context has 0 to {MOST_CONTEXT} tokens, not {context}.")
    for segment in segments:
        for number in segment.numbers_of(document):
            found = _hit_in(segment, number, offset, name)
            if found is not None:
                hits = SegmentHits(segment, found)
                return lines_of(segments, [(hits, 0)], View(context=context, unit=unit))[0]
    raise NotFound(
        f"The hit {name} is not in this version of the corpus: its document was left out or its "
        "text is another now."
    )


def _parts(name: str) -> tuple[str, int]:
    document, _, rest = name.rpartition(".")[0].rpartition(".")
    if not document or not rest.isdecimal():
        raise QueryError(f"'{name}' is not the name of a hit, such as 0123456789ab-0.57.89abcdef.")
    return document, int(rest)


def _hit_in(segment: Segment, number: int, offset: int, name: str) -> Hits | None:
    """Return the hit at an offset of a document whose text has the name."""
    first, last = int(segment.document_starts[number]), int(segment.document_ends[number])
    offsets = np.array([segment.offset(number, place) for place in range(first, last)])
    start = first + int(np.searchsorted(offsets, offset))
    if start >= last or offsets[start - first] != offset:
        return None
    text, pieces = "", segment.pieces([(start, min(last, start + _LONGEST))])[0]
    for end, piece in enumerate(pieces, start + 1):
        text += piece
        if hit_id(segment.document_id(number), offset, text.rstrip()) == name:
            return Hits(np.array([start], np.int32), width=end - start)
    return None
