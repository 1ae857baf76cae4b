"""The marks of a chart as SVG, each with its label and link, and where values stand in it."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import groupby, pairwise
from typing import Any

from izwi.presentation.charts.specification import number_of, safe_link

# Widths of letters as shares of the font's size: Arial's and a little more, as others are wider.
_NARROW, _WIDE = frozenset("ijlftrI.,:;'|!()[]/ -1"), frozenset("mwMW@%…")


def text_width(text: str, size: float) -> float:
    """Return about how wide a text is drawn.

    >>> text_width("iii", 10) < text_width("mmm", 10) < text_width("漢漢漢", 10)
    True
    """
    return size * sum(map(_share, text))


def _share(letter: str) -> float:
    if letter in _NARROW:
        return 0.36
    if letter in _WIDE:
        return 1.0
    if ord(letter) >= 0x2E80:
        return 1.0
    return 0.76 if letter.isupper() else 0.62


def shortened(text: str, limit: float, size: float) -> str:
    """Return as much of a text as finds room, with a sign where it was cut."""
    if text_width(text, size) <= limit:
        return text
    while text and text_width(f"{text}…", size) > limit:
        text = text[:-1]
    return f"{text}…"


@dataclass(frozen=True, slots=True)
class Numbers:
    """Numbers from one to another along a line of the drawing."""

    low: float
    high: float
    first: float
    last: float
    is_log: bool = False

    def at(self, value: float) -> float:
        """Return where a number stands."""
        low, high, value = map(self._measure, (self.low, self.high, value))
        return self.first + (value - low) / (high - low) * (self.last - self.first)

    def _measure(self, value: float) -> float:
        return math.log10(max(value, 1e-9)) if self.is_log else value

    def ticks(self, most: float, least_step: float = 0) -> list[float]:
        """Return the numbers that an axis names, at most about so many."""
        if self.is_log:
            return self._powers()
        step = max(nice_step(self.high - self.low, most), least_step)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return [number * step for number in range(first, last + 1)]

    def _powers(self) -> list[float]:
        powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
        for parts in ((1,), (1, 2, 5)):
            found = [part * 10.0**power for power in powers for part in parts]
            found = [each for each in found if self.low <= each <= self.high]
            if len(found) > 1:
                return found
        return [self.low]


# Without slots: places are kept once they were counted.
@dataclass(frozen=True)
class Names:
    """Names side by side along a line of the drawing, each in the middle of its room."""

    names: tuple[str, ...]
    first: float
    last: float

    @property
    def step(self) -> float:
        """The room of one."""
        return (self.last - self.first) / max(1, len(self.names))

    def at(self, name: str) -> float:
        """Return where a name stands."""
        return self.first + self.step * (self._number[name] + 0.5)

    @cached_property
    def _number(self) -> dict[str, int]:
        return {name: number for number, name in enumerate(self.names)}


Scale = Numbers | Names


def nice_step(length: float, most: float) -> float:
    """Return 1, 2 or 5 times a power of ten, of which about so many make a length.

    >>> nice_step(100, 5), nice_step(7, 10), nice_step(0.3, 4)
    (20.0, 1.0, 0.1)
    """
    rough = max(length, 1e-12) / max(1.0, most)
    power = 10.0 ** math.floor(math.log10(rough))
    return next(part * power for part in (1, 2, 5, 10) if part * power >= rough * 0.999)


def numbers_scale(
    values: Iterable[Any], wish: Mapping[str, Any], first: float, last: float
) -> Numbers:
    """Return the scale of some numbers as Vega-Lite's settings `wish` for it."""
    is_log, padding = wish.get("type") == "log", float(wish.get("padding", 0))
    padding = math.copysign(padding, last - first)
    first, last = first + padding, last - padding
    if "domain" in wish:
        low, high = wish["domain"]
        return Numbers(low, high, first, last)
    known = [float(value) for value in values if value is not None]
    if wish.get("zero", True) and not is_log:
        known.append(0.0)
    low, high = min(known, default=1.0), max(known, default=1.0)
    if high - low <= 1e-9 * max(abs(low), abs(high), 1e-3):  # as good as the same
        low, high = (low / 2, high * 2) if is_log else (low, high + 1.0)
    if wish.get("nice", not is_log and not padding):
        step = nice_step(high - low, 10)
        low, high = math.floor(low / step) * step, math.ceil(high / step - 1e-9) * step
    return Numbers(low, high, first, last, is_log)


