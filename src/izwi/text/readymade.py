"""Documents made elsewhere as captures: kept as they stand, with the tokens they came with.

Such a document goes the way of every page (a shard, layers, a segment), so that it can be searched,
compared, taken down and exported like any other; no extractor, filter or copy rule changes it.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import date
from typing import Any

import orjson

from izwi.model.capture import Page
from izwi.model.document import (
    Annotation,
    Claim,
    Document,
    Mark,
    Metadata,
    Paragraph,
    PublicationDate,
)
from izwi.text.identity import document_id

# How a claim says which id a document had elsewhere.
IDENTIFIER, IMPORT = "identifier", "import"


def ready_made_body(document: Document) -> bytes:
    """Return what is stored of a document beside its address, source and time."""
    metadata = document.metadata
    return orjson.dumps(
        {
            "id": document.id,
            "url": document.url,
            "metadata": {**asdict(metadata), "claims": list(map(asdict, metadata.claims))},
            "paragraphs": list(map(asdict, document.paragraphs)),
            "given": asdict(document.given) if document.given else None,
        }
    )


def read_ready_made(page: Page) -> Document:
    """Return the document that a capture holds."""
    entry, found = page.entry, orjson.loads(page.body)
    metadata = _metadata(found["metadata"])
    return Document(
        id=found["id"] or document_id(found["url"], entry.time, _old_id(metadata)),
        url=found["url"],
        captured=entry.time,
        source=entry.source,
        media_type=entry.media_type,
        metadata=metadata,
        paragraphs=tuple(map(_paragraph, found["paragraphs"])),
        given=_annotation(found["given"]) if found["given"] else None,
    )


def _old_id(metadata: Metadata) -> str:
    """Return the id under which a collection has a document."""
    wanted = (IDENTIFIER, IMPORT)
    found = (each for each in metadata.claims if (each.property, each.evidence) == wanted)
    return next((claim.value for claim in found), "")


def _metadata(row: Mapping[str, Any]) -> Metadata:
    plain: dict[str, Any] = {name: value for name, value in row.items() if isinstance(value, str)}
    return replace(
        Metadata(**plain),
        date=_date(row["date"]),
        modified=_date(row["modified"]),
        keywords=tuple(row["keywords"]),
        claims=tuple(Claim(**claim) for claim in row["claims"]),
    )


def _date(row: Mapping[str, str] | None) -> PublicationDate | None:
    if row is None:
        return None
    precision: Any = row["precision"]
    return PublicationDate(date.fromisoformat(row["value"]), precision, row["evidence"])


def _paragraph(row: Mapping[str, Any]) -> Paragraph:
    return Paragraph(**{**row, "marks": tuple(Mark(**mark) for mark in row["marks"])})


def _annotation(row: Mapping[str, Any]) -> Annotation:
    columns = {name: tuple(value) for name, value in row.items() if name != "language"}
    return Annotation(**columns, language=row["language"])
