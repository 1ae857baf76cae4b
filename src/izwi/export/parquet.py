"""Parquet: the columns datatrove, `datasets`, polars, DuckDB and pandas read as they are.

The end of a Parquet file says where everything in it lies, so none can grow: parts are Arrow files,
which cost little, and become row groups at the end.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq

from izwi.export.base import Edition
from izwi.export.parts import Parted, Workplace
from izwi.export.records import FIELDS, LISTS, record
from izwi.model.document import Document

# Rows in memory at once, and in a row group.
_GROUP = 500
_TYPES = {"language_score": pa.float64(), "characters": pa.int64(), "tokens": pa.int64()}
_TYPES |= dict.fromkeys(LISTS, pa.list_(pa.string()))
SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in FIELDS])


class Parquet(Parted):
    """Writes NAME.parquet."""

    about: ClassVar[str] = "Parquet: text and metadata in columns"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def begin(self, place: Workplace) -> None:
        """Do nothing: each part is a file of its own."""

    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Write the rows of a part."""
        path = place.rough / f"{before:012}.arrow"
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, SCHEMA) as writer:
            for rows in _groups(map(record, documents)):
                writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=SCHEMA))
        return (path,)

    def finish(self, place: Workplace) -> None:
        """Make the parts one file; the corpus and its version are in its metadata."""
        about = {"corpus": self._edition.corpus, "version": str(self._edition.version)}
        path = place.whole / f"{self._edition.corpus}.parquet"
        with pq.ParquetWriter(path, SCHEMA.with_metadata(about), compression="zstd") as file:
            for part in sorted(place.rough.glob("*.arrow")):
                for rows in _batches(part):
                    file.write_table(pa.Table.from_batches([rows]).cast(file.schema))


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    with pa.OSFile(str(path), "rb") as file, pa.ipc.open_stream(file) as rows:
        yield from rows


def _groups(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while group := list(islice(rows, _GROUP)):
        yield group
