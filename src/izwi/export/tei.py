"""TEI P5: one file for each document, or one teiCorpus; the schema of the subset comes along."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.metadata import version
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import ClassVar
from urllib.parse import quote
from xml.sax.saxutils import escape

from izwi.export.base import Edition, Passage, attribute_values, glue, is_comment, passages
from izwi.export.release import OneFile, Parted, Workplace
from izwi.export.rows import COMMENT, CONTEXT, article, exact_date
from izwi.model.document import Annotation, Document, Mark, Metadata, PublicationDate
from izwi.model.languages import iso639_1

EMPHASIS, LINK = "em", "a"
# Characters that a pointer may hold as they are.
SAFE = "%/:?#[]@!$&'()*+,;=-._~"


def marked_up(text: str, marks: Sequence[Mark]) -> str:
    """Return a text with its marks as elements; a mark that crosses another ends with it.

    >>> marked_up("a b & c", [Mark(0, 3, "b"), Mark(2, 3, "em")])
    '<hi rend="b">a <emph>b</emph></hi> &amp; c'
    """
    if not marks:
        return escape(text)
    return "".join(_pieces(text, list(nested(marks, len(text)))))


def nested(marks: Sequence[Mark], size: int) -> Iterator[tuple[int, int, Mark]]:
    """Yield where marks begin and end, outer ones first, cut so that none crosses another."""
    around: list[int] = []
    for mark in sorted(marks, key=lambda each: (each.start, -each.end)):
        while around and around[-1] <= mark.start:
            around.pop()
        end = min(mark.end, around[-1] if around else size)
        if 0 <= mark.start < end:
            around.append(end)
            yield mark.start, end, mark


def _pieces(text: str, spans: list[tuple[int, int, Mark]]) -> Iterator[str]:
    place = 0
    opened: list[tuple[int, str]] = []
    for start, end, mark in spans:
        while opened and opened[-1][0] <= start:
            stop, name = opened.pop()
            yield f"{escape(text[place:stop])}</{name}>"
            place = stop
        name, attributes = _element(mark)
        yield f"{escape(text[place:start])}<{name}{attributes}>"
        place = start
        opened.append((end, name))
    while opened:
        stop, name = opened.pop()
        yield f"{escape(text[place:stop])}</{name}>"
        place = stop
    yield escape(text[place:])


def _element(mark: Mark) -> tuple[str, str]:
    if mark.name == LINK:
        target = quote(mark.target.strip(), safe=SAFE)
        return "ref", f' target="{escape(target, _QUOTES)}"' if target else ""
    if mark.name == EMPHASIS:
        return "emph", ""
    return "hi", f' rend="{escape(mark.name, _QUOTES)}"'


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


NAMESPACE = "http://www.tei-c.org/ns/1.0"
SCHEMA = "izwi-tei.rng"
_TEXTS = "texts"
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_MODEL = '<?xml-model href="{href}" schematypens="http://relaxng.org/ns/structure/1.0"?>\n'
_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'


class TeiDocuments(Parted):
    """Writes texts/ID.xml for each document."""

    about: ClassVar[str] = "TEI P5, a file for each document"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def begin(self, place: Workplace) -> None:
        """Make the folder of the texts, and the schema."""
        (place.whole / _TEXTS).mkdir()
        (place.whole / SCHEMA).write_bytes(_schema())

    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Write a file for each document."""
        return [self._write_text(each, place.whole / _TEXTS) for each in documents]

    def finish(self, place: Workplace) -> None:
        """Do nothing: each file is whole."""

    def _write_text(self, document: Document, folder: Path) -> Path:
        path = folder / f"{xml_id(document)}.xml"
        head = _DECLARATION + _MODEL.format(href=f"../{SCHEMA}")
        path.write_bytes((head + tei(document, self._edition)).encode())
        return path


