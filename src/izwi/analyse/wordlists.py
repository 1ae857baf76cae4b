"""Word lists: every value of an attribute with its frequency and how far it is spread."""

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.choice import Choice
from izwi.analyse.openings import phrase
from izwi.analyse.selection import Selection, attribute_of
from izwi.analyse.spread import Spread, spread_over
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
    spreads = tuple(
        spread_over(selection, vocabulary, attribute, counts, name=name, deadline=deadline)
        for name in ("document", "host")
    )
    chosen = _ordered(sort, passing, vocabulary, counts, spreads)[: choice.most]
    values = zip(vocabulary.values(chosen), chosen.tolist(), strict=True)
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
        lines=tuple(
            _line(selection, attribute, value, int(counts[number]), number, spreads)
            for value, number in values
        ),
        notes=empty_notes(selection, len(passing)),
    )


def _ordered(
    sort: str,
    passing: Counts,
    vocabulary: Vocabulary,
    counts: Counts,
    spreads: tuple[Spread, ...],
) -> Counts:
    if sort == "value":
        return np.array(sorted_by_value(vocabulary.values(passing), passing), np.int64)
    columns = {"hits": counts, "documents": spreads[0].ranges, "sites": spreads[1].ranges}
    first = columns[sort][passing]
    return passing[np.lexsort((passing, -counts[passing], -first))]


def _line(
    selection: Selection,
    attribute: str,
    value: str,
    hits: int,
    number: int,
    spreads: tuple[Spread, ...],
) -> WordLine:
    documents, sites = spreads
    return WordLine(
        value=value,
        hits=hits,
        per_million=1e6 * hits / selection.tokens,
        documents=int(documents.ranges[number]),
        sites=int(sites.ranges[number]),
        dp=float(sites.dp[number]) if sites.parts > 1 else None,
        opens=selection.opening(phrase(attribute, [value])),
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
