"""The words that keep company with a query: in windows round hits, by the measures users know.

How strongly two words attract each other: the measures users know, from the same four counts.
Observed is how often they stand together, `node` and `collocate` how often each occurs, `tokens`
how long the text is. MI is equation 5.4 of Dwyer (2014), after Stubbs (1995): log2(observed *
tokens / (node * collocate)). What tests a hypothesis (z, log-likelihood, chi-square, delta P, and
the t-score) needs the chance that a collocate falls into a window, so it expects `window *
collocate / tokens`, where `window` is the places looked at (Evert 2008).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.categories import NO_PERIOD, check_period, period_label, periods_of
from izwi.analyse.frequency import notes_on
from izwi.analyse.selection import Selection, phrase, token
from izwi.analyse.statistics import largest
from izwi.analyse.vocabulary import Choice, Vocabulary, frequencies_of, vocabulary_of
from izwi.analyse.word_forms import are_content_words
from izwi.index.columns import Packed, distinct, is_worth_compiling
from izwi.kernels.counting import count_window
from izwi.kernels.matching import bounds_at
from izwi.model.analyses import Collocate, CollocatePeriod, Collocations, Opening
from izwi.model.errors import QueryError
from izwi.query.hits import SegmentHits
from izwi.query.tree import Meet, Query, format_query

Counts = NDArray[np.int64]
Positions = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Window:
    """How far to look to both sides, in which structure, and whether a value counts once a hit."""

    left: int
    right: int
    structure: str = "doc"
    is_once: bool = False


@dataclass(frozen=True, slots=True)
class WindowCounts:
    """How often each value stands to the left and to the right, and how many places there were."""

    left: NDArray[np.integer]
    right: NDArray[np.integer]
    places: int


def window_counts(part: SegmentHits, attribute: str, window: Window) -> WindowCounts:
    """Count the values near the hits of a segment."""
    column = part.segment.attribute(attribute)
    size = max(1, len(column.lexicon))
    lows, highs = around = surroundings(part, window.structure)
    if not is_worth_compiling((window.left + window.right) * len(part)):
        return _plain(part, column.column, window, around, size)
    counts = np.zeros(2 * size, np.int32)
    firsts = np.minimum(part.starts, np.maximum(lows, part.starts - np.int32(window.left)))
    lasts = np.maximum(part.ends, np.minimum(highs, part.ends + np.int32(window.right)))
    places = count_window(
        *(column.column.words, column.column.bits, part.starts, part.ends, firsts, lasts),
        *(window.is_once, counts),
    )
    return WindowCounts(counts[::2], counts[1::2], places)


def _plain(
    part: SegmentHits,
    column: Packed,
    window: Window,
    around: tuple[Positions, Positions],
    size: int,
) -> WindowCounts:
    """Count without compiled code, distance by distance."""
    lows, highs = around
    columns = []
    for distance in (*range(-window.left, 0), *range(window.right)):
        places = (part.starts if distance < 0 else part.ends).astype(np.int64) + distance
        hits = np.flatnonzero((places >= lows) & (places < highs))
        side = np.full(len(hits), int(distance >= 0))
        columns.append(np.stack((hits, column[places[hits]], side)))
    every = np.concatenate([np.empty((3, 0), np.int64), *columns], axis=1)
    places_seen = every.shape[1]
    if window.is_once:
        # The first of a hit and a value, in the order in which the window is read.
        _, first = np.unique(every[:2], axis=1, return_index=True)
        every = every[:, first]
    left, right = (np.bincount(every[1][every[2] == side], minlength=size) for side in (0, 1))
    return WindowCounts(left, right, places_seen)


def surroundings(part: SegmentHits, structure: str) -> tuple[Positions, Positions]:
    """Return where the document or sentence round each hit begins and ends.

    A hit outside every sentence, or one that reaches beyond its own, keeps at least what it is.
    """
    own = part.segment.structure(structure)
    if structure == "doc":
        documents = part.documents
        return own.edges[documents], own.ends.astype(np.int32)[documents]
    starts, ends = own.bounds
    if not len(starts):
        return part.starts, part.ends
    lows = _at_last_edge(part.starts, starts, starts, own.guide)
    highs = _at_last_edge(part.starts, starts, ends, own.guide)
    return np.minimum(lows, part.starts), np.maximum(highs, part.ends)


def _at_last_edge(
    starts: Positions, edges: Positions, values: Positions, guide: Positions
) -> Positions:
    """Return the value of the last edge at or before each of some ascending places."""
    if is_worth_compiling(len(starts)):
        return bounds_at(starts, edges, guide, values, 0, True)
    places = np.searchsorted(edges, starts, side="right") - 1
    return np.where(places >= 0, values[np.maximum(places, 0)], 0).astype(np.int32)


Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Counts of pairs: arrays of one length, and what they share."""

    observed: Floats
    collocate: Floats
    node: float
    tokens: float
    window: float

    @property
    def expected(self) -> Floats:
        """How often each would stand in the windows by chance."""
        return self.window * self.collocate / self.tokens


