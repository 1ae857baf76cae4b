"""The layers `sift` and `select`: what becomes of a document, and what of it is left out."""

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


SIFT = LayerFormat(
    "sift",
    pa.schema([("verdict", VERDICT)]),
    lambda document: {"verdict": asdict(document.verdict)},
    lambda document, row: replace(document, verdict=Verdict(**row["verdict"])),
)
SELECT = LayerFormat("select", _SCHEMA, _to_row, _apply)
