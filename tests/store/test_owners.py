import pytest

from izwi.model.errors import CorruptShard
from izwi.store.ownership.shard_runs import (
    Holder,
    has_excluded,
    read_holders,
    read_run_digest,
    write_holders,
)

DOCUMENTS = (Holder("a", "https://a.example/"), Holder("b", "https://b.example/", True))


def test_a_list_comes_back_as_it_was_written(tmp_path):
    write_holders(tmp_path / "a.parquet", "1234", DOCUMENTS)

    found = read_holders(tmp_path / "a.parquet")

    assert (found.run, found.documents) == ("1234", DOCUMENTS)
    assert read_run_digest(tmp_path / "a.parquet") == "1234"


def test_it_says_without_reading_all_whether_pages_are_out(tmp_path):
    write_holders(tmp_path / "a.parquet", "1", DOCUMENTS)
    write_holders(tmp_path / "b.parquet", "1", DOCUMENTS[:1])

    assert has_excluded(tmp_path / "a.parquet")
    assert not has_excluded(tmp_path / "b.parquet")


@pytest.mark.parametrize("read", [read_holders, read_run_digest, has_excluded])
def test_a_damaged_list_is_named(tmp_path, read):
    path = tmp_path / "a.parquet"
    write_holders(path, "1234", DOCUMENTS)
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(CorruptShard) as caught:
        read(path)

    assert caught.value.path == str(path)
