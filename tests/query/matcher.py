"""A query answered by trying every way at every token: what the engine must equal."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from izwi.query.tree import (
    Alternatives,
    Both,
    Boundary,
    Either,
    Meet,
    Not,
    Query,
    Region,
    Repeat,
    Sequence,
    Test,
    Token,
    Union,
)


@dataclass(frozen=True)
class Plain:
    """A corpus as lists: a dict a token, and (start, end, attributes) a stretch."""

    tokens: list[dict[str, str]]
    structures: dict[str, list[tuple[int, int, dict[str, str]]]]


def holds(condition, values):
    match condition:
        case None:
            return True
        case Test(attribute, pattern, is_negated, is_literal, flags):
            text, wanted = values[attribute], re.escape(pattern) if is_literal else pattern
            if "d" in flags:
                text, wanted = plain(text), plain(wanted)
            found = re.fullmatch(wanted, text, re.IGNORECASE if "c" in flags else 0)
            return (found is not None) != is_negated
        case Not(inner):
            return not holds(inner, values)
        case Both(conditions):
            return all(holds(each, values) for each in conditions)
        case Either(conditions):
            return any(holds(each, values) for each in conditions)


def plain(text):
    return "".join(c for c in unicodedata.normalize("NFD", text) if unicodedata.category(c) != "Mn")


def ends(corpus, pattern, at, bound) -> Iterator[tuple[int, dict[str, int]]]:
    """Yield where a match that begins at a place may end, with what its labels stand for."""
    match pattern:
        case Token(condition, label):
            if at < len(corpus.tokens) and holds(condition, corpus.tokens[at]):
                yield at + 1, ({**bound, label: at} if label else bound)
        case Sequence(items):
            if not items:
                yield at, bound
                return
            for middle, own in ends(corpus, items[0], at, bound):
                yield from ends(corpus, Sequence(items[1:]), middle, own)
        case Alternatives(items):
            for item in items:
                yield from ends(corpus, item, at, bound)
        case Repeat(item, least, most):
            if least == 0:
                yield at, bound
            if most != 0:
                rest = Repeat(item, max(0, least - 1), None if most is None else most - 1)
                for middle, own in ends(corpus, item, at, bound):
                    # An empty turn leads nowhere new, except that it counts as one.
                    if middle > at or least > 0:
                        yield from ends(corpus, rest, middle, own)
        case Boundary(structure, is_start, condition):
            for start, end, said in corpus.structures[structure]:
                if (start if is_start else end) == at and holds(condition, said):
                    yield at, bound
        case Region(structure, condition):
            for start, end, said in corpus.structures[structure]:
                if start == at and holds(condition, said):
                    yield end, bound


def compares(corpus, query, bound):
    for each in query.comparisons:
        if each.first not in bound or each.second not in bound:
            return False
        one = corpus.tokens[bound[each.first]][each.first_attribute]
        two = corpus.tokens[bound[each.second]][each.second_attribute]
        if (one == two) == each.is_negated:
            return False
    return True


def search(corpus: Plain, query: Query) -> list[tuple[int, int]]:
    """Return the hits as (start, end), for each start the longest that satisfies everything."""
    limits = [(limit, search(corpus, Query(limit.pattern))) for limit in query.limits]
    match query.pattern:
        case Union(first, second):
            found = sorted({*search(corpus, Query(first)), *search(corpus, Query(second))})
            return [hit for hit in found if keeps(hit, limits)]
        case Meet():
            return [hit for hit in met(corpus, query.pattern) if keeps(hit, limits)]
    hits = []
    for start in range(len(corpus.tokens)):
        possible = {
            end for end, bound in ends(corpus, query.pattern, start, {})
            if end > start and compares(corpus, query, bound)
            and in_one_document(corpus, start, end) and keeps((start, end), limits)
        }  # fmt: skip
        if possible:
            hits.append((start, max(possible)))
    return hits


def in_one_document(corpus, start, end):
    return any(first <= start and end <= last for first, last, _ in corpus.structures["doc"])


def keeps(hit, limits):
    for limit, regions in limits:
        if limit.is_within:
            met = any(start <= hit[0] and hit[1] <= end for start, end in regions)
        else:
            met = any(hit[0] <= start and end <= hit[1] for start, end in regions)
        if met == limit.is_negated:
            return False
    return True


def met(corpus, pattern):
    near, far = (search(corpus, Query(part)) for part in (pattern.near, pattern.far))
    same = corpus.structures[pattern.structure or "doc"]
    found = []
    for start, end in near:
        for first, last, _ in same:
            if first <= start < last:
                low = first if pattern.structure else max(first, start + pattern.low)
                high = last - 1 if pattern.structure else min(last - 1, start + pattern.high)
                if any(low <= other <= high for other, _ in far):
                    found.append((start, end))
    return found
