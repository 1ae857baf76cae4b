"""A distributional thesaurus: words are alike that stand in like relations to like words.

After Lin (1998) in the form of Rychly and Kilgarriff (2007): a context is a relation and a word in
it; what two words share weighs by how typical it is of both, and counts less where they differ.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.selection import Selection
from izwi.analyse.sketch_grammar import Grammar
from izwi.analyse.sketches import TaggedTokens, Wish, pairs_from_source
from izwi.analyse.word_forms import document_mask, lemma_of
from izwi.index.columns import distinct
from izwi.index.limits import Deadline
from izwi.index.reader import Segment
from izwi.model.lexicography import SimilarWord, Thesaurus
from izwi.model.results import Progress

Numbers = NDArray[np.int64]
_BLOCK = 1 << 20
# Larger corpora are looked at in stretches spread over them, up to so many tokens.
MOST_TOKENS = 6_000_000
# Stretches whose counts are kept apart before they are added up.
_APART = 3
# Pairs seen once say more about the tagger than about words.
_LEAST_PAIR = 2
# More relations than any grammar has.
_RELATIONS = 1 << 10


@dataclass(frozen=True)
class Contexts:
    """Which word stands how typically in which context, sorted by context."""

    words: Sequence[str]
    hits: Numbers
    # Of each context: the relation, and the word in it.
    relations: Sequence[str]
    relation: Numbers
    partner: Numbers
    # Parallel: the word, the context, the score of the pair.
    word: Numbers
    context: Numbers
    score: NDArray[np.float64]
    # Whether only a part of the text was looked at.
    is_sampled: bool = False


@dataclass(frozen=True, slots=True)
class _Triples:
    """Words, relations and words in them, each three as one number; and how often each occurs."""

    keys: Numbers
    counts: Numbers


def _summed(parts: Sequence[_Triples]) -> _Triples:
    if not parts:
        return _Triples(np.empty(0, np.int64), np.empty(0, np.int64))
    if len(parts) == 1:
        return parts[0]
    keys = np.concatenate([part.keys for part in parts])
    counts = np.concatenate([part.counts for part in parts])
    # Sorting in place and adding up runs takes half the memory of numbering what is distinct.
    order = np.argsort(keys, kind="stable")
    keys, counts = keys[order], counts[order]
    firsts = np.flatnonzero(np.concatenate(([True], keys[1:] != keys[:-1])))[: len(keys)]
    return _Triples(keys[firsts], np.add.reduceat(counts, firsts) if len(firsts) else counts)


def _packed(word: Numbers, relation: Numbers, partner: Numbers, size: int) -> Numbers:
    return (word * _RELATIONS + relation) * size + partner


def _unpacked(keys: Numbers, size: int) -> tuple[Numbers, Numbers, Numbers]:
    rest, partner = np.divmod(keys, size)
    word, relation = np.divmod(rest, _RELATIONS)
    return word, relation, partner


def contexts_of(selection: Selection, grammar: Grammar, wish: Wish) -> Contexts:
    """Count every relation of every word, and score each pair by logDice."""
    segments = selection.segments
    tokens = sum(segment.tokens for segment in segments)
    share = min(1.0, MOST_TOKENS / tokens) if tokens else 1.0
    count = _Count(grammar, wish, selection.deadline)
    found = []
    for number, segment in enumerate(segments):
        selection.listener(Progress("relations", number, len(segments)))
        found.append(count.of_segment(segment, share))
    # Numbers of words are those of their segments; now they get numbers of the corpus.
    size = max(1, len(count.words))
    triples = _summed([_Triples(_packed(*keys, size), counts) for keys, counts in found])
    keys = np.stack(_unpacked(triples.keys, size))
    return _scored(
        list(count.words), list(count.relations), keys, triples.counts, is_sampled=share < 1.0
    )


class _Count:
    """Counts the relations of segments, and gives words and relations their numbers."""

    def __init__(self, grammar: Grammar, wish: Wish, deadline: Deadline) -> None:
        self.words: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self._grammar, self._wish, self._deadline = grammar, wish, deadline
        self._kind = grammar.class_of(wish.pos) if wish.pos else None

    def of_segment(
        self, segment: Segment, share: float
    ) -> tuple[tuple[Numbers, Numbers, Numbers], Numbers]:
        """Return the triples of a segment, or of a share of it, and their counts."""
        tokens = TaggedTokens(segment, self._grammar.tags)
        mask = document_mask(segment, self._wish.chosen, self._grammar.language)
        size = max(1, len(tokens.lemmas.lexicon))
        parts: list[_Triples] = []
        for first in range(0, segment.tokens, max(_BLOCK, int(_BLOCK / share))):
            self._deadline.check()
            keys = np.concatenate(list(self._block(tokens, mask, first, size)))
            parts.append(_Triples(*np.unique(keys, return_counts=True)))
            if len(parts) > _APART:
                parts = [_summed(parts)]
        found = _summed(parts)
        word, relation, partner = _unpacked(found.keys, size)
        table = self._numbers(tokens, distinct(np.concatenate((word, partner))), size)
        return (table[word], relation, table[partner]), found.counts

    def _numbers(self, tokens: TaggedTokens, used: Numbers, size: int) -> Numbers:
        """Return the numbers in the corpus of a segment's lemmas that are used."""
        table = np.zeros(size, np.int64)
        texts = tokens.lemmas.values(used)
        table[used] = [self.words.setdefault(text, len(self.words)) for text in texts]
        return table

    def _block(
        self, tokens: TaggedTokens, mask: NDArray[np.bool_] | None, first: int, size: int
    ) -> Iterator[Numbers]:
        """Yield the triples whose first word stands in one stretch, seen from either end."""
        last = min(first + _BLOCK, tokens.segment.tokens)
        yield np.empty(0, np.int64)
        for pattern in self._grammar.patterns:
            places = tokens.places_of(pattern.source, first, last)
            if mask is not None:
                places = places[mask[tokens.segment.documents_at(places)]]
            pairs = pairs_from_source(tokens, pattern, places)
            yield self._side(tokens, pairs.sources, pairs.targets, pattern.source_sees, size)
            yield self._side(tokens, pairs.targets, pairs.sources, pattern.target_sees, size)

    def _side(
        self, tokens: TaggedTokens, near: Numbers, far: Numbers, name: str, size: int
    ) -> Numbers:
        # The word between is left out: contexts by single prepositions are too thin.
        plain = name.replace("{link}", "preposition")
        number = self.relations.setdefault(plain, len(self.relations))
        if self._kind is not None:
            kept = tokens.are(self._kind, near)
            near, far = near[kept], far[kept]
        column = tokens.lemmas.column
        return _packed(column[near], np.full(len(near), number), column[far], size)


