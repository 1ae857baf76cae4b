"""Tag plain text of the four Nguni languages by teachers that are too slow to come along.

    python tools/teach_nguni.py FOLDER TEXTS OUTPUT [--held-out FIFTH]

FOLDER holds the treebanks of `train_tagger`, TEXTS the files LANGUAGE.train.tsv.gz (source, tab,
text), of which the sources below are read. A net that learns the four languages together
(`pieces_net`) and four perceptrons like the tagger of each, two of which go from
right to left, tag together. OUTPUT gets taught-LANGUAGE.conllu.gz for `train_tagger`. With a fifth
held out, in blocks of sentences, it is not learnt, and how well it is tagged is said.
"""

import argparse
import gzip
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from pieces_net import Batch, PiecesNet
from scipy.sparse import csr_matrix
from teach_tagger import Perceptron, Sample, write
from train_tagger import NGUNI, PLANS, ROOTED, SOURCES, with_universal_tags

from izwi.annotate.base import AnnotatorSettings
from izwi.annotate.conllu import GoldSentence, read_conllu
from izwi.annotate.roots import NO_ROOTS, roots_of
from izwi.annotate.tagger import Tag
from izwi.annotate.tokens import Tokeniser
from izwi.annotate.training import tag_classes, tag_of

# Text that may train a model; what its licences are stands in NOTICE.
TEXT_SOURCES = frozenset(("nchlt", "vukuzenzele", "govza"))
_SHORTEST, _LONGEST, _MOST_WORDS = 3, 60, 170_000
# The treebanks are translations of the same sentences, so that blocks are held out of all.
_BLOCK, _FIFTHS = 20, 5
_EPOCHS, _WORDS_A_STEP, _WORDS_SCORED = 12, 500, 4000
_SEEDS = (1,)
_PERCEPTRONS = ((1, False), (2, False), (1, True), (2, True))
# By so much sums of weights are divided to be logarithms of chances; chosen on a fifth.
_SHARPNESS = 20.0
_FEWEST_PIECES, _FEWEST_MORPHEMES = 2, 20
_LABEL = re.compile(r"\[(\w+)\]")
_BEGIN, _END = "^", "$"

