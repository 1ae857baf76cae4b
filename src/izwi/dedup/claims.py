"""Who owns what was seen lately: a table in memory that is written out, sorted, when it is full."""

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Hashes

Owners = NDArray[np.uint32]

# Fuller, and the walks from a key's first slot to its own grow long.
_FULLEST = 0.7
# Keys at the very end of the table walk beyond it.
_TAIL = 4096


class Sealed(Protocol):
    """What was written out earlier."""

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of the keys that are known here."""

    def add(self, keys: Hashes, owners: Owners) -> None:
        """Keep what a full table held; the keys are sorted."""


class Claims:
    """Gives every n-gram, block and text to the first document that has it."""

    def __init__(self, sealed: Sealed, *, slots_bits: int = 22) -> None:
        self._sealed = sealed
        self._bits = slots_bits
        self._count = 0
        self._clear(slots_bits)

    def numbers(self, keys: Hashes, following: int) -> NDArray[np.uint32]:
        """Return the number of each named document: its old one or, if it is new, the next."""
        from izwi.dedup import kernels

        self._make_room(len(keys))
        owners = np.full(len(keys), kernels.NOBODY, np.uint32)
        self._sealed.fill(keys, owners)
        for i in range(len(keys)):
            one = slice(i, i + 1)
            added = kernels.claim(
                keys[one],
                owners[one],
                self._table,
                self._holders,
                self._shift,
                np.uint32(following),
            )
            following += added
            self._count += added
        return owners

    def owners(self, batch: Batch, numbers: NDArray[np.uint32]) -> tuple[Owners, Owners, Owners]:
        """Return who owns each n-gram, block and text of a batch, the new ones claimed."""
        from izwi.dedup import kernels

        keys = (batch.ngrams, batch.block_keys, batch.document_keys)
        self._make_room(sum(map(len, keys)))
        ngrams, blocks, documents = (self._known(each) for each in keys)
        self._count += kernels.claim_documents(
            batch.ngrams,
            ngrams,
            batch.document_ends,
            batch.block_keys,
            blocks,
            batch.blocks_until,
            batch.document_keys,
            documents,
            numbers,
            self._table,
            self._holders,
            self._shift,
        )
        return ngrams, blocks, documents

    def flush(self) -> None:
        """Write out what is in memory."""
        from izwi.dedup import kernels

        if not self._count:
            return
        keys, owners = np.empty(self._count, np.uint64), np.empty(self._count, np.uint32)
        kernels.sorted_entries(self._table, self._holders, keys, owners)
        self._sealed.add(keys, owners)
        self._clear(self._bits)

    def _known(self, keys: Hashes) -> Owners:
        from izwi.dedup import kernels

        owners = np.full(len(keys), kernels.NOBODY, np.uint32)
        self._sealed.fill(keys, owners)
        return owners

    def _make_room(self, more: int) -> None:
        """Write the table out before it gets too full; a huge document gets a larger one."""
        if self._count + more <= _FULLEST * (1 << self._bits_now):
            return
        self.flush()
        bits = self._bits
        while more > _FULLEST * (1 << bits):
            bits += 1
        if bits != self._bits_now:
            self._clear(bits)

    def _clear(self, bits: int) -> None:
        self._count, self._bits_now = 0, bits
        self._shift = np.uint64(64 - bits)
        self._table = np.zeros((1 << bits) + _TAIL, np.uint64)
        self._holders = np.empty((1 << bits) + _TAIL, np.uint32)
