"""Learning a tagger from sentences tagged by hand, and adding a small sample to a trained one.

Adding a small sample tagged by hand to a tagger that is already trained. What the tagger knows is
where learning starts, so its weights move only as far as the sample asks for: the bootstrapping by
which a tagger is fitted to a variety with little work by hand.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.bundles import FeatureModel, choices
from izwi.annotate.conllu import GoldSentence, GoldWord
from izwi.annotate.edits import (
    NO_FORMS,
    Integers,
    LemmaModel,
    edit_between,
    favours,
    likeliest_forms,
    pack_edits,
)
from izwi.annotate.roots import NO_ROOTS, RootList, labelled_roots
from izwi.annotate.tagger import (
    NO_LIST,
    Packed,
    Tag,
    Tagger,
    TaggerModel,
    Vocabulary,
    WordList,
    kept_tags,
    pack,
    room_for_rows,
)
from izwi.kernels import tagging
from izwi.kernels.features_of_words import BUNDLE_FEATURES, EDIT_FEATURES, WORD

_LARGEST = 127
# Weights of features up to this are half of all and change one word in a thousand (German, Polish).
_LEAST_FEATURE_WEIGHT = 10


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How long and how carefully one learns; the defaults are those of the shipped models."""

    epochs: int = 10
    # Weights are kept in a table of two to this power rows.
    bits: int = 19
    lemma_bits: int = 16
    # Share of features left out at each step, and the lead that counts as sure.
    left_out: float = 0.3
    margin: float = 20.0
    # A word must be so frequent for its tags to be remembered.
    least_frequency: int = 3
    seed: int = 1
    # Whether features are chosen in the sentence, or are those usual for a tag and a listed word;
    # the lead that counts as sure there, and their table's size.
    learns_features: bool = False
    feature_margin: float = 80.0
    feature_bits: int = 16
    # Beginnings of the tags kept in mind for words further on.
    keeps: tuple[str, ...] = ()
    # Whether of the likeliest lemmas those count more that the treebank has: where beginnings and
    # ends of words change. (Afrikaans and English lose a word in a thousand by it.)
    attests: bool = False
    # Whether beginnings of words count more than other features.
    weighs_beginnings: bool = False
    # Trainings with other seeds, whose weights are averaged.
    trainings: int = 1
    # How long lemmas and roots are learnt, if not as long as tags.
    form_epochs: int = 0
    # How often a sentence tagged by hand is seen while one that a teacher tagged is seen once.
    times_by_hand: int = 1
    # Weights up to this decide nothing and are left out; those of one step take a tenth of a file.
    least_weight: int = 1


def train(
    sentences: Sequence[GoldSentence],
    language: str,
    *,
    plan: TrainingPlan = TrainingPlan(),  # noqa: B008 - frozen
    notes: Mapping[str, str] | None = None,
    listed: WordList = NO_LIST,
    roots: RootList = NO_ROOTS,
    taught: Sequence[GoldSentence] = (),
) -> TaggerModel:
    """Return the model learnt from tagged sentences; `listed` is what is known of words else.

    `roots` are looked for inside words where beginnings weigh more. Sentences that a better and
    slower tagger has `taught` teach tags alone, and only those that the others have.
    """
    words = [word for sentence in sentences for word in sentence.words]
    begins = np.cumsum([0, *(len(sentence.words) for sentence in sentences)])[:-1].tolist()
    tags = tuple(sorted({tag_of(word) for word in words}, key=lambda tag: (tag.upos, tag.xpos)))
    number = {tag: place for place, tag in enumerate(tags)}
    gold = np.array([number[tag_of(word)] for word in words], np.int64)
    forms = [word.form for word in words]
    vocabulary = replace(
        tag_classes(forms, gold, plan.least_frequency),
        listed=listed,
        weighs_beginnings=plan.weighs_beginnings,
        roots=roots,
    )
    packed = pack(forms, begins, vocabulary, (1 << plan.bits) - 1)
    keeps = kept_tags(tags, plan.keeps)
    weights = np.zeros(((1 << plan.bits) + 1, len(tags)), np.float32)
    more, labels = _with_taught(forms, begins, gold, taught, number)
    seen = pack(*more, vocabulary, (1 << plan.bits) - 1) if taught else packed
    turns = np.repeat(np.arange(len(begins)), plan.times_by_hand if taught else 1)
    turns = np.concatenate((turns, np.arange(len(begins), len(more[1]))))
    for turn in range(plan.trainings):
        other = replace(plan, seed=plan.seed + turn)
        weights += learn_from(np.zeros_like(weights), seen, labels, keeps, other, turns)
    return TaggerModel(
        language,
        tags,
        without_small(rounded(weights), plan.least_weight),
        vocabulary,
        _learn_forms([(word.form, word.lemma) for word in words], gold, tags, plan),
        {} if plan.learns_features else usual_feats(words, gold),
        _learn_forms([(word.form, root_of(word.morphemes)) for word in words], gold, tags, plan),
        dict(notes or {}),
        _learn_features(words, packed, gold, tags, plan) if plan.learns_features else None,
        plan.keeps,
    )


