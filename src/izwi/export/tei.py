"""TEI P5: one file for each document, or one teiCorpus; the schema of the subset comes along."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import ClassVar
from xml.sax.saxutils import escape

from izwi.export.base import Edition, attribute_values
from izwi.export.inline import marked_up
from izwi.export.jsonld import COMMENT
from izwi.export.parts import OneFile, Parted, Workplace
from izwi.export.passages import Passage, glue, is_comment, passages
from izwi.export.records import exact_date
from izwi.export.teiheader import UNDETERMINED, attribute, corpus_header, document_header
from izwi.model.document import Annotation, Document
from izwi.model.languages import iso639_1

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
