"""Sequences of words by frequency, counted within memory that does not grow with the text.

A first reading counts all sequences in a small table in which some share a place, so that no
sequence is more frequent than its place says (a count-min sketch of one row, Cormode and
Muthukrishnan 2005). A second one counts exactly those that may be frequent enough; if these are
too many for the memory given, in several goes.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.choice import Choice
from izwi.analyse.counters import Counter, Source, Tally, count_plainly
from izwi.analyse.keeping import kept
from izwi.analyse.openings import phrase
from izwi.analyse.selection import Selection, attribute_of
from izwi.analyse.vocabulary import Vocabulary, vocabulary_of
from izwi.analyse.wordlists import empty_notes
from izwi.index.packed import is_worth_compiling
from izwi.model.analyses import WordLine, WordList
from izwi.model.errors import QueryError
from izwi.model.results import Listener, ignore
from izwi.query.deadline import Deadline

LONGEST = 8
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NgramsAsked:
    """How long the sequences are, and what they must not reach beyond."""

    size: int = 2
    within: str = "s"
    choice: Choice = field(default_factory=Choice)

    def __post_init__(self) -> None:
        if not 1 <= self.size <= LONGEST:
            raise QueryError(f"A sequence has 1 to {LONGEST} words, not {self.size}.")


def ngram_list(
    selection: Selection,
    asked: NgramsAsked,
    *,
    snapshot: int,
    deadline: Deadline,
    listener: Listener = ignore,
) -> WordList:
    """Return the sequences of so many words, the most frequent first."""
    choice = asked.choice
    attribute = attribute_of(
        selection.segments, choice.attribute, is_exact_case=choice.is_exact_case
    )
    vocabulary = vocabulary_of(selection.segments, attribute)

    def counted() -> tuple[Numbers, ...]:
        sources = _sources(selection, asked, attribute, vocabulary, deadline)
        tally = _counted(selection, asked, sources, len(vocabulary), deadline, listener)
        order = np.lexsort((tally.places, -tally.counts))[: choice.most]
        total = len(tally.counts) if tally.is_all else -1
        return tally.places[order], tally.counts[order], np.array([total])

    places, counts, total = kept(selection, ("ngrams", attribute, asked), counted)
    rows = zip(places.tolist(), counts.tolist(), strict=True)
    lines = tuple(
        _line(selection, attribute, _values(selection, attribute, place, asked.size), hits)
        for place, hits in rows
    )
    return WordList(
        attribute=attribute,
        size=asked.size,
        snapshot=snapshot,
        tokens=selection.tokens,
        types=None,
        total=int(total[0]) if total[0] >= 0 else None,
        pattern=choice.pattern,
        least=choice.least,
        sort="hits",
        lines=lines,
        notes=empty_notes(selection, len(lines)),
    )


def _sources(
    selection: Selection,
    asked: NgramsAsked,
    attribute: str,
    vocabulary: Vocabulary,
    deadline: Deadline,
) -> list[Source]:
    """Return what is to be read of each segment."""
    is_wanted = vocabulary.passing(asked.choice, np.arange(len(vocabulary)), deadline)
    sources, offset = [], 0
    for place, segment in enumerate(selection.segments):
        column = segment.attribute(attribute).column
        own = vocabulary.numbers(place, np.arange(len(segment.attribute(attribute).lexicon)))
        codes = own.astype(np.int32) if len(selection.segments) > 1 else np.empty(0, np.int32)
        starts, ends = selection.stretches(place, asked.within)
        sources.append(Source(column, is_wanted[own], codes, starts, ends, offset))
        offset += segment.tokens
    return sources


def _counted(
    selection: Selection,
    asked: NgramsAsked,
    sources: list[Source],
    types: int,
    deadline: Deadline,
    listener: Listener,
) -> Tally:
    choice = asked.choice
    if not is_worth_compiling(sum(segment.tokens for segment in selection.segments)):
        return count_plainly(sources, asked.size, choice.least)
    counter = Counter(sources, asked.size, types, deadline, listener)
    return counter.frequent(choice.least, choice.most)


def _values(selection: Selection, attribute: str, place: int, size: int) -> list[str]:
    """Return the words of the sequence at a place, counted through all segments."""
    for segment in selection.segments:
        if place < segment.tokens:
            break
        place -= segment.tokens
    own = segment.attribute(attribute)
    return own.values(own.column[place : place + size])


def _line(selection: Selection, attribute: str, values: list[str], hits: int) -> WordLine:
    return WordLine(
        value=" ".join(values),
        hits=hits,
        per_million=1e6 * hits / selection.tokens,
        documents=None,
        sites=None,
        dp=None,
        opens=selection.opening(phrase(attribute, values)),
    )