def _with_taught(
    forms: list[str],
    begins: list[int],
    gold: Integers,
    taught: Sequence[GoldSentence],
    number: Mapping[Tag, int],
) -> tuple[tuple[list[str], list[int]], Integers]:
    """Return words, beginnings of sentences and tags, with those a teacher tagged behind."""
    words = [word for sentence in taught for word in sentence.words]
    sizes = [len(forms), *(len(sentence.words) for sentence in taught)]
    more = np.cumsum(sizes)[:-1].tolist()
    labels = np.array([number[tag_of(word)] for word in words], np.int64)
    together = ([*forms, *(word.form for word in words)], [*begins, *more])
    return together, np.concatenate((gold, labels))


def _learn_features(
    words: Sequence[GoldWord],
    packed: Packed,
    tags_of_words: Integers,
    tags: Sequence[Tag],
    plan: TrainingPlan,
) -> FeatureModel | None:
    """Return how features are chosen from a word, its tag and its sentence; None without any."""
    values = tuple(sorted({word.feats for word in words}))
    if len(values) < 2:
        return None
    place = {value: number for number, value in enumerate(values)}
    gold = np.array([place[word.feats] for word in words], np.int64)
    found: list[set[int]] = [set() for _ in tags]
    for tag, number in zip(tags_of_words.tolist(), gold.tolist(), strict=True):
        found[tag].add(number)
    options = tuple(tuple(sorted(some)) for some in found)
    among = choices(values, options, [tag.upos for tag in tags])
    weights = np.zeros(((1 << plan.feature_bits) + 1, among.width), np.float32)
    sums = np.zeros(weights.shape, np.float64)
    scores, rows = np.zeros(among.width + 1, np.float32), np.zeros(BUNDLE_FEATURES, np.int64)
    order, step, chosen = np.random.default_rng(plan.seed), 1.0, np.zeros_like(gold)
    chance = np.array([2 * plan.seed + 1], np.uint64)
    for _ in range(plan.epochs):
        step = tagging.learn_bundles(
            packed.facts,
            packed.sentences,
            order.permutation(len(packed.sentences) - 1),
            tags_of_words,
            among.roles,
            among.columns,
            among.starts,
            among.options,
            gold,
            weights,
            sums,
            scores,
            rows,
            chosen,
            plan.left_out,
            plan.feature_margin,
            step,
            chance,
        )
    average = rounded(weights - (sums / step).astype(np.float32))
    return FeatureModel(values, options, without_small(average, _LEAST_FEATURE_WEIGHT))


def tag_of(word: GoldWord) -> Tag:
    """Return the tag of a word of a treebank."""
    return Tag(word.upos, word.xpos)


