"""The work of the stage `own`: what the documents of one shard hold, each text with its best."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Batch, Hashes, Reading, Sketch, read_batch
from izwi.dedup.claims import Claims, Owners
from izwi.dedup.judge import batches, main_texts
from izwi.dedup.ownership import Exclusion, rank
from izwi.dedup.signatures import text_key
from izwi.model.document import Document
from izwi.store.owners import Holder, write_holders
from izwi.store.shardruns import Held, write_shard_run


class _Collector:
    """Knows nothing from before; collects what is claimed."""

    def __init__(self) -> None:
        self.keys: list[Hashes] = []
        self.owners: list[Owners] = []

    def fill(self, keys: Hashes, owners: Owners) -> None: ...

    def add(self, keys: Hashes, owners: Owners) -> None:
        self.keys.append(keys)
        self.owners.append(owners)

    def sorted(self) -> tuple[Hashes, Owners]:
        keys = np.concatenate([np.empty(0, np.uint64), *self.keys])
        owners = np.concatenate([np.empty(0, np.uint32), *self.owners])
        order = np.argsort(keys)
        return keys[order], owners[order]


def own_texts(
    documents: Sequence[Document], reading: Reading, excluded: Exclusion, output: Path
) -> None:
    """Write what a shard's documents hold, then the list of the documents."""
    kept = [each for each in documents if each.verdict.is_kept]
    ranked = sorted((each for each in kept if not excluded.covers(each.url)), key=rank)
    digest = write_shard_run(output.parent, output.stem, held_by(ranked, reading))
    out = [each for each in kept if excluded.covers(each.url)]
    listed = [Holder(each.id, each.url) for each in ranked]
    listed += [Holder(each.id, each.url, is_excluded=True) for each in out]
    write_holders(output, digest, listed)


def held_by(ranked: Sequence[Document], reading: Reading) -> Held:
    """Return what documents hold; they are given in order of rank, and the first one owns."""
    collector = _Collector()
    # A shard is claimed whole: the table is as large as it has to be.
    claims = Claims(collector, most_bits=32)
    sketches: list[Sketch] = []
    sizes: list[NDArray[np.int64]] = []
    for some, batch, numbers in _batches(ranked, reading):
        claims.owners(batch, numbers)
        claims.claim(np.array([text_key(each.signature) for each in some], np.uint64), numbers)
        sketches.append(batch.grams)
        sizes.append(np.diff(batch.document_ends, prepend=0))
    claims.flush()
    ends = np.cumsum(np.concatenate([np.empty(0, np.int64), *sizes])).astype(np.uint64)
    grams = np.concatenate([np.empty(0, np.uint32), *sketches])
    names = [each.id for each in ranked]
    return Held(names, [rank(each) for each in ranked], *collector.sorted(), grams, ends)


def _batches(
    ranked: Sequence[Document], reading: Reading
) -> Iterator[tuple[Sequence[Document], Batch, NDArray[np.uint32]]]:
    first = 0
    for some in batches(ranked):
        batch = read_batch(map(main_texts, some), reading)
        yield some, batch, np.arange(first, first + len(some), dtype=np.uint32)
        first += len(some)
