"""Queries that open what a number counts, made from the query that was counted."""

from collections.abc import Sequence
from dataclasses import replace

from izwi.model.analyses import escaped
from izwi.query.targets import Point
from izwi.query.tree import (
    Both,
    Check,
    Combined,
    Limit,
    Meet,
    Pattern,
    Query,
    Region,
    Test,
    Token,
    Union,
    format_query,
)
from izwi.query.tree import Sequence as TokenSequence


def token(attribute: str, value: str) -> Token:
    """Return the token with a value."""
    return Token(Test(attribute, escaped(value)))


def phrase(attribute: str, values: Sequence[str]) -> str:
    """Return CQL for values in a row.

    >>> phrase("lc", ["e.g.", "braai"])
    '[lc="e\\\\.g\\\\."] [lc="braai"]'
    """
    return " ".join(format_query(Query(token(attribute, value))) for value in values)


def with_form(query: Query, attribute: str, values: Sequence[str]) -> Query:
    """Return the query for those hits whose tokens have some values."""
    pattern = query.pattern
    if isinstance(pattern, Token) and len(values) == 1:
        own = Test(attribute, escaped(values[0]))
        both = own if pattern.condition is None else Both((pattern.condition, own))
        return replace(query, pattern=Token(both, pattern.label))
    if not values or isinstance(pattern, Meet | Union) or query.comparisons:
        return query
    tokens = tuple(token(attribute, value) for value in values)
    row = tokens[0] if len(tokens) == 1 else TokenSequence(tokens)
    return Query(row, (Limit(pattern), *query.limits))


def with_point(query: Query, point: Point, attribute: str, value: str) -> Query:
    """Return the query for those hits that have a value at a point.

    Where CQL cannot say that, as for the second token after a target, it is the query as it was.
    """
    if not value or isinstance(query.pattern, Meet | Union | Combined | Region):
        return query
    if not point.distance:
        check = Check(point.label, Test(attribute, escaped(value)))
        return replace(query, comparisons=(*query.comparisons, check))
    if point.label != ("match" if point.distance < 0 else "matchend"):
        return query
    between: tuple[Pattern, ...] = (Token(),) * (abs(point.distance) - 1)
    own = query.pattern.items if isinstance(query.pattern, TokenSequence) else (query.pattern,)
    beside = token(attribute, value)
    row = (beside, *between, *own) if point.distance < 0 else (*own, *between, beside)
    return replace(query, pattern=TokenSequence(row))
