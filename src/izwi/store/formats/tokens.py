"""The layer `tokens`: sentences, tokens and what was found out about each."""

from dataclasses import fields, replace
from typing import Any

import pyarrow as pa

from izwi.model.document import Annotation, Document
from izwi.store.formats.base import LayerFormat, Row

_POSITIONS = pa.list_(pa.int32())
_VALUES = pa.list_(pa.string())
TOKEN_COLUMNS = [
    ("words", _VALUES),
    ("starts", _POSITIONS),
    ("ends", _POSITIONS),
    ("sentences", _POSITIONS),
    ("paragraphs", _POSITIONS),
    ("lemmas", _VALUES),
    ("upos", _VALUES),
    ("xpos", _VALUES),
    ("feats", _VALUES),
    ("stems", _VALUES),
    ("heads", _VALUES),
    ("deprels", _VALUES),
    ("language", pa.string()),
]
_NO_TOKENS = Annotation((), (), (), (), ())
_NAMES = tuple(part.name for part in fields(Annotation))


def token_columns(found: Annotation) -> Row:
    """Return the tokens of a document as one row."""
    return {name: getattr(found, name) for name in _NAMES}


def annotation(row: Row) -> Annotation:
    """Return the tokens that a row holds."""
    return Annotation(**{name: _column(value) for name, value in row.items()})


def _column(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _to_row(document: Document) -> Row:
    return token_columns(document.annotation or _NO_TOKENS)


def _apply(document: Document, row: Row) -> Document:
    return replace(document, annotation=annotation(row))


TOKENS = LayerFormat("tokens", pa.schema(TOKEN_COLUMNS), _to_row, _apply)
