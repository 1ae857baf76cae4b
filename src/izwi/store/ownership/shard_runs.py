"""What a shard's documents hold: a run of hashes, documents by rank, and who may own texts.

What a shard's documents hold: a run of hashes, the documents in order of rank, their n-grams. Each
hash is owned by the best of the shard's documents that hold it. The folder is named by a digest of
all that is in it, is never changed, and lies beside the shard's list of documents.

The documents of a shard that may own texts, and those that were taken out: one list per shard. The
list is written last: where it is, the run of hashes it names is whole.
"""

import json
import shutil
from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard, unreadable
from izwi.model.records import dataclass
from izwi.store.files import make_durable, replacing
from izwi.store.objects import at_hand, bytes_at_hand
from izwi.store.ownership.hash_runs import Hashes, Owners, Run, mapped, open_run, write_run_folder

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


def read_held(run: "ShardRun") -> Held:
    """Return all that a shard's run holds; raise CorruptShard if its parts do not fit."""
    found, ranks = run.run(), run.ranks()
    # An array of bytes leaves out zeros at the end of an item.
    raw, size = ranks.tobytes(), RANK.itemsize
    with run.reading():
        held = Held(
            run.names(),
            run.publications(),
            [raw[first : first + size] for first in range(0, len(raw), size)],
            np.array(found.hashes),
            np.array(found.owners),
            np.fromfile(at_hand(run.folder / "grams"), np.uint32),
            np.fromfile(at_hand(run.folder / "gram_ends"), np.uint64),
        )
        _check(held)
    return held


def _check(held: Held) -> None:
    names = len(held.names)
    sizes = {len(held.publications), len(held.ranks), len(held.gram_ends)}
    are_owned = len(held.hashes) == len(held.owners) and (held.owners < names).all()
    grams = int(held.gram_ends[-1]) if len(held.gram_ends) else 0
    if sizes != {names} or not are_owned or grams != len(held.grams):
        raise ValueError("its parts do not fit")


def ranks_array(ranks: Sequence[bytes]) -> Ranks:
    """Return ranks as an array that sorts and compares as they do."""
    return np.frombuffer(b"".join(ranks), RANK)


@dataclass(frozen=True)
class ShardRun:
    """A shard's run as it lies on disk; each part is read when it is asked for."""

    layer: Path
    shard: str
    digest: str

    @cached_property
    def folder(self) -> Path:
        """Where it lies."""
        return shard_run_folder(self.layer, self.shard, self.digest)

    @property
    def size(self) -> int:
        """How many hashes it holds."""
        with self.reading():
            return (self.folder / "hashes").stat().st_size // 8

    def run(self) -> Run:
        """Return the hashes and their owners."""
        with self.reading():
            return open_run(self.folder)

    def ranks(self) -> Ranks:
        """Return the ranks of its documents, the best first."""
        with self.reading():
            return np.fromfile(self.folder / "ranks", RANK)

    def names(self) -> list[str]:
        """Return the ids of its documents, the best first."""
        with self.reading():
            return _texts(self.folder / "names.json")

    def publications(self) -> list[str]:
        """Return where its documents were published, the best first."""
        with self.reading():
            return _texts(self.folder / "publications.json")

    def sketch(self, place: int) -> Sketch:
        """Return the short n-grams of one of its documents."""
        with self.reading():
            ends = _gram_ends(self.folder)
            first = int(ends[place - 1]) if place else 0
            count = int(ends[place]) - first
            path = self.folder / "grams"
            if path.exists():
                return _checked(_grams(path)[first : first + count], count)
            raw = bytes_at_hand(path, 4 * first, 4 * count)
            return np.frombuffer(raw, np.uint32, count)

    def reading(self) -> "_Reading":
        """Say of what is wrong with its files which shard is to be made again."""
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
    return list(json.loads(at_hand(path).read_text(encoding="utf-8")))


@lru_cache(maxsize=256)
def _gram_ends(folder: Path) -> NDArray[np.uint64]:
    return np.fromfile(at_hand(folder / "gram_ends"), np.uint64)


# Asked for again and again, where opening the file takes longer than reading from it.
@lru_cache(maxsize=256)
def _grams(path: Path) -> Sketch:
    return mapped(path, np.dtype(np.uint32))


def _checked(sketch: Sketch, count: int) -> Sketch:
    if len(sketch) != count:
        raise ValueError("it ends too early")
    return sketch


_SCHEMA = pa.schema([("document", pa.string()), ("url", pa.string()), ("is_excluded", pa.bool_())])
_RUN, _EXCLUDED = b"izwi.run", b"izwi.excluded"


@dataclass(frozen=True, slots=True)
class Holder:
    """A document that holds texts; one that was excluded owns none of them."""

    document: str
    url: str
    is_excluded: bool = False


@dataclass(frozen=True, slots=True)
class Holders:
    """A shard's documents and the digest of its run of hashes."""

    run: str
    documents: tuple[Holder, ...]


def write_holders(path: Path, run: str, documents: Sequence[Holder]) -> None:
    """Write the list of one shard in one step."""
    columns = [
        [each.document for each in documents],
        [each.url for each in documents],
        [each.is_excluded for each in documents],
    ]
    excluded = sum(each.is_excluded for each in documents)
    facts = {_RUN: run.encode(), _EXCLUDED: str(excluded).encode()}
    table = pa.table(columns, schema=_SCHEMA.with_metadata(facts))
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)


def read_holders(path: Path) -> Holders:
    """Return the list of one shard."""
    table = _read_list(path)
    run = table.schema.metadata[_RUN].decode()
    return Holders(run, tuple(Holder(**row) for row in table.to_pylist()))


def read_exclusions(path: Path) -> Iterator[tuple[str, bool]]:
    """Yield the addresses in the list of one shard, and whether each was taken out."""
    table = _read_list(path)
    return zip(*(table.column(name).to_pylist() for name in ("url", "is_excluded")), strict=True)


def _read_list(path: Path) -> pa.Table:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table, rows = file.read(), file.metadata.num_rows
    except (pa.ArrowException, OSError, ValueError) as error:
        raise unreadable(f"{path} is damaged or missing ({error}).", path, error) from error
    has_run = bool((table.schema.metadata or {}).get(_RUN))
    if table.num_rows != rows or not table.schema.equals(_SCHEMA) or not has_run:
        raise CorruptShard(f"{path} is damaged: it is not a list of owners.", str(path))
    return table


def read_run_digest(path: Path) -> str:
    """Return which run of hashes a shard's list names, from its footer alone."""
    return _facts(path)[_RUN].decode()


def has_excluded(path: Path) -> bool:
    """Whether a shard's list has documents that were taken out."""
    return _facts(path)[_EXCLUDED] != b"0"


def _facts(path: Path) -> dict[bytes, bytes]:
    try:
        facts = dict(pq.read_schema(path).metadata or {})
    except (pa.ArrowException, OSError, ValueError) as error:
        raise unreadable(f"{path} is damaged or missing ({error}).", path, error) from error
    if not {_RUN, _EXCLUDED} <= facts.keys():
        raise CorruptShard(f"{path} is damaged: it is not a list of owners.", str(path))
    return facts
