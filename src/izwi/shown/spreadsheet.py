"""Rows as a spreadsheet (.xlsx, Office Open XML), with nothing in it that could be run."""

import io
import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain, islice
from math import isfinite

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
