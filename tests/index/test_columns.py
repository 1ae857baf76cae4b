import numpy as np
import pyarrow as pa
import pytest

from izwi.index.columns import read_array, read_table, smallest_type, write_array, write_table
from izwi.model.errors import CorruptShard


@pytest.mark.parametrize(
    ("largest", "kind"),
    [
        (0, np.uint8),
        (255, np.uint8),
        (256, np.uint16),
        (65_535, np.uint16),
        (65_536, np.uint32),
        (2**32 - 1, np.uint32),
    ],
    ids=str,
)
def test_the_smallest_type_holds_the_largest_number(largest, kind):
    assert smallest_type(largest) is kind
    assert np.iinfo(kind).max >= largest


@pytest.mark.parametrize("kind", [np.uint8, np.uint16, np.uint32, np.int64], ids=str)
@pytest.mark.parametrize("values", [[], [7], [3, 1, 2, 200]], ids=str)
def test_an_array_comes_back_with_its_type(tmp_path, values, kind):
    array = np.array(values, kind)

    write_array(tmp_path / "a.arrow", array)

    found = read_array(tmp_path / "a.arrow")
    assert found.dtype == array.dtype
    assert found.tolist() == values


def test_a_table_of_many_chunks_is_written_as_one(tmp_path):
    table = pa.table({"values": pa.chunked_array([[1], [2, 3], []], pa.int64())})

    write_table(tmp_path / "t.arrow", table)

    found = read_table(tmp_path / "t.arrow").column("values")
    assert found.num_chunks == 1
    assert found.to_pylist() == [1, 2, 3]


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda path: path.unlink(), id="missing"),
        pytest.param(lambda path: path.write_bytes(b""), id="empty"),
        pytest.param(lambda path: path.write_bytes(b"robots" * 100), id="another-format"),
        pytest.param(
            lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]),
            id="cut-in-half",
        ),
        pytest.param(lambda path: path.write_bytes(path.read_bytes()[:-1]), id="last-byte-lost"),
    ],
)
@pytest.mark.parametrize("read", [read_array, read_table], ids=lambda f: f.__name__)
def test_a_damaged_file_is_named(tmp_path, damage, read):
    path = tmp_path / "a.arrow"
    write_array(path, np.arange(1000))
    damage(path)

    with pytest.raises(CorruptShard, match="is damaged or missing") as raised:
        read(path)

    assert raised.value.path == str(path)
