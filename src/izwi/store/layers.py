"""Layers: what one stage adds to a shard's documents, as Parquet, read column by column.

The values of an Arrow column as Python objects, column by column instead of cell by cell. The same
as `to_pylist` at about a quarter of its time: what lies in a list or a structure is converted as
one long column and cut into rows afterwards.

Each layer has a format (see `izwi.store.layer_formats`): its columns, how a document becomes a row
of them, and how a row is put back into the document. A shard of a layer is whole or absent.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import fields
from datetime import UTC
from itertools import accumulate, chain, islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from izwi.kernels.records import made
from izwi.model.document import Document, Verdict
from izwi.model.errors import CorruptShard, StoreError, unreadable
from izwi.store.files import link, replacing
from izwi.store.layer_formats import FORMATS, SIFT, TEXT, LayerFormat, Row, document_of
from izwi.store.objects import at_hand

# Makes an object of the fields of a structure, in their order: a function, or a frozen record.
Maker = Callable[..., Any]


def rows_of(
    batch: pa.RecordBatch, makers: Mapping[str, Maker] | None = None
) -> list[dict[str, Any]]:
    """Return the rows of a batch as dictionaries.

    Structures are dictionaries, too, but in the columns that have a maker: a structure there, or
    each in a list of them, is what the maker makes of its fields.

    >>> rows_of(pa.record_batch({"a": [1, None], "b": [["x"], []]}))
    [{'a': 1, 'b': ['x']}, {'a': None, 'b': []}]
    """
    names = batch.schema.names
    by = makers or {}
    columns = [
        values_of(column, by.get(name)) for name, column in zip(names, batch.columns, strict=True)
    ]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def values_of(column: pa.Array, maker: Maker | None = None) -> list[Any]:
    """Return the values of a column; None where there is none."""
    kind = column.type
    if pa.types.is_list(kind):
        return _lists(column, maker)
    if pa.types.is_struct(kind):
        return _structures(column, maker)
    is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)
    if pa.types.is_string(kind) or (is_number and not column.null_count):
        found: list[Any] = column.to_numpy(zero_copy_only=False).tolist()
        return found
    if kind == _MOMENTS and not column.null_count:
        return _moments(column)
    plain: list[Any] = column.to_pylist()
    return plain


_MOMENTS = pa.timestamp("us", tz="UTC")


def _moments(column: pa.Array) -> list[Any]:
    """Return points in time; Arrow asks pandas for each of them where that is installed."""
    found = np.frombuffer(column.buffers()[1] or b"", "M8[us]")[column.offset :][: len(column)]
    return [moment.replace(tzinfo=UTC) for moment in found.tolist()]


def _lists(column: pa.ListArray, maker: Maker | None) -> list[Any]:
    # `flatten` leaves out what stands beside the rows, and what null rows may hide.
    values = values_of(column.flatten(), maker)
    sizes = np.nan_to_num(column.value_lengths().to_numpy(zero_copy_only=False)).astype(np.int64)
    ends = np.cumsum(sizes)
    places = zip((ends - sizes).tolist(), ends.tolist(), strict=True)
    return _with_nulls(column, [values[first:last] for first, last in places])


def _structures(column: pa.StructArray, maker: Maker | None) -> list[Any]:
    names = [column.type.field(number).name for number in range(column.type.num_fields)]
    parts = [values_of(part) for part in column.flatten()]
    if maker:
        return _with_nulls(column, _made(maker, parts))
    return _with_nulls(
        column, [dict(zip(names, row, strict=True)) for row in zip(*parts, strict=True)]
    )


def _made(maker: Maker, parts: list[list[Any]]) -> list[Any]:
    """Return what a maker makes of rows; a record's fields beyond those that are given are usual.

    Records are made all at once, in half the time that one by one takes.
    """
    if not (isinstance(maker, type) and parts):
        return list(map(maker, *parts))
    declared = fields(maker)
    usual = (each.default for each in declared[len(parts) :])
    return made(maker, tuple(each.name for each in declared), (*parts, *usual))


def _with_nulls(column: pa.Array, values: list[Any]) -> list[Any]:
    if not column.null_count:
        return values
    is_there = column.is_valid().to_pylist()
    return [value if there else None for value, there in zip(values, is_there, strict=True)]


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
    tables = (pa.Table.from_pylist(group, schema=form.schema) for group in _groups(found))
    return _write_tables(path, form, tables)


def _write_tables(path: Path, form: LayerFormat, tables: Iterable[pa.Table]) -> int:
    """Write tables, each of them a group of rows, and return how many rows there are."""
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
        for table in tables:
            file.write_table(table, row_group_size=GROUP)
            rows += table.num_rows
    return rows


def replace_rows(
    path: Path, layer: str, old: Path, numbers: Sequence[int], documents: Iterable[Document]
) -> list[int]:
    """Write a shard of a layer as it was but for some rows; return which of these are others now.

    The columns of the other rows are copied, so the file is what it would be if all were made anew.
    Where no row is another one, it is the file there was.
    """
    form, changed = FORMATS[layer], list[int]()
    begins = _beginnings(old)
    cuts = np.searchsorted(numbers, begins).tolist()
    held = {
        group: [number - begins[group] for number in numbers[first:last]]
        for group, (first, last) in enumerate(pairwise(cuts))
        if first < last
    }
    made = _made_groups(old, form, held, begins, iter(documents), changed)
    # Most changes change nothing in most shards: then no more is read than what was made anew.
    first = next((table for table in made if changed), None)
    if first is None:
        with replacing(path) as temporary:
            link(at_hand(old), temporary)
        return []
    anew = {group for group in held if begins[group + 1] > changed[0]}
    others = _tables(old, form, [each for each in range(len(cuts) - 1) if each not in anew])
    news = chain([first], made)
    in_order = (next(news if group in anew else others) for group in range(len(cuts) - 1))
    # At the end who made them says if they were too many, before the file has its name.
    _write_tables(path, form, chain(in_order, news))
    return changed


def _made_groups(
    old: Path,
    form: LayerFormat,
    held: Mapping[int, Sequence[int]],
    begins: Sequence[int],
    rest: Iterator[Document],
    changed: list[int],
) -> Iterator[pa.Table]:
    """Yield the groups that hold rows made anew, given by their places; note which are others."""
    for (group, places), table in zip(held.items(), _tables(old, form, list(held)), strict=True):
        # As many as stand in this group: all that a change touches may not fit into memory.
        rows = [form.to_row(each) for each in islice(rest, len(places))]
        if len(rows) != len(places):
            raise RuntimeError(f"too few rows were made for {old}")
        new = pa.Table.from_pylist(rows, schema=form.schema)
        changed.extend(
            begins[group] + place
            for at, place in enumerate(places)
            if not new.slice(at, 1).equals(table.slice(place, 1))
        )
        yield _with_rows(table, places, new)
    if next(rest, None) is not None:
        raise RuntimeError(f"too many rows were made for {old}")


def _beginnings(path: Path) -> list[int]:
    """Return at which row each group begins, and where the last one ends."""
    try:
        found = pq.read_metadata(at_hand(path))
    except _DAMAGE as error:
        raise _corrupt(path, error) from error
    sizes = (found.row_group(group).num_rows for group in range(found.num_row_groups))
    return list(accumulate(sizes, initial=0))


def _with_rows(group: pa.Table, places: Sequence[int], new: pa.Table) -> pa.Table:
    order = np.arange(group.num_rows)
    order[list(places)] = group.num_rows + np.arange(len(places))
    return pa.concat_tables([group, new]).combine_chunks().take(order)


def drop_rows(path: Path, layer: str, old: Path, numbers: Set[int]) -> None:
    """Write a shard of a layer without some rows, the columns of the others copied."""
    form = FORMATS[layer]
    whole = pa.concat_tables([form.schema.empty_table(), *_tables(old, form)]).combine_chunks()
    kept = whole.take(np.setdiff1d(np.arange(whole.num_rows), list(numbers)).astype(np.int64))
    groups = (kept.slice(first, GROUP) for first in range(0, kept.num_rows, GROUP))
    _write_tables(path, form, groups)


def _tables(
    path: Path, form: LayerFormat, groups: Iterable[int] | None = None
) -> Iterator[pa.Table]:
    """Yield a shard of a layer, some hundred rows at a time; of some groups only, if given."""
    try:
        with pq.ParquetFile(at_hand(path), page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(form.schema):
                raise _corrupt(path, "its columns are not those of this layer")
            for group in range(file.num_row_groups) if groups is None else groups:
                yield file.read_row_group(group)
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def main_texts(path: Path) -> Iterator[bytes]:
    """Yield the main texts of a shard, read by columns, of a group of documents at a time.

    After each paragraph but the last of its document stands U+001F, after each document U+001E.
    """
    wanted = [f"paragraphs.list.element.{name}" for name in ("text", "is_main")]
    try:
        # All at once would be so much memory that the system gives it anew each time, emptied.
        with pq.ParquetFile(at_hand(path), page_checksum_verification=True) as file:
            for group in range(file.num_row_groups):
                yield _joined(file.read_row_group(group, wanted).column("paragraphs"))
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def _joined(column: pa.ChunkedArray) -> bytes:
    # Arrow's functions are loaded only where they are needed: short commands read layers, too.
    import pyarrow.compute as pc

    lists = column.combine_chunks()
    paragraphs = lists.flatten()
    is_main = pc.coalesce(paragraphs.field("is_main"), pa.scalar(False))
    texts = paragraphs.field("text").filter(is_main)
    for separator in ("\x1f", "\x1e"):
        texts = pc.replace_substring(texts, separator, " ")
    lengths = np.nan_to_num(lists.value_lengths().to_numpy(zero_copy_only=False))
    ends = np.cumsum(lengths).astype(np.int64)
    mains = np.concatenate([[0], np.cumsum(is_main.to_numpy(zero_copy_only=False))])
    offsets = np.concatenate([[0], mains[ends]]).astype(np.int32)
    documents = pc.binary_join(pa.ListArray.from_arrays(offsets, texts), "\x1f").cast(pa.binary())
    return b"".join(part for each in documents.to_numpy(False) for part in (each, b"\x1e"))


def read_documents(
    paths: Mapping[str, Path], numbers: Sequence[int] | None = None
) -> Iterator[Document]:
    """Yield a shard's documents with what the given layers know; `text` must be among them.

    Of some documents only, if their numbers are given, in order.
    """
    others = [
        (FORMATS[layer], _rows(path, FORMATS[layer], numbers=numbers))
        for layer, path in paths.items()
        if layer != "text"
    ]
    for row in _rows(paths["text"], TEXT, TEXT.makers, numbers):
        document = document_of(row)
        for form, rows in others:
            added = next(rows, None)
            if added is None:
                raise CorruptShard(f"{paths[form.name]} has too few rows.", str(paths[form.name]))
            document = form.apply(document, added)
        yield document


def read_verdicts(path: Path) -> Iterator[Verdict]:
    """Yield what a shard of the layer `sift` says of each document."""
    return (row["verdict"] for row in _rows(path, SIFT, {"verdict": Verdict}))


def read_one(paths: Mapping[str, Path], row: int) -> Document:
    """Return one document of a shard with what the given layers know; `text` must be among them."""
    document = document_of(_row(paths["text"], TEXT, row))
    for layer, path in paths.items():
        if layer != "text":
            document = FORMATS[layer].apply(document, _row(path, FORMATS[layer], row))
    return document


def read_columns(path: Path, columns: list[str] | None) -> pa.Table:
    """Return some columns of one shard of a layer; None means all."""
    try:
        # Arrow's own read_table loads its datasets, and pandas with them where that is there.
        with pq.ParquetFile(at_hand(path), page_checksum_verification=True) as file:
            return file.read(columns)
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def rows_that_differ(
    path: Path, other: Path, columns: list[str] | None = None, among: Sequence[int] | None = None
) -> list[int] | None:
    """Return the rows in which two shards, or columns, differ; None if they have not as many.

    Of some rows only, if these are given.
    """
    tables = [read_columns(each, columns) for each in (path, other)]
    if tables[0].num_rows != tables[1].num_rows:
        return None
    numbers = range(tables[0].num_rows) if among is None else among
    looked = tables if among is None else [each.take(list(among)) for each in tables]
    rows = zip(numbers, *(table.to_pylist() for table in looked), strict=True)
    return [number for number, one, two in rows if one != two]


def count_rows(path: Path) -> int:
    """Return the number of rows in a shard of a layer, from its footer alone."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def check_rows(path: Path) -> None:
    """Read a file whole; raise CorruptShard if a sum in it is not right."""
    try:
        with pq.ParquetFile(at_hand(path), page_checksum_verification=True) as file:
            rows = sum(batch.num_rows for batch in file.iter_batches(use_threads=False))
            if rows != file.metadata.num_rows:
                raise _corrupt(path, f"{rows} rows instead of {file.metadata.num_rows}")
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def _groups(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while group := list(islice(rows, GROUP)):
        yield group


def _rows(
    path: Path,
    form: LayerFormat,
    makers: Mapping[str, Maker] | None = None,
    numbers: Sequence[int] | None = None,
) -> Iterator[Row]:
    if numbers is not None:
        yield from _some_rows(path, form, makers, numbers)
        return
    try:
        with pq.ParquetFile(at_hand(path), page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(form.schema):
                raise _corrupt(path, "its columns are not those of this layer")
            rows = 0
            # Threads of Arrow's outlive their reader where memory lacks, and end the process.
            for batch in file.iter_batches(batch_size=GROUP, use_threads=False):
                yield from rows_of(batch, makers)
                rows += batch.num_rows
            if rows != file.metadata.num_rows:
                raise _corrupt(path, f"{rows} rows instead of {file.metadata.num_rows}")
    except _DAMAGE as error:
        raise _corrupt(path, error) from error


def _some_rows(
    path: Path, form: LayerFormat, makers: Mapping[str, Maker] | None, numbers: Sequence[int]
) -> Iterator[Row]:
    """Yield the rows with these numbers, in order; only the groups that hold one are read."""
    begins = _beginnings(path)
    cuts = np.searchsorted(numbers, begins).tolist()
    held = [group for group, (first, last) in enumerate(pairwise(cuts)) if first < last]
    for group, table in zip(held, _tables(path, form, held), strict=True):
        places = [number - begins[group] for number in numbers[cuts[group] : cuts[group + 1]]]
        for batch in table.combine_chunks().take(places).combine_chunks().to_batches():
            yield from rows_of(batch, makers)


def _row(path: Path, form: LayerFormat, row: int) -> Row:
    """Return one row; only the group that holds it is read."""
    try:
        with pq.ParquetFile(at_hand(path), page_checksum_verification=True) as file:
            for group in range(file.num_row_groups):
                count = file.metadata.row_group(group).num_rows
                if row < count:
                    (batch,) = file.read_row_group(group).slice(row, 1).to_batches()
                    return rows_of(batch, form.makers)[0]
                row -= count
    except _DAMAGE as error:
        raise _corrupt(path, error) from error
    raise _corrupt(path, f"it has no row for every document of layer {form.name}")


def _corrupt(path: Path, error: Exception | str) -> StoreError:
    cause = error if isinstance(error, Exception) else ValueError(error)
    return unreadable(f"{path} is damaged or missing ({error}). Mend it: izwi build", path, cause)
