"""Word lists: every value of an attribute with its frequency and how far it is spread."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.choice import Choice
from izwi.analyse.grouping import largest
from izwi.analyse.openings import phrase
from izwi.analyse.selection import Selection, attribute_of
from izwi.analyse.spread import Spread, spread_over, spreads_of
from izwi.analyse.values import value_counts
from izwi.analyse.vocabulary import Vocabulary, vocabulary_of
from izwi.model.analyses import WordLine, WordList
from izwi.model.errors import QueryError
from izwi.query.deadline import Deadline

SORTS = ("hits", "value", "documents", "sites")
Counts = NDArray[np.int64]


def word_list(
    selection: Selection, choice: Choice, *, sort: str, snapshot: int, deadline: Deadline
) -> WordList:
    """Return the values of an attribute in the chosen text, the most frequent first."""
    if sort not in SORTS:
        raise QueryError(f"A word list is sorted by {', '.join(SORTS)}, not by '{sort}'.")
    attribute = attribute_of(
        selection.segments, choice.attribute, is_exact_case=choice.is_exact_case
    )
    vocabulary = vocabulary_of(selection.segments, attribute)
    counts = value_counts(selection, vocabulary, attribute, deadline)
    passing = np.flatnonzero(counts >= choice.least)
    passing = passing[vocabulary.passing(choice, passing, deadline)]
    ground = _Ground(selection, attribute, vocabulary, counts, deadline)
    chosen = _ordered(ground, passing, sort, choice.most)
    return WordList(
        attribute=attribute,
        size=1,
        snapshot=snapshot,
        tokens=selection.tokens,
        types=int((counts > 0).sum()),
        total=len(passing),
        pattern=choice.pattern,
        least=choice.least,
        sort=sort,
        lines=_lines(ground, chosen),
        notes=empty_notes(selection, len(passing)),
    )


@dataclass(frozen=True, slots=True)
class _Ground:
    """What is listed: the values of an attribute in some documents, and how often each occurs."""

    selection: Selection
    attribute: str
    vocabulary: Vocabulary
    counts: Counts
    deadline: Deadline

    def spread(self, name: str) -> Spread:
        """Return how all values are spread."""
        return spread_over(
            self.selection,
            self.vocabulary,
            self.attribute,
            self.counts,
            name=name,
            deadline=self.deadline,
        )


def _ordered(ground: _Ground, passing: Counts, sort: str, most: int) -> Counts:
    """Return the first values in order; only for some orders all have to be looked at."""
    if sort == "value":
        values = ground.vocabulary.values(passing)
        return np.array(sorted_by_value(values, passing), np.int64)[:most]
    counts = first = ground.counts[passing]
    if sort != "hits":
        name = {"documents": "document", "sites": "publication"}[sort]
        first = ground.spread(name).ranges[passing]
    keys = (first.astype(np.float64), counts.astype(np.float64))
    return passing[largest(keys, most)]


def _lines(ground: _Ground, chosen: Counts) -> tuple[WordLine, ...]:
    selection, values = ground.selection, ground.vocabulary.values(chosen)
    names = ("document", "publication")
    documents, sites = spreads_of(
        selection, ground.attribute, values, names=names, deadline=ground.deadline
    )
    hits = ground.counts[chosen].tolist()
    return tuple(
        WordLine(
            value=value,
            hits=hits[at],
            per_million=1e6 * hits[at] / selection.tokens,
            documents=int(documents.ranges[at]),
            sites=int(sites.ranges[at]),
            dp=float(sites.dp[at]) if sites.parts > 1 else None,
            opens=selection.opening(phrase(ground.attribute, [value])),
        )
        for at, value in enumerate(values)
    )


def sorted_by_value(values: list[str], numbers: Counts) -> list[int]:
    """Return numbers in the order in which people sort what they stand for."""
    pairs = sorted(zip(values, numbers.tolist(), strict=True), key=_as_people_sort)
    return [number for _, number in pairs]


def _as_people_sort(pair: tuple[str, int]) -> tuple[str, str]:
    return pair[0].casefold(), pair[0]


def empty_notes(selection: Selection, found: int) -> tuple[str, ...]:
    """Return why a list is empty, if it is."""
    if not selection.tokens:
        return ("No document fits the conditions, so there is nothing to count.",)
    return () if found else ("Nothing in the chosen text passes the pattern and the minimum.",)
