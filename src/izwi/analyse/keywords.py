"""The words that set one text apart from another; one site alone cannot make a keyword."""

import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.selection import Selection, phrase
from izwi.analyse.statistics import largest, optional
from izwi.analyse.vocabulary import Choice, value_counts, vocabulary_of
from izwi.analyse.wordlists import spread_over
from izwi.model.analyses import Keyword, Keywords
from izwi.model.errors import QueryError

Floats = NDArray[np.float64]
MILLION = 1e6
# What stands for no occurrence in a ratio (Hardie 2014).
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class KeyFrequencies:
    """How often words occur in two texts, and how long those are."""

    focus: Floats
    reference: Floats
    focus_tokens: float
    reference_tokens: float

    def of(self, places: NDArray[np.int64]) -> "KeyFrequencies":
        """Return those of some words."""
        return KeyFrequencies(
            self.focus[places], self.reference[places], self.focus_tokens, self.reference_tokens
        )

    @property
    def per_million(self) -> tuple[Floats, Floats]:
        """The rates in both; 0 in a text without tokens."""
        return (
            MILLION * self.focus / max(self.focus_tokens, 1.0),
            MILLION * self.reference / max(self.reference_tokens, 1.0),
        )


def simple(found: KeyFrequencies, smoothing: float = 1.0) -> Floats:
    """Return the ratio of rates, both raised by a constant (simple maths, Kilgarriff 2009)."""
    focus, reference = found.per_million
    return (focus + smoothing) / (reference + smoothing)


def logratio(found: KeyFrequencies) -> Floats:
    """Return log2 of the ratio of rates (Hardie 2014); none counts as half an occurrence."""
    focus = np.maximum(found.focus, _HALF) / max(found.focus_tokens, 1.0)
    reference = np.maximum(found.reference, _HALF) / max(found.reference_tokens, 1.0)
    return np.log2(focus / reference)


def ll(found: KeyFrequencies) -> Floats:
    """Return the log-likelihood of a difference (Rayson and Garside 2000).

    Below zero where the word is rarer in the focus.
    """
    both = found.focus + found.reference
    tokens = max(found.focus_tokens + found.reference_tokens, 1.0)
    total = np.zeros(len(both))
    for own, size in ((found.focus, found.focus_tokens), (found.reference, found.reference_tokens)):
        with np.errstate(divide="ignore", invalid="ignore"):
            total += np.where(own > 0, own * np.log(own * tokens / (size * both)), 0.0)
    focus, reference = found.per_million
    return np.where(focus >= reference, 2, -2) * np.maximum(total, 0.0)


def percent_difference(found: KeyFrequencies) -> Floats:
    """Return the difference of rates in per cent of the reference's (Gabrielatos 2018).

    Infinite where the reference has none.
    """
    focus, reference = found.per_million
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(reference > 0, 100 * (focus - reference) / reference, np.inf)


MEASURES = ("simple", "logratio", "ll", "diff")


def keyness_scores(found: KeyFrequencies, measure: str, smoothing: float) -> Floats:
    """Return one measure of all words."""
    match measure:
        case "simple":
            return simple(found, smoothing)
        case "logratio":
            return logratio(found)
        case "ll":
            return ll(found)
    return percent_difference(found)


Counts = NDArray[np.int64]
Words = tuple[str, ...]
# Below this share of running words that a list knows, it is probably spelt in another way.
_KNOWN_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Reference:
    """How often the words of one text occur in another, how long that is, and what it is."""

    counts: Counts
    tokens: int
    words: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FrequencyList:
    """Words and how often they occur in some text of so many tokens."""

    name: str
    frequencies: Mapping[str, int]
    tokens: int


def read_frequency_list(path: Path) -> FrequencyList:
    """Return a list of lines `word<TAB>frequency`; `# tokens N` says how long its text was.

    Without that, it is as long as its frequencies add up to. Words given twice are added up.
    """
    frequencies: dict[str, int] = {}
    tokens = 0
    for number, line in enumerate(_lines_of_list(path), 1):
        if line.startswith("#"):
            tokens = _said_tokens(line) or tokens
            continue
        word, _, rest = line.rstrip("\n").partition("\t")
        many = rest.split("\t")[0].strip().replace(",", "")
        if not many.isdecimal():
            if number > 1:
                raise QueryError(f"{path}, line {number}: '{rest.strip()}' is not a frequency.")
            continue
        key = unicodedata.normalize("NFC", word)
        frequencies[key] = frequencies.get(key, 0) + int(many)
    if not frequencies:
        raise QueryError(f"{path} has no line of a word, a tab and its frequency.")
    return FrequencyList(path.name, frequencies, tokens or sum(frequencies.values()))


def _lines_of_list(path: Path) -> Iterable[str]:
    try:
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"The frequency list {path} cannot be read: {error}.") from None


def _said_tokens(line: str) -> int:
    words = line.lstrip("# ").split()
    is_said = len(words) == 2 and words[0].casefold() in ("tokens", "size")
    many = words[1].replace(",", "") if is_said else ""
    return int(many) if many.isdecimal() else 0


