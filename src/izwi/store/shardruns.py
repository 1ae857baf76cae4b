"""What a shard's documents hold: a run of hashes, the documents in order of rank, their n-grams.

Each hash is owned by the best of the shard's documents that hold it. The folder is named by a
digest of all that is in it, is never changed, and lies beside the shard's list of documents.
"""

import json
import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard, unreadable
from izwi.model.records import dataclass
from izwi.store.files import make_durable
from izwi.store.ngrams import Hashes, Owners, Run, open_run, write_run_folder

Sketch = NDArray[np.uint32]
Ranks = NDArray[np.bytes_]
RANK = np.dtype("S24")


@dataclass(frozen=True, slots=True)
class Held:
    """What the documents of a shard hold; owners are places in `names`, the best first."""

    names: Sequence[str]
    publications: Sequence[str]
    ranks: Sequence[bytes]
    hashes: Hashes
    owners: Owners
    grams: Sketch
    gram_ends: NDArray[np.uint64]

    def digest(self) -> str:
        """Return what tells this run from all others."""
        found = xxhash.xxh3_128()
        for texts in (self.names, self.publications):
            found.update("\0".join(texts).encode("utf-8", "surrogatepass"))
        found.update(b"".join(self.ranks))
        for array in (self.hashes, self.owners, self.grams, self.gram_ends):
            found.update(np.ascontiguousarray(array).view(np.uint8).data)
        return found.hexdigest()[:16]


def shard_run_folder(layer: Path, shard: str, digest: str) -> Path:
    """Return the folder of a shard's run."""
    return layer / f"{shard}-{digest}.ngrams"


def write_shard_run(layer: Path, shard: str, held: Held) -> str:
    """Write a shard's run and return its digest."""
    digest = held.digest()
    made = write_run_folder(layer, held.hashes, held.owners)
    for name, texts in (("names", held.names), ("publications", held.publications)):
        (made / f"{name}.json").write_text(json.dumps(list(texts)), encoding="utf-8")
    ranks_array(held.ranks).tofile(made / "ranks")
    held.grams.tofile(made / "grams")
    held.gram_ends.tofile(made / "gram_ends")
    for path in made.iterdir():
        make_durable(path)
    folder = shard_run_folder(layer, shard, digest)
    shutil.rmtree(folder, ignore_errors=True)
    made.rename(folder)
    make_durable(layer)
    return digest


def ranks_array(ranks: Sequence[bytes]) -> Ranks:
    """Return ranks as an array that sorts and compares as they do."""
    return np.frombuffer(b"".join(ranks), RANK)


@dataclass(frozen=True)
class ShardRun:
    """A shard's run as it lies on disk; each part is read when it is asked for."""

    layer: Path
    shard: str
    digest: str

    @property
    def folder(self) -> Path:
        """Where it lies."""
        return shard_run_folder(self.layer, self.shard, self.digest)

    @property
    def size(self) -> int:
        """How many hashes it holds."""
        with self._reading():
            return (self.folder / "hashes").stat().st_size // 8

    def run(self) -> Run:
        """Return the hashes and their owners."""
        with self._reading():
            return open_run(self.folder)

    def ranks(self) -> Ranks:
        """Return the ranks of its documents, the best first."""
        with self._reading():
            return np.fromfile(self.folder / "ranks", RANK)

    def names(self) -> list[str]:
        """Return the ids of its documents, the best first."""
        with self._reading():
            return _texts(self.folder / "names.json")

    def publications(self) -> list[str]:
        """Return where its documents were published, the best first."""
        with self._reading():
            return _texts(self.folder / "publications.json")

    def sketch(self, place: int) -> Sketch:
        """Return the short n-grams of one of its documents."""
        with self._reading():
            ends = _gram_ends(self.folder)
            first = int(ends[place - 1]) if place else 0
            count = int(ends[place]) - first
            return np.fromfile(self.folder / "grams", np.uint32, count, offset=4 * first)

    def _reading(self) -> "_Reading":
        return _Reading(self)


@dataclass(frozen=True, slots=True)
class _Reading:
    """Names the shard's list of documents where its run is damaged: without it both are made."""

    run: ShardRun

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if isinstance(error, OSError | ValueError | IndexError | CorruptShard):
            message = f"{self.run.folder} is damaged or missing ({error})."
            path = self.run.layer / f"{self.run.shard}.parquet"
            raise unreadable(message, path, error) from error


# Folders are never changed, so what was read of them stays true.
@lru_cache(maxsize=256)
def _texts(path: Path) -> list[str]:
    return list(json.loads(path.read_text(encoding="utf-8")))


@lru_cache(maxsize=256)
def _gram_ends(folder: Path) -> NDArray[np.uint64]:
    return np.fromfile(folder / "gram_ends", np.uint64)
