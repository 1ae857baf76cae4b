"""Results with lines: sequences in Python, tables in notebooks, data frames, sheets, charts."""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from datetime import datetime
from html import escape
from importlib import import_module
from itertools import chain, islice
from math import isfinite
from typing import Any, Generic, TypeVar, overload

from izwi.model.errors import MissingExtra


class Charted:
    """A result with a chart."""

    __slots__ = ()

    def chart(self, address: str = "") -> Any:
        """Return the chart; with a corpus's address (`/c/news`) its marks lead to their lines.

        It has `.svg`, `.table()`, `.csv()`, `.df()` and `.altair()`, and a notebook shows it.
        """
        # By name: drawing is far above what results are, and loads a good deal.
        return import_module("izwi.presentation.answer_charts").chart_of(self, address)


Line = TypeVar("Line", covariant=True)

# What a notebook shows of a long result.
_MOST_SHOWN = 50
_LONGEST_CELL = 300


class Tabular(Charted, Generic[Line]):
    """A result whose lines can be counted, indexed, sliced and had as the rows of a table."""

    __slots__ = ()
    lines: Sequence[Any]

    def __iter__(self) -> Iterator[Line]:
        return iter(self.lines)

    def __len__(self) -> int:
        return len(self.lines)

    @overload
    def __getitem__(self, place: int) -> Line: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[Line]: ...
    def __getitem__(self, place: int | slice) -> Line | Sequence[Line]:
        found: Line | Sequence[Line] = self.lines[place]
        return found

    def rows(self) -> list[dict[str, object]]:
        """Return the lines as flat rows; what opens a line is its query and its condition."""
        return [flat(line) for line in self.lines]

    def df(self) -> Any:
        """Return the lines as a pandas data frame."""
        return frame(self.rows(), "pandas")

    def pl(self) -> Any:
        """Return the lines as a polars data frame."""
        return frame(self.rows(), "polars")

    def arrow(self) -> Any:
        """Return the lines as an Arrow table."""
        # By name: what results are must not need it.
        return import_module("pyarrow").Table.from_pylist(self.rows())

    def __repr__(self) -> str:
        asked = getattr(self, "query", "") or getattr(self, "word", "")
        of = f" of {asked!r}" if asked else ""
        number = len(self.lines)
        return f"<{type(self).__name__}{of}: {number:,} line{'s' if number != 1 else ''}>"

    def _repr_html_(self) -> str:
        """Return the lines as a table, as Jupyter shows it."""
        rows = self.rows()
        head = "".join(f"<th>{escape(name)}</th>" for name in (rows[0] if rows else {}))
        body = "".join(
            f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row.values())}</tr>"
            for row in rows[:_MOST_SHOWN]
        )
        more = len(rows) - _MOST_SHOWN
        rest = f"<p>and {more:,} more</p>" if more > 0 else ""
        return f"<table><caption>{escape(repr(self))}</caption><tr>{head}</tr>{body}</table>{rest}"


def _cell(value: object) -> str:
    """Return a value for a table; addresses of pages lead there, and nothing else does."""
    if value is None:
        return ""
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return page_link(text, text[:_LONGEST_CELL])


def page_link(url: str, text: str) -> str:
    """Return a text as HTML that leads to a page; a plain text if the address is no page's."""
    if url.startswith(("http://", "https://")):
        return f'<a href="{escape(url)}" rel="noopener noreferrer">{escape(text)}</a>'
    return escape(text)


def frame(rows: list[dict[str, object]], library: str) -> Any:
    """Return rows as a data frame of a library that may not be installed."""
    try:
        return import_module(library).DataFrame(rows)
    except ImportError:
        raise MissingExtra(
            f"Data frames of {library} need it installed. Try: pip install 'izwi[{library}]'"
        ) from None


def flat(line: Any) -> dict[str, object]:
    """Return one line as a row: values side by side, the opening as what one would type."""
    row: dict[str, object] = {}
    for name, value in asdict(line).items():
        if name == "opens":
            row |= {"query": value["query"], "where": value["where"]}
        elif name == "values":
            row |= {f"value{number}": each for number, each in enumerate(value, 1)}
        else:
            row[name] = value
    return row


# What a spreadsheet program takes for the beginning of a formula; a lone dash is none.
_FORMULA = re.compile(r"\s*[=+\-@]\s*\S|[\t\r].", re.DOTALL)


def harmless(cell: Any) -> Any:
    """Return a cell of a table that no spreadsheet takes for a formula.

    >>> harmless("=HYPERLINK(1)"), harmless("-dash"), harmless(-1), harmless("-")
    ("'=HYPERLINK(1)", "'-dash", -1, '-')
    """
    return f"'{cell}" if isinstance(cell, str) and _FORMULA.match(cell) else cell


REPLACEMENT = "\ufffd"
# What XML 1.0 forbids, DEL, and halves of surrogate pairs, which UTF-8 cannot write.
FORBIDDEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff\ufffe\uffff]")
# Readers of lines break at these, and tokens never hold them; inside a paragraph they are spaces.
BREAKS = re.compile(r"[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029]")
UNWRITABLE = re.compile(f"{FORBIDDEN.pattern}|{BREAKS.pattern}")


def writable(text: str) -> str:
    r"""Return a text of one line that every format can hold, as long as it was.

    >>> writable("a\x00b\nc")
    'a�b c'
    """
    if not UNWRITABLE.search(text):
        return text
    return FORBIDDEN.sub(REPLACEMENT, BREAKS.sub(" ", text))


Cell = str | int | float
# What a sheet may hold at most.
MOST_ROWS, MOST_CHARACTERS = 1_048_576, 32_767
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
# No time of making, so that the same rows give the same file.
_MADE = datetime(1980, 1, 1)


def spreadsheet(names: Sequence[str], rows: Iterable[Sequence[Cell]]) -> bytes:
    """Return a workbook of one sheet: names in the first row, then the rows, one at a time."""
    from xlsxwriter import Workbook

    file = io.BytesIO()
    # Rows go to a file as they come; what looks like a formula or an address stays text.
    with Workbook(file, {"constant_memory": True}) as book:
        book.set_properties({"created": _MADE})
        sheet = book.add_worksheet("izwi")
        for number, row in enumerate(islice(chain([names], rows), MOST_ROWS)):
            for place, value in enumerate(row):
                if isinstance(value, int | float) and isfinite(value):
                    sheet.write_number(number, place, value)
                else:
                    text = _FORBIDDEN.sub("\ufffd", str(value))[:MOST_CHARACTERS]
                    sheet.write_string(number, place, text)
    return file.getvalue()
