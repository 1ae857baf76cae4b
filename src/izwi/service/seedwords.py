"""Words for the next round of searches: the corpus's own, neither frequent nor rare."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from izwi.config.schema import Source
from izwi.gather.sources.search import SearchSource
from izwi.index.reader import Segment


def with_words(source: Source, segments: Sequence[Segment], version: int) -> Source:
    """Return a source of searches with the words of this version; others as they are.

    Each version is a round; after the last one no new tuples are drawn.
    """
    if not isinstance(source, SearchSource) or source.words_from != "corpus":
        return source
    if not version or version > source.rounds:
        return replace(source, words=())
    words = middle_words(frequencies(segments), source.ranks, source.letters)
    return replace(source, words=words, seed=source.seed * 1000 + version)


def frequencies(segments: Sequence[Segment]) -> Counter[str]:
    """Return how often each word in lower case comes in a version."""
    counts: Counter[str] = Counter()
    for segment in segments:
        words = segment.lc
        counts.update(dict(zip(words.lexicon, words.frequencies.tolist(), strict=True)))
    return counts


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
