"""The documents of a shard that may own texts, and those that were taken out: one list per shard.

The list is written last: where it is, the run of hashes it names is whole.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from izwi.model.errors import CorruptShard, unreadable
from izwi.store.files import replacing

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
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            table, rows = file.read(), file.metadata.num_rows
    except (pa.ArrowException, OSError, ValueError) as error:
        raise unreadable(f"{path} is damaged or missing ({error}).", path, error) from error
    run = (table.schema.metadata or {}).get(_RUN, b"").decode()
    if table.num_rows != rows or not table.schema.equals(_SCHEMA) or not run:
        raise CorruptShard(f"{path} is damaged: it is not a list of owners.", str(path))
    return Holders(run, tuple(Holder(**row) for row in table.to_pylist()))


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