def written(value: float, form: str, ticks: Sequence[float]) -> str:
    """Return a number of an axis, with as many decimals as its neighbours need.

    >>> written(0.5, "%", [0, 0.5]), written(2000.0, "", [0, 2000.0]), written(0.2, "", [0.2, 0.4])
    ('50%', '2,000', '0.2')
    """
    factor = 100 if form == "%" else 1
    step = factor * min((abs(b - a) for a, b in pairwise(ticks)), default=1.0)
    decimals = min(6, max(0, -math.floor(math.log10(step) + 1e-9))) if step > 0 else 0
    return f"{value * factor or 0:,.{decimals}f}{'%' if form == '%' else ''}"


_BAND = 0.9
_USUAL_DASHES = ([1, 0], [4, 2])
# How much of what lies behind each kind of mark is seen through it, if nothing else is said.
_OPACITY = {"point": 0.7, "circle": 0.7, "tick": 0.7}
_USUAL_FONT, _USUAL_SIZE = 11, 30


@dataclass(frozen=True)
class Layer:
    """One kind of mark, what it shows of each row, and the rows."""

    mark: Mapping[str, Any]
    encoding: Mapping[str, Mapping[str, Any]]
    rows: Sequence[Mapping[str, Any]]

    def value(self, channel: str, row: Mapping[str, Any]) -> Any:
        """Return what a row has for a channel; None if it has nothing."""
        told = self.encoding.get(channel, {})
        condition = told.get("condition")
        if condition and row.get(condition["test"].removeprefix("datum.")):
            told = condition
        if "field" in told:
            found = row.get(told["field"])
            return self._looked_up(channel, told, found) if "scale" in told else found
        return told.get("datum", told.get("value"))

    def _looked_up(self, channel: str, told: Mapping[str, Any], found: Any) -> Any:
        if channel in ("x", "y") or told.get("type") == "quantitative":
            return found
        values, names = told["scale"].get("range", ()), self.names_of(channel, told)
        return values[names.index(found) % len(values)] if found in names and values else None

    def names_of(self, channel: str, told: Mapping[str, Any] | None = None) -> list[str]:
        """Return the names that a channel tells apart, in their order."""
        told = told or self.encoding[channel]
        given = (told.get("scale") or {}).get("domain")
        return list(given or sorted({row[told["field"]] for row in self.rows}))

    def colour(self, row: Mapping[str, Any]) -> str:
        """Return the colour of a row's mark."""
        return str(self.value("color", row) or self.mark.get("color") or "currentColor")

    def dash(self, row: Mapping[str, Any]) -> str:
        """Return how a row's line is dashed, as an attribute."""
        told = self.encoding.get("strokeDash")
        if not told:
            return ""
        names = self.names_of("strokeDash")
        dashes = (told.get("scale") or {}).get("range", _USUAL_DASHES)
        lengths = dashes[names.index(row[told["field"]]) % len(dashes)]
        return f' stroke-dasharray="{",".join(map(str, lengths))}"'

    def opacity(self, row: Mapping[str, Any]) -> str:
        """Return how much is seen through a row's mark, as an attribute."""
        usual = self.mark.get("opacity", _OPACITY.get(self.mark["type"], 1))
        found = self.value("opacity", row)
        return f' opacity="{usual if found is None else found}"'


@dataclass(frozen=True)
class Place:
    """The frame in which marks stand."""

    x: Scale
    y: Scale
    width: float
    height: float
    mark: str

    def at(self, layer: Layer, row: Mapping[str, Any], channel: str) -> float | None:
        """Return where a row stands on a side; None where it has no value."""
        if channel not in layer.encoding:
            return None
        value = layer.value(channel, row)
        scale: Any = self.x if channel.startswith("x") else self.y
        return None if value is None else float(scale.at(value))


def draw_layer(layer: Layer, place: Place, links: Sequence[str]) -> str:
    """Return the marks of a layer."""
    kind = layer.mark["type"]
    if kind in _JOINED:
        drawn = _JOINED[kind](layer, place)
    else:
        shapes = ((row, _SINGLE[kind](layer, row, place)) for row in layer.rows)
        drawn = "".join(_labelled(layer, row, shape, links) for row, shape in shapes if shape)
    hidden = ' aria-hidden="true"' if layer.mark.get("aria") is False else ""
    return f"<g{hidden}>{drawn}</g>"


def _labelled(layer: Layer, row: Mapping[str, Any], shape: str, links: Sequence[str]) -> str:
    """Return a mark with its words, as a link if it has an address."""
    label = layer.value("description", row)
    inner = f"<title>{escape(str(label))}</title>{shape}" if label else shape
    if label:
        said = f'role="graphics-symbol" aria-label="{escape(str(label))}"'
        inner = inner.replace("/>", f" {said}/>", 1)
    number = number_of(layer.value("href", row))
    address = safe_link(links[number]) if number is not None and number < len(links) else ""
    return f'<a href="{escape(address)}">{inner}</a>' if address else f"<g>{inner}</g>"


