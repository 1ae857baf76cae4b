"""A keyness scatter: how frequent words are, and how much more frequent than elsewhere."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from izwi.analyse.charts.chart import Chart, altair_library, make_chart, printable
from izwi.analyse.charts.links import place_of
from izwi.analyse.charts.palette import INK, SERIES, SOFT

WIDTH, HEIGHT = 640, 380
MOST_POINTS = 1000
# Names that find room; the other points tell theirs when pointed at.
MOST_NAMES = 40


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
    altair = altair_library()

    links = [link(key) for key in keys]
    rows = [_row(number, key) for number, key in enumerate(keys[:MOST_POINTS])]
    places = {
        "x": altair.X("rate:Q", title="per million tokens", scale=_rates(altair)),
        "y": altair.Y("effect:Q", title=printable(measure)),
    }
    points = (
        altair.Chart(altair.Data(values=rows))
        .mark_point(filled=True, size=40)
        .encode(**places, **_sides(altair), href="target:N", description="label:N")
    )
    words = (
        altair.Chart(altair.Data(values=_with_room(rows)))
        .mark_text(dx=6, align="left", fontSize=11, color=INK, aria=False)
        .encode(**places, text="word:N")
    )
    level = altair.Chart(altair.Data(values=[{"effect": 0}])).mark_rule(color=SOFT, aria=False)
    drawing = altair.layer(level.encode(altair.Y("effect:Q")), points, words)
    return make_chart(
        drawing.properties(width=WIDTH, height=HEIGHT),
        title=title,
        description=_words(keys, measure),
        columns=("word", "per_million", "effect"),
        rows=[(key.word, key.per_million, key.effect) for key in keys],
        links=links,
    )


def _rates(altair: Any) -> Any:
    return altair.Scale(type="log", nice=False, padding=24)


def _sides(altair: Any) -> dict[str, Any]:
    """Return how words of either side look: by colour, and by shape for those who see none."""
    domain = ["more frequent here", "less frequent here"]
    colours = altair.Scale(domain=domain, range=list(SERIES[:2]))
    shapes = altair.Scale(domain=domain, range=["circle", "triangle-down"])
    return {
        "color": altair.Color("side:N", title=None, scale=colours),
        "shape": altair.Shape("side:N", title=None, scale=shapes),
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
