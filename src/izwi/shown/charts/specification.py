"""How a chart is written down: marks, what they show of each row, and layers, as Vega-Lite has it.

Plain mappings: the library that writes the same takes longer to load than a page may take.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

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
