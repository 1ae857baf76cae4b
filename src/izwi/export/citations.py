"""Quotations as TEI `cit`, as CSL JSON and RIS, and as entries of Lexonomy's dictionaries."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Any
from xml.sax.saxutils import escape

from izwi.model.quotation import Quotation

NAMESPACE = "http://www.tei-c.org/ns/1.0"
_QUOTES = {'"': "&quot;"}
Address = Callable[[Quotation], str]


def tei_citations(quotations: Sequence[Quotation], address: Address) -> str:
    """Return a TEI document with a `cit` for each quotation, its match highlighted."""
    found = "".join(_cit(each, address(each)) for each in quotations) or "<p/>\n"
    corpora = sorted({f"{each.corpus}, version {each.version}" for each in quotations})
    source = "; ".join(corpora) or "no corpus"
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<TEI xmlns="{NAMESPACE}">\n<teiHeader><fileDesc>'
        "<titleStmt><title>Quotations</title></titleStmt><publicationStmt><p>Collected with izwi."
        f"</p></publicationStmt><sourceDesc><p>{escape(source)}</p></sourceDesc></fileDesc>"
        f"</teiHeader>\n<text><body>\n{found}</body></text>\n</TEI>\n"
    )


def _cit(quotation: Quotation, link: str) -> str:
    sense = f' n="{escape(quotation.sense, _QUOTES)}"' if quotation.sense.strip() else ""
    match = f"<hi>{escape(quotation.match)}</hi>" if quotation.match else ""
    words = f"{escape(quotation.left)}{match}{escape(quotation.right)}".strip()
    note = f"<note>{escape(quotation.note)}</note>" if quotation.note else ""
    return f"<cit{sense}><quote>{words}</quote>{_bibl(quotation, link)}{note}</cit>\n"


def _bibl(quotation: Quotation, link: str) -> str:
    date = quotation.date
    parts = (
        _element("author", quotation.author),
        _element("title", quotation.title or quotation.url, ' level="a"'),
        _element("title", quotation.site or quotation.source, ' level="j"'),
        f'<date when="{date}">{date}</date>' if date else "",
        f'<ptr target="{escape(quotation.url, _QUOTES)}"/>' if quotation.url else "",
        _element("idno", quotation.hit, ' type="izwi"'),
        f'<ref target="{escape(link, _QUOTES)}">{escape(quotation.corpus)}, version '
        f"{quotation.version}</ref>",
    )
    return f"<bibl>{''.join(parts)}</bibl>"


def _element(name: str, text: str, attributes: str = "") -> str:
    return f"<{name}{attributes}>{escape(text)}</{name}>" if text else ""


def csl(quotations: Sequence[Quotation], address: Address) -> str:
    """Return the documents of quotations as items that reference managers read."""
    once = {each.document: each for each in quotations}
    return json.dumps([_item(each) for each in once.values()], ensure_ascii=False, indent=1) + "\n"


def _item(quotation: Quotation) -> dict[str, Any]:
    item = {
        "id": quotation.document,
        "type": "webpage",
        "title": quotation.title,
        "container-title": quotation.site or quotation.source,
        "author": [{"literal": quotation.author}] if quotation.author else [],
        "issued": _parts(quotation.date),
        "accessed": _parts(quotation.captured[:10]),
        "URL": quotation.url,
        "archive": f"{quotation.corpus}, version {quotation.version}",
    }
    return {name: value for name, value in item.items() if value}


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
        ("AU", quotation.author),
        ("TI", quotation.title or quotation.url),
        ("T2", quotation.site or quotation.source),
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
    ordered = sorted(quotations, key=lambda each: (each.headword, each.sense, each.date or "9999"))
    entries = "".join(
        f"<entry><headword>{escape(headword)}</headword>{''.join(_senses(list(group), address))}"
        "</entry>\n"
        for headword, group in groupby(ordered, key=lambda each: each.headword)
    )
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<dictionary>\n{entries}</dictionary>\n'


def _senses(quotations: Sequence[Quotation], address: Address) -> Iterator[str]:
    for sense, group in groupby(quotations, key=lambda each: each.sense):
        definition = _element("definition", sense)
        examples = "".join(_example(each, address(each)) for each in group)
        yield f"<sense>{definition}{examples}</sense>"


def _example(quotation: Quotation, link: str) -> str:
    match = f"<h>{escape(quotation.match)}</h>" if quotation.match else ""
    words = f"{escape(quotation.left)}{match}{escape(quotation.right)}".strip()
    source = ", ".join(
        part for part in (quotation.site or quotation.source, quotation.date) if part
    )
    return (
        f"<example><text>{words}</text>{_element('source', source)}"
        f"{_element('url', quotation.url)}{_element('link', link)}</example>"
    )
