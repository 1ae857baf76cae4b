"""Frequency bars: a value for each thing, with its interval where there is one."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from izwi.analyse.charts.chart import Chart, altair_library, make_chart, printable
from izwi.analyse.charts.links import place_of
from izwi.analyse.charts.palette import BAR, INK, SOFT

WIDTH, STEP = 480, 18
# More bars are read better in the table, which has them all.
MOST_BARS = 60
# The axis reaches so much further than the longest bar; intervals that reach beyond are cut.
_ROOM = 1.5


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
    altair = altair_library()

    links = [link(value) for value in values]
    shown = values[:MOST_BARS]
    top = _top(shown)
    names = distinct(printable(each.name) for each in shown)
    rows = [
        _row(number, each, top) | {"row": name}
        for number, (each, name) in enumerate(zip(shown, names, strict=True))
    ]
    # Names are values of the data: in an expression even a quoted one may be read as code.
    place = altair.Scale(domain=[row["row"] for row in rows])
    base = altair.Chart(altair.Data(values=rows)).encode(
        altair.Y("row:O", axis=altair.Axis(title=None), sort=None, scale=place)
    )
    bars = base.mark_bar(color=BAR).encode(
        altair.X("value:Q", title=printable(unit)),
        opacity=altair.condition("datum.faint", altair.value(0.4), altair.value(1)),
        href="target:N",
        description="label:N",
    )
    layers = altair.layer(bars, _whiskers(altair, base), _arrows(altair, base))
    return make_chart(
        layers.properties(width=WIDTH, height={"step": STEP}),
        title=title,
        description=_words(values, unit),
        columns=("name", "value", "low", "high"),
        rows=[(each.name, each.value, each.low, each.high) for each in values],
        links=links,
    )


def _whiskers(altair: Any, base: Any) -> Any:
    """Return the intervals as thin lines."""
    return (
        base.transform_filter("datum.low != null && datum.high != null")
        .mark_rule(color=INK, aria=False)
        .encode(
            altair.X("low:Q"),
            altair.X2("high:Q"),
            opacity=altair.condition("datum.faint", altair.value(0.4), altair.value(1)),
        )
    )


def _arrows(altair: Any, base: Any) -> Any:
    """Return a sign at the end of each interval that goes on beyond the axis."""
    return (
        base.transform_filter("datum.cut")
        .mark_point(shape="triangle-right", filled=True, size=34, color=SOFT, opacity=1, aria=False)
        .encode(altair.X("high:Q"))
    )


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
