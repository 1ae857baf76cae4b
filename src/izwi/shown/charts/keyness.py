"""A keyness scatter: how frequent words are, and how much more frequent than elsewhere."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from izwi.shown.charts.chart import Chart, make_chart, printable
from izwi.shown.charts.specification import Channel, field, layered, marks, whole
from izwi.shown.charts.style import INK, SERIES, SOFT, place_of

WIDTH, HEIGHT = 640, 380
MOST_POINTS = 1000
# Names that find room; the other points tell theirs when pointed at.
MOST_NAMES = 40
_RATES = {"type": "log", "nice": False, "padding": 24}


class KeyWord(Protocol):
    """What a keyness scatter draws of each word."""

    @property
    def word(self) -> str:
        """The word."""

    @property
    def per_million(self) -> float:
        """How frequent it is here."""

    @property
    def effect(self) -> float:
        """How much more frequent than elsewhere; below zero for less."""


@dataclass(frozen=True, slots=True)
class Key:
    """A word, its frequency and how far it is from the reference."""

    word: str
    per_million: float
    effect: float


K = TypeVar("K", bound=KeyWord)


def keyness_chart(
    keys: Sequence[K],
    *,
    title: str,
    measure: str = "log ratio",
    link: Callable[[K], str] = lambda key: "",
) -> Chart:
    """Return a point for each word: its frequency across, its effect upwards."""
    links = [link(key) for key in keys]
    rows = [_row(number, key) for number, key in enumerate(keys[:MOST_POINTS])]
    places = {
        "x": field("rate:Q", title="per million tokens", scale=_RATES),
        "y": field("effect:Q", title=printable(measure)),
    }
    told = {**places, **_sides(), "href": field("target:N"), "description": field("label:N")}
    named = {**places, "text": field("word:N")}
    beside: dict[str, Any] = {"dx": 6, "align": "left", "fontSize": 11, "color": INK, "aria": False}
    layers = (
        marks("rule", {"y": field("effect:Q")}, rows=[{"effect": 0}], color=SOFT, aria=False),
        marks("point", told, rows=rows, filled=True, size=40),
        marks("text", named, rows=_with_room(rows), **beside),
    )
    return make_chart(
        whole(layered(layers), width=WIDTH, height=HEIGHT),
        title=title,
        description=_words(keys, measure),
        columns=("word", "per_million", "effect"),
        rows=[(key.word, key.per_million, key.effect) for key in keys],
        links=links,
    )


def _sides() -> dict[str, Channel]:
    """Return how words of either side look: by colour, and by shape for those who see none."""
    domain = ["more frequent here", "less frequent here"]
    colours = {"domain": domain, "range": list(SERIES[:2])}
    shapes = {"domain": domain, "range": ["circle", "triangle-down"]}
    return {
        "color": field("side:N", title=None, scale=colours),
        "shape": field("side:N", title=None, scale=shapes),
    }


def _with_room(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows whose names do not lie upon each other, the first come first."""
    if not rows:
        return []
    low, high = min(row["effect"] for row in rows), max(row["effect"] for row in rows)
    tall = (high - low or 1.0) / 26
    taken: dict[tuple[int, int], dict[str, Any]] = {}
    for row in rows:
        taken.setdefault((round(math.log10(row["rate"]) * 4), round(row["effect"] / tall)), row)
    return list(taken.values())[:MOST_NAMES]


def _row(number: int, key: KeyWord) -> dict[str, Any]:
    return {
        "word": printable(key.word),
        # What does not occur has no logarithm; it stands at the left edge.
        "rate": max(key.per_million, 0.01),
        "effect": key.effect,
        "side": "more frequent here" if key.effect >= 0 else "less frequent here",
        "label": printable(f"{key.word}: {key.per_million:,.1f} per million, {key.effect:.2f}"),
        "target": place_of(number),
    }


def _words(keys: Sequence[KeyWord], measure: str) -> str:
    if not keys:
        return "There are no words to compare."
    words = f"{len(keys):,} words: frequency across, {measure} upwards."
    if len(keys) > MOST_POINTS:
        words += f" The first {MOST_POINTS:,} are drawn; the table has all."
    return words
