"""Characters no format can hold are replaced one for one, so that places in the text stay true."""

import re
from dataclasses import fields, replace
from typing import Any

from izwi.model.document import Annotation, Document, Metadata, PublicationDate

REPLACEMENT = "\ufffd"
# What XML 1.0 forbids, DEL, and halves of surrogate pairs, which UTF-8 cannot write.
_FORBIDDEN = re.compile(r"[\x00-\x08\x0e-\x1b\x7f\ud800-\udfff\ufffe\uffff]")
# Readers of lines break at these, and tokens never hold them; inside a paragraph they are spaces.
_BREAKS = re.compile(r"[\t\n\x0b\x0c\r\x1c-\x1f\x85\u2028\u2029]")
_EITHER = re.compile(f"{_FORBIDDEN.pattern}|{_BREAKS.pattern}")
_VALUES = ("lemmas", "upos", "xpos", "feats", "stems")


def writable(text: str) -> str:
    r"""Return a text of one line that every format can hold, as long as it was.

    >>> writable("a\x00b\nc")
    'a�b c'
    """
    if not _EITHER.search(text):
        return text
    return _FORBIDDEN.sub(REPLACEMENT, _BREAKS.sub(" ", text))


def writable_document(document: Document) -> tuple[Document, int]:
    """Return a document that every format can hold, and how many characters were replaced."""
    paragraphs = tuple(
        each if not _EITHER.search(each.text) else replace(each, text=writable(each.text))
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
        if _EITHER.search("".join(values := getattr(found, name)))
    }
    return as_sliced(replace(found, **changed) if changed else found, text)


def _forbidden(document: Document) -> int:
    """Count what was lost: breaks that became spaces are not."""
    metadata = document.metadata
    texts = (document.text, metadata.title, metadata.author, metadata.section, metadata.site)
    return sum(len(_FORBIDDEN.findall(text)) for text in texts)
