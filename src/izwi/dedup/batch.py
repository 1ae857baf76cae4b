"""Documents as arrays: what each character is, hashes of tokens, n-grams, blocks and texts."""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from izwi.model.records import dataclass

Hashes = NDArray[np.uint64]
Positions = NDArray[np.int64]
Sketch = NDArray[np.uint32]
Bytes = NDArray[np.uint8]

# Between two blocks and after each document; texts are cleared of them before.
BLOCK_END, DOCUMENT_END = 0x1F, 0x1E


@dataclass(frozen=True, slots=True)
class NgramReading:
    """How texts become n-grams."""

    # Tokens in an n-gram.
    ngram: int = 7
    # Tokens in the short n-grams by which edited copies are verified.
    gram: int = 3
    # Shorter blocks are not known by their exact text.
    least: int = 4
    # Whether punctuation marks are tokens too.
    has_marks: bool = False
    # Words that are passed over.
    ignored: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """Some documents' hashes; positions count tokens and blocks of the whole batch."""

    # Number of the block after the last of each document.
    blocks_until: Positions
    # Number of the token after the last of each block, and of each document.
    block_ends: Positions
    document_ends: Positions
    # Tokens in each block.
    block_sizes: Positions
    # Tokens that a word has in each block: several in scripts without spaces.
    word_sizes: Bytes
    # For each token, the n-gram and the short n-gram that end there; 0 for none.
    ngrams: Hashes
    grams: Sketch
    # The exact texts of blocks and documents; 0 for too short ones.
    block_keys: Hashes
    document_keys: Hashes

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

    def some(self, documents: Positions) -> "Batch":
        """Return the batch of some of its documents, given in order."""
        tokens, sizes = _within(self.document_ends, documents)
        blocks, counts = _within(self.blocks_until, documents)
        return Batch(
            np.cumsum(counts),
            np.cumsum(self.block_sizes[blocks]),
            np.cumsum(sizes),
            self.block_sizes[blocks],
            self.word_sizes[blocks],
            self.ngrams[tokens],
            self.grams[tokens],
            self.block_keys[blocks],
            self.document_keys[documents],
        )


def joined(batches: Sequence[Batch]) -> Batch:
    """Return the documents of several batches, at least one, as one batch."""

    def together(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(batch, name) for batch in batches])

    def ends(name: str) -> Positions:
        sizes = [np.diff(getattr(batch, name), prepend=0) for batch in batches]
        return np.cumsum(np.concatenate(sizes))

    parts = ("block_sizes", "word_sizes", "ngrams", "grams", "block_keys", "document_keys")
    return Batch(
        ends("blocks_until"),
        ends("block_ends"),
        ends("document_ends"),
        *(together(name) for name in parts),
    )


def _within(ends: Positions, documents: Positions) -> tuple[Positions, Positions]:
    """Return the places that some documents take, and how many each of them takes."""
    sizes = np.diff(ends, prepend=0)
    is_wanted = np.zeros(len(ends), np.bool_)
    is_wanted[documents] = True
    return np.flatnonzero(np.repeat(is_wanted, sizes)), sizes[documents]


def is_among(keys: NDArray[Any], wanted: NDArray[Any]) -> NDArray[np.bool_]:
    """Return which keys, whole numbers, are among sorted ones, at least one."""
    # Most are not, which their last bits tell of most of them.
    may_be = np.zeros(1 << 16, np.bool_)
    may_be[wanted.astype(np.uint16)] = True
    found: NDArray[np.bool_] = may_be[keys.astype(np.uint16)]
    near = np.flatnonzero(found)
    places = np.searchsorted(wanted, keys[near])
    found[near] = wanted[np.minimum(places, len(wanted) - 1)] == keys[near]
    return found


def read_batch(documents: Iterable[Sequence[str]], reading: NgramReading) -> Batch:
    """Return the hashes of documents given as lists of paragraphs."""
    return read_text(text_of(list(documents)), reading)


