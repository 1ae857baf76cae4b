"""The layer `select`: what becomes of a document, and which of its paragraphs are left out."""

from dataclasses import asdict, replace

import pyarrow as pa

from izwi.model.document import Document, Verdict
from izwi.store.formats.base import VERDICT, LayerFormat, Row

_SCHEMA = pa.schema([("verdict", VERDICT), ("left_out", pa.list_(pa.int32()))])


def _to_row(document: Document) -> Row:
    return {"verdict": asdict(document.verdict), "left_out": document.left_out}


def _apply(document: Document, row: Row) -> Document:
    """Give a document its verdict, and take the paragraphs left out from its main text."""
    verdict, left_out = Verdict(**row["verdict"]), set(row["left_out"])
    if not left_out:
        return replace(document, verdict=verdict)
    paragraphs = tuple(
        replace(each, is_main=False, reason="copy") if place in left_out else each
        for place, each in enumerate(document.paragraphs)
    )
    return replace(document, verdict=verdict, paragraphs=paragraphs, left_out=tuple(left_out))


SELECT = LayerFormat("select", _SCHEMA, _to_row, _apply)
