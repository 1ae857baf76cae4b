"""How well copies are found: forged ones of known kinds, full comparison, kinds of n-grams."""

import random
import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, NgramReading, read_batch
from izwi.dedup.signatures import (
    SentenceSettings,
    ShingleSettings,
    sentence_copies,
    sentence_prints,
    shingle_copies,
)
from izwi.model.results import Agreement, CopyScores, NgramRow

Paragraphs = list[str]

KINDS = (
    "exact", "variant", "5%", "10%", "20%", "40%", "half", "index", "boilerplate",
)  # fmt: skip
_EDITS = {"5%": 0.05, "10%": 0.1, "20%": 0.2, "40%": 0.4}
_BOILERPLATE = (
    "This story was first published by the agency and appears here with its kind permission.",
    "Subscribe to our weekly letter and never miss a story from your own town again.",
    "The opinions expressed on this page are those of the author and not of the newspaper.",
)
# Documents with fewer words are not copied: nobody could say what is left of them.
_LEAST_WORDS = 60


@dataclass(frozen=True, slots=True)
class Forged:
    """A document, and which of its paragraphs are copies; `kind` is empty for a clean one."""

    id: str
    paragraphs: Paragraphs
    kind: str = ""
    copied: frozenset[int] = frozenset()


def forge(documents: Sequence[tuple[str, Paragraphs]], seed: int = 1) -> list[Forged]:
    """Return the documents with a copy of some kind after every third one that is long enough."""
    chance = random.Random(seed)
    made = [Forged(name, paragraphs) for name, paragraphs in documents]
    long = [each for each in made if _words(each.paragraphs) >= _LEAST_WORDS]
    forged = []
    for number, original in enumerate(long[::3]):
        kind = KINDS[number % len(KINDS)]
        forged.append(_copy(kind, number, original, long, chance))
    # Originals come first, as in a corpus: who is first owns.
    return [*made, *forged]


def _copy(
    kind: str, number: int, original: Forged, others: Sequence[Forged], chance: random.Random
) -> Forged:
    name = f"{kind}-{number}"
    if kind in _EDITS:
        paragraphs = [_edited(text, _EDITS[kind], chance) for text in original.paragraphs]
        return Forged(name, paragraphs, kind, frozenset(range(len(paragraphs))))
    paragraphs, copied = _MAKERS[kind](original, others, chance)
    return Forged(name, paragraphs, kind, frozenset(copied))


