"""Arrays and tables as memory-mapped Arrow files: opening one reads almost nothing."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from izwi.model.errors import unreadable

Positions = NDArray[np.uint32]
Integers = NDArray[Any]


def smallest_type(largest: int) -> type[np.unsignedinteger[Any]]:
    """Return the smallest unsigned type that holds a number."""
    if largest < 1 << 8:
        return np.uint8
    return np.uint16 if largest < 1 << 16 else np.uint32


class Texts:
    """A column of strings without gaps, read one by one from where it is mapped."""

    def __init__(self, column: pa.Array) -> None:
        _, places, octets = column.buffers()
        numbers = np.frombuffer(places, np.int32) if len(column) else np.zeros(1, np.int32)
        self._places = memoryview(numbers[column.offset :])  # type: ignore[arg-type]
        self._octets = memoryview(octets or b"")

    def __getitem__(self, number: int) -> str:
        if not self._octets:
            return ""
        return str(self._octets[self._places[number] : self._places[number + 1]], "utf-8")


def write_array(path: Path, values: Integers) -> None:
    """Write a column of integers."""
    write_table(path, pa.table({"values": pa.array(values)}))


def read_array(path: Path) -> Integers:
    """Return a column of integers, mapped from the file."""
    column = read_table(path).column("values")
    if column.num_chunks != 1:
        return np.asarray(column.to_numpy())
    return view_of(column.chunk(0))


def write_table(path: Path, table: pa.Table) -> None:
    """Write a table as one batch, so that columns can be mapped whole."""
    whole = table.combine_chunks()
    with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, whole.schema) as file:
        file.write_table(whole, max_chunksize=max(1, whole.num_rows))


def read_table(path: Path) -> pa.Table:
    """Return a table, mapped from the file."""
    try:
        return pa.ipc.open_file(pa.memory_map(str(path), "r")).read_all()
    except (pa.ArrowException, OSError) as error:
        raise unreadable(
            f"{path} is damaged or missing ({error}). Run izwi build to make it again.", path, error
        ) from error


def numbered(texts: pa.Array) -> tuple[NDArray[np.int64], list[str]]:
    """Return the number of each text among those that differ, and these; none counts as empty."""
    # What `Array.dictionary_encode` calls, after describing 300 functions that are not asked for.
    from pyarrow._compute import call_function

    if texts.null_count:
        texts = call_function("coalesce", [texts, pa.scalar("", texts.type)])
    coded = call_function("dictionary_encode", [texts])
    return view_of(coded.indices).astype(np.int64), coded.dictionary.to_pylist()


def view_of(numbers: pa.Array) -> NDArray[Any]:
    """Return numbers where they lie; Arrow's own to_numpy imports pandas where that is there."""
    kind = np.dtype(numbers.type.to_pandas_dtype())
    return np.frombuffer(numbers.buffers()[1] or b"", kind)[numbers.offset :][: len(numbers)]
