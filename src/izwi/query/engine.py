"""A query asked of all segments: which documents count, how it will be answered, its cost."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import date

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.index.limits import NEVER, Deadline
from izwi.index.reader import NO_DATE, Segment
from izwi.model.errors import CqlSyntaxError, QueryError
from izwi.model.records import dataclass
from izwi.query.conditions import (
    Resolver,
    check_query,
    holds_for,
    is_impossible,
    length,
    plan,
    rewritten,
    simplified,
)
from izwi.query.cql import parse
from izwi.query.execute import execute
from izwi.query.hits import STRATEGIES, SegmentHits
from izwi.query.labels import counted_in_all, shapes_of
from izwi.query.tree import (
    Alternatives,
    Boundary,
    Combined,
    Condition,
    Meet,
    Nested,
    Pattern,
    Query,
    Region,
    Repeat,
    Span,
    Token,
    Union,
    format_condition,
    format_query,
    is_endless,
    sought,
)
from izwi.query.tree import Sequence as TokenSequence

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
                f"{self.until}. Swap the two."
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


def count_documents(segments: Iterable[Segment], chosen: Filter) -> int:
    """Return how many documents count."""
    return sum(
        len(segment.document_lengths) if own.mask is None else int(own.mask.sum())
        for segment in segments
        for own in (chosen_documents(segment, chosen),)
    )


def addresses_of(segments: Iterable[Segment], ids: Collection[str]) -> dict[str, str]:
    """Return the addresses of those of some documents that are there, by their ids."""
    # Only the ledger needs it here, and importing it takes time.
    from pyarrow import compute as pc

    found: dict[str, str] = {}
    for segment in segments:
        column = segment.cards.column("id")
        here = pc.is_in(column, pa.array(sorted(ids), column.type)).to_numpy()
        for number in np.flatnonzero(here & ~segment.is_gone).tolist():
            found[segment.document_id(number)] = segment.card(number).url
    return found


def count_hits(
    segments: Sequence[Segment], query: Query, chosen: Filter, deadline: Deadline
) -> int:
    """Return how many hits a query has in the documents that count."""
    masks = (chosen_documents(segment, chosen).mask for segment in segments)
    return sum(
        len(part if mask is None else part.kept(mask[part.documents]))
        for part, mask in zip(find(segments, query, deadline), masks, strict=True)
    )


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


def find(
    segments: Sequence[Segment], query: Query, deadline: Deadline | None = None
) -> Iterator[SegmentHits]:
    """Return the hits of a query, segment by segment; a hit lies within one document."""
    limit = deadline or Deadline(None)
    if any(map(is_endless, sought(query))):
        refuse_runaway(segments, query, limit)
    parts = (
        SegmentHits(segment, execute(segment, _for_segment(query, segment, segments), limit))
        for segment in segments
    )
    drawn = _drawn(list(parts), query.sample) if query.sample else parts
    return _cut(drawn, query.skip, query.cut) if query.cut else iter(drawn)


def _for_segment(query: Query, segment: Segment, segments: Sequence[Segment]) -> Query:
    """Return a query as one of several segments is asked it."""
    inner = (query.pattern, *(limit.pattern for limit in query.limits))
    is_plain = not query.comparisons and not any(isinstance(p, Combined | Nested) for p in inner)
    if is_plain or len(segments) == 1:
        return query
    return counted_in_all(query, segment, segments)


def _drawn(parts: list[SegmentHits], sample: float) -> list[SegmentHits]:
    """Return so many hits, or such a share of them, by chance; asked again, the same."""
    total = sum(map(len, parts))
    many = min(total, round(sample * total) if sample < 1 else int(sample))
    kept = np.zeros(total, np.bool_)
    kept[np.random.default_rng(1).choice(total, many, replace=False)] = True
    ends = np.cumsum([len(part) for part in parts])
    return [part.kept(own) for part, own in zip(parts, np.split(kept, ends[:-1]), strict=True)]


def _cut(parts: Iterable[SegmentHits], skip: int, most: int) -> Iterator[SegmentHits]:
    """Yield the hits from one place on, so many of all segments together."""
    before = 0
    for part in parts:
        places = before + np.arange(len(part))
        before += len(part)
        yield part.kept((places >= skip) & (places < skip + most))


# Steps that an automaton takes in a second; a long run takes the slow way, token by token.
STEPS_A_SECOND = 20_000_000
# A refused query would take this many times the limit: an estimate may be wrong.
_CERTAIN = 1.5


@dataclass(frozen=True, slots=True)
class Explanation:
    """How a query is answered: what it becomes, where the search begins, what that costs."""

    query: str
    # The same question as it is run.
    rewritten: str
    strategy: str
    # Table, lists, join, automaton: what gives the answer.
    way: str
    # The token the search begins with, and at how many places.
    anchor: str
    candidates: int
    tokens: int
    seconds: float

    def sentences(self) -> tuple[str, ...]:
        """Return the explanation in words."""
        begin = f"begins at {self.anchor}" if self.anchor else "tries every token"
        return (
            f"runs as {self.rewritten}",
            f"of several matches counts {self.strategy}",
            f"is answered by {self.way}",
            f"{begin}: {self.candidates:,} of {self.tokens:,} tokens",
            f"takes about {self.seconds:.3f} seconds of computing",
        )


@dataclass(frozen=True, slots=True)
class _Step:
    """What is done in one segment."""

    way: str
    anchor: str
    candidates: int
    steps: float


def explain(segments: Sequence[Segment], query: Query, deadline: Deadline = NEVER) -> Explanation:
    """Return how a query will be answered, without running it."""
    for segment in segments:
        check_query(segment, query)
    plain = rewritten(query)
    steps = [_step(segment, plain, deadline) for segment in segments if segment.tokens]
    # What stands after within or containing is looked for in all of the text.
    inner = [Query(simplified(each)) for each in sought(query)[1:]]
    others = [_step(segment, each, deadline) for segment in segments for each in inner]
    largest = max(steps, key=lambda step: step.candidates, default=_Step("nothing", "", 0, 0))
    return Explanation(
        query=format_query(query),
        rewritten=format_query(plain),
        strategy=STRATEGIES[query.strategy],
        way=largest.way,
        anchor=largest.anchor,
        candidates=sum(step.candidates for step in steps),
        tokens=sum(segment.tokens for segment in segments),
        seconds=sum(step.steps for step in (*steps, *others)) / STEPS_A_SECOND,
    )


def refuse_runaway(segments: Sequence[Segment], query: Query, deadline: Deadline) -> None:
    """Raise an error for a query that cannot be answered in time, before it runs."""
    if deadline.seconds is None:
        return
    found = explain(segments, query, deadline)
    if found.seconds > _CERTAIN * deadline.seconds:
        begin = f"begins at {found.candidates:,} places" if found.anchor else "tries every token"
        raise QueryError(
            f"The query would take about {found.seconds:,.0f} seconds, more than the "
            f"{deadline.seconds:g} allowed: it {begin} and reads on from each. Use a rarer "
            "word, limit it (within <s/>, {0,5} instead of *), or allow more time."
        )


def _step(segment: Segment, query: Query, deadline: Deadline) -> _Step:
    match query.pattern:
        case Combined(_, first, second):
            return _both(_step(segment, first, deadline), _step(segment, second, deadline))
        case Nested(inner):
            return _step(segment, rewritten(inner), deadline)
        case Meet(first, second) | Union(first, second):
            parts = (Query(part) for part in (first, second))
            return _both(*(_step(segment, part, deadline) for part in parts))
        case Region(name, _):
            many = len(segment.structure(name).starts)
            return _Step("a table of structures", f"<{name}/>", many, many)
    resolver = Resolver(segment, deadline)
    if is_impossible(resolver, query.pattern):
        return _Step("nothing: a token of it does not occur", "", 0, 0)
    planned = plan(resolver, query.pattern)
    candidates = segment.tokens if planned is None else planned.cost
    names = dict.fromkeys(anchor.attribute for anchor in planned.anchors) if planned else {}
    anchor = _rarest(resolver, query.pattern) if planned else ""
    way = "lists of places" if planned else "a look at every token"
    if query.comparisons and shapes_of(query.pattern) is not None:
        return _Step(f"{way} and a join of labels", anchor, candidates, candidates * 3.0)
    each = _steps_from_a_start(resolver, query, query.pattern)
    is_phrase = length(query.pattern)[1] is not None and not query.comparisons
    if not is_phrase or not names:
        way = f"{way} and an automaton"
    return _Step(way, anchor, candidates, candidates * each)


def _both(one: _Step, two: _Step) -> _Step:
    way = f"{one.way}; {two.way}" if one.way != two.way else one.way
    return _Step(way, one.anchor, one.candidates + two.candidates, one.steps + two.steps)


def _rarest(resolver: Resolver, pattern: Pattern) -> str:
    """Return the token of a pattern that the search begins with, as CQL."""
    found: list[tuple[int, str]] = []
    _collect(resolver, pattern, found)
    return min(found)[1] if found else ""


def _collect(resolver: Resolver, pattern: Pattern, found: list[tuple[int, str]]) -> None:
    match pattern:
        case Token(condition, _) if condition is not None:
            share = _share(resolver, condition)
            found.append((int(share * resolver.segment.tokens), f"[{format_condition(condition)}]"))
        case TokenSequence(items) | Alternatives(items):
            for item in items:
                _collect(resolver, item, found)
        case Repeat(item, least, _) if least > 0:
            _collect(resolver, item, found)


def _share(resolver: Resolver, condition: Condition | None) -> float:
    """Return the share of tokens for which a condition holds, as if attributes were independent."""
    if condition is None:
        return 1.0
    segment, whole = resolver.segment, 0.0
    for clause in resolver.clauses(condition):
        share = 1.0
        for name, ids in clause.items():
            share *= float(segment.attribute(name).frequencies_of(ids).sum()) / segment.tokens
        whole += share
    return min(1.0, whole)


def _steps_from_a_start(resolver: Resolver, query: Query, pattern: Pattern) -> float:
    """Return how many tokens are read from a start: runs last as long as their tokens do."""
    reach, steps = 1.0, 1.0
    items = pattern.items if isinstance(pattern, TokenSequence) else (pattern,)
    for place, item in enumerate(items):
        if isinstance(item, Repeat):
            # What runs on inside a repetition runs on with it.
            share = 1.0 if is_endless(item.item) else _share_of(resolver, item.item)
            room = _room(resolver.segment, query)
            if item.most is not None and not is_endless(item.item):
                room = max(1.0, min(room, float(item.most)))
            run = room if share > 1 - 1 / room else share / (1 - share)
            # Any tokens at the end are not read: the match goes as far as it may.
            is_tail = place == len(items) - 1 and item == Repeat(Token(), item.least, None)
            steps += 0.0 if is_tail else reach * min(room, run)
        else:
            share = _share_of(resolver, item)
            reach *= share if place else 1.0
            steps += reach
    return steps


def _share_of(resolver: Resolver, pattern: Pattern) -> float:
    match pattern:
        case Token(condition, _):
            return _share(resolver, condition)
        case TokenSequence(items):
            share = 1.0
            for item in items:
                share *= _share_of(resolver, item)
            return share
        case Alternatives(items):
            return min(1.0, sum(_share_of(resolver, item) for item in items))
        case Repeat(item, least, _):
            return _share_of(resolver, item) if least else 1.0
        case Boundary():
            return 0.1
        case _:
            return 1.0


def _room(segment: Segment, query: Query) -> float:
    """Return how many tokens a match may fill on average: half a document or structure."""
    rooms = [segment.tokens / max(1, len(segment.document_starts)) / 2]
    for limit in query.limits:
        match limit.pattern:
            case Span(size, ""):
                rooms.append(float(size))
            case Region(name, _) | Span(_, name) if limit.is_within and not limit.is_negated:
                rooms.append(segment.tokens / max(1, len(segment.structure(name).starts)) / 2)
    return max(1.0, min(rooms))