def _exact(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    return list(original.paragraphs), range(len(original.paragraphs))


def _variant(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    """Other quotes, dashes, spacing, case and Unicode form: the same text in another style."""
    return [_restyled(text) for text in original.paragraphs], range(len(original.paragraphs))


def _half(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    """New text followed by the second half of another document."""
    own = [_scrambled(text, chance) for text in chance.choice(others).paragraphs]
    shared = original.paragraphs[len(original.paragraphs) // 2 :]
    return [*own, *shared], range(len(own), len(own) + len(shared))


def _index(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    """The first paragraphs of several documents."""
    sources = chance.sample(list(others), min(6, len(others)))
    firsts = [_first_long(each.paragraphs) for each in sources]
    return firsts, range(len(firsts))


def _boilerplate(original: Forged, others: Sequence[Forged], chance: random.Random) -> "_Made":
    """New text with sentences that stand on every page of a site."""
    own = [_scrambled(text, chance) for text in original.paragraphs]
    return [*own, *_BOILERPLATE], range(len(own), len(own) + len(_BOILERPLATE))


_Made = tuple[Paragraphs, range]
_Maker = Callable[[Forged, Sequence[Forged], random.Random], _Made]
_MAKERS: dict[str, _Maker] = {
    "exact": _exact,
    "variant": _variant,
    "half": _half,
    "index": _index,
    "boilerplate": _boilerplate,
}


def _words(paragraphs: Paragraphs) -> int:
    return sum(len(text.split()) for text in paragraphs)


def _first_long(paragraphs: Paragraphs) -> str:
    return next((text for text in paragraphs if len(text.split()) >= 15), max(paragraphs, key=len))


def _restyled(text: str) -> str:
    changes = str.maketrans({"“": '"', "”": '"', "’": "'", "–": "-", " ": "\u00a0"})
    return text.translate(changes).upper()


def _scrambled(text: str, chance: random.Random) -> str:
    """Return the words of a text in another order: new text of the same vocabulary."""
    words = text.split()
    chance.shuffle(words)
    return " ".join(words)


def _edited(text: str, share: float, chance: random.Random) -> str:
    """Return a text with this share of its words replaced, left out or added."""
    words = text.split()
    out: list[str] = []
    for word in words:
        if chance.random() >= share:
            out.append(word)
            continue
        act = chance.choice(("replace", "replace", "drop", "add"))
        if act == "add":
            out.append(word)
        if act != "drop":
            out.append(chance.choice(words)[::-1])
    return " ".join(out)


_WORD = re.compile(r"\w+")
_TEN = 10


def score(
    forged: Sequence[Forged], kept: Mapping[str, Sequence[int]], settings: tuple[int, float, int]
) -> CopyScores:
    """Return the measures of a decision; `settings` are n, threshold and ignored words.

    A copy is found in so far as the words of its copied paragraphs are not kept. The first
    document with a piece of boilerplate is its owner, so boilerplate is counted from the second.
    """
    found = tuple((kind, _found(forged, kept, kind)) for kind in KINDS)
    return CopyScores(*settings, found, _duplicate_left(forged, kept), _unique_lost(forged, kept))


def _found(forged: Sequence[Forged], kept: Mapping[str, Sequence[int]], kind: str) -> float:
    documents = [each for each in forged if each.kind == kind]
    if kind == "boilerplate":
        documents = documents[1:]
    total = missed = 0
    for document in documents:
        stays = set(kept[document.id])
        for place in document.copied:
            words = len(document.paragraphs[place].split())
            total += words
            missed += words if place in stays else 0
    return 1 - missed / total if total else 0.0


def _duplicate_left(forged: Sequence[Forged], kept: Mapping[str, Sequence[int]]) -> float:
    """Return the share of 10-grams in the text that is kept which stood there before."""
    seen: Counter[int] = Counter()
    for document in forged:
        for place in kept[document.id]:
            words = _WORD.findall(document.paragraphs[place].lower())
            seen.update(hash(tuple(words[i : i + _TEN])) for i in range(len(words) - _TEN + 1))
    total = sum(seen.values())
    return (total - len(seen)) / total if total else 0.0


def _unique_lost(forged: Sequence[Forged], kept: Mapping[str, Sequence[int]]) -> float:
    """Return the share of words lost in clean documents whose 5-grams stand nowhere else."""
    clean = [each for each in forged if not each.kind]
    counts: Counter[int] = Counter()
    for document in clean:
        for text in document.paragraphs:
            counts.update(set(_grams(text)))
    total = lost = 0
    for document in clean:
        stays = set(kept[document.id])
        for place, text in enumerate(document.paragraphs):
            unique = sum(counts[gram] == 1 for gram in _grams(text))
            total += unique
            lost += 0 if place in stays else unique
    return lost / total if total else 0.0


def _grams(text: str) -> list[int]:
    words = _WORD.findall(text.lower())
    size = min(5, len(words))
    return [hash(tuple(words[i : i + size])) for i in range(len(words) - size + 1)] if words else []


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
    batch = read_batch(documents, NgramReading(ngram=shingles.size))
    sets = [_distinct(batch, place) for place in order]
    lengths = np.diff(batch.document_ends, prepend=0)
    longest_first = np.lexsort((np.arange(len(lengths)), -lengths)).tolist()
    found = {copy.document for copy in shingle_copies(documents, shingles)}
    pairwise = _alike(sets, longest_first, shingles.threshold)
    yield _compared("shingles", longest_first, found, pairwise)


def block_agreement(
    documents: Documents, kept: Sequence[Sequence[int]], reading: NgramReading, threshold: float
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
    """Yield the blocks that are copies: covered by n-grams, the same, or said by others of them."""
    # Pair by pair, as the definition has it.
    known = {each for other in earlier for each in own.ngrams & other.ngrams}
    same = {each for other in earlier for each in own.blocks & other.blocks}
    is_whole = own.text != 0 and any(other.text == own.text for other in earlier)
    blocks = batch.blocks(place)
    keys = batch.block_keys[blocks].tolist()
    shares = _covered(batch, place, known, n)
    rest = []
    for number, (key, share) in enumerate(zip(keys, shares, strict=True)):
        if is_whole or share >= threshold or key in same:
            yield number
        else:
            rest.append(number)
    yield from _said_by_others(rest, [_within(batch, block, n) for block in _numbers(blocks)])


def _numbers(found: slice) -> range:
    return range(found.start, found.stop)


def _within(batch: Batch, block: int, n: int) -> set[int]:
    """Return the n-grams that lie within a block."""
    end = int(batch.block_ends[block])
    begin = end - int(batch.block_sizes[block])
    return set(batch.ngrams[begin + n - 1 : end].tolist())


def _said_by_others(places: Sequence[int], ngrams: Sequence[set[int]]) -> set[int]:
    """Return which blocks of some the others, which stay, say word for word."""
    found: set[int] = set()
    for order in (places, places[::-1]):
        met: set[int] = set()
        for place in order:
            if place in found:
                continue
            if ngrams[place] and ngrams[place] <= met:
                found.add(place)
            met |= ngrams[place]
    return found


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


THRESHOLDS = (0.5, 0.25, 0.1)
LENGTHS = (10, 7, 5, 3)
# Where no list is given, so many of the most frequent words are the stop words.
_STOP_WORDS = 100


def readings(stop_words: tuple[str, ...]) -> Iterator[NgramReading]:
    """Yield the ways of making n-grams that are compared."""
    for has_stop_words, has_marks, n in product((False, True), (False, True), LENGTHS):
        ignored = () if has_stop_words else stop_words
        yield NgramReading(n, has_marks=has_marks, ignored=ignored)


def frequent_words(documents: Documents) -> tuple[str, ...]:
    """Return the most frequent words of a collection, which serve as stop words."""
    counts: Counter[str] = Counter()
    for paragraphs in documents:
        for text in paragraphs:
            counts.update(word for word in text.lower().split() if word.isalpha())
    return tuple(word for word, _ in counts.most_common(_STOP_WORDS))


def row(documents: Documents, kept: Documents, reading: NgramReading, threshold: float) -> NgramRow:
    """Return the figures of one setting; `kept` is what it leaves of the documents."""
    words = _lowered_words(documents)
    left = _lowered_words(kept)
    duplicate = len(_repeated(documents, reading))
    before, after = _doubled(documents), _doubled(kept)
    return NgramRow(
        threshold,
        not reading.ignored,
        reading.has_marks,
        reading.ngram,
        duplicate,
        round(duplicate / max(words, 1), 4),
        left,
        round(left / max(words, 1), 4),
        after,
        round(after / max(before, 1), 4),
    )


def _lowered_words(documents: Documents) -> int:
    batch = read_batch(documents, NgramReading())
    return int(batch.document_ends[-1]) if len(batch.document_ends) else 0


def _repeated(documents: Documents, reading: NgramReading) -> NDArray[np.int64]:
    """Return how often each n-gram occurs of those that occur more than once."""
    hashes = read_batch(documents, reading).ngrams
    _, counts = np.unique(hashes[hashes != 0], return_counts=True)
    repeated: NDArray[np.int64] = counts[counts > 1]
    return repeated


def _doubled(documents: Documents) -> int:
    """Return how many occurrences of 10-grams are of one that occurs more than once."""
    return int(_repeated(documents, NgramReading(_TEN)).sum())
