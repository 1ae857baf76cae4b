"""The words that keep company with a query."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.choice import Choice
from izwi.analyse.contentwords import are_content_words
from izwi.analyse.frequency import notes_on
from izwi.analyse.grouping import largest
from izwi.analyse.measures import BY_NAME, MEASURES, Pairs
from izwi.analyse.openings import phrase, token
from izwi.analyse.periods import NO_PERIOD, check_period, period_label, periods_of
from izwi.analyse.selection import Selection, attribute_of
from izwi.analyse.values import frequencies_of
from izwi.analyse.vocabulary import Vocabulary, vocabulary_of
from izwi.analyse.windows import Window, window_counts
from izwi.model.analyses import Collocate, CollocatePeriod, Collocations, Opening
from izwi.model.errors import QueryError
from izwi.query.deadline import Deadline
from izwi.query.hits import SegmentHits
from izwi.query.tree import Meet, Query, format_query

COUNTINGS = {
    "tokens": "every token in the window, across sentences, within the document",
    "sentence": "every token in the window, within the sentence",
    "hits": "once for each hit, however often it stands in the window, within the document",
}
WORDS = ("all", "content")
SORTS = (*MEASURES, "left", "right", "total", "frequency")
MOST_REACH = 50
Counts = NDArray[np.int64]
Sides = NDArray[np.integer]


@dataclass(frozen=True, slots=True)
class CollocationsAsked:
    """How collocates are counted and which are shown."""

    left: int = 5
    right: int = 5
    counting: str = "tokens"
    measure: str = "logdice"
    choice: Choice = field(default_factory=lambda: Choice(least=3))
    # A kind of period for the change over time of what is shown; empty for none.
    over: str = ""
    # Which words: all, or content words only.
    words: str = "all"

    def __post_init__(self) -> None:
        if self.words not in WORDS:
            raise QueryError(f"Collocates are {' or '.join(WORDS)} words, not '{self.words}'.")
        if self.counting not in COUNTINGS:
            raise QueryError(
                f"Collocates are counted by {', '.join(COUNTINGS)}, not by '{self.counting}'."
            )
        if self.measure not in SORTS:
            raise QueryError(f"A measure is one of {', '.join(SORTS)}, not '{self.measure}'.")
        if not (0 <= self.left <= MOST_REACH and 0 <= self.right <= MOST_REACH):
            raise QueryError(f"A window reaches 0 to {MOST_REACH} tokens to each side.")
        if not self.left + self.right:
            raise QueryError("A window of no tokens on either side has no collocates.")

    @property
    def window(self) -> Window:
        """The window to look through."""
        structure = "s" if self.counting == "sentence" else "doc"
        return Window(self.left, self.right, structure, self.counting == "hits")


@dataclass(frozen=True, slots=True)
class _Ground:
    """Where collocates are looked for: the hits of a query, and an attribute's values."""

    selection: Selection
    parts: tuple[SegmentHits, ...]
    attribute: str
    vocabulary: Vocabulary
    deadline: Deadline

    @property
    def hits(self) -> int:
        """How many hits there are."""
        return sum(map(len, self.parts))


@dataclass(frozen=True, slots=True)
class _Counted:
    """Values near the hits: how often left, right, and in all the chosen text."""

    values: Counts
    left: Counts
    right: Counts
    frequency: Counts

    def of(self, places: Counts) -> "_Counted":
        """Return some of the values."""
        columns = (self.values, self.left, self.right, self.frequency)
        return _Counted(*(column[places] for column in columns))

    def pairs(self, ground: _Ground, places: int) -> Pairs:
        """Return the counts as measures want them."""
        together = (self.left + self.right).astype(np.float64)
        # An empty text has no pairs, but nothing may be divided by its size.
        tokens = float(max(1, ground.selection.tokens))
        own = self.frequency.astype(np.float64)
        return Pairs(together, own, float(ground.hits), tokens, float(places))


def collocations(
    selection: Selection,
    query: Query,
    asked: CollocationsAsked,
    *,
    text: str,
    snapshot: int,
    deadline: Deadline,
) -> Collocations:
    """Return the words near the hits of a query, the most strongly attracted first."""
    ground = _ground(selection, query, asked.choice, deadline)
    near, places = _near(ground, ground.parts, asked.window)
    counted = _passing(ground, near, asked)
    chosen = counted.of(_first(counted, counted.pairs(ground, places), asked))
    lines = _lines(ground, chosen, chosen.pairs(ground, places), query, asked)
    if asked.over:
        lines = _with_periods(ground, asked, chosen.values, lines)
    return Collocations(
        query=text,
        cql=format_query(query),
        snapshot=snapshot,
        attribute=ground.attribute,
        left=asked.left,
        right=asked.right,
        counting=asked.counting,
        counting_words=COUNTINGS[asked.counting],
        measure=asked.measure,
        hits=ground.hits,
        tokens=selection.tokens,
        window_tokens=places,
        total=len(counted.values),
        least=asked.choice.least,
        pattern=asked.choice.pattern,
        lines=tuple(lines),
        notes=notes_on(selection, ground.hits),
    )