def _scored(
    words: list[str], names: list[str], keys: Numbers, many: Numbers, *, is_sampled: bool
) -> Contexts:
    """Return the contexts with logDice scores; rare pairs and scores below zero are left out."""
    size, relations = max(1, len(words)), max(1, len(names))
    hits = np.bincount(keys[0], many, size).astype(np.int64)
    by_own = np.bincount(keys[0] * relations + keys[1], many)
    others = np.bincount(keys[2], many, size)
    # From here on the few that count: most pairs occur once.
    frequent = many >= _LEAST_PAIR
    keys, many = keys[:, frequent], many[frequent]
    score = 14 + np.log2(2 * many / (by_own[keys[0] * relations + keys[1]] + others[keys[2]]))
    keys, score = keys[:, score > 0], score[score > 0]
    # One number for a context: the relation and the word in it.
    context = keys[1] * size + keys[2]
    order = np.argsort(context, kind="stable")
    pairs, numbered = np.unique(context[order], return_inverse=True)
    return Contexts(
        words=words,
        hits=hits,
        relations=names,
        relation=pairs // size,
        partner=pairs % size,
        word=keys[0][order],
        context=numbered,
        score=score[order],
        is_sampled=is_sampled,
    )


NO_CONTEXTS = _scored([], [], np.empty((3, 0), np.int64), np.empty(0, np.int64), is_sampled=False)


