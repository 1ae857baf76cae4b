"""Layers: what one stage adds to a shard's documents, as Parquet, row-aligned with the others.

Each layer has a format (see `izwi.store.formats`): its columns, how a document becomes a row of
them, and how a row is put back into the document. A shard of a layer is whole or absent.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from izwi.model.document import Document
from izwi.model.errors import CorruptShard, StoreError, unreadable
from izwi.store.columns import rows_of
from izwi.store.files import replacing
from izwi.store.formats import FORMATS, TEXT, LayerFormat, Row, document_of

# Row groups of 200 documents: 2 ms to read one document, 0.36 of the text's size with zstd 3.
GROUP = 200
_COMPRESSION = "zstd"
_LEVEL = 3
# What damaged bytes raise; names that are no longer UTF-8 are a ValueError.
_DAMAGE = (pa.ArrowException, OSError, ValueError)


def write_layer(path: Path, layer: str, documents: Iterable[Document]) -> int:
    """Write a shard of a layer in one step and return how many rows it has."""
    form = FORMATS[layer]
    return _write_rows(path, form, map(form.to_row, documents))


def join_rows(path: Path, layer: str, parts: Sequence[Path]) -> int:
    """Write the rows of several shards as one, in order, and return how many there are."""
    form = FORMATS[layer]
    return _write_rows(path, form, chain.from_iterable(_rows(part, form) for part in parts))


def _write_rows(path: Path, form: LayerFormat, found: Iterator[Row]) -> int:
    rows = 0
    with (
        replacing(path) as temporary,
        pq.ParquetWriter(
            temporary,
            form.schema,
            compression=_COMPRESSION,
            compression_level=_LEVEL,
            write_page_checksum=True,
        ) as file,
    ):
        for group in _groups(found):
            file.write_table(pa.Table.from_pylist(group, schema=form.schema))
            rows += len(group)
    return rows


def read_documents(paths: Mapping[str, Path]) -> Iterator[Document]:
    """Yield a shard's documents with what the given layers know; `text` must be among them."""
    others = [
        (FORMATS[layer], _rows(path, FORMATS[layer]))
        for layer, path in paths.items()
        if layer != "text"
    ]
    for row in _rows(paths["text"], TEXT):
        document = document_of(row)
        for form, rows in others:
            added = next(rows, None)
            if added is None:
                raise CorruptShard(f"{paths[form.name]} has too few rows.", str(paths[form.name]))
            document = form.apply(document, added)
        yield document


def read_one(paths: Mapping[str, Path], row: int) -> Document:
    """Return one document of a shard with what the given layers know; `text` must be among them."""
    document = document_of(_row(paths["text"], TEXT, row))
    for layer, path in paths.items():
        if layer != "text":
            document = FORMATS[layer].apply(document, _row(path, FORMATS[layer], row))
    return document


def read_columns(path: Path, columns: list[str]) -> pa.Table:
    """Return some columns of one shard of a layer."""
    try:
        # Arrow's own read_table loads its datasets, and pandas with them where that is there.
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            return file.read(columns)
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def count_rows(path: Path) -> int:
    """Return the number of rows in a shard of a layer, from its footer alone."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def check_rows(path: Path) -> None:
    """Read a file whole; raise CorruptShard if a sum in it is not right."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            rows = sum(batch.num_rows for batch in file.iter_batches())
            if rows != file.metadata.num_rows:
                raise _corrupt(path, f"{rows} rows instead of {file.metadata.num_rows}")
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def _groups(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while group := list(islice(rows, GROUP)):
        yield group


def _rows(path: Path, form: LayerFormat) -> Iterator[Row]:
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(form.schema):
                raise _corrupt(path, "its columns are not those of this layer")
            rows = 0
            for batch in file.iter_batches(batch_size=GROUP):
                yield from rows_of(batch)
                rows += batch.num_rows
            if rows != file.metadata.num_rows:
                raise _corrupt(path, f"{rows} rows instead of {file.metadata.num_rows}")
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def _row(path: Path, form: LayerFormat, row: int) -> Row:
    """Return one row; only the group that holds it is read."""
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            for group in range(file.num_row_groups):
                count = file.metadata.row_group(group).num_rows
                if row < count:
                    found: Row = file.read_row_group(group).slice(row, 1).to_pylist()[0]
                    return found
                row -= count
    except _DAMAGE as error:
        raise _corrupt(path, error) from error
    raise _corrupt(path, f"it has no row for every document of layer {form.name}")


def _corrupt(path: Path, error: Exception | str) -> StoreError:
    cause = error if isinstance(error, Exception) else ValueError(error)
    return unreadable(f"{path} is damaged or missing ({error}). Mend it: izwi build", path, cause)
