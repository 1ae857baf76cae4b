"""The layers `sign` and `dup`: a document's signature, and whose copy it is."""

from dataclasses import asdict, replace

import pyarrow as pa

from izwi.model.document import BlockCopy, CopyOf, Document, Original
from izwi.store.formats.base import LayerFormat, Row

_BLOCK_COPY = pa.struct(
    [
        ("paragraph", pa.int32()),
        ("document", pa.string()),
        ("method", pa.string()),
        ("similarity", pa.float64()),
        ("others", pa.list_(pa.string())),
    ]
)
_ORIGINAL = pa.struct(
    [
        ("document", pa.string()),
        ("publication", pa.string()),
        ("date", pa.date32()),
        ("share", pa.float64()),
    ]
)
_SCHEMA = pa.schema(
    [
        ("copy_of", pa.string()),
        ("method", pa.string()),
        ("similarity", pa.float64()),
        ("blocks", pa.list_(_BLOCK_COPY)),
        ("originals", pa.list_(_ORIGINAL)),
    ]
)


def _to_row(document: Document) -> Row:
    copy = document.copy_of or CopyOf("", "", 0.0)
    return {
        "copy_of": copy.document,
        "method": copy.method,
        "similarity": copy.similarity,
        "blocks": [asdict(block) for block in document.copied],
        "originals": [asdict(original) for original in document.originals],
    }


def _apply(document: Document, row: Row) -> Document:
    blocks = tuple(
        BlockCopy(**{**block, "others": tuple(block["others"])}) for block in row["blocks"]
    )
    whole = CopyOf(row["copy_of"], row["method"], row["similarity"]) if row["copy_of"] else None
    originals = tuple(Original(**original) for original in row["originals"])
    return replace(document, copy_of=whole, copied=blocks, originals=originals)


SIGN = LayerFormat(
    "sign",
    pa.schema([("signature", pa.uint64())]),
    lambda document: {"signature": document.signature},
    lambda document, row: replace(document, signature=row["signature"]),
)
DUP = LayerFormat("dup", _SCHEMA, _to_row, _apply)
