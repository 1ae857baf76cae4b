"""The syntax tree of a query: conditions on one token, patterns of tokens, and whole queries."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Test:
    """A comparison of an attribute with a regular expression, or with a text as it stands."""

    attribute: str
    pattern: str
    is_negated: bool = False
    is_literal: bool = False
    # Letters of `%c` (capitals do not matter) and `%d` (diacritics do not), in this order.
    flags: str = ""


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
    """The place where a structure begins or ends; it matches no token."""

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


Pattern = Token | Sequence | Alternatives | Repeat | Boundary | Region | Meet | Union


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
class Query:
    """A whole query."""

    pattern: Pattern
    limits: tuple[Limit, ...] = ()
    comparisons: tuple[Comparison, ...] = ()


def format_query(query: Query) -> str:
    """Return a query as CQL; parsing it gives the same query."""
    parts = [_pattern(query.pattern)]
    for limit in query.limits:
        word = "within" if limit.is_within else "containing"
        parts.append(f"{'!' * limit.is_negated}{word} {_item(limit.pattern)}")
    for each in query.comparisons:
        operator = "!=" if each.is_negated else "="
        first = f"{each.first}.{each.first_attribute}"
        second = f"{each.second}.{each.second_attribute}"
        parts.append(f"& {first} {operator} {second}")
    return " ".join(parts)


def _pattern(pattern: Pattern) -> str:
    match pattern:
        case Alternatives(items):
            return " | ".join(_branch(item) for item in items)
        case Sequence(items):
            return " ".join(_item(item) for item in items)
        case _:
            return _item(pattern)


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
        case Test(attribute, pattern, is_negated, is_literal, flags):
            operator = "!" * is_negated + "=" * (1 + is_literal)
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
