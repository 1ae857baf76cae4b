"""How a corpus, a document and a line in it are cited, in several styles."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from urllib.parse import urlencode

from izwi.model.results import CorpusSummary, DocumentCard, KwicLine
from izwi.presentation.references import Author, authors_of, bibtex_entry, bibtex_key
from izwi.web.session.reader import gettext as _
from izwi.web.session.reader import reader

# Left open in a title, these would turn the rest of the citation round.
_BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
_DIGITS = {"year": 4, "month": 7}
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
# As the MLA shortens them.
_SHORT_MONTHS = (
    "Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec.",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation in one style; the name of the site, which print sets in italics, lies inside."""

    style: str
    before: str
    italic: str = ""
    after: str = ""

    @property
    def text(self) -> str:
        """The citation without its italics."""
        return f"{self.before}{self.italic}{self.after}"


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
    parts = (card.author, title, _site(card), date_shown(card))
    said = ", ".join(part for part in parts if part)
    seen = f" (captured {card.captured[:10]})" if card.captured else ""
    address = f" {card.url}{seen}." if card.url else ""
    place = f"In: {corpus}, version {version}, hit {line.id}."
    return _BIDI.sub("", f"{said}.{address} {place}")


def citations(line: KwicLine, corpus: str, version: int) -> tuple[Citation, ...]:
    """Return a line's citation in each style, the first with its place in the corpus."""
    own, *others = document_citations(line.document)
    quoted = _plain("OED", f"{_oed_head(line.document)} ‘{line.match}’: {_quoted(line)}")
    place = _plain("izwi", line_citation(line, corpus, version))
    return (place, own, *others[:-1], quoted, others[-1])


def document_citations(card: DocumentCard) -> tuple[Citation, ...]:
    """Return how a document is cited in each style."""
    return tuple(
        Citation(each.style, _safe(each.before), _safe(each.italic), _safe(each.after))
        for each in (_chicago(card), _mla(card), _apa(card), _plain("BibTeX", _bibtex(card)))
    )


def meta_tags(card: DocumentCard) -> tuple[tuple[str, str], ...]:
    """Return a document as reference managers read it from the head of a page."""
    pairs = (
        ("citation_title", _title(card)),
        *(("citation_author", author.straight) for author in authors_of(card.author)),
        ("citation_publication_date", date_shown(card).replace("-", "/")),
        ("citation_journal_title", _site(card)),
        ("citation_public_url", card.url),
        ("citation_language", card.language),
        ("DC.type", "Text"),
        ("DC.identifier", card.url),
        ("DC.source", _site(card)),
    )
    return tuple((name, _safe(value)) for name, value in pairs if value)


def coins(card: DocumentCard) -> str:
    """Return a document as an OpenURL context object (COinS): the same for the text of a page."""
    pairs = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", "info:ofi/fmt:kev:mtx:dc"),
        ("rfr_id", "info:sid/izwi"),
        ("rft.type", "webpage"),
        ("rft.title", _title(card)),
        ("rft.source", _site(card)),
        ("rft.date", date_shown(card)),
        ("rft.identifier", card.url),
        ("rft.language", card.language),
        *(("rft.creator", author.straight) for author in authors_of(card.author)),
    ]
    return urlencode([(name, _safe(value)) for name, value in pairs if value])


def rests_on(evidence: str) -> str:
    """Return what a claim of a document rests on; names of formats and fields stay as they are."""
    return _rests_on(evidence, reader().language)


# Every line of a page says it. A page may claim anything, so not all are kept.
@lru_cache(maxsize=256)
def _rests_on(evidence: str, _language: str) -> str:
    words = {
        "line of text": _("a line of the text"),
        "shown date": _("a date that is shown"),
        "time element": _("a time element"),
        "microdata": _("microdata"),
        "byline": _("a byline"),
        "author link": _("a link to the author"),
        "title element": _("the title element"),
        "page's data": _("data of the page"),
        "canonical link": _("the canonical link"),
        "extractor": _("the extractor"),
        "feed": _("a feed"),
        "sitemap": _("a site map"),
        "portal": _("rules of the portal"),
        "the time of capture": _("the time of capture"),
    }
    return words.get(evidence, evidence)


def date_shown(card: DocumentCard) -> str:
    """Return a date only as exact as it is known: 2014-03 for a month; empty if unknown."""
    if card.date is None:
        return ""
    return card.date.isoformat()[: _DIGITS.get(card.date_precision, 10)]


