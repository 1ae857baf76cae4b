"""The syntax tree of a query: conditions on one token, patterns of tokens, and whole queries."""

from collections.abc import Iterable
from dataclasses import fields, is_dataclass, replace
from functools import reduce
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from izwi.model.records import dataclass


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison of an attribute with a regular expression, or with a text as it stands."""

    attribute: str
    pattern: str
    is_negated: bool = False
    is_literal: bool = False
    # Letters of `%c` (capitals do not matter) and `%d` (diacritics do not), in this order.
    flags: str = ""
    # `<`, `<=`, `>` or `>=`: values are compared as numbers, or as texts where they are none.
    order: str = ""


@dataclass(frozen=True, slots=True)
class Not:
    """What a condition does not hold for."""

    condition: "Condition"


@dataclass(frozen=True, slots=True)
class Both:
    """All of some conditions."""

    conditions: tuple["Condition", ...]


@dataclass(frozen=True, slots=True)
class Either:
    """At least one of some conditions."""

    conditions: tuple["Condition", ...]


Condition = Test | Not | Both | Either


@dataclass(frozen=True, slots=True)
class Token:
    """One token; without a condition, any."""

    condition: Condition | None = None
    label: str = ""


@dataclass(frozen=True, slots=True)
class Sequence:
    """Patterns that follow each other."""

    items: tuple["Pattern", ...]


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Patterns of which one is to match."""

    items: tuple["Pattern", ...]


@dataclass(frozen=True, slots=True)
class Repeat:
    """A pattern several times; `most` None is any number of times."""

    item: "Pattern"
    least: int
    most: int | None


@dataclass(frozen=True, slots=True)
class Boundary:
    """The place where a structure begins or ends; it matches no token.

    Without a name it is the place before a token for which the condition holds.
    """

    structure: str
    is_start: bool = True
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """A whole structure."""

    structure: str
    condition: Condition | None = None


@dataclass(frozen=True, slots=True)
class Meet:
    """Tokens near which others stand: in a window, or (with a structure) in the same one."""

    near: "Pattern"
    far: "Pattern"
    low: int = 0
    high: int = 0
    structure: str = ""


@dataclass(frozen=True, slots=True)
class Union:
    """The hits of either pattern."""

    first: "Pattern"
    second: "Pattern"


@dataclass(frozen=True, slots=True)
class Span:
    """So many tokens, or stretches of a structure, in a row; only as a limit."""

    size: int
    structure: str = ""


@dataclass(frozen=True, slots=True)
class Combined:
    """The hits of two queries put together: `union`, `intersect` or `difference`."""

    operator: str
    first: "Query"
    second: "Query"


@dataclass(frozen=True, slots=True)
class Nested:
    """The hits of another query, as a limit or by themselves."""

    query: "Query"


