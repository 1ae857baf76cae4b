"""What the length and kind of n-grams does: the tables of Pomikálek (2011, 3.6.4).

Per threshold, each length of n-grams with and without stop words and punctuation: how many n-grams
occur more than once, what is left of the collection, and how many 10-grams are doubled in that.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Reading, read_batch
from izwi.model.results import NgramRow

THRESHOLDS = (0.5, 0.25, 0.1)
LENGTHS = (10, 7, 5, 3)
_TEN = 10
# Where no list is given, so many of the most frequent words are the stop words.
_STOP_WORDS = 100

Documents = Sequence[Sequence[str]]


def readings(stop_words: tuple[str, ...]) -> Iterator[Reading]:
    """Yield the ways of making n-grams that are compared."""
    for has_stop_words, has_marks, n in product((False, True), (False, True), LENGTHS):
        ignored = () if has_stop_words else stop_words
        yield Reading(n, has_marks=has_marks, ignored=ignored)


def frequent_words(documents: Documents) -> tuple[str, ...]:
    """Return the most frequent words of a collection, which serve as stop words."""
    counts: Counter[str] = Counter()
    for paragraphs in documents:
        for text in paragraphs:
            counts.update(word for word in text.lower().split() if word.isalpha())
    return tuple(word for word, _ in counts.most_common(_STOP_WORDS))


def row(documents: Documents, kept: Documents, reading: Reading, threshold: float) -> NgramRow:
    """Return the figures of one setting; `kept` is what it leaves of the documents."""
    words = _words(documents)
    left = _words(kept)
    duplicate = len(_repeated(documents, reading))
    before, after = _doubled(documents), _doubled(kept)
    return NgramRow(
        threshold,
        not reading.ignored,
        reading.has_marks,
        reading.ngram,
        duplicate,
        round(duplicate / max(words, 1), 4),
        left,
        round(left / max(words, 1), 4),
        after,
        round(after / max(before, 1), 4),
    )


def _words(documents: Documents) -> int:
    batch = read_batch(documents, Reading())
    return int(batch.document_ends[-1]) if len(batch.document_ends) else 0


def _repeated(documents: Documents, reading: Reading) -> NDArray[np.int64]:
    """Return how often each n-gram occurs of those that occur more than once."""
    hashes = read_batch(documents, reading).ngrams
    _, counts = np.unique(hashes[hashes != 0], return_counts=True)
    repeated: NDArray[np.int64] = counts[counts > 1]
    return repeated


def _doubled(documents: Documents) -> int:
    """Return how many occurrences of 10-grams are of one that occurs more than once."""
    return int(_repeated(documents, Reading(_TEN)).sum())
