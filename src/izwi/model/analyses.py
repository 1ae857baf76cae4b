"""What analyses answer: tables of numbers, each with what opens the lines it counts."""

from dataclasses import asdict, field
from datetime import date
from typing import Any

from izwi.model.records import dataclass
from izwi.model.tabular import Tabular, flat

# How a text is named that words are compared with: documents by a saved name, or by a condition.
SUBCORPUS, WHERE = "subcorpus:", "where:"
# What time is cut into, the shortest first.
PERIODS = ("day", "week", "month", "quarter", "year", "decade")


def escaped(text: str) -> str:
    r"""Return an expression that only a text itself matches; `\"` there is a quotation mark.

    >>> escaped('say \\"a.b\\"')
    'say\\ \\"a\\.b\\"'
    """
    plain = text.replace('\\"', '"')
    return "".join(sign if sign.isalnum() or ord(sign) > 127 else f"\\{sign}" for sign in plain)


@dataclass(frozen=True, slots=True)
class Opening:
    """What to ask a concordance for, so that it shows what a number counts.

    The query is empty where none asks for exactly that.
    """

    query: str
    where: str = ""
    since: date | None = None
    until: date | None = None
    sources: tuple[str, ...] = ()
    copies: bool = False
    # Only lines with a match of this (CQL) among so many tokens on either side.
    near: str = ""
    window: int = 5

    def arguments(self) -> dict[str, Any]:
        """Return the keywords of `corpus.concordance(opening.query, **opening.arguments())`."""
        given = {name: value for name, value in asdict(self).items() if name != "query"}
        return given | {"mode": "cql"}


@dataclass(frozen=True, slots=True)
class FrequencyLine:
    """How often a query occurs under some values, per million with a 95 % interval by document."""

    values: tuple[str, ...]
    hits: int
    # Of all hits, from 0 to 1.
    share: float
    documents: int
    # The tokens a rate is counted on; None where the corpus has no such part.
    tokens: int
    per_million: float | None
    low: float | None
    high: float | None
    opens: Opening