# A sentence as the number of its language and its words.
Words = tuple[int, Sequence[str]]
Treebank = Sequence[GoldSentence]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("folder", "texts", "output"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--held-out", type=int, choices=range(_FIFTHS))
    asked = parser.parse_args()
    banks = [
        [with_universal_tags(each) for each in read_conllu(asked.folder / SOURCES[language][0])]
        for language in NGUNI
    ]
    learnt = [[s for n, s in enumerate(bank) if _fifth(n) != asked.held_out] for bank in banks]
    held_out = [[s for n, s in enumerate(bank) if _fifth(n) == asked.held_out] for bank in banks]
    plain = [plain_sentences(asked.texts, language) for language in NGUNI]
    nets = [learnt_net(learnt, seed) for seed in _SEEDS]
    for number, language in enumerate(NGUNI):
        samples = [[[word.form for word in s.words] for s in held_out[number]], plain[number]]
        tags, labels = taught(number, learnt, samples, nets)
        gold = [word.xpos for sentence in held_out[number] for word in sentence.words]
        if gold:
            right = [tags[n].xpos == xpos for n, xpos in zip(labels[0], gold, strict=True)]
            say(f"{language}: {100 * np.mean(right):.2f} % of {len(gold)} words held out right")
        write(
            asked.output / f"taught-{language}.conllu.gz",
            Sample(plain[number]),
            [tags[n] for n in labels[1]],
        )


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _fifth(number: int) -> int:
    return number // _BLOCK % _FIFTHS


def plain_sentences(texts: Path, language: str) -> list[tuple[str, ...]]:
    """Return sentences of plain text, each once, in an order left to chance."""
    cut, found = Tokeniser(AnnotatorSettings(language)), {}
    with gzip.open(
        texts / f"{language}.train.tsv.gz", "rt", encoding="utf-8", newline="\n"
    ) as rows:
        lines = [row.rstrip("\n").partition("\t") for row in rows]
    for source, _, text in lines:
        if source not in TEXT_SOURCES:
            continue
        given = cut((text,))
        ends = (*given.sentences[1:], len(given.words))
        for begin, end in zip(given.sentences, ends, strict=True):
            if _SHORTEST <= end - begin <= _LONGEST:
                found[given.words[begin:end]] = None
    sentences = list(found)
    random.Random(5).shuffle(sentences)
    until = np.searchsorted(np.cumsum([len(each) for each in sentences]), _MOST_WORDS)
    return sentences[: int(until) + 1]


def taught(
    number: int,
    learnt: Sequence[Treebank],
    samples: Sequence[Sequence[Sequence[str]]],
    nets: "Sequence[LearntNet]",
) -> tuple[tuple[Tag, ...], list[np.ndarray]]:
    """Return the tags of a language, and the numbers of those that the words of samples get."""
    tags, sums = by_perceptrons(number, learnt, [Sample(each) for each in samples])
    labels = []
    for sample, total in zip(samples, sums, strict=True):
        chances = _chances(total / _SHARPNESS)
        for net in nets:
            chances += net.scores([(number, words) for words in sample], tags) / len(nets)
        labels.append(chances.argmax(1))
    return tags, labels


def _chances(scores: np.ndarray) -> np.ndarray:
    return scores - np.logaddexp.reduce(scores, axis=1, keepdims=True)


def by_perceptrons(
    number: int, learnt: Sequence[Treebank], samples: Sequence[Sample]
) -> tuple[tuple[Tag, ...], list[np.ndarray]]:
    """Return the tags of a language, and the mean sum of weights of each for words of samples."""
    language, own = NGUNI[number], learnt[number]
    plan = replace(PLANS[language], trainings=1)
    words = [word for sentence in own for word in sentence.words]
    tags = tuple(sorted({tag_of(w) for w in words}, key=lambda tag: (tag.upos, tag.xpos)))
    place = {tag: n for n, tag in enumerate(tags)}
    gold = np.array([place[tag_of(word)] for word in words], np.int64)
    sisters = [s for n, bank in enumerate(learnt) if n != number for s in bank]
    vocabulary = replace(
        tag_classes([word.form for word in words], gold, plan.least_frequency),
        weighs_beginnings=plan.weighs_beginnings,
        roots=roots_of(own, sisters) if language in ROOTED else NO_ROOTS,
    )
    sample = Sample([[word.form for word in sentence.words] for sentence in own])
    sums = [np.zeros((len(each.words), len(tags)), np.float32) for each in samples]
    for seed, is_mirrored in _PERCEPTRONS:
        one = Perceptron(sample, gold, tags, vocabulary, replace(plan, seed=seed), is_mirrored)
        for total, each in zip(sums, samples, strict=True):
            if each.words:
                total += one.scores(each) / len(_PERCEPTRONS)
    return tags, sums


def pieces_of(word: str, language: int) -> list[str]:
    """Return what a word is made of: itself, its beginnings, ends and middles, how it is written."""
    bound = f"{_BEGIN}{word.lower()}{_END}"
    shape = "".join("A" if c.isupper() else "a" if c.isalpha() else c for c in word)
    shape = re.sub(r"(.)\1+", r"\1", re.sub(r"\d", "0", shape))
    found = [f"word {bound}", f"own {language} {bound}", f"shape {shape}", f"in {language}"]
    for size in range(2, min(10, len(bound))):
        found += [f"begin {bound[:size]}", f"end {bound[-size:]}"]
        if size < 6:
            found += [f"begin {language} {bound[:size]}", f"end {language} {bound[-size:]}"]
    for size in range(3, 7):
        found += [f"inside {bound[n : n + size]}" for n in range(1, len(bound) - size)]
    if len(bound) > 7:
        found += [f"both {bound[:size]} {bound[-3:]}" for size in (3, 4, 5)]
    return list(dict.fromkeys(found))


class Pieces:
    """The pieces that words of treebanks share, and those words themselves, by number."""

    def __init__(self, words: set[tuple[str, int]]) -> None:
        counts = Counter(piece for word in words for piece in pieces_of(*word))
        is_kept = {p: n >= _FEWEST_PIECES or p.startswith("own ") for p, n in counts.items()}
        kept = sorted(piece for piece in counts if is_kept[piece])
        self._number = {piece: n for n, piece in enumerate(kept)}
        self._rows: dict[tuple[str, int], np.ndarray] = {}

    def __len__(self) -> int:
        return len(self._number)

    def _row(self, word: str, language: int) -> np.ndarray:
        found = self._rows.get((word, language))
        if found is None:
            pieces = (self._number.get(piece, -1) for piece in pieces_of(word, language))
            found = np.array([n for n in pieces if n >= 0], np.int32)
            self._rows[word, language] = found
        return found

    def batch(self, sentences: Sequence[Words]) -> Batch:
        """Return sentences as the net reads them."""
        nothing = np.zeros(0, np.int32)
        rows, is_word, languages = [], [], []
        for language, words in sentences:
            rows += [*(self._row(word, language) for word in words), nothing]
            is_word += [1.0] * len(words) + [0.0]
            languages += [language] * (len(words) + 1)
        sizes = np.array([len(row) for row in rows])
        values = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes).astype(np.float32)
        parts = (values, np.concatenate(rows), np.cumsum([0, *sizes]))
        matrix = csr_matrix(parts, (len(rows), len(self)))
        return Batch(matrix, np.array(is_word, np.float32)[:, None], np.array(languages))


