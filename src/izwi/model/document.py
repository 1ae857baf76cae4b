"""Texts and what is known about them."""

from collections.abc import Mapping
from dataclasses import field
from datetime import date, datetime
from typing import Literal

from izwi.model.records import dataclass

Outcome = Literal["kept", "dropped", "failed"]
Precision = Literal["day", "month", "year"]


# The media type of captures that hold a document made elsewhere, kept as it stands.
READY_MADE = "application/vnd.izwi.document+json"
# What sorts of pages the default extractor tells apart.
PAGE_TYPES = (
    "article", "forum", "listing", "collection", "documentation", "product", "service",
)  # fmt: skip
# The property under which claims say how likely a page is of a type: "listing 0.62".
PAGE_TYPE_CLAIM = "additionalType"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Kept, or dropped or failed: at which stage, why, and by which measured value."""

    outcome: Outcome = "kept"
    stage: str = ""
    reason: str = ""
    value: float | None = None
    threshold: float | None = None
    detail: str = ""

    @property
    def is_kept(self) -> bool:
        """Whether the document goes on."""
        return self.outcome == "kept"


KEPT = Verdict()


def dropped(
    stage: str,
    reason: str,
    *,
    value: float | None = None,
    threshold: float | None = None,
    detail: str = "",
) -> Verdict:
    """Return the verdict of a document that is not wanted, with the measured value."""
    return Verdict("dropped", stage, reason, value, threshold, detail)


def failed(stage: str, reason: str, *, detail: str = "") -> Verdict:
    """Return the verdict of a document that could not be worked on."""
    return Verdict("failed", stage, reason, detail=detail)


@dataclass(frozen=True, slots=True)
class PublicationDate:
    """A date as a claim: its value, how exact it is, and what says so."""

    value: date
    precision: Precision = "day"
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class Claim:
    """One candidate for a property (under its schema.org name) and the evidence for it."""

    property: str
    value: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Metadata:
    """What is known of a document beside its text, and everything that claims to know it."""

    title: str = ""
    author: str = ""
    date: PublicationDate | None = None
    section: str = ""
    site: str = ""
    modified: PublicationDate | None = None
    keywords: tuple[str, ...] = ()
    # The language the page says it is in.
    language: str = ""
    licence: str = ""
    url_canonical: str = ""
    image: str = ""
    # What sort of page it is: article, forum, listing, ...; empty if nobody says.
    page_type: str = ""
    # The page a comment belongs to.
    parent: str = ""
    claims: tuple[Claim, ...] = field(default=(), compare=False)

    @property
    def type_chances(self) -> dict[str, float]:
        """How likely the page is of each type, as its extractor said; empty if it did not."""
        told = (claim.value for claim in self.claims if claim.property == PAGE_TYPE_CLAIM)
        named = (value.rpartition(" ") for value in told)
        return {name: float(chance) for name, _, chance in named if name in PAGE_TYPES}

    def confidence(self, name: str, chosen: str) -> float:
        """Return how far the claims for a property agree with what was chosen, from 0 to 1.

        Of n claims a agree; (a + 1) / (n + 2) is the share one can expect of the next one.
        """
        values = [_plain(claim.value) for claim in self.claims if claim.property == name]
        if not values or not chosen:
            return 0.0
        wanted = _plain(chosen)
        agreeing = sum(wanted in value or value in wanted for value in values if value)
        return (agreeing + 1) / (len(values) + 2)


def _plain(value: str) -> str:
    return " ".join(value.casefold().split())


@dataclass(frozen=True, slots=True)
class Mark:
    """Words of a paragraph set apart (`b`, `em`, `code`, ...) or linked (`a`), by place."""

    start: int
    end: int
    name: str
    # Where a link leads.
    target: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A text block: its kind (p, h, li, ...), whether it is main text, and why."""

    text: str
    kind: str = "p"
    is_main: bool = True
    reason: str = ""
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class LanguageGuess:
    """The language of a text (ISO 639-3, `und` if none can be named) and how sure one is."""

    code: str
    score: float
    # Why no language is named.
    reason: str = ""


@dataclass(frozen=True, slots=True)
class LanguageRun:
    """Words of one language in a row: where they begin and end in the text, and how many."""

    start: int
    end: int
    code: str
    words: int


@dataclass(frozen=True, slots=True)
class ForeignRun:
    """Words of a paragraph in another language than the document's; offsets into the paragraph."""

    paragraph: int
    start: int
    end: int
    code: str


