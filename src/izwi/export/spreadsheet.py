"""Rows as a spreadsheet (.xlsx, Office Open XML), with nothing in it that could be run."""

import io
import re
import zipfile
from collections.abc import Sequence
from xml.sax.saxutils import escape

Cell = str | int | float
# What a sheet may hold at most.
MOST_ROWS, MOST_CHARACTERS = 1_048_576, 32_767
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEETS = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPES = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPES}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPES}.worksheet+xml"/>'
    "</Types>",
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/>'
    "</Relationships>",
    "xl/workbook.xml": f'<workbook xmlns="{_SHEETS}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="izwi" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships">'
    f'<Relationship Id="r1" Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/>'
    "</Relationships>",
}


def spreadsheet(names: Sequence[str], rows: Sequence[Sequence[Cell]]) -> bytes:
    """Return a workbook of one sheet: names in the first row, then the rows."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in _PARTS.items():
            archive.writestr(_entry(path), _HEAD + text)
        archive.writestr(_entry("xl/worksheets/sheet1.xml"), _HEAD + _sheet([names, *rows]))
    return file.getvalue()


def _entry(path: str) -> zipfile.ZipInfo:
    """Return an entry without a time, so that the same rows give the same file."""
    entry = zipfile.ZipInfo(path, (1980, 1, 1, 0, 0, 0))
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _sheet(rows: Sequence[Sequence[Cell]]) -> str:
    lines = (f"<row>{''.join(map(_cell, row))}</row>" for row in rows[:MOST_ROWS])
    return f'<worksheet xmlns="{_SHEETS}"><sheetData>{"".join(lines)}</sheetData></worksheet>'


def _cell(value: Cell) -> str:
    if isinstance(value, (int, float)) and value == value and abs(value) != float("inf"):
        return f"<c><v>{value}</v></c>"
    text = escape(_FORBIDDEN.sub("\ufffd", str(value))[:MOST_CHARACTERS])
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