def tag_classes(forms: Sequence[str], gold: Integers, least: int) -> Vocabulary:
    """Return the frequent words with the set of tags each has in at least one of twenty uses."""
    none = np.zeros(0, np.int64)
    hashes = pack(forms, [0], Vocabulary(none, none), 1).facts[2:-2, WORD].tolist()
    tags: defaultdict[int, Counter[int]] = defaultdict(Counter)
    for word, tag in zip(hashes, gold.tolist(), strict=True):
        tags[word][tag] += 1
    number_by_class: dict[tuple[int, ...], int] = {}
    found = {}
    for word, counts in tags.items():
        total = counts.total()
        if total >= least:
            usual = tuple(t for t, n in counts.most_common(4) if n >= 0.05 * total)
            found[word] = number_by_class.setdefault(usual, len(number_by_class) + 1)
    known = sorted(found)
    return Vocabulary(
        np.array(known, np.int64), np.array([found[word] for word in known], np.int64)
    )


def learn_from(
    weights: NDArray[np.float32],
    packed: Packed,
    gold: Integers,
    keeps: NDArray[np.uint8],
    plan: TrainingPlan,
    turns: Integers | None = None,
) -> NDArray[np.float32]:
    """Return the weights given, changed to their average over all steps of learning.

    `turns` are the numbers of the sentences in one epoch, each once if nothing is said.
    """
    if turns is None:
        turns = np.arange(len(packed.sentences) - 1)
    mask, tags = len(weights) - 2, weights.shape[1]
    sums = np.zeros(weights.shape, np.float64)
    scores, rows = np.zeros(tags, np.float32), room_for_rows(packed, keeps)
    order, step = np.random.default_rng(plan.seed), 1.0
    chance = np.array([2 * plan.seed + 1], np.uint64)
    for _ in range(plan.epochs):
        step = tagging.learn(
            packed.features,
            packed.facts,
            packed.sentences,
            order.permutation(turns),
            gold,
            keeps,
            weights,
            sums,
            scores,
            rows,
            mask,
            plan.left_out,
            plan.margin,
            step,
            chance,
        )
    # In place: the tables are large.
    sums /= step
    weights -= sums
    return weights


def rounded(average: NDArray[np.float32]) -> NDArray[np.int8]:
    """Return weights as small integers."""
    used = np.abs(average[average != 0])
    if not len(used):
        return np.zeros(average.shape, np.int8)
    scale = _LARGEST / np.quantile(used, 0.9995)
    rounded: NDArray[np.int8] = np.clip(np.round(average * scale), -_LARGEST, _LARGEST).astype(
        np.int8
    )
    return rounded


def without_small(weights: NDArray[np.int8], least: int) -> NDArray[np.int8]:
    """Return weights without those up to a number."""
    return np.where(np.abs(weights.astype(np.int16)) <= least, 0, weights).astype(np.int8)


def _learn_forms(
    words: Sequence[tuple[str, str]], gold: Integers, tags: Sequence[Tag], plan: TrainingPlan
) -> LemmaModel:
    """Return the edits from words to lemmas (or roots), and the words they fail on."""
    lemmas: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for (form, lemma), tag in zip(words, gold.tolist(), strict=True):
        if lemma and (lemma != "_" or form == "_"):
            lemmas[form, tag][lemma] += 1
    usual = {pair: counts.most_common(1)[0][0] for pair, counts in lemmas.items()}
    edit_by_pair = {pair: edit_between(pair[0], lemma) for pair, lemma in usual.items()}
    counts = Counter(edit_by_pair.values())
    edits = tuple(e for e, n in sorted(counts.items(), key=lambda c: -c[1]) if n > 1)[:800]
    if not edits:
        return NO_FORMS
    place = {edit: number for number, edit in enumerate(edits)}
    pairs = [pair for pair, edit in edit_by_pair.items() if edit in place]
    chosen = np.array([place[edit_by_pair[pair]] for pair in pairs], np.int64)
    model = LemmaModel(edits, _learn_edits(pairs, chosen, len(edits), plan), {})
    if plan.attests:
        attested = favours((word, lemma) for (word, _), lemma in usual.items())
        model = replace(model, attested=attested)
    return replace(model, exceptions=_exceptions(model, lemmas, tags))


