"""The values of an Arrow column as Python objects, column by column instead of cell by cell.

The same as `to_pylist` at about a quarter of its time: what lies in a list or a structure is
converted as one long column and cut into rows afterwards.
"""

from datetime import UTC
from typing import Any

import numpy as np
import pyarrow as pa


def rows_of(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    """Return the rows of a batch as dictionaries.

    >>> rows_of(pa.record_batch({"a": [1, None], "b": [["x"], []]}))
    [{'a': 1, 'b': ['x']}, {'a': None, 'b': []}]
    """
    names = batch.schema.names
    columns = [values_of(column) for column in batch.columns]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def values_of(column: pa.Array) -> list[Any]:
    """Return the values of a column; None where there is none."""
    kind = column.type
    if pa.types.is_list(kind):
        return _lists(column)
    if pa.types.is_struct(kind):
        return _structures(column)
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


def _lists(column: pa.ListArray) -> list[Any]:
    # `flatten` leaves out what stands beside the rows, and what null rows may hide.
    values = values_of(column.flatten())
    sizes = np.nan_to_num(column.value_lengths().to_numpy(zero_copy_only=False)).astype(np.int64)
    ends = np.cumsum(sizes)
    places = zip((ends - sizes).tolist(), ends.tolist(), strict=True)
    return _with_nulls(column, [values[first:last] for first, last in places])


def _structures(column: pa.StructArray) -> list[Any]:
    names = [column.type.field(number).name for number in range(column.type.num_fields)]
    parts = [values_of(part) for part in column.flatten()]
    return _with_nulls(
        column, [dict(zip(names, row, strict=True)) for row in zip(*parts, strict=True)]
    )


def _with_nulls(column: pa.Array, values: list[Any]) -> list[Any]:
    if not column.null_count:
        return values
    is_there = column.is_valid().to_pylist()
    return [value if there else None for value, there in zip(values, is_there, strict=True)]