def _bar(layer: Layer, row: Mapping[str, Any], place: Place) -> str:
    if isinstance(place.y, Names):
        begin, end, middle = place.at(layer, row, "x"), _other(layer, row, place, "x"), "y"
        room = place.y.step
    else:
        begin, end, middle = place.at(layer, row, "y"), _other(layer, row, place, "y"), "x"
        room = place.x.step if isinstance(place.x, Names) else _USUAL_SIZE
    at = place.at(layer, row, middle)
    if begin is None or end is None or at is None:
        return ""
    wide = min(layer.mark.get("size", _BAND * room), room)
    low, long, first = min(begin, end), abs(end - begin), at - wide / 2
    x, y, width, height = (low, first, long, wide) if middle == "y" else (first, low, wide, long)
    return (
        f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'fill="{layer.colour(row)}"{layer.opacity(row)}/>'
    )


def _other(layer: Layer, row: Mapping[str, Any], place: Place, side: str) -> float | None:
    """Return where a bar begins: at its second value, or at nothing."""
    if f"{side}2" in layer.encoding:
        return place.at(layer, row, f"{side}2")
    scale = place.x if side == "x" else place.y
    return scale.at(0) if isinstance(scale, Numbers) else None


def _tick(layer: Layer, row: Mapping[str, Any], place: Place) -> str:
    x, y = place.at(layer, row, "x"), place.at(layer, row, "y")
    if x is None or y is None:
        return ""
    half = layer.mark["bandSize"] / 2
    return (
        f'<rect x="{x:.1f}" y="{y - half:.1f}" width="{layer.mark["thickness"]}" '
        f'height="{2 * half}" fill="{layer.colour(row)}"{layer.opacity(row)}/>'
    )


def _rule(layer: Layer, row: Mapping[str, Any], place: Place) -> str:
    x, y = place.at(layer, row, "x"), place.at(layer, row, "y")
    x2, y2 = place.at(layer, row, "x2"), place.at(layer, row, "y2")
    if "x" not in layer.encoding:
        x, x2 = 0.0, place.width
    x2, y2 = x if x2 is None else x2, y if y2 is None else y2
    if x is None or y is None or x2 is None or y2 is None:
        return ""
    return (
        f'<line x1="{x:.1f}" y1="{y:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" '
        f'stroke="{layer.colour(row)}" stroke-width="{_thickness(layer, row):.1f}"'
        f"{layer.opacity(row)}/>"
    )


def _thickness(layer: Layer, row: Mapping[str, Any]) -> float:
    told = layer.encoding.get("strokeWidth")
    if not told:
        return 1.0
    values = [each[told["field"]] for each in layer.rows]
    low, high = min(*values, 0.0), max(*values, 0.0)
    thin, thick = told["scale"]["range"]
    share = (row[told["field"]] - low) / (high - low) if high > low else 1.0
    return float(thin + share * (thick - thin))


def _point(layer: Layer, row: Mapping[str, Any], place: Place) -> str:
    x, y = place.at(layer, row, "x"), place.at(layer, row, "y")
    if x is None or y is None:
        return ""
    y += layer.mark.get("yOffset", 0)
    shape = layer.value("shape", row) or layer.mark.get("shape", "circle")
    colour = layer.colour(row)
    is_filled = layer.mark.get("filled", layer.mark["type"] == "circle")
    fill = layer.value("fill", row) or (colour if is_filled else "none")
    stroke = "" if is_filled else f' stroke="{colour}" stroke-width="2"'
    look = f'fill="{fill}"{stroke}{layer.opacity(row)}'
    return _symbol(shape, x, y, layer.mark.get("size", _USUAL_SIZE), look)


# Where the corners of a triangle lie, in halves of its side.
_CORNERS = {
    "triangle-up": ((-1, 0.866), (1, 0.866), (0, -0.866)),
    "triangle-down": ((-1, -0.866), (1, -0.866), (0, 0.866)),
    "triangle-right": ((-0.866, -1), (-0.866, 1), (0.866, 0)),
}


def _symbol(shape: str, x: float, y: float, size: float, look: str) -> str:
    if shape not in _CORNERS:
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{math.sqrt(size / math.pi):.1f}" {look}/>'
    half = math.sqrt(size) / 2
    corners = " ".join(f"{x + half * dx:.1f},{y + half * dy:.1f}" for dx, dy in _CORNERS[shape])
    return f'<polygon points="{corners}" {look}/>'


