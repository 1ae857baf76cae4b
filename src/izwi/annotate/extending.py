"""Adding a small sample tagged by hand to a tagger that is already trained.

What the tagger knows is where learning starts, so its weights move only as far as the sample asks
for: the bootstrapping by which a tagger is fitted to a variety with little work by hand.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.conllu import GoldSentence, GoldWord
from izwi.annotate.tagger import Integers, LemmaModel, Tag, Tagger, TaggerModel, Vocabulary, pack
from izwi.annotate.training import (
    TrainingPlan,
    learn_from,
    tag_classes,
    tag_of,
    usual_feats,
)

_LARGEST = 127


def extend(
    model: TaggerModel,
    sentences: Sequence[GoldSentence],
    *,
    plan: TrainingPlan = TrainingPlan(),  # noqa: B008 - frozen
) -> TaggerModel:
    """Return a model that knows what the given one does, and the sample."""
    words = [word for sentence in sentences for word in sentence.words]
    tags = _with_new_tags(model.tags, words)
    number = {tag: place for place, tag in enumerate(tags)}
    gold = np.array([number[tag_of(word)] for word in words], np.int64)
    forms = [word.form for word in words]
    vocabulary = _merged(model.vocabulary, tag_classes(forms, gold, plan.least_frequency))
    begins = np.cumsum([0, *(len(sentence.words) for sentence in sentences)])[:-1].tolist()
    packed = pack(forms, begins, vocabulary, len(model.weights) - 2)
    start = np.pad(model.weights, ((0, 0), (0, len(tags) - len(model.tags)))).astype(np.float32)
    weights = learn_from(start, packed, gold, plan)
    extended = replace(model, tags=tags, weights=_small(weights), vocabulary=vocabulary)
    return replace(
        extended,
        lemmas=_with_exceptions(extended, words, gold),
        feats={**model.feats, **usual_feats(words, gold, known=model.feats)},
        notes={**model.notes, "extended": f"by {len(words)} words"},
    )


def _with_new_tags(tags: Sequence[Tag], words: Sequence[GoldWord]) -> tuple[Tag, ...]:
    """Return the tags with those of the sample behind them: numbers in use stay true."""
    new = sorted({tag_of(word) for word in words} - set(tags), key=lambda t: (t.upos, t.xpos))
    return (*tags, *new)


def _merged(old: Vocabulary, new: Vocabulary) -> Vocabulary:
    """Return both vocabularies; the old one wins, new classes are numbered on."""
    first = int(old.classes.max(initial=0))
    fresh = ~np.isin(new.known, old.known)
    known = np.concatenate((old.known, new.known[fresh]))
    classes = np.concatenate((old.classes, new.classes[fresh] + first))
    order = np.argsort(known)
    return Vocabulary(known[order], classes[order])


def _small(weights: NDArray[np.float32]) -> NDArray[np.int8]:
    small: NDArray[np.int8] = np.clip(np.round(weights), -_LARGEST, _LARGEST).astype(np.int8)
    return small


def _with_exceptions(model: TaggerModel, words: Sequence[GoldWord], gold: Integers) -> LemmaModel:
    """Return the lemmas, with the words of the sample listed that would be wrong."""
    found = Tagger(model).lemmas([word.form for word in words], gold)
    wrong: Mapping[str, str] = {
        f"{word.form.lower()}\t{_part(model.tags[tag])}": word.lemma
        for word, tag, lemma in zip(words, gold.tolist(), found, strict=True)
        if word.lemma not in ("", "_", lemma)
    }
    return replace(model.lemmas, exceptions={**model.lemmas.exceptions, **wrong})


def _part(tag: Tag) -> str:
    return tag.upos or tag.xpos
