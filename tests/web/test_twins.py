import csv
import io
import zipfile
from dataclasses import dataclass
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from izwi.web.api.twins import flat, rows_of, table_bytes

PATHS = ("/corpora", "/c/tiny", "/c/tiny/conc")
SHEET = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@dataclass(frozen=True)
class Found:
    word: str
    when: date
    share: float | None = None


@dataclass(frozen=True)
class Table:
    name: str
    found: tuple[Found, ...]


def test_rows_come_from_the_results_items():
    table = Table("a", (Found("x", date(2014, 1, 2)), Found("y", date(2015, 1, 2), 0.5)))

    assert rows_of(table) == rows_of(table.found)
    assert rows_of(table)[1] == {"word": "y", "when": date(2015, 1, 2), "share": 0.5}


def sheet_of(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        tree = etree.fromstring(archive.read("xl/worksheets/sheet1.xml"))
    return [["".join(cell.itertext()) for cell in row] for row in tree.iter(f"{SHEET}row")]


@pytest.mark.parametrize("path", PATHS)
def test_all_twins_have_as_many_rows(client, path):
    params = {"q": "bakkie", "size": 7} if path.endswith("conc") else {}
    json = rows_of_json(client.get(f"{path}.json", params=params).json())

    comma = list(csv.reader(io.StringIO(client.get(f"{path}.csv", params=params).text[1:])))
    tab = client.get(f"{path}.tsv", params=params).text.splitlines()
    sheet = sheet_of(client.get(f"{path}.xlsx", params=params).content)

    assert len(comma) == len(tab) == len(sheet) == len(json) + 1
    assert comma[0] == tab[0].split("\t") == sheet[0]


def rows_of_json(found):
    if isinstance(found, list):
        return found
    return found.get("lines") or found["sources"]


def test_no_cell_of_a_csv_file_is_a_formula():
    rows = [{"text": text} for text in ("=1+1", "@A1", "-2+3", "+4", "-", "a=b")]

    text = table_bytes(rows, "csv").decode("utf-8-sig")

    assert text.split("\r\n")[1:-1] == ["'=1+1", "'@A1", "'-2+3", "'+4", "-", "a=b"]


@given(st.lists(st.text(max_size=20), min_size=1, max_size=5))
def test_any_text_makes_a_sound_table(texts):
    rows = [{"n": place, "text": text} for place, text in enumerate(texts)]

    assert len(table_bytes(rows, "tsv").decode().split("\n")) == len(rows) + 2
    assert len(sheet_of(table_bytes(rows, "xlsx"))) == len(rows) + 1


def test_nested_fields_are_named_by_both():
    assert flat({"a": {"b": 1, "c": [1, 2]}}) == {"a_b": 1, "a_c": "1, 2"}
