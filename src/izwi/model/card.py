"""What a corpus is made of, for people who have to trust it."""

from dataclasses import dataclass
from datetime import date

from izwi.model.charted import Charted
from izwi.model.results import FunnelStep


@dataclass(frozen=True, slots=True)
class Share:
    """How many documents and tokens have something in common; an empty name is not known."""

    name: str
    documents: int
    tokens: int


@dataclass(frozen=True, slots=True)
class SourceYear:
    """How many documents a source has of one year; an empty year is not known."""

    source: str
    year: str
    documents: int


@dataclass(frozen=True, slots=True)
class AuditFigure:
    """How many of a random sample have a fault, and between which shares that lies in the whole."""

    fault: str
    version: int
    judged: int
    count: int
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class RightsSignal:
    """What owners of a source's pages say, on how many documents, and how many it kept out."""

    signal: str
    source: str
    # Documents of this version whose page says so, and pages that were not taken because of it.
    documents: int
    refused: int
    # Whether the corpus leaves out pages that say so.
    is_respected: bool


@dataclass(frozen=True, slots=True)
class QualityFigure:
    """One measure of how well something was found, and the gold it is measured by."""

    what: str
    gold: str
    # How many pages or documents the gold has.
    judged: int
    measure: str
    value: float


@dataclass(frozen=True, slots=True)
class CorpusCard(Charted):
    """The card of one version: its size, its time, its places, and what was lost on the way.

    `effective_hosts` says how many hosts of equal size would be as varied as the real ones
    (inverse Simpson index of tokens); far fewer than `hosts_in_all` means that a few hosts rule.
    """

    name: str
    title: str
    snapshot: int
    published: str
    settings: str
    documents: int
    tokens: int
    captures: int
    copies: int
    first: date | None
    last: date | None
    years: tuple[Share, ...]
    languages: tuple[Share, ...]
    # Sites as readers know them; sources are the ways by which they were found.
    publications: tuple[Share, ...]
    sources: tuple[Share, ...]
    # The largest, at most a hundred.
    hosts: tuple[Share, ...]
    hosts_in_all: int
    effective_hosts: float
    # What the dates of publication rest on, and how exact they are.
    date_evidence: tuple[Share, ...]
    date_precision: tuple[Share, ...]
    funnel: tuple[FunnelStep, ...]
    years_by_source: tuple[SourceYear, ...] = ()
    # What people found who looked at a random sample.
    audit: tuple[AuditFigure, ...] = ()
    # What pages say of their licence; "none stated" where they say nothing.
    licences: tuple[Share, ...] = ()
    rights: tuple[RightsSignal, ...] = ()
    # Shards whose raw file could not be read for them.
    rights_unread: int = 0
    # Addresses and hosts that were taken down.
    takedowns: int = 0
    # Measured by the corpus's own gold; empty if it has none.
    quality: tuple[QualityFigure, ...] = ()
