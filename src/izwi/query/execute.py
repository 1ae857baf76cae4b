"""A query and a segment to hits: for each start the longest match that keeps within its limits."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.index.columns import distinct, is_worth_compiling
from izwi.index.limits import Deadline
from izwi.index.reader import Attribute, Segment
from izwi.kernels.packing import common, holding, holding_any, scan
from izwi.model.errors import QueryError
from izwi.query import tree
from izwi.query.automaton import Machine, graph_of, machine_for
from izwi.query.conditions import (
    Anchor,
    Clause,
    Plan,
    Resolver,
    check_names,
    is_impossible,
    plan,
    regions,
    rewritten,
)
from izwi.query.hits import Bounds, Edges, Hits, Positions, chosen, narrowed, takes_shortest
from izwi.query.labels import (
    Distances,
    Shape,
    every_start,
    hold,
    numbered,
    of_documents,
    shapes_of,
    written,
)
from izwi.query.targets import label_places

# Hits of one segment; more do not fit into memory that a server can spare.
MOST_HITS = 100_000_000
# Positions tried, and steps of an automaton taken, between two looks at the clock.
_BLOCK = 1 << 20
_STEPS = 1_000_000
# A look at a column, far from the last, takes as long as reading so many members of a list.
_LISTED = 6
_NOTHING: Positions = np.empty(0, np.int32)
_LONGEST = int(np.iinfo(np.int32).max)

_Run = Callable[..., tuple[int, int]]


def execute(segment: Segment, query: tree.Query, deadline: Deadline) -> Hits:
    """Return the hits of a query in a segment, in corpus order."""
    deadline.check()
    if not segment.tokens:
        return Hits(_NOTHING, _NOTHING)
    query = rewritten(query)
    query = of_documents(segment, query) if query.comparisons else query
    hits = chosen(_found(segment, query, deadline), query.strategy)
    if not len(hits):
        check_names(segment, query.pattern)
    if query.focus:
        return _focused(segment, hits, query, deadline)
    return _expanded(segment, hits, query) if query.expand else hits


def _focused(segment: Segment, hits: Hits, query: tree.Query, deadline: Deadline) -> Hits:
    """Return the tokens that have a label in the hits, each once."""
    places = label_places(segment, replace(query, focus=""), hits, query.focus, deadline)
    return Hits(distinct(places[places >= 0]).astype(np.int32))


def _expanded(segment: Segment, hits: Hits, query: tree.Query) -> Hits:
    """Return hits widened to the structures they begin and end in, or by tokens, each once."""
    by = int(query.expand) if query.expand.isdigit() else 0
    starts, ends = segment.structure("doc" if by else query.expand).bounds
    if not len(starts) or not len(hits):
        return hits
    first = np.maximum(np.searchsorted(starts, hits.starts, side="right") - 1, 0)
    last = np.maximum(np.searchsorted(starts, hits.ends - np.int32(1), side="right") - 1, 0)
    begins, stops = hits.starts, hits.ends
    # Tokens are taken from the document of the hit.
    low = np.maximum(starts[first], begins - by) if by else starts[first]
    high = np.minimum(ends[last], stops.astype(np.int64) + by) if by else ends[last]
    if query.side != "right":
        begins = np.where(hits.starts < ends[first], low, hits.starts).astype(np.int32)
    if query.side != "left":
        stops = np.where(hits.ends <= ends[last], high, hits.ends).astype(np.int32)
    pairs = np.unique(np.stack((begins, stops), 1), axis=0)
    return Hits(np.ascontiguousarray(pairs[:, 0]), np.ascontiguousarray(pairs[:, 1]))


def _found(segment: Segment, query: tree.Query, deadline: Deadline) -> Hits:
    """Return one hit for each start."""
    resolver = Resolver(segment, deadline)
    bounds = _bounds(segment, query, deadline)
    match query.pattern:
        case tree.Meet() | tree.Union() | tree.Combined() | tree.Nested():
            hits = _kept(_combined(segment, query.pattern, deadline), bounds)
            # Of these the ends alone can be spoken of.
            last = hits.ends - hits.starts - np.int32(1)
            far: Distances = {"match": np.int32(0), "matchend": last}
            return hits.kept(hold(segment, query.comparisons, far, hits.starts, deadline))
        case tree.Region(name, condition) if not query.comparisons:
            return _kept(Hits(*regions(segment, name, condition)), bounds)
        case tree.Sequence() | tree.Token() if not query.comparisons:
            phrase = _phrase(resolver, query.pattern)
            if phrase is not None:
                hits = _phrase_hits(segment, phrase, deadline)
                # One token lies in one document, if there are no tokens outside documents.
                is_safe = (
                    len(phrase) == 1 and not query.limits and segment.structure("doc").is_complete
                )
                return hits if is_safe else _kept(hits, bounds)
    shapes = shapes_of(query.pattern) if query.comparisons else None
    if shapes is not None:
        return _compared_hits(resolver, query, shapes, bounds, deadline)
    return _automaton_hits(resolver, query, bounds, deadline)


def _bounds(segment: Segment, query: tree.Query, deadline: Deadline) -> Bounds:
    """Return the limits of a query as bounds on the ends of its matches."""
    spans = [limit.pattern for limit in query.limits if isinstance(limit.pattern, tree.Span)]
    longest = min((span.size for span in spans if not span.structure), default=_LONGEST)
    limits = [
        (_limit_regions(segment, limit.pattern, deadline), limit)
        for limit in query.limits
        if not isinstance(limit.pattern, tree.Span) or limit.pattern.structure
    ]
    is_implied = any(_keeps_to_documents(segment, limit) for limit in query.limits)
    documents = None if is_implied else _structure_edges(segment, "doc")
    return Bounds.of(documents, limits, longest)


def _compared_hits(
    resolver: Resolver, query: tree.Query, shapes: list[Shape], bounds: Bounds, deadline: Deadline
) -> Hits:
    """Return the hits of a query whose labels stand at fixed distances, one of a start."""
    segment, asked = resolver.segment, query.comparisons
    found = [
        Hits(block[hold(segment, asked, shape.places, block, deadline)], width=len(shape.tokens))
        for shape in shapes
        for block in _rows_of_tokens(resolver, shape, bounds, deadline)
    ]
    kept = [_kept(hits, bounds) for hits in found]
    starts = np.concatenate([_NOTHING, *(hits.starts for hits in kept)])
    ends = np.concatenate([_NOTHING, *(hits.ends for hits in kept)])
    ranks = ends if takes_shortest(query.strategy) else -ends
    order = np.lexsort((ranks, starts)) if len(shapes) > 1 else np.arange(len(starts))
    starts, ends = starts[order], ends[order]
    is_first = np.diff(starts, prepend=-1) > 0
    return Hits(starts[is_first], ends[is_first])


def _rows_of_tokens(
    resolver: Resolver, shape: Shape, bounds: Bounds, deadline: Deadline
) -> Iterator[Positions]:
    """Yield where tokens in a row stand, whatever their labels, ascending."""
    segment, width = resolver.segment, len(shape.tokens)
    if all(token.condition is None for token in shape.tokens):
        for block in every_start(segment.tokens, width, _BLOCK):
            deadline.check()
            yield block
        return
    pattern = tree.Sequence(tuple(tree.Token(token.condition) for token in shape.tokens))
    phrase = _phrase(resolver, pattern)
    if phrase is not None:
        yield _phrase_hits(segment, phrase, deadline).starts
    else:
        yield _automaton_hits(resolver, tree.Query(pattern), bounds, deadline).starts


def _keeps_to_documents(segment: Segment, limit: tree.Limit) -> bool:
    """Whether what lies within a limit lies within one document too."""
    if not limit.is_within or limit.is_negated or not isinstance(limit.pattern, tree.Region):
        return False
    name = limit.pattern.structure
    return segment.remembered(("nested", name), lambda: _is_nested(segment, name))


def _is_nested(segment: Segment, name: str) -> bool:
    """Whether no stretch of a structure crosses the beginning or the end of a document."""
    starts, ends = segment.structure(name).bounds
    outer = distinct(np.concatenate(segment.structure("doc").bounds))
    before = np.searchsorted(starts, outer, side="left") - 1
    is_complete = segment.structure("doc").is_complete
    return is_complete and bool((ends[before[before >= 0]] <= outer[before >= 0]).all())


def _limit_regions(segment: Segment, pattern: tree.Pattern, deadline: Deadline) -> Edges:
    if isinstance(pattern, tree.Region) and pattern.condition is None:
        return _structure_edges(segment, pattern.structure)
    if isinstance(pattern, tree.Span):
        edges = _structure_edges(segment, pattern.structure)
        following = np.append(edges.ends, np.full(pattern.size - 1, edges.ends[-1:].max(initial=0)))
        return replace(edges, ends=following[pattern.size - 1 :].astype(np.int32))
    if isinstance(pattern, tree.Region):
        starts, ends = regions(segment, pattern.structure, pattern.condition)
        return Edges(starts, ends, are_apart=True)
    inner = pattern.query if isinstance(pattern, tree.Nested) else tree.Query(pattern)
    found = execute(segment, inner, deadline)
    return Edges(found.starts, found.ends)


def _structure_edges(segment: Segment, name: str) -> Edges:
    structure = segment.structure(name)
    return Edges(*structure.bounds, structure.guide, are_apart=True)


def _kept(hits: Hits, bounds: Bounds) -> Hits:
    """Return the hits that keep within bounds, of which each has its own length."""
    upper, lower = narrowed(bounds, hits.starts)
    kept = (hits.ends <= upper) & (hits.ends >= lower)
    return hits if kept.all() else hits.kept(kept)


def _phrase(resolver: Resolver, pattern: tree.Pattern) -> list[Clause] | None:
    """Return the clauses of a pattern of single tokens, each with one clause; else None."""
    items = pattern.items if isinstance(pattern, tree.Sequence) else (pattern,)
    found = []
    for item in items:
        if not isinstance(item, tree.Token):
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
    anchor, name = _rarest(segment, phrase)
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


def _rarest(segment: Segment, phrase: list[Clause]) -> tuple[int, str]:
    """Return the demand with the fewest places, of those with lists if there are any."""
    demands = [(place, name) for place, clause in enumerate(phrase) for name in clause]
    if len(demands) == 1:
        return demands[0]
    counted = [
        (not own.has_lists, int(own.frequencies_of(phrase[place][name]).sum()), place, name)
        for place, name in demands
        for own in [segment.attribute(name)]
    ]
    return min(counted)[2:]


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
    column = attribute.column
    return holding_any(column.words, column.bits, starts, place, mask)


def _holding_value(attribute: Attribute, starts: Positions, place: int, number: int) -> Positions:
    """Return the starts a value stands at a distance from: by its list, if that is short."""
    if attribute.postings is not None and attribute.frequency(number) < _LISTED * len(starts):
        return common(starts, attribute.positions(number), place, len(attribute.column))
    column = attribute.column
    return holding(column.words, column.bits, starts, place, number)


def _automaton_hits(
    resolver: Resolver, query: tree.Query, bounds: Bounds, deadline: Deadline
) -> Hits:
    segment = resolver.segment
    if is_impossible(resolver, query.pattern):
        return Hits(_NOTHING, _NOTHING)
    graph = graph_of(query.pattern)
    labels = numbered(tree.labels_of(query.pattern))
    machine = machine_for(resolver, graph, labels)
    if machine.is_impossible:
        return Hits(_NOTHING, _NOTHING)
    starts, ends, size = list[Positions](), list[Positions](), 0
    planned = plan(resolver, query.pattern)
    is_known = planned is not None and _is_first_token(planned, machine)
    run = _runner(machine, query, labels, is_known, resolver, deadline)
    for block in _candidates(segment, machine, planned):
        upper, lower = narrowed(bounds, block)
        for found in _matches(run, block, upper, lower, deadline):
            starts.append(found.starts)
            ends.append(found.ends)
            size += len(found)
        if size > MOST_HITS:
            raise QueryError(f"The query has more than {MOST_HITS:,} hits; make it more specific.")
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
    wanted = machine.first_values()
    for first in range(0, segment.tokens, _BLOCK):
        last = min(first + _BLOCK, segment.tokens)
        if wanted is None:
            yield np.arange(first, last, dtype=np.int32)
        else:
            slot, mask = wanted
            column = machine.columns[slot]
            yield scan(column.words, column.bits, first, last, mask, last - first)


def _anchored(segment: Segment, anchors: tuple[Anchor, ...]) -> Positions:
    parts = [
        segment.attribute(anchor.attribute).positions_of(anchor.clause[anchor.attribute])
        - np.int32(distance)
        for anchor in anchors
        for distance in range(anchor.low, anchor.high + 1)
    ]
    if len(parts) == 1:
        return parts[0][parts[0] >= 0]
    positions = distinct(np.concatenate([_NOTHING, *parts]))
    return positions[positions >= 0]


def _runner(
    machine: Machine,
    query: tree.Query,
    labels: dict[str, int],
    is_known: bool,
    resolver: Resolver,
    deadline: Deadline,
) -> _Run:
    """Return what looks for matches from some starts: the next start, and how many were found."""
    is_shortest = takes_shortest(query.strategy)
    if not query.comparisons:
        matcher = machine.matcher(is_shortest=is_shortest)
        if len(machine.first) == 1:
            return partial(matcher.narrow, is_known=is_known)
        return matcher.wide
    asked = written(resolver.segment, query.comparisons, labels, len(machine.columns), deadline)
    columns = [attribute.column for attribute in asked.attributes]
    labelled: Callable[..., tuple[int, int, bool]] = machine.matcher(
        is_shortest=is_shortest, more=columns
    ).labelled

    def run(*given: Any) -> tuple[int, int]:
        begin, size, is_endless = labelled(*given, machine.label_of, asked.rows, asked.tables)
        if is_endless:
            raise QueryError(
                "There are too many ways to give the labels their tokens; put fewer repeated "
                "parts between them."
            )
        return begin, size

    return run


def _matches(
    run: _Run,
    starts: Positions,
    upper: NDArray[np.int32],
    lower: NDArray[np.int32],
    deadline: Deadline,
) -> Iterator[Hits]:
    """Yield the hits from some starts, looking at the clock now and then."""
    begin = 0
    found_starts, found_ends = np.empty_like(starts), np.empty_like(starts)
    while begin < len(starts):
        deadline.check()
        begin, size = run(starts, begin, upper, lower, _STEPS, found_starts, found_ends)
        yield Hits(found_starts[:size].copy(), found_ends[:size].copy())


def _combined(segment: Segment, pattern: tree.Pattern, deadline: Deadline) -> Hits:
    """Return the hits of meet and union, or of named results put together."""
    match pattern:
        case tree.Union(first, second) if first == second:
            return _part(segment, first, deadline)
        case tree.Union(first, second):
            one, two = _part(segment, first, deadline), _part(segment, second, deadline)
            return _put_together("union", one, two, deadline)
        case tree.Combined(operator, left, right):
            one, two = (execute(segment, each, deadline) for each in (left, right))
            return _put_together(operator, one, two, deadline)
        case tree.Nested(inner):
            return execute(segment, inner, deadline)
        case tree.Meet(near, far):
            one, two = _part(segment, near, deadline), _part(segment, far, deadline)
            return _met(segment, one, two.starts, pattern, deadline)
    raise AssertionError(pattern)


def _put_together(operator: str, one: Hits, two: Hits, deadline: Deadline) -> Hits:
    """Return the hits of either, of both, or of the first alone."""
    last = max((int(hits.starts[-1]) for hits in (one, two) if len(hits)), default=-1)
    edges = np.arange(0, last + 1 + _BLOCK, _BLOCK).astype(np.int32)
    cuts = [np.searchsorted(hits.starts, edges) for hits in (one, two)]
    # Room for the most there can be; the system gives memory only for what is written.
    starts, ends = (np.empty(len(one) + len(two), np.int32) for _ in range(2))
    size = 0
    # Stretch by stretch of the corpus: all at once takes gigabytes, and nobody could stop it.
    for bounds in zip(*(pairwise(each.tolist()) for each in cuts), strict=True):
        deadline.check()
        kept = _joined(operator, _keys(one, *bounds[0]), _keys(two, *bounds[1]))
        here, size = slice(size, size + len(kept)), size + len(kept)
        starts[here], ends[here] = kept >> 32, kept & 0xFFFFFFFF
    return Hits(starts[:size], ends[:size])


def _joined(operator: str, one: NDArray[np.int64], two: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the keys of either, of both, or of the first alone; all of them ascend."""
    if operator == "union":
        both = np.concatenate((one, two))
        # Two ascending runs are merged, not sorted.
        both.sort(kind="stable")
        return np.asarray(both[np.diff(both, prepend=-1) > 0])
    place = np.minimum(np.searchsorted(two, one), len(two) - 1)
    is_there = two[place] == one if len(two) else np.zeros(len(one), np.bool_)
    return np.asarray(one[is_there == (operator == "intersect")])


