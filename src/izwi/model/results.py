"""What the system answers: concordances, ledgers, status, and the events of a run."""

from collections.abc import Callable
from dataclasses import asdict, field
from datetime import date
from html import escape

from izwi.model.document import Original, Outcome
from izwi.model.records import dataclass
from izwi.model.tabular import Charted, Tabular, page_link


@dataclass(frozen=True, slots=True)
class DocumentCard:
    """What a concordance line says of the document it is from."""

    id: str
    url: str
    title: str
    author: str
    date: date | None
    date_precision: str
    date_evidence: str
    source: str
    site: str
    section: str
    language: str
    captured: str
    # Whose copy it is, by id, and how many copies of it there are.
    copy_of: str = ""
    copies: int = 0
    # The score of the variety, 0.0 to 1.0; nothing where the corpus has no lists for one.
    variety: str = ""
    # The site as readers know it; the source is the way by which it was found.
    publication: str = ""


@dataclass(frozen=True, slots=True)
class LineToken:
    """A token of a line with the values that were asked for, in the order in which they were."""

    text: str
    values: tuple[str, ...]
    is_match: bool
    # Whether a space follows in the text.
    has_space: bool


@dataclass(frozen=True, slots=True)
class KwicLine:
    """A hit in its context; `id` stays true when the corpus grows or is indexed anew."""

    id: str
    left: str
    match: str
    right: str
    document: DocumentCard
    # Where paragraphs begin in the line: characters from its beginning, left and match and right.
    breaks: tuple[int, ...] = ()
    # Token by token, where attributes were asked for (`show`).
    tokens: tuple[LineToken, ...] = ()


@dataclass(frozen=True, slots=True)
class YearCount:
    """Hits and corpus tokens of one year, for a rate per million."""

    year: int
    hits: int
    tokens: int


@dataclass(frozen=True, slots=True, repr=False)
class Concordance(Tabular[KwicLine]):
    """One page of the lines a query finds, and what they were counted on."""

    query: str
    tokens: tuple[str, ...]
    snapshot: int
    hits: int
    documents: int
    sources: int
    per_million: float
    corpus_tokens: int
    page: int
    pages: int
    size: int
    sort: str
    lines: tuple[KwicLine, ...]
    years: tuple[YearCount, ...] = ()
    # The query as CQL, whatever mode it was asked in.
    cql: str = ""
    # How many publications the lines are from.
    publications: int = 0
    # Without lines: what finds some, where the index has a word of the query as several.
    instead: str = ""
    # Without lines: how many there are if no date, source, condition or neighbour is asked for.
    unfiltered: int = 0

    def rows(self) -> list[dict[str, object]]:
        """Return the lines as flat rows: the hit, its context, and what its document is."""
        return [
            {"id": line.id, "left": line.left, "match": line.match, "right": line.right}
            | {f"document_{name}" if name == "id" else name: value
               for name, value in asdict(line.document).items()}
            for line in self.lines
        ]  # fmt: skip

    def _repr_html_(self) -> str:
        """Return the lines as a table, as Jupyter shows it."""
        head = f"{self.hits:,} hits, {self.per_million:,.1f} per million: {escape(self.query)}"
        head += f"; as the words were cut: {escape(self.instead)}" if self.instead else ""
        rows = "".join(
            f"<tr><td>{escape(str(line.document.date or ''))}</td>"
            f"<td>{page_link(line.document.url, line.document.publication)}</td>"
            f'<td style="text-align:right">{escape(line.left)}</td>'
            f"<td><b>{escape(line.match)}</b></td>"
            f'<td style="text-align:left">{escape(line.right)}</td></tr>'
            for line in self.lines
        )
        return f"<table><caption>{head}</caption>{rows}</table>"


@dataclass(frozen=True, slots=True)
class SourceSummary:
    """A source as configured, and what has come of it so far."""

    name: str
    type: str
    url: str
    leads: int
    fetched: int
    documents: int
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, slots=True)
class PublicationSummary:
    """A site as readers know it, what the corpus has of it, and the sources that brought it."""

    name: str
    documents: int
    tokens: int
    sources: tuple[str, ...]
    first: date | None = None
    last: date | None = None


@dataclass(frozen=True, slots=True)
class MonthCount:
    """Documents and tokens of one month, such as 2014-03."""

    month: str
    documents: int
    tokens: int


@dataclass(frozen=True, slots=True)
class CorpusSummary(Charted):
    """What a corpus holds now."""

    name: str
    title: str
    languages: tuple[str, ...]
    path: str
    snapshot: int
    published: str
    documents: int
    tokens: int
    segments: int
    captures: int
    copies: int
    first: date | None
    last: date | None
    sources: tuple[SourceSummary, ...]
    years: tuple[YearCount, ...]
    funnel: tuple["FunnelStep", ...]
    months: tuple[MonthCount, ...] = ()
    # The largest first.
    publications: tuple[PublicationSummary, ...] = ()


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """What became of one URL: kept, waiting, or dropped or failed where, why and by how much."""

    url: str
    outcome: Outcome | str
    stage: str
    reason: str
    value: float | None = None
    threshold: float | None = None
    detail: str = ""
    source: str = ""
    time: str = ""
    document: str = ""
    kind: str = "page"
    # Of a copy: the address of its original, whose id is the detail.
    original: str = ""


@dataclass(frozen=True, slots=True)
class ReasonCount:
    """How many URLs share an outcome."""

    outcome: str
    stage: str
    reason: str
    count: int


