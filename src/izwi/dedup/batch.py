"""Documents as arrays: hashes of their tokens, n-grams, blocks and texts."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.characters import character_tables

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]
Sketch = NDArray[np.uint32]

_BLOCK_SALT = np.uint64(0x2545F4914F6CDD1D)
_DOCUMENT_SALT = np.uint64(0x94D049BB133111EB)


@dataclass(frozen=True, slots=True)
class Reading:
    """How texts become n-grams."""

    # Tokens in an n-gram.
    ngram: int = 7
    # Tokens in the short n-grams by which edited copies are verified.
    gram: int = 3
    # Shorter blocks are not known by their exact text.
    least: int = 4
    # Whether punctuation marks are tokens too.
    has_marks: bool = False
    # Hashes of words that are passed over, sorted.
    ignored: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Some documents' hashes; positions count tokens and blocks of the whole batch."""

    # Number of the block after the last of each document.
    blocks_until: Positions
    # Number of the token after the last of each block, and of each document.
    block_ends: Positions
    document_ends: Positions
    # For each token, the n-gram and the short n-gram that end there; 0 for none.
    ngrams: Hashes
    grams: Sketch
    # The exact texts of blocks and documents; 0 for too short ones.
    block_keys: Hashes
    document_keys: Hashes

    @property
    def block_sizes(self) -> Positions:
        """Tokens in each block."""
        return np.diff(self.block_ends, prepend=0)

    def blocks(self, document: int) -> slice:
        """Return which blocks are a document's."""
        return slice(
            int(self.blocks_until[document - 1]) if document else 0,
            int(self.blocks_until[document]),
        )

    def tokens(self, document: int) -> slice:
        """Return which tokens are a document's."""
        return slice(
            int(self.document_ends[document - 1]) if document else 0,
            int(self.document_ends[document]),
        )


def read_batch(documents: Iterable[Sequence[str]], reading: Reading) -> Batch:
    """Return the hashes of documents given as lists of paragraphs."""
    from izwi.dedup import kernels

    text = np.frombuffer("".join(map(_joined, documents)).encode("utf-8", "replace"), np.uint8)
    tokens, block_ends, blocks_until = _tokens(text, reading)
    document_ends = _document_ends(block_ends, blocks_until)
    ngrams = np.empty(len(tokens), np.uint64)
    kernels.ngram_hashes(tokens, document_ends, reading.ngram, ngrams)
    grams = np.empty(len(tokens), np.uint64)
    kernels.ngram_hashes(tokens, document_ends, reading.gram, grams)
    block_keys = np.empty(len(block_ends), np.uint64)
    kernels.span_hashes(tokens, block_ends, reading.least, _BLOCK_SALT, block_keys)
    document_keys = np.empty(len(document_ends), np.uint64)
    kernels.span_hashes(tokens, document_ends, 1, _DOCUMENT_SALT, document_keys)
    return Batch(
        blocks_until,
        block_ends,
        document_ends,
        ngrams,
        (grams >> np.uint64(32)).astype(np.uint32),
        block_keys,
        document_keys,
    )


def word_hashes(words: Iterable[str]) -> tuple[int, ...]:
    """Return the hashes of single words, sorted, as `Reading.ignored` wants them."""
    text = np.frombuffer("".join(map(_joined, ([word] for word in words))).encode(), np.uint8)
    tokens, _, _ = _tokens(text, Reading())
    return tuple(sorted(set(map(int, tokens))))


def _tokens(text: NDArray[np.uint8], reading: Reading) -> tuple[Hashes, Positions, Positions]:
    from izwi.dedup import kernels

    # Two bytes make at least one token; untouched memory costs nothing.
    tokens: Any = np.empty(len(text) + 1, np.uint64)
    ends: Any = np.empty(int(np.count_nonzero(text == kernels.DOCUMENT_END)), np.int64)
    inner = int(np.count_nonzero(text == kernels.BLOCK_END))
    block_ends: Any = np.empty(inner + len(ends), np.int64)
    kinds, folded = character_tables()
    count, _, _ = kernels.tokenise(text, kinds, folded, reading.has_marks, tokens, block_ends, ends)
    if reading.ignored:
        ignored = np.array(reading.ignored, np.uint64)
        count = kernels.drop_ignored(tokens[:count], block_ends, ignored)
    return tokens[:count], block_ends, ends


def _document_ends(block_ends: Positions, blocks_until: Positions) -> Positions:
    # A document has at least one block, if an empty one: the separator after it makes one.
    return block_ends[blocks_until - 1]


def _joined(paragraphs: Sequence[str]) -> str:
    """Return a document as one normalised string, a separator between blocks, one at its end."""
    text = "\x1f".join(paragraphs)
    if text.count("\x1f") != len(paragraphs) - 1 or "\x1e" in text:
        text = "\x1f".join(part.replace("\x1f", " ").replace("\x1e", " ") for part in paragraphs)
    # NFKC is slow; asking first whether a text has it already is not.
    if not text.isascii() and not unicodedata.is_normalized("NFKC", text):
        text = unicodedata.normalize("NFKC", text)
    return text + "\x1e"
