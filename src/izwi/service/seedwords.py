"""Words for the next round of searches: the corpus's own, neither frequent nor rare."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from izwi.config.schema import Source
from izwi.gather.sources.search import SearchSource
from izwi.index.reader import Segment

# Occurrences per million added to both rates, so that rare words do not win by chance.
_SMOOTHING = 100.0
_LEAST = 3
_MOST_KEYWORDS = 300


def with_words(source: Source, segments: Sequence[Segment], version: int) -> Source:
    """Return a source of searches with the words of this version; others as they are.

    Each version is a round; after the last one no new tuples are drawn.
    """
    if not isinstance(source, SearchSource) or source.words_from == "list":
        return source
    # Before the first version the words given, if any, are the first round.
    if not version:
        return source
    if version > source.rounds:
        return replace(source, words=())
    counts = frequencies(segments)
    if source.words_from == "keywords":
        words = keywords(frequencies_of(segments, source.name), counts, source.letters)
    else:
        words = middle_words(counts, source.ranks, source.letters)
    return replace(source, words=words, seed=source.seed * 1000 + version)


def frequencies(segments: Sequence[Segment]) -> Counter[str]:
    """Return how often each word in lower case comes in a version."""
    counts: Counter[str] = Counter()
    for segment in segments:
        words = segment.lc
        counts.update(dict(zip(words.lexicon, words.frequencies.tolist(), strict=True)))
    return counts


def frequencies_of(segments: Sequence[Segment], source: str) -> Counter[str]:
    """Return how often each word in lower case comes in the documents of one source."""
    counts: Counter[str] = Counter()
    for segment in segments:
        numbers, names = segment.sources
        wanted = np.flatnonzero(numbers == names.index(source)) if source in names else ()
        bounds = ((segment.document_starts[n], segment.document_ends[n]) for n in wanted)
        for start, end in bounds:
            ids, found = np.unique(segment.lc.column[int(start) : int(end)], return_counts=True)
            words = segment.lc.lexicon.values(ids)
            counts.update(dict(zip(words, found.tolist(), strict=True)))
    return counts


def keywords(focus: Mapping[str, int], whole: Mapping[str, int], letters: int) -> tuple[str, ...]:
    """Return the words that are most typical of a part of the corpus, by their ratio of rates.

    >>> keywords({"bakkie": 9, "about": 9}, {"bakkie": 10, "about": 90, "other": 50}, 5)
    ('bakkie', 'about')
    """
    size, rest = sum(focus.values()), max(1, sum(whole.values()) - sum(focus.values()))

    def ratio(word: str) -> float:
        here = focus[word] / size * 1e6
        there = (whole.get(word, 0) - focus[word]) / rest * 1e6
        return (here + _SMOOTHING) / (there + _SMOOTHING)

    known = [word for word, count in focus.items() if count >= _LEAST and len(word) >= letters]
    ranked = sorted(
        (word for word in known if word.isalpha()), key=lambda each: (-ratio(each), each)
    )
    return tuple(ranked[:_MOST_KEYWORDS])


def middle_words(
    counts: Mapping[str, int], ranks: tuple[int, int], letters: int
) -> tuple[str, ...]:
    """Return the words of middle rank that are long enough.

    >>> middle_words({"the": 9, "bakkie": 5, "braai": 4, "rare": 1}, (2, 3), 5)
    ('bakkie', 'braai')
    """
    ranked = sorted(counts, key=lambda word: (-counts[word], word))
    first, last = ranks
    return tuple(
        word for word in ranked[first - 1 : last] if len(word) >= letters and word.isalpha()
    )