@dataclass(frozen=True, slots=True)
class Ledger:
    """The counted reasons, and the lines asked for."""

    counts: tuple[ReasonCount, ...]
    lines: tuple[LedgerLine, ...]
    total: int


@dataclass(frozen=True, slots=True)
class StageStatus:
    """How many shards of a stage are current, stale (by which keys), missing, failed."""

    stage: str
    layer: str
    fingerprint: str
    current: int
    stale: int
    missing: int
    failed: int
    changed: tuple[str, ...] = ()
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CorpusStatus:
    """Where a corpus stands: what is queued, what is gathered, what is built."""

    name: str
    shards: int
    captures: int
    waiting: int
    snapshot: int
    stages: tuple[StageStatus, ...]
    holder: str = ""

    @property
    def is_current(self) -> bool:
        """Whether a build would do nothing."""
        return all(stage.stale + stage.missing + stage.failed == 0 for stage in self.stages)


@dataclass(frozen=True, slots=True)
class FunnelStep:
    """What is left after a step, and why the rest went."""

    name: str
    documents: int
    tokens: int | None = None
    losses: tuple[ReasonCount, ...] = ()


@dataclass(frozen=True, slots=True)
class ShardReport:
    """What working on one shard at one stage gave."""

    stage: str
    shard: str
    rows: int = 0
    kept: int = 0
    dropped: int = 0
    failed: int = 0
    tokens: int = 0
    seconds: float = 0.0
    error: str = ""
    # A file that could not be read, and captures inside a WARC file that could not.
    damaged: str = ""
    damaged_captures: int = 0


@dataclass(frozen=True, slots=True)
class PublishedVersion:
    """A published state of a corpus that can be asked and cited."""

    number: int
    published: str
    documents: int
    tokens: int
    is_current: bool


@dataclass(frozen=True, slots=True)
class RunReport:
    """How a run ended."""

    run: str
    command: str
    started: str
    seconds: float
    fetched: int = 0
    shards_built: int = 0
    snapshot: int = 0
    was_stopped: bool = False
    # The number of the signal that stopped it: 2 after Ctrl-C, 15 after SIGTERM.
    stopped_by: int = 0
    failures: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    funnel: tuple[FunnelStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing the doctor looked at: is it well, and what would mend it."""

    check: str
    is_well: bool
    message: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """An event: so much of a step is done. `total` is None while nobody knows."""

    step: str
    done: int
    total: int | None = None
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """An event: something a user might act on."""

    message: str
    facts: tuple[tuple[str, str], ...] = field(default_factory=tuple)


Event = Progress | Notice | ShardReport
Listener = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Listen to nothing."""


@dataclass(frozen=True, slots=True)
class CollectionReport:
    """What a collection held, and how much of it was copied."""

    documents: int = 0
    blocks: int = 0
    tokens: int = 0
    copied_blocks: int = 0
    copied_tokens: int = 0

    def __add__(self, other: "CollectionReport") -> "CollectionReport":
        return CollectionReport(
            self.documents + other.documents,
            self.blocks + other.blocks,
            self.tokens + other.tokens,
            self.copied_blocks + other.copied_blocks,
            self.copied_tokens + other.copied_tokens,
        )


@dataclass(frozen=True, slots=True)
class WordChange:
    """Words of the original and what a copy has in their place; either may be empty."""

    original: str
    copy: str


@dataclass(frozen=True, slots=True)
class CopyMember:
    """One document of a cluster of copies: how it was found, and where its words differ."""

    id: str
    url: str
    source: str
    site: str
    date: date | None
    method: str
    similarity: float
    changes: tuple[WordChange, ...]
    # All documents it has text from, the one with the most first.
    originals: tuple[Original, ...] = ()


@dataclass(frozen=True, slots=True)
class CopyCluster:
    """A document's copies, the original first."""

    original: str
    members: tuple[CopyMember, ...]


@dataclass(frozen=True, slots=True)
class Copying:
    """How many documents and words one host has from another in one month."""

    original_host: str
    host: str
    month: str
    documents: int
    words: int


@dataclass(frozen=True, slots=True)
class NgramRow:
    """What one length and kind of n-grams does to a collection at one threshold."""

    threshold: float
    has_stop_words: bool
    has_marks: bool
    ngram: int
    # Distinct n-grams that occur more than once, and as a share of all words.
    duplicate_ngrams: int
    duplicate_share: float
    # Words left, and as a share of all.
    words: int
    words_share: float
    # Occurrences of 10-grams left that are not the only one, and as a share of those before.
    ten_grams: int
    ten_grams_share: float


@dataclass(frozen=True, slots=True)
class Agreement:
    """How far a method decides as a comparison of every document with every other does."""

    method: str
    # Documents, or paragraphs where the method judges paragraphs.
    judged: int
    both: int
    only_method: int
    only_pairwise: int

    @property
    def share(self) -> float:
        """Share of decisions that are the same."""
        return 1 - (self.only_method + self.only_pairwise) / max(self.judged, 1)


@dataclass(frozen=True, slots=True)
class LanguageShare:
    """The documents of one language: how many, how many kept, how surely told, how they read."""

    language: str
    # Why no language is named, for those that have none.
    reason: str
    documents: int
    kept: int
    certainty: float
    not_connected: int
    # The mean score of the variety, where the corpus has lists for one.
    variety: float | None = None


@dataclass(frozen=True, slots=True)
class CopyScores:
    """How well copies of known kinds are found with one setting; all shares are 0 to 1."""

    ngram: int
    threshold: float
    ignored: int
    found: tuple[tuple[str, float], ...]
    duplicate_left: float
    unique_lost: float
