"""Several trends in one frame, so that they can be compared."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from izwi.analyse.charts.chart import Chart, altair_library, make_chart, printable
from izwi.analyse.charts.palette import SERIES, SHEET
from izwi.analyse.charts.trend import (
    HEIGHT,
    WIDTH,
    TrendPoint,
    are_few,
    cut_marks,
    row_of,
    top_of,
)

P = TypeVar("P", bound=TrendPoint)
_DASHES = ([1, 0], [6, 3], [2, 2], [8, 3, 2, 3], [4, 4], [1, 3])


def trends_chart(
    series: Sequence[tuple[str, Sequence[P]]],
    *,
    title: str,
    link: Callable[[P], str] = lambda point: "",
) -> Chart:
    """Return a line with its band for each series, told apart by colour and by dashes."""
    altair = altair_library()

    every = [(name, point) for name, points in series for point in points]
    top = top_of([point for _, point in every])
    few = {name for name, points in series if are_few(points)}
    rows = [
        _without_band(row_of(number, point, top), name in few) | {"series": printable(name)}
        for number, (name, point) in enumerate(every)
    ]
    return make_chart(
        _layers(altair, rows, [printable(name) for name, _ in series], top),
        title=title,
        description=_words(series),
        columns=("query", "period", "hits", "tokens", "per_million", "low", "high"),
        rows=[(n, p.period, p.hits, p.tokens, p.per_million, p.low, p.high) for n, p in every],
        links=[link(point) for _, point in every],
    )


def _layers(altair: Any, rows: list[dict[str, Any]], names: list[str], top: float) -> Any:
    legend = altair.Legend(
        title=None, orient="top", symbolType="stroke", symbolOpacity=1, symbolStrokeWidth=2
    )
    colours = altair.Scale(domain=names, range=list(SERIES[: len(names)]))
    dashes = altair.Scale(domain=names, range=list(_DASHES[: len(names)]))
    base = altair.Chart(altair.Data(values=rows)).encode(
        altair.X("period:O", title=None, sort=None, axis=altair.Axis(labelAngle=0)),
        color=altair.Color("series:N", scale=colours, legend=legend),
    )
    scale = altair.Scale(domain=[0, top], nice=False)
    band = base.mark_area(opacity=0.12, aria=False, clip=True).encode(
        altair.Y("low:Q", title="per million tokens", scale=scale), altair.Y2("high:Q")
    )
    line = base.mark_line(aria=False).encode(
        altair.Y("rate:Q"), strokeDash=altair.StrokeDash("series:N", scale=dashes, legend=legend)
    )
    dots = base.mark_point(size=36, opacity=1, filled=False).encode(
        altair.Y("rate:Q"),
        href="place:N",
        description="label:N",
        fill=altair.condition(
            "datum.complete",
            altair.Color("series:N", scale=colours, legend=None),
            altair.value(SHEET),
        ),
    )
    drawn = altair.layer(band, cut_marks(altair, base), line, dots)
    return drawn.properties(width=WIDTH, height=HEIGHT)


def _words(series: Sequence[tuple[str, Sequence[TrendPoint]]]) -> str:
    told = "; ".join(filter(None, (_highest(name, points) for name, points in series)))
    if not told:
        return "No period has any text."
    few = [printable(name) for name, points in series if are_few(points)]
    without = f" Too few hits for an interval: {', '.join(few)}." if few else ""
    points = [point for name, own in series if not are_few(own) for point in own]
    top = top_of([point for _, own in series for point in own])
    is_cut = any(point.high is not None and point.high > top for point in points)
    arrows = " Where one goes on beyond the picture, an arrow stands at the top." if is_cut else ""
    return f"Hits per million tokens. {told}. Shaded: 95 % intervals.{arrows}{without}"


def _without_band(row: dict[str, Any], is_few: bool) -> dict[str, Any]:
    """Return a row without its interval, where that would be as wide as the picture."""
    return row | {"low": None, "high": None, "cut": None} if is_few else row


def _highest(name: str, points: Sequence[TrendPoint]) -> str:
    known = [point for point in points if point.per_million]
    if not known:
        return f"{printable(name)} does not occur"
    top = max(known, key=lambda point: point.per_million or 0.0)
    return f"{printable(name)} is highest in {top.period} ({top.per_million:,.1f})"
