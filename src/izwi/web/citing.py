"""How a corpus and a line in it are cited, in several styles."""

import re
from dataclasses import dataclass

from izwi.model.results import CorpusSummary, DocumentCard, KwicLine

# Left open in a title, these would turn the rest of the citation round.
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_DIGITS = {"year": 4, "month": 7}
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation in one style."""

    style: str
    text: str


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


def citations(line: KwicLine, corpus: str, version: int) -> tuple[Citation, ...]:
    """Return a line's citation in each style, the first with its place in the corpus."""
    card = line.document
    site, seen = card.site or card.source, card.captured[:10]
    title, day = card.title or "Untitled", _long_date(card)
    author = f"{card.author}. " if card.author else ""
    year = str(card.date.year) if card.date else "n.d."
    styles = (
        ("izwi", line_citation(line, corpus, version)),
        ("Chicago", f"{author}“{title}.” {site}, {day or 'n.d.'}. {card.url} (accessed {seen})."),
        (
            "MLA",
            f"{author}“{title}.” {site}, {day + ', ' if day else ''}{card.url}. Accessed {seen}.",
        ),
        ("APA", f"{author or site + '. '}({day or 'n.d.'}). {title}. {site}. {card.url}"),
        ("OED", f"{year} {site} {day} ‘{line.match}’: {_quoted(line)}"),
        ("BibTeX", _bibtex(card, title, site)),
    )
    return tuple(Citation(style, _BIDI.sub("", text)) for style, text in styles)


def date_shown(card: DocumentCard) -> str:
    """Return a date only as exact as it is known: 2014-03 for a month; empty if unknown."""
    if card.date is None:
        return ""
    return card.date.isoformat()[: _DIGITS.get(card.date_precision, 10)]


def _long_date(card: DocumentCard) -> str:
    """Return a date in words, only as exact as it is known."""
    if card.date is None:
        return ""
    day, month, year = card.date.day, _MONTHS[card.date.month - 1], card.date.year
    exact = {"year": f"{year}", "month": f"{month} {year}"}
    return exact.get(card.date_precision, f"{day} {month} {year}")


def _quoted(line: KwicLine) -> str:
    return f"{line.left}{line.match}{line.right}".strip()


def _bibtex(card: DocumentCard, title: str, site: str) -> str:
    fields = {
        "author": card.author,
        "title": title,
        "journal": site,
        "date": date_shown(card),
        "url": card.url,
        "urldate": card.captured[:10],
    }
    inside = ", ".join(
        f"{name} = {{{_without_braces(value)}}}" for name, value in fields.items() if value
    )
    return f"@online{{{card.id}, {inside}}}"


def _without_braces(text: str) -> str:
    return text.replace("{", "(").replace("}", ")").replace("\\", "/")
