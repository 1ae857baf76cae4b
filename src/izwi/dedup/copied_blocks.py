"""Which blocks are copies: by exact text, by n-grams of earlier documents, by containment."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import IntEnum
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Bytes, NgramReading, Sketch, read_text
from izwi.dedup.company import Company
from izwi.dedup.ownership import NOBODY, Claims, Owners, Sealed
from izwi.model.records import dataclass


class Method(IntEnum):
    """How a block was found to be a copy; the order is that of the columns written."""

    UNIQUE = 0
    EXACT = 1
    NGRAMS = 2
    CONTAINED = 3
    # Said word for word elsewhere in the same document.
    REPEATED = 4
    # A short rest between removed blocks.
    STUB = 5
    # What other pages of the site leave out of their texts.
    FURNITURE = 6


@dataclass(frozen=True, slots=True)
class Settings:
    """When a block is a copy."""

    reading: NgramReading = field(default_factory=NgramReading)
    # Share of a block's tokens in n-grams of earlier documents. Onion's half, and its rests of 20,
    # lose several times as much text that is nowhere else (docs/explanation/dedup.md).
    threshold: float = 0.8
    # Rests of no more tokens between removed blocks are removed too; five words may be a sentence.
    stub: int = 4
    # So many words in a row that stand in no earlier document are a sentence or a verse of a
    # block's own: it is no copy, whatever the rest of it is. 0 to look for none. 16: from 12 on
    # down fewer copies with a fifth of the words changed are found (docs/explanation/dedup.md).
    own: int = 16
    # N-grams shared with one earlier document before the two are compared closely.
    suspicion: int = 3
    # Share of a block's short n-grams that one suspected document holds.
    # 0.5: a fifth of the words changed leaves 0.8^3 = 0.51; from 0.35 on more text of a page's own
    # is lost than found (docs/explanation/dedup.md).
    contained: float = 0.5
    # The same of a short block: a line that sites have alike holds a name, a date, a number.
    contained_short: float = 0.6
    # The same where the document as a whole is an edited copy.
    contained_weakly: float = 0.15
    # Words that a document may have of its own and go nevertheless, as a copy of others. A copy of
    # no more is one only in the company it has there, and else could be read nowhere.
    rest: int = 0


# Blocks of fewer tokens are short.
_SHORT = 20


class Sketches(Protocol):
    """The short n-grams of earlier documents."""

    def sketch(self, document: int) -> Sketch:
        """Return those of one document."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A batch's blocks: by which method each is a copy, of which document, how similar."""

    batch: Batch
    numbers: NDArray[np.uint32]
    methods: NDArray[np.uint8]
    owners: Owners
    similarities: NDArray[np.float64]


# Judges one batch by whatever owners.
Judging = Callable[[tuple[Owners, Owners, Owners]], Judged]


def judge_blocks(
    batch: Batch,
    numbers: NDArray[np.uint32],
    owners: tuple[Owners, Owners, Owners],
    settings: Settings,
    sketches: Sketches,
    furniture: Mapping[int, int] | None = None,
) -> Judged:
    """Return what is a copy, given who owns each n-gram, block and text of a batch.

    Blocks that are furniture of their site, with whose it is, are nothing else.
    """
    count = len(batch.block_ends)
    judged = Judged(
        batch,
        numbers,
        np.zeros(count, np.uint8),
        np.full(count, NOBODY, np.uint32),
        np.zeros(count, np.float64),
    )
    number_by_block = np.repeat(numbers, np.diff(batch.blocks_until, prepend=0))
    hits = _mark_ngrams(judged, owners[0], settings)
    _mark_exact(judged, owners[1], number_by_block)
    _mark_whole(judged, owners[2])
    if settings.contained <= 1 and hits.any():
        _mark_contained(judged, owners[0], settings, sketches)
    _unmark_short(judged, owners, settings, sketches)
    _mark_stubs(judged, settings.stub)
    _mark_furniture(judged, furniture or {})
    # At the end: what is left out is no place where a repetition can be read.
    _mark_repeated(judged, settings.reading.ngram)
    return judged


def judged_otherwise(
    before: tuple[Owners, Owners, Owners], now: tuple[Owners, Owners, Owners], judge: Judging
) -> NDArray[np.bool_]:
    """Return about which documents of a batch other owners say something else.

    What is told of a document follows from its blocks and, where these are copies, from all who
    own n-grams of them.
    """
    old, new = judge(before), judge(now)
    batch = new.batch
    is_other = (
        (old.methods != new.methods)
        | (old.owners != new.owners)
        | (old.similarities != new.similarities)
    )
    is_other |= _holds(before[0] != now[0], batch.block_ends) & (new.methods != Method.UNIQUE)
    return _holds(is_other, batch.blocks_until)