def _ground(selection: Selection, query: Query, choice: Choice, deadline: Deadline) -> _Ground:
    attribute = attribute_of(
        selection.segments, choice.attribute, is_exact_case=choice.is_exact_case
    )
    vocabulary = vocabulary_of(selection.segments, attribute)
    parts = tuple(selection.hits(query, deadline))
    return _Ground(selection, parts, attribute, vocabulary, deadline)


def _near(
    ground: _Ground, parts: Sequence[SegmentHits], window: Window
) -> tuple[tuple[Sides, Sides], int]:
    """Return how often each value stands left and right of some hits, and the places looked at."""
    counts = []
    for part in parts:
        ground.deadline.check()
        counts.append(window_counts(part, ground.attribute, window))
    left = ground.vocabulary.summed([each.left for each in counts])
    right = ground.vocabulary.summed([each.right for each in counts])
    return (left, right), sum(each.places for each in counts)


def _passing(ground: _Ground, near: tuple[Sides, Sides], asked: CollocationsAsked) -> _Counted:
    """Return the values that are frequent enough near the hits and wanted at all."""
    (left, right), choice = near, asked.choice
    passing = np.flatnonzero(left + right >= choice.least)
    if len(passing) and (choice.pattern or choice.stop):
        passing = passing[ground.vocabulary.passing(choice, passing, ground.deadline)]
    if len(passing) and asked.words == "content":
        values = ground.vocabulary.values(passing)
        segments = ground.selection.segments
        passing = passing[are_content_words(segments, ground.attribute, values, ground.deadline)]
    frequency = frequencies_of(
        ground.selection, ground.vocabulary, ground.attribute, passing, ground.deadline
    )
    return _Counted(
        passing, left[passing].astype(np.int64), right[passing].astype(np.int64), frequency
    )


def _first(counted: _Counted, pairs: Pairs, asked: CollocationsAsked) -> Counts:
    """Return the places of the strongest; equals by frequency, then as they are numbered."""
    columns = {"left": counted.left, "right": counted.right, "frequency": counted.frequency}
    if asked.measure in BY_NAME:
        scores = BY_NAME[asked.measure](pairs)
    else:
        scores = columns.get(asked.measure, pairs.observed).astype(np.float64)
    return largest((scores, pairs.observed), asked.choice.most)


def _lines(
    ground: _Ground, chosen: _Counted, pairs: Pairs, query: Query, asked: CollocationsAsked
) -> list[Collocate]:
    scores = np.stack([BY_NAME[name](pairs) for name in MEASURES], 1)
    left, right = chosen.left, chosen.right
    columns = (left, right, left + right, chosen.frequency)
    numbers = zip(*(column.tolist() for column in columns), strict=True)
    rows = zip(ground.vocabulary.values(chosen.values), numbers, scores.tolist(), strict=True)
    return [
        Collocate(
            value,
            *own,
            *measured,
            _opening(ground, query, asked, value),  # type: ignore[call-arg]
        )
        for value, own, measured in rows
    ]


def _opening(ground: _Ground, query: Query, asked: CollocationsAsked, value: str) -> Opening:
    """Return what shows the hits with a collocate near them.

    Counted within sentences, only hits that have the collocate in their own sentence.
    """
    if asked.counting == "sentence" and not query.comparisons:
        meet = Meet(query.pattern, token(ground.attribute, value), structure="s")
        query = Query(meet, query.limits)
    return ground.selection.opening(
        format_query(query),
        near=phrase(ground.attribute, [value]),
        window=max(asked.left, asked.right),
    )


def _with_periods(
    ground: _Ground, asked: CollocationsAsked, chosen: Counts, lines: Sequence[Collocate]
) -> list[Collocate]:
    """Return the lines with what each was in every period that has hits."""
    name = check_period(asked.over)
    own = [periods_of(part.segment, name)[part.documents] for part in ground.parts]
    every = np.unique(np.concatenate(own)) if own else np.empty(0, np.int64)
    columns = []
    for period in every[every != NO_PERIOD].tolist():
        those = [part.kept(at == period) for part, at in zip(ground.parts, own, strict=True)]
        (left, right), _ = _near(ground, those, asked.window)
        together = (left[chosen] + right[chosen]).tolist()
        hits, label = sum(map(len, those)), period_label(name, period)
        columns.append([CollocatePeriod(label, each, hits) for each in together])
    rows = zip(*columns, strict=True) if columns else ((),) * len(lines)
    return [replace(line, periods=tuple(row)) for line, row in zip(lines, rows, strict=True)]
