"""How a corpus and a line in it are cited."""

import re

from izwi.model.results import CorpusSummary, DocumentCard, KwicLine

# Left open in a title, these would turn the rest of the citation round.
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_DIGITS = {"year": 4, "month": 7}


def corpus_citation(summary: CorpusSummary, izwi_version: str) -> str:
    """Return how to cite a version of a corpus."""
    name = summary.title if summary.title == summary.name else f"{summary.title} [{summary.name}]"
    if not summary.snapshot:
        return f"{name}. Not yet published. Built with izwi {izwi_version}."
    return (
        f"{name}. Version {summary.snapshot}, published {summary.published[:10]}. "
        f"{summary.documents:,} documents, {summary.tokens:,} tokens. "
        f"Built with izwi {izwi_version}."
    )


def line_citation(line: KwicLine, corpus: str, version: int) -> str:
    """Return how to cite a line: its document, and where in which version it was found."""
    card = line.document
    title = f"“{card.title}”" if card.title else "Untitled"
    parts = (card.author, title, card.site or card.source, date_shown(card))
    said = ", ".join(part for part in parts if part)
    return _BIDI.sub(
        "",
        f"{said}. {card.url} (captured {card.captured[:10]}). "
        f"In: {corpus}, version {version}, hit {line.id}.",
    )


def date_shown(card: DocumentCard) -> str:
    """Return a date only as exact as it is known: 2014-03 for a month; empty if unknown."""
    if card.date is None:
        return ""
    return card.date.isoformat()[: _DIGITS.get(card.date_precision, 10)]
