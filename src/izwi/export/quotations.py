"""Quotations for other programs: tables, TEI, reference managers and dictionary editors."""

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, NamedTuple
from urllib.parse import quote

from izwi.export.bibtex import bibtex
from izwi.export.characters import writable
from izwi.export.citations import csl, lexonomy, ris, tei_citations
from izwi.export.lexical import dmlex, ontolex
from izwi.export.spreadsheet import Cell, spreadsheet
from izwi.model.errors import QueryError
from izwi.model.quotation import Quotation

# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@")
COLUMNS = (*(part.name for part in fields(Quotation)), "link")
Address = Callable[[Quotation], str]


class QuotationFormat(NamedTuple):
    """What a file of quotations is, and how it is written."""

    media_type: str
    suffix: str
    write: Callable[[Sequence[Quotation], Address], bytes]
    about: str


def quotations_file(name: str, quotations: Sequence[Quotation], *, address: str = "") -> bytes:
    """Return quotations in a format; `address` is that of the site their links lead to."""
    form = QUOTATION_FORMATS.get(name)
    if form is None:
        known = ", ".join(QUOTATION_FORMATS)
        raise QueryError(f"'{name}' is no format of quotations. Known formats: {known}.")
    clean = [_clean(each) for each in quotations]
    return form.write(clean, lambda each: link_of(each, address))


def link_of(quotation: Quotation, address: str = "") -> str:
    """Return the permanent link of a quotation, in the version of the corpus it was found in.

    >>> from izwi.model.quotation import Quotation
    >>> link_of(Quotation("a-1.5.ff", *[""] * 12, corpus="news", version=3), "https://x.example")
    'https://x.example/c/news/hit/a-1.5.ff?v=3'
    """
    hit = quote(quotation.hit, safe="")
    return f"{address.rstrip('/')}/c/{quotation.corpus}/hit/{hit}?v={quotation.version}"


def _clean(quotation: Quotation) -> Quotation:
    """Return a quotation without characters that files cannot hold."""
    row: dict[str, Any] = {
        name: writable(value) if isinstance(value, str) else value
        for name, value in asdict(quotation).items()
    }
    return Quotation(**row)


def _row(quotation: Quotation, address: Address) -> list[Cell]:
    return [*asdict(quotation).values(), address(quotation)]


def _plain(value: Cell) -> Cell:
    """Return a value that no spreadsheet takes for a formula."""
    is_formula = isinstance(value, str) and value.lstrip().startswith(_FORMULA)
    return f"'{value}" if is_formula else value


def _table(dialect: str) -> Callable[[Sequence[Quotation], Address], bytes]:
    def write(quotations: Sequence[Quotation], address: Address) -> bytes:
        text = io.StringIO(newline="")
        writer = csv.writer(text, dialect, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(_plain, _row(each, address)) for each in quotations)
        return text.getvalue().encode("utf-8")

    return write


def _sheet(quotations: Sequence[Quotation], address: Address) -> bytes:
    return spreadsheet(COLUMNS, [_row(each, address) for each in quotations])


def _lines(quotations: Sequence[Quotation], address: Address) -> bytes:
    rows = (asdict(each) | {"link": address(each)} for each in quotations)
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode("utf-8")


def _encoded(
    write: Callable[[Sequence[Quotation], Address], str],
) -> Callable[[Sequence[Quotation], Address], bytes]:
    return lambda quotations, address: write(quotations, address).encode("utf-8")


_XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
QUOTATION_FORMATS: Mapping[str, QuotationFormat] = {
    "tsv": QuotationFormat(
        "text/tab-separated-values", "tsv", _table("excel-tab"), "a table, tabs between"
    ),
    "csv": QuotationFormat("text/csv", "csv", _table("excel"), "a table, commas between"),
    "xlsx": QuotationFormat(_XLSX, "xlsx", _sheet, "a spreadsheet"),
    "tei": QuotationFormat(
        "application/tei+xml", "xml", _encoded(tei_citations), "TEI, a cit for each quotation"
    ),
    "bibtex": QuotationFormat(
        "application/x-bibtex", "bib", _encoded(bibtex), "BibTeX, an entry for each document"
    ),
    "csl": QuotationFormat(
        "application/vnd.citationstyles.csl+json",
        "json",
        _encoded(csl),
        "CSL JSON for Zotero and pandoc, an item for each document",
    ),
    "ris": QuotationFormat(
        "application/x-research-info-systems",
        "ris",
        _encoded(ris),
        "RIS for reference managers, an item for each document",
    ),
    "ontolex": QuotationFormat(
        "text/turtle",
        "ttl",
        _encoded(ontolex),
        "linked data (OntoLex-Lemon with FrAC, Turtle), an entry for each headword",
    ),
    "dmlex": QuotationFormat(
        "application/json", "json", _encoded(dmlex), "DMLex (JSON), an entry for each headword"
    ),
    "lexonomy": QuotationFormat(
        "application/xml", "xml", _encoded(lexonomy), "XML for Lexonomy, an entry for each headword"
    ),
    "jsonl": QuotationFormat("application/jsonl", "jsonl", _lines, "JSON Lines, one a line"),
}
