"""What lexicographers are answered: sketches, similar words, good examples, new words, dates."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Any

from izwi.model.records import dataclass
from izwi.model.results import KwicLine
from izwi.model.tabular import Tabular

# What may be decided about a word that looks new.
DECISIONS = ("accept", "reject", "later", "name", "error", "known")

# Kinds of new words and their places in a list: what may be a name or a slip comes after words.
NEW_KINDS = {"word": 0, "name": 1, "slip": 2}


@dataclass(frozen=True, slots=True)
class SketchCollocate:
    """A word in a relation to another, how often, and how typical of it (logDice)."""

    word: str
    hits: int
    score: float
    # Finds lines like those that were counted.
    cql: str


@dataclass(frozen=True, slots=True)
class SketchRelation:
    """The words that stand in one relation to the word of a sketch."""

    name: str
    hits: int
    collocates: tuple[SketchCollocate, ...]


def _collocate_rows(relations: Sequence[Any]) -> list[dict[str, object]]:
    return [
        {"relation": relation.name, **asdict(collocate)}
        for relation in relations
        for collocate in relation.collocates
    ]


@dataclass(frozen=True, slots=True, repr=False)
class Sketch(Tabular[SketchRelation]):
    """A word's company, relation by relation."""

    word: str
    language: str
    snapshot: int
    hits: int
    relations: tuple[SketchRelation, ...]
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[SketchRelation, ...]:  # type: ignore[override]
        """The relations."""
        return self.relations

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each collocate of each relation."""
        return _collocate_rows(self.relations)


@dataclass(frozen=True, slots=True)
class DifferenceCollocate:
    """A word in the same relation to two others; the difference is of the scores."""

    word: str
    first_hits: int
    second_hits: int
    first_score: float
    second_score: float
    difference: float
    # Find the lines of each.
    first_cql: str = ""
    second_cql: str = ""


@dataclass(frozen=True, slots=True)
class DifferenceRelation:
    """One relation of two sketches, from what is typical of the first to what is of the second."""

    name: str
    first_hits: int
    second_hits: int
    collocates: tuple[DifferenceCollocate, ...]


@dataclass(frozen=True, slots=True, repr=False)
class SketchDifference(Tabular[DifferenceRelation]):
    """How the company of two words differs."""

    first: str
    second: str
    language: str
    snapshot: int
    first_hits: int
    second_hits: int
    relations: tuple[DifferenceRelation, ...]
    notes: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[DifferenceRelation, ...]:  # type: ignore[override]
        """The relations."""
        return self.relations

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each collocate of each relation."""
        return _collocate_rows(self.relations)


