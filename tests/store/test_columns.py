"""Columns become the same Python objects as Arrow's own, slower way makes of them."""

import pyarrow as pa
import pytest

from izwi.store.layers import rows_of

PAIR = pa.struct([("name", pa.string()), ("places", pa.list_(pa.int32()))])
COLUMNS = {
    "text": pa.array(["a", None, "", "😀\0é"], pa.string()),
    "whole": pa.array([1, None, -3, 2**31 - 1], pa.int32()),
    "large": pa.array([2**64 - 1, 0, 1, 2**63], pa.uint64()),
    "share": pa.array([0.5, None, 1.0, -0.0], pa.float64()),
    "truth": pa.array([True, False, None, True], pa.bool_()),
    "day": pa.array([None, 0, 19000, -1], pa.date32()),
    "time": pa.array([0, 1, None, 10**15], pa.timestamp("us", tz="UTC")),
    "words": pa.array([["a", None], [], None, ["b"]], pa.list_(pa.string())),
    "pair": pa.array(
        [{"name": "x", "places": [1]}, None, {"name": None, "places": None}, {}], PAIR
    ),
    "pairs": pa.array(
        [[{"name": "x", "places": []}], None, [], [None, {"name": "y"}]], pa.list_(PAIR)
    ),
}


@pytest.mark.parametrize("name", COLUMNS)
@pytest.mark.parametrize(("first", "count"), [(0, 4), (1, 3), (2, 1), (4, 0)])
def test_a_column_is_read_as_arrow_reads_it_also_from_the_middle(name, first, count):
    batch = pa.record_batch([COLUMNS[name].slice(first, count)], [name])

    assert rows_of(batch) == batch.to_pylist()
