"""What a shard's documents hold, and which of them holds each text first."""

from collections.abc import Sequence
from dataclasses import field
from operator import itemgetter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.batch import Hashes, NgramReading, Sketch, read_batch
from izwi.dedup.judge import batches, main_texts
from izwi.dedup.ownership import LAST, Claims, Exclusion, Owners, publication, rank
from izwi.dedup.signatures import DocumentMethod, first_halves, text_key
from izwi.model.document import Document
from izwi.model.records import dataclass
from izwi.store.ownership.shard_runs import Held, Holder, write_holders, write_shard_run


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
    # A rank takes a look at the whole page, so each is asked for once.
    pairs = ((rank(each), each) for each in kept if not excluded.covers(each.url))
    ranked = sorted(pairs, key=itemgetter(0))
    digest = write_shard_run(output.parent, output.stem, held_by(ranked, config))
    out = [each for each in kept if excluded.covers(each.url)]
    listed = [Holder(each.id, each.url) for _, each in ranked]
    listed += [Holder(each.id, each.url, is_excluded=True) for each in out]
    write_holders(output, digest, listed)


def held_by(ranked: Sequence[tuple[bytes, Document]], config: OwnConfig) -> Held:
    """Return what documents hold; they are given in order of rank, and the first one owns.

    After them comes one without a name. It holds what is asked for the ends of texts: who judges
    the shard is told the owners of what is held in it, and of nothing else.
    """
    ranks, documents = [place for place, _ in ranked], [each for _, each in ranked]
    collector = _Collector()
    # A shard is claimed whole: the table is as large as it has to be.
    claims = Claims(collector, most_bits=32)
    sketches: list[Sketch] = []
    sizes: list[NDArray[np.int64]] = []
    first = 0
    for some in batches(documents):
        numbers = np.arange(first, first + len(some), dtype=np.uint32)
        grams, counts = _claimed(some, numbers, claims, config)
        claims.claim(np.array([text_key(each.signature) for each in some], np.uint64), numbers)
        _claim_each(claims, [each.furniture_keys for each in some], numbers)
        _claim_each(claims, [each.edge_keys for each in some], np.full(len(some), len(ranked)))
        sketches.append(grams)
        sizes.append(counts)
        first += len(some)
    claims.flush()
    ends = np.cumsum(np.concatenate([np.empty(0, np.int64), *sizes])).astype(np.uint64)
    grams = np.concatenate([np.empty(0, np.uint32), *sketches])
    names, places = [each.id for each in documents], [publication(each) for each in documents]
    return Held(
        [*names, ""], [*places, ""], [*ranks, LAST], *collector.sorted(),
        grams, np.append(ends, np.uint64(len(grams))),
    )  # fmt: skip


def _claim_each(
    claims: Claims, keys: Sequence[Sequence[int]], numbers: NDArray[np.unsignedinteger]
) -> None:
    together = np.array([key for each in keys for key in each], np.uint64)
    claims.claim_all(together, np.cumsum([len(each) for each in keys]), numbers.astype(np.uint32))


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
