"""Word lists: every value of an attribute with its frequency and how far it is spread."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.dimensions import document_dimension, texts_of
from izwi.analyse.selection import Selection, kept_counts, phrase
from izwi.analyse.statistics import largest
from izwi.analyse.vocabulary import (
    Choice,
    Vocabulary,
    batches,
    positions_in,
    value_counts,
    vocabulary_of,
)
from izwi.index.columns import is_worth_compiling
from izwi.index.reader import Segment
from izwi.kernels.counting import close_values, spread_values
from izwi.model.analyses import WordLine, WordList
from izwi.model.errors import QueryError
from izwi.query.hits import Hits, SegmentHits, Tally

Counts = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Spread:
    """The parts each value is in, and Gries's deviation of proportions over them (NaN: absent)."""

    parts: int
    ranges: Counts
    dp: Floats


def spread_over(
    selection: Selection, vocabulary: Vocabulary, attribute: str, counts: Counts, *, name: str
) -> Spread:
    """Return how all values are spread over the parts of the text by some name, such as `host`.

    A part may lie in several segments: what each adds is joined value by value, so segments are
    read one after the other and the sums of |share of hits - share of text| kept by part.
    """
    if not selection.segments:
        return Spread(0, np.zeros(len(counts), np.int64), np.full(len(counts), np.nan))
    cells, shares = _parts(selection, name)

    def counted() -> tuple[Counts, Floats]:
        if len(selection.segments) == 1:
            found = _in_one(selection, attribute, counts, cells[0], shares)
        else:
            found = _in_several(selection, vocabulary, attribute, counts, cells, shares)
        return found.ranges, found.dp

    ranges, dp = kept_counts(selection, ("spread", attribute, _named(cells, shares)), counted)
    return Spread(int((shares > 0).sum()), ranges, dp)


def spreads_of(
    selection: Selection, attribute: str, values: Sequence[str], *, names: Sequence[str]
) -> list[Spread]:
    """Return how some values are spread over parts by each of some names: for a page of a list.

    The lists of their places are read once for all names: those of frequent words are long.
    """
    parts = [_parts(selection, name) for name in names]

    def counted() -> tuple[NDArray[np.generic], ...]:
        rows: list[list[tuple[int, float]]] = [[] for _ in names]
        for value in values:
            selection.deadline.check()
            tallies = [_tally(segment, attribute, value) for segment in selection.segments]
            for row, (cells, shares) in zip(rows, parts, strict=True):
                row.append(_range_and_dp(selection, tallies, cells, shares))
        reaches = np.array([[reach for reach, _ in row] for row in rows], np.int64)
        return reaches, np.array([[dp for _, dp in row] for row in rows])

    question = ("spreads", attribute, tuple(values), *(_named(*part) for part in parts))
    reaches, deviations = kept_counts(selection, question, counted)
    return [
        Spread(int((shares > 0).sum()), reach, dp)
        for (_, shares), reach, dp in zip(parts, reaches, deviations, strict=True)
    ]


def _named(cells: Sequence[Counts], shares: Floats) -> str:
    """Return a name for parts of a text: whoever names publications anew makes others of them."""
    found = hashlib.blake2b(shares.tobytes(), digest_size=16)
    for own in cells:
        found.update(own.tobytes())
    return found.hexdigest()


def _range_and_dp(
    selection: Selection, tallies: Sequence[Tally], cells: Sequence[Counts], shares: Floats
) -> tuple[int, float]:
    hits = np.zeros(len(shares))
    for found, own, mask in zip(tallies, cells, selection.masks, strict=True):
        counts = found.counts if mask is None else found.counts * mask[found.documents]
        hits += np.bincount(own[found.documents], counts, len(shares))
    distance = np.abs(shares - hits / max(1.0, hits.sum())).sum() / 2
    return int(np.count_nonzero(hits)), float(distance)


def _tally(segment: Segment, attribute: str, value: str) -> Tally:
    own = segment.attribute(attribute)
    number = own.number(value)
    starts = np.empty(0, np.int32) if number is None else own.positions(number)
    return SegmentHits(segment, Hits(starts)).tally


def _parts(selection: Selection, name: str) -> tuple[tuple[Counts, ...], Floats]:
    """Return the part of each document, segment by segment, and each part's share of the text."""
    if name != "document":
        texts = texts_of(selection, [document_dimension(selection.segments, name)])
        return texts.cells, texts.tokens / max(1, selection.tokens)
    cells, lengths, first = list[Counts](), list[Floats](), 0
    for segment, mask in zip(selection.segments, selection.masks, strict=True):
        own = segment.document_lengths.astype(np.float64)
        lengths.append(own if mask is None else own * mask)
        cells.append(np.arange(first, first + len(own)))
        first += len(own)
    return tuple(cells), np.concatenate([np.zeros(0), *lengths]) / max(1, selection.tokens)


