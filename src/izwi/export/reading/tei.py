"""TEI P5 as documents: our own exports back as they were, others as far as they are alike.

A paragraph is any block of the text (p, head, item, quote, ab, l, u); where words are marked up as
`w` and `pc`, they are the tokens. The readers' comments of an export are not text and are left out.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from lxml import etree

from izwi.export.reading.incoming import Incoming, files_of, metadata_of, moment, opened
from izwi.export.reading.teiblocks import annotation_of, blocks_of
from izwi.model.errors import SourceError

_TEI = "{http://www.tei-c.org/ns/1.0}"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_SUFFIXES = (".xml", ".xml.gz", ".tei")
# schema.org's names for what rows of metadata have.
_NAMES: Mapping[str, str] = {
    "headline": "title",
    "articleSection": "section",
    "datePublished": "date",
    "dateModified": "modified",
    "license": "licence",
    "image": "image",
    "keywords": "keywords",
}
_NESTED = (
    ("author", "author", "name"),
    ("isPartOf", "site", "name"),
    ("parentItem", "parent", "url"),
)


def read_tei(path: Path) -> Iterator[Incoming]:
    """Yield the documents of a TEI file, a teiCorpus, or of all such files in a folder."""
    for file in files_of(path, _SUFFIXES, "TEI"):
        found = 0
        for element in _texts(file):
            found += 1
            yield _document(element, file)
        if not found and path.is_file():
            raise SourceError(f"{path} holds no element TEI in TEI's namespace.")


def _document(tei: Any, file: Path) -> Incoming:
    try:
        return document_of(tei)
    except RecursionError as error:
        raise SourceError(f"{file} holds elements that lie too deep in each other.") from error


def document_of(tei: Any) -> Incoming:
    """Return the document of a TEI element."""
    row = _metadata(tei)
    blocks = list(blocks_of(tei))
    return Incoming(
        paragraphs=tuple(block.paragraph for block in blocks),
        metadata=metadata_of(row),
        id=_text(tei, ".//{0}publicationStmt/{0}idno[@type='izwi']") or row["xml:id"],
        url=_text(tei, ".//{0}sourceDesc//{0}idno[@type='URI']"),
        source=row["source"],
        captured=moment(_attribute(tei, ".//{0}imprint/{0}date[@type='captured']", "when")),
        given=annotation_of(blocks),
    )


def _texts(path: Path) -> Iterator[Any]:
    """Yield the TEI elements of a file one by one, each forgotten after it was read."""
    try:
        with opened(path) as file:
            for _, element in etree.iterparse(
                file, tag=f"{_TEI}TEI", resolve_entities=False, no_network=True, huge_tree=True
            ):
                yield element
                _forget(element)
    except etree.XMLSyntaxError as error:
        raise SourceError(f"{path} is no XML: {error}.") from error
    except (OSError, EOFError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error


def _forget(element: Any) -> None:
    element.clear()
    around = element.getparent()
    while around is not None and element.getprevious() is not None:
        del around[0]


def _metadata(tei: Any) -> dict[str, Any]:
    language = tei.get(f"{_XML}lang") or ""
    notes = {
        str(note.get("type")).replace("-", "_"): note.text or ""
        for note in tei.findall(f".//{_TEI}biblStruct/{_TEI}note")
    }
    stated = _stated(tei)
    said = _header(tei) if stated is None else stated
    return {
        "xml:id": tei.get(f"{_XML}id") or "",
        "source": notes.get("source", ""),
        "language": "" if language == "und" else language,
        "licence": notes.get("licence", ""),
        "page_type": notes.get("page_type", ""),
        "date_evidence": notes.get("date_evidence", ""),
        **said,
    }


def _stated(tei: Any) -> dict[str, Any] | None:
    """Return what the schema.org description in the header says; None if there is none."""
    try:
        row = json.loads(_text(tei, ".//{0}xenoData[@type='schema.org']"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(row, dict):
        return None
    said = {name: row[key] for key, name in _NAMES.items() if key in row}
    for key, name, inner in _NESTED:
        if isinstance(row.get(key), dict):
            said[name] = row[key].get(inner, "")
    return said


def _header(tei: Any) -> dict[str, Any]:
    terms = tei.findall(f".//{_TEI}profileDesc//{_TEI}term")
    return {
        "title": _text(tei, ".//{0}titleStmt/{0}title"),
        "author": _text(tei, ".//{0}titleStmt/{0}author")
        or _text(tei, ".//{0}sourceDesc//{0}author"),
        "date": _attribute(tei, ".//{0}sourceDesc//{0}date[@when]", "when"),
        "keywords": ["".join(term.itertext()) for term in terms],
    }


def _text(tei: Any, path: str) -> str:
    found = tei.find(path.format(_TEI))
    return "" if found is None else "".join(found.itertext()).strip()


def _attribute(tei: Any, path: str, name: str) -> str:
    found = tei.find(path.format(_TEI))
    return "" if found is None else str(found.get(name) or "")
