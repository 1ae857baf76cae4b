"""What a reader sees of one document, and quotations: hits that a reader kept."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import date

from izwi.model.document import Claim
from izwi.model.records import dataclass
from izwi.model.results import DocumentCard, KwicLine
from izwi.model.tabular import Tabular

# What the lines of a concordance can be sorted by, beside single tokens near them.
SORTS = (
    "date", "newest", "left", "node", "right", "publication", "source", "random",
    "example",
)  # fmt: skip


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
    # The words of what is in the corpus; in scripts without spaces about so many.
    words: int = 0

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


@dataclass(frozen=True, slots=True)
class Part:
    """Documents with one value: what it is, how many they are, and the condition for them."""

    value: str
    documents: int
    where: str


# (kind, i, j, k, m): words i to j of one text stand where the other has words k to m.
Difference = tuple[str, int, int, int, int]


# The time grows with the third power in the worst case: half a second at this length.
MOST_WORDS = 3000


def differences(
    before: Sequence[str], after: Sequence[str], *, most: int = MOST_WORDS
) -> list[Difference]:
    """Return the equal and the differing stretches of two texts' first words.

    >>> differences("a white bakkie".split(), "a red bakkie".split())
    [('equal', 0, 1, 0, 1), ('replace', 1, 2, 1, 2), ('equal', 2, 3, 2, 3)]
    """
    is_cut = max(len(before), len(after)) > most
    before, after = before[:most], after[:most]
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=True)
    found: list[Difference] = [(kind, i, j, k, m) for kind, i, j, k, m in matcher.get_opcodes()]
    # What stands last may differ only because the rest was cut away.
    if is_cut and len(found) > 1 and found[-1][0] != "equal":
        found.pop()
    return found


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

    @property
    def published_in(self) -> str:
        """Where it was published: the name of the site, or of the source."""
        return self.site or self.source


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
