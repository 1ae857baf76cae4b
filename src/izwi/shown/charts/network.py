"""A network of collocates: words that go together, near each other."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.shown.charts.chart import Chart, make_chart, printable
from izwi.shown.charts.specification import Drawing, field, layered, marks, whole
from izwi.shown.charts.style import BAR, INK, SOFT, place_of

WIDTH, HEIGHT = 640, 480
# More words cannot be read; the table has all pairs.
MOST_WORDS = 60
_ROUNDS = 200
# No axes; the scales keep names off the edge.
_HIDDEN = {"axis": None, "scale": {"zero": False, "padding": 30}}
_PLACES = {"x": field("x:Q", **_HIDDEN), "y": field("y:Q", **_HIDDEN)}


class Pair(Protocol):
    """What a network draws of two words that go together."""

    @property
    def node(self) -> str:
        """One word."""

    @property
    def collocate(self) -> str:
        """The other."""

    @property
    def score(self) -> float:
        """How strongly they go together."""


@dataclass(frozen=True, slots=True)
class Edge:
    """Two words and how strongly they go together."""

    node: str
    collocate: str
    score: float


def network_chart(
    pairs: Sequence[Pair],
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
        whole(layered(layers), width=WIDTH, height=HEIGHT),
        title=title,
        description=_words(ranked, words, measure),
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


def _kept(ranked: Sequence[Pair], most: int) -> tuple[dict[str, int], list[Pair]]:
    """Return the words that are drawn, with their numbers, and the pairs between them."""
    words: dict[str, int] = {}
    for pair in ranked:
        new = [word for word in dict.fromkeys((pair.node, pair.collocate)) if word not in words]
        if len(words) + len(new) <= most:
            words |= {word: len(words) + place for place, word in enumerate(new)}
    return words, [pair for pair in ranked if pair.node in words and pair.collocate in words]


def _lines(
    pairs: Sequence[Pair], words: dict[str, int], places: NDArray[np.float64]
) -> list[dict[str, float]]:
    ends = [(places[words[pair.node]], places[words[pair.collocate]]) for pair in pairs]
    return [
        {"x": float(a[0]), "y": float(a[1]), "x2": float(b[0]), "y2": float(b[1]),
         "score": pair.score}
        for pair, (a, b) in zip(pairs, ends, strict=True)
    ]  # fmt: skip


def _words(pairs: Sequence[Pair], words: dict[str, int], measure: str) -> str:
    if not pairs:
        return "There are no pairs of words."
    strongest = pairs[0]
    told = (
        f"{len(words)} words; lines are pairs that go together, the thicker the higher their "
        f"{measure}. Strongest: {strongest.node} and {strongest.collocate}."
    )
    all_words = {word for pair in pairs for word in (pair.node, pair.collocate)}
    if len(all_words) > len(words):
        told += f" {len(all_words) - len(words):,} more words are in the table only."
    return printable(told)
