"""Conditions on one token as sets of values; the same question in fewer steps."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from izwi.index.columns import distinct
from izwi.index.limits import NEVER, Deadline
from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.model.records import dataclass
from izwi.query import tree
from izwi.query.values import allowed, matching_texts

# Values allowed of each attribute that is looked at; a token has to satisfy all of them.
Clause = dict[str, NDArray[np.int64]]
# A condition is met if one of its clauses is; more than this come from no query a person wrote.
MOST_CLAUSES = 64


class Resolver:
    """Finds the values conditions allow in one segment, each condition once."""

    def __init__(self, segment: Segment, deadline: Deadline = NEVER) -> None:
        self.segment = segment
        self._deadline = deadline
        self._found: dict[tree.Condition, list[Clause]] = {}

    def check(self) -> None:
        """Raise an error once the time is up."""
        self._deadline.check()

    def clauses(self, condition: tree.Condition | None) -> list[Clause]:
        """Return the ways to meet a condition; none if no value of the segment does."""
        if condition is None:
            return [{}]
        if condition not in self._found:
            ways = _ways(self.segment, positive(condition), self._deadline)
            self._found[condition] = [clause for clause in ways if _is_possible(clause)]
        return self._found[condition]


def positive(condition: tree.Condition) -> tree.Condition:
    """Return a condition in which only tests are negated."""
    match condition:
        case tree.Not(inner):
            return _negated(inner)
        case tree.Both(conditions):
            return tree.Both(tuple(positive(each) for each in conditions))
        case tree.Either(conditions):
            return tree.Either(tuple(positive(each) for each in conditions))
        case _:
            return condition


def _negated(condition: tree.Condition) -> tree.Condition:
    match condition:
        case tree.Test():
            return replace(condition, is_negated=not condition.is_negated)
        case tree.Not(inner):
            return positive(inner)
        case tree.Both(conditions):
            return tree.Either(tuple(_negated(each) for each in conditions))
        case tree.Either(conditions):
            return tree.Both(tuple(_negated(each) for each in conditions))


def _ways(segment: Segment, condition: tree.Condition, deadline: Deadline) -> list[Clause]:
    match condition:
        case tree.Test(name):
            return [{name: allowed(segment.attribute(name), condition, deadline)}]
        case tree.Both(conditions):
            found: list[Clause] = [{}]
            for each in conditions:
                ways = _ways(segment, each, deadline)
                found = _checked([_joined(a, b) for a in found for b in ways])
            return found
        case tree.Either(conditions):
            return _merged([way for each in conditions for way in _ways(segment, each, deadline)])
        case tree.Not():
            raise AssertionError("negations were moved inside before")


def _joined(one: Clause, other: Clause) -> Clause:
    """Return the clause that demands two clauses at once."""
    joined = dict(one)
    for name, ids in other.items():
        joined[name] = (
            np.intersect1d(joined[name], ids, assume_unique=True) if name in joined else ids
        )
    return joined


def _merged(ways: list[Clause]) -> list[Clause]:
    """Return the same ways, those that look at one attribute only made one."""
    single: dict[str, list[NDArray[np.int64]]] = {}
    for way in ways:
        if len(way) == 1:
            for name, ids in way.items():
                single.setdefault(name, []).append(ids)
    merged: list[Clause] = [
        {name: distinct(np.concatenate(parts)) if len(parts) > 1 else parts[0]}
        for name, parts in single.items()
    ]
    return _checked(merged + [way for way in ways if len(way) != 1])


def _checked(ways: list[Clause]) -> list[Clause]:
    if len(ways) > MOST_CLAUSES:
        raise QueryError(
            f"A condition on one token combines more than {MOST_CLAUSES} alternatives of several "
            "attributes; write some of them as one regular expression."
        )
    return ways


def _is_possible(clause: Clause) -> bool:
    return all(len(ids) for ids in clause.values())


def regions(
    segment: Segment, name: str, condition: tree.Condition | None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return where the stretches of a structure begin and end; those a condition holds for."""
    structure = segment.structure(name)
    if condition is None:
        return structure.bounds
    starts, ends = structure.starts.astype(np.int32), structure.ends.astype(np.int32)
    kept = (ends > starts) & holds_for(segment, name, condition)
    return starts[kept], ends[kept]


def holds_for(segment: Segment, name: str, condition: tree.Condition) -> NDArray[np.bool_]:
    """Return for which stretches of a structure a condition holds."""
    match condition:
        case tree.Test():
            key = ("values", name, condition.attribute)
            values, numbers = segment.remembered(
                key, lambda: structure_values(segment, name, condition.attribute)
            )
            return matching_texts(values, condition)[numbers]
        case tree.Not(inner):
            return ~holds_for(segment, name, inner)
        case tree.Both(conditions):
            parts = [holds_for(segment, name, each) for each in conditions]
            return np.asarray(np.logical_and.reduce(parts))
        case tree.Either(conditions):
            parts = [holds_for(segment, name, each) for each in conditions]
            return np.asarray(np.logical_or.reduce(parts))


