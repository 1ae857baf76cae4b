"""Which document owns a text: one immutable sorted run of hashes per shard.

Runs are made in corpus order, each holding only what no earlier run holds, and a manifest names the
order. If the order changes (a shard that could not be read before now can), the runs after the
change no longer fit the manifest's order and are made again.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard
from izwi.store.files import replacing, write_text

Hashes = NDArray[np.uint64]
_SCHEMA = pa.schema([("hash", pa.uint64()), ("document", pa.string())])


@dataclass(frozen=True, slots=True)
class Run:
    """The hashes a shard is first to have, sorted, and the documents that own them."""

    hashes: Hashes
    documents: pa.Array

    def owner(self, signature: int) -> str | None:
        """Return the document that owns a hash, if one of this run does."""
        place = int(np.searchsorted(self.hashes, np.uint64(signature)))
        if place == len(self.hashes) or int(self.hashes[place]) != signature:
            return None
        return str(self.documents[place].as_py())


def write_run(path: Path, owners: Sequence[tuple[int, str]]) -> None:
    """Write one shard's run; `owners` is sorted by hash."""
    columns = [[signature for signature, _ in owners], [document for _, document in owners]]
    table = pa.table(columns, schema=_SCHEMA)
    with replacing(path) as temporary:
        pq.write_table(table, temporary, compression="zstd", write_page_checksum=True)


def read_run(path: Path) -> Run:
    """Return one shard's run."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table, rows = file.read(), file.metadata.num_rows
    except (pa.ArrowException, OSError, ValueError) as error:
        raise CorruptShard(f"{path} is damaged or missing ({error}).", str(path)) from error
    if table.num_rows != rows or not table.schema.equals(_SCHEMA):
        raise CorruptShard(f"{path} is damaged: it is not a list of owners.", str(path))
    return Run(table["hash"].to_numpy(), table["document"].combine_chunks())


def join_runs(path: Path, parts: Sequence[Path]) -> None:
    """Write the runs of shards that follow each other as one: no two have a hash in common."""
    runs = [read_run(part) for part in parts]
    hashes = np.concatenate([run.hashes for run in runs])
    documents = pa.concat_arrays([run.documents for run in runs]).to_pylist()
    order = np.argsort(hashes)
    write_run(path, [(int(hashes[place]), documents[place]) for place in order])


def read_order(folder: Path) -> list[str]:
    """Return the shards whose runs were made, in the order they were made."""
    try:
        return list(json.loads((folder / "order.json").read_text(encoding="utf-8")))
    except (OSError, ValueError):
        return []


def write_order(folder: Path, shards: Sequence[str]) -> None:
    """Write the order in which runs were made."""
    write_text(folder / "order.json", json.dumps(list(shards)))
