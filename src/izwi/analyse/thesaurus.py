"""A distributional thesaurus: words are alike that stand in the same relations to the same words.

After Lin (1998) in the form of Rychly and Kilgarriff (2007): a context is a relation and a word in
it; what two words share weighs by how typical it is of both, and counts less where they differ.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.contexts import MOST_TOKENS, NO_CONTEXTS, Contexts, Numbers, contexts_of
from izwi.analyse.lemmas import lemma_of
from izwi.analyse.sketch_grammar import Grammar
from izwi.analyse.sketches import Wish
from izwi.index.reader import Segment
from izwi.model.lexicography import SimilarWord, Thesaurus
from izwi.model.results import Listener, ignore
from izwi.query.deadline import Deadline

# Contexts shared with this many words tell nothing (have, good, people) and cost most.
_MOST_SHARING = 5000
_SHARED_SHOWN = 5


def thesaurus(
    segments: Sequence[Segment],
    grammar: Grammar,
    word: str,
    wish: Wish,
    *,
    snapshot: int,
    deadline: Deadline,
    listener: Listener = ignore,
) -> Thesaurus:
    """Return the words most like one, with some of what they share."""
    lemma = lemma_of(segments, word)
    contexts = _remembered(segments, grammar, wish, deadline, listener)
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
    segments: Sequence[Segment],
    grammar: Grammar,
    wish: Wish,
    deadline: Deadline,
    listener: Listener,
) -> Contexts:
    """Return the contexts of a corpus, kept with its first segment while that is open."""
    if not segments:
        return NO_CONTEXTS
    names = tuple(segment.folder.name for segment in segments)
    key = ("contexts", names, grammar, wish.pos, wish.chosen)
    return segments[0].remembered(
        key, lambda: contexts_of(segments, grammar, wish, deadline, listener)
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
