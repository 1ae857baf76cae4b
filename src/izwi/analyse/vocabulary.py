"""The values of an attribute: numbered over all segments, counted in the chosen text, chosen."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.selection import Selection, kept_counts
from izwi.index.columns import is_worth_compiling
from izwi.index.limits import Deadline
from izwi.index.reader import Attribute, Segment
from izwi.kernels.counting import count_values
from izwi.model.errors import QueryError
from izwi.query.tree import Test
from izwi.query.values import allowed, matching_texts

# What has a letter in it: what most people mean by words.
LETTERS = r".*\p{L}.*"


@dataclass(frozen=True, slots=True)
class Choice:
    """Which values are wanted: those an expression matches, frequent enough, not stopped."""

    attribute: str = ""
    pattern: str = LETTERS
    stop: tuple[str, ...] = ()
    least: int = 1
    most: int = 100
    is_exact_case: bool = False

    def __post_init__(self) -> None:
        if self.least < 1:
            raise QueryError(f"The minimum is 1 or more, not {self.least}.")
        if self.most < 1:
            raise QueryError(f"At least one line is shown, not {self.most}.")


Numbers = NDArray[np.int64]
_IS_ASCII_LETTER = np.array([chr(n).isalpha() and n < 128 for n in range(256)])
# One value looked at by itself takes as long as so many of a whole lexicon.
_FEW = 20


class Vocabulary:
    """What numbers of single segments are in the whole; one segment keeps its own."""

    def __init__(self, attributes: Sequence[Attribute]) -> None:
        self._attributes = tuple(attributes)

    @cached_property
    def _merged(self) -> tuple[list[str], list[Numbers]]:
        lists = [attribute.lexicon.to_pylist() for attribute in self._attributes]
        values = sorted(set().union(*lists))
        number_of = {value: number for number, value in enumerate(values)}
        maps = [np.fromiter(map(number_of.__getitem__, own), np.int64, len(own)) for own in lists]
        return values, maps

    @property
    def _is_single(self) -> bool:
        return len(self._attributes) == 1

    @property
    def nbytes(self) -> int:
        """About how much memory it takes once it is used: the texts of several segments are."""
        many = sum(len(attribute.lexicon) for attribute in self._attributes)
        return many if self._is_single else 100 * many

    def __len__(self) -> int:
        if not self._attributes:
            return 0
        return len(self._attributes[0].lexicon) if self._is_single else len(self._merged[0])

    def numbers(self, place: int, own: Numbers) -> Numbers:
        """Return the numbers in the whole of some numbers in one segment."""
        return own if self._is_single else self._merged[1][place][own]

    def summed(self, counts: Sequence[NDArray[np.integer]]) -> NDArray[np.integer]:
        """Return counts by segment and value as counts by value."""
        if not self._attributes:
            return np.zeros(0, np.int64)
        if self._is_single:
            return counts[0]
        total = np.zeros(len(self), np.int64)
        for place, own in enumerate(counts):
            total[self._merged[1][place]] += own
        return total

    def values(self, numbers: Numbers) -> list[str]:
        """Return the values of some numbers."""
        if not len(numbers):
            return []
        if self._is_single:
            return self._attributes[0].values(numbers)
        return [self._merged[0][number] for number in numbers.tolist()]

    def lookup(self, values: Sequence[str]) -> Numbers:
        """Return the numbers of some values, -1 for those that do not occur."""
        if not self._attributes:
            return np.full(len(values), -1, np.int64)
        if self._is_single and _FEW * len(values) < len(self):
            found = (self._attributes[0].number(value) for value in values)
            return np.array([-1 if number is None else number for number in found], np.int64)
        every = self._attributes[0].lexicon if self._is_single else self._merged[0]
        number_of = {value: number for number, value in enumerate(every)}
        return np.array([number_of.get(value, -1) for value in values], np.int64)

    def passing(self, choice: Choice, numbers: Numbers, deadline: Deadline) -> NDArray[np.bool_]:
        """Return which of some values an expression matches and no stop list names."""
        mask = np.ones(len(numbers), np.bool_)
        if choice.pattern:
            mask = self._matching(choice.pattern, numbers, deadline)
        stopped = self._named(choice.stop)
        return mask & ~np.isin(numbers, stopped) if len(stopped) else mask

    def _matching(self, pattern: str, numbers: Numbers, deadline: Deadline) -> NDArray[np.bool_]:
        """Return which of some values match; a few are looked at one by one, many all at once."""
        if pattern == LETTERS:
            return self._has_letter[numbers]
        if _FEW * len(numbers) < len(self):
            test = Test(self._attributes[0].name, pattern)
            return matching_texts(self.values(numbers), test)
        mask = np.zeros(len(self), np.bool_)
        for place, attribute in enumerate(self._attributes):
            found = allowed(attribute, Test(attribute.name, pattern), deadline)
            mask[self.numbers(place, found)] = True
        return mask[numbers]

    @cached_property
    def _has_letter(self) -> NDArray[np.bool_]:
        """Which values have a letter, found without an expression: nearly all are asked for it."""
        mask = np.zeros(len(self), np.bool_)
        for place, attribute in enumerate(self._attributes):
            found = np.flatnonzero(has_letter(attribute))
            mask[self.numbers(place, found)] = True
        return mask

    def _named(self, words: Sequence[str]) -> Numbers:
        """Return the numbers of some values, as far as they occur."""
        found = [
            self.numbers(place, np.array([number]))
            for place, attribute in enumerate(self._attributes)
            for word in words
            if (number := attribute.number(word)) is not None
        ]
        return np.concatenate([np.empty(0, np.int64), *found])


def has_letter(attribute: Attribute) -> NDArray[np.bool_]:
    """Return which values of an attribute have a letter of any script."""
    lexicon = attribute.lexicon
    octets = np.frombuffer(lexicon.text, np.uint8)
    if not len(octets):
        return np.zeros(len(lexicon), np.bool_)
    begins = lexicon.begins[:][:-1]
    found = np.logical_or.reduceat(_IS_ASCII_LETTER[octets], begins)
    # Beyond ASCII only the expression knows.
    unsure = np.flatnonzero(np.logical_or.reduceat(octets > 127, begins) & ~found)
    found[unsure] = matching_texts(lexicon.values(unsure), Test(attribute.name, LETTERS))
    return found


def vocabulary_of(segments: Sequence[Segment], name: str) -> Vocabulary:
    """Return the values of an attribute; merged once for the same segments."""
    if not segments:
        return Vocabulary(())
    key = ("vocabulary", name, tuple(segment.folder.name for segment in segments))
    return segments[0].remembered(
        key, lambda: Vocabulary([segment.attribute(name) for segment in segments])
    )


Counts = NDArray[np.int64]
# Tokens read between two looks at the clock.
_BATCH = 16_000_000


def value_counts(selection: Selection, vocabulary: Vocabulary, attribute: str) -> Counts:
    """Return how often each value occurs in the chosen documents."""
    counts = []
    for place in range(len(selection.segments)):
        selection.deadline.check()
        counts.append(_segment_counts(selection, place, attribute))
    return vocabulary.summed(counts).astype(np.int64, copy=False)


def frequencies_of(
    selection: Selection, vocabulary: Vocabulary, attribute: str, numbers: Counts
) -> Counts:
    """Return how often some values occur in the chosen documents."""
    if len(selection.segments) == 1 and _is_whole(selection, 0):
        return selection.segments[0].attribute(attribute).frequencies_of(numbers)
    return value_counts(selection, vocabulary, attribute)[numbers]


def _is_whole(selection: Selection, place: int) -> bool:
    """Whether all tokens of a segment count."""
    documents = selection.segments[place].structure("doc")
    return selection.masks[place] is None and documents.is_complete


def _segment_counts(selection: Selection, place: int, attribute: str) -> Counts:
    segment = selection.segments[place]
    own = segment.attribute(attribute)
    if _is_whole(selection, place):
        return own.frequencies
    if selection.only is not None:
        return _looked_through(selection, place, attribute)
    # Choosing the same documents again, as word lists and keywords do, costs nothing.
    key = ("values", attribute, selection.chosen)

    def counted() -> tuple[Counts]:
        return (_looked_through(selection, place, attribute),)

    question = ("values", attribute, place)
    return segment.remembered(key, lambda: kept_counts(selection, question, counted)[0])


def _looked_through(selection: Selection, place: int, attribute: str) -> Counts:
    """Count by reading the chosen documents; or, if they are most of the text, the others."""
    segment, mask = selection.segments[place], selection.masks[place]
    own = segment.attribute(attribute)
    is_most = mask is not None and 2 * int(segment.document_lengths[mask].sum()) > segment.tokens
    starts, ends = segment.structure("doc").edges, segment.document_ends.astype(np.int32)
    if mask is None or not (is_most and segment.structure("doc").is_complete):
        kept = mask if mask is not None else np.ones(len(starts), np.bool_)
        return count_stretches(selection, place, attribute, starts[kept], ends[kept])
    others = count_stretches(selection, place, attribute, starts[~mask], ends[~mask])
    return np.asarray(own.frequencies - others)


def count_stretches(
    selection: Selection,
    place: int,
    attribute: str,
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
) -> Counts:
    """Count the values in some stretches of a segment."""
    own = selection.segments[place].attribute(attribute)
    size, column = len(own.lexicon), own.column
    if is_worth_compiling(int((ends.astype(np.int64) - starts).sum())):
        counts = np.zeros(size, np.int64)
        for some in batches(starts, ends, selection.deadline):
            count_values(column.words, column.bits, starts[some], ends[some], counts)
        return counts
    return np.bincount(column[positions_in(starts, ends)], minlength=size).astype(np.int64)


def batches(
    starts: NDArray[np.int32], ends: NDArray[np.int32], deadline: Deadline
) -> Iterator[slice]:
    """Yield stretches by the batch, looking at the clock before each."""
    before = np.cumsum(ends.astype(np.int64) - starts)
    first = 0
    while first < len(starts):
        deadline.check()
        done = int(before[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(before, done + _BATCH, side="right")))
        yield slice(first, last)
        first = last


def positions_in(starts: NDArray[np.int32], ends: NDArray[np.int32]) -> Counts:
    """Return all positions of some stretches.

    >>> positions_in(np.array([2, 7], np.int32), np.array([4, 8], np.int32)).tolist()
    [2, 3, 7]
    """
    lengths = ends.astype(np.int64) - starts
    before = np.cumsum(lengths) - lengths
    found: Counts = np.arange(lengths.sum()) + np.repeat(starts - before, lengths)
    return found