def _keys(hits: Hits, first: int, last: int) -> NDArray[np.int64]:
    """Return some hits as one number each, which sort as they do."""
    return hits.starts[first:last].astype(np.int64) << 32 | hits.ends[first:last]


def _part(segment: Segment, pattern: tree.Pattern, deadline: Deadline) -> Hits:
    return execute(segment, tree.Query(pattern), deadline)


def _met(segment: Segment, near: Hits, far: Positions, meet: tree.Meet, deadline: Deadline) -> Hits:
    """Return the hits near which, in the same document or structure, another one starts."""
    bounds = regions(segment, meet.structure or "doc", None)
    if not len(bounds[0]):
        return Hits(_NOTHING, _NOTHING)
    kept = np.empty(len(near), np.bool_)
    for first in range(0, len(near), _BLOCK):
        deadline.check()
        block = slice(first, first + _BLOCK)
        kept[block] = _are_met(near.starts[block], far, bounds, meet)
    return near.kept(kept)


def _are_met(
    near: Positions, far: Positions, bounds: tuple[Positions, Positions], meet: tree.Meet
) -> NDArray[np.bool_]:
    starts, ends = bounds
    place = np.searchsorted(starts, near, side="right") - 1
    inside = (place >= 0) & (near < ends[np.maximum(place, 0)])
    place = np.maximum(place, 0)
    begin, end = starts[place], ends[place]
    if not meet.structure:
        # In the type of the positions, or NumPy would convert all of them.
        begin = np.maximum(begin, near.astype(np.int64) + meet.low).astype(np.int32)
        end = np.minimum(end, near.astype(np.int64) + meet.high + 1).astype(np.int32)
    many = np.searchsorted(far, end, side="left") - np.searchsorted(far, begin, side="left")
    return np.asarray(inside & (many > 0))
