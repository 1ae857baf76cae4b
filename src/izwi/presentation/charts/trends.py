"""A trend: a rate by period, with the band in which it may well lie; several in one frame."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from izwi.model.analyses import TrendPoint
from izwi.presentation.charts.chart import Chart, make_chart, printable
from izwi.presentation.charts.specification import (
    ACCENT,
    BAR,
    SERIES,
    SHEET,
    Channel,
    Drawing,
    depending,
    field,
    layered,
    marks,
    place_of,
    whole,
)

WIDTH, HEIGHT = 640, 220
# The axis reaches so much further than the highest rate; a band that goes on beyond is marked.
_ROOM = 2.0
# With fewer hits a period than this, rates are noise: the hits themselves are drawn.
_FEWEST_HITS = 1.0


@dataclass(frozen=True, slots=True)
class Point:
    """A period of a trend."""

    period: str
    per_million: float | None
    low: float | None = None
    high: float | None = None
    hits: int = 0
    tokens: int = 0
    is_complete: bool = True


# What a trend draws of each period; a rate is None where the period has no text.
Period = Point | TrendPoint
P = TypeVar("P", Point, TrendPoint)


def trend_chart(
    points: Sequence[P],
    *,
    title: str,
    link: Callable[[P], str] = lambda point: "",
    top: float | None = None,
) -> Chart:
    """Return a line with its band; hollow points are periods that are not complete.

    The axis reaches as far as the points need, or to a top that several charts share.
    """
    links = [link(point) for point in points]
    top = top_of(points) if top is None else top
    rows = [row_of(number, point, top) for number, point in enumerate(points)]
    drawn = _counted(rows) if are_few(points) else layered(_followed(top), rows)
    return make_chart(
        whole(drawn, width=WIDTH, height=HEIGHT if not are_few(points) else HEIGHT // 2),
        title=title,
        description=_words(points, top),
        columns=("period", "hits", "tokens", "per_million", "low", "high", "is_complete"),
        rows=[
            (p.period, p.hits, p.tokens, p.per_million, p.low, p.high, p.is_complete)
            for p in points
        ],
        links=links,
    )


_PERIODS = {"x": field("period:O", title=None, sort=None, axis={"labelAngle": 0})}
_RATE = {"y": field("rate:Q")}
_OPENED = {"href": field("place:N"), "description": field("label:N")}


def _followed(top: float) -> list[Drawing]:
    """Return the line of the rates with the band in which they may well lie."""
    is_over = depending("complete", {"value": ACCENT}, {"value": SHEET})
    dots = {**_PERIODS, **_RATE, **_OPENED, "fill": is_over}
    return [
        marks("area", _band(_PERIODS, top), opacity=0.2, color=BAR, aria=False, clip=True),
        _cut_marks(_PERIODS, color=BAR),
        marks("line", {**_PERIODS, **_RATE}, color=ACCENT, aria=False),
        marks("point", dots, size=36, color=ACCENT, opacity=1, filled=False),
    ]


def _band(base: Mapping[str, Channel], top: float) -> dict[str, Channel]:
    scale = {"domain": [0, top], "nice": False}
    low = field("low:Q", title="per million tokens", scale=scale)
    return {**base, "y": low, "y2": field("high")}


def _cut_marks(base: Mapping[str, Channel], **colour: Any) -> Drawing:
    """Return small arrows at the top, where the band goes on beyond the picture."""
    look: dict[str, Any] = {
        "shape": "triangle-up",
        "size": 42,
        "filled": True,
        "opacity": 0.9,
        "yOffset": -2,
    }
    return marks("point", {**base, "y": field("cut:Q")}, aria=False, **look, **colour)


def _counted(rows: Sequence[Mapping[str, Any]]) -> Drawing:
    """Return the hits of each period as bars: too few for rates."""
    hits = field("hits:Q", title="hits", axis={"tickMinStep": 1, "format": "d"})
    return marks("bar", {**_PERIODS, "y": hits, **_OPENED}, rows=rows, color=BAR, size=14)


def are_few(points: Sequence[Period]) -> bool:
    """Return whether there are too few hits to speak of rates.

    >>> are_few([Point("2019", 90.0, hits=1)]), are_few([Point("2019", 90.0, hits=9)])
    (False, False)
    >>> are_few([Point("2019", 90.0, hits=1), Point("2020", 0.0)])
    True
    """
    with_text = [point for point in points if point.per_million is not None]
    return sum(point.hits for point in with_text) < _FEWEST_HITS * len(with_text)


def top_of(points: Sequence[Period]) -> float:
    """Return how far the axis reaches: not to the end of every band, else the line lies flat."""
    rates = [point.per_million for point in points if point.per_million is not None]
    ends = [point.high for point in points if point.high is not None]
    highest = max(rates, default=0.0)
    return min(_ROOM * highest, max(1.05 * highest, *ends, 0.0)) or 1.0


def row_of(number: int, point: Period, top: float) -> dict[str, Any]:
    """Return what is drawn of a period."""
    return {
        "hits": point.hits,
        "cut": top if point.high is not None and point.high > top else None,
        "period": printable(point.period),
        "rate": point.per_million,
        "low": point.low,
        "high": point.high,
        "complete": point.is_complete,
        "place": place_of(number),
        "label": printable(_label(point)),
    }


def _label(point: Period) -> str:
    if point.per_million is None:
        return f"{point.period}: no text"
    unfinished = "" if point.is_complete else ", not complete"
    return f"{point.period}: {point.per_million:,.1f} per million, {point.hits:,} hits{unfinished}"


def _words(points: Sequence[Period], top: float) -> str:
    known = [point for point in points if point.per_million is not None]
    if not known:
        return "No period has any text."
    if are_few(points):
        hits = sum(point.hits for point in known)
        return (
            f"Hits by period: {hits:,} in {len(known):,} periods are too few for rates. Each bar "
            "opens its lines."
        )
    highest = max(known, key=lambda point: point.per_million or 0.0)
    words = (
        f"Hits per million tokens, {known[0].period} to {known[-1].period}; highest in "
        f"{highest.period} ({highest.per_million:,.1f})."
    )
    if any(point.low is not None for point in known):
        words += " Shaded: 95 % interval."
    if any(point.high is not None and point.high > top for point in known):
        words += " An arrow at the top shows where it goes on beyond the chart."
    if not all(point.is_complete for point in points):
        words += " Hollow points are periods that are not complete."
    return words


_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3])


def trends_chart(
    series: Sequence[tuple[str, Sequence[P]]],
    *,
    title: str,
    link: Callable[[P], str] = lambda point: "",
) -> Chart:
    """Return a line with its band for each series, told apart by colour and by dashes."""
    every = [(name, point) for name, points in series for point in points]
    top = top_of([point for _, point in every])
    few = {name for name, points in series if are_few(points)}
    rows = [
        _without_band(row_of(number, point, top), name in few) | {"series": printable(name)}
        for number, (name, point) in enumerate(every)
    ]
    return make_chart(
        _layers(rows, [printable(name) for name, _ in series], top),
        title=title,
        description=_trends_words(series),
        columns=("query", "period", "hits", "tokens", "per_million", "low", "high"),
        rows=[(n, p.period, p.hits, p.tokens, p.per_million, p.low, p.high) for n, p in every],
        links=[link(point) for _, point in every],
    )


def curves_chart(
    series: Sequence[tuple[str, Sequence[float]]], at: Sequence[str], *, title: str
) -> Chart:
    """Return a line from 0 to 1 for each measure, over the places at which all were measured."""
    names = [printable(name) for name, _ in series]
    every = [
        (name, place, share)
        for name, (_, shares) in zip(names, series, strict=True)
        for place, share in zip(at, shares, strict=True)
    ]
    rows = [{"series": name, "period": place, "rate": share} for name, place, share in every]
    base, dashes = _told_apart(names)
    y = field("rate:Q", title=None, scale={"domain": [0, 1], "nice": False})
    line = marks("line", {**base, "y": y, "strokeDash": dashes}, rows=rows, aria=False)
    best = [max(zip(shares, at, strict=True)) for _, shares in series]
    told = (f"{n} {share:.3f} at {place}" for n, (share, place) in zip(names, best, strict=True))
    return make_chart(
        whole(line, width=WIDTH, height=HEIGHT),
        title=title,
        description=f"Highest: {', '.join(told)}.",
        columns=("measure", "at", "value"),
        rows=every,
        links=[""] * len(every),
    )


def _told_apart(names: list[str]) -> tuple[dict[str, Channel], Channel]:
    """Return what lines of several series are drawn on: colours, and dashes for each."""
    sign = {"symbolType": "stroke", "symbolOpacity": 1, "symbolStrokeWidth": 2}
    legend = {"title": None, "orient": "top", **sign}
    dashes = {"domain": names, "range": list(_DASHES[: len(names)])}
    colour = field("series:N", scale=_colours(names), legend=legend)
    return {**_PERIODS, "color": colour}, field("series:N", scale=dashes, legend=legend)


def _colours(names: list[str]) -> dict[str, list[str]]:
    return {"domain": names, "range": list(SERIES[: len(names)])}


def _layers(rows: list[dict[str, Any]], names: list[str], top: float) -> Drawing:
    base, dashes = _told_apart(names)
    own = field("series:N", scale=_colours(names), legend=None)
    dots = {**base, **_RATE, **_OPENED, "fill": depending("complete", own, {"value": SHEET})}
    layers = (
        marks("area", _band(base, top), opacity=0.12, aria=False, clip=True),
        _cut_marks(base),
        marks("line", {**base, **_RATE, "strokeDash": dashes}, aria=False),
        marks("point", dots, size=36, opacity=1, filled=False),
    )
    return whole(layered(layers, rows), width=WIDTH, height=HEIGHT)


def _trends_words(series: Sequence[tuple[str, Sequence[Period]]]) -> str:
    told = "; ".join(filter(None, (_highest(name, points) for name, points in series)))
    if not told:
        return "No period has any text."
    few = [printable(name) for name, points in series if are_few(points)]
    without = f" Too few hits for an interval: {', '.join(few)}." if few else ""
    points = [point for name, own in series if not are_few(own) for point in own]
    top = top_of([point for _, own in series for point in own])
    is_cut = any(point.high is not None and point.high > top for point in points)
    arrows = " An arrow at the top shows where one goes on beyond the chart." if is_cut else ""
    return f"Hits per million tokens. {told}. Shaded: 95 % intervals.{arrows}{without}"


def _without_band(row: dict[str, Any], is_few: bool) -> dict[str, Any]:
    """Return a row without its interval, where that would be as wide as the picture."""
    return row | {"low": None, "high": None, "cut": None} if is_few else row


def _highest(name: str, points: Sequence[Period]) -> str:
    known = [point for point in points if point.per_million]
    if not known:
        return f"{printable(name)} does not occur"
    top = max(known, key=lambda point: point.per_million or 0.0)
    return f"{printable(name)} is highest in {top.period} ({top.per_million:,.1f})"
