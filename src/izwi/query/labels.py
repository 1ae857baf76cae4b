"""Conditions on labelled tokens: for many starts at once, column by column, or for the kernel."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.index.limits import NEVER, Deadline
from izwi.index.reader import Attribute, Segment
from izwi.kernels.matching_rows import (
    BOTH,
    CONSTANT,
    DISTANCE,
    EITHER,
    EQUAL,
    GREATER,
    LESS,
    MOST_LABELS,
    NEITHER,
    ROW_COLUMNS,
    VALUE,
)
from izwi.model.errors import QueryError
from izwi.model.records import dataclass
from izwi.query import tree
from izwi.query.conditions import length
from izwi.query.hits import Positions
from izwi.query.tree import Sequence as TokenSequence
from izwi.query.values import allowed

# The labels every match has: its first token and its last.
ENDS = ("match", "matchend")
_KINDS = {"=": (EQUAL, False), "!=": (EQUAL, True), "<": (LESS, False), ">=": (LESS, True),
          ">": (GREATER, False), "<=": (GREATER, True)}  # fmt: skip
_COMPARED: dict[str, Callable[[Any, int], NDArray[np.bool_]]] = {
    "=": lambda numbers, many: numbers == many,
    "!=": lambda numbers, many: numbers != many,
    "<": lambda numbers, many: numbers < many,
    ">=": lambda numbers, many: numbers >= many,
    ">": lambda numbers, many: numbers > many,
    "<=": lambda numbers, many: numbers <= many,
}

Mask = NDArray[np.bool_]
# How far labels are from the start of a match: the same in all, or in each its own.
Distances = Mapping[str, np.int32 | NDArray[np.int32]]


def numbered(labels: Sequence[str]) -> dict[str, int]:
    """Return the number of each label, those of the ends first."""
    every = dict.fromkeys((*ENDS, *labels))
    if len(every) > MOST_LABELS:
        raise QueryError(f"A query has at most {MOST_LABELS - len(ENDS)} labels.")
    return {label: number for number, label in enumerate(every)}


def of_documents(segment: Segment, query: tree.Query) -> tree.Query:
    """Return a query in which what is asked of a label's document is a limit of the match.

    A hit lies in one document, so `match.doc_source = "herald"` is `within <doc .../>`.
    """
    limits, kept = list(query.limits), []
    for each in query.comparisons:
        if isinstance(each, tree.Check) and _is_of_document(segment, each.test.attribute):
            test = replace(each.test, attribute=each.test.attribute.removeprefix("doc_"))
            limits.append(tree.Limit(tree.Region("doc", test)))
        else:
            _check_attributes(segment, each)
            kept.append(each)
    return replace(query, limits=tuple(limits), comparisons=tuple(kept))


def _is_of_document(segment: Segment, name: str) -> bool:
    return name.startswith("doc_") and name not in segment.attributes


def _check_attributes(segment: Segment, condition: tree.GlobalCondition) -> None:
    """Raise an error that says what to write for attributes of structures in other places."""
    match condition:
        case tree.AllOf(conditions) | tree.AnyOf(conditions):
            for each in conditions:
                _check_attributes(segment, each)
        case tree.NotThat(inner):
            _check_attributes(segment, inner)
        case tree.Check(_, test):
            _check_name(segment, test.attribute)
        case tree.Comparison(_, one, _, two, _):
            _check_name(segment, one)
            _check_name(segment, two)


def _check_name(segment: Segment, name: str) -> None:
    structure, _, attribute = name.partition("_")
    if name not in segment.attributes and attribute and structure in segment.structures:
        raise QueryError(
            f"'{name}' is said of <{structure}>, not of a token: write "
            f'within <{structure} {attribute}="..."/> after the tokens, before other conditions.'
        )


def counted_in_all(query: tree.Query, segment: Segment, segments: Sequence[Segment]) -> tree.Query:
    """Return a query for one segment in which f() speaks of all segments together."""

    def resolved(condition: tree.GlobalCondition) -> tree.GlobalCondition:
        match condition:
            case tree.AllOf(conditions):
                return tree.AllOf(tuple(map(resolved, conditions)))
            case tree.AnyOf(conditions):
                return tree.AnyOf(tuple(map(resolved, conditions)))
            case tree.NotThat(inner):
                return tree.NotThat(resolved(inner))
            case tree.Measured(label, _, name, operator, number) if name:
                many = corpus_frequencies(segment, segments, name)
                return tree.Among(label, name, np.flatnonzero(_COMPARED[operator](many, number)))
        return condition

    def inner(pattern: tree.Pattern) -> tree.Pattern:
        match pattern:
            case tree.Combined(operator, first, second):
                parts = (counted_in_all(each, segment, segments) for each in (first, second))
                return tree.Combined(operator, *parts)
            case tree.Nested(own):
                return tree.Nested(counted_in_all(own, segment, segments))
        return pattern

    return replace(
        query,
        pattern=inner(query.pattern),
        limits=tuple(replace(each, pattern=inner(each.pattern)) for each in query.limits),
        comparisons=tuple(map(resolved, query.comparisons)),
    )


def corpus_frequencies(
    segment: Segment, segments: Sequence[Segment], name: str
) -> NDArray[np.int64]:
    """Return how often each value of a segment occurs in all segments together."""
    own = segment.attribute(name)
    key = ("corpus frequencies", name, tuple(each.folder.name for each in segments))
    return segment.remembered(key, lambda: _added(own, [each.attribute(name) for each in segments]))


def _added(own: Attribute, every: Sequence[Attribute]) -> NDArray[np.int64]:
    number_of = {value: number for number, value in enumerate(own.lexicon)}
    total = np.zeros(len(own.lexicon), np.int64)
    for attribute in every:
        places = np.array([number_of.get(value, -1) for value in attribute.lexicon], np.int64)
        total[places[places >= 0]] += attribute.frequencies[places >= 0]
    return total


def hold(
    segment: Segment,
    conditions: Sequence[tree.GlobalCondition],
    places: Distances,
    starts: NDArray[np.int32],
    deadline: Deadline = NEVER,
) -> Mask:
    """Return from which starts conditions hold for labels at some distances from them."""
    kept = np.ones(len(starts), np.bool_)
    for each in conditions:
        kept &= _holds(segment, each, places, starts, deadline)
    return kept


def _holds(
    segment: Segment,
    condition: tree.GlobalCondition,
    places: Distances,
    starts: NDArray[np.int32],
    deadline: Deadline,
) -> Mask:
    deadline.check()
    match condition:
        case tree.AllOf(conditions):
            return hold(segment, conditions, places, starts, deadline)
        case tree.AnyOf(conditions):
            parts = [_holds(segment, each, places, starts, deadline) for each in conditions]
            return np.asarray(np.logical_or.reduce(parts))
        case tree.NotThat(inner):
            return ~_holds(segment, inner, places, starts, deadline)
        case _ if not set(labels_in(condition)) <= places.keys():
            return np.zeros(len(starts), np.bool_)
        case tree.Comparison():
            return _equal(segment, condition, places, starts)
        case tree.Check(label, test):
            numbers = allowed(segment.attribute(test.attribute), test, deadline)
            among = tree.Among(label, test.attribute, numbers)
            return _holds(segment, among, places, starts, deadline)
        case tree.Among(label, name, numbers):
            attribute = segment.attribute(name)
            mask = np.zeros(len(attribute.lexicon), np.bool_)
            mask[numbers] = True
            return np.asarray(mask[attribute.column[starts + places[label]]])
        case tree.Measured(label, other, attribute_name, operator, number):
            if not attribute_name:
                distance = places[other] - places[label]
                far = np.abs(distance) if condition.is_absolute else distance
                return np.zeros(len(starts), np.bool_) | _COMPARED[operator](far, number)
            own = segment.attribute(attribute_name)
            many = own.frequencies[own.column[starts + places[label]]]
            return _COMPARED[operator](many, number)
    raise AssertionError(condition)


def _equal(
    segment: Segment, each: tree.Comparison, places: Distances, starts: NDArray[np.int32]
) -> Mask:
    one = segment.attribute(each.first_attribute).column[starts + places[each.first]]
    two = segment.attribute(each.second_attribute).column[starts + places[each.second]]
    if each.first_attribute != each.second_attribute:
        two = translation(segment, each)[two]
    return np.asarray((one == two) != each.is_negated)


def labels_in(condition: tree.GlobalCondition) -> tuple[str, ...]:
    """Return the labels a condition speaks of."""
    match condition:
        case tree.AllOf(conditions) | tree.AnyOf(conditions):
            return tuple(label for each in conditions for label in labels_in(each))
        case tree.NotThat(inner):
            return labels_in(inner)
        case tree.Comparison(first, _, second, _, _):
            return first, second
        case tree.Check(label, _) | tree.Among(label, _, _):
            return (label,)
        case tree.Measured(label, other, _, _, _):
            return (label, other) if other else (label,)


@dataclass
class _Writer:
    """Rows of numbers, the columns they look at, and tables for the values of those."""

    segment: Segment
    labels: Mapping[str, int]
    first_slot: int
    deadline: Deadline
    rows: list[list[int]] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    tables: list[NDArray[np.int64]] = field(default_factory=list)

    def write(self, condition: tree.GlobalCondition) -> None:
        """Add the rows of a condition."""
        match condition:
            case tree.AllOf(conditions) | tree.AnyOf(conditions):
                for each in conditions:
                    self.write(each)
                kind = BOTH if isinstance(condition, tree.AllOf) else EITHER
                for _ in conditions[1:]:
                    self._row(kind)
            case tree.NotThat(inner):
                self.write(inner)
                self._row(NEITHER)
            case tree.Comparison(first, one, second, two, is_negated):
                table = -1 if one == two else self._table(translation(self.segment, condition))
                self._row(EQUAL, self._value(first, one), self._value(second, two, table))
                self._negate(is_negated)
                if is_negated:
                    # A label that stands for nothing differs from nothing, either.
                    self._row(EQUAL, self._value(first, one), self._value(first, one))
                    self._row(EQUAL, self._value(second, two), self._value(second, two))
                    self._row(BOTH)
                    self._row(BOTH)
            case tree.Check(label, test):
                numbers = allowed(self.segment.attribute(test.attribute), test, self.deadline)
                self.write(tree.Among(label, test.attribute, numbers))
            case tree.Among(label, name, numbers):
                mask = np.zeros(len(self.segment.attribute(name).lexicon), np.int64)
                mask[numbers] = 1
                self._row(EQUAL, self._value(label, name, self._table(mask)), (CONSTANT, 1))
            case tree.Measured():
                self._measured(condition)

    def _measured(self, each: tree.Measured) -> None:
        if each.attribute:
            table = self._table(self.segment.attribute(each.attribute).frequencies)
            side = self._value(each.label, each.attribute, table)
            return self._compare(side, each.operator, each.number)
        side = (DISTANCE, self.labels[each.label], self.labels[each.other])
        if not each.is_absolute:
            return self._compare(side, each.operator, each.number)
        turned = (DISTANCE, self.labels[each.other], self.labels[each.label])
        self._compare(side, each.operator, each.number)
        self._compare(turned, each.operator, each.number)
        # |d| < n asks it of d and of -d; |d| > n of one of them.
        return self._row(BOTH if each.operator in {"<", "<=", "!="} else EITHER)

    def _compare(self, side: tuple[int, ...], operator: str, number: int) -> None:
        kind, is_negated = _KINDS[operator]
        self._row(kind, side, (CONSTANT, number))
        if is_negated:
            self._row(NEITHER)
            # Only of what is there.
            self._row(EQUAL, side, side)
            self._row(BOTH)

    def _negate(self, is_negated: bool) -> None:
        if is_negated:
            self._row(NEITHER)

    def _row(self, kind: int, *sides: tuple[int, ...]) -> None:
        row = [0] * ROW_COLUMNS
        row[0] = kind
        for number, side in enumerate(sides):
            row[1 + 4 * number : 1 + 4 * number + len(side)] = side
        self.rows.append(row)

    def _value(self, label: str, name: str, table: int = -1) -> tuple[int, ...]:
        if name not in self.names:
            self.segment.attribute(name)
            self.names.append(name)
        return VALUE, self.labels[label], self.first_slot + self.names.index(name), table

    def _table(self, values: NDArray[np.int64]) -> int:
        begin = sum(map(len, self.tables))
        self.tables.append(values)
        return begin


@dataclass(frozen=True, slots=True)
class Written:
    """Conditions as the kernel reads them."""

    rows: NDArray[np.int64]
    tables: NDArray[np.int64]
    attributes: tuple[Attribute, ...]


def written(
    segment: Segment,
    conditions: Sequence[tree.GlobalCondition],
    labels: Mapping[str, int],
    first_slot: int,
    deadline: Deadline = NEVER,
) -> Written:
    """Return conditions for the kernel; the columns they look at come after some others."""
    writer = _Writer(segment, labels, first_slot, deadline)
    writer.write(tree.AllOf(tuple(conditions)))
    return Written(
        np.array(writer.rows, np.int64).reshape(-1, ROW_COLUMNS),
        np.concatenate([np.empty(0, np.int64), *writer.tables]),
        tuple(segment.attribute(name) for name in writer.names),
    )


def translation(segment: Segment, each: tree.Comparison) -> NDArray[np.int64]:
    """Return, for the values of one attribute, their numbers in the other; -1 if they have none."""
    first, second = (
        segment.attribute(name).lexicon for name in (each.first_attribute, each.second_attribute)
    )
    number = {value: place for place, value in enumerate(first)}
    return np.array([number.get(value, -1) for value in second], np.int64)


# Shapes of tokens in a row that are tried one by one; more go the way of the automaton.
MOST_SHAPES = 24
MOST_TOKENS = 64


@dataclass(frozen=True, slots=True)
class Shape:
    """Tokens in a row, and how far from the first each label stands."""

    tokens: tuple[tree.Token, ...]

    @property
    def places(self) -> dict[str, np.int32]:
        """The place of each label; of several the last."""
        own = {token.label: place for place, token in enumerate(self.tokens) if token.label}
        every = {"match": 0, "matchend": len(self.tokens) - 1, **own}
        return {label: np.int32(place) for label, place in every.items()}


def shapes_of(pattern: tree.Pattern) -> list[Shape] | None:
    """Return all rows of tokens a pattern stands for, the longest first; None if too many."""
    least, most = length(pattern)
    if most is None or most > MOST_TOKENS or least == 0:
        return None
    rows = _rows(pattern)
    if rows is None:
        return None
    return [Shape(row) for row in sorted(rows, key=len, reverse=True)]


def _rows(pattern: tree.Pattern) -> list[tuple[tree.Token, ...]] | None:
    match pattern:
        case tree.Token():
            return [(pattern,)]
        case TokenSequence(items):
            return _chained([_rows(item) for item in items])
        case tree.Alternatives(items):
            parts = [_rows(item) for item in items]
            return _few([row for part in parts for row in part or ()]) if all(parts) else None
        case tree.Repeat(item, least, most) if most is not None:
            found: list[tuple[tree.Token, ...]] = []
            for times in range(least, most + 1):
                rows = _chained([_rows(item)] * times)
                if rows is None or len(found) + len(rows) > MOST_SHAPES:
                    return None
                found += rows
            return found
        case _:
            return None


def _chained(
    parts: list[list[tuple[tree.Token, ...]] | None],
) -> list[tuple[tree.Token, ...]] | None:
    many = 1
    for part in parts:
        many *= len(part or ())
        if part is None or many > MOST_SHAPES:
            return None
    known = [part for part in parts if part is not None]
    return _few([tuple(token for row in rows for token in row) for rows in product(*known)])


def _few(rows: list[tuple[tree.Token, ...]]) -> list[tuple[tree.Token, ...]] | None:
    every = list(dict.fromkeys(rows))
    return every if len(every) <= MOST_SHAPES else None


def every_start(tokens: int, width: int, block: int) -> Iterator[Positions]:
    """Yield the positions from which so many tokens follow, block by block."""
    last = tokens - width + 1
    for first in range(0, last, block):
        yield np.arange(first, min(first + block, last), dtype=np.int32)
