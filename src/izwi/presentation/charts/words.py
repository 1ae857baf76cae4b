"""Charts of words: keyness against frequency, networks of company, places of occurrence."""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.presentation.charts.chart import Chart, make_chart, printable
from izwi.presentation.charts.specification import (
    ACCENT,
    BAR,
    INK,
    SERIES,
    SOFT,
    Channel,
    Drawing,
    field,
    layered,
    marks,
    place_of,
    whole,
)

_KEYNESS_WIDTH, _KEYNESS_HEIGHT = 640, 380
MOST_POINTS = 1000
# Names that find room; the other points tell theirs when pointed at.
MOST_NAMES = 40
_RATES = {"type": "log", "nice": False, "padding": 24}


@dataclass(frozen=True, slots=True)
class Key:
    """A word, its frequency and how far it is from the reference."""

    word: str
    per_million: float
    # Below zero for less frequent than there.
    effect: float
    # What opens the lines that it counts.
    opens: Any = None


def keyness_chart(
    keys: Sequence[Key],
    *,
    title: str,
    measure: str = "log ratio",
    link: Callable[[Key], str] = lambda key: "",
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
        whole(layered(layers), width=_KEYNESS_WIDTH, height=_KEYNESS_HEIGHT),
        title=title,
        description=_keyness_words(keys, measure),
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


def _row(number: int, key: Key) -> dict[str, Any]:
    return {
        "word": printable(key.word),
        # What does not occur has no logarithm; it stands at the left edge.
        "rate": max(key.per_million, 0.01),
        "effect": key.effect,
        "side": "more frequent here" if key.effect >= 0 else "less frequent here",
        "label": printable(f"{key.word}: {key.per_million:,.1f} per million, {key.effect:.2f}"),
        "target": place_of(number),
    }


def _keyness_words(keys: Sequence[Key], measure: str) -> str:
    if not keys:
        return "There are no words to compare."
    words = f"{len(keys):,} words: frequency across, {measure} upwards."
    if len(keys) > MOST_POINTS:
        words += f" The first {MOST_POINTS:,} are drawn; the table has them all."
    return words


_NETWORK_WIDTH, _NETWORK_HEIGHT = 640, 480
# More words cannot be read; the table has all pairs.
MOST_WORDS = 60
_ROUNDS = 200
# No axes; the scales keep names off the edge.
_HIDDEN = {"axis": None, "scale": {"zero": False, "padding": 30}}
_PLACES = {"x": field("x:Q", **_HIDDEN), "y": field("y:Q", **_HIDDEN)}


@dataclass(frozen=True, slots=True)
class Edge:
    """Two words and how strongly they go together."""

    node: str
    collocate: str
    score: float


def network_chart(
    pairs: Sequence[Edge],
    *,
    title: str,
    measure: str = "score",
    most: int = MOST_WORDS,
    link: Callable[[str], str] = lambda word: "",
) -> Chart:
    """Return words as points and pairs as lines, the stronger the thicker."""
    ranked = sorted(pairs, key=lambda pair: -pair.score)
    words, kept = _kept(ranked, most)
    places = layout(len(words), [(words[p.node], words[p.collocate], p.score) for p in kept])
    links = [link(word) for word in words]
    lines = _drawn_lines(_lines(kept, words, places), printable(measure))
    spots = [
        {"word": printable(word), "x": float(x), "y": float(y), "target": place_of(n)}
        for n, (word, (x, y)) in enumerate(zip(words, places, strict=True))
    ]
    pointed = {**_PLACES, "href": field("target:N"), "description": field("word:N")}
    named = {**_PLACES, "text": field("word:N")}
    layers = (
        lines,
        marks("circle", pointed, rows=spots, color=BAR, size=70, opacity=1),
        marks("text", named, rows=spots, dy=-10, color=INK, fontSize=12, aria=False),
    )
    return make_chart(
        whole(layered(layers), width=_NETWORK_WIDTH, height=_NETWORK_HEIGHT),
        title=title,
        description=_network_words(ranked, words, measure),
        columns=("node", "collocate", "score"),
        rows=[(pair.node, pair.collocate, pair.score) for pair in ranked],
        links=links,
    )


def _drawn_lines(rows: list[dict[str, float]], measure: str) -> Drawing:
    width = field("score:Q", title=measure, scale={"range": [0.7, 5]}, legend=None)
    ends = {"x2": field("x2"), "y2": field("y2"), "strokeWidth": width}
    return marks("rule", {**_PLACES, **ends}, rows=rows, color=SOFT, opacity=0.45, aria=False)


def layout(size: int, edges: Iterable[tuple[int, int, float]]) -> NDArray[np.float64]:
    """Return a place for each point: pairs attract, all repel each other; always the same.

    After Fruchterman and Reingold (1991), from a circle, cooling down step by step.
    """
    angles = 2 * np.pi * np.arange(size) / max(size, 1)
    # A spiral instead of a circle: from equal distances some points would never come apart.
    places = np.stack((np.cos(angles), np.sin(angles)), axis=1) * (0.5 + angles[:, None] / 13)
    pull = np.zeros((size, size))
    for one, other, _ in edges:
        pull[one, other] = pull[other, one] = 1.0
    ideal = 1 / np.sqrt(max(size, 1))
    for heat in np.linspace(0.1, 0.002, _ROUNDS):
        apart = places[:, None] - places[None]
        distance = np.maximum(np.sqrt((apart**2).sum(axis=2)), 1e-6)
        force = ideal**2 / distance**2 - pull * distance / ideal
        shift = (apart * force[:, :, None]).sum(axis=1)
        length = np.maximum(np.sqrt((shift**2).sum(axis=1, keepdims=True)), 1e-9)
        places += shift / length * np.minimum(length, heat)
    return places


def _kept(ranked: Sequence[Edge], most: int) -> tuple[dict[str, int], list[Edge]]:
    """Return the words that are drawn, with their numbers, and the pairs between them."""
    words: dict[str, int] = {}
    for pair in ranked:
        new = [word for word in dict.fromkeys((pair.node, pair.collocate)) if word not in words]
        if len(words) + len(new) <= most:
            words |= {word: len(words) + place for place, word in enumerate(new)}
    return words, [pair for pair in ranked if pair.node in words and pair.collocate in words]


def _lines(
    pairs: Sequence[Edge], words: dict[str, int], places: NDArray[np.float64]
) -> list[dict[str, float]]:
    ends = [(places[words[pair.node]], places[words[pair.collocate]]) for pair in pairs]
    return [
        {"x": float(a[0]), "y": float(a[1]), "x2": float(b[0]), "y2": float(b[1]),
         "score": pair.score}
        for pair, (a, b) in zip(pairs, ends, strict=True)
    ]  # fmt: skip


def _network_words(pairs: Sequence[Edge], words: dict[str, int], measure: str) -> str:
    if not pairs:
        return "There are no pairs of words."
    strongest = pairs[0]
    told = (
        f"{len(words)} words; lines join words that occur together: the thicker, the higher their "
        f"{measure}."
    )
    told += f" Strongest: “{strongest.node}” and “{strongest.collocate}”."
    all_words = {word for pair in pairs for word in (pair.node, pair.collocate)}
    if len(all_words) > len(words):
        told += f" Further words in the table: {len(all_words) - len(words):,}."
    return printable(told)


_BARCODE_WIDTH, _BARCODE_HEIGHT = 640, 22
# Lines that can still be told apart; of more, every so-manieth is drawn, and the words say so.
MOST_LINES = 2000
MOST_GROUPS = 30


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A hit and how far into its group of documents it lies."""

    group: str
    place: float
    label: str = ""


def barcode_chart(
    places: Sequence[Occurrence],
    *,
    title: str,
    link: Callable[[Occurrence], str] = lambda place: "",
) -> Chart:
    """Return a row of lines for each group of documents."""
    shown = _shown(places)
    links = [link(place) for place in shown]
    rows = [
        {
            "group": printable(each.group),
            "place": each.place,
            "label": printable(each.label),
            "target": place_of(number),
        }
        for number, each in enumerate(shown)
    ]
    across = {"scale": {"domain": [0, 1]}, "axis": {"format": "%"}}
    places_of_hits = {
        "x": field("place:Q", title="share of the text, in order", **across),
        "y": field("group:N", title=None, sort=None),
        "href": field("target:N"),
        "description": field("label:N"),
    }
    look: dict[str, Any] = {
        "thickness": 1,
        "color": ACCENT,
        "opacity": 0.7,
        "bandSize": _BARCODE_HEIGHT - 4,
    }
    drawing = marks("tick", places_of_hits, rows=rows, **look)
    return make_chart(
        whole(drawing, width=_BARCODE_WIDTH, height={"step": _BARCODE_HEIGHT}),
        title=title,
        description=_barcode_words(places, shown),
        columns=("group", "place", "label"),
        rows=[(each.group, each.place, each.label) for each in shown],
        links=links,
    )


def _shown(places: Sequence[Occurrence]) -> Sequence[Occurrence]:
    groups = list(dict.fromkeys(place.group for place in places))
    wanted = set(groups[:MOST_GROUPS])
    kept = [place for place in places if place.group in wanted]
    return kept[:: -(-len(kept) // MOST_LINES)] if len(kept) > MOST_LINES else kept


def _barcode_words(places: Sequence[Occurrence], shown: Sequence[Occurrence]) -> str:
    if not places:
        return "No hits."
    groups = len({place.group for place in places})
    words = f"{len(places):,} hits in {groups:,} {'row' if groups == 1 else 'rows'}."
    if len(shown) < len(places):
        words += f" {len(shown):,} of them are drawn."
    return words
