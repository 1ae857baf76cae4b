"""Decisions compared with those of a full pairwise comparison, after Dwyer (2014, 4.2.2).

Every document is compared with every other, without an index, without hashing into owners: slow,
but as simple as the definition of each method.
"""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from izwi.dedup.batch import Batch, Reading, read_batch
from izwi.dedup.documents import (
    SentenceSettings,
    ShingleSettings,
    sentence_copies,
    sentence_prints,
    shingle_copies,
)
from izwi.model.results import Agreement

Documents = Sequence[Sequence[str]]
_Thing = TypeVar("_Thing", bound=Hashable)


def document_agreement(documents: Documents) -> Iterator[Agreement]:
    """Yield how far the methods for whole documents agree with a pairwise comparison."""
    # The limit of matches is for speed alone, and is left out as the source leaves it out.
    settings = SentenceSettings(most_matches=len(documents))
    prints = [sentence_prints(each, settings.least_letters) for each in documents]
    found = {copy.document for copy in sentence_copies(documents, settings)}
    order = list(range(len(documents)))
    yield _compared("sentences", order, found, _alike(prints, order, settings.threshold))
    shingles = ShingleSettings()
    batch = read_batch(documents, Reading(ngram=shingles.size))
    sets = [_distinct(batch, place) for place in order]
    lengths = np.diff(batch.document_ends, prepend=0)
    longest_first = np.lexsort((np.arange(len(lengths)), -lengths)).tolist()
    found = {copy.document for copy in shingle_copies(documents, shingles)}
    pairwise = _alike(sets, longest_first, shingles.threshold)
    yield _compared("shingles", longest_first, found, pairwise)


def block_agreement(
    documents: Documents, kept: Sequence[Sequence[int]], reading: Reading, threshold: float
) -> Agreement:
    """Return how far copied paragraphs are those a comparison with all earlier documents finds.

    `kept` are the paragraphs that the engine left, by n-grams alone.
    """
    batch = read_batch(documents, reading)
    blocks = [
        (place, number) for place, texts in enumerate(documents) for number in range(len(texts))
    ]
    found = {(place, number) for place, number in blocks if number not in set(kept[place])}
    pairwise: set[tuple[int, int]] = set()
    earlier: list[_Seen] = []
    for place in range(len(documents)):
        own = _Seen(
            _distinct(batch, place),
            set(batch.block_keys[batch.blocks(place)].tolist()) - {0},
            int(batch.document_keys[place]),
        )
        copied = _copied(batch, place, earlier, own, reading.ngram, threshold)
        pairwise |= {(place, number) for number in copied}
        earlier.append(own)
    return _compared("blocks", blocks, found, pairwise & set(blocks))


@dataclass(frozen=True, slots=True)
class _Seen:
    """What a document holds: n-grams, exact blocks, and its text as a whole; 0 for no text."""

    ngrams: set[int]
    blocks: set[int]
    text: int


def _copied(
    batch: Batch, place: int, earlier: Sequence[_Seen], own: _Seen, n: int, threshold: float
) -> Iterator[int]:
    """Yield the blocks that are copies: covered by n-grams, the same, or said before."""
    # Pair by pair, as the definition has it.
    known = {each for other in earlier for each in own.ngrams & other.ngrams}
    same = {each for other in earlier for each in own.blocks & other.blocks}
    is_whole = own.text != 0 and any(other.text == own.text for other in earlier)
    blocks = batch.blocks(place)
    keys, sizes = batch.block_keys[blocks].tolist(), batch.block_sizes[blocks].tolist()
    shares = _covered(batch, place, known, n)
    for number, (key, size, share) in enumerate(zip(keys, sizes, shares, strict=True)):
        is_repeated = key != 0 and size >= n and key in keys[:number]
        if is_whole or share >= threshold or key in same or is_repeated:
            yield number


def _alike(sets: Sequence[set[int]], order: Sequence[int], threshold: float) -> set[int]:
    """Return the places of documents that are like one before them in the order."""
    return {
        place
        for number, place in enumerate(order)
        if any(_jaccard(sets[place], sets[other]) > threshold for other in order[:number])
    }


def _jaccard(one: set[int], other: set[int]) -> float:
    if one.isdisjoint(other):
        return 0.0
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared)


def _distinct(batch: Batch, place: int) -> set[int]:
    return set(batch.ngrams[batch.tokens(place)].tolist()) - {0}


def _covered(batch: Batch, place: int, known: set[int], n: int) -> Iterator[float]:
    """Yield the share of each block's tokens that known n-grams cover."""
    tokens, blocks = batch.tokens(place), batch.blocks(place)
    covered = [False] * (tokens.stop - tokens.start)
    for last, each in enumerate(batch.ngrams[tokens].tolist()):
        if each in known:
            covered[last - n + 1 : last + 1] = [True] * n
    first = 0
    for end in (batch.block_ends[blocks] - tokens.start).tolist():
        yield sum(covered[first:end]) / max(end - first, 1)
        first = end


def _compared(
    method: str, judged: Sequence[_Thing], found: set[_Thing], pairwise: set[_Thing]
) -> Agreement:
    return Agreement(
        method, len(judged), len(found & pairwise), len(found - pairwise), len(pairwise - found)
    )