# Contexts shared with this many words tell nothing (have, good, people) and cost most.
_MOST_SHARING = 5000
_SHARED_SHOWN = 5


def thesaurus(selection: Selection, grammar: Grammar, word: str, wish: Wish) -> Thesaurus:
    """Return the words most like one, with some of what they share."""
    lemma = lemma_of(selection.segments, word)
    contexts = _remembered(selection, grammar, wish)
    number = {each: place for place, each in enumerate(contexts.words)}.get(lemma.text)
    notes = [*lemma.notes]
    if contexts.is_sampled:
        notes.append(f"Counted on stretches of {MOST_TOKENS:,} tokens spread over the corpus.")
    hits = 0 if number is None else int(contexts.hits[number])
    lines: tuple[SimilarWord, ...] = ()
    if number is not None:
        lines = _similar(contexts, number, wish)
    if lemma.occurs and not lines:
        notes.append(f"'{lemma.text}' occurs in too few relations to be compared.")
    return Thesaurus(lemma.text, grammar.language, selection.number, hits, lines, tuple(notes))


def _remembered(selection: Selection, grammar: Grammar, wish: Wish) -> Contexts:
    """Return the contexts of a corpus, kept with its first segment while that is open."""
    segments = selection.segments
    if not segments:
        return NO_CONTEXTS
    names = tuple(segment.folder.name for segment in segments)
    key = ("contexts", names, grammar, wish.pos, wish.chosen)
    return segments[0].remembered(key, lambda: contexts_of(selection, grammar, wish))


def _similar(contexts: Contexts, number: int, wish: Wish) -> tuple[SimilarWord, ...]:
    """Return the words most like one that occur often enough in relations to be compared."""
    own = np.flatnonzero(contexts.word == number)
    firsts = np.searchsorted(contexts.context, contexts.context[own], side="left")
    lasts = np.searchsorted(contexts.context, contexts.context[own], side="right")
    few = lasts - firsts <= _MOST_SHARING
    own, firsts, lasts = own[few], firsts[few], lasts[few]
    if not len(own):
        return ()
    rows = np.concatenate([np.arange(a, b) for a, b in zip(firsts, lasts, strict=True)])
    mine = np.repeat(contexts.score[own], lasts - firsts)
    theirs = contexts.score[rows]
    together = mine + theirs - (mine - theirs) ** 2 / 50
    size = len(contexts.words)
    shared = np.bincount(contexts.word[rows], together, size)
    weight = np.bincount(contexts.word, contexts.score, size)
    likeness = shared / np.maximum(weight + weight[number], 1e-9)
    likeness[(contexts.hits < wish.least) | (shared <= 0)] = 0.0
    likeness[number] = 0.0
    best = np.argsort(-likeness, kind="stable")[: wish.most]
    return tuple(
        SimilarWord(
            contexts.words[other],
            round(float(likeness[other]), 3),
            int(contexts.hits[other]),
            _common(contexts, rows, together, int(other)),
        )
        for other in best
        if likeness[other] > 0
    )


def _common(
    contexts: Contexts, rows: Numbers, together: NDArray[np.float64], other: int
) -> tuple[str, ...]:
    """Return what two words share, the most typical first."""
    own = np.flatnonzero(contexts.word[rows] == other)
    best = own[np.argsort(-together[own], kind="stable")][:_SHARED_SHOWN]
    shared = contexts.context[rows[best]]
    relations, partners = contexts.relation[shared].tolist(), contexts.partner[shared].tolist()
    return tuple(
        f"{contexts.relations[relation]}: {contexts.words[partner]}"
        for relation, partner in zip(relations, partners, strict=True)
    )
