"""A distributional thesaurus: words are alike that stand in the same relations to the same words.

After Lin (1998) in the form of Rychly and Kilgarriff (2007): a context is a relation and a word in
it; what two words share weighs by how typical it is of both, and counts less where they differ.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.attributes import lemma_attribute
from izwi.analyse.lemmas import document_mask, lemma_of
from izwi.analyse.sketch_grammar import Grammar, TokenClass
from izwi.analyse.sketch_scan import TaggedTokens, pairs_from_source
from izwi.analyse.sketches import Wish
from izwi.index.reader import Segment
from izwi.model.lexicography import SimilarWord, Thesaurus
from izwi.query.deadline import Deadline

Numbers = NDArray[np.int64]
_BLOCK = 1 << 20
# Larger corpora are looked at in stretches spread over them, up to so many tokens.
MOST_TOKENS = 20_000_000
# Pairs seen once say more about the tagger than about words.
_LEAST_PAIR = 2
# Contexts shared with this many words tell nothing (have, good, people) and cost most.
_MOST_SHARING = 5000
_SHARED_SHOWN = 5


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


def thesaurus(
    segments: Sequence[Segment],
    grammar: Grammar,
    word: str,
    wish: Wish,
    *,
    snapshot: int,
    deadline: Deadline,
) -> Thesaurus:
    """Return the words most like one, with some of what they share."""
    lemma = lemma_of(segments, word)
    contexts = _remembered(segments, grammar, wish, deadline)
    number = {each: place for place, each in enumerate(contexts.words)}.get(lemma.text)
    notes = [*lemma.notes]
    if contexts.is_sampled:
        notes.append(f"Counted on stretches of {MOST_TOKENS:,} tokens spread over the corpus.")
    hits = 0 if number is None else int(contexts.hits[number])
    lines: tuple[SimilarWord, ...] = ()
    if number is not None:
        lines = _similar(contexts, number, wish)
    if not lines:
        notes.append(f"'{lemma.text}' stands in too few relations to be compared.")
    return Thesaurus(lemma.text, grammar.language, snapshot, hits, lines, tuple(notes))


def _remembered(
    segments: Sequence[Segment], grammar: Grammar, wish: Wish, deadline: Deadline
) -> Contexts:
    """Return the contexts of a corpus, kept with its first segment while that is open."""
    if not segments:
        return _empty()
    names = tuple(segment.folder.name for segment in segments)
    key = ("contexts", names, grammar, wish.pos, wish.chosen)
    return segments[0].remembered(key, lambda: contexts_of(segments, grammar, wish, deadline))


def contexts_of(
    segments: Sequence[Segment], grammar: Grammar, wish: Wish, deadline: Deadline
) -> Contexts:
    """Count every relation of every word, and score each pair by logDice."""
    words: dict[str, int] = {}
    relations: dict[str, int] = {}
    tokens = sum(segment.tokens for segment in segments)
    share = min(1.0, MOST_TOKENS / tokens) if tokens else 1.0
    parts = [
        _triples(segment, grammar, wish, words, relations, share, deadline) for segment in segments
    ]
    keys = np.concatenate([np.empty((3, 0), np.int64), *(part[0] for part in parts)], axis=1)
    many = np.concatenate([np.empty(0, np.int64), *(part[1] for part in parts)])
    names = list(relations)
    return _scored(list(words), names, keys, many, is_sampled=share < 1.0)


def _triples(
    segment: Segment,
    grammar: Grammar,
    wish: Wish,
    words: dict[str, int],
    relations: dict[str, int],
    share: float,
    deadline: Deadline,
) -> tuple[Numbers, Numbers]:
    """Return word, relation and other word as numbers of the whole corpus, and their counts."""
    tokens = TaggedTokens(segment)
    mask = document_mask(segment, wish.chosen, grammar.language)
    kind = grammar.class_of(wish.pos) if wish.pos else None
    rows = [np.empty((3, 0), np.int64)]
    step = max(_BLOCK, int(_BLOCK / share))
    for first in range(0, segment.tokens, step):
        deadline.check()
        rows.append(_block(tokens, grammar, mask, kind, relations, first))
    keys, many = np.unique(np.concatenate(rows, axis=1), axis=1, return_counts=True)
    lemmas = lemma_attribute(segment)
    used = np.unique(keys[::2]) if keys.size else keys[0]
    numbers = [words.setdefault(text, len(words)) for text in lemmas.values(used)]
    table = np.zeros(max(1, len(lemmas.lexicon)), np.int64)
    table[used] = numbers
    return np.stack((table[keys[0]], keys[1], table[keys[2]])), many


def _block(
    tokens: TaggedTokens,
    grammar: Grammar,
    mask: NDArray[np.bool_] | None,
    kind: TokenClass | None,
    relations: dict[str, int],
    first: int,
) -> Numbers:
    """Return the triples whose first word stands in one stretch, seen from either end."""
    last = min(first + _BLOCK, tokens.segment.tokens)
    lemmas = tokens.lemmas.column
    rows = [np.empty((3, 0), np.int64)]
    for pattern in grammar.patterns:
        places = tokens.places_of(pattern.source, first, last)
        if mask is not None:
            places = places[mask[tokens.segment.documents_at(places)]]
        pairs = pairs_from_source(tokens, pattern, places)
        for near, far, name in (
            (pairs.sources, pairs.targets, pattern.source_sees),
            (pairs.targets, pairs.sources, pattern.target_sees),
        ):
            # The word between is left out: contexts by single prepositions are too thin.
            plain = name.replace("{link}", "preposition")
            number = relations.setdefault(plain, len(relations))
            kept = np.ones(len(near), np.bool_) if kind is None else tokens.are(kind, near)
            one, two = lemmas[near[kept]], lemmas[far[kept]]
            rows.append(np.stack((one, np.full(len(one), number), two)))
    return np.concatenate(rows, axis=1)


def _scored(
    words: list[str], names: list[str], keys: Numbers, many: Numbers, *, is_sampled: bool
) -> Contexts:
    """Return the contexts with logDice scores, those below zero left out."""
    size = max(1, len(words))
    hits = np.bincount(keys[0], many, size).astype(np.int64)
    # One number for a context: the relation and the word in it.
    context = keys[1] * size + keys[2]
    own = keys[0] * max(1, len(names)) + keys[1]
    by_own = np.bincount(own, many)
    others = np.bincount(keys[2], many, size)
    score = 14 + np.log2(2 * many / (by_own[own] + others[keys[2]]))
    kept = (score > 0) & (many >= _LEAST_PAIR)
    order = np.argsort(context[kept], kind="stable")
    pairs, numbered = np.unique(context[kept][order], return_inverse=True)
    return Contexts(
        words=words,
        hits=hits,
        relations=names,
        relation=pairs // size,
        partner=pairs % size,
        word=keys[0][kept][order],
        context=numbered,
        score=score[kept][order],
        is_sampled=is_sampled,
    )


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


def _empty() -> Contexts:
    nothing = np.empty(0, np.int64)
    return Contexts((), nothing, (), nothing, nothing, nothing, nothing, np.empty(0))
