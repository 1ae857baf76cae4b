"""The words that set one text apart from another; one site alone cannot make a keyword."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from izwi.analyse import keyness
from izwi.analyse.choice import Choice
from izwi.analyse.grouping import largest, optional
from izwi.analyse.keyness import MEASURES, Frequencies
from izwi.analyse.openings import phrase
from izwi.analyse.references import Reference, empty
from izwi.analyse.selection import Selection, attribute_of
from izwi.analyse.spread import spread_over
from izwi.analyse.values import value_counts
from izwi.analyse.vocabulary import vocabulary_of
from izwi.model.analyses import Keyword, Keywords
from izwi.model.errors import QueryError
from izwi.query.deadline import Deadline

Counts = NDArray[np.int64]
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class KeywordsAsked:
    """What makes a keyword, and which are shown."""

    measure: str = "simple"
    smoothing: float = 1.0
    # A keyword is in at least so many sites, if the text has as many.
    sites: int = 2
    choice: Choice = field(default_factory=lambda: Choice(least=5))

    def __post_init__(self) -> None:
        if self.measure not in MEASURES:
            raise QueryError(f"A measure is one of {', '.join(MEASURES)}, not '{self.measure}'.")
        if not self.smoothing > 0:
            raise QueryError(f"The constant of simple maths is above 0, not {self.smoothing:g}.")
        if self.sites < 1:
            raise QueryError(f"A keyword is in at least one site, not {self.sites}.")


@dataclass(frozen=True, slots=True)
class Candidates:
    """What may become a keyword: how often it occurs, and in how many documents and sites."""

    selection: Selection
    attribute: str
    hits: Counts
    documents: Counts
    sites: Counts
    dp: NDArray[np.float64]
    # How many sites the text has.
    parts: int
    # The words of some candidates, given by their places.
    words: Callable[[Counts], list[Words]]
    # Their numbers in the vocabulary, if they are single words.
    numbers: Counts | None = None

    def __len__(self) -> int:
        return len(self.hits)

    def all_words(self) -> list[Words]:
        """Return the words of all candidates."""
        return self.words(np.arange(len(self)))

    def kept(self, places: Counts) -> "Candidates":
        """Return some of the candidates."""
        return Candidates(
            self.selection,
            self.attribute,
            self.hits[places],
            self.documents[places],
            self.sites[places],
            self.dp[places],
            self.parts,
            lambda some: self.words(places[some]),
            None if self.numbers is None else self.numbers[places],
        )


def candidate_words(selection: Selection, asked: KeywordsAsked, deadline: Deadline) -> Candidates:
    """Return the words of a text that are frequent enough and in enough sites."""
    choice = asked.choice
    attribute = attribute_of(
        selection.segments, choice.attribute, is_exact_case=choice.is_exact_case
    )
    vocabulary = vocabulary_of(selection.segments, attribute)
    counts = value_counts(selection, vocabulary, attribute, deadline)
    documents, sites = (
        spread_over(selection, vocabulary, attribute, counts, name=name, deadline=deadline)
        for name in ("document", "publication")
    )
    every = Candidates(
        selection,
        attribute,
        counts,
        documents.ranges,
        sites.ranges,
        sites.dp,
        sites.parts,
        lambda some: [(value,) for value in vocabulary.values(some)],
        np.arange(len(counts)),
    )
    passing = np.flatnonzero(is_enough(every, asked))
    return every.kept(passing[vocabulary.passing(choice, passing, deadline)])


def is_enough(candidates: Candidates, asked: KeywordsAsked) -> NDArray[np.bool_]:
    """Return which candidates are frequent enough and in enough sites."""
    sites = least_sites(candidates, asked)
    return (candidates.hits >= asked.choice.least) & (candidates.sites >= sites)


def least_sites(candidates: Candidates, asked: KeywordsAsked) -> int:
    """Return in how many sites a keyword has to be: no more than there are."""
    return min(asked.sites, max(1, candidates.parts))


def word_reference(
    candidates: Candidates, other: Selection, *, name: str, deadline: Deadline
) -> Reference:
    """Return how often the candidates occur in other documents, of this corpus or of another."""
    attribute = candidates.attribute
    vocabulary = vocabulary_of(other.segments, attribute)
    own = vocabulary_of(candidates.selection.segments, attribute)
    # What is not there has the last number, which counts nothing.
    counts = np.append(value_counts(other, vocabulary, attribute, deadline), 0)
    if own is vocabulary and candidates.numbers is not None:
        found = counts[candidates.numbers]
    else:
        found = counts[vocabulary.lookup([words[0] for words in candidates.all_words()])]
    return Reference(found, other.tokens, name, empty(other, name))


def keyed(
    candidates: Candidates, reference: Reference, asked: KeywordsAsked, *, name: str, snapshot: int
) -> Keywords:
    """Return the candidates that are most characteristic of a text beside a reference.

    Beside a reference without text nothing is: there are no lines then, and a note says so.
    """
    selection = candidates.selection
    found = Frequencies(
        candidates.hits.astype(np.float64),
        reference.counts.astype(np.float64),
        float(selection.tokens),
        float(reference.tokens),
    )
    scores = keyness.scores(found, asked.measure, asked.smoothing)
    order = largest((scores, found.focus), asked.choice.most if reference.tokens else 0)
    return Keywords(
        measure=asked.measure,
        smoothing=asked.smoothing,
        attribute=candidates.attribute,
        snapshot=snapshot,
        focus=name,
        reference=reference.words,
        focus_tokens=selection.tokens,
        reference_tokens=reference.tokens,
        total=len(candidates),
        pattern=asked.choice.pattern,
        least=asked.choice.least,
        sites=least_sites(candidates, asked),
        lines=_lines(candidates.kept(order), found.of(order), asked.smoothing),
        notes=(*_notes(candidates, asked), *reference.notes),
    )


def _lines(candidates: Candidates, found: Frequencies, smoothing: float) -> tuple[Keyword, ...]:
    """Return a line for each of some candidates."""
    measured = {
        "simple": keyness.simple(found, smoothing),
        "logratio": keyness.logratio(found),
        "ll": keyness.ll(found),
    }
    rates, diff = found.per_million, keyness.diff(found)
    return tuple(
        Keyword(
            value=" ".join(words),
            hits=int(found.focus[at]),
            reference_hits=int(found.reference[at]),
            per_million=float(rates[0][at]),
            reference_per_million=float(rates[1][at]),
            **{name: float(column[at]) for name, column in measured.items()},
            diff=optional(diff[at]),
            documents=int(candidates.documents[at]),
            sites=int(candidates.sites[at]),
            dp=optional(candidates.dp[at]) if candidates.parts > 1 else None,
            opens=candidates.selection.opening(phrase(candidates.attribute, words)),
        )
        for at, words in enumerate(candidates.all_words())
    )


def _notes(candidates: Candidates, asked: KeywordsAsked) -> tuple[str, ...]:
    if not candidates.selection.tokens:
        return ("No document fits the conditions, so there are no keywords.",)
    notes = []
    if candidates.parts < asked.sites:
        notes.append(
            f"The text is of {candidates.parts} site only, so nothing guards against words that "
            "only one site uses."
        )
    if not len(candidates):
        notes.append("Nothing passes the pattern, the minimum and the number of sites.")
    return tuple(notes)
