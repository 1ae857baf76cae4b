"""How a chart is written down: marks and layers as Vega-Lite has them, colours, and links.

Plain mappings: the library that writes the same takes longer to load than a page may take.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

Channel = Mapping[str, Any]
Drawing = dict[str, Any]
_SCHEMA = "https://vega.github.io/schema/vega-lite/v6.json"
_TYPES = {"O": "ordinal", "N": "nominal", "Q": "quantitative"}


def field(named: str, **wishes: Any) -> Channel:
    """Return a channel that shows a field of each row, with wishes about scale, axis or title.

    >>> field("rate:Q", title="per million tokens")
    {'field': 'rate', 'type': 'quantitative', 'title': 'per million tokens'}
    >>> field("high")  # of the type of the channel that it ends
    {'field': 'high'}
    """
    name, _, kind = named.partition(":")
    return {"field": name, **({"type": _TYPES[kind]} if kind else {}), **wishes}


def depending(on: str, then: Channel, otherwise: Channel) -> Channel:
    """Return a channel that shows one thing for rows of which a field is true, else another."""
    return {"condition": {"test": f"datum.{on}", **then}, **otherwise}


def marks(
    kind: str,
    channels: Mapping[str, Channel],
    *,
    rows: Sequence[Mapping[str, Any]] | None = None,
    only: str = "",
    **look: Any,
) -> Drawing:
    """Return one kind of mark for each row (its own, if given) or `only` for who passes a test."""
    drawing: Drawing = {"mark": {"type": kind, **look}, "encoding": dict(channels)}
    if rows is not None:
        drawing["data"] = {"values": list(rows)}
    if only:
        drawing["transform"] = [{"filter": only}]
    return drawing


def layered(layers: Iterable[Drawing], rows: Sequence[Mapping[str, Any]] | None = None) -> Drawing:
    """Return marks upon each other, of the same rows but for those that have their own."""
    shared = {} if rows is None else {"data": {"values": list(rows)}}
    return {**shared, "layer": list(layers)}


def whole(drawing: Drawing, *, width: int, height: int | Mapping[str, int]) -> Drawing:
    """Return a drawing with its size, as other programs read it."""
    return {"$schema": _SCHEMA, **drawing, "width": width, "height": height}


# Light colours are those of the pages' style sheet, whose variables take their place there.
INK = "#1c2329"
SOFT = "#58636d"
RULE = "#e2dfd8"
BAR = "#4d8c9b"
ACCENT = "#0f5c6e"
ALARM = "#8f2a14"
SHEET = "#ffffff"

VARIABLES: Mapping[str, str] = {
    INK: "--ink",
    SOFT: "--soft",
    RULE: "--rule",
    BAR: "--bar",
    ACCENT: "--accent",
    ALARM: "--alarm",
    SHEET: "--sheet",
}
DARK: Mapping[str, str] = {
    INK: "#e3e7ea",
    SOFT: "#9ba7b1",
    RULE: "#2b333a",
    BAR: "#4c93a3",
    ACCENT: "#86ccda",
    ALARM: "#f3a891",
    SHEET: "#191e23",
}
# After Okabe and Ito (2008): told apart by colour-blind readers, and readable on either ground.
SERIES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b58900", "#56a0d3")
# First a font whose widths the drawing program knows, so that nothing is cut off.
FONT = "Arial, 'Liberation Sans', Helvetica, sans-serif"


def dress() -> dict[str, Any]:
    """Return the configuration that all charts share."""
    axis = {
        "labelColor": INK,
        "titleColor": SOFT,
        "gridColor": RULE,
        "domainColor": SOFT,
        "tickColor": SOFT,
        "titleFontWeight": "normal",
        "labelFontSize": 12,
        "labelOverlap": "greedy",
    }
    return {
        "background": "transparent",
        "font": FONT,
        "padding": {"left": 12, "right": 16, "top": 6, "bottom": 6},
        "view": {"stroke": None},
        "axis": axis,
        "legend": {"labelColor": INK, "titleColor": SOFT, "titleFontWeight": "normal"},
        "title": {"color": INK, "subtitleColor": SOFT, "anchor": "start", "fontSize": 14},
        "range": {"category": list(SERIES)},
    }


# In a specification rows are linked by number; other programs that draw it lead nowhere.
_PLACE = "https://row.invalid/"


def place_of(number: int) -> str:
    """Return what a row is linked to in a specification; its address comes in when it is drawn."""
    return f"{_PLACE}{number}"


def number_of(place: object) -> int | None:
    """Return the number of the row that a mark stands for.

    >>> number_of(place_of(7)), number_of(None)
    (7, None)
    """
    return int(str(place).removeprefix(_PLACE)) if place else None


def safe_link(address: str) -> str:
    """Return an address that a mark may lead to; nothing for javascript: and the like.

    >>> safe_link("/c/news/conc?q=a"), safe_link("javascript:alert(1)"), safe_link("//evil.example")
    ('/c/news/conc?q=a', '', '')
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    is_own = not parts.scheme and not parts.netloc and address.startswith(("/", "?", "#"))
    return address if is_web or (is_own and "\\" not in address) else ""
