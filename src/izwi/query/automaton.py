"""A pattern as an automaton without empty moves: which places come first, follow, and end it.

Places where structures begin or end match no token. They become demands on the token before or
after them, so that the automaton only ever reads tokens (Glushkov's construction, with demands).
"""

from collections.abc import Iterable, Mapping
from dataclasses import field

from izwi.model.errors import QueryError
from izwi.model.records import dataclass
from izwi.query.tree import (
    Alternatives,
    Boundary,
    Combined,
    Condition,
    Meet,
    Pattern,
    Region,
    Repeat,
    Sequence,
    Span,
    Token,
    Union,
)

# Places of tokens in a pattern once its repetitions are written out.
MOST_PLACES = 1000

Demands = frozenset[Boundary]
# Ways to pass: one set of demands is enough. An empty mapping is no way at all.
Ways = frozenset[Demands]
FREE: Ways = frozenset([frozenset()])
_NO_WAY: Ways = frozenset()


@dataclass(frozen=True, slots=True)
class PatternPlace:
    """A token of the pattern; `inside` names a structure that must not begin at it."""

    condition: Condition | None = None
    label: str = ""
    inside: str = ""


@dataclass(frozen=True, slots=True)
class Graph:
    """The places of a pattern and the ways between them."""

    places: tuple[PatternPlace, ...]
    empty: Ways
    first: Mapping[int, Ways]
    last: Mapping[int, Ways]
    follow: Mapping[tuple[int, int], Ways]


@dataclass
class _Builder:
    places: list[PatternPlace] = field(default_factory=list)
    follow: dict[tuple[int, int], Ways] = field(default_factory=dict)

    def add(self, place: PatternPlace) -> int:
        if len(self.places) == MOST_PLACES:
            raise QueryError(
                f"The pattern has more than {MOST_PLACES} places once its repetitions are written "
                "out; ask for fewer, or for * instead of a large number."
            )
        self.places.append(place)
        return len(self.places) - 1


@dataclass(frozen=True, slots=True)
class _Piece:
    """How a piece of pattern can be passed, entered and left."""

    empty: Ways
    first: dict[int, Ways]
    last: dict[int, Ways]


_NOTHING = _Piece(FREE, {}, {})


def graph_of(pattern: Pattern) -> Graph:
    """Return the automaton of a pattern."""
    builder = _Builder()
    piece = _piece(builder, pattern)
    return Graph(tuple(builder.places), piece.empty, piece.first, piece.last, builder.follow)


def _piece(builder: _Builder, pattern: Pattern) -> _Piece:
    match pattern:
        case Token(condition, label):
            return _single(builder, PatternPlace(condition, label))
        case Sequence(items):
            return _chain(builder, (_piece(builder, item) for item in items))
        case Alternatives(items):
            return _choice([_piece(builder, item) for item in items])
        case Repeat(item, least, most):
            return _repeat(builder, item, least, most)
        case Boundary():
            return _Piece(frozenset([frozenset([pattern])]), {}, {})
        case Region(structure, condition):
            return _region(builder, structure, condition)
        case Meet() | Union():
            raise QueryError("meet and union stand alone: they cannot be part of a sequence.")
        case Span() | Combined():
            raise QueryError("A number of tokens stands after within, and named results alone.")


def _single(builder: _Builder, place: PatternPlace) -> _Piece:
    number = builder.add(place)
    return _Piece(_NO_WAY, {number: FREE}, {number: FREE})


def _region(builder: _Builder, structure: str, condition: Condition | None) -> _Piece:
    """Return a whole structure: its beginning, tokens at which none begins, its end."""
    begin = _Piece(frozenset([frozenset([Boundary(structure, True, condition)])]), {}, {})
    end = _Piece(frozenset([frozenset([Boundary(structure, False)])]), {}, {})
    first = _single(builder, PatternPlace())
    rest = _star(builder, _single(builder, PatternPlace(inside=structure)))
    return _chain(builder, [begin, first, rest, end])


def _repeat(builder: _Builder, item: Pattern, least: int, most: int | None) -> _Piece:
    needed = [_piece(builder, item) for _ in range(least)]
    if most is None:
        rest = _star(builder, _piece(builder, item))
        return _chain(builder, [*needed, rest])
    tail = _NOTHING
    # From the inside out: a{0,2} is (a (a)?)?
    for _ in range(most - least):
        tail = _choice([_NOTHING, _chain(builder, [_piece(builder, item), tail])])
    return _chain(builder, [*needed, tail])


def _star(builder: _Builder, piece: _Piece) -> _Piece:
    _link(builder, piece.last, piece.first)
    return _Piece(FREE, piece.first, piece.last)


def _choice(pieces: list[_Piece]) -> _Piece:
    empty, first, last = _NO_WAY, dict[int, Ways](), dict[int, Ways]()
    for piece in pieces:
        empty = _any(empty, piece.empty)
        _add(first, piece.first)
        _add(last, piece.last)
    return _Piece(empty, first, last)


def _chain(builder: _Builder, pieces: Iterable[_Piece]) -> _Piece:
    whole = _NOTHING
    for piece in pieces:
        _link(builder, whole.last, piece.first)
        first = dict(whole.first)
        _add(first, {number: _all(whole.empty, ways) for number, ways in piece.first.items()})
        last = dict(piece.last)
        _add(last, {number: _all(ways, piece.empty) for number, ways in whole.last.items()})
        whole = _Piece(_all(whole.empty, piece.empty), first, last)
    return whole


def _link(builder: _Builder, last: Mapping[int, Ways], first: Mapping[int, Ways]) -> None:
    for source, leaving in last.items():
        for target, entering in first.items():
            ways = _all(leaving, entering)
            if ways:
                key = (source, target)
                builder.follow[key] = _any(builder.follow.get(key, _NO_WAY), ways)


def _add(into: dict[int, Ways], more: Mapping[int, Ways]) -> None:
    for number, ways in more.items():
        if ways:
            into[number] = _any(into.get(number, _NO_WAY), ways)


def _any(one: Ways, other: Ways) -> Ways:
    """Return the ways of either; where nothing is demanded, nothing else matters."""
    both = one | other
    return FREE if frozenset() in both else both


def _all(one: Ways, other: Ways) -> Ways:
    """Return the ways that pass both."""
    if one == FREE:
        return other
    if other == FREE:
        return one
    return frozenset(a | b for a in one for b in other)
