"""The values of an attribute in all segments, under one number each."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.choice import LETTERS, Choice
from izwi.index.reader import Attribute, Segment
from izwi.query.deadline import Deadline
from izwi.query.tree import Test
from izwi.query.values import allowed, matching_texts

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