def _learn_edits(
    pairs: Sequence[tuple[str, int]], gold: Integers, edits: int, plan: TrainingPlan
) -> NDArray[np.int8]:
    mask = (1 << plan.lemma_bits) - 1
    found = pack_edits(pairs, mask)
    weights = np.zeros((mask + 2, edits), np.float32)
    sums = np.zeros((mask + 2, edits), np.float64)
    scores = np.zeros(edits, np.float32)
    rows = np.zeros(EDIT_FEATURES, np.int64)
    order, step = np.random.default_rng(plan.seed), 1.0
    chance = np.array([2 * plan.seed + 1], np.uint64)
    for _ in range(plan.form_epochs or plan.epochs):
        step = tagging.learn_choices(
            found,
            order.permutation(len(pairs)),
            gold,
            weights,
            sums,
            scores,
            rows,
            mask + 1,
            plan.left_out,
            plan.margin,
            step,
            chance,
        )
    return rounded(weights - (sums / step).astype(np.float32))


def _exceptions(
    model: LemmaModel, lemmas: Mapping[tuple[str, int], Counter[str]], tags: Sequence[Tag]
) -> dict[str, str]:
    """Return the usual lemmas of those words whose learnt edit mostly gives another."""
    pairs = list(lemmas)
    seen: defaultdict[str, Counter[str]] = defaultdict(Counter)
    wrong: Counter[str] = Counter()
    for (word, tag), form in zip(pairs, likeliest_forms(model, pairs), strict=True):
        key = f"{word.lower()}\t{tags[tag].upos or tags[tag].xpos}"
        seen[key] += lemmas[word, tag]
        right = lemmas[word, tag][form]
        wrong[key] += lemmas[word, tag].total() - right
    usual = {key: counts.most_common(1)[0] for key, counts in seen.items()}
    return {key: usual[key][0] for key, n in wrong.items() if 2 * n > seen[key].total()}


def usual_feats(
    words: Sequence[GoldWord], gold: Integers, *, known: Mapping[str, str] = MappingProxyType({})
) -> dict[str, str]:
    """Return the usual features of each tag, and of the words that differ from their tag.

    What is `known` of a tag already is not said again.
    """
    by_tag: defaultdict[int, Counter[str]] = defaultdict(Counter)
    by_word: defaultdict[tuple[str, int], Counter[str]] = defaultdict(Counter)
    for word, tag in zip(words, gold.tolist(), strict=True):
        by_tag[tag][word.feats] += 1
        by_word[word.form.lower(), tag][word.feats] += 1
    found = {f"\t{tag}": counts.most_common(1)[0][0] for tag, counts in by_tag.items()}
    found = {name: known.get(name, feats) for name, feats in found.items()}
    for (form, tag), counts in by_word.items():
        usual, times = counts.most_common(1)[0]
        if usual != found[f"\t{tag}"] and times > 1:
            found[f"{form}\t{tag}"] = usual
    return found


def root_of(morphemes: str) -> str:
    """Return the first root in an annotation such as i[NPrePre8]-zi[BPre8]-dingo[NStem].

    >>> root_of("i[NPrePre8]-zi[BPre8]-dingo[NStem]")
    'dingo'
    """
    return next((root for root, _ in labelled_roots(morphemes)), "")


# A trained tagger's weights are large: a sample of five sentences needs so many turns to move them.
ONTO = TrainingPlan(epochs=20)


def extend(
    model: TaggerModel,
    sentences: Sequence[GoldSentence],
    *,
    plan: TrainingPlan = ONTO,
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
    weights = learn_from(start, packed, gold, kept_tags(tags, model.keeps), plan)
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
    return replace(old, known=known[order], classes=classes[order])


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
