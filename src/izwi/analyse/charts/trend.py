"""A trend: a rate by period, with the band in which it may well lie."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from izwi.analyse.charts.chart import Chart, altair_library, make_chart, printable
from izwi.analyse.charts.links import place_of
from izwi.analyse.charts.palette import ACCENT, BAR, SHEET

WIDTH, HEIGHT = 640, 220
# The axis reaches so much further than the highest rate; a band that goes on beyond is marked.
_ROOM = 2.0
# With fewer hits a period than this, rates are noise: the hits themselves are drawn.
_FEWEST_HITS = 1.0


class TrendPoint(Protocol):
    """What a trend draws of each period; a rate is None where the period has no text."""

    @property
    def period(self) -> str:
        """The year, month or day."""

    @property
    def per_million(self) -> float | None:
        """Hits per million tokens."""

    @property
    def low(self) -> float | None:
        """The lower end of the interval."""

    @property
    def high(self) -> float | None:
        """The upper end of the interval."""

    @property
    def hits(self) -> int:
        """How many hits there are."""

    @property
    def tokens(self) -> int:
        """How many tokens the period has."""

    @property
    def is_complete(self) -> bool:
        """Whether the period is over and gathered."""


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


P = TypeVar("P", bound=TrendPoint)


def trend_chart(
    points: Sequence[P], *, title: str, link: Callable[[P], str] = lambda point: ""
) -> Chart:
    """Return a line with its band; hollow points are periods that are not complete."""
    altair = altair_library()

    links = [link(point) for point in points]
    top = top_of(points)
    rows = [row_of(number, point, top) for number, point in enumerate(points)]
    base = altair.Chart(altair.Data(values=rows)).encode(
        altair.X("period:O", title=None, sort=None, axis=altair.Axis(labelAngle=0))
    )
    drawn = _counted(altair, base) if are_few(points) else _followed(altair, base, top)
    return make_chart(
        drawn.properties(width=WIDTH, height=HEIGHT if not are_few(points) else HEIGHT // 2),
        title=title,
        description=_words(points),
        columns=("period", "hits", "tokens", "per_million", "low", "high", "is_complete"),
        rows=[
            (p.period, p.hits, p.tokens, p.per_million, p.low, p.high, p.is_complete)
            for p in points
        ],
        links=links,
    )


def _followed(altair: Any, base: Any, top: float) -> Any:
    """Return the line of the rates with the band in which they may well lie."""
    scale = altair.Scale(domain=[0, top], nice=False)
    band = base.mark_area(opacity=0.2, color=BAR, aria=False, clip=True).encode(
        altair.Y("low:Q", title="per million tokens", scale=scale), altair.Y2("high:Q")
    )
    line = base.mark_line(color=ACCENT, aria=False).encode(altair.Y("rate:Q"))
    dots = base.mark_point(size=36, color=ACCENT, opacity=1, filled=False).encode(
        altair.Y("rate:Q"),
        href="place:N",
        description="label:N",
        fill=altair.condition("datum.complete", altair.value(ACCENT), altair.value(SHEET)),
    )
    return altair.layer(band, cut_marks(altair, base, BAR), line, dots)


def cut_marks(altair: Any, base: Any, colour: str | None = None) -> Any:
    """Return small arrows at the top, where the band goes on beyond the picture."""
    given = {"color": colour} if colour else {}
    return base.mark_point(
        shape="triangle-up", size=42, filled=True, opacity=0.9, yOffset=-2, aria=False, **given
    ).encode(altair.Y("cut:Q"))


def _counted(altair: Any, base: Any) -> Any:
    """Return the hits of each period as bars: too few for rates."""
    return base.mark_bar(color=BAR, size=14).encode(
        altair.Y("hits:Q", title="hits", axis=altair.Axis(tickMinStep=1, format="d")),
        href="place:N",
        description="label:N",
    )


def are_few(points: Sequence[TrendPoint]) -> bool:
    """Return whether there are too few hits to speak of rates.

    >>> are_few([Point("2019", 90.0, hits=1)]), are_few([Point("2019", 90.0, hits=9)])
    (False, False)
    >>> are_few([Point("2019", 90.0, hits=1), Point("2020", 0.0)])
    True
    """
    with_text = [point for point in points if point.per_million is not None]
    return sum(point.hits for point in with_text) < _FEWEST_HITS * len(with_text)


def top_of(points: Sequence[TrendPoint]) -> float:
    """Return how far the axis reaches: not to the end of every band, else the line lies flat."""
    rates = [point.per_million for point in points if point.per_million is not None]
    ends = [point.high for point in points if point.high is not None]
    highest = max(rates, default=0.0)
    return min(_ROOM * highest, max(1.05 * highest, *ends, 0.0)) or 1.0


def row_of(number: int, point: TrendPoint, top: float) -> dict[str, Any]:
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


def _label(point: TrendPoint) -> str:
    if point.per_million is None:
        return f"{point.period}: no text"
    unfinished = "" if point.is_complete else ", not complete"
    return f"{point.period}: {point.per_million:,.1f} per million, {point.hits:,} hits{unfinished}"


def _words(points: Sequence[TrendPoint]) -> str:
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
    top = top_of(points)
    if any(point.high is not None and point.high > top for point in known):
        words += " Where it goes on beyond the picture, an arrow stands at the top."
    if not all(point.is_complete for point in points):
        words += " Hollow points are periods that are not complete."
    return words