def from_list(
    given: FrequencyList, words: Sequence[Words], hits: Counts, attribute: str
) -> Reference:
    """Return what a list says of some words or terms; in lower case if the words are."""
    known = given.frequencies
    if attribute == "lc":
        known = {}
        for word, many in given.frequencies.items():
            known[word.lower()] = known.get(word.lower(), 0) + many
    found = np.array([known.get(" ".join(each), 0) for each in words], np.int64)
    return Reference(found, given.tokens, f"the list {given.name}", _coverage(given, found, hits))


def _coverage(given: FrequencyList, found: Counts, hits: Counts) -> tuple[str, ...]:
    """Return a warning if the list knows too little of the text."""
    share = float(hits[found > 0].sum() / max(1, hits.sum()))
    if share >= _KNOWN_ENOUGH or not len(hits):
        return ()
    return (
        f"The list {given.name} knows only {share:.0%} of the running words compared: it may be "
        "of another language, or spelt or cut in another way (capitals, lemmas, diacritics). "
        "What it does not know counts as absent there.",
    )


def empty(other: Selection, name: str) -> tuple[str, ...]:
    """Return a warning if there is nothing to compare with."""
    return (
        ()
        if other.tokens
        else (f"There is no text in {name}, so there is nothing to compare with.",)
    )


def rest_of(selection: Selection, whole: Selection) -> Selection:
    """Return the other documents of the same version."""
    only = tuple(
        np.zeros(len(segment.document_starts), np.bool_) if mask is None else ~mask
        for segment, mask in zip(selection.segments, selection.masks, strict=True)
    )
    return replace(whole, only=only)


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
            raise QueryError(f"A keyword is in at least one publication, not {self.sites}.")


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


def candidate_words(selection: Selection, asked: KeywordsAsked) -> Candidates:
    """Return the words of a text that are frequent enough and in enough sites."""
    choice = asked.choice
    attribute = selection.attribute(choice)
    vocabulary = vocabulary_of(selection.segments, attribute)
    counts = value_counts(selection, vocabulary, attribute)
    documents, sites = (
        spread_over(selection, vocabulary, attribute, counts, name=name)
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
    return every.kept(passing[vocabulary.passing(choice, passing, selection.deadline)])


def is_enough(candidates: Candidates, asked: KeywordsAsked) -> NDArray[np.bool_]:
    """Return which candidates are frequent enough and in enough sites."""
    sites = least_sites(candidates, asked)
    return (candidates.hits >= asked.choice.least) & (candidates.sites >= sites)


def least_sites(candidates: Candidates, asked: KeywordsAsked) -> int:
    """Return in how many sites a keyword has to be: no more than there are."""
    return min(asked.sites, max(1, candidates.parts))


def word_reference(candidates: Candidates, other: Selection, *, name: str) -> Reference:
    """Return how often the candidates occur in other documents, of this corpus or of another."""
    attribute = candidates.attribute
    vocabulary = vocabulary_of(other.segments, attribute)
    own = vocabulary_of(candidates.selection.segments, attribute)
    # What is not there has the last number, which counts nothing.
    counts = np.append(value_counts(other, vocabulary, attribute), 0)
    if own is vocabulary and candidates.numbers is not None:
        found = counts[candidates.numbers]
    else:
        found = counts[vocabulary.lookup([words[0] for words in candidates.all_words()])]
    return Reference(found, other.tokens, name, empty(other, name))


def keyed(
    candidates: Candidates, reference: Reference, asked: KeywordsAsked, *, name: str
) -> Keywords:
    """Return the candidates that are most characteristic of a text beside a reference.

    Beside a reference without text nothing is: there are no lines then, and a note says so.
    """
    selection = candidates.selection
    found = KeyFrequencies(
        candidates.hits.astype(np.float64),
        reference.counts.astype(np.float64),
        float(selection.tokens),
        float(reference.tokens),
    )
    scores = keyness_scores(found, asked.measure, asked.smoothing)
    order = largest((scores, found.focus), asked.choice.most if reference.tokens else 0)
    return Keywords(
        measure=asked.measure,
        smoothing=asked.smoothing,
        attribute=candidates.attribute,
        snapshot=selection.number,
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


def _lines(candidates: Candidates, found: KeyFrequencies, smoothing: float) -> tuple[Keyword, ...]:
    """Return a line for each of some candidates."""
    measured = {"simple": simple(found, smoothing), "logratio": logratio(found), "ll": ll(found)}
    rates, diff = found.per_million, percent_difference(found)
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
        return ("No document matches the conditions, so there are no keywords.",)
    notes = []
    if candidates.parts < asked.sites:
        notes.append(
            f"The text is of {candidates.parts} site only, so nothing guards against words that "
            "only one site uses."
        )
    if not len(candidates):
        notes.append("Nothing passes the pattern, the minimum and the number of publications.")
    return tuple(notes)
