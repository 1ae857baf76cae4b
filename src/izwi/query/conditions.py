"""Conditions on one token as sets of values, attribute by attribute."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from izwi.index.reader import Segment
from izwi.model.errors import QueryError
from izwi.query.deadline import NEVER, Deadline
from izwi.query.tree import Both, Condition, Either, Not, Test
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
        self._found: dict[Condition, list[Clause]] = {}

    def clauses(self, condition: Condition | None) -> list[Clause]:
        """Return the ways to meet a condition; none if no value of the segment does."""
        if condition is None:
            return [{}]
        if condition not in self._found:
            ways = _ways(self.segment, positive(condition), self._deadline)
            self._found[condition] = [clause for clause in ways if _is_possible(clause)]
        return self._found[condition]


def positive(condition: Condition) -> Condition:
    """Return a condition in which only tests are negated."""
    match condition:
        case Not(inner):
            return _negated(inner)
        case Both(conditions):
            return Both(tuple(positive(each) for each in conditions))
        case Either(conditions):
            return Either(tuple(positive(each) for each in conditions))
        case _:
            return condition


def _negated(condition: Condition) -> Condition:
    match condition:
        case Test():
            return replace(condition, is_negated=not condition.is_negated)
        case Not(inner):
            return positive(inner)
        case Both(conditions):
            return Either(tuple(_negated(each) for each in conditions))
        case Either(conditions):
            return Both(tuple(_negated(each) for each in conditions))


def _ways(segment: Segment, condition: Condition, deadline: Deadline) -> list[Clause]:
    match condition:
        case Test(name):
            return [{name: allowed(segment.attribute(name), condition, deadline)}]
        case Both(conditions):
            found: list[Clause] = [{}]
            for each in conditions:
                ways = _ways(segment, each, deadline)
                found = _checked([_joined(a, b) for a in found for b in ways])
            return found
        case Either(conditions):
            return _merged([way for each in conditions for way in _ways(segment, each, deadline)])
        case Not():
            raise AssertionError("negations were moved inside before")


def _joined(one: Clause, other: Clause) -> Clause:
    """Return the clause that demands two clauses at once."""
    joined = dict(one)
    for name, ids in other.items():
        joined[name] = np.intersect1d(joined[name], ids) if name in joined else ids
    return joined


def _merged(ways: list[Clause]) -> list[Clause]:
    """Return the same ways, those that look at one attribute only made one."""
    single: dict[str, list[NDArray[np.int64]]] = {}
    for way in ways:
        if len(way) == 1:
            for name, ids in way.items():
                single.setdefault(name, []).append(ids)
    merged: list[Clause] = [
        {name: np.unique(np.concatenate(parts)) if len(parts) > 1 else parts[0]}
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
    segment: Segment, name: str, condition: Condition | None
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return where the stretches of a structure begin and end; those a condition holds for."""
    structure = segment.structure(name)
    if condition is None:
        return structure.bounds
    starts, ends = structure.starts.astype(np.int32), structure.ends.astype(np.int32)
    kept = (ends > starts) & holds_for(segment, name, condition)
    return starts[kept], ends[kept]


def holds_for(segment: Segment, name: str, condition: Condition) -> NDArray[np.bool_]:
    """Return for which stretches of a structure a condition holds."""
    match condition:
        case Test():
            key = ("values", name, condition.attribute)
            values, numbers = segment.remembered(
                key, lambda: structure_values(segment, name, condition.attribute)
            )
            return matching_texts(values, condition)[numbers]
        case Not(inner):
            return ~holds_for(segment, name, inner)
        case Both(conditions):
            parts = [holds_for(segment, name, each) for each in conditions]
            return np.asarray(np.logical_and.reduce(parts))
        case Either(conditions):
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
    is_card = name == "doc" and attribute in segment.cards.column_names
    if not is_card or attribute in structure.attributes.column_names:
        return structure.values(attribute)
    column = segment.cards.column(attribute).combine_chunks().cast("string").fill_null("")
    coded = column.dictionary_encode()
    return coded.dictionary.to_pylist(), np.asarray(coded.indices.to_numpy()).astype(np.int64)