def _in_one(
    selection: Selection, attribute: str, counts: Counts, cells: Counts, shares: Floats
) -> Spread:
    segment = selection.segments[0]
    starts, ends, parts = _by_part(selection, 0, cells)
    if not is_worth_compiling(segment.tokens):
        pairs = _pairs(selection, 0, attribute, starts, ends, parts)
        return _from_pairs(pairs[0], pairs[1], pairs[2], counts, shares)
    column = segment.attribute(attribute).column
    ranges, deviations = np.zeros(len(counts), np.int64), np.zeros((len(counts), 2))
    # The part met last, none at first, and the hits in it: they are looked at together.
    current = np.tile(np.array([-1, 0], np.int32), (len(counts), 1))
    sums = (shares, counts, current, ranges, deviations)
    for some in batches(starts, ends, selection.deadline):
        spread_values(column.words, column.bits, starts[some], ends[some], parts[some], *sums)
    close_values(*sums)
    return _finished(counts, shares, ranges, deviations[:, 0], deviations[:, 1])


def _in_several(
    selection: Selection,
    vocabulary: Vocabulary,
    attribute: str,
    counts: Counts,
    cells: tuple[Counts, ...],
    shares: Floats,
) -> Spread:
    nothing = np.empty(0, np.int64)
    columns: list[tuple[Counts, Counts, Counts]] = [(nothing, nothing, nothing)]
    for place in range(len(selection.segments)):
        starts, ends, parts = _by_part(selection, place, cells[place])
        # A part that lies in two batches, or in two segments, is put together below.
        for some in batches(starts, ends, selection.deadline):
            batch = (starts[some], ends[some], parts[some])
            values, own, many = _pairs(selection, place, attribute, *batch)
            columns.append((vocabulary.numbers(place, values), own, many))
    values, own, many = (np.concatenate(each) for each in zip(*columns, strict=True))
    keys, places = np.unique(values * len(shares) + own, return_inverse=True)
    total = np.bincount(places.reshape(-1), many, len(keys)).astype(np.int64)
    return _from_pairs(keys // len(shares), keys % len(shares), total, counts, shares)


def _by_part(
    selection: Selection, place: int, cells: Counts
) -> tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]:
    """Return the chosen documents of a segment, part by part, and the part of each."""
    segment, mask = selection.segments[place], selection.masks[place]
    order = np.argsort(cells, kind="stable")
    if mask is not None:
        order = order[mask[order]]
    starts, ends = segment.structure("doc").edges, segment.document_ends.astype(np.int32)
    return starts[order], ends[order], cells[order].astype(np.int32)


def _pairs(
    selection: Selection,
    place: int,
    attribute: str,
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    parts: NDArray[np.int32],
) -> tuple[Counts, Counts, Counts]:
    """Return which value is in which part how often."""
    values = selection.segments[place].attribute(attribute).column[positions_in(starts, ends)]
    size = int(parts.max()) + 1 if len(parts) else 1
    own = np.repeat(parts.astype(np.int64), ends - starts)
    keys, many = np.unique(values * size + own, return_counts=True)
    return keys // size, keys % size, many


def _from_pairs(
    values: Counts, parts: Counts, many: Counts, counts: Counts, shares: Floats
) -> Spread:
    size = len(counts)
    distance = np.abs(shares[parts] - many / counts[values])
    return _finished(
        counts,
        shares,
        np.bincount(values, minlength=size),
        np.bincount(values, distance, size).astype(np.float64),
        np.bincount(values, shares[parts], size).astype(np.float64),
    )


def _finished(
    counts: Counts, shares: Floats, ranges: Counts, distances: Floats, covered: Floats
) -> Spread:
    """Return the deviation of proportions: parts without the value add their whole share."""
    dp = np.where(counts > 0, (distances + np.maximum(0.0, 1 - covered)) / 2, np.nan)
    return Spread(int((shares > 0).sum()), ranges.astype(np.int64), dp)


SORTS = ("hits", "value", "documents", "sites")


def word_list(selection: Selection, choice: Choice, *, sort: str) -> WordList:
    """Return the values of an attribute in the chosen text, the most frequent first."""
    if sort not in SORTS:
        raise QueryError(f"A word list is sorted by {', '.join(SORTS)}, not by '{sort}'.")
    attribute = selection.attribute(choice)
    vocabulary = vocabulary_of(selection.segments, attribute)
    counts = value_counts(selection, vocabulary, attribute)
    passing = np.flatnonzero(counts >= choice.least)
    passing = passing[vocabulary.passing(choice, passing, selection.deadline)]
    ground = _Ground(selection, attribute, vocabulary, counts)
    chosen = _ordered(ground, passing, sort, choice.most)
    return WordList(
        attribute=attribute,
        size=1,
        snapshot=selection.number,
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

    def spread(self, name: str) -> Spread:
        """Return how all values are spread."""
        return spread_over(self.selection, self.vocabulary, self.attribute, self.counts, name=name)


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
    documents, sites = spreads_of(selection, ground.attribute, values, names=names)
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
        return ("No document matches the conditions, so there is nothing to count.",)
    return () if found else ("Nothing in the chosen text passes the pattern and the minimum.",)
