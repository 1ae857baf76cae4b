"""Is a near copy another notice: one that says the same of another day, place, person or number?

Deaths, water cuts, weather, results and vacancies are written by one pattern: nearly all words are
those of an earlier notice, and what is new are the facts. Whoever edits a text changes words of all
sorts; whoever fills in a pattern changes names and numbers alone, or most of them.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import NgramReading, Sketch, is_among, read_batch
from izwi.model.records import dataclass

_SENTENCE_END = re.compile(r"[.!?:。！？।]['\"”’)\]]*$")
# Where more of the words have capitals or figures, as in headlines and tables, they tell nothing.
_MOST_FACTS = 0.5
# Different new facts a notice has at least, and their least share of its words: a page made for
# every town says one name over and over, and a long text has a few new numbers in a new version.
# Where the same publisher says it again on another day, less is enough.
_LEAST_NEW, _LEAST_SHARE = 2, 0.025
_LEAST_AGAIN, _LEAST_SHARE_AGAIN = 1, 0.01
# So much of what is new are facts, or so many of the facts are new.
_MOSTLY_FACTS, _MOSTLY_NEW, _LEAST_MANY = 0.75, 0.6, 3


@dataclass(frozen=True, slots=True)
class Rival:
    """A text that owns words of another: its short n-grams."""

    sketch: Sketch
    # Whether the same publisher said it on another day.
    is_earlier_issue: bool = False
    # Whether nothing tells that the two came out at all: undated pages of several sites that differ
    # in names and numbers alone are what sites have alike, as ways to reach them.
    is_stranger: bool = False


@dataclass(frozen=True, slots=True)
class _Word:
    block: int
    text: str
    is_fact: bool
    # Where its tokens begin and end; what has no letter has none.
    start: int
    end: int


def new_facts(
    paragraphs: Sequence[str], rivals: Iterable[Rival], reading: NgramReading
) -> frozenset[int]:
    """Return which paragraphs hold what makes a text another notice than all its rivals.

    None if it is an edited copy of one of them, or put together from several.
    """
    others = list(rivals)
    if not others or any(rival.is_stranger for rival in others):
        return frozenset()
    words, grams = _words(paragraphs, reading)
    theirs = np.sort(np.concatenate([np.zeros(1, np.uint32), *(each.sketch for each in others)]))
    own = _own(words, grams, theirs, reading.gram)
    is_again = all(rival.is_earlier_issue for rival in others)
    is_another = _is_another(words, own, is_again)
    return frozenset(word.block for word in own) if is_another else frozenset()


def _words(
    paragraphs: Sequence[str], reading: NgramReading
) -> tuple[list[_Word], NDArray[np.uint32]]:
    """Return the words of a text with their tokens, and the short n-gram that ends at each."""
    parted = [(block, word) for block, text in enumerate(paragraphs) for word in text.split()]
    batch = read_batch([[word for _, word in parted]], reading)
    ends = batch.block_ends.tolist()
    facts = _facts(parted)
    spans = zip(parted, facts, [0, *ends[:-1]], ends, strict=True)
    found = [_Word(block, word, fact, start, end) for (block, word), fact, start, end in spans]
    return [word for word in found if word.end > word.start], batch.grams


def _facts(parted: Sequence[tuple[int, str]]) -> list[bool]:
    """Return which words are names and numbers, as their capitals and figures tell."""
    numbers = [any(map(str.isdigit, word)) for _, word in parted]
    named = [number or name for number, name in zip(numbers, _names(parted), strict=True)]
    for told in (named, numbers):
        if sum(told) <= _MOST_FACTS * len(parted):
            return told
    return [False] * len(parted)


def _names(parted: Sequence[tuple[int, str]]) -> Iterator[bool]:
    """Yield whether each word has a capital that does not come from beginning a sentence."""
    before = (-1, "")
    for block, word in parted:
        if word.islower():  # as most are
            yield False
            before = block, word
            continue
        begins = block != before[0] or bool(_SENTENCE_END.search(before[1]))
        letters = "".join(filter(str.isalpha, word))
        # In Nguni languages the name begins within the word: eGoli, uThandi.
        capitals = [letter.isupper() for letter in (letters[1:] if begins else letters)]
        yield any(capitals) and (all(capitals) or not capitals[-1])
        before = block, word


def _own(
    words: Sequence[_Word], grams: NDArray[np.uint32], rival: Sketch, size: int
) -> list[_Word]:
    """Return the words of which a part, as in "kuka-7", stands in no short n-gram of a rival.

    Those of the rivals are given in order.
    """
    is_shared = is_among(grams, rival) & (grams != 0)
    covered = np.zeros(len(grams) + 1, np.int64)
    for before in range(min(size, len(grams))):
        covered[: len(grams) - before] += is_shared[before:]
    return [word for word in words if not covered[word.start : word.end].all()]


def _is_another(words: Sequence[_Word], own: Sequence[_Word], is_again: bool) -> bool:
    """Return whether what is new in a text are facts, and enough of them."""
    new = {word.text.casefold() for word in own if word.is_fact}
    least, share = (_LEAST_AGAIN, _LEAST_SHARE_AGAIN) if is_again else (_LEAST_NEW, _LEAST_SHARE)
    if len(new) < max(least, share * len(words)):
        return False
    facts = {word.text.casefold() for word in words if word.is_fact}
    are_facts = sum(word.is_fact for word in own) >= _MOSTLY_FACTS * len(own)
    return are_facts or (len(new) >= _LEAST_MANY and len(new) >= _MOSTLY_NEW * len(facts))
