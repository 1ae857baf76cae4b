"""Frequency bars: a value for each thing, with its interval where there is one."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from izwi.shown.charts.chart import Chart, make_chart, printable
from izwi.shown.charts.specification import (
    Channel,
    Drawing,
    depending,
    field,
    layered,
    marks,
    whole,
)
from izwi.shown.charts.style import BAR, INK, SOFT, place_of

WIDTH, STEP = 480, 18
# More bars are read better in the table, which has them all.
MOST_BARS = 60
# The axis reaches so much further than the longest bar; intervals that reach beyond are cut.
_ROOM = 1.5
_PALE = depending("faint", {"value": 0.4}, {"value": 1})


class Valued(Protocol):
    """What a bar draws."""

    @property
    def name(self) -> str:
        """What is measured."""

    @property
    def value(self) -> float:
        """How much there is of it."""

    @property
    def low(self) -> float | None:
        """The lower end of the interval."""

    @property
    def high(self) -> float | None:
        """The upper end of the interval."""

    @property
    def is_faint(self) -> bool:
        """Whether it rests on too little to be read like the others."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A thing and its value."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    is_faint: bool = False


V = TypeVar("V", bound=Valued)


def bar_chart(
    values: Sequence[V],
    *,
    title: str,
    unit: str = "per million tokens",
    link: Callable[[V], str] = lambda value: "",
) -> Chart:
    """Return a bar for each value, in the order given."""
    links = [link(value) for value in values]
    shown = values[:MOST_BARS]
    top = _top(shown)
    names = distinct(printable(each.name) for each in shown)
    rows = [
        _row(number, each, top) | {"row": name}
        for number, (each, name) in enumerate(zip(shown, names, strict=True))
    ]
    # Names are values of the data: in an expression even a quoted one may be read as code.
    names_down = {"domain": [row["row"] for row in rows]}
    y = {"y": field("row:O", axis={"title": None}, sort=None, scale=names_down)}
    bars = {
        **y,
        "x": field("value:Q", title=printable(unit)),
        "opacity": _PALE,
        "href": field("target:N"),
        "description": field("label:N"),
    }
    layers = layered((marks("bar", bars, color=BAR), _whiskers(y), _arrows(y)), rows)
    return make_chart(
        whole(layers, width=WIDTH, height={"step": STEP}),
        title=title,
        description=_words(values, unit),
        columns=("name", "value", "low", "high"),
        rows=[(each.name, each.value, each.low, each.high) for each in values],
        links=links,
    )


def _whiskers(y: Mapping[str, Channel]) -> Drawing:
    """Return the intervals as thin lines."""
    ends = {**y, "x": field("low:Q"), "x2": field("high"), "opacity": _PALE}
    known = "datum.low != null && datum.high != null"
    return marks("rule", ends, only=known, color=INK, aria=False)


def _arrows(y: Mapping[str, Channel]) -> Drawing:
    """Return a sign at the end of each interval that goes on beyond the axis."""
    look: dict[str, Any] = {"shape": "triangle-right", "filled": True, "size": 34, "opacity": 1}
    end = {**y, "x": field("high:Q")}
    return marks("point", end, only="datum.cut", color=SOFT, aria=False, **look)


def _top(values: Sequence[Valued]) -> float | None:
    """Return where intervals are cut; None if all bars and intervals find room."""
    longest = max((each.value for each in values), default=0.0)
    highest = max((each.high or 0.0 for each in values), default=0.0)
    return _ROOM * longest if 0 < _ROOM * longest < highest else None


def _row(number: int, each: Valued, top: float | None) -> dict[str, Any]:
    is_cut = top is not None and each.high is not None and each.high > top
    return {
        "value": each.value,
        "low": each.low,
        "high": top if is_cut else each.high,
        "cut": is_cut,
        "faint": each.is_faint,
        "label": printable(f"{each.name}: {each.value:,.6g}"),
        "target": place_of(number),
    }


def distinct(names: Iterable[str]) -> list[str]:
    """Return names of which no two are the same: a name that is there already gets no-width spaces.

    >>> distinct(["a", "b", "a"])
    ['a', 'b', 'a\u200b']
    """
    found: dict[str, None] = {}
    for name in names:
        while name in found:
            name += "\u200b"
        found[name] = None
    return list(found)


def _words(values: Sequence[Valued], unit: str) -> str:
    if not values:
        return "There is nothing to count."
    highest = max(values, key=lambda each: each.value)
    words = f"Bars are {unit}; the longest is {highest.name} ({highest.value:,.6g})."
    if any(each.low is not None for each in values):
        words += " Thin lines are 95 % intervals"
        words += ", cut where there is an arrow." if _top(values[:MOST_BARS]) else "."
    if any(each.is_faint for each in values):
        words += " Pale bars rest on one or two hits."
    if len(values) > MOST_BARS:
        words += f" The first {MOST_BARS} of {len(values):,} are drawn; the table has all."
    return words
