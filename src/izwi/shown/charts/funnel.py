"""A funnel: what is left after each step from URL to index, and why the rest went."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from izwi.shown.charts.chart import Chart, make_chart, printable
from izwi.shown.charts.specification import field, layered, marks, whole
from izwi.shown.charts.style import BAR, INK

WIDTH, STEP = 480, 34


class FunnelRow(Protocol):
    """What a funnel draws of each step."""

    @property
    def name(self) -> str:
        """The step."""

    @property
    def documents(self) -> int:
        """What is left after it."""


@dataclass(frozen=True, slots=True)
class Step:
    """A step and what is left after it."""

    name: str
    documents: int


def funnel_chart(steps: Sequence[FunnelRow], *, title: str, losses: Sequence[str] = ()) -> Chart:
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
        marks("text", went, color=INK, dy=9, fontSize=10, aria=False, limit=WIDTH),
    )
    return make_chart(
        whole(layered(layers, rows), width=WIDTH, height={"step": STEP}),
        title=title,
        description=_words(steps),
        columns=("step", "documents", "lost"),
        rows=[(step.name, step.documents, why) for step, why in zip(steps, lost, strict=True)],
    )


def _words(steps: Sequence[FunnelRow]) -> str:
    if not steps or not steps[0].documents:
        return "Nothing has been found yet."
    first, last = steps[0], steps[-1]
    share = last.documents / first.documents
    return f"Of {first.documents:,} {first.name}, {last.documents:,} are {last.name} ({share:.0%})."
