"""A query and a segment to hits: for each start the longest match that keeps within its limits."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.index.packed import is_worth_compiling
from izwi.index.reader import Attribute, Segment
from izwi.model.errors import QueryError
from izwi.query.automaton import graph_of
from izwi.query.conditions import Clause, Resolver, regions
from izwi.query.cql import labels_of
from izwi.query.deadline import Deadline
from izwi.query.hits import Hits, Positions
from izwi.query.labels import compared
from izwi.query.limits import Bounds, narrowed
from izwi.query.machine import Machine, machine_for
from izwi.query.plan import Anchor, Plan, plan
from izwi.query.tree import Limit, Meet, Pattern, Query, Region, Sequence, Token, Union

# Hits of one segment; more do not fit into memory that a server can spare.
MOST_HITS = 100_000_000
# Positions tried, and steps of an automaton taken, between two looks at the clock.
_BLOCK = 1 << 20
_STEPS = 1_000_000
# A look at a column, far from the last, takes as long as reading so many members of a list.
_LISTED = 6
_NOTHING: Positions = np.empty(0, np.int32)


def execute(segment: Segment, query: Query, deadline: Deadline) -> Hits:
    """Return the hits of a query in a segment, in corpus order."""
    deadline.check()
    if not segment.tokens:
        return Hits(_NOTHING, _NOTHING)
    limits = [(_limit_regions(segment, limit.pattern, deadline), limit) for limit in query.limits]
    is_implied = any(_keeps_to_documents(segment, limit) for limit in query.limits)
    bounds = Bounds.of(None if is_implied else regions(segment, "doc", None), limits)
    resolver = Resolver(segment, deadline)
    match query.pattern:
        case Meet() | Union():
            return _kept(_combined(segment, query.pattern, deadline), bounds)
        case Sequence() | Token() if not query.comparisons:
            phrase = _phrase(resolver, query.pattern)
            if phrase is not None:
                hits = _phrase_hits(segment, phrase, deadline)
                # One token lies in one document, if there are no tokens outside documents.
                is_safe = len(phrase) == 1 and not limits and segment.structure("doc").is_complete
                return hits if is_safe else _kept(hits, bounds)
    return _automaton_hits(resolver, query, bounds, deadline)


def _keeps_to_documents(segment: Segment, limit: Limit) -> bool:
    """Whether what lies within a limit lies within one document too."""
    if not limit.is_within or limit.is_negated or not isinstance(limit.pattern, Region):
        return False
    name = limit.pattern.structure
    return segment.remembered(("nested", name), lambda: _is_nested(segment, name))


def _is_nested(segment: Segment, name: str) -> bool:
    """Whether no stretch of a structure crosses the beginning or the end of a document."""
    starts, ends = segment.structure(name).bounds
    outer = np.unique(np.concatenate(segment.structure("doc").bounds))
    before = np.searchsorted(starts, outer, side="left") - 1
    is_complete = segment.structure("doc").is_complete
    return is_complete and bool((ends[before[before >= 0]] <= outer[before >= 0]).all())


def _limit_regions(
    segment: Segment, pattern: Pattern, deadline: Deadline
) -> tuple[Positions, Positions]:
    if isinstance(pattern, Region):
        return regions(segment, pattern.structure, pattern.condition)
    found = execute(segment, Query(pattern), deadline)
    return found.starts, found.ends


def _kept(hits: Hits, bounds: Bounds) -> Hits:
    """Return the hits that keep within bounds, of which each has its own length."""
    upper, lower = narrowed(bounds, hits.starts)
    kept = (hits.ends <= upper) & (hits.ends >= lower)
    return hits if kept.all() else hits.kept(kept)


def _phrase(resolver: Resolver, pattern: Pattern) -> list[Clause] | None:
    """Return the clauses of a pattern of single tokens, each with one clause; else None."""
    items = pattern.items if isinstance(pattern, Sequence) else (pattern,)
    found = []
    for item in items:
        if not isinstance(item, Token):
            return None
        ways = resolver.clauses(item.condition)
        if not ways:
            return []
        if len(ways) > 1:
            return None
        found.append(ways[0])
    return found if any(found) else None


def _phrase_hits(segment: Segment, phrase: list[Clause], deadline: Deadline) -> Hits:
    """Return the places of a phrase: its rarest token, then its neighbours one by one."""
    if not phrase:
        return Hits(_NOTHING, _NOTHING)
    counted = [
        (
            not segment.attribute(name).has_lists,
            int(segment.attribute(name).frequencies_of(ids).sum()),
            place,
            name,
        )
        for place, clause in enumerate(phrase)
        for name, ids in clause.items()
    ]
    _, _, anchor, name = min(counted)
    starts = segment.attribute(name).positions_of(phrase[anchor][name])
    if len(phrase) > 1:
        starts = starts - np.int32(anchor)
        # Ascending, so that only the ends can lie outside.
        outside = np.array([0, segment.tokens - len(phrase) + 1], np.int32)
        first, last = np.searchsorted(starts, outside)
        starts = starts[first:last]
    for _, place, other in sorted(_remaining(segment, phrase, anchor, name)):
        deadline.check()
        starts = _holding(segment, starts, place, other, phrase[place][other])
    return Hits(starts, width=len(phrase))


def _remaining(
    segment: Segment, phrase: list[Clause], anchor: int, name: str
) -> Iterator[tuple[int, int, str]]:
    """Yield the other demands of a phrase, to be tried from the rarest on."""
    for place, clause in enumerate(phrase):
        for other, ids in clause.items():
            if (place, other) != (anchor, name):
                yield int(segment.attribute(other).frequencies_of(ids).sum()), place, other


def _holding(
    segment: Segment, starts: Positions, place: int, name: str, ids: NDArray[np.int64]
) -> Positions:
    attribute = segment.attribute(name)
    if len(ids) == 1 and is_worth_compiling(len(starts)):
        return _holding_value(attribute, starts, place, int(ids[0]))
    mask = np.zeros(len(attribute.lexicon), np.bool_)
    mask[ids] = True
    if not is_worth_compiling(len(starts)):
        return np.asarray(starts[mask[attribute.column[np.asarray(starts + np.int32(place))]]])
    from izwi.index.kernels import holding_any

    column = attribute.column
    kept: Positions = holding_any(column.words, column.bits, starts, place, mask)
    return kept


def _holding_value(attribute: Attribute, starts: Positions, place: int, number: int) -> Positions:
    """Return the starts a value stands at a distance from: by its list, if that is short."""
    from izwi.index.kernels import common, holding

    kept: Positions
    if attribute.postings is not None and attribute.frequency(number) < _LISTED * len(starts):
        kept = common(starts, attribute.positions(number), place)
    else:
        column = attribute.column
        kept = holding(column.words, column.bits, starts, place, number)
    return kept


def _automaton_hits(resolver: Resolver, query: Query, bounds: Bounds, deadline: Deadline) -> Hits:
    segment = resolver.segment
    graph = graph_of(query.pattern)
    labels = {label: number for number, label in enumerate(labels_of(query.pattern))}
    machine = machine_for(resolver, graph, labels)
    if machine.is_impossible:
        return Hits(_NOTHING, _NOTHING)
    extra = compared(segment, query.comparisons, labels) if query.comparisons else ()
    starts, ends, size = list[Positions](), list[Positions](), 0
    planned = plan(resolver, query.pattern)
    is_known = planned is not None and _is_first_token(planned, machine)
    for block in _candidates(segment, machine, planned):
        upper, lower = narrowed(bounds, block)
        for found in _matches(machine, block, upper, lower, is_known, extra, deadline):
            starts.append(found.starts)
            ends.append(found.ends)
            size += len(found)
        if size > MOST_HITS:
            raise QueryError(
                f"The query has more than {MOST_HITS:,} hits; ask for something rarer."
            )
    return Hits(np.concatenate([_NOTHING, *starts]), np.concatenate([_NOTHING, *ends]))


def _is_first_token(planned: Plan, machine: Machine) -> bool:
    """Whether the candidates are the places of all that a match may begin with."""
    one = planned.anchors[0] if len(planned.anchors) == 1 else None
    is_single = int(np.bitwise_count(machine.first).sum()) == 1
    # A boundary in front of the token, or a second attribute of it, still has to be looked at.
    looks = int((machine.first & ~machine.free).any(axis=1).sum())
    return is_single and looks == 1 and one is not None and one.low == one.high == 0


def _candidates(segment: Segment, machine: Machine, planned: Plan | None) -> Iterator[Positions]:
    """Yield ascending positions at which a match may start, block by block."""
    if planned is not None:
        positions = _anchored(segment, planned.anchors)
        for first in range(0, len(positions), _BLOCK):
            yield positions[first : first + _BLOCK]
        return
    from izwi.index.kernels import scan

    wanted = machine.first_values()
    for first in range(0, segment.tokens, _BLOCK):
        last = min(first + _BLOCK, segment.tokens)
        if wanted is None:
            yield np.arange(first, last, dtype=np.int32)
        else:
            slot, mask = wanted
            yield scan(machine.columns[slot], machine.widths[slot], first, last, mask, last - first)


def _anchored(segment: Segment, anchors: tuple[Anchor, ...]) -> Positions:
    parts = [
        segment.attribute(anchor.attribute).positions_of(anchor.clause[anchor.attribute])
        - np.int32(distance)
        for anchor in anchors
        for distance in range(anchor.low, anchor.high + 1)
    ]
    if len(parts) == 1:
        return parts[0][parts[0] >= 0]
    positions = np.unique(np.concatenate([_NOTHING, *parts]))
    return positions[positions >= 0]


def _matches(
    machine: Machine,
    starts: Positions,
    upper: NDArray[np.int32],
    lower: NDArray[np.int32],
    is_known: bool,
    extra: tuple[Any, ...],
    deadline: Deadline,
) -> Iterator[Hits]:
    """Yield the hits from some starts, looking at the clock now and then."""
    from izwi.query import kernels

    is_narrow = len(machine.first) == 1
    longest: Any = kernels.match_longest
    if is_narrow:
        longest = partial(kernels.match_narrow, is_known=is_known)
    labelled: Any = kernels.match_labelled
    begin = 0
    found_starts, found_ends = np.empty_like(starts), np.empty_like(starts)
    given = (upper, lower, *machine.arguments(), _STEPS, found_starts, found_ends)
    while begin < len(starts):
        deadline.check()
        if extra:
            begin, size, is_endless = labelled(starts, begin, *given, machine.label_of, *extra)
            if is_endless:
                raise QueryError(
                    "There are too many ways to give the labels their tokens; put fewer repeated "
                    "parts between them."
                )
        else:
            begin, size = longest(starts, begin, *given)
        yield Hits(found_starts[:size].copy(), found_ends[:size].copy())


def _combined(segment: Segment, pattern: Pattern, deadline: Deadline) -> Hits:
    """Return the hits of meet and union."""
    match pattern:
        case Union(first, second):
            one, two = _part(segment, first, deadline), _part(segment, second, deadline)
            pairs = np.unique(
                np.concatenate(
                    (np.stack((one.starts, one.ends), 1), np.stack((two.starts, two.ends), 1))
                ),
                axis=0,
            )
            return Hits(pairs[:, 0], pairs[:, 1])
        case Meet(near, far, low, high, structure):
            one, two = _part(segment, near, deadline), _part(segment, far, deadline)
            return _met(segment, one, two.starts, low, high, structure)
    raise AssertionError(pattern)


def _part(segment: Segment, pattern: Pattern, deadline: Deadline) -> Hits:
    return execute(segment, Query(pattern), deadline)


def _met(segment: Segment, near: Hits, far: Positions, low: int, high: int, structure: str) -> Hits:
    """Return the hits near which, in the same document or structure, another one starts."""
    starts, ends = regions(segment, structure or "doc", None)
    place = np.searchsorted(starts, near.starts, side="right") - 1
    inside = (place >= 0) & (near.starts < ends[np.maximum(place, 0)]) if len(starts) else place > 0
    place = np.maximum(place, 0)
    if not len(starts):
        return Hits(_NOTHING, _NOTHING)
    begin, end = starts[place], ends[place]
    if not structure:
        begin = np.maximum(begin, near.starts.astype(np.int64) + low)
        end = np.minimum(end, near.starts.astype(np.int64) + high + 1)
    many = np.searchsorted(far, end, side="left") - np.searchsorted(far, begin, side="left")
    kept = inside & (many > 0)
    return Hits(near.starts[kept], near.ends[kept])
