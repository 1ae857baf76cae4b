"""Labelled tokens at fixed distances, compared column by column instead of path by path."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from izwi.query.hits import Positions
from izwi.query.plan import length
from izwi.query.tree import (
    Alternatives,
    Pattern,
    Repeat,
    Token,
)
from izwi.query.tree import (
    Sequence as TokenSequence,
)

# Shapes of tokens in a row that are tried one by one; more go the way of the automaton.
MOST_SHAPES = 24
MOST_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Shape:
    """Tokens in a row, and how far from the first each label stands."""

    tokens: tuple[Token, ...]

    @property
    def places(self) -> dict[str, int]:
        """The place of each label; of several the last."""
        own = {token.label: place for place, token in enumerate(self.tokens) if token.label}
        return {"match": 0, "matchend": len(self.tokens) - 1, **own}


def shapes_of(pattern: Pattern) -> list[Shape] | None:
    """Return all rows of tokens a pattern stands for, the longest first; None if too many."""
    least, most = length(pattern)
    if most is None or most > MOST_TOKENS or least == 0:
        return None
    rows = _rows(pattern)
    if rows is None:
        return None
    return [Shape(row) for row in sorted(rows, key=len, reverse=True)]


def _rows(pattern: Pattern) -> list[tuple[Token, ...]] | None:
    match pattern:
        case Token():
            return [(pattern,)]
        case TokenSequence(items):
            return _chained([_rows(item) for item in items])
        case Alternatives(items):
            parts = [_rows(item) for item in items]
            return _few([row for part in parts for row in part or ()]) if all(parts) else None
        case Repeat(item, least, most) if most is not None:
            found: list[tuple[Token, ...]] = []
            for times in range(least, most + 1):
                rows = _chained([_rows(item)] * times)
                if rows is None or len(found) + len(rows) > MOST_SHAPES:
                    return None
                found += rows
            return found
        case _:
            return None


def _chained(parts: list[list[tuple[Token, ...]] | None]) -> list[tuple[Token, ...]] | None:
    many = 1
    for part in parts:
        many *= len(part or ())
        if part is None or many > MOST_SHAPES:
            return None
    known = [part for part in parts if part is not None]
    return _few([tuple(token for row in rows for token in row) for rows in product(*known)])


def _few(rows: list[tuple[Token, ...]]) -> list[tuple[Token, ...]] | None:
    every = list(dict.fromkeys(rows))
    return every if len(every) <= MOST_SHAPES else None


def every_start(tokens: int, width: int, block: int) -> Iterator[Positions]:
    """Yield the positions from which so many tokens follow, block by block."""
    last = tokens - width + 1
    for first in range(0, last, block):
        yield np.arange(first, min(first + block, last), dtype=np.int32)