def read_text(text: Bytes, reading: NgramReading) -> Batch:
    """Return the hashes of documents given as UTF-8 with separators after blocks and documents."""
    from izwi.kernels.textprints import hash_tokens

    tokens, block_ends, blocks_until, word_sizes = _tokens(text, reading)
    # A document has at least one block, if an empty one: the separator after it makes one.
    document_ends = block_ends[blocks_until - 1]
    ngrams, grams = np.empty(len(tokens), np.uint64), np.empty(len(tokens), np.uint32)
    block_keys = np.empty(len(block_ends), np.uint64)
    document_keys = np.empty(len(blocks_until), np.uint64)
    sizes = np.array([reading.ngram, reading.gram, reading.least], np.int64)
    hash_tokens(tokens, block_ends, blocks_until, sizes, ngrams, grams, block_keys, document_keys)
    return Batch(
        blocks_until,
        block_ends,
        document_ends,
        np.diff(block_ends, prepend=0),
        word_sizes,
        ngrams,
        grams,
        block_keys,
        document_keys,
    )


@cache
def word_hashes(words: tuple[str, ...]) -> Hashes:
    """Return the hashes of single words, sorted."""
    text = text_of([[word] for word in words])
    return np.unique(_tokens(text, NgramReading())[0])


def _tokens(text: Bytes, reading: NgramReading) -> tuple[Hashes, Positions, Positions, Bytes]:
    from izwi.kernels.textprints import drop_ignored, tokenise

    tables = character_tables()
    # The three bytes of U+FDFA stand for four words; nothing gives more. Room that is not needed
    # is never touched, and takes no memory.
    tokens = np.empty(len(text) * 4 // 3 + 2, np.uint64)
    documents = _times(text, DOCUMENT_END)
    blocks = documents + _times(text, BLOCK_END)
    block_ends, ends = np.empty(blocks, np.int64), np.empty(documents, np.int64)
    word_sizes = np.empty(blocks, np.uint8)
    count = tokenise(
        text, tables.plain, tables.kinds, tables.folded, tables.expansions, reading.has_marks,
        tokens, block_ends, ends, word_sizes,
    )  # fmt: skip
    if reading.ignored:
        ignored = word_hashes(reading.ignored)
        count = drop_ignored(tokens[:count], block_ends, ignored)
    return tokens[:count], block_ends, ends, word_sizes


def text_of(documents: Sequence[Sequence[str]]) -> Bytes:
    """Return documents as UTF-8, a separator between blocks, another one after each document.

    Half surrogates, which have no bytes, become question marks.
    """
    from izwi.kernels.letters import encoded

    # One by one: a rare sign in one document would make a wide string of all.
    utf8 = [encoded("\x1f".join(paragraphs), "replace") for paragraphs in documents]
    text = np.frombuffer(b"\x1e".join([*utf8, b""]), np.uint8)
    # Counted in all at once, since hardly any text has a separator of its own.
    between = sum(max(len(paragraphs) - 1, 0) for paragraphs in documents)
    if _times(text, BLOCK_END) != between or _times(text, DOCUMENT_END) != len(documents):
        return text_of([[_cleared(part) for part in paragraphs] for paragraphs in documents])
    return text


def _times(text: Bytes, separator: int) -> int:
    """Return how often a separator stands in a text: a quarter of the time that bytes take."""
    return int(np.count_nonzero(text == separator))


def _cleared(text: str) -> str:
    return text.replace("\x1f", " ").replace("\x1e", " ")


SEPARATOR, LETTER, ALONE, NOTHING, MARK = 0, 1, 2, 3, 4
# It stands for several others, which are hashed in its place.
EXPANDED = 5
# It belongs to the letter before it; the order of several makes no difference.
COMBINING = 6

# Beyond this there are only rare ideographs, which stand alone, and unassigned characters.
TABLE_SIZE = 0x20000


@dataclass(frozen=True, slots=True)
class Characters:
    """The kind of each character, and the form under which it is hashed.

    Of an expanded character `folded` is the place in `expansions` where the number of characters
    it stands for is given, and after it those characters. They are in their small, decomposed form.
    """

    kinds: NDArray[np.uint8]
    folded: NDArray[np.uint32]
    expansions: NDArray[np.uint32]
    # Of a byte that is a letter by itself, the number it is hashed as; 0 for the others.
    plain: NDArray[np.uint8]


@cache
def character_tables() -> Characters:
    """Return the tables for all characters, as tools/make_characters.py wrote them."""
    with np.load(Path(__file__).with_name("characters.npz")) as found:
        # Most characters stand for themselves; what was stored is how far off the others are.
        folded = found["folded"] + np.arange(TABLE_SIZE, dtype=np.uint32)
        return Characters(found["kinds"], folded, found["expansions"], found["plain"])
