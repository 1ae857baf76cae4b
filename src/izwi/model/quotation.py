"""Quotations: hits a reader kept, with all that is needed to print them; what an export gives."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from izwi.model.results import KwicLine


@dataclass(frozen=True, slots=True)
class Quotation:
    """A kept hit: its words, where they were found, and what the reader says about them."""

    hit: str
    left: str
    match: str
    right: str
    document: str
    url: str
    title: str
    author: str
    # As exact as it is known: 2014, 2014-03 or 2014-03-09; empty if unknown.
    date: str
    date_evidence: str
    source: str
    site: str
    captured: str
    corpus: str
    version: int
    # What the reader adds.
    headword: str = ""
    sense: str = ""
    note: str = ""
    added: str = ""

    @property
    def text(self) -> str:
        """The quotation as it reads."""
        return f"{self.left}{self.match}{self.right}".strip()


@dataclass(frozen=True, slots=True)
class Basket:
    """A set of quotations; whoever has its link may read and change it."""

    id: str
    corpus: str
    name: str
    changed: str
    quotations: tuple[Quotation, ...] = ()


_DIGITS = {"year": 4, "month": 7}


def quotation_of(line: KwicLine, corpus: str, version: int, *, added: str = "") -> Quotation:
    """Return a hit as a quotation."""
    card = line.document
    date = card.date.isoformat()[: _DIGITS.get(card.date_precision, 10)] if card.date else ""
    return Quotation(
        hit=line.id,
        left=line.left,
        match=line.match,
        right=line.right,
        document=card.id,
        url=card.url,
        title=card.title,
        author=card.author,
        date=date,
        date_evidence=card.date_evidence,
        source=card.source,
        site=card.publication or card.site,
        captured=card.captured,
        corpus=corpus,
        version=version,
        headword=line.match.lower(),
        added=added,
    )


@dataclass(frozen=True, slots=True)
class ExportedFile:
    """A file of an export: its name in the folder, its size and its SHA-256 sum."""

    name: str
    size_bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written where, from which version, and what was changed on the way."""

    format: str
    path: str
    corpus: str
    version: int
    documents: int
    tokens: int
    sentences: int
    characters: int
    # Characters that no format can hold, each now a U+FFFD.
    replaced: int
    # E-mail addresses, telephone numbers and user names that were masked, by kind.
    masked: Mapping[str, int] = field(default_factory=dict)
    files: tuple[ExportedFile, ...] = ()
    # How many documents an earlier, unfinished run had written already.
    continued_at: int = 0