def _words(layer: Layer, row: Mapping[str, Any], place: Place) -> str:
    x, y = place.at(layer, row, "x"), place.at(layer, row, "y")
    words = str(layer.value("text", row) or "")
    if x is None or y is None or not words:
        return ""
    mark, size = layer.mark, layer.mark.get("fontSize", _USUAL_FONT)
    anchor = "" if mark.get("align") == "left" else ' text-anchor="middle"'
    weight = f' font-weight="{mark["fontWeight"]}"' if "fontWeight" in mark else ""
    at = f'x="{x + mark.get("dx", 0):.1f}" y="{y + mark.get("dy", 0) + size / 3:.1f}"'
    shown = shortened(words, mark.get("limit", math.inf), size)
    return (
        f'<text {at} fill="{layer.colour(row)}" font-size="{size}px"{anchor}{weight}>'
        f"{escape(shown)}</text>"
    )


def text_ends(layer: Layer, x: Scale) -> Iterator[tuple[float, float]]:
    """Yield where the words of a layer begin and end across the frame."""
    if layer.mark["type"] != "text" or isinstance(x, Names):
        return
    for row in layer.rows:
        at = x.at(layer.value("x", row)) + layer.mark.get("dx", 0)
        size = layer.mark.get("fontSize", _USUAL_FONT)
        wide = min(text_width(str(layer.value("text", row)), size), layer.mark.get("limit", 1e9))
        begin = at if layer.mark.get("align") == "left" else at - wide / 2
        yield begin, begin + wide


def _series(layer: Layer) -> Iterator[list[Mapping[str, Any]]]:
    """Yield the rows of each line."""
    if "field" not in layer.encoding.get("color", {}):
        yield list(layer.rows)
        return
    field = layer.encoding["color"]["field"]
    for name in layer.names_of("color"):
        yield [row for row in layer.rows if row[field] == name]


def _stretches(
    layer: Layer, rows: Sequence[Mapping[str, Any]], place: Place, ends: Sequence[str]
) -> Iterator[list[tuple[float, ...]]]:
    """Yield the places of rows that follow each other without a gap."""
    found = [tuple(place.at(layer, row, end) for end in ends) for row in rows]
    for is_whole, group in groupby(found, key=lambda places: None not in places):
        if is_whole:
            yield [tuple(map(float, places)) for places in group]  # type: ignore[arg-type]


def _lines(layer: Layer, place: Place) -> str:
    parts = []
    for rows in _series(layer):
        for stretch in _stretches(layer, rows, place, ("x", "y")):
            points = " ".join(f"{x:.1f},{y:.1f}" for x, y in stretch)
            look = f'stroke="{layer.colour(rows[0])}" stroke-width="2"{layer.dash(rows[0])}'
            parts.append(f'<polyline points="{points}" {look}/>')
        if layer.mark.get("point"):
            parts += [_symbol_of(layer, row, place) for row in rows]
    return "".join(parts)


def _symbol_of(layer: Layer, row: Mapping[str, Any], place: Place) -> str:
    x, y = place.at(layer, row, "x"), place.at(layer, row, "y")
    look = f'fill="{layer.colour(row)}"'
    return "" if x is None or y is None else _symbol("circle", x, y, _USUAL_SIZE, look)


def _bands(layer: Layer, place: Place) -> str:
    parts = []
    for rows in _series(layer):
        for stretch in _stretches(layer, rows, place, ("x", "y", "y2")):
            there = [f"{x:.1f},{low:.1f}" for x, low, _ in stretch]
            back = [f"{x:.1f},{high:.1f}" for x, _, high in reversed(stretch)]
            look = f'fill="{layer.colour(rows[0])}"{layer.opacity(rows[0])}'
            parts.append(f'<polygon points="{" ".join((*there, *back))}" {look}/>')
    # A band may go on beyond the frame.
    name = f"{place.mark}-frame"
    frame = f'<rect width="{place.width:.1f}" height="{place.height:.1f}"/>'
    clip = f'<clipPath id="{name}">{frame}</clipPath>'
    return f'{clip}<g clip-path="url(#{name})">{"".join(parts)}</g>'


def draw_symbol(layer: Layer, name: str) -> str:
    """Return the sign that stands for a name in a legend, as wide as 20 pixels."""
    row = {layer.encoding["color"]["field"]: name}
    colour = layer.colour(row)
    if layer.mark["type"] in ("point", "circle"):
        shape = layer.value("shape", row) or "circle"
        return _symbol(shape, 10, 0, layer.mark.get("size", _USUAL_SIZE), f'fill="{colour}"')
    return (
        f'<line x1="0" y1="0" x2="20" y2="0" stroke="{colour}" stroke-width="2"{layer.dash(row)}/>'
    )


_SINGLE: Mapping[str, Callable[[Layer, Mapping[str, Any], Place], str]] = {
    "bar": _bar,
    "tick": _tick,
    "rule": _rule,
    "point": _point,
    "circle": _point,
    "text": _words,
}
_JOINED: Mapping[str, Callable[[Layer, Place], str]] = {"line": _lines, "area": _bands}
