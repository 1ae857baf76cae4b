"""A dispersion barcode: where in the corpus the hits are, one line for each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from izwi.shown.charts.chart import Chart, make_chart, printable
from izwi.shown.charts.specification import field, marks, whole
from izwi.shown.charts.style import ACCENT, place_of

WIDTH, HEIGHT = 640, 22
# Lines that can still be told apart; of more, every so-manieth is drawn, and the words say so.
MOST_LINES = 2000
MOST_GROUPS = 30


class Place(Protocol):
    """What a barcode draws of each hit."""

    @property
    def group(self) -> str:
        """Its row: a source, a year; the same for all if there is one row."""

    @property
    def place(self) -> float:
        """How far into the group it lies, from 0 to 1."""

    @property
    def label(self) -> str:
        """What it is."""


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A hit and how far into its group of documents it lies."""

    group: str
    place: float
    label: str = ""


O = TypeVar("O", bound=Place)  # noqa: E741


def barcode_chart(
    places: Sequence[O], *, title: str, link: Callable[[O], str] = lambda place: ""
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
    look: dict[str, Any] = {"thickness": 1, "color": ACCENT, "opacity": 0.7, "bandSize": HEIGHT - 4}
    drawing = marks("tick", places_of_hits, rows=rows, **look)
    return make_chart(
        whole(drawing, width=WIDTH, height={"step": HEIGHT}),
        title=title,
        description=_words(places, shown),
        columns=("group", "place", "label"),
        rows=[(each.group, each.place, each.label) for each in shown],
        links=links,
    )


def _shown(places: Sequence[O]) -> Sequence[O]:
    groups = list(dict.fromkeys(place.group for place in places))
    wanted = set(groups[:MOST_GROUPS])
    kept = [place for place in places if place.group in wanted]
    return kept[:: -(-len(kept) // MOST_LINES)] if len(kept) > MOST_LINES else kept


def _words(places: Sequence[Place], shown: Sequence[Place]) -> str:
    if not places:
        return "There are no hits."
    groups = len({place.group for place in places})
    words = f"{len(places):,} hits in {groups:,} {'row' if groups == 1 else 'rows'}."
    if len(shown) < len(places):
        words += f" {len(shown):,} of them are drawn."
    return words
