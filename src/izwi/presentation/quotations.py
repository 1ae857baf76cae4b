"""Quotations for other programs: tables, TEI, reference managers and dictionary editors."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, NamedTuple
from urllib.parse import quote

from izwi.model.errors import QueryError
from izwi.model.reading import Quotation
from izwi.model.tabular import Cell, harmless, spreadsheet, writable
from izwi.presentation.layouts import filled
from izwi.presentation.lexical import dmlex, ontolex
from izwi.presentation.references import Author, authors_of, bibtex_entry, bibtex_key

Address = Callable[[Quotation], str]


def bibtex(quotations: Sequence[Quotation], address: Address) -> str:
    """Return the documents of quotations as entries, each once, in the order they come."""
    once: dict[str, Quotation] = {}
    for each in quotations:
        once.setdefault(each.document, each)
    return "".join(_entry(each, key) for key, each in _keyed(list(once.values())))


def _keyed(quotations: Sequence[Quotation]) -> Iterator[tuple[str, Quotation]]:
    """Yield documents with their keys; two captures of one address are told apart by a number."""
    used: dict[str, int] = {}
    for each in quotations:
        key = bibtex_key(each.author, each.published_in, each.date, each.document)
        used[key] = used.get(key, 0) + 1
        yield (key if used[key] == 1 else f"{key}-{used[key]}"), each


def _entry(quotation: Quotation, key: str) -> str:
    corpus = f"the corpus {quotation.corpus}, version {quotation.version}"
    entry = bibtex_entry(
        key, author=quotation.author, title=quotation.title, site=quotation.published_in,
        date=quotation.date, url=quotation.url, captured=quotation.captured,
        note=f"Document {quotation.document} of {corpus}", between=",\n  ",
    )  # fmt: skip
    return f"{entry}\n\n"


def tei_citations(quotations: Sequence[Quotation], address: Address) -> str:
    """Return a TEI document with a `cit` for each quotation, its match highlighted."""
    corpora = sorted({f"{each.corpus}, version {each.version}" for each in quotations})
    return filled("tei.xml", quotations=quotations, corpora=corpora, link=address)


def csl(quotations: Sequence[Quotation], address: Address) -> str:
    """Return the documents of quotations as items that reference managers read."""
    once = {each.document: each for each in quotations}
    return json.dumps([_item(each) for each in once.values()], ensure_ascii=False, indent=1) + "\n"


def _item(quotation: Quotation) -> dict[str, Any]:
    item = {
        "id": quotation.document,
        "type": "webpage",
        "title": quotation.title,
        "container-title": quotation.published_in,
        "author": [_named(each) for each in authors_of(quotation.author)],
        "issued": _parts(quotation.date),
        "accessed": _parts(quotation.captured[:10]),
        "URL": quotation.url,
        "archive": f"{quotation.corpus}, version {quotation.version}",
    }
    return {name: value for name, value in item.items() if value}


def _named(author: Author) -> dict[str, str]:
    if not author.given:
        return {"literal": author.family}
    return {"family": author.family, "given": author.given}


def _parts(date: str) -> dict[str, list[list[int]]]:
    numbers = [int(part) for part in date.split("-") if part.isdecimal()]
    return {"date-parts": [numbers]} if numbers else {}


def ris(quotations: Sequence[Quotation], address: Address) -> str:
    """Return the documents of quotations as references in RIS, each once."""
    once = {each.document: each for each in quotations}
    return "".join(map(_reference, once.values()))


def _reference(quotation: Quotation) -> str:
    day = "/".join([*quotation.date.split("-"), "", "", ""][:3]) + "/" if quotation.date else ""
    fields = (
        ("TY", "ELEC"),
        *(("AU", each.inverted) for each in authors_of(quotation.author)),
        ("TI", quotation.title or quotation.url),
        ("T2", quotation.published_in),
        ("PY", quotation.date[:4]),
        ("DA", day),
        ("Y2", quotation.captured[:10].replace("-", "/")),
        ("UR", quotation.url),
        ("DB", f"{quotation.corpus}, version {quotation.version}"),
        ("AN", quotation.document),
        ("N1", quotation.note),
    )
    # A field ends with its line.
    lines = (f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in fields if value.strip())
    return f"{''.join(lines)}ER  - \r\n\r\n"


def lexonomy(quotations: Sequence[Quotation], address: Address) -> str:
    """Return a dictionary with an entry for each headword and its quotations by sense."""
    ordered = sorted(quotations, key=lambda each: each.date or "9999")
    return filled("lexonomy.xml", quotations=ordered, link=address)


COLUMNS = (*(part.name for part in fields(Quotation)), "link")


class QuotationFormat(NamedTuple):
    """What a file of quotations is, and how it is written."""

    media_type: str
    suffix: str
    write: Callable[[Sequence[Quotation], Address], bytes]
    about: str


def quotations_file(
    quotations: Sequence[Quotation], *, format: str = "tsv", address: str = ""
) -> bytes:
    """Return quotations in a format; `address` is that of the site their links lead to."""
    form = QUOTATION_FORMATS.get(format)
    if form is None:
        known = ", ".join(QUOTATION_FORMATS)
        raise QueryError(f"'{format}' is not a format of quotations. Known formats: {known}.")
    clean = [_clean(each) for each in quotations]
    return form.write(clean, lambda each: link_of(each, address))


def link_of(quotation: Quotation, address: str = "") -> str:
    """Return the permanent link of a quotation, in the version of the corpus it was found in.

    >>> from izwi.model.reading import Quotation
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


def _table(dialect: str) -> Callable[[Sequence[Quotation], Address], bytes]:
    def write(quotations: Sequence[Quotation], address: Address) -> bytes:
        text = io.StringIO(newline="")
        writer = csv.writer(text, dialect, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(map(harmless, _row(each, address)) for each in quotations)
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