def mi(pairs: Pairs) -> Floats:
    """Return mutual information: how many times more often than by chance, as a power of two."""
    return np.log2(pairs.observed * pairs.tokens / (pairs.node * pairs.collocate))


def mi3(pairs: Pairs) -> Floats:
    """Return MI with the observed frequency cubed, which favours what is frequent (Daille 1994)."""
    return np.log2(pairs.observed**3 * pairs.tokens / (pairs.node * pairs.collocate))


def t(pairs: Pairs) -> Floats:
    """Return the t-score (Church et al. 1991)."""
    return (pairs.observed - pairs.expected) / np.sqrt(pairs.observed)


def z(pairs: Pairs) -> Floats:
    """Return the z-score (Berry-Rogghe 1973)."""
    return (pairs.observed - pairs.expected) / np.sqrt(pairs.expected)


def ll(pairs: Pairs) -> Floats:
    """Return the log-likelihood ratio (Dunning 1993)."""
    observed, expected = _tables(pairs)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(observed > 0, observed * np.log(observed / expected), 0.0)
    return np.asarray(2 * terms.sum(axis=0))


def chi2(pairs: Pairs) -> Floats:
    """Return Pearson's chi-square."""
    observed, expected = _tables(pairs)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(expected > 0, (observed - expected) ** 2 / expected, 0.0)
    return np.asarray(terms.sum(axis=0))


def dice(pairs: Pairs) -> Floats:
    """Return the Dice coefficient."""
    return 2 * pairs.observed / (pairs.node + pairs.collocate)


def logdice(pairs: Pairs) -> Floats:
    """Return the logarithm of Dice, which does not depend on corpus size (Rychlý 2008)."""
    return 14 + np.log2(dice(pairs))


def minsens(pairs: Pairs) -> Floats:
    """Return minimum sensitivity (Pedersen 1998)."""
    return np.minimum(pairs.observed / pairs.node, pairs.observed / pairs.collocate)


def deltap(pairs: Pairs) -> Floats:
    """Return how much likelier the collocate is in the windows than outside (Gries 2013)."""
    outside = max(pairs.tokens - pairs.window, 1.0)
    rest = np.maximum(pairs.collocate - pairs.observed, 0.0)
    return pairs.observed / max(pairs.window, 1.0) - rest / outside


def deltap_back(pairs: Pairs) -> Floats:
    """Return how much likelier a window is at the collocate than at other words."""
    others = np.maximum(pairs.tokens - pairs.collocate, 1.0)
    rest = np.maximum(pairs.window - pairs.observed, 0.0)
    return pairs.observed / pairs.collocate - rest / others