@dataclass(frozen=True, slots=True)
class SimilarWord:
    """A word that keeps the same company, and some of the company they share."""

    word: str
    score: float
    hits: int
    shared: tuple[str, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Thesaurus(Tabular[SimilarWord]):
    """The words most like one in what stands beside them."""

    word: str
    language: str
    snapshot: int
    hits: int
    lines: tuple[SimilarWord, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each similar word."""
        return [asdict(line) | {"shared": ", ".join(line.shared)} for line in self.lines]


@dataclass(frozen=True, slots=True)
class Factor:
    """A part of a score: its value from 0 to 1, what it weighs, and why it is what it is."""

    name: str
    value: float
    weight: float
    reason: str


def weighted(factors: Sequence[Factor]) -> float:
    """Return the score that factors make up together, from 0 to 1.

    >>> weighted([Factor("a", 1.0, 3.0, ""), Factor("b", 0.0, 1.0, "")])
    0.75
    """
    total = sum(factor.weight for factor in factors)
    return sum(factor.value * factor.weight for factor in factors) / total if total else 0.0


@dataclass(frozen=True, slots=True)
class GoodExample:
    """A sentence that shows a word, and what makes it a good example of it."""

    score: float
    line: KwicLine
    factors: tuple[Factor, ...]


@dataclass(frozen=True, slots=True, repr=False)
class GoodExamples(Tabular[GoodExample]):
    """The best examples of a query, from those that were judged."""

    query: str
    cql: str
    snapshot: int
    hits: int
    judged: int
    lines: tuple[GoodExample, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each example with the value of each factor."""
        return [
            {"score": each.score, "left": each.line.left, "match": each.line.match}
            | {"right": each.line.right, "url": each.line.document.url}
            | {factor.name: factor.value for factor in each.factors}
            for each in self.lines
        ]


@dataclass(frozen=True, slots=True)
class Attestation:
    """A dated occurrence: the date as claimed, how exact it is, what says so, how sure it is."""

    word: str
    date: date
    precision: str
    evidence: str
    certainty: str
    line: KwicLine


@dataclass(frozen=True, slots=True)
class Variant:
    """Another form of a word, how often it occurs, and in what it differs."""

    word: str
    hits: int
    reason: str


@dataclass(frozen=True, slots=True)
class FormCount:
    """A form of a word and how often it occurs."""

    word: str
    hits: int


@dataclass(frozen=True, slots=True)
class DoubtfulLemma:
    """A lemma that nothing attests, its forms, and other lemmas that these may have."""

    lemma: str
    hits: int
    forms: tuple[FormCount, ...]
    others: tuple[str, ...]

    @property
    def form_list(self) -> str:
        """The forms in a row, each with its number."""
        return ", ".join(f"{each.word} {each.hits:,}" for each in self.forms)

    @property
    def other_list(self) -> str:
        """The other lemmas in a row."""
        return ", ".join(self.others)


@dataclass(frozen=True, slots=True, repr=False)
class DoubtfulLemmas(Tabular[DoubtfulLemma]):
    """Lemmas that nothing attests, the most frequent first."""

    language: str
    snapshot: int
    # Those there are, of which some are shown.
    total: int
    lines: tuple[DoubtfulLemma, ...]

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each lemma."""
        return [
            {"lemma": each.lemma, "hits": each.hits, "forms": each.form_list}
            | {"others": each.other_list}
            for each in self.lines
        ]


@dataclass(frozen=True, slots=True)
class NewWord:
    """A word first seen in a period, with what speaks for it and what was decided before.

    Hits, documents and sites are those of all its spellings.
    """

    word: str
    score: float
    hits: int
    documents: int
    sites: int
    factors: tuple[Factor, ...]
    first: Attestation
    variants: tuple[Variant, ...]
    decision: str
    cql: str
    # word, name or slip, by its capitals and by the older word it is one letter away from.
    kind: str = "word"


@dataclass(frozen=True, slots=True, repr=False)
class NewWords(Tabular[NewWord]):
    """Words first seen in a period, the likeliest first."""

    since: date
    until: date
    snapshot: int
    # Tokens of the period, and of the time before it.
    tokens: int
    tokens_before: int
    # Words that passed the conditions, of which some are shown.
    total: int
    lines: tuple[NewWord, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each word with its first date and its reasons."""
        return [
            {"word": each.word, "kind": each.kind, "score": each.score, "hits": each.hits}
            | {"documents": each.documents, "sites": each.sites, "decision": each.decision}
            | {"first": each.first.date, "evidence": each.first.evidence}
            | {"url": each.first.line.document.url}
            | {"variants": ", ".join(variant.word for variant in each.variants)}
            | {"reasons": "; ".join(factor.reason for factor in each.factors)}
            for each in self.lines
        ]


@dataclass(frozen=True, slots=True)
class Headword:
    """A word of a dictionary: the first date known for it, and its other spellings."""

    word: str
    known: str = ""
    variants: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HeadwordReport:
    """What the corpus says of a headword: its earliest line beside the date that was known.

    `verdict` is antedating, same, later, no-known-date, undated (hits, but none with a date) or
    absent; `days` are how much earlier the line is.
    """

    headword: str
    verdict: str
    known: str
    days: int | None
    hits: int
    found: Attestation | None
    # The earliest line whose date is well founded, where that is another one.
    surer: Attestation | None = None
    forms: tuple[Variant, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Attestations(Tabular[HeadwordReport]):
    """First attestations of headwords, antedatings first."""

    snapshot: int
    lines: tuple[HeadwordReport, ...]
    notes: tuple[str, ...] = ()

    def rows(self) -> list[dict[str, object]]:
        """Return a row for each headword."""
        return [
            dict[str, object](headword=each.headword, verdict=each.verdict, known=each.known)
            | {"days": each.days, "hits": each.hits}
            | {"date": each.found.date if each.found else None}
            | {"evidence": each.found.evidence if each.found else ""}
            | {"certainty": each.found.certainty if each.found else ""}
            | {"url": each.found.line.document.url if each.found else ""}
            | {"forms": ", ".join(form.word for form in each.forms)}
            for each in self.lines
        ]


@dataclass(frozen=True, slots=True)
class WordDecision:
    """What somebody decided about a word, and when."""

    word: str
    decision: str
    who: str
    when: str
    note: str = ""
