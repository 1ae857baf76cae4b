"""Bars by year: where each stands and how high it is; the templates draw them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# Over a longer time only the years that have something are shown.
_MOST_YEARS = 120


@dataclass(frozen=True, slots=True)
class Bar:
    """A year's bar, in the chart's own units from the top left."""

    year: int
    value: float
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BarChart:
    """Bars in a frame; `slot` is the width a year has, bar and gap."""

    width: int
    height: int
    slot: int
    top: float
    bars: tuple[Bar, ...]


def bar_chart(value_by_year: Mapping[int, float], *, slot: int, height: int) -> BarChart:
    """Return a bar for each year from the first to the last; years without a value stay flat.

    >>> [bar.height for bar in bar_chart({2014: 1, 2016: 2}, slot=10, height=40).bars]
    [20.0, 0.0, 40.0]
    """
    years = _axis(sorted(value_by_year))
    top = max(value_by_year.values(), default=0.0)
    gap = max(1, slot // 6)
    bars = []
    for place, year in enumerate(years):
        value = value_by_year.get(year, 0.0)
        tall = round(height * value / top, 1) if top else 0.0
        bars.append(Bar(year, value, place * slot, round(height - tall, 1), slot - gap, tall))
    return BarChart(slot * len(years), height, slot, top, tuple(bars))


def _axis(years: Sequence[int]) -> Sequence[int]:
    if not years or years[-1] - years[0] >= _MOST_YEARS:
        return years
    return range(years[0], years[-1] + 1)
