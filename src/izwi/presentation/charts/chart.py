"""A chart: what it shows in words, as a table, as a Vega-Lite specification and as SVG."""

import csv
import io
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from importlib import import_module
from textwrap import wrap
from typing import Any

from izwi.model.errors import missing_extra
from izwi.model.tabular import frame, harmless
from izwi.presentation.charts.drawing import drawn
from izwi.presentation.charts.specification import Drawing, dress

Cell = str | int | float | bool | None
# What no XML document may hold, and what no JSON text can carry.
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")

# Characters of a line of the words below the title.
_LINE = 84
# Round a drawing in a page, where the page keeps the distance.
_PAGE_PADDING = {"left": 2, "right": 10, "top": 6, "bottom": 2}


# Without slots: the drawing is kept once it was made.
@dataclass(frozen=True)
class Chart:
    """A chart and the data behind it; `links` has an address, or nothing, for each row."""

    title: str
    description: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    specification: Mapping[str, Any]
    links: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.rows)

    @cached_property
    def svg(self) -> str:
        """The drawing as a file of its own, light or dark as its reader's screen is."""
        return drawn(self.specification, self.title, self.description, self.links)

    @cached_property
    def inline_svg(self) -> str:
        """The drawing as part of a page, in the colours of the page's style sheet."""
        return drawn(self.specification, self.title, self.description, self.links, is_in_page=True)

    def sized(self, width: int) -> "Chart":
        """Return the chart so wide and without its words, which a page has beside it."""
        kept = {name: value for name, value in self.specification.items() if name != "title"}
        config = {**kept["config"], "padding": _PAGE_PADDING}
        config["axis"] = {**config["axis"], "labelLimit": max(90, width // 5)}
        # As many marks as find room on a telephone, too.
        config["axisXQuantitative"] = {"tickCount": max(3, width // 90)}
        fitted = {"type": "fit-x", "contains": "padding"}
        kept |= {"width": width, "autosize": fitted, "config": config}
        return replace(self, specification=kept)

    def said(self, say: Callable[[str], str]) -> "Chart":
        """Return the chart with its words in another language, as a function says them."""
        specification = _said(self.specification, say)
        return replace(
            self, title=say(self.title), description=say(self.description),
            specification=specification,
        )  # fmt: skip

    def altair(self) -> Any:
        """Return the chart as Altair knows it, to be changed in a notebook."""
        # Altair looks at pandas where it is loaded; what another thread still loads is waited for.
        if "pandas" in sys.modules:
            import_module("pandas")
        # Its types are wider than our use.
        try:
            altair: Any = import_module("altair")
        except ImportError as error:
            raise missing_extra(error) or error from None
        return altair.Chart.from_dict(dict(self.specification))

    def table(self) -> list[dict[str, object]]:
        """Return the data of the chart as rows with named columns."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]

    def csv(self) -> str:
        """Return the data of the chart as CSV."""
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(self.columns)
        writer.writerows([harmless(cell) for cell in row] for row in self.rows)
        return text.getvalue()

    def df(self) -> Any:
        """Return the data of the chart as a pandas data frame."""
        return frame(self.table(), "pandas")

    def _repr_html_(self) -> str:
        """Return the drawing with its table below, as Jupyter shows it."""
        head = "".join(f"<th>{escape(name)}</th>" for name in self.columns)
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_shown(cell))}</td>" for cell in row) + "</tr>"
            for row in self.rows
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
        return f"<figure>{self.svg}<details><summary>Data</summary>{table}</details></figure>"


# What people read in a specification: titles of axes, and the words of marks.
_WORDS = frozenset(("title", "label", "side", "of", "step"))


def _said(node: Any, say: Callable[[str], str], key: str = "") -> Any:
    if isinstance(node, Mapping):
        head = node.get("title")
        if isinstance(head, Mapping) and "subtitle" in head:
            # The words below a title were cut into lines.
            words = say(" ".join(head["subtitle"]))
            told = {**head, "text": say(head["text"]), "subtitle": wrap(words, _LINE)}
            node = {**node, "title": told}
        return {name: _said(value, say, name) for name, value in node.items()}
    if isinstance(node, list | tuple):
        return [_said(each, say, key) for each in node]
    return say(node) if key in _WORDS and isinstance(node, str) else node


def make_chart(
    drawing: Drawing,
    *,
    title: str,
    description: str,
    columns: Sequence[str],
    rows: Iterable[Sequence[Cell]],
    links: Sequence[str] = (),
) -> Chart:
    """Return the chart of a whole drawing, with its title and its common dress."""
    head, words = printable(title), printable(description)
    titled = {"text": head, "subtitle": wrap(words, _LINE)}
    specification = {**drawing, "title": titled, "config": dress()}
    kept = tuple(tuple(_printable_cell(cell) for cell in row) for row in rows)
    return Chart(head, words, tuple(columns), kept, specification, tuple(links))


def printable(text: str) -> str:
    """Return a text without what no drawing can hold.

    >>> printable("a\\x00b")
    'a�b'
    """
    return _UNPRINTABLE.sub("\ufffd", text)


def _printable_cell(cell: Cell) -> Cell:
    return printable(cell) if isinstance(cell, str) else cell


def _shown(cell: Cell) -> str:
    if isinstance(cell, float):
        return f"{cell:,.3f}".rstrip("0").rstrip(".")
    return "" if cell is None else str(cell)