def structure_values(
    segment: Segment, name: str, attribute: str
) -> tuple[list[str], NDArray[np.int64]]:
    """Return the distinct values of a structure's attribute, and which each stretch has.

    Documents have what their cards say beside what their tags said.
    """
    if name == "doc" and attribute == "publication":
        numbers, names = segment.publications
        return names, numbers
    structure = segment.structure(name)
    on_cards = segment.cards.column_names if name == "doc" else []
    if attribute not in on_cards or attribute in structure.attributes.column_names:
        return structure.values(attribute, [*on_cards, "publication"] if on_cards else ())
    column = segment.cards.column(attribute).combine_chunks().cast("string").fill_null("")
    coded = column.dictionary_encode()
    return coded.dictionary.to_pylist(), np.asarray(coded.indices.to_numpy()).astype(np.int64)


def check_names(segment: Segment, pattern: tree.Pattern) -> None:
    """Raise an error for an attribute or a structure that is not there.

    Of a pattern with a word that does not occur, the rest is not looked at to find nothing.
    """
    match pattern:
        case tree.Token(condition) | tree.Boundary("", _, condition) if condition is not None:
            for name in _attributes_of(condition):
                segment.attribute(name)
        case tree.Boundary(name, _, condition) | tree.Region(name, condition) if name:
            regions(segment, name, condition)
        case tree.Sequence(items) | tree.Alternatives(items):
            for item in items:
                check_names(segment, item)
        case tree.Repeat(item):
            check_names(segment, item)
        case tree.Meet(one, two) | tree.Union(one, two):
            check_names(segment, one)
            check_names(segment, two)
        case tree.Combined(_, first, second):
            check_query(segment, first)
            check_query(segment, second)
        case tree.Nested(query):
            check_query(segment, query)
        case tree.Span(_, name) if name:
            segment.structure(name)


def check_query(segment: Segment, query: tree.Query) -> None:
    """Raise an error for a name in a query, limits included, that is not there."""
    for pattern in (query.pattern, *(limit.pattern for limit in query.limits)):
        check_names(segment, pattern)


def _attributes_of(condition: tree.Condition) -> Iterator[str]:
    match condition:
        case tree.Test(name):
            yield name
        case tree.Not(inner):
            yield from _attributes_of(inner)
        case tree.Both(conditions) | tree.Either(conditions):
            for each in conditions:
                yield from _attributes_of(each)


def rewritten(query: tree.Query) -> tree.Query:
    """Return a query that finds the same and is quicker to run.

    As in CQP, `<s>` at its beginning and `</s>` at its end are those of one sentence.
    """
    plain = replace(query, pattern=simplified(query.pattern))
    match plain.pattern:
        case tree.Sequence(
            (tree.Boundary(name, True, condition), *inner, tree.Boundary(other, False))
        ) if name and name == other:
            # Any tokens between the ends: the structures are in a table.
            if inner in (
                [tree.Repeat(tree.Token(), 0, None)],
                [tree.Repeat(tree.Token(), 1, None)],
            ) and not (plain.comparisons):
                return replace(plain, pattern=tree.Region(name, condition))
            return replace(plain, limits=(*plain.limits, tree.Limit(tree.Region(name))))
    return plain


def simplified(pattern: tree.Pattern) -> tree.Pattern:
    """Return a pattern that finds the same and is quicker to run.

    >>> from izwi.query.cql import parse
    >>> from izwi.query.tree import Query, format_query
    >>> format_query(Query(simplified(parse("[]*[]*([]*)+ []?").pattern)))
    '[]*'
    """
    match pattern:
        case tree.Sequence(items):
            return _in_sequence(_flat(simplified(item) for item in items))
        case tree.Alternatives(items):
            kept = tuple(dict.fromkeys(simplified(item) for item in items))
            return kept[0] if len(kept) == 1 else tree.Alternatives(kept)
        case tree.Repeat(item, least, most):
            return _repeated(simplified(item), least, most)
        case _:
            return pattern


def _flat(items: Iterable[tree.Pattern]) -> Iterable[tree.Pattern]:
    for item in items:
        if isinstance(item, tree.Sequence):
            yield from item.items
        else:
            yield item


def _in_sequence(items: Iterable[tree.Pattern]) -> tree.Pattern:
    """Return a sequence in which neighbours that repeat the same are one repetition."""
    found: list[tree.Pattern] = []
    for item in items:
        both = _together(found[-1], item) if found else None
        if both is None:
            found.append(item)
        else:
            found[-1] = both
    return found[0] if len(found) == 1 else tree.Sequence(tuple(found))


def _together(one: tree.Pattern, two: tree.Pattern) -> tree.Pattern | None:
    first, second = _as_repeat(one), _as_repeat(two)
    is_varying = first.least != first.most or second.least != second.most
    # Tokens in a row stay as they are: a phrase is found by its lists.
    if first.item != second.item or not is_varying or tree.labels_of(first.item):
        return None
    most = None if first.most is None or second.most is None else first.most + second.most
    return tree.Repeat(first.item, first.least + second.least, most)


