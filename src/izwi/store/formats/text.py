"""The layer `text`: what the extraction found on a page."""

from dataclasses import asdict, replace
from datetime import UTC, date

import pyarrow as pa

from izwi.model.document import (
    Claim,
    Document,
    Mark,
    Metadata,
    Paragraph,
    PublicationDate,
    Verdict,
)
from izwi.store.formats.base import VERDICT, LayerFormat, Row
from izwi.store.formats.tokens import TOKEN_COLUMNS, annotation, token_columns

_MORE_METADATA = ("language", "licence", "url_canonical", "image", "page_type", "parent")
_CLAIM = pa.struct([("property", pa.string()), ("value", pa.string()), ("evidence", pa.string())])
_PARAGRAPH = pa.struct(
    [("text", pa.string()), ("kind", pa.string()), ("is_main", pa.bool_()), ("reason", pa.string())]
)
_PARAGRAPH_FIELDS = ("text", "kind", "is_main", "reason")
# Kept beside the paragraphs, most of which have none.
_MARK = pa.struct(
    [
        ("paragraph", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("name", pa.string()),
        ("target", pa.string()),
    ]
)
_SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("captured", pa.timestamp("us", tz="UTC")),
        ("source", pa.string()),
        ("media_type", pa.string()),
        ("title", pa.string()),
        ("author", pa.string()),
        ("section", pa.string()),
        ("site", pa.string()),
        ("date", pa.date32()),
        ("date_precision", pa.string()),
        ("date_evidence", pa.string()),
        ("modified", pa.date32()),
        ("modified_evidence", pa.string()),
        ("keywords", pa.list_(pa.string())),
        *((name, pa.string()) for name in _MORE_METADATA),
        ("claims", pa.list_(_CLAIM)),
        ("paragraphs", pa.list_(_PARAGRAPH)),
        ("marks", pa.list_(_MARK)),
        ("given", pa.struct(TOKEN_COLUMNS)),
        ("verdict", VERDICT),
    ]
)


def document_of(row: Row) -> Document:
    """Return the document that a row of this layer begins."""
    return Document(
        id=row["id"],
        url=row["url"],
        captured=row["captured"],
        source=row["source"],
        media_type=row["media_type"],
        metadata=_metadata(row),
        paragraphs=_paragraphs(row),
        verdict=Verdict(**row["verdict"]),
        given=annotation(row["given"]) if row["given"] else None,
    )


def _to_row(document: Document) -> Row:
    metadata, when = document.metadata, document.metadata.date
    return {
        "id": document.id,
        "url": document.url,
        "captured": document.captured.astimezone(UTC),
        "source": document.source,
        "media_type": document.media_type,
        "title": metadata.title,
        "author": metadata.author,
        "section": metadata.section,
        "site": metadata.site,
        "date": when and when.value,
        "date_precision": when.precision if when else "",
        "date_evidence": when.evidence if when else "",
        **_more_metadata(metadata),
        "paragraphs": [
            {name: getattr(paragraph, name) for name in _PARAGRAPH_FIELDS}
            for paragraph in document.paragraphs
        ],
        "marks": [
            {"paragraph": number, **asdict(mark)}
            for number, paragraph in enumerate(document.paragraphs)
            for mark in paragraph.marks
        ],
        "given": token_columns(document.given) if document.given else None,
        "verdict": asdict(document.verdict),
    }


def _paragraphs(row: Row) -> tuple[Paragraph, ...]:
    found = [Paragraph(**paragraph) for paragraph in row["paragraphs"]]
    marks: dict[int, list[Mark]] = {}
    for mark in row["marks"]:
        marks.setdefault(mark.pop("paragraph"), []).append(Mark(**mark))
    for number, own in marks.items():
        found[number] = replace(found[number], marks=tuple(own))
    return tuple(found)


def _more_metadata(metadata: Metadata) -> Row:
    when = metadata.modified
    return {
        "modified": when and when.value,
        "modified_evidence": when.evidence if when else "",
        "keywords": list(metadata.keywords),
        "claims": [asdict(claim) for claim in metadata.claims],
        **{name: getattr(metadata, name) for name in _MORE_METADATA},
    }


def _metadata(row: Row) -> Metadata:
    modified = row["modified"]
    return Metadata(
        row["title"],
        row["author"],
        _publication_date(row),
        row["section"],
        row["site"],
        PublicationDate(modified, "day", row["modified_evidence"]) if modified else None,
        tuple(row["keywords"]),
        **{name: row[name] for name in _MORE_METADATA},
        claims=tuple(Claim(**claim) for claim in row["claims"]),
    )


def _publication_date(row: Row) -> PublicationDate | None:
    value: date | None = row["date"]
    if value is None:
        return None
    return PublicationDate(value, row["date_precision"], row["date_evidence"])


TEXT = LayerFormat("text", _SCHEMA, _to_row, lambda document, row: document)
