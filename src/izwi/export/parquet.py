"""Parquet: the columns datatrove, `datasets`, polars, DuckDB and pandas read as they are."""

from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.parquet as pq

from izwi.export.base import Edition
from izwi.export.records import FIELDS, LISTS, record
from izwi.model.document import Document

# Rows in memory at once, and in a row group.
_GROUP = 500
_TYPES = {"language_score": pa.float64(), "characters": pa.int64(), "tokens": pa.int64()}
_TYPES |= dict.fromkeys(LISTS, pa.list_(pa.string()))
SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in FIELDS])


class Parquet:
    """Writes NAME.parquet."""

    about: ClassVar[str] = "Parquet: text and metadata in columns"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write the rows in groups; the corpus and its version are in the file's metadata."""
        about = {"corpus": self._edition.corpus, "version": str(self._edition.version)}
        schema = SCHEMA.with_metadata(about)
        path = target / f"{self._edition.corpus}.parquet"
        with pq.ParquetWriter(path, schema, compression="zstd") as file:
            for rows in _groups(map(record, documents)):
                file.write_table(pa.Table.from_pylist(rows, schema=schema))


def _groups(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while group := list(islice(rows, _GROUP)):
        yield group