class TeiCorpus(OneFile):
    """Writes NAME.xml, a teiCorpus."""

    about: ClassVar[str] = "TEI P5, one teiCorpus"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.xml"

    def opening(self) -> bytes:
        """Return the header of the corpus."""
        head = _DECLARATION + _MODEL.format(href=SCHEMA)
        return f'{head}<teiCorpus xmlns="{NAMESPACE}">\n{corpus_header(self._edition)}'.encode()

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield one document after another."""
        for document in documents:
            yield tei(document, self._edition).encode()

    def closing(self) -> bytes:
        """Return the end of the corpus."""
        return b"</teiCorpus>\n"

    def companions(self) -> dict[str, bytes]:
        """Return the schema."""
        return {SCHEMA: _schema()}


def tei(document: Document, edition: Edition) -> str:
    """Return a document as a TEI element."""
    guess = document.language
    language = attribute(iso639_1(guess.code) if guess else UNDETERMINED)
    words = _Words(document) if edition.has_tokens and document.annotation else None
    if document.metadata.page_type == COMMENT:
        body = _comment(document, words)
    else:
        body = "".join(_divisions(document, words)) or "<div><p/></div>\n"
    if edition.has_comments:
        body += _comments(document)
    return (
        f'<TEI xmlns="{NAMESPACE}" xml:id="{xml_id(document)}" xml:lang="{language}">\n'
        f"{document_header(document, edition)}<text><body>\n{body}</body></text>\n</TEI>\n"
    )


def xml_id(document: Document) -> str:
    """Return the identifier of a document, with a letter first as XML wants it."""
    return "d" + _NOT_IN_A_NAME.sub("_", document.id)


def _schema() -> bytes:
    return files("izwi.export").joinpath("schemas", SCHEMA).read_bytes()


def _comments(document: Document) -> str:
    """Return what readers wrote, as posts of computer-mediated communication."""
    texts = (each.text for each in document.paragraphs if is_comment(each) and each.text.strip())
    posts = "".join(f"<post {_POST}><p>{escape(text)}</p></post>\n" for text in texts)
    return f'<div type="comments">\n{posts}</div>\n' if posts else ""


_POST = 'type="comment" modality="written" generatedBy="human"'


def _comment(document: Document, words: "_Words | None") -> str:
    """Return a document that is a reader's comment as one post."""
    when = exact_date(document.metadata.date)
    dated = f' when="{when}"' if when else ""
    parts = [replace(each, kind="p") if each.kind == "h" else each for each in passages(document)]
    blocks = "".join(_blocks(parts, words)) or "<p/>\n"
    return f'<div type="comment">\n<post {_POST}{dated}>\n{blocks}</post>\n</div>\n'


def _divisions(document: Document, words: "_Words | None") -> Iterator[str]:
    """Yield a division for each heading and what follows it."""
    division: list[Passage] = []
    for passage in passages(document):
        if passage.kind == "h" and any(each.kind != "h" for each in division):
            yield _division(division, words)
            division = []
        division.append(passage)
    if division:
        yield _division(division, words)


def _division(parts: list[Passage], words: "_Words | None") -> str:
    heads = [each for each in parts if each.kind == "h"]
    rest = [each for each in parts if each.kind != "h"]
    blocks = "".join(_blocks(rest, words)) or "<p/>\n"
    return f"<div>\n{''.join(_block('head', each, words) for each in heads)}{blocks}</div>\n"


def _blocks(parts: Iterable[Passage], words: "_Words | None") -> Iterator[str]:
    """Yield paragraphs, and items in a row as one list."""
    for kind, group in groupby(parts, key=lambda each: each.kind):
        if kind == "li":
            items = "".join(_block("item", each, words) for each in group)
            yield f"<list>\n{items}</list>\n"
            continue
        yield from (_block(ELEMENTS.get(kind, "p"), each, words) for each in group)


# What a kind of paragraph is in TEI; others are a `p` whose kind is in `rend`.
ELEMENTS = {"p": "p", "h": "head", "li": "item", "blockquote": "quote"}


def _block(name: str, passage: Passage, words: "_Words | None") -> str:
    if words and passage.sentences:
        content = words.sentences(passage)
    else:
        content = marked_up(passage.text, passage.marks)
    rend = "" if passage.kind in ELEMENTS else f' rend="{attribute(passage.kind)}"'
    return f"<{name}{rend}>{content}</{name}>\n"


class _Words:
    """The tokens of a document as `w` and `pc` elements."""

    def __init__(self, document: Document) -> None:
        assert document.annotation is not None
        self._found: Annotation = document.annotation
        self._lemmas = attribute_values(document, "lemma")
        self._tags = attribute_values(document, "pos")

    def sentences(self, passage: Passage) -> str:
        """Return the sentences of a paragraph."""
        last = passage.sentences[-1]
        found = (self._sentence(tokens, is_last=tokens is last) for tokens in passage.sentences)
        return "".join(found).rstrip(" ")

    def _sentence(self, tokens: range, *, is_last: bool) -> str:
        """Return a sentence and, unless the next one follows at once, the space after it."""
        end = tokens.stop
        is_joined = not is_last and self._found.starts[end] == self._found.ends[end - 1]
        after = [*glue(self._found, tokens)[1:], is_joined]
        parts = (self._word(place, g) for place, g in zip(tokens, after, strict=True))
        words = "".join(
            part if is_glued else f"{part} " for part, is_glued in zip(parts, after, strict=True)
        ).rstrip(" ")
        return f"<s>{words}</s>" if is_joined else f"<s>{words}</s> "

    def _word(self, place: int, is_glued: bool) -> str:
        word, join = self._found.words[place], ' join="right"' if is_glued else ""
        tag = self._tags[place]
        pos = "" if tag == "_" else f' pos="{attribute(tag)}"'
        if not any(map(str.isalnum, word)):
            return f"<pc{pos}{join}>{escape(word)}</pc>"
        lemma = attribute(self._lemmas[place])
        return f'<w lemma="{lemma}"{pos}{join}>{escape(word)}</w>'