def _tables(pairs: Pairs) -> tuple[Floats, Floats]:
    """Return the four observed and the four expected counts of each pair's table.

    Where windows overlap, a token is counted twice and a cell might fall below zero: it is zero.
    """
    window, tokens = pairs.window, pairs.tokens
    inside, outside = window / tokens, (tokens - window) / tokens
    c, o = pairs.collocate, pairs.observed
    observed = np.stack((o, window - o, c - o, tokens - window - c + o))
    expected = np.stack((inside * c, inside * (tokens - c), outside * c, outside * (tokens - c)))
    return np.maximum(observed, 0.0), np.maximum(expected, 0.0)


BY_NAME = {
    "mi": mi, "mi3": mi3, "t": t, "z": z, "ll": ll, "chi2": chi2, "dice": dice, "logdice": logdice,
    "minsens": minsens, "deltap": deltap, "deltap_back": deltap_back,
}  # fmt: skip

MEASURES = tuple(BY_NAME)


COUNTINGS = {
    "tokens": "every token in the window, across sentences, within the document",
    "sentence": "every token in the window, within the sentence",
    "hits": "once for each hit, however often it occurs in the window, within the document",
}
WORDS = ("all", "content")
SORTS = (*MEASURES, "left", "right", "total", "frequency")
MOST_REACH = 50

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
    selection: Selection, query: Query, asked: CollocationsAsked, text: str
) -> Collocations:
    """Return the words near the hits of a query, the most strongly attracted first."""
    ground = _ground(selection, query, asked.choice)
    near, places = _near(ground, ground.parts, asked.window)
    counted = _passing(ground, near, asked)
    chosen = counted.of(_first(counted, counted.pairs(ground, places), asked))
    lines = _lines(ground, chosen, chosen.pairs(ground, places), query, asked)
    if asked.over:
        lines = _with_periods(ground, asked, chosen.values, lines)
    return Collocations(
        query=text,
        cql=format_query(query),
        snapshot=selection.number,
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


def _ground(selection: Selection, query: Query, choice: Choice) -> _Ground:
    attribute = selection.attribute(choice)
    vocabulary = vocabulary_of(selection.segments, attribute)
    parts = tuple(selection.hits(query))
    return _Ground(selection, parts, attribute, vocabulary)


def _near(
    ground: _Ground, parts: Sequence[SegmentHits], window: Window
) -> tuple[tuple[Sides, Sides], int]:
    """Return how often each value stands left and right of some hits, and the places looked at."""
    counts = []
    for part in parts:
        ground.selection.deadline.check()
        counts.append(window_counts(part, ground.attribute, window))
    left = ground.vocabulary.summed([each.left for each in counts])
    right = ground.vocabulary.summed([each.right for each in counts])
    return (left, right), sum(each.places for each in counts)


def _passing(ground: _Ground, near: tuple[Sides, Sides], asked: CollocationsAsked) -> _Counted:
    """Return the values that are frequent enough near the hits and wanted at all."""
    (left, right), choice, deadline = near, asked.choice, ground.selection.deadline
    passing = np.flatnonzero(left + right >= choice.least)
    if len(passing) and (choice.pattern or choice.stop):
        passing = passing[ground.vocabulary.passing(choice, passing, deadline)]
    if len(passing) and asked.words == "content":
        told = (ground.selection.segments, ground.attribute, ground.vocabulary)
        passing = passing[are_content_words(*told, passing, deadline)]
    frequency = frequencies_of(ground.selection, ground.vocabulary, ground.attribute, passing)
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
    every = distinct(np.concatenate(own)) if own else np.empty(0, np.int64)
    columns = []
    for period in every[every != NO_PERIOD].tolist():
        those = [part.kept(at == period) for part, at in zip(ground.parts, own, strict=True)]
        (left, right), _ = _near(ground, those, asked.window)
        together = (left[chosen] + right[chosen]).tolist()
        hits, label = sum(map(len, those)), period_label(name, period)
        columns.append([CollocatePeriod(label, each, hits) for each in together])
    rows = zip(*columns, strict=True) if columns else ((),) * len(lines)
    return [replace(line, periods=tuple(row)) for line, row in zip(lines, rows, strict=True)]