@dataclass(frozen=True, slots=True, repr=False)
class Frequencies(Tabular[FrequencyLine]):
    """The frequencies of a query by one or two things."""

    query: str
    cql: str
    snapshot: int
    by: tuple[str, ...]
    hits: int
    documents: int
    tokens: int
    # Lines there are, of which some are shown.
    total: int
    sort: str
    lines: tuple[FrequencyLine, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class WordLine:
    """A word or an n-gram and how often it occurs; spread over how many documents and sites."""

    value: str
    hits: int
    per_million: float
    # Not counted for n-grams.
    documents: int | None
    sites: int | None
    # Gries's deviation of proportions over sites: 0 is even, 1 is all in one small site.
    dp: float | None
    opens: Opening


@dataclass(frozen=True, slots=True, repr=False)
class WordList(Tabular[WordLine]):
    """Words or n-grams by frequency."""

    attribute: str
    size: int
    snapshot: int
    tokens: int
    # Different values in the chosen text, and those that pass pattern, stop list and minimum; None
    # for n-grams of which only the most frequent were counted.
    types: int | None
    total: int | None
    pattern: str
    least: int
    sort: str
    lines: tuple[WordLine, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PartLine:
    """How often a query occurs in one part of the corpus."""

    value: str
    hits: int
    tokens: int
    per_million: float | None
    opens: Opening


@dataclass(frozen=True, slots=True, repr=False)
class Dispersion(Tabular[PartLine]):
    """How evenly a query is spread over the parts of the corpus; None where nothing was found."""

    query: str
    cql: str
    snapshot: int
    by: str
    hits: int
    tokens: int
    parts: int
    # Parts with hits.
    range: int
    juilland_d: float | None
    dp: float | None
    dp_norm: float | None
    # Average reduced frequency: the hits it would have if they were spread evenly.
    arf: float | None
    # Where hits stand in the corpus, from 0 to 1; at most a thousand places.
    barcode: tuple[float, ...]
    lines: tuple[PartLine, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CollocatePeriod:
    """A pair in one period: how often together, beside how often the node occurs at all."""

    period: str
    together: int
    hits: int


@dataclass(frozen=True, slots=True)
class Collocate:
    """A word near the node: left, right and in all, its own frequency, and every measure."""

    value: str
    left: int
    right: int
    total: int
    frequency: int
    mi: float
    mi3: float
    t: float
    z: float
    ll: float
    chi2: float
    dice: float
    logdice: float
    minsens: float
    deltap: float
    deltap_back: float
    opens: Opening
    periods: tuple[CollocatePeriod, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Collocations(Tabular[Collocate]):
    """The words near a query's hits, and by which convention they were counted."""

    query: str
    cql: str
    snapshot: int
    attribute: str
    left: int
    right: int
    counting: str
    # The convention in words, to be shown beside the numbers.
    counting_words: str
    measure: str
    hits: int
    tokens: int
    window_tokens: int
    total: int
    least: int
    pattern: str
    lines: tuple[Collocate, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Keyword:
    """A word or term, here and in the reference, with every measure of keyness."""

    value: str
    hits: int
    reference_hits: int
    per_million: float
    reference_per_million: float
    simple: float
    logratio: float
    ll: float
    # Difference in per cent; None if the reference has none.
    diff: float | None
    documents: int
    sites: int
    dp: float | None
    opens: Opening


@dataclass(frozen=True, slots=True, repr=False)
class Keywords(Tabular[Keyword]):
    """The words or terms that set one text apart from another."""

    measure: str
    smoothing: float
    attribute: str
    snapshot: int
    # What is compared, in words.
    focus: str
    reference: str
    focus_tokens: int
    reference_tokens: int
    # Words that pass pattern, stop list, minimum and the guard, of which some are shown.
    total: int
    pattern: str
    least: int
    # A word must be in at least so many sites.
    sites: int
    lines: tuple[Keyword, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """One period: hits, the text it is counted on, and the rate with a 95 % interval."""

    period: str
    start: date
    end: date
    hits: int
    documents: int
    corpus_documents: int
    tokens: int
    # None where the period has no text.
    per_million: float | None
    low: float | None
    high: float | None
    # Whether the chosen text reaches over the whole period.
    is_complete: bool
    opens: Opening


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """The first period of another level, and the rates per million before and after."""

    period: str
    before: float
    after: float


@dataclass(frozen=True, slots=True, repr=False)
class Trend(Tabular[TrendPoint]):
    """How the frequency of a query changes; the slope is per million and year."""

    query: str
    cql: str
    snapshot: int
    by: str
    hits: int
    tokens: int
    points: tuple[TrendPoint, ...]
    # Theil and Sen's slope with its interval, Mann and Kendall's tau and its probability: of
    # complete periods with text, None if there are fewer than four.
    slope: float | None
    slope_low: float | None
    slope_high: float | None
    tau: float | None
    p: float | None
    changes: tuple[ChangePoint, ...]
    # The sources that all points are counted on, if a fixed panel was asked for.
    panel: tuple[str, ...]
    # What has no date, or one too vague for the period.
    undated_hits: int
    undated_tokens: int
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[TrendPoint, ...]:  # type: ignore[override]
        """The points."""
        return self.points


@dataclass(frozen=True, slots=True)
class Side:
    """A query in one of two texts that are compared."""

    name: str
    hits: int
    documents: int
    tokens: int
    per_million: float | None
    low: float | None
    high: float | None
    opens: Opening


@dataclass(frozen=True, slots=True)
class SharedCollocate:
    """A collocate in both texts: how often together and how strongly, first and second."""

    value: str
    first_total: int
    second_total: int
    first_score: float | None
    second_score: float | None
    # None where it does not occur near the query.
    first_opens: Opening | None
    second_opens: Opening | None


@dataclass(frozen=True, slots=True, repr=False)
class TextComparison(Tabular[SharedCollocate]):
    """Two corpora or subcorpora side by side; the lines are the collocates of the query in both."""

    first: str
    second: str
    query: str
    snapshot: int
    first_keywords: Keywords
    second_keywords: Keywords
    # The query in both; empty if none was asked.
    sides: tuple[Side, ...]
    # log2 of the ratio of the two rates, and the log-likelihood of their difference.
    logratio: float | None
    ll: float | None
    measure: str
    lines: tuple[SharedCollocate, ...] = ()
    notes: tuple[str, ...] = field(default_factory=tuple)

    def rows(self) -> list[dict[str, object]]:
        """Return all that is compared as rows: the query, its collocates, the keywords of each."""
        rows: list[dict[str, object]] = [
            *({"part": "query", "text": side.name, **flat(side)} for side in self.sides),
            *({"part": "collocate", **_beside(line)} for line in self.lines),
            *({"part": "keyword", "text": self.first, **row} for row in self.first_keywords.rows()),
            *(
                {"part": "keyword", "text": self.second, **row}
                for row in self.second_keywords.rows()
            ),
        ]
        # A table has the same columns in every row.
        names = dict.fromkeys(name for row in rows for name in row)
        return [{name: row.get(name) for name in names} for row in rows]


def _beside(line: SharedCollocate) -> dict[str, object]:
    """Return a collocate in both texts as a row, without what opens its lines."""
    names = ("value", "first_total", "second_total", "first_score", "second_score")
    return {name: getattr(line, name) for name in names}
