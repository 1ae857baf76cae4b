"""Who owns what was seen lately: a table in memory that is written out, sorted, when it is full."""

import mmap
import sys
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Hashes

Owners = NDArray[np.uint32]

# Nobody owns the n-gram.
NOBODY = 0xFFFFFFFF
# Keys are put in order by their first nine bits, as the kernel does it.
_PARTS = 1 << 9

# Fuller, and the walks from a key's first slot to its own grow long.
_FULLEST = 0.7
# The table begins small and grows in few steps.
_FEWEST_BITS, _STEP_BITS = 16, 3
# Larger, and what is saved by fewer runs is lost by reaching farther.
_MOST_BITS = 24
# A key and its holder.
_SLOT_BYTES = 12
# Keys at the very end of the table walk beyond it.
_TAIL = 4096


class Sealed(Protocol):
    """What was written out earlier."""

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of the keys that are known here."""

    def add(self, keys: Hashes, owners: Owners) -> None:
        """Keep what a full table held; the keys are sorted."""


@dataclass(frozen=True, slots=True)
class _Table:
    """An open table whose slots follow the first bits of the keys."""

    bits: int
    keys: Hashes
    holders: Owners

    @property
    def shift(self) -> int:
        """What is left of a key after this shift is its slot."""
        return 64 - self.bits


def _table(bits: int) -> _Table:
    slots = (1 << bits) + _TAIL
    keys, holders = np.frombuffer(_zeros(8 * slots), np.uint64), _zeros(4 * slots)
    return _Table(bits, keys, np.frombuffer(holders, np.uint32))


def _zeros(size: int) -> mmap.mmap:
    """Return memory straight from the system.

    Numpy would ask for huge pages, and on a busy machine finding those took longer than all the
    claims. Keys fall everywhere, so all pages are asked for at once: half the time of one by one.
    """
    if sys.platform == "win32":
        return mmap.mmap(-1, size)
    at_once = getattr(mmap, "MAP_POPULATE", 0)
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | at_once)


def table_bits(memory_bytes: int) -> int:
    """Return the size of the largest table that takes at most half of the memory.

    >>> table_bits(512 * 2**20)
    24
    """
    slots = max(1, memory_bytes // 2 // _SLOT_BYTES)
    return max(_FEWEST_BITS, min(slots.bit_length() - 1, _MOST_BITS))


class Claims:
    """Gives every n-gram, block and text to the first document that has it."""

    def __init__(self, sealed: Sealed, *, most_bits: int = 22, expected: int = 0) -> None:
        self._sealed = sealed
        self._most_bits = most_bits
        self._count = 0
        # Who knows about how many there will be spares the table its growing.
        bits = max(_FEWEST_BITS, int(expected / _FULLEST).bit_length())
        self._table = _table(min(bits, most_bits))

    def numbers(self, keys: Hashes, following: int) -> NDArray[np.uint32]:
        """Return the number of each named document: its old one or, if it is new, the next."""
        from izwi.kernels import claims as kernels

        self._make_room(len(keys))
        owners = np.full(len(keys), NOBODY, np.uint32)
        self._sealed.fill(keys, owners)
        table = self._table
        self._count += kernels.number_names(
            keys, owners, following, table.keys, table.holders, table.shift
        )
        return owners

    def owners(self, batch: Batch, numbers: NDArray[np.uint32]) -> tuple[Owners, Owners, Owners]:
        """Return who owns each n-gram, block and text of a batch, the new ones claimed."""
        return (
            self.claim_all(batch.ngrams, batch.document_ends, numbers),
            self.claim_all(batch.block_keys, batch.blocks_until, numbers),
            self.claim(batch.document_keys, numbers),
        )

    def claim(self, keys: Hashes, numbers: NDArray[np.uint32]) -> Owners:
        """Return who owns one key of each document, the new ones claimed; 0 is no key."""
        return self.claim_all(keys, np.arange(1, len(keys) + 1), numbers)

    def flush(self) -> None:
        """Write out what is in memory."""
        from izwi.kernels import claims as kernels

        if not self._count:
            return
        keys, owners = np.empty(self._count, np.uint64), np.empty(self._count, np.uint32)
        kernels.sorted_entries(self._table.keys, self._table.holders, keys, owners)
        self._count = 0
        self._table.keys[:] = 0
        self._sealed.add(keys, owners)

    def claim_all(
        self, keys: Hashes, ends: NDArray[np.int64], numbers: NDArray[np.uint32]
    ) -> Owners:
        """Return who owns the keys of documents, which end at `ends`; the new ones are claimed."""
        from izwi.kernels import claims as kernels

        self._make_room(len(keys))
        places, arranged = np.empty(len(keys), np.uint32), np.empty(len(keys), np.uint64)
        claimants = np.empty(len(keys), np.uint32)
        starts = np.zeros(_PARTS + 1, np.int64)
        count = kernels.arrange(keys, ends, numbers, starts, places, arranged, claimants)
        found = np.full(count, NOBODY, np.uint32)
        self._sealed.fill(arranged[:count], found)
        owners = np.full(len(keys), NOBODY, np.uint32)
        table = self._table
        self._count += kernels.claim(
            arranged[:count], found, claimants, places, owners,
            table.keys, table.holders, table.shift,
        )  # fmt: skip
        return owners

    def _make_room(self, more: int) -> None:
        """Enlarge the table before it gets too full, or write it out when it is large enough."""
        bits = self._bits_for(self._count + more)
        # Steps are large, but the last one ends at the most there may be.
        if self._count + more <= _FULLEST * (1 << self._most_bits):
            bits = min(bits, self._most_bits)
        if bits > max(self._most_bits, self._table.bits):
            self.flush()
            # One huge document may need more than the most there should be.
            bits = self._bits_for(more)
        if bits > self._table.bits:
            self._enlarge(bits)

    def _bits_for(self, count: int) -> int:
        bits = self._table.bits
        while count > _FULLEST * (1 << bits):
            bits += _STEP_BITS
        return bits

    def _enlarge(self, bits: int) -> None:
        from izwi.kernels import claims as kernels

        old, self._table = self._table, _table(bits)
        if not self._count:
            return
        is_used = old.keys != 0
        keys, holders = old.keys[is_used], old.holders[is_used]
        nobody = np.full(len(keys), NOBODY, np.uint32)
        places = np.arange(len(keys), dtype=np.uint32)
        table = self._table
        kernels.claim(
            keys, nobody, holders, places, nobody.copy(), table.keys, table.holders, table.shift
        )