Pattern = (
    Token | Sequence | Alternatives | Repeat | Boundary | Region | Meet | Union | Span | Combined
    | Nested
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Limit:
    """What hits must, or must not, lie in (within) or hold (containing)."""

    pattern: Pattern
    is_within: bool = True
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class Comparison:
    """A condition on two labelled tokens."""

    first: str
    first_attribute: str
    second: str
    second_attribute: str
    is_negated: bool = False


@dataclass(frozen=True, slots=True)
class Check:
    """A condition on one labelled token."""

    label: str
    test: Test


@dataclass(frozen=True, slots=True)
class Measured:
    """A number compared: how frequent a labelled value is, or (without attribute) a distance."""

    label: str
    other: str
    attribute: str
    operator: str
    number: int
    is_absolute: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Among:
    """A labelled token with one of some values, by their numbers in a segment; nobody writes it."""

    label: str
    attribute: str
    numbers: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of some conditions on labels."""

    conditions: tuple["GlobalCondition", ...]


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of some conditions on labels."""

    conditions: tuple["GlobalCondition", ...]


@dataclass(frozen=True, slots=True)
class NotThat:
    """What a condition on labels does not hold for."""

    condition: "GlobalCondition"


GlobalCondition = Comparison | Check | Measured | Among | AllOf | AnyOf | NotThat


@dataclass(frozen=True, slots=True)
class Query:
    """A whole query."""

    pattern: Pattern
    limits: tuple[Limit, ...] = ()
    comparisons: tuple[GlobalCondition, ...] = ()
    # Which of several matches count, see `strategies`; nothing for the longest of every start.
    strategy: str = ""
    # The structure to which hits are widened, or by how many tokens, and on which side: left,
    # right or both.
    expand: str = ""
    side: str = "both"
    # At most so many hits, the first of the corpus but for some; 0 for all.
    cut: int = 0
    skip: int = 0
    # The label whose token is the hit, as `swap` asks; nothing for the whole match.
    focus: str = ""
    # So many hits by chance; below 1 a share of them; 0 for all.
    sample: float = 0
    # By what lines are sorted, see `sorting`; nothing for what the options say.
    sort: str = ""


_LABELS: dict[type[Any], tuple[str, ...]] = {
    Token: ("label",), Comparison: ("first", "second"), Check: ("label",),
    Measured: ("label", "other"), Query: ("focus",),
}  # fmt: skip
Part = TypeVar("Part")


def relabelled(part: Part, old: str, new: str) -> Part:
    """Return a query, or a part of one, in which a label has another name."""
    if isinstance(part, tuple):
        return cast(Part, tuple(relabelled(each, old, new) for each in part))
    if not is_dataclass(part) or isinstance(part, type):
        return part
    own = {each.name: relabelled(getattr(part, each.name), old, new) for each in fields(part)}
    own |= {name: new for name in _LABELS.get(type(part), ()) if own[name] == old}
    return replace(part, **own)


def format_query(query: Query) -> str:
    """Return a query as CQL; parsing it gives the same query."""
    text = _one_query(query)
    text = f"swap({query.focus}, {text})" if query.focus else text
    if not (query.sample or query.sort or query.skip):
        return f"{text} cut {query.cut}" if query.cut else text
    if query.sample:
        share = f"{query.sample * 100:g}%" if query.sample < 1 else f"{query.sample:.0f}"
        text += f"; reduce Last to {share}"
    if query.sort:
        text += f"; sort Last {'randomize' if query.sort == 'random' else f'by {query.sort}'}"
    if query.cut:
        text += f"; cut Last {query.skip} {query.skip + query.cut - 1}"
    return text


def _one_query(query: Query) -> str:
    parts = [f"(?{query.strategy})"] if query.strategy else []
    parts.append(_pattern(query.pattern))
    for limit in query.limits:
        word = "within" if limit.is_within else "containing"
        parts.append(f"{'!' * limit.is_negated}{word} {_item(limit.pattern)}")
    if query.comparisons:
        parts.append(f"& {_global(AllOf(query.comparisons))}")
    if query.expand:
        side = "" if query.side == "both" else f"{query.side} "
        parts.append(f"expand {side}to {query.expand}")
    return " ".join(parts)


def _global(condition: GlobalCondition) -> str:
    match condition:
        case Comparison(first, one, second, two, is_negated):
            return f"{first}.{one} {'!' * is_negated}= {second}.{two}"
        case Check(label, test):
            return f"{label}.{format_condition(test)}"
        case Among(label, attribute, numbers):
            return f"{label}.{attribute} is one of {len(numbers):,}"
        case Measured(label, other, attribute, operator, number, is_absolute):
            far = f"dist{'abs' * is_absolute}({label}, {other})"
            return f"{f'f({label}.{attribute})' if attribute else far} {operator} {number}"
        case AllOf(conditions):
            return " & ".join(_global_operand(each) for each in conditions)
        case AnyOf(conditions):
            return " | ".join(_global_operand(each) for each in conditions)
        case NotThat(inner):
            return f"!({_global(inner)})"


def _global_operand(condition: GlobalCondition) -> str:
    text = _global(condition)
    return f"({text})" if isinstance(condition, AllOf | AnyOf) else text


def _pattern(pattern: Pattern) -> str:
    match pattern:
        case Alternatives(items):
            return " | ".join(_branch(item) for item in items)
        case Sequence(items):
            return " ".join(_item(item) for item in items)
        case Nested(query):
            # In brackets its limits would be taken for those that follow.
            return _braced(query)
        case _:
            return _item(pattern)


def _braced(query: Query) -> str:
    return f"{{ {format_query(query)} }}"


def _branch(pattern: Pattern) -> str:
    return _item(pattern) if isinstance(pattern, Alternatives) else _pattern(pattern)


def _item(pattern: Pattern) -> str:
    match pattern:
        case Token(condition, label):
            inner = "" if condition is None else format_condition(condition)
            return f"{label}:[{inner}]" if label else f"[{inner}]"
        case Repeat(item, least, most):
            inner = _item(item)
            return (f"({inner})" if isinstance(item, Repeat) else inner) + _times(least, most)
        case Boundary("", _, condition):
            return f"[:{_said(condition)} :]"
        case Span(size, structure):
            return f"{size} {structure}".rstrip()
        case Combined(operator, first, second):
            return f"{_braced(first)} {operator} {_braced(second)}"
        case Nested(query):
            is_bracketed = query == Query(query.pattern, query.limits, query.comparisons) and (
                query.limits or query.comparisons
            )
            if is_bracketed and not isinstance(query.pattern, Combined | Nested):
                return f"({_one_query(query)})"
            return _braced(query)
        case Boundary(structure, is_start, condition):
            return f"<{'' if is_start else '/'}{structure}{_said(condition)}>"
        case Region(structure, condition):
            return f"<{structure}{_said(condition)}/>"
        case Meet(near, far, low, high, structure):
            return f"(meet {_item(near)} {_item(far)} {structure or f'{low} {high}'})"
        case Union(first, second):
            return f"(union {_item(first)} {_item(second)})"
        case _:
            return f"({_pattern(pattern)})"


def _times(least: int, most: int | None) -> str:
    short = {(0, 1): "?", (0, None): "*", (1, None): "+"}.get((least, most))
    if short:
        return short
    return f"{{{least}}}" if least == most else f"{{{least},{'' if most is None else most}}}"


def _said(condition: Condition | None) -> str:
    return "" if condition is None else f" {format_condition(condition)}"


def format_condition(condition: Condition) -> str:
    """Return a condition on one token as CQL."""
    match condition:
        case Test(attribute, pattern, is_negated, is_literal, flags, order):
            operator = "!" * is_negated + (order or "=" * (1 + is_literal))
            return f'{attribute}{operator}"{pattern}"' + (f" %{flags}" if flags else "")
        case Not(inner):
            return f"!({format_condition(inner)})"
        case Both(conditions):
            return " & ".join(_operand(each) for each in conditions)
        case Either(conditions):
            return " | ".join(_operand(each) for each in conditions)


def _operand(condition: Condition) -> str:
    text = format_condition(condition)
    return f"({text})" if isinstance(condition, Both | Either) else text


# Longer repetitions than this may take long.
_MOST_TIMES = 20


def is_endless(pattern: Pattern) -> bool:
    """Whether a pattern repeats something without a limit, or nearly so."""
    match pattern:
        case Sequence(items) | Alternatives(items):
            return any(is_endless(item) for item in items)
        case Repeat(item, _, most):
            return most is None or most > _MOST_TIMES or is_endless(item)
        case Meet(one, two) | Union(one, two):
            return is_endless(one) or is_endless(two)
        case Combined(_, first, second):
            return any(map(is_endless, (*sought(first), *sought(second))))
        case Nested(query):
            return any(map(is_endless, sought(query)))
        case _:
            return False


def sought(query: Query) -> list[Pattern]:
    """Return what is looked for: the pattern, and those of its limits that are no table."""
    limits = (limit.pattern for limit in query.limits)
    return [query.pattern, *(each for each in limits if not isinstance(each, Region | Span))]


def on_label(label: str, condition: Condition) -> GlobalCondition:
    """Return a condition on a token as one on the token with a label."""
    match condition:
        case Not(inner):
            return NotThat(on_label(label, inner))
        case Both(conditions):
            return AllOf(tuple(on_label(label, each) for each in conditions))
        case Either(conditions):
            return AnyOf(tuple(on_label(label, each) for each in conditions))
        case _:
            return Check(label, condition)


def weight(query: Query) -> int:
    """Return how many queries a query is put together of, itself included."""
    found = 1
    for pattern in (query.pattern, *(limit.pattern for limit in query.limits)):
        match pattern:
            case Combined(_, first, second):
                found += weight(first) + weight(second)
            case Nested(inner):
                found += weight(inner)
    return found


def united(patterns: Iterable[Pattern]) -> Pattern:
    """Return the hits of all of some patterns, of which some are whole queries."""
    queries = (each.query if isinstance(each, Nested) else Query(each) for each in patterns)
    return reduce(lambda one, two: Query(Combined("union", one, two)), queries).pattern


def labels_of(pattern: Pattern) -> tuple[str, ...]:
    """Return the labels of a pattern, in order, each once."""
    match pattern:
        case Token(_, label):
            return (label,) if label else ()
        case Sequence(items) | Alternatives(items):
            return tuple(dict.fromkeys(label for item in items for label in labels_of(item)))
        case Repeat(item, _, _):
            return labels_of(item)
        case _:
            return ()


def of_length(attribute: str, operator: str, size: int) -> Test:
    """Return a test for values with so many letters."""
    least, most = {
        "<": (0, size - 1), "<=": (0, size), ">": (size + 1, None), ">=": (size, None),
    }.get(operator, (size, size))  # fmt: skip
    if most is not None and most < least:
        return Test(attribute, ".*", is_negated=True)
    times = f"{{{least},{'' if most is None else most}}}"
    return Test(attribute, f".{times}", is_negated=operator == "!=")


def opened(
    pattern: Pattern,
) -> tuple[Pattern, tuple[Limit, ...], tuple[GlobalCondition, ...]]:
    """Return what stands in brackets with limits of its own, and those limits."""
    if not isinstance(pattern, Nested):
        return pattern, (), ()
    return pattern.query.pattern, pattern.query.limits, pattern.query.comparisons
