"""What is kept of each document beside its tokens."""

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
        # The id of the document it is a copy of; such documents count only if one asks for them.
        ("copy_of", pa.string()),
        # How much speaks for the variety of the corpus, 0.0 to 1.0; nothing without lists for one.
        ("variety", pa.string()),
    ]
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
        "copy_of": document.verdict.detail if document.is_folded else "",
        "variety": f"{document.variety.score:.1f}" if document.variety else "",
    }


def completed(cards: pa.Table) -> pa.Table:
    """Return cards with every column; those of an older index lack what came later."""
    for field in CARD:
        if field.name not in cards.column_names:
            cards = cards.append_column(field, pa.array([""] * cards.num_rows, field.type))
    return cards


def cards_from_attributes(given: pa.Table, count: int) -> pa.Table:
    """Return the cards of documents described by the attributes of their structure."""
    said = {name: given.column(name).to_pylist() for name in given.column_names}
    columns = {field.name: said.get(field.name, [""] * count) for field in CARD}
    # The same day stands in many documents, and is read once.
    day_by_text = {text: _day(text) for text in set(columns["date"])}
    days = [day_by_text[text] for text in columns["date"]]
    columns |= {
        "id": [name or f"doc-{number}" for number, name in enumerate(columns["id"], 1)],
        "date": [day for day, _ in days],
        "date_precision": [precision for _, precision in days],
        "date_evidence": ["attribute" if day else "" for day, _ in days],
    }
    return pa.table(columns, schema=CARD)


def _day(text: str) -> tuple[date | None, str]:
    """Return the day a text names and how exact it is; None if it names none."""
    parts = text.strip()[:10].split("-")
    try:
        numbers = [int(part) for part in parts]
        day = date(*[*numbers, 1, 1][:3])
    except (ValueError, TypeError):
        return None, ""
    return day, ("year", "month", "day")[min(len(numbers), 3) - 1]
