"""The work of the stage `own`: what the documents of one shard are the first to hold."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Reading, Sketch, read_batch
from izwi.dedup.claims import Claims, Owners
from izwi.dedup.judge import batches, main_texts
from izwi.dedup.ownership import rank
from izwi.model.document import Document
from izwi.store.ngrams import Hashes
from izwi.store.shardruns import Library, ngrams_beside, write_shard_run


class _Collector:
    """Earlier shards answer; what is new is collected, not added to them."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self.keys: list[Hashes] = []
        self.owners: list[Owners] = []

    def fill(self, keys: Hashes, owners: Owners) -> None:
        self._library.fill(keys, owners)

    def add(self, keys: Hashes, owners: Owners) -> None:
        self.keys.append(keys)
        self.owners.append(owners)

    def sorted(self) -> tuple[Hashes, Owners]:
        keys = np.concatenate([np.empty(0, np.uint64), *self.keys])
        owners = np.concatenate([np.empty(0, np.uint32), *self.owners])
        order = np.argsort(keys)
        return keys[order], owners[order]


def own_ngrams(
    documents: Sequence[Document], reading: Reading, earlier: Sequence[Path], output: Path
) -> None:
    """Write what a shard's documents hold and no earlier one does, beside its list of owners."""
    ranked = sorted((each for each in documents if each.verdict.is_kept), key=rank)
    library = Library(earlier)
    collector = _Collector(library)
    # A shard is claimed whole: the table is as large as it has to be.
    claims = Claims(collector, most_bits=32)
    base = library.documents
    sketches: list[Sketch] = []
    sizes: list[NDArray[np.int64]] = []
    for batch, numbers in _batches(ranked, reading, base):
        claims.owners(batch, numbers)
        sketches.append(batch.grams)
        sizes.append(np.diff(batch.document_ends, prepend=0))
    claims.flush()
    keys, owners = collector.sorted()
    ends = np.cumsum(np.concatenate([np.empty(0, np.int64), *sizes]))
    grams = np.concatenate([np.empty(0, np.uint32), *sketches])
    names = [each.id for each in ranked]
    write_shard_run(ngrams_beside(output), (keys, owners - np.uint32(base)), names, (grams, ends))


def _batches(
    ranked: Sequence[Document], reading: Reading, base: int
) -> Iterator[tuple[Batch, NDArray[np.uint32]]]:
    for some in batches(ranked):
        batch = read_batch(map(main_texts, some), reading)
        yield batch, np.arange(base, base + len(some), dtype=np.uint32)
        base += len(some)
