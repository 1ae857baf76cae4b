"""The same question in fewer steps, and where to begin: at the rarest token of a match."""

from collections.abc import Iterable
from dataclasses import dataclass

from izwi.query.conditions import Clause, Resolver
from izwi.query.cql_patterns import labels_of
from izwi.query.tree import Alternatives, Boundary, Pattern, Region, Repeat, Sequence, Token


def simplified(pattern: Pattern) -> Pattern:
    """Return a pattern that finds the same and is quicker to run.

    >>> from izwi.query.cql import parse
    >>> from izwi.query.tree import Query, format_query
    >>> format_query(Query(simplified(parse("[]*[]*([]*)+ []?").pattern)))
    '[]*'
    """
    match pattern:
        case Sequence(items):
            return _joined(_flat(simplified(item) for item in items))
        case Alternatives(items):
            kept = tuple(dict.fromkeys(simplified(item) for item in items))
            return kept[0] if len(kept) == 1 else Alternatives(kept)
        case Repeat(item, least, most):
            return _repeated(simplified(item), least, most)
        case _:
            return pattern


def _flat(items: Iterable[Pattern]) -> Iterable[Pattern]:
    for item in items:
        if isinstance(item, Sequence):
            yield from item.items
        else:
            yield item


def _joined(items: Iterable[Pattern]) -> Pattern:
    """Return a sequence in which neighbours that repeat the same are one repetition."""
    found: list[Pattern] = []
    for item in items:
        both = _together(found[-1], item) if found else None
        if both is None:
            found.append(item)
        else:
            found[-1] = both
    return found[0] if len(found) == 1 else Sequence(tuple(found))


def _together(one: Pattern, two: Pattern) -> Pattern | None:
    first, second = _as_repeat(one), _as_repeat(two)
    is_varying = first.least != first.most or second.least != second.most
    # Tokens in a row stay as they are: a phrase is found by its lists.
    if first.item != second.item or not is_varying or labels_of(first.item):
        return None
    most = None if first.most is None or second.most is None else first.most + second.most
    return Repeat(first.item, first.least + second.least, most)


def _as_repeat(pattern: Pattern) -> Repeat:
    return pattern if isinstance(pattern, Repeat) else Repeat(pattern, 1, 1)


def _repeated(item: Pattern, least: int, most: int | None) -> Pattern:
    if (least, most) == (1, 1):
        return item
    # (a{0,3})* is a*; but (a{2,3})* cannot be one a.
    if isinstance(item, Repeat) and item.least <= 1 and 0 not in (most, item.most):
        inner = None if most is None or item.most is None else item.most * most
        return Repeat(item.item, item.least * least, inner)
    return Repeat(item, least, most)


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


def plan(resolver: Resolver, pattern: Pattern) -> Plan | None:
    """Return the cheapest anchors of a pattern; None if every position has to be tried."""
    found = _plan(resolver, pattern, 0, 0)
    return found if found is not None and found.cost < resolver.segment.tokens // 2 else None


def _plan(resolver: Resolver, pattern: Pattern, low: int, high: int) -> Plan | None:
    match pattern:
        case Token(condition, _) if condition is not None:
            return _token(resolver, resolver.clauses(condition), low, high)
        case Sequence(items):
            return _sequence(resolver, items, low, high)
        case Alternatives(items):
            plans = [_plan(resolver, item, low, high) for item in items]
            known = [each for each in plans if each is not None]
            return _spans_together(known) if len(known) == len(plans) else None
        case Repeat(item, least, _) if least > 0:
            return _plan(resolver, item, low, high)
        case _:
            return None


def _sequence(resolver: Resolver, items: tuple[Pattern, ...], low: int, high: int) -> Plan | None:
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


def length(pattern: Pattern) -> tuple[int, int | None]:
    """Return how many tokens a match has at least and at most."""
    match pattern:
        case Token():
            return 1, 1
        case Boundary():
            return 0, 0
        case Region():
            return 1, None
        case Sequence(items):
            parts = [length(item) for item in items]
            most = [high for _, high in parts if high is not None]
            return sum(low for low, _ in parts), sum(most) if len(most) == len(parts) else None
        case Alternatives(items):
            parts = [length(item) for item in items]
            most = [high for _, high in parts if high is not None]
            return min(low for low, _ in parts), max(most) if len(most) == len(parts) else None
        case Repeat(item, least, times):
            low, high = length(item)
            return low * least, None if times is None or high is None else high * times
        case _:
            return 1, None
