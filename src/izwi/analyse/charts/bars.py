"""Frequency bars: a value for each thing, with its interval where there is one."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from izwi.analyse.charts.chart import Chart, altair_library, make_chart, place_of, printable
from izwi.analyse.charts.palette import BAR, INK

WIDTH, STEP = 480, 18
# More bars are read better in the table, which has them all.
MOST_BARS = 60


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


@dataclass(frozen=True, slots=True)
class Measured:
    """A thing and its value."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None


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
    rows = [_row(number, each) for number, each in enumerate(values[:MOST_BARS])]
    # As JSON in ASCII a name is nothing but a text to the expression it stands in.
    texts = json.dumps([row["name"] for row in rows])
    names = altair.Axis(labelExpr=f"{texts}[datum.value]", title=None)
    base = altair.Chart(altair.Data(values=rows)).encode(altair.Y("row:O", axis=names, sort=None))
    bars = base.mark_bar(color=BAR).encode(
        altair.X("value:Q", title=printable(unit)), href="target:N", description="label:N"
    )
    whiskers = (
        base.transform_filter("datum.low != null && datum.high != null")
        .mark_rule(color=INK, aria=False)
        .encode(altair.X("low:Q"), altair.X2("high:Q"))
    )
    return make_chart(
        altair.layer(bars, whiskers).properties(width=WIDTH, height={"step": STEP}),
        title=title,
        description=_words(values, unit),
        columns=("name", "value", "low", "high"),
        rows=[(each.name, each.value, each.low, each.high) for each in values],
        links=links,
    )


def _row(number: int, each: Valued) -> dict[str, Any]:
    return {
        # Two things may have one name.
        "row": number,
        "name": printable(each.name),
        "value": each.value,
        "low": each.low,
        "high": each.high,
        "label": printable(f"{each.name}: {each.value:,.6g}"),
        "target": place_of(number),
    }


def _words(values: Sequence[Valued], unit: str) -> str:
    if not values:
        return "There is nothing to count."
    highest = max(values, key=lambda each: each.value)
    words = f"Bars are {unit}; the longest is {highest.name} ({highest.value:,.6g})."
    if any(each.low is not None for each in values):
        words += " Lines across the ends are intervals by document."
    if len(values) > MOST_BARS:
        words += f" The first {MOST_BARS} of {len(values):,} are drawn; the table has all."
    return words
