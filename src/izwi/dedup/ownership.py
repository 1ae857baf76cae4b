"""Which document owns a text: of all that hold it, the one of the best rank.

A rank is made of the document alone. Whatever the shards, the batches or the order of work, the
same documents have the same owners, and growth ends where a build from scratch does. Who owns what
was seen lately is a table in memory that is written out, sorted, when it is full.
"""

import mmap
import sys
from calendar import monthrange
from datetime import date
from typing import Protocol

import numpy as np
import xxhash
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Hashes
from izwi.dedup.wholeness import wholeness
from izwi.model.document import READY_MADE, Document, PublicationDate
from izwi.model.records import dataclass

# Bytes in a rank: compared as they are, the smallest owns.
RANK_BYTES = 24
# The rank of who only asks and owns nothing, behind all documents; it has no name.
LAST = b"\xff" * RANK_BYTES
# What a rank says of a day beside its number: that it is the last of a month, or of a year.
_OF_MONTH, _OF_YEAR = 2, 3
_MOST_LETTERS = 2**32 - 1
_LONGEST_URL = 2**16 - 1


class Exclusion(Protocol):
    """What was taken out of a corpus."""

    def covers(self, url: str) -> bool:
        """Whether a page is out: it owns nothing, and what it owned goes to the next."""


class NothingExcluded:
    """The exclusion of a corpus from which nothing was taken."""

    def covers(self, url: str) -> bool:
        """Whether a page is out: none is."""
        return False


def rank(document: Document) -> bytes:
    """Return what decides between all documents that hold a text; the smallest owns it.

    Whole articles before other views of them, these before pages that list them, the earliest date
    with evidence or of an import, the most complete, the shortest address; then the address, the
    time of capture and the id, so that no two documents are alike. The last bytes depend on
    publication and text: a page that changed is another owner.
    """
    url = document.url.encode("utf-8", "surrogatepass")
    identity = "\0".join((document.id, publication(document), document.text))
    parts = (
        (wholeness(document), 1),
        (_day(document), 3),
        (_MOST_LETTERS - min(len(document.text), _MOST_LETTERS), 4),
        (min(len(url), _LONGEST_URL), 2),
        (xxhash.xxh3_64_intdigest(url) >> 24, 5),
        (max(0, int(document.captured.timestamp())), 4),
        (xxhash.xxh3_64_intdigest(identity.encode("utf-8", "surrogatepass")) >> 24, 5),
    )
    return b"".join(value.to_bytes(size, "big") for value, size in parts)


def ranked_date(rank: bytes) -> date | None:
    """Return the day of publication that a rank holds; of a month or a year it is the last.

    >>> ranked_date(bytes([0]) + (4 * date(2020, 3, 1).toordinal()).to_bytes(3, "big") + bytes(20))
    datetime.date(2020, 3, 1)
    """
    days = ranked_days(rank)
    return days[1] if days else None


def ranked_days(rank: bytes) -> tuple[date, date] | None:
    """Return between which days a document came out, as far as its rank tells.

    >>> ranked_days(bytes([0]) + (4 * date(2020, 3, 31).toordinal() + 2).to_bytes(3, "big"))
    (datetime.date(2020, 3, 1), datetime.date(2020, 3, 31))
    """
    number, vague = divmod(int.from_bytes(rank[1:4], "big"), 4)
    last = date.fromordinal(number)
    if last == date.max:
        return None
    if vague == _OF_YEAR:
        return date(last.year, 1, 1), last
    return (last.replace(day=1) if vague == _OF_MONTH else last), last


def publication(document: Document) -> str:
    """Return where a document was published: what its site calls itself, or its source."""
    return document.metadata.site or document.source


def _day(document: Document) -> int:
    """Return the day of publication as four times its number, and more the less speaks for it.

    So of two on one day the one whose page says so is first. A day nothing speaks for is none. Of
    a month or a year the last day counts: a copy whose address tells the month is not older than
    the text whose page tells the day.
    """
    when = document.metadata.date
    if when is None or not (when.evidence or document.media_type == READY_MADE):
        return 4 * date.max.toordinal()
    vague = {"month": _OF_MONTH, "year": _OF_YEAR}.get(when.precision, int(not when.evidence))
    return 4 * _last_day(when).toordinal() + vague


def _last_day(when: PublicationDate) -> date:
    if when.precision == "day":
        return when.value
    month = 12 if when.precision == "year" else when.value.month
    return date(when.value.year, month, monthrange(when.value.year, month)[1])


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
