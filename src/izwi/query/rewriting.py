"""The same question in fewer steps: repetitions that follow or hold each other become one."""

from collections.abc import Iterable

from izwi.query.cql_patterns import labels_of
from izwi.query.tree import Alternatives, Pattern, Repeat, Sequence


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
