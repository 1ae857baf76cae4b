"""What a text is known by, and which whole documents are copies by shared sentences or shingles.

Whole documents that are copies, by shared sentences or by shingles with min-hashes. Two methods of
the literature beside the n-grams of `judgement`: sentences after Dwyer (2014, 4.2.1), shingles
after Schäfer and Bildhauer (2012, 3.4). For a collection they take documents in order and name for
each copy the earlier document it is most like; in a corpus, where the order is that of ranks, the
documents compared are those that own a sentence or a shingle of the copy.
"""

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np
import xxhash
from numpy.typing import NDArray

from izwi.dedup.batch import NgramReading, read_batch
from izwi.dedup.furniture import keys_at_ends
from izwi.model.document import Document
from izwi.model.records import dataclass

_NOT_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class SignConfig:
    """Signatures have no settings yet."""


class Sign:
    """Writes the signature of each document's main text, and what stands beside it on its page."""

    name: ClassVar[str] = "sign"
    version: ClassVar[int] = 3

    def __init__(self, config: SignConfig) -> None: ...

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their signatures; those without text have none."""
        for document in documents:
            text = document.text if document.verdict.is_kept else ""
            signature = exact_signature(text) if text else None
            if signature is None:
                yield document
                continue
            left_out, edges = keys_at_ends(document)
            yield replace(
                document,
                signature=signature,
                furniture_keys=left_out,
                edge_keys=edges,
            )


def exact_signature(text: str) -> int | None:
    """Return the hash of a text's letters and digits; None if it has none.

    >>> exact_signature("The robots are out!") == exact_signature("the  ROBOTS are out")
    True
    """
    letters = normalised(text)
    return xxhash.xxh3_64_intdigest(letters.encode("utf-8", "surrogatepass")) if letters else None


def normalised(text: str) -> str:
    """Return the letters and digits of a text, whatever their case and Unicode form."""
    return _NOT_LETTERS.sub("", unicodedata.normalize("NFKC", text).casefold())


def text_key(signature: int | None) -> int:
    """Return a signature as a key of a run: odd, and 0 for none."""
    if signature is None:
        return 0
    return xxhash.xxh3_64_intdigest(b"text\0" + signature.to_bytes(8, "big")) | 1


# Marks that end sentences in the scripts of the world, and the blank after them where there is one.
_SENTENCE_END = re.compile(r"(?<=[.!?…])\s+|(?<=[。！？।॥։؟።])\s*")


@dataclass(frozen=True, slots=True)
class Likeness:
    """A document (by place) that is a copy of an earlier one, and how alike they are."""

    document: int
    original: int
    similarity: float


@dataclass(frozen=True, slots=True)
class SentenceSettings:
    """When documents that share sentences are copies."""

    # Sentences of fewer letters are not counted: they recur by chance.
    least_letters: int = 20
    # A sentence that more documents have is a formula, and leads to none of them.
    most_matches: int = 50
    # Share of common sentences among all sentences of both (Jaccard).
    threshold: float = 0.2


@dataclass(frozen=True, slots=True)
class ShingleSettings:
    """When documents that share shingles are copies."""

    # Words in a shingle, and min-hashes per document.
    size: int = 5
    hashes: int = 100
    # Share of min-hashes two documents have in common.
    threshold: float = 0.05


@dataclass(frozen=True, slots=True)
class DocumentMethod:
    """A method for whole documents as a build uses it."""

    # sentences or shingles
    name: str
    # Documents more alike than this are copies; 0 for the method's own value.
    threshold: float = 0.0

    @property
    def least(self) -> float:
        """The likeness above which documents are copies."""
        usual = SentenceSettings() if self.name == "sentences" else ShingleSettings()
        return self.threshold or usual.threshold

    def keys(self, paragraphs: Sequence[str]) -> NDArray[np.uint64]:
        """Return what a document is known by: its sentences or its min-hashes; all are odd."""
        if self.name == "sentences":
            prints = sentence_prints(paragraphs, SentenceSettings().least_letters)
            return np.array(sorted({each | 1 for each in prints}), np.uint64)
        settings = ShingleSettings()
        shingles = read_batch([paragraphs], NgramReading(ngram=settings.size)).ngrams
        smallest = min_hashes(shingles, settings.hashes)
        if smallest is None:
            return np.empty(0, np.uint64)
        # Each permutation has keys of its own.
        salts = np.arange(1, settings.hashes + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
        return (smallest ^ salts) * np.uint64(0xD6E8FEB86659FD93) | np.uint64(1)

    def likeness(self, one: NDArray[np.uint32], other: NDArray[np.uint32]) -> float:
        """Return how alike two documents are, given the first halves of their keys."""
        shared = len(np.intersect1d(one, other))
        if self.name == "shingles":
            return shared / ShingleSettings().hashes
        return shared / max(len(one) + len(other) - shared, 1)


def first_halves(keys: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """Return the part of each key by which documents are compared."""
    return (keys >> np.uint64(32)).astype(np.uint32)


def sentence_copies(
    documents: Sequence[Sequence[str]], settings: SentenceSettings
) -> Iterator[Likeness]:
    """Yield the documents that share enough sentences with an earlier one."""
    holders: dict[int, list[int]] = defaultdict(list)
    sizes: list[int] = []
    for place, paragraphs in enumerate(documents):
        prints = sentence_prints(paragraphs, settings.least_letters)
        shared = _shared(prints, holders, settings.most_matches)
        sizes.append(len(prints))
        likeness = {
            other: count / (len(prints) + sizes[other] - count) for other, count in shared.items()
        }
        yield from _most_alike(place, likeness, settings.threshold)
        for each in prints:
            holders[each].append(place)


def sentence_prints(paragraphs: Sequence[str], least_letters: int) -> set[int]:
    """Return the hashes of the sentences of a document that are long enough, letters only."""
    letters = (
        normalised(sentence) for text in paragraphs for sentence in _SENTENCE_END.split(text)
    )
    return {
        xxhash.xxh3_64_intdigest(each.encode("utf-8", "surrogatepass"))
        for each in letters
        if len(each) >= least_letters
    }


def shingle_copies(
    documents: Sequence[Sequence[str]], settings: ShingleSettings
) -> Iterator[Likeness]:
    """Yield the documents that share enough min-hashes; of two, the shorter is the copy."""
    batch = read_batch(documents, NgramReading(ngram=settings.size))
    lengths = np.diff(batch.document_ends, prepend=0)
    # The longest come first, so whatever is like an earlier one is shorter than it.
    order = np.lexsort((np.arange(len(lengths)), -lengths)).tolist()
    holders: dict[tuple[int, int], list[int]] = defaultdict(list)
    for place in order:
        smallest = min_hashes(batch.ngrams[batch.tokens(place)], settings.hashes)
        keys = list(enumerate(smallest.tolist())) if smallest is not None else []
        shared = Counter(other for key in keys for other in holders[key])
        likeness = {other: count / settings.hashes for other, count in shared.items()}
        yield from _most_alike(place, likeness, settings.threshold)
        for key in keys:
            holders[key].append(place)


def min_hashes(shingles: NDArray[np.uint64], count: int) -> NDArray[np.uint64] | None:
    """Return the smallest of the shingles under each of `count` permutations; None without any."""
    real = np.unique(shingles[shingles != 0])
    if not len(real):
        return None
    # An odd factor permutes the 64-bit numbers; the seed is fixed, so texts stay comparable.
    chance = np.random.default_rng(20121)
    factors = chance.integers(0, 2**63, count, dtype=np.uint64) * np.uint64(2) + np.uint64(1)
    added = chance.integers(0, 2**63, count, dtype=np.uint64)
    found = np.empty(count, np.uint64)
    for i in range(count):
        found[i] = (real * factors[i] + added[i]).min()
    return found


def _shared(prints: set[int], holders: dict[int, list[int]], most: int) -> Counter[int]:
    found: Counter[int] = Counter()
    for each in prints:
        others = holders.get(each, [])
        if len(others) <= most:
            found.update(others)
    return found


def _most_alike(place: int, likeness: dict[int, float], threshold: float) -> Iterator[Likeness]:
    if not likeness:
        return
    best = min(likeness, key=lambda other: (-likeness[other], other))
    if likeness[best] > threshold:
        yield Likeness(place, best, likeness[best])