def _holds(found: NDArray[np.bool_], ends: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which parts of an array, given by where they end, hold something that was found."""
    counts: NDArray[np.int64] = np.diff(np.r_[0, np.cumsum(found)][ends], prepend=0)
    return counts > 0


def _mark_ngrams(judged: Judged, owners: Owners, settings: Settings) -> NDArray[np.int64]:
    from izwi.kernels.copies import cover

    batch, count = judged.batch, len(judged.methods)
    covered, hits, own = (np.empty(count, np.int64) for _ in range(3))
    found = np.empty(max(1, len(owners)), np.uint32)
    cover(
        owners,
        batch.document_ends,
        batch.block_ends,
        batch.blocks_until,
        judged.numbers,
        settings.reading.ngram,
        found,
        covered,
        judged.owners,
        hits,
        own,
    )
    share = covered / np.maximum(batch.block_sizes, 1)
    is_copy = (
        (share >= settings.threshold) & (covered > 0) & ~_says_more(own, batch.word_sizes, settings)
    )
    judged.methods[is_copy] = Method.NGRAMS
    judged.similarities[is_copy] = share[is_copy]
    _fill_owners(judged, is_copy)
    return hits


def _says_more(own: NDArray[np.int64], word_sizes: Bytes, settings: Settings) -> NDArray[np.bool_]:
    """Return which blocks have a sentence of their own, given the longest run of new tokens."""
    if not settings.own:
        return np.zeros(len(own), np.bool_)
    found: NDArray[np.bool_] = own >= settings.own * word_sizes.astype(np.int64)
    return found


def _fill_owners(judged: Judged, is_copy: NDArray[np.bool_]) -> None:
    """Name an owner where only n-grams that end in the next block cover a copy: that block's."""
    lacking = np.flatnonzero(is_copy & (judged.owners == NOBODY))
    following = np.minimum(lacking + 1, len(judged.owners) - 1)
    judged.owners[lacking] = judged.owners[following]


def _mark_exact(judged: Judged, owners: Owners, numbers: NDArray[np.uint32]) -> None:
    is_copy = owners < numbers
    judged.methods[is_copy] = Method.EXACT
    judged.owners[is_copy] = owners[is_copy]
    judged.similarities[is_copy] = 1.0


def _mark_whole(judged: Judged, owners: Owners) -> None:
    for document in np.flatnonzero(owners < judged.numbers).tolist():
        blocks = judged.batch.blocks(document)
        judged.methods[blocks] = Method.EXACT
        judged.owners[blocks] = owners[document]
        judged.similarities[blocks] = 1.0


def _unmark_short(
    judged: Judged,
    owners: tuple[Owners, Owners, Owners],
    settings: Settings,
    sketches: Sketches,
) -> None:
    """Take the mark from short copies that stand alone here; copies of whole texts keep it."""
    batch, reading = judged.batch, settings.reading
    most = np.maximum(settings.rest * batch.word_sizes.astype(np.int64), settings.stub)
    counts = np.diff(batch.blocks_until, prepend=0)
    is_short = (judged.methods != Method.UNIQUE) & (batch.block_sizes <= most)
    is_short &= np.repeat(owners[2] >= judged.numbers, counts)
    for document in np.flatnonzero(_holds(is_short, batch.blocks_until)).tolist():
        blocks = batch.blocks(document)
        copied = np.flatnonzero(judged.methods[blocks]) + blocks.start
        whose = dict(zip(copied.tolist(), judged.owners[copied].tolist(), strict=True))
        company = Company(batch, owners[0], whose, reading.ngram, reading.gram, sketches.sketch)
        kept = company.kept(settings.stub, int(most[blocks].max()))
        alone = [block for block in whose if is_short[block] and block not in kept]
        judged.methods[alone] = Method.UNIQUE
        judged.similarities[alone] = 0.0


def _mark_furniture(judged: Judged, found: Mapping[int, int]) -> None:
    for block, owner in found.items():
        judged.methods[block] = Method.FURNITURE
        judged.owners[block] = owner
        judged.similarities[block] = 1.0


def _mark_repeated(judged: Judged, ngram: int) -> None:
    """Mark what others of the document say word for word: they stay, so nothing is lost."""
    from izwi.kernels.copies import repeated_blocks

    batch = judged.batch
    repeated = np.zeros(len(judged.methods), np.bool_)
    room = _room(int(np.diff(batch.document_ends, prepend=0).max(initial=0)))
    repeated_blocks(
        batch.ngrams,
        batch.block_ends,
        batch.blocks_until,
        judged.methods,
        ngram,
        np.zeros(room, np.uint64),
        np.full(room, -1, np.int64),
        repeated.view(np.uint8),
    )
    judged.methods[repeated] = Method.REPEATED
    judged.owners[repeated] = NOBODY
    judged.similarities[repeated] = 1.0


def _mark_contained(judged: Judged, owners: Owners, settings: Settings, sketches: Sketches) -> None:
    for document, suspect in _suspects(judged, owners, settings.suspicion):
        _compare(judged, document, suspect, settings, sketches.sketch(suspect))


def _suspects(judged: Judged, owners: Owners, least: int) -> Iterator[tuple[int, int]]:
    """Yield the documents with blocks left, and the one that owns most of their n-grams."""
    from izwi.kernels import copies

    batch, count = judged.batch, len(judged.numbers)
    suspects, shared = np.empty(count, np.uint32), np.empty(count, np.int64)
    copies.suspects(
        owners,
        batch.document_ends,
        batch.block_ends,
        batch.blocks_until,
        judged.numbers,
        judged.methods,
        np.empty(max(1, len(owners)), np.uint32),
        suspects,
        shared,
    )
    for document in np.flatnonzero(shared >= least).tolist():
        yield document, int(suspects[document])


def _compare(
    judged: Judged, document: int, suspect: int, settings: Settings, others: Sketch
) -> None:
    """Mark the blocks whose short n-grams the suspected document holds."""
    from izwi.kernels.copies import shares_within

    batch = judged.batch
    blocks, tokens = batch.blocks(document), batch.tokens(document)
    ends = batch.block_ends[blocks] - tokens.start
    shares, own = np.zeros(len(ends), np.float64), np.zeros(len(ends), np.int64)
    table = np.zeros(_room(len(others)), np.uint32)
    size = settings.reading.gram
    shares_within(batch.grams[tokens], ends, others, size, table, shares, own)
    sizes = batch.block_sizes[blocks]
    is_left = judged.methods[blocks] == Method.UNIQUE
    whole = float((shares * sizes).sum() / max(int(sizes.sum()), 1))
    least = np.where(sizes < _SHORT, settings.contained_short, settings.contained)
    if whole >= settings.contained:
        least[:] = settings.contained_weakly
    is_copy = is_left & (shares >= least) & (sizes >= settings.reading.least)
    is_copy &= ~_says_more(own, batch.word_sizes[blocks], settings)
    places = np.flatnonzero(is_copy) + blocks.start
    judged.methods[places] = Method.CONTAINED
    judged.owners[places] = suspect
    judged.similarities[places] = shares[is_copy]


def _mark_stubs(judged: Judged, stub: int) -> None:
    from izwi.kernels.copies import mark_stubs

    if stub > 0 and judged.methods.any():
        mark_stubs(
            judged.methods,
            judged.owners,
            judged.batch.block_sizes,
            judged.batch.blocks_until,
            stub,
            int(Method.STUB),
        )
    judged.owners[judged.methods == Method.UNIQUE] = NOBODY


def _room(count: int) -> int:
    """Return the slots of a table for so many entries: a power of two, more than twice as many."""
    return 1 << max(4, (2 * count).bit_length())


class Archive(Protocol):
    """The short n-grams of all documents so far, kept by number."""

    def sketch(self, document: int) -> Sketch:
        """Return those of one document."""

    def keep(self, numbers: NDArray[np.uint32], batch: Batch) -> None:
        """Keep those of a batch."""


class Engine:
    """Judges documents in the order they come in and remembers what they own.

    The answer depends on nothing but the order of the documents: not on how they are cut into
    batches, nor on when what is in memory is written out.
    """

    def __init__(
        self,
        settings: Settings,
        sealed: Sealed,
        archive: Archive,
        *,
        most_bits: int = 22,
        expected: int = 0,
    ) -> None:
        self._settings = settings
        self._claims = Claims(sealed, most_bits=most_bits, expected=expected)
        self._archive = archive

    def numbers(self, keys: NDArray[np.uint64], following: int) -> NDArray[np.uint32]:
        """Return the numbers of documents by the hashes of their names; new ones follow on."""
        return self._claims.numbers(keys, following)

    def judge(self, text: Bytes, numbers: NDArray[np.uint32]) -> Judged:
        """Return which blocks of these documents copy earlier ones; separators part them."""
        batch = read_text(text, self._settings.reading)
        owners = self._claims.owners(batch, numbers)
        self._archive.keep(numbers, batch)
        return judge_blocks(batch, numbers, owners, self._settings, self._archive)

    def flush(self) -> None:
        """Write out what is in memory."""
        self._claims.flush()
