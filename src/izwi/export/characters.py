"""What no format can hold is replaced, what is personal masked, what goes out counted."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from typing import Any

from izwi.export.base import Choice, is_comment
from izwi.model.document import Annotation, Document, Metadata, Paragraph, PublicationDate
from izwi.model.tabular import FORBIDDEN, UNWRITABLE, writable

_VALUES = ("lemmas", "upos", "xpos", "feats", "stems")


def writable_document(document: Document) -> tuple[Document, int]:
    """Return a document that every format can hold, and how many characters were replaced."""
    paragraphs = tuple(
        each if not UNWRITABLE.search(each.text) else replace(each, text=writable(each.text))
        for each in document.paragraphs
    )
    clean = replace(
        document,
        id=writable(document.id),
        url=writable(document.url),
        source=writable(document.source),
        metadata=_metadata(document.metadata),
        paragraphs=paragraphs,
    )
    clean = replace(clean, annotation=_annotation(document.annotation, clean.text))
    return clean, _forbidden(document)


def as_sliced(found: Annotation, text: str) -> Annotation:
    """Return an annotation whose words are again slices of a text that changed in place.

    What was known of a changed word is not known of the new one: its lemma is the word itself.
    """
    words = tuple(text[a:b] for a, b in zip(found.starts, found.ends, strict=True))
    if words == found.words:
        return found
    lemmas = tuple(
        lemma if old == new else new
        for old, new, lemma in zip(found.words, words, found.lemmas, strict=False)
    )
    stems = tuple(
        stem if old == new else new
        for old, new, stem in zip(found.words, words, found.stems, strict=False)
    )
    return replace(found, words=words, lemmas=lemmas, stems=stems)


def _metadata(metadata: Metadata) -> Metadata:
    """Return metadata whose texts are writable, whatever fields it has."""
    values = {part.name: getattr(metadata, part.name) for part in fields(metadata)}
    return replace(metadata, **{name: _writable_value(value) for name, value in values.items()})


def _writable_value(value: Any) -> Any:
    if isinstance(value, str):
        return writable(value)
    if isinstance(value, PublicationDate):
        return replace(value, evidence=writable(value.evidence))
    if isinstance(value, tuple):
        return tuple(map(_writable_value, value))
    return value


def _annotation(found: Annotation | None, text: str) -> Annotation | None:
    if found is None:
        return None
    changed: dict[str, Any] = {
        name: tuple(map(writable, values))
        for name in _VALUES
        if UNWRITABLE.search("".join(values := getattr(found, name)))
    }
    return as_sliced(replace(found, **changed) if changed else found, text)


def _forbidden(document: Document) -> int:
    """Count what was lost: breaks that became spaces are not."""
    metadata = document.metadata
    texts = (document.text, metadata.title, metadata.author, metadata.section, metadata.site)
    return sum(len(FORBIDDEN.findall(text)) for text in texts)


_EMAIL = re.compile(r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
# In the form people dial: a plus or a nought first, so that sums and years are left alone.
_PHONE = re.compile(r"(?<![\w.,+-])(?:\+|\(?0)\d[\d ()/.-]{6,18}\d(?!\w)")
_USER = re.compile(r"(?<![\w@.+-])@\w{2,30}(?![\w.]*@)")
_DIGITS = re.compile(r"\d")
_LETTERS = re.compile(r"[^\W\d_]")
_PERSONAL = ("mailto:", "tel:", "sms:")
_FEWEST_DIGITS, _MOST_DIGITS = 9, 15


def mask(text: str, counts: dict[str, int]) -> str:
    """Return a text in which what points to a person is masked, and count what was.

    >>> mask("Ask jan@dorp.example or 051 555 0142, or @jan.", {})
    'Ask xxx@xxxx.xxxxxxx or 000 000 0000, or @xxx.'
    """
    for kind, pattern in (("email", _EMAIL), ("phone", _PHONE), ("user", _USER)):
        text = pattern.sub(_masking(kind, counts), text)
    return text


def mask_document(document: Document, counts: dict[str, int]) -> Document:
    """Return a document whose text, title and author are masked, and count what was."""
    paragraphs = tuple(
        _masked(each, counts) if each.is_main or is_comment(each) else each
        for each in document.paragraphs
    )
    metadata = replace(
        document.metadata,
        title=mask(document.metadata.title, counts),
        author=mask(document.metadata.author, counts),
    )
    masked = replace(document, paragraphs=paragraphs, metadata=metadata)
    if document.annotation is None:
        return masked
    return replace(masked, annotation=as_sliced(document.annotation, masked.text))


def _masked(paragraph: Paragraph, counts: dict[str, int]) -> Paragraph:
    """Return a paragraph whose links lead to no person either."""
    marks = tuple(
        replace(mark, target="") if mark.target.startswith(_PERSONAL) else mark
        for mark in paragraph.marks
    )
    return replace(paragraph, text=mask(paragraph.text, counts), marks=marks)


def _masking(kind: str, counts: dict[str, int]) -> Callable[[re.Match[str]], str]:
    def masked(match: re.Match[str]) -> str:
        found = match[0]
        digits = len(_DIGITS.findall(found))
        if kind == "phone" and not _FEWEST_DIGITS <= digits <= _MOST_DIGITS:
            return found
        counts[kind] = counts.get(kind, 0) + 1
        return _DIGITS.sub("0", _LETTERS.sub("x", found))

    return masked


@dataclass
class Counts:
    """What has passed; `masked` counts by kind."""

    documents: int = 0
    tokens: int = 0
    sentences: int = 0
    characters: int = 0
    replaced: int = 0
    masked: dict[str, int] = field(default_factory=dict)


@dataclass
class Outgoing:
    """Lets through the documents of a choice and counts what passes."""

    choice: Choice
    is_masked: bool = False
    heard: Callable[[int], None] = lambda done: None
    counts: Counts = field(default_factory=Counts)

    def over(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the wanted documents as formats may write them."""
        for document in documents:
            if self.choice.holds(document):
                yield self._prepared(document)

    def _prepared(self, document: Document) -> Document:
        counts = self.counts
        clean, replaced = writable_document(document)
        if self.is_masked:
            clean = mask_document(clean, counts.masked)
        counts.documents += 1
        counts.replaced += replaced
        counts.characters += len(clean.text)
        if clean.annotation:
            counts.tokens += len(clean.annotation.words)
            counts.sentences += len(clean.annotation.sentences)
        self.heard(counts.documents)
        return clean
