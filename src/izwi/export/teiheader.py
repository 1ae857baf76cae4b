"""The header of a TEI document: what it is, where it comes from, and what was done to it."""

import json
from importlib.metadata import version
from urllib.parse import quote
from xml.sax.saxutils import escape

from izwi.export.base import Edition
from izwi.export.inline import SAFE
from izwi.export.jsonld import CONTEXT, article
from izwi.export.records import exact_date
from izwi.model.document import Document, Metadata, PublicationDate
from izwi.model.languages import iso639_1

_QUOTES = {'"': "&quot;"}
UNDETERMINED = "und"


def document_header(document: Document, edition: Edition) -> str:
    """Return the teiHeader of one document."""
    metadata, guess = document.metadata, document.language
    title = element("title", metadata.title or document.url)
    author = element("author", metadata.author) if metadata.author else ""
    language = iso639_1(guess.code) if guess else UNDETERMINED
    usage = f'<langUsage><language ident="{attribute(language)}"/></langUsage>'
    return (
        f"<teiHeader><fileDesc><titleStmt>{title}{author}</titleStmt>"
        f"{_extent(document)}{_publication(edition, document.id)}"
        f"<sourceDesc>{_source(document)}</sourceDesc></fileDesc>{_encoding(edition)}"
        f"<profileDesc>{usage}{_topics(metadata)}</profileDesc>{_linked_data(document)}"
        f"{_revision(document, edition)}</teiHeader>\n"
    )


def corpus_header(edition: Edition) -> str:
    """Return the teiHeader of a whole corpus."""
    idents = [iso639_1(code) for code in edition.languages] or [UNDETERMINED]
    languages = "".join(f'<language ident="{attribute(code)}"/>' for code in idents)
    return (
        f"<teiHeader><fileDesc><titleStmt>{element('title', edition.name)}</titleStmt>"
        f"{_publication(edition, f'{edition.corpus}-v{edition.version}')}"
        "<sourceDesc><p>Pages of the World Wide Web, each described in its own header.</p>"
        f"</sourceDesc></fileDesc>{_encoding(edition)}"
        f"<profileDesc><langUsage>{languages}</langUsage></profileDesc></teiHeader>\n"
    )


def element(name: str, text: str) -> str:
    """Return an element that holds a text."""
    return f"<{name}>{escape(text)}</{name}>"


def attribute(value: str) -> str:
    """Return a value as it stands between double quotes."""
    return escape(value, _QUOTES)


def _topics(metadata: Metadata) -> str:
    """Return the section of the site and the keywords of the page."""
    section = f'<term type="section">{escape(metadata.section)}</term>' if metadata.section else ""
    terms = section + "".join(element("term", word) for word in metadata.keywords)
    return f"<textClass><keywords>{terms}</keywords></textClass>" if terms else ""


def _extent(document: Document) -> str:
    words = len(document.annotation.words) if document.annotation else len(document.text.split())
    unit = "tokens" if document.annotation else "words"
    return f'<extent><measure unit="{unit}" quantity="{words}">{words} {unit}</measure></extent>'


def _publication(edition: Edition, identifier: str) -> str:
    rights = element("licence", edition.licence) if edition.licence else _UNKNOWN_RIGHTS
    status = "restricted" if edition.licence else "unknown"
    made = f'<date when="{attribute(edition.made)}"/>' if edition.made else ""
    return (
        f"<publicationStmt>{element('publisher', edition.contact or edition.name)}"
        f'<idno type="izwi">{escape(identifier)}</idno>'
        f'<availability status="{status}">{rights}</availability>{made}</publicationStmt>'
    )


_UNKNOWN_RIGHTS = "<p>The rights in the text belong to its authors and publishers.</p>"


def _source(document: Document) -> str:
    metadata = document.metadata
    author = element("author", metadata.author) if metadata.author else ""
    title = f'<title level="a">{escape(metadata.title or document.url)}</title>'
    site = f'<title level="j">{escape(metadata.site or document.source)}</title>'
    captured = document.captured.isoformat(timespec="seconds")
    modified = exact_date(metadata.modified)
    changed = f'<date type="modified" when="{modified}"/>' if modified else ""
    return (
        f'<biblStruct><analytic>{author}{title}<idno type="URI">{escape(document.url)}</idno>'
        f"</analytic><monogr>{site}<imprint>{publication_date(metadata.date)}"
        f'{changed}<date type="captured" when="{captured}"/></imprint></monogr>'
        f"{_parent(metadata)}{_notes(document)}</biblStruct>"
    )


def _parent(metadata: Metadata) -> str:
    """Return the page that a comment belongs to."""
    target = quote(metadata.parent, safe=SAFE)
    return f'<relatedItem type="parent" target="{attribute(target)}"/>' if target else ""


def _notes(document: Document) -> str:
    """Return what bibliographies have no element for."""
    metadata = document.metadata
    said = {
        "source": document.source,
        "date-evidence": metadata.date.evidence if metadata.date else "",
        "licence": metadata.licence,
        "page-type": metadata.page_type,
    }
    notes = (f'<note type="{kind}">{escape(text)}</note>' for kind, text in said.items() if text)
    return "".join(notes)


def publication_date(when: PublicationDate | None) -> str:
    """Return a date with how sure one may be of it: stated by the page, guessed, or unknown."""
    if when is None:
        return '<date type="published" cert="unknown"/>'
    cert = "high" if when.evidence and when.precision == "day" else "medium"
    return f'<date type="published" when="{exact_date(when)}" cert="{cert}"/>'


def _encoding(edition: Edition) -> str:
    described = f"Settings {edition.settings} of corpus {edition.corpus}, version {edition.version}"
    return (
        f'<encodingDesc><appInfo><application ident="izwi" version="{version("izwi")}">'
        f"<label>izwi</label>{element('desc', described)}</application></appInfo></encodingDesc>"
    )


def _linked_data(document: Document) -> str:
    row = {"@context": CONTEXT, **article(document)}
    return f'<xenoData type="schema.org">{escape(json.dumps(row, ensure_ascii=False))}</xenoData>'


def _revision(document: Document, edition: Edition) -> str:
    captured = f'<change when="{document.captured:%Y-%m-%d}">Captured from the web.</change>'
    made = (
        f'<change when="{attribute(edition.made)}">Exported as TEI.</change>'
        if edition.made
        else ""
    )
    return f"<revisionDesc>{made}{captured}</revisionDesc>"