def _as_repeat(pattern: tree.Pattern) -> tree.Repeat:
    return pattern if isinstance(pattern, tree.Repeat) else tree.Repeat(pattern, 1, 1)


def _repeated(item: tree.Pattern, least: int, most: int | None) -> tree.Pattern:
    if (least, most) == (1, 1):
        return item
    # (a{0,3})* is a*; but (a{2,3})* cannot be one a.
    if isinstance(item, tree.Repeat) and item.least <= 1 and 0 not in (most, item.most):
        inner = None if most is None or item.most is None else item.most * most
        return tree.Repeat(item.item, item.least * least, inner)
    return tree.Repeat(item, least, most)


def is_impossible(resolver: Resolver, pattern: tree.Pattern) -> bool:
    """Whether a token that every match has does not occur."""
    match pattern:
        case tree.Token(condition, _):
            return not resolver.clauses(condition)
        case tree.Sequence(items):
            return any(is_impossible(resolver, item) for item in items)
        case tree.Alternatives(items):
            return all(is_impossible(resolver, item) for item in items)
        case tree.Repeat(item, least, _):
            return least > 0 and is_impossible(resolver, item)
        case _:
            return False


# Anchors further from the start than this would give more candidates than they save.
FARTHEST = 64


@dataclass(frozen=True, slots=True)
class Anchor:
    """A token every match has: the ways to meet it, and its distance from the start."""

    attribute: str
    clause: Clause
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Plan:
    """Anchors of which every match has one, and how many candidates for a start they give."""

    anchors: tuple[Anchor, ...]
    cost: int


def plan(resolver: Resolver, pattern: tree.Pattern) -> Plan | None:
    """Return the cheapest anchors of a pattern; None if every position has to be tried."""
    found = _plan(resolver, pattern, 0, 0)
    return found if found is not None and found.cost < resolver.segment.tokens // 2 else None


def _plan(resolver: Resolver, pattern: tree.Pattern, low: int, high: int) -> Plan | None:
    match pattern:
        case tree.Token(condition, _) if condition is not None:
            return _token(resolver, resolver.clauses(condition), low, high)
        case tree.Sequence(items):
            return _sequence(resolver, items, low, high)
        case tree.Alternatives(items):
            plans = [_plan(resolver, item, low, high) for item in items]
            known = [each for each in plans if each is not None]
            return _spans_together(known) if len(known) == len(plans) else None
        case tree.Repeat(item, least, _) if least > 0:
            return _plan(resolver, item, low, high)
        case _:
            return None


def _sequence(
    resolver: Resolver, items: tuple[tree.Pattern, ...], low: int, high: int
) -> Plan | None:
    best: Plan | None = None
    for item in items:
        found = _plan(resolver, item, low, high)
        if found is not None and (best is None or found.cost < best.cost):
            best = found
        least, most = length(item)
        low, high = low + least, high + (FARTHEST + 1 if most is None else most)
        if high > FARTHEST:
            break
    return best


def _token(resolver: Resolver, ways: list[Clause], low: int, high: int) -> Plan | None:
    anchors, cost = [], 0
    for clause in ways:
        counts = {name: _count(resolver, name, clause) for name in clause}
        with_lists = {name: n for name, n in counts.items() if n is not None}
        if not with_lists:
            return None
        name = min(with_lists, key=with_lists.__getitem__)
        anchors.append(Anchor(name, clause, low, high))
        cost += with_lists[name] * (high - low + 1)
    return Plan(tuple(anchors), cost)


def _count(resolver: Resolver, name: str, clause: Clause) -> int | None:
    """Return how many tokens have one of the values allowed; None where there are no lists."""
    attribute = resolver.segment.attribute(name)
    return int(attribute.frequencies_of(clause[name]).sum()) if attribute.has_lists else None


def _spans_together(plans: list[Plan]) -> Plan:
    anchors = tuple(anchor for each in plans for anchor in each.anchors)
    return Plan(anchors, sum(each.cost for each in plans))


def length(pattern: tree.Pattern) -> tuple[int, int | None]:
    """Return how many tokens a match has at least and at most."""
    match pattern:
        case tree.Token():
            return 1, 1
        case tree.Boundary():
            return 0, 0
        case tree.Region():
            return 1, None
        case tree.Sequence(items):
            parts = [length(item) for item in items]
            most = [high for _, high in parts if high is not None]
            return sum(low for low, _ in parts), sum(most) if len(most) == len(parts) else None
        case tree.Alternatives(items):
            parts = [length(item) for item in items]
            most = [high for _, high in parts if high is not None]
            return min(low for low, _ in parts), max(most) if len(most) == len(parts) else None
        case tree.Repeat(item, least, times):
            low, high = length(item)
            return low * least, None if times is None or high is None else high * times
        case _:
            return 1, None
