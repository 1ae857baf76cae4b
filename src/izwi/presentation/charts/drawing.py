"""A specification as a picture: title, legend, axes and marks as SVG, light and dark, linked.

It reads the part of Vega-Lite that our charts are written in and no more. The program that reads
all of it is 88 MB, starts a browser's engine in every process, and draws a bar chart no better.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from html import escape
from itertools import pairwise
from typing import Any, NamedTuple

from izwi.presentation.charts.marks import (
    Layer,
    Names,
    Place,
    Scale,
    draw_layer,
    draw_symbol,
    numbers_scale,
    shortened,
    text_ends,
    text_width,
    written,
)
from izwi.presentation.charts.specification import DARK, VARIABLES, safe_link

_TEST = re.compile(r"datum\.(\w+)( != null)?")
# Pixels between two numbers of an axis, of a line of text, of the axes' parts.
_APART, _LINE, _TICK, _AXIS_TITLE, _LEGEND = 45, 15, 5, 18, 24
_LABEL_LIMIT = 180
# There is so much room at least to the right of the frame.
_LEAST_RIGHT = 10
# Between two names below an axis; browsers have wider letters than we count with.
_GAP = 10


class Picture(NamedTuple):
    """A picture and its size."""

    width: int
    height: int
    body: str


class Axis(NamedTuple):
    """What stands beside a side of the frame: its title, and each place with its words."""

    title: str = ""
    labels: tuple[tuple[float, str], ...] = ()
    has_grid: bool = False


def picture_of(specification: Mapping[str, Any], links: Sequence[str], mark: str) -> Picture:
    """Return a chart drawn; `links` has the addresses of its rows, `mark` keeps its ids apart."""
    config, layers = specification["config"], layers_of(specification)
    pad, style = config["padding"], config["axis"]
    limit = style.get("labelLimit", _LABEL_LIMIT)
    y = _vertical(layers, specification["height"])
    height = abs(y.last - y.first) if isinstance(y, Names) else float(specification["height"])
    side = _axis(layers, "y", y, height / _APART, limit)
    left = pad["left"] + _side_width(side, style)
    width, right, more = _widths(specification, layers, left + pad["right"])
    left, x = left + more, _scale(layers, "x", 0, width)
    below = _axis(layers, "x", x, _x_count(config, width), limit)
    keys = list(_keys(layers))
    top = pad["top"] + _title_height(specification.get("title")) + (_LEGEND if keys else 0)
    bottom = pad["bottom"] + (22 if below.labels else 0) + (_AXIS_TITLE if below.title else 0)
    place = Place(x, y, width, height, mark)
    drawn = (
        _drawn_legend(keys, style),
        _x_axis(below, place, style),
        _y_axis(side, place, style),
        *(draw_layer(layer, place, links) for layer in layers),
    )
    body = (
        f'<g fill="none" font-family="{escape(config["font"])}">'
        f"{_title(specification.get('title'), config, left, pad['top'])}"
        f'<g transform="translate({left:.0f},{top:.0f})">{"".join(drawn)}</g></g>'
    )
    return Picture(round(left + width + pad["right"] + right), round(top + height + bottom), body)


def layers_of(specification: Mapping[str, Any]) -> list[Layer]:
    """Return what is drawn upon each other, each with its rows."""
    shared = specification.get("encoding", {}) if "layer" in specification else {}
    return [
        Layer(part["mark"], {**shared, **part["encoding"]}, _rows(part, specification))
        for part in specification.get("layer", [specification])
    ]


def _rows(part: Mapping[str, Any], whole: Mapping[str, Any]) -> list[dict[str, Any]]:
    data = part.get("data", whole.get("data", {}))
    rows = data["values"] if "values" in data else whole["datasets"][data["name"]]
    tests = [each["filter"] for each in part.get("transform", ())]
    return [row for row in rows if all(holds(test, row) for test in tests)]


def holds(test: str, row: Mapping[str, Any]) -> bool:
    """Return whether a test of a specification holds for a row.

    >>> holds("datum.low != null && datum.cut", {"low": 0, "cut": True})
    True
    """
    found = [_TEST.fullmatch(part.strip()) for part in test.split("&&")]
    return all(each and (row[each[1]] is not None if each[2] else row[each[1]]) for each in found)


def _channel(layers: Sequence[Layer], name: str) -> list[tuple[Layer, Mapping[str, Any]]]:
    return [(layer, layer.encoding[name]) for layer in layers if name in layer.encoding]


def _scale(layers: Sequence[Layer], channel: str, first: float, last: float) -> Scale:
    """Return the one scale of a side of all layers."""
    used = _channel(layers, channel)
    wish = {key: value for _, each in used for key, value in (each.get("scale") or {}).items()}
    both = [*used, *_channel(layers, f"{channel}2")]
    values = [row[each["field"]] for layer, each in both if "field" in each for row in layer.rows]
    if any(each.get("type") in ("ordinal", "nominal") for _, each in used):
        return Names(tuple(wish.get("domain") or dict.fromkeys(values)), first, last)
    given = [each["datum"] for _, each in both if "datum" in each]
    return numbers_scale([*values, *given], wish, first, last)


def _vertical(layers: Sequence[Layer], height: Any) -> Scale:
    """Return the scale of the side: names run down, numbers up."""
    found = _scale(layers, "y", 0, 1)
    if not isinstance(found, Names):
        return _scale(layers, "y", height, 0)
    step = height["step"] if isinstance(height, dict) else height / max(1, len(found.names))
    return Names(found.names, 0, step * max(1, len(found.names)))


def _axis(layers: Sequence[Layer], channel: str, scale: Scale, most: float, limit: float) -> Axis:
    used = [each for _, each in _channel(layers, channel)]
    if any("axis" in each and each["axis"] is None for each in used):
        return Axis()
    wish = {key: value for each in used for key, value in (each.get("axis") or {}).items()}
    titles = [each["title"] for each in (*used, wish) if each.get("title")]
    title = titles[0] if titles else ""
    if isinstance(scale, Names):
        return Axis(title, tuple((scale.at(n), shortened(n, limit, 12)) for n in scale.names))
    ticks = scale.ticks(most, wish.get("tickMinStep", 0))
    form = wish.get("format", "")
    return Axis(title, tuple((scale.at(n), written(n, form, ticks)) for n in ticks), has_grid=True)


def _x_count(config: Mapping[str, Any], width: float) -> float:
    return float(config.get("axisXQuantitative", {}).get("tickCount", width / _APART))


def _side_width(axis: Axis, style: Mapping[str, Any]) -> float:
    size = style["labelFontSize"]
    labels = max((text_width(words, size) for _, words in axis.labels), default=-_TICK)
    return labels + _TICK + 4 + (_AXIS_TITLE if axis.title else 0)


def _widths(
    specification: Mapping[str, Any], layers: Sequence[Layer], outside: float
) -> tuple[float, float, float]:
    """Return how wide the frame is, and what words reach beyond it to the right and the left."""
    is_fitted = "autosize" in specification
    width = float(specification["width"]) - (outside if is_fitted else 0)
    for _ in range(2):  # where the frame gets narrower, words begin elsewhere
        x = _scale(layers, "x", 0, width)
        ends = [end for layer in layers for end in text_ends(layer, x)]
        right = max(0.0, *(end - width for _, end in ends), 0.0)
        left = max(0.0, *(-begin for begin, _ in ends), 0.0)
        if not is_fitted:
            break
        width = float(specification["width"]) - outside - right - left
    return width, right, left


def _text(words: str, x: float, y: float, colour: str, size: float, more: str = "") -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" fill="{colour}" font-size="{size}px"{more}>'
        f"{escape(words)}</text>"
    )


def _line(x1: float, y1: float, x2: float, y2: float, colour: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{colour}"/>'


def _x_axis(axis: Axis, place: Place, style: Mapping[str, Any]) -> str:
    bottom, size, parts = place.height, style["labelFontSize"], []
    if axis.has_grid:
        parts += [_line(at, 0, at, bottom, style["gridColor"]) for at, _ in axis.labels]
    for at, words in _apart(axis.labels, size):
        parts.append(_line(at, bottom, at, bottom + _TICK, style["tickColor"]))
        is_out = at + text_width(words, size) / 2 > place.width + _LEAST_RIGHT
        anchor = f' text-anchor="{"end" if is_out else "middle"}"'
        parts.append(_text(words, at, bottom + 17, style["labelColor"], size, anchor))
    if axis.labels:
        parts.append(_line(0, bottom, place.width, bottom, style["domainColor"]))
    if axis.title:
        at, below = place.width / 2, bottom + (22 if axis.labels else 4) + 13
        middle = ' text-anchor="middle"'
        parts.append(_text(axis.title, at, below, style["titleColor"], 11, middle))
    return f"<g>{''.join(parts)}</g>"


def _apart(labels: Sequence[tuple[float, str]], size: float) -> Sequence[tuple[float, str]]:
    """Return every so-manieth label, the same step from end to end, so that none touches another.

    >>> [words for _, words in _apart([(20.0 * n, str(2010 + n)) for n in range(7)], 11)]
    ['2010', '2012', '2014', '2016']
    """
    wide = [text_width(words, size) for _, words in labels]
    for step in range(1, len(labels)):
        pairs = pairwise(range(0, len(labels), step))
        if all(labels[b][0] - labels[a][0] >= (wide[a] + wide[b]) / 2 + _GAP for a, b in pairs):
            return labels[::step]
    return labels[:1]


def _y_axis(axis: Axis, place: Place, style: Mapping[str, Any]) -> str:
    size, parts = style["labelFontSize"], []
    for at, words in axis.labels:
        if axis.has_grid:
            parts.append(_line(0, at, place.width, at, style["gridColor"]))
        parts.append(_line(-_TICK, at, 0, at, style["tickColor"]))
        end = ' text-anchor="end"'
        parts.append(_text(words, -_TICK - 3, at + size / 3, style["labelColor"], size, end))
    if axis.labels:
        parts.append(_line(0, 0, 0, place.height, style["domainColor"]))
    if axis.title:
        out = _side_width(axis, style) - _AXIS_TITLE / 2
        there = f"translate({-out:.1f},{place.height / 2:.1f}) rotate(-90)"
        turned = f' text-anchor="middle" transform="{there}"'
        parts.append(_text(axis.title, 0, 0, style["titleColor"], 11, turned))
    return f"<g>{''.join(parts)}</g>"


def _keys(layers: Sequence[Layer]) -> Iterator[tuple[str, str]]:
    """Yield each name that colours tell apart, with its sign."""
    # First those that are also told apart for who sees no colours.
    told_twice = [each for each in layers if {"strokeDash", "shape"} & each.encoding.keys()]
    for layer in (*told_twice, *layers):
        told = layer.encoding.get("color", {})
        if "field" not in told or told.get("legend", True) is None:
            continue
        for name in layer.names_of("color"):
            yield name, draw_symbol(layer, name)
        return


def _drawn_legend(keys: Sequence[tuple[str, str]], style: Mapping[str, Any]) -> str:
    parts, at = [], 0.0
    for name, sign in keys:
        parts.append(f'<g transform="translate({at:.1f},-12)">{sign}</g>')
        parts.append(_text(name, at + 24, -8, style["labelColor"], 11))
        at += 40 + text_width(name, 11)
    return f"<g>{''.join(parts)}</g>" if parts else ""


def _title_height(title: Any) -> float:
    return 24 + _LINE * len(title["subtitle"]) + 6 if title else 0


def _title(title: Any, config: Mapping[str, Any], left: float, top: float) -> str:
    if not title:
        return ""
    look = config["title"]
    bold = ' font-weight="bold"'
    parts = [_text(title["text"], left, top + 14, look["color"], look["fontSize"], bold)]
    for number, words in enumerate(title["subtitle"], 1):
        below = top + 16 + _LINE * number
        parts.append(_text(words, left, below, look["subtitleColor"], 12))
    return f"<g>{''.join(parts)}</g>"


_COLOUR = re.compile(r'"(#[0-9a-f]{6})"')


def drawn(
    specification: Mapping[str, Any],
    title: str,
    description: str,
    links: Sequence[str],
    *,
    is_in_page: bool = False,
) -> str:
    """Return a drawing; in a page its colours are the page's, else they follow the screen."""
    mark = _mark(specification, is_in_page)
    width, height, body = picture_of(specification, links, mark)
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="izwi-chart" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f"{_said(mark, title, description, has_links=any(map(safe_link, links)))}"
    )
    if is_in_page:
        return _COLOUR.sub(_as_variable, f"{head}{body}</svg>")
    return f"{head}<style>{_dark_rules()}</style>{body}</svg>"


def _mark(specification: Mapping[str, Any], is_in_page: bool) -> str:
    """Return a name that keeps the ids of two charts on one page apart."""
    text = json.dumps(specification, sort_keys=True, default=str) + str(is_in_page)
    return f"chart-{blake2b(text.encode(), digest_size=5).hexdigest()}"


def _said(mark: str, title: str, description: str, *, has_links: bool) -> str:
    # An image has no parts for those who hear it; where parts are links, it is a group of them.
    role = "group" if has_links else "img"
    return (
        f'role="{role}" aria-labelledby="{mark}-title {mark}-desc">'
        f'<title id="{mark}-title">{escape(title)}</title>'
        f'<desc id="{mark}-desc">{escape(description)}</desc>'
    )


def _as_variable(found: re.Match[str]) -> str:
    colour = found[1]
    name = VARIABLES.get(colour)
    return f'"var({name}, {colour})"' if name else found[0]


def _dark_rules() -> str:
    """Return rules that viewers without style sheets do not need to understand."""
    rules = "".join(
        f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}'
        for light, dark in DARK.items()
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"
