"""TEI P5 as documents: our own exports back as they were, others as far as they are alike.

A paragraph is any block of the text (p, head, item, quote, ab, l, u); where words are marked up as
`w` and `pc`, they are the tokens. The readers' comments of an export are not text and are left out.
Files that a file includes (XInclude) are read in its place, if they lie below its folder.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from lxml import etree

from izwi.export.reading.incoming import Incoming, files_of, metadata_of, moment, opened
from izwi.export.reading.teiblocks import annotation_of, blocks_of
from izwi.model.errors import SourceError

_TEI = "{http://www.tei-c.org/ns/1.0}"
_XML = "{http://www.w3.org/XML/1998/namespace}"
_INCLUDE = "{http://www.w3.org/2001/XInclude}include"
_SUFFIXES = (".xml", ".xml.gz", ".tei")
# What includes parts of a header or a text, and no texts.
_INSIDE = (f"{_TEI}teiHeader", f"{_TEI}TEI")
# How deep files may include others: a corpus of corpora of years of days.
_DEEPEST = 8
_YEAR = re.compile(r"\b(1[0-9]{3}|20[0-9]{2})\b")
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
    """Yield the documents of a TEI file with all it includes, or of all such files in a folder."""
    reading = _Files(path.resolve() if path.is_dir() else path.resolve().parent)
    for file in files_of(path, _SUFFIXES, "TEI"):
        found = 0
        for element in reading.texts(file.resolve()):
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


@dataclass
class _Files:
    """The files of a collection: each is read once, and none outside its folder."""

    folder: Path
    seen: set[Path] = field(default_factory=set)

    def texts(self, path: Path, depth: int = 0) -> Iterator[Any]:
        """Yield the TEI elements of a file one by one, each forgotten after it was read."""
        if path in self.seen:
            return
        self.seen.add(path)
        try:
            with opened(path) as file:
                for _, element in etree.iterparse(
                    file, tag=(f"{_TEI}TEI", _INCLUDE), resolve_entities=False, no_network=True,
                    huge_tree=True,
                ):  # fmt: skip
                    if element.tag != _INCLUDE:
                        yield element
                        _forget(element)
                    elif next(element.iterancestors(*_INSIDE), None) is None:
                        yield from self.texts(self._included(element, path), self._deeper(depth))
        except etree.XMLSyntaxError as error:
            raise SourceError(f"{path} is no XML: {error}.") from error
        except (OSError, EOFError) as error:
            raise SourceError(f"{path} cannot be read: {error}.") from error

    def _deeper(self, depth: int) -> int:
        if depth >= _DEEPEST:
            raise SourceError(f"Files that include others lie more than {_DEEPEST} deep.")
        return depth + 1

    def _included(self, element: Any, path: Path) -> Path:
        """Return the file that is included; it lies in the folder of the collection or below."""
        named = str(element.get("href") or "")
        is_plain = element.get("parse", "xml") == "xml" and not element.get("xpointer")
        if not is_plain or not named or urlsplit(named).scheme or urlsplit(named).netloc:
            raise SourceError(f"{path} includes '{named}'; only whole files of XML are read.")
        found = (path.parent / unquote(urlsplit(named).path)).resolve()
        if not found.is_relative_to(self.folder):
            raise SourceError(f"{path} includes '{named}', which lies outside {self.folder}.")
        if not found.is_file():
            raise SourceError(f"{path} includes '{named}', which is not there.")
        return found


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
    """Return what the header says; TXM says some of it on the text itself."""
    terms = tei.findall(f".//{_TEI}profileDesc//{_TEI}term")
    text = tei.find(f"{_TEI}text")
    own = {} if text is None else {name.lower(): value for name, value in text.attrib.items()}
    return {
        "title": _title(tei) or own.get("title") or own.get("titre", ""),
        "author": _author(tei) or own.get("author") or own.get("auteur", ""),
        "date": _date(tei) or own.get("date", ""),
        "keywords": [_spaced(term) for term in terms],
        "licence": _attribute(tei, ".//{0}availability/{0}licence", "target"),
        "section": own.get("genre") or own.get("type", ""),
    }


def _title(tei: Any) -> str:
    """Return the main title with the first subtitle, where titles are told apart."""
    titles = tei.findall(f".//{_TEI}fileDesc/{_TEI}titleStmt/{_TEI}title")
    main = next((each for each in titles if each.get("type") == "main"), None)
    return _spaced(main if main is not None else titles[0]) if titles else ""


def _author(tei: Any) -> str:
    """Return the author as people say the name, whatever its parts are called."""
    for path in (".//{0}titleStmt/{0}author", ".//{0}sourceDesc//{0}author"):
        found = tei.find(path.format(_TEI))
        if found is None:
            continue
        names = [
            _spaced(part)
            for name in ("forename", "nameLink", "surname")
            for part in found.iter(f"{_TEI}{name}")
        ]
        return " ".join(names) or _spaced(found)
    return ""


def _date(tei: Any) -> str:
    """Return when the text was published or spoken: as a date, else as the year in its words."""
    for place in ("sourceDesc", "settingDesc", "creation"):
        for name in ("when", "from", "notBefore"):
            if said := _attribute(tei, f".//{{0}}{place}//{{0}}date[@{name}]", name):
                return said
    printed = tei.find(f".//{_TEI}sourceDesc//{_TEI}date")
    year = _YEAR.search(_spaced(printed)) if printed is not None else None
    return year[1] if year else ""


def _spaced(element: Any) -> str:
    return " ".join("".join(element.itertext()).split())


def _text(tei: Any, path: str) -> str:
    found = tei.find(path.format(_TEI))
    return "" if found is None else "".join(found.itertext()).strip()


def _attribute(tei: Any, path: str, name: str) -> str:
    found = tei.find(path.format(_TEI))
    return "" if found is None else str(found.get(name) or "")
