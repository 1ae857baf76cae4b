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
from izwi.export.datacard import write_data_card
from izwi.export.parts import Parted, Workplace
from izwi.export.records import FIELDS, LISTS, record
from izwi.model.document import Document

# Rows in memory at once while parts are written.
_GROUP = 500
# A row group ends after so many rows or bytes. The end of the file lists every group: small ones
# would make it, and the memory it takes, grow with the corpus.
_ROWS, _BYTES = 5_000, 16 << 20
# Least and greatest values help to pass over groups; those of whole texts would only be long.
_SUMMED = ("date", "language", "source", "captured", "tokens", "words", "language_score", "role")
_NUMBERS = ("language_score", "deviation", "deviation_limit", "boilerplate", "copy_similarity")
_DATES = ("date", "modified")
_TYPES = {
    **dict.fromkeys(_NUMBERS, pa.float64()),
    **dict.fromkeys(("characters", "tokens", "words"), pa.int64()),
    **dict.fromkeys(LISTS, pa.list_(pa.string())),
    **dict.fromkeys(_DATES, pa.date32()),
    "captured": pa.timestamp("ms", tz="UTC"),
}
# A day alone does not say how much of it is known.
_COLUMNS = (*FIELDS, "modified_precision")
SCHEMA = pa.schema([(name, _TYPES.get(name, pa.string())) for name in _COLUMNS])


class Parquet(Parted):
    """Writes NAME.parquet, a card (README.md), and metadata for machines (croissant.json)."""

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
            for rows in _groups(map(typed, documents)):
                writer.write_batch(pa.RecordBatch.from_pylist(rows, schema=SCHEMA))
        return (path,)

    def finish(self, place: Workplace) -> None:
        """Make the parts one file; the corpus and its version are in its metadata."""
        about = {"corpus": self._edition.corpus, "version": str(self._edition.version)}
        path = place.whole / f"{self._edition.corpus}.parquet"
        schema = SCHEMA.with_metadata(about)
        with pq.ParquetWriter(
            path, schema, compression="zstd", write_statistics=list(_SUMMED)
        ) as file:
            for rows in _row_groups(sorted(place.rough.glob("*.arrow"))):
                file.write_table(pa.Table.from_batches(rows).cast(schema), row_group_size=_ROWS)
        write_data_card(place.whole, self._edition)


def typed(document: Document) -> dict[str, Any]:
    """Return the row of a document with dates as dates, and nothing where nothing is known."""
    row: dict[str, Any] = {name: None if value == "" else value
                           for name, value in record(document).items()}  # fmt: skip
    when, modified = document.metadata.date, document.metadata.modified
    return row | {
        "text": document.text,
        "date": when.value if when else None,
        "modified": modified.value if modified else None,
        "modified_precision": modified.precision if modified else None,
        "captured": document.captured.replace(microsecond=0),
        "language_score": document.language.score if document.language else None,
    }


def _row_groups(parts: Iterable[Path]) -> Iterator[list[pa.RecordBatch]]:
    """Yield the batches of all parts, so many together as make a row group."""
    group: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in (batch for part in parts for batch in _batches(part)):
        if group and (rows + batch.num_rows > _ROWS or size + batch.nbytes > _BYTES):
            yield group
            group, rows, size = [], 0, 0
        group.append(batch)
        rows += batch.num_rows
        size += batch.nbytes
    if group:
        yield group


def _batches(path: Path) -> Iterator[pa.RecordBatch]:
    with pa.OSFile(str(path), "rb") as file, pa.ipc.open_stream(file) as rows:
        yield from rows


def _groups(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    while group := list(islice(rows, _GROUP)):
        yield group
