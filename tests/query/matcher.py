"""A query answered by trying every way at every token: what the engine must equal."""

import operator
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from izwi.query.tree import (
    AllOf,
    Alternatives,
    AnyOf,
    Both,
    Boundary,
    Check,
    Combined,
    Comparison,
    Either,
    Limit,
    Measured,
    Meet,
    Nested,
    Not,
    NotThat,
    Query,
    Region,
    Repeat,
    Sequence,
    Span,
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
        case Boundary("", _, condition):
            if at < len(corpus.tokens) and holds(condition, corpus.tokens[at]):
                yield at, bound
        case Boundary(structure, is_start, condition):
            for start, end, said in corpus.structures[structure]:
                if (start if is_start else end) == at and holds(condition, said):
                    yield at, bound
        case Region(structure, condition):
            for start, end, said in corpus.structures[structure]:
                if start == at and holds(condition, said):
                    yield end, bound


COMPARED = {"=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
            ">": operator.gt, ">=": operator.ge}  # fmt: skip


def compares(corpus, condition, bound):
    """Return whether a condition on labels holds; one on a label without a token does not."""
    match condition:
        case AllOf(conditions):
            return all(compares(corpus, each, bound) for each in conditions)
        case AnyOf(conditions):
            return any(compares(corpus, each, bound) for each in conditions)
        case NotThat(inner):
            return not compares(corpus, inner, bound)
        case Comparison(first, one, second, two, is_negated):
            if first not in bound or second not in bound:
                return False
            left, right = corpus.tokens[bound[first]][one], corpus.tokens[bound[second]][two]
            return (left == right) != is_negated
        case Check(label, test):
            return label in bound and holds(test, corpus.tokens[bound[label]])
        case Measured(label, other, attribute, sign, number, is_absolute):
            if label not in bound or (other and other not in bound):
                return False
            if attribute:
                value = corpus.tokens[bound[label]][attribute]
                many = sum(token[attribute] == value for token in corpus.tokens)
                return COMPARED[sign](many, number)
            far = bound[other] - bound[label]
            return COMPARED[sign](abs(far) if is_absolute else far, number)


def search(corpus: Plain, query: Query) -> list[tuple[int, int]]:
    """Return the hits as (start, end), widened if that is asked for."""
    found = matched(corpus, query)
    return sorted({widened(corpus, query, hit) for hit in found}) if query.expand else found


def widened(corpus, query, hit):
    """Return a hit with the tokens beside it, or with the structures it begins and ends in."""
    is_counted = query.expand.isdigit()
    own = corpus.structures["doc" if is_counted else query.expand]
    by = int(query.expand) if is_counted else len(corpus.tokens)
    start, end = hit
    for first, last, _ in own:
        if first <= hit[0] < last and query.side != "right":
            start = max(first, hit[0] - by)
        if first < hit[1] <= last and query.side != "left":
            end = min(last, hit[1] + by)
    return start, end


def together(corpus, combined):
    """Return the hits of two queries put together."""
    one, two = (set(search(corpus, each)) for each in (combined.first, combined.second))
    return sorted(
        {"union": one | two, "intersect": one & two, "difference": one - two}[combined.operator]
    )


def put_together(corpus, pattern):
    """Return the hits of what is no pattern of tokens; None of what is one."""
    match pattern:
        case Union(first, second):
            return sorted({*search(corpus, Query(first)), *search(corpus, Query(second))})
        case Combined():
            return together(corpus, pattern)
        case Meet():
            return met(corpus, pattern)
        case Nested(inner):
            return search(corpus, inner)
    return None


def sought(corpus, limit):
    """Return the stretches a limit speaks of."""
    match limit.pattern:
        case Span():
            return limit.pattern
        case Nested(inner):
            return search(corpus, inner)
    return search(corpus, Query(limit.pattern))


def matched(corpus: Plain, query: Query) -> list[tuple[int, int]]:
    """Return the hits as (start, end), for each start one that satisfies everything."""
    limits = [(limit, sought(corpus, limit)) for limit in query.limits]
    first, last = (outermost(query.pattern, place) for place in (0, -1))
    if isinstance(first, Boundary) and last == Boundary(first.structure, False) and first.is_start:
        # As in CQP, a structure that begins and ends a match is one and the same.
        limits.append(
            (Limit(Region(first.structure)), search(corpus, Query(Region(first.structure))))
        )
    found = put_together(corpus, query.pattern)
    if found is not None:
        return [
            (start, end)
            for start, end in found
            if keeps(corpus, (start, end), limits)
            and compares(corpus, AllOf(query.comparisons), {"match": start, "matchend": end - 1})
        ]
    hits = []
    wanted = min if query.strategy in {"shortest", "standard", "traditional"} else max
    for start in range(len(corpus.tokens)):
        possible = {
            end for end, bound in ends(corpus, query.pattern, start, {})
            if end > start and in_one_document(corpus, start, end)
            and keeps(corpus, (start, end), limits)
            and compares(
                corpus, AllOf(query.comparisons), {"match": start, "matchend": end - 1, **bound}
            )
        }  # fmt: skip
        if possible:
            hits.append((start, wanted(possible)))
    return [hit for hit in hits if survives(hit, hits, query.strategy)]


def outermost(pattern, place):
    """Return what a pattern begins (0) or ends (-1) with."""
    match pattern:
        case Sequence(items) if items:
            return outermost(items[place], place)
        case Repeat(item, 1, 1):
            return outermost(item, place)
        case Alternatives(items) if len(set(items)) == 1:
            return outermost(items[0], place)
    return pattern


def survives(hit, hits, strategy):
    """Return whether a hit stays as CQP's rules for nested matches have it."""
    others = [other for other in hits if other != hit]
    match strategy:
        case "longest":
            return not any(a <= hit[0] and hit[1] <= b for a, b in others)
        case "shortest":
            return not any(hit[0] <= a and b <= hit[1] for a, b in others)
        case "standard":
            return not any(b == hit[1] and a < hit[0] for a, b in others)
    return True


def in_one_document(corpus, start, end):
    return any(first <= start and end <= last for first, last, _ in corpus.structures["doc"])


def keeps(corpus, hit, limits):
    for limit, regions in limits:
        if isinstance(regions, Span):
            if not spans(corpus, regions, hit):
                return False
            continue
        if limit.is_within:
            met = any(start <= hit[0] and hit[1] <= end for start, end in regions)
        else:
            met = any(hit[0] <= start and end <= hit[1] for start, end in regions)
        if met == limit.is_negated:
            return False
    return True


def spans(corpus, span, hit):
    """Return whether a hit lies in so many tokens, or in so many structures in a row."""
    if not span.structure:
        return hit[1] - hit[0] <= span.size
    own = corpus.structures[span.structure]
    for place, (start, _, _) in enumerate(own):
        if start <= hit[0] and hit[1] <= own[min(place + span.size, len(own)) - 1][1]:
            return True
    return False


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