def _chicago(card: DocumentCard) -> Citation:
    names = _listed(authors_of(card.author), "and")
    head = f"{_closed(names)} " if names else ""
    seen, address = _captured(card), f"{card.url}." if card.url else ""
    accessed = f"Accessed {_chicago_date(seen)}." if seen else ""
    when = f", {_dated(card, _chicago_date) or 'n.d.'}."
    after = " ".join(filter(None, (when, accessed, address)))
    return Citation("Chicago", f"{head}“{_closed(_title(card))}” ", _site(card), after)


def _mla(card: DocumentCard) -> Citation:
    signed = authors_of(card.author)
    # Of three or more the first stands for all.
    names = f"{signed[0].inverted}, et al." if len(signed) > 2 else _listed(signed, "and")
    head = f"{_closed(names)} " if names else ""
    said, seen = filter(None, (_dated(card, _mla_date), card.url)), _captured(card)
    after = "".join(f", {each}" for each in said) + "."
    after += f" Accessed {_mla_date(seen)}." if seen else ""
    return Citation("MLA", f"{head}“{_closed(_title(card))}” ", _site(card), after)


def _apa(card: DocumentCard) -> Citation:
    names = [author.initials for author in authors_of(card.author)]
    joined = ", ".join(names[:-1]) + (", & " if names[1:] else "") + names[-1] if names else ""
    when, address = f"({_dated(card, _apa_date) or 'n.d.'})", f". {card.url}".rstrip()
    if not joined:
        return Citation("APA", f"{_closed(_title(card))} {when}. ", _site(card), address)
    before = f"{_closed(joined)} {when}. {_closed(_title(card))} "
    return Citation("APA", before, _site(card), address)


def _listed(authors: tuple[Author, ...], word: str) -> str:
    """Return authors in one row: only the first is turned round."""
    names = [author.straight for author in authors]
    if authors:
        names[0] = authors[0].inverted
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])}, {word} {names[-1]}"


def _closed(text: str) -> str:
    """Return a text with a full stop, unless it ends in a mark of its own."""
    return text if text.endswith((".", "?", "!", "…")) else f"{text}."


def _plain(style: str, text: str) -> Citation:
    return Citation(style, _safe(text))


def _safe(text: str) -> str:
    return _BIDI.sub("", text)


def _title(card: DocumentCard) -> str:
    return card.title or "Untitled"


def _site(card: DocumentCard) -> str:
    """Return where a text was published, by the name that readers and curators know."""
    return card.publication or card.site or card.source


def _captured(card: DocumentCard) -> date | None:
    """Return when a page was captured; of imported texts nobody knows, or they say nonsense."""
    try:
        return date.fromisoformat(card.captured[:10])
    except ValueError:
        return None


def _dated(card: DocumentCard, written: Callable[[date, str], str]) -> str:
    return written(card.date, card.date_precision) if card.date else ""


def _chicago_date(day: date, precision: str = "day") -> str:
    month = _MONTHS[day.month - 1]
    return _as_exact(day, precision, f"{month} {day.year}", f"{month} {day.day}, {day.year}")


def _mla_date(day: date, precision: str = "day") -> str:
    month = _SHORT_MONTHS[day.month - 1]
    return _as_exact(day, precision, f"{month} {day.year}", f"{day.day} {month} {day.year}")


def _apa_date(day: date, precision: str = "day") -> str:
    month = f"{day.year}, {_MONTHS[day.month - 1]}"
    return _as_exact(day, precision, month, f"{month} {day.day}")


def _as_exact(day: date, precision: str, month: str, whole: str) -> str:
    """Return a date only as exact as it is known."""
    return {"year": str(day.year), "month": month}.get(precision, whole)


def _oed_head(card: DocumentCard) -> str:
    year = str(card.date.year) if card.date else "n.d."
    day = _dated(card, _mla_date).removesuffix(year).strip()
    return " ".join(part for part in (year, _site(card), day) if part)


def _quoted(line: KwicLine) -> str:
    return f"{line.left}{line.match}{line.right}".strip()


def _bibtex(card: DocumentCard) -> str:
    return bibtex_entry(
        bibtex_key(card.author, _site(card), date_shown(card), card.id),
        author=card.author, title=_title(card), site=_site(card), date=date_shown(card),
        url=card.url, captured=card.captured,
    )  # fmt: skip
