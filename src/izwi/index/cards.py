"""What is kept of each document beside its tokens, and of each copy that was left out."""

from collections.abc import Mapping
from datetime import date
from typing import Any

import pyarrow as pa

from izwi.model.document import Document

CARD = pa.schema(
    [
        ("id", pa.string()),
        ("url", pa.string()),
        ("title", pa.string()),
        ("author", pa.string()),
        ("date", pa.date32()),
        ("date_precision", pa.string()),
        ("date_evidence", pa.string()),
        ("source", pa.string()),
        ("site", pa.string()),
        ("section", pa.string()),
        ("language", pa.string()),
        ("captured", pa.string()),
    ]
)
COPY = pa.schema(
    [("owner", pa.string()), ("url", pa.string()), ("source", pa.string()), ("date", pa.date32())]
)


def card_of(document: Document) -> dict[str, Any]:
    """Return the card of a document."""
    metadata, when = document.metadata, document.metadata.date
    return {
        "id": document.id,
        "url": document.url,
        "title": metadata.title,
        "author": metadata.author,
        "date": when and when.value,
        "date_precision": when.precision if when else "",
        "date_evidence": when.evidence if when else "",
        "source": document.source,
        "site": metadata.site,
        "section": metadata.section,
        "language": document.language.code if document.language else "",
        "captured": document.captured.isoformat(timespec="seconds"),
    }


def copy_of(document: Document) -> dict[str, Any]:
    """Return what is kept of a document that was left out as a copy."""
    assert document.copy_of is not None
    when = document.metadata.date
    return {
        "owner": document.copy_of.document,
        "url": document.url,
        "source": document.source,
        "date": when and when.value,
    }


def card_from_attributes(given: Mapping[str, str], name: str) -> dict[str, Any]:
    """Return the card of a document described by the attributes of its structure."""
    row: dict[str, Any] = {field.name: given.get(field.name, "") for field in CARD}
    day, precision = _day(given.get("date", ""))
    evidence = "attribute" if day else ""
    return row | {
        "id": given.get("id") or name,
        "date": day,
        "date_precision": precision,
        "date_evidence": evidence,
    }


def _day(text: str) -> tuple[date | None, str]:
    """Return the day a text names and how exact it is; None if it names none."""
    parts = text.strip()[:10].split("-")
    try:
        numbers = [int(part) for part in parts]
        day = date(*[*numbers, 1, 1][:3])
    except (ValueError, TypeError):
        return None, ""
    return day, ("year", "month", "day")[min(len(numbers), 3) - 1]
