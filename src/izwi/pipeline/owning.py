"""The work of the stage `own`: what the documents of one shard hold, each text with its best."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Hashes, NgramReading, Sketch, read_batch
from izwi.dedup.claims import Claims, Owners
from izwi.dedup.documents import DocumentMethod, first_halves
from izwi.dedup.judge import batches, main_texts
from izwi.dedup.ownership import Exclusion, publication, rank
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


@dataclass(frozen=True, slots=True)
class OwnConfig:
    """What documents are known by: their n-grams, or what a method for whole documents says."""

    reading: NgramReading = field(default_factory=NgramReading)
    method: DocumentMethod | None = None


def own_texts(
    documents: Sequence[Document], config: OwnConfig, excluded: Exclusion, output: Path
) -> None:
    """Write what a shard's documents hold, then the list of the documents."""
    kept = [each for each in documents if each.verdict.is_kept]
    ranked = sorted((each for each in kept if not excluded.covers(each.url)), key=rank)
    digest = write_shard_run(output.parent, output.stem, held_by(ranked, config))
    out = [each for each in kept if excluded.covers(each.url)]
    listed = [Holder(each.id, each.url) for each in ranked]
    listed += [Holder(each.id, each.url, is_excluded=True) for each in out]
    write_holders(output, digest, listed)


def held_by(ranked: Sequence[Document], config: OwnConfig) -> Held:
    """Return what documents hold; they are given in order of rank, and the first one owns."""
    collector = _Collector()
    # A shard is claimed whole: the table is as large as it has to be.
    claims = Claims(collector, most_bits=32)
    sketches: list[Sketch] = []
    sizes: list[NDArray[np.int64]] = []
    first = 0
    for some in batches(ranked):
        numbers = np.arange(first, first + len(some), dtype=np.uint32)
        grams, counts = _claimed(some, numbers, claims, config)
        claims.claim(np.array([text_key(each.signature) for each in some], np.uint64), numbers)
        sketches.append(grams)
        sizes.append(counts)
        first += len(some)
    claims.flush()
    ends = np.cumsum(np.concatenate([np.empty(0, np.int64), *sizes])).astype(np.uint64)
    grams = np.concatenate([np.empty(0, np.uint32), *sketches])
    names, places = [each.id for each in ranked], [publication(each) for each in ranked]
    return Held(names, places, [rank(each) for each in ranked], *collector.sorted(), grams, ends)


def _claimed(
    some: Sequence[Document], numbers: NDArray[np.uint32], claims: Claims, config: OwnConfig
) -> tuple[Sketch, NDArray[np.int64]]:
    """Claim what documents are known by; return by what they are compared, and how much of it."""
    if config.method is None:
        batch = read_batch(map(main_texts, some), config.reading)
        claims.owners(batch, numbers)
        return batch.grams, np.diff(batch.document_ends, prepend=0)
    keys = [config.method.keys(main_texts(each)) for each in some]
    counts = np.array([len(each) for each in keys], np.int64)
    together = np.concatenate(keys)
    claims.claim_all(together, np.cumsum(counts), numbers)
    return first_halves(together), counts