class LearntNet:
    """A net with the pieces and tags that it knows."""

    def __init__(self, net: PiecesNet, pieces: Pieces, tags: Sequence[str]) -> None:
        self._net, self._pieces = net, pieces
        self._place = {tag: n for n, tag in enumerate(tags)}

    def scores(self, sentences: Sequence[Words], tags: Sequence[Tag]) -> np.ndarray:
        """Return the logarithms of the chances of tags for the words of sentences."""
        columns = [self._place[tag.xpos] for tag in tags]
        found = [np.zeros((0, len(tags)), np.float32)]
        for some in _parts(sentences, _WORDS_SCORED):
            batch = self._pieces.batch(some)
            found.append(self._net.scores(batch)[batch.is_word[:, 0] > 0][:, columns])
        return np.concatenate(found)


def _parts(sentences: Sequence[Words], words: int) -> Iterator[list[Words]]:
    """Yield sentences so that each part has about so many words."""
    part, count = [], 0
    for sentence in sentences:
        part.append(sentence)
        count += len(sentence[1])
        if count >= words:
            yield part
            part, count = [], 0
    if part:
        yield part


def learnt_net(learnt: Sequence[Treebank], seed: int) -> LearntNet:
    """Return the net that learnt the treebanks of all languages together."""
    together = [(language, each) for language, bank in enumerate(learnt) for each in bank]
    words = [(language, word) for language, each in together for word in each.words]
    pieces = Pieces({(word.form, language) for language, word in words})
    tags = sorted({word.xpos for _, word in words})
    counts = Counter(m for _, word in words for m in set(_LABEL.findall(word.morphemes)))
    morphemes = sorted(m for m, n in counts.items() if n >= _FEWEST_MORPHEMES)
    net = PiecesNet(len(pieces), len(tags), len(morphemes), len(learnt), seed)
    places = ({t: n for n, t in enumerate(tags)}, {m: n for n, m in enumerate(morphemes)})
    chance = random.Random(seed)
    for epoch in range(_EPOCHS):
        order = chance.sample(together, len(together))
        steps = list(_steps(order))
        losses = []
        for n, some in enumerate(steps):
            batch = pieces.batch([(at, [w.form for w in each.words]) for at, each in some])
            gold, marks = _right(some, *places)
            losses.append(net.learn(batch, gold, marks, (epoch + n / len(steps)) / _EPOCHS))
        say(f"net {seed}, epoch {epoch + 1} of {_EPOCHS}: loss {np.mean(losses):.3f}")
    return LearntNet(net, pieces, tags)


def _steps(order: Sequence[tuple[int, GoldSentence]]) -> Iterator[list[tuple[int, GoldSentence]]]:
    part, count = [], 0
    for language, sentence in order:
        part.append((language, sentence))
        count += len(sentence.words)
        if count >= _WORDS_A_STEP:
            yield part
            part, count = [], 0
    if part:
        yield part


def _right(
    sentences: Sequence[tuple[int, GoldSentence]],
    place_of_tag: dict[str, int],
    place_of_morpheme: dict[str, int],
) -> tuple[np.ndarray, np.ndarray]:
    """Return the tag and the morphemes of each row of a batch."""
    rows = sum(len(each.words) + 1 for _, each in sentences)
    gold = np.zeros(rows, np.int64)
    marks = np.zeros((rows, len(place_of_morpheme)), np.float32)
    row = 0
    for _, sentence in sentences:
        for word in sentence.words:
            gold[row] = place_of_tag[word.xpos]
            found = (place_of_morpheme.get(m, -1) for m in _LABEL.findall(word.morphemes))
            marks[row, [m for m in found if m >= 0]] = 1
            row += 1
        row += 1
    return gold, marks


if __name__ == "__main__":
    main()
