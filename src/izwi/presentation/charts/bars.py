"""Bars: a value for each thing, the way of a page from address to index, the share of each site."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from izwi.model.results import FunnelStep
from izwi.presentation.charts.chart import Chart, make_chart, printable
from izwi.presentation.charts.specification import (
    BAR,
    INK,
    SERIES,
    SOFT,
    Channel,
    Drawing,
    depending,
    field,
    layered,
    marks,
    place_of,
    whole,
)

WIDTH, STEP = 480, 18
# More bars are read better in the table, which has them all.
MOST_BARS = 60
# The axis reaches so much further than the longest bar; intervals that reach beyond are cut.
_ROOM = 2.0
_PALE = depending("faint", {"value": 0.4}, {"value": 1})


@dataclass(frozen=True, slots=True)
class Measured:
    """A thing and its value."""

    name: str
    value: float
    low: float | None = None
    high: float | None = None
    # Whether it rests on too little to be read like the others.
    is_faint: bool = False
    # What opens the lines that it counts.
    opens: Any = None


def bar_chart(
    values: Sequence[Measured],
    *,
    title: str,
    unit: str = "per million tokens",
    link: Callable[[Measured], str] = lambda value: "",
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
        "x": field("value:Q", title=printable(unit), **_axis_to(top)),
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


def _top(values: Sequence[Measured]) -> float | None:
    """Return where intervals are cut; None if all bars and intervals find room."""
    longest = max((each.value for each in values), default=0.0)
    highest = max((each.high or 0.0 for each in values), default=0.0)
    return _ROOM * longest if 0 < _ROOM * longest < highest else None


def _axis_to(top: float | None) -> dict[str, Any]:
    """Return the scale that ends where intervals are cut, so that their arrows stand at its end."""
    return {} if top is None else {"scale": {"domain": [0, top], "nice": False}}


def _row(number: int, each: Measured, top: float | None) -> dict[str, Any]:
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


def _words(values: Sequence[Measured], unit: str) -> str:
    if not values:
        return "There is nothing to count."
    highest = max(values, key=lambda each: each.value)
    words = f"Bars are {unit}; the longest is {highest.name} ({highest.value:,.6g})."
    if any(each.low is not None for each in values):
        is_cut = _top(values[:MOST_BARS]) is not None
        words += (
            " Thin lines are 95 % intervals, cut where there is an arrow."
            if is_cut
            else " Thin lines are 95 % intervals."
        )
    if any(each.is_faint for each in values):
        words += " Pale bars rest on one or two hits."
    if len(values) > MOST_BARS:
        words += f" The first {MOST_BARS} of {len(values):,} are drawn; the table has them all."
    return words


_FUNNEL_WIDTH, _FUNNEL_STEP = 480, 34


def funnel_chart(steps: Sequence[FunnelStep], *, title: str, losses: Sequence[str] = ()) -> Chart:
    """Return a centred bar for each step; `losses` says in words what went at each."""
    lost = [*losses, *("" for _ in range(len(steps) - len(losses)))]
    rows = [
        {
            "step": printable(step.name),
            "left": -step.documents / 2,
            "right": step.documents / 2,
            "label": printable(f"{step.name}: {step.documents:,}"),
            "count": f"{step.documents:,}",
            "lost": printable(why),
        }
        for step, why in zip(steps, lost, strict=True)
    ]
    y = {"y": field("step:N", sort=None, title=None)}
    middle = {**y, "x": {"datum": 0}}
    ends = {"x": field("left:Q", axis=None), "x2": field("right")}
    counted = {**middle, "text": field("count:N")}
    went = {**middle, "text": field("lost:N")}
    layers = (
        marks("bar", {**y, **ends, "description": field("label:N")}, color=BAR, opacity=0.55),
        marks("text", counted, color=INK, fontWeight="bold", dy=-4, aria=False),
        marks("text", went, color=INK, dy=9, fontSize=10, aria=False, limit=_FUNNEL_WIDTH),
    )
    return make_chart(
        whole(layered(layers, rows), width=_FUNNEL_WIDTH, height={"step": _FUNNEL_STEP}),
        title=title,
        description=_funnel_words(steps),
        columns=("step", "documents", "lost"),
        rows=[(step.name, step.documents, why) for step, why in zip(steps, lost, strict=True)],
    )


def _funnel_words(steps: Sequence[FunnelStep]) -> str:
    if not steps or not steps[0].documents:
        return "Nothing found yet."
    first, last = steps[0], steps[-1]
    share = last.documents / first.documents
    return f"Of {first.documents:,} {first.name}, {last.documents:,} are {last.name} ({share:.0%})."


_HOSTS_WIDTH, _HOSTS_HEIGHT = 520, 280


@dataclass(frozen=True, slots=True)
class HostShare:
    """A site with its hits and its tokens."""

    host: str
    hits: int
    tokens: int


def host_chart(hosts: Sequence[HostShare], *, title: str) -> Chart:
    """Return the shares of hits and of tokens that the first n sites have together."""
    by_hits = sorted(hosts, key=lambda host: (-host.hits, host.host))
    rows = [
        *_curve("hits", [host.hits for host in by_hits]),
        *_curve("tokens", sorted((host.tokens for host in hosts), reverse=True)),
    ]
    shares = {"scale": {"domain": [0, 1]}, "axis": {"format": "%"}}
    lines = {
        "x": field("sites:Q", title="sites, largest first", axis={"tickMinStep": 1}),
        "y": field("share:Q", title="share they have together", **shares),
        "color": field("of:N", title=None, scale={"range": list(SERIES[:2])}),
        "strokeDash": field("of:N", title=None),
    }
    drawing = marks("line", lines, rows=rows, point=len(hosts) <= 60)
    return make_chart(
        whole(drawing, width=_HOSTS_WIDTH, height=_HOSTS_HEIGHT),
        title=title,
        description=_host_words(by_hits),
        columns=("host", "hits", "tokens"),
        rows=[(host.host, host.hits, host.tokens) for host in by_hits],
    )


def gini(counts: Sequence[int]) -> float:
    """Return how unequal counts are: 0 if all are the same, near 1 if one has nearly all.

    >>> gini([1, 1, 1, 1]), gini([0, 0, 0, 1])
    (0.0, 0.75)
    """
    total, size = sum(counts), len(counts)
    if not total:
        return 0.0
    weighted = sum(place * count for place, count in enumerate(sorted(counts), 1))
    return 2 * weighted / (size * total) - (size + 1) / size


def _curve(name: str, counts: Sequence[int]) -> list[dict[str, object]]:
    total = sum(counts)
    return [
        {"of": name, "sites": sites, "share": so_far / total if total else 0.0}
        for sites, so_far in enumerate(accumulate(counts, initial=0))
    ]


def _host_words(hosts: Sequence[HostShare]) -> str:
    hits = sum(host.hits for host in hosts)
    if not hits:
        return "No hits."
    first = hosts[0]
    return printable(
        f"{hits:,} hits on {sum(host.hits > 0 for host in hosts):,} of {len(hosts):,} sites. "
        f"{first.host} alone has {first.hits / hits:.0%}. Gini coefficient of hits "
        f"{gini([host.hits for host in hosts]):.2f}, of tokens "
        f"{gini([host.tokens for host in hosts]):.2f}."
    )
