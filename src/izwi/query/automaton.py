"""A pattern as an automaton without empty moves, and made for one segment: states as bits.

Places where structures begin or end match no token. They become demands on the token before or
after them, so that the automaton only ever reads tokens (Glushkov's construction, with demands).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

import numpy as np
from numpy.typing import NDArray

from izwi.index.columns import Packed, read_only
from izwi.kernels.matching import Matcher
from izwi.model.errors import QueryError
from izwi.model.records import dataclass
from izwi.query import tree
from izwi.query.conditions import Clause, Resolver, regions
from izwi.query.tree import Sequence as PatternSequence

# Places of tokens in a pattern once its repetitions are written out.
MOST_PLACES = 1000

Demands = frozenset[tree.Boundary]
# Ways to pass: one set of demands is enough. An empty mapping is no way at all.
Ways = frozenset[Demands]
FREE: Ways = frozenset([frozenset()])
_NO_WAY: Ways = frozenset()


@dataclass(frozen=True, slots=True)
class PatternPlace:
    """A token of the pattern; `inside` names a structure that must not begin at it."""

    condition: tree.Condition | None = None
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


def graph_of(pattern: tree.Pattern) -> Graph:
    """Return the automaton of a pattern."""
    builder = _Builder()
    piece = _piece(builder, pattern)
    return Graph(tuple(builder.places), piece.empty, piece.first, piece.last, builder.follow)


def _piece(builder: _Builder, pattern: tree.Pattern) -> _Piece:
    match pattern:
        case tree.Token(condition, label):
            return _single(builder, PatternPlace(condition, label))
        case PatternSequence(items):
            return _chain(builder, (_piece(builder, item) for item in items))
        case tree.Alternatives(items):
            return _choice([_piece(builder, item) for item in items])
        case tree.Repeat(item, least, most):
            return _repeat(builder, item, least, most)
        case tree.Boundary():
            return _Piece(frozenset([frozenset([pattern])]), {}, {})
        case tree.Region(structure, condition):
            return _region(builder, structure, condition)
        case tree.Meet() | tree.Union():
            raise QueryError("meet and union stand alone: they cannot be part of a sequence.")
        case tree.Span() | tree.Combined() | tree.Nested():
            raise QueryError("A number of tokens stands after within, and named results alone.")


def _single(builder: _Builder, place: PatternPlace) -> _Piece:
    number = builder.add(place)
    return _Piece(_NO_WAY, {number: FREE}, {number: FREE})


def _region(builder: _Builder, structure: str, condition: tree.Condition | None) -> _Piece:
    """Return a whole structure: its beginning, tokens at which none begins, its end."""
    begin = _Piece(frozenset([frozenset([tree.Boundary(structure, True, condition)])]), {}, {})
    end = _Piece(frozenset([frozenset([tree.Boundary(structure, False)])]), {}, {})
    first = _single(builder, PatternPlace())
    rest = _star(builder, _single(builder, PatternPlace(inside=structure)))
    return _chain(builder, [begin, first, rest, end])


def _repeat(builder: _Builder, item: tree.Pattern, least: int, most: int | None) -> _Piece:
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


# Columns one automaton may look at: attributes, and bit maps of where structures begin or end.
MOST_SLOTS = 16
MOST_STATES = 4096
# Tokens looked at between two looks at the clock.
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class _Mark:
    """A column of bits: where a structure begins or ends, seen from the token before or after."""

    boundary: tree.Boundary
    shift: int


@dataclass(frozen=True, slots=True)
class _State:
    """A place of the pattern with one way of its condition and the demands it was reached by."""

    place: int
    clause: Clause
    before: Demands
    after: Demands | None


@dataclass(frozen=True, slots=True)
class Machine:
    """What the compiled loop reads."""

    columns: tuple[Packed, ...]
    tables: NDArray[np.uint64]
    bases: NDArray[np.int64]
    free: NDArray[np.uint64]
    first: NDArray[np.uint64]
    follow: NDArray[np.uint64]
    last: NDArray[np.uint64]
    label_of: NDArray[np.int64]
    is_impossible: bool

    def matcher(self, *, is_shortest: bool = False, more: Sequence[Packed] = ()) -> Matcher:
        """Return the automaton compiled code runs; it may look at more columns for labels."""
        columns = [*self.columns, *more]
        if len(columns) > MOST_SLOTS:
            raise QueryError(
                f"The query looks at {len(columns)} attributes and boundaries at once; at most "
                f"{MOST_SLOTS} can be."
            )
        empty = [read_only(np.zeros(2, np.uint64))] * (MOST_SLOTS - len(columns))
        automaton = (
            self.tables, self.bases, self.free, self.first, self.follow, self.last, self.endless
        )  # fmt: skip
        return Matcher(
            tuple([column.words for column in columns] + empty),
            np.array([column.bits for column in columns] + [1] * len(empty), np.int64),
            automaton,
            is_shortest,
        )

    @property
    def endless(self) -> NDArray[np.uint64]:
        """States that any token meets, that lead to themselves and end a match."""
        found = np.bitwise_and.reduce(self.free, axis=0, initial=2**64 - 1) & self.last
        for number in range(len(self.label_of)):
            word, bit = number >> 6, np.uint64(1 << (number & 63))
            if not self.follow[number, word] & bit:
                found[word] &= ~bit
        return np.asarray(found, np.uint64)

    def first_values(self) -> tuple[int, NDArray[np.bool_]] | None:
        """Return a column, and which of its values can begin a match; None if any can."""
        words = len(self.first)
        # The narrowest column, which comes first, is the quickest to look through.
        for slot in range(len(self.free)):
            if not (self.free[slot] & self.first).any():
                begin, end = self.bases[slot] * words, self.bases[slot + 1] * words
                table = self.tables[begin:end].reshape(-1, words)
                return slot, np.asarray((table & self.first).any(axis=1))
        return None


def machine_for(resolver: Resolver, graph: Graph, labels: Mapping[str, int]) -> Machine:
    """Return the automaton of a pattern with the values and structures of a segment."""
    ways = [resolver.clauses(place.condition) for place in graph.places]
    states = list(_states(graph, ways))
    if len(states) > MOST_STATES:
        raise QueryError(
            f"The query needs {len(states):,} states, more than {MOST_STATES:,}: "
            "ask for fewer repetitions or alternatives."
        )
    words = max(1, -(-len(states) // 64))
    slots = _slots(resolver, graph, states)
    follow = np.zeros((64 * words, words), np.uint64)
    for number, state in enumerate(states):
        if state.after is None:
            follow[number] = _bits(words, _following(graph, states, state))
    first = [n for n, s in enumerate(states) if s.before in graph.first.get(s.place, ())]
    last = [
        n for n, s in enumerate(states)
        if s.after is not None or frozenset() in graph.last.get(s.place, ())
    ]  # fmt: skip
    named = [labels.get(graph.places[state.place].label, -1) for state in states]
    tables = [_table(slot, states, graph.places, words) for slot in slots]
    sizes = [len(table) for table, _ in tables]
    empty = np.zeros(2, np.uint64)
    return Machine(
        tuple(slot.column for slot in slots),
        np.concatenate([table.ravel() for table, _ in tables] or [empty]),
        np.array([0, *np.cumsum(sizes)], np.int64),
        np.array([free for _, free in tables], np.uint64).reshape(len(slots), words),
        _bits(words, first),
        follow,
        _bits(words, last),
        np.array(named, np.int64),
        not first or not last,
    )


def _states(graph: Graph, ways: list[list[Clause]]) -> Iterator[_State]:
    """Yield a state for each place, way of its condition, and demands before and after it."""
    entering: dict[int, set[Demands]] = {}
    for number, before in graph.first.items():
        entering.setdefault(number, set()).update(before)
    for (_, number), before in graph.follow.items():
        entering.setdefault(number, set()).update(before)
    for number, own in sorted(entering.items()):
        leaving = graph.last.get(number, frozenset())
        for clause in ways[number]:
            for demands in sorted(own, key=repr):
                yield _State(number, clause, demands, None)
                for after in sorted(leaving - {frozenset()}, key=repr):
                    yield _State(number, clause, demands, after)


def _following(graph: Graph, states: list[_State], state: _State) -> list[int]:
    return [
        number
        for number, other in enumerate(states)
        if other.before in graph.follow.get((state.place, other.place), ())
    ]


def _bits(words: int, numbers: list[int]) -> NDArray[np.uint64]:
    found = np.zeros(words, np.uint64)
    for number in numbers:
        found[number >> 6] |= np.uint64(1 << (number & 63))
    return found


@dataclass(frozen=True, slots=True)
class _Slot:
    """A column the automaton looks at, under the name states demand it by."""

    key: "str | _Mark"
    column: Packed
    size: int


def _slots(resolver: Resolver, graph: Graph, states: list[_State]) -> list[_Slot]:
    segment = resolver.segment
    names = dict.fromkeys(name for state in states for name in state.clause)
    marks = dict.fromkeys(
        mark for state in states for mark in _marks(state, graph.places[state.place])
    )
    if len(names) + len(marks) > MOST_SLOTS:
        raise QueryError(
            f"The query looks at {len(names) + len(marks)} attributes and boundaries at once; "
            f"at most {MOST_SLOTS} can be."
        )
    slots = [
        _Slot(name, segment.attribute(name).column, len(segment.attribute(name).lexicon))
        for name in names
    ]
    slots += [_Slot(mark, _bit_map(resolver, mark), 2) for mark in marks]
    # The narrowest first: it is the most likely to be in the cache, and may spare the others.
    return sorted(slots, key=lambda slot: slot.column.bits)


def _marks(state: _State, place: PatternPlace) -> Iterator[_Mark]:
    """Yield the boundaries a state demands, seen from its token."""
    for boundary in state.before:
        yield _Mark(boundary, 0 if boundary.is_start else 1)
    for boundary in state.after or ():
        yield _Mark(boundary, -1 if boundary.is_start else 0)
    if place.inside:
        yield _Mark(tree.Boundary(place.inside), 0)


def _bit_map(resolver: Resolver, mark: _Mark) -> Packed:
    """Return a column of bits, set where a boundary is met."""
    segment = resolver.segment
    # Every number of a sketch asks for the same few of them, each a look at the whole text.
    words = segment.remembered(("bits", mark), lambda: packed_bits(_met(resolver, mark)).words)
    return Packed(words, 1, segment.tokens)


def _met(resolver: Resolver, mark: _Mark) -> NDArray[np.uint8]:
    """Return for each token whether a boundary is met there."""
    segment, boundary, shift = resolver.segment, mark.boundary, mark.shift
    bits = np.zeros(segment.tokens, np.uint8)
    if boundary.structure:
        starts, ends = regions(segment, boundary.structure, boundary.condition)
        places = (starts if boundary.is_start else ends - 1).astype(np.int64) + shift
        bits[places[(places >= 0) & (places < segment.tokens)]] = 1
        return bits
    for first in range(0, segment.tokens, _BLOCK):
        resolver.check()
        block = slice(first, min(first + _BLOCK, segment.tokens))
        bits[block] = _holding(resolver, boundary.condition, block)
    if shift:
        bits = np.roll(bits, shift)
        bits[shift - 1 if shift > 0 else shift] = 0
    return bits


def _holding(
    resolver: Resolver, condition: tree.Condition | None, block: slice
) -> NDArray[np.bool_]:
    """Return for which tokens of a stretch a condition holds."""
    held = np.zeros(block.stop - block.start, np.bool_)
    for clause in resolver.clauses(condition):
        own = np.ones(len(held), np.bool_)
        for name, ids in clause.items():
            attribute = resolver.segment.attribute(name)
            wanted = np.zeros(len(attribute.lexicon), np.bool_)
            wanted[ids] = True
            own &= wanted[attribute.column[block]]
        held |= own
    return held


def packed_bits(bits: NDArray[np.uint8]) -> Packed:
    """Return zeros and ones as a column of one bit each."""
    octets = np.packbits(bits, bitorder="little")
    padded = np.zeros((len(octets) // 8 + 2) * 8, np.uint8)
    padded[: len(octets)] = octets
    return Packed(padded.view(np.uint64), 1, len(bits))


def _table(
    slot: _Slot, states: list[_State], places: tuple[PatternPlace, ...], words: int
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return which states each value of a column allows, and which do not look at the column."""
    table = np.zeros((slot.size, words), np.uint64)
    free = np.zeros(words, np.uint64)
    for number, state in enumerate(states):
        word, bit = number >> 6, np.uint64(1 << (number & 63))
        wanted = _wanted(slot, state, places[state.place])
        if wanted is None:
            free[word] |= bit
        else:
            table[wanted, word] |= bit
    return table, free


def _wanted(slot: _Slot, state: _State, place: PatternPlace) -> NDArray[np.int64] | None:
    if isinstance(slot.key, str):
        return state.clause.get(slot.key)
    is_inner = bool(place.inside) and slot.key == _Mark(tree.Boundary(place.inside), 0)
    demanded = {_Mark(b, 0 if b.is_start else 1) for b in state.before} | {
        _Mark(b, -1 if b.is_start else 0) for b in state.after or ()
    }
    if slot.key in demanded:
        return np.empty(0, np.int64) if is_inner else np.array([1], np.int64)
    return np.array([0], np.int64) if is_inner else None
