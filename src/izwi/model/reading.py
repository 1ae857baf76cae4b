"""What a reader sees of one document: its text, what is known of it, and where that comes from."""

from dataclasses import dataclass
from datetime import date

from izwi.model.document import Claim
from izwi.model.results import DocumentCard
from izwi.model.tabular import Tabular


@dataclass(frozen=True, slots=True)
class ShownParagraph:
    """A paragraph as extracted: whether it is in the corpus, and if not, why."""

    number: int
    text: str
    kind: str
    is_main: bool
    reason: str
    # The document that already has it, if it is a copy.
    copy_of: str = ""


@dataclass(frozen=True, slots=True)
class CaptureProof:
    """Where the capture lies, when it was made, and the digest of what the server sent."""

    captured: str
    status: int
    media_type: str
    digest: str
    shard: str
    offset: int


@dataclass(frozen=True, slots=True)
class DocumentView:
    """A document with its paragraphs, its metadata, and the evidence for them."""

    id: str
    url: str
    source: str
    title: str
    author: str
    # When it was last changed, if the page says so.
    modified: date | None
    date: date | None
    date_precision: str
    date_evidence: str
    # How far the claims about the date agree, from 0 to 1.
    date_confidence: float
    section: str
    site: str
    keywords: tuple[str, ...]
    language: str
    language_score: float
    licence: str
    page_type: str
    # Whether it was kept, or at which stage it was left out, and why.
    outcome: str
    stage: str
    reason: str
    copy_of: str
    capture: CaptureProof
    # The version of the corpus in whose index it was looked up; 0 if it is not in it.
    snapshot: int
    paragraphs: tuple[ShownParagraph, ...]
    claims: tuple[Claim, ...]
    # The site as readers know it, which other documents of the corpus may say better.
    publication: str = ""

    def rows(self) -> list[dict[str, object]]:
        """Return the paragraphs as rows."""
        names = ("number", "kind", "is_main", "reason", "copy_of", "text")
        return [{name: getattr(each, name) for name in names} for each in self.paragraphs]


@dataclass(frozen=True, slots=True, repr=False)
class DocumentList(Tabular[DocumentCard]):
    """One page of documents, and how many there are."""

    snapshot: int
    total: int
    page: int
    pages: int
    size: int
    sort: str
    documents: tuple[DocumentCard, ...]

    @property
    def lines(self) -> tuple[DocumentCard, ...]:  # type: ignore[override]
        """The documents."""
        return self.documents


@dataclass(frozen=True, slots=True)
class ArchivedPage:
    """A page as it was captured, read as text."""

    id: str
    url: str
    captured: str
    media_type: str
    charset: str
    text: str