@dataclass(frozen=True, slots=True)
class Connected:
    """How far a text is from the running text of its language, and how far it may be.

    `deviation` is B(d), the summed negative deviation of its frequent words; a text above the
    threshold is a list, a table or a menu.
    """

    deviation: float
    threshold: float
    # The share it is short of most: "frequent" words, "ends" of sentences, ...
    short: str = ""

    @property
    def is_connected(self) -> bool:
        """Whether it reads like running text."""
        return self.deviation <= self.threshold


@dataclass(frozen=True, slots=True)
class VarietyScore:
    """How much speaks for a variety, from 0 to 1, and what it is made of, each from 0 to 1."""

    score: float
    lexicon: float
    spelling: float
    host: float
    # The regional words found, with how often.
    found: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CopyOf:
    """The document this one copies, by which method it was found, and how similar it is."""

    document: str
    method: str
    similarity: float


# How a paragraph is found that is no text of its page; and this in words.
FURNITURE, FURNITURE_WORDS = "furniture", "other pages leave it out"


@dataclass(frozen=True, slots=True)
class BlockCopy:
    """A paragraph that another document (or an earlier paragraph of the same) already has."""

    paragraph: int
    document: str
    method: str
    similarity: float
    # Further documents that own n-grams of it, the one with the most first.
    others: tuple[str, ...] = ()

    @property
    def is_furniture(self) -> bool:
        """Whether it is no copy: other pages of the site leave it out, one of which is named."""
        return self.method == FURNITURE


@dataclass(frozen=True, slots=True)
class Original:
    """A document that another one has text from, when and where it was published."""

    document: str
    publication: str
    date: date | None
    # Share of the copy's words in paragraphs it has from here.
    share: float


@dataclass(frozen=True, slots=True)
class Annotation:
    """Tokens of a document's text, column by column.

    `starts` and `ends` are character offsets into `Document.text`; `sentences` and `paragraphs`
    hold the number of the token that begins each. The columns after these hold one value for
    each token, or nothing where they were not asked for; `language` is that of the whole text.
    """

    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]
    sentences: tuple[int, ...]
    paragraphs: tuple[int, ...]
    lemmas: tuple[str, ...] = ()
    upos: tuple[str, ...] = ()
    xpos: tuple[str, ...] = ()
    feats: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    # Dependencies: the number of the head in its sentence ("0" for the root), and the relation.
    heads: tuple[str, ...] = ()
    deprels: tuple[str, ...] = ()
    language: str = ""


# What annotators may say of each token beside its form, in the order of their columns.
TOKEN_COLUMNS = ("lemmas", "upos", "xpos", "feats", "stems", "heads", "deprels")
# Where in an annotation the values of each attribute stand that can be searched or exported.
COLUMN_BY_ATTRIBUTE: Mapping[str, str] = {
    "lemma": "lemmas",
    "pos": "xpos",
    "upos": "upos",
    "feats": "feats",
    "stem": "stems",
    "head": "heads",
    "deprel": "deprels",
}


@dataclass(frozen=True, slots=True)
class Document:
    """A text unit extracted from a capture; stages fill the later fields one by one."""

    id: str
    url: str
    captured: datetime
    source: str
    media_type: str = ""
    metadata: Metadata = field(default_factory=Metadata)
    paragraphs: tuple[Paragraph, ...] = ()
    verdict: Verdict = KEPT
    language: LanguageGuess | None = None
    signature: int | None = None
    # By what is known what the page leaves out of its text, and what is asked for the text's ends.
    furniture_keys: tuple[int, ...] = ()
    edge_keys: tuple[int, ...] = ()
    copy_of: CopyOf | None = None
    connected: Connected | None = None
    variety: VarietyScore | None = None
    foreign: tuple[ForeignRun, ...] = ()
    # Paragraphs of which other languages' parts were taken away, by number.
    cut: tuple[int, ...] = ()
    copied: tuple[BlockCopy, ...] = ()
    # All documents it has text from, the one with the most first.
    originals: tuple[Original, ...] = ()
    # Paragraphs that are copies and therefore not part of the text that is indexed.
    left_out: tuple[int, ...] = ()
    annotation: Annotation | None = None
    # The tokens a document made elsewhere came with; they are not looked for again.
    given: Annotation | None = None

    @property
    def is_ready_made(self) -> bool:
        """Whether it was made elsewhere: nothing is cut from it, and nothing drops it."""
        return self.media_type == READY_MADE

    @property
    def text(self) -> str:
        """The main text, one paragraph a line."""
        return "\n".join(paragraph.text for paragraph in self.paragraphs if paragraph.is_main)

    @property
    def is_folded(self) -> bool:
        """Whether it was left out as a copy, but stays with its original and may be asked for."""
        return self.verdict.stage == "dedup" and self.verdict.reason != "dropped-copy"
