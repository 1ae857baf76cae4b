import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.model.errors import CorruptShard
from izwi.store.owners import read_order, read_run, write_order, write_run

HASHES = st.integers(0, 2**64 - 1)
NEAR = st.integers(0, 20)


@settings(max_examples=60, deadline=None)
@given(
    owners=st.dictionaries(HASHES | NEAR, st.text(max_size=5, alphabet="abé-1"), max_size=20),
    asked=st.lists(HASHES | NEAR, max_size=10),
)
def test_owners_are_found_as_in_a_dictionary(tmp_path_factory, owners, asked):
    path = tmp_path_factory.mktemp("own") / "a.parquet"

    write_run(path, sorted(owners.items()))

    run = read_run(path)
    signatures = [*owners, *asked]
    assert [run.owner(each) for each in signatures] == [owners.get(each) for each in signatures]


def test_smallest_and_largest_hashes_are_told_apart(tmp_path):
    write_run(tmp_path / "a", [(0, "first"), (2**63, "middle"), (2**64 - 1, "last")])

    run = read_run(tmp_path / "a")

    assert [run.owner(each) for each in (0, 1, 2**63, 2**64 - 2, 2**64 - 1)] == [
        "first", None, "middle", None, "last",
    ]  # fmt: skip


def test_run_without_owners_owns_nothing(tmp_path):
    write_run(tmp_path / "a", [])

    assert read_run(tmp_path / "a").owner(7) is None


@pytest.mark.parametrize("length", [0, 10, 200], ids=["empty", "head", "most"])
def test_truncated_run_is_damage_that_names_it(tmp_path, length):
    path = tmp_path / "a.parquet"
    write_run(path, [(1, "d1")])
    path.write_bytes(path.read_bytes()[:length])

    with pytest.raises(CorruptShard) as caught:
        read_run(path)

    assert caught.value.path == str(path)


def test_missing_run_is_damage_that_names_it(tmp_path):
    with pytest.raises(CorruptShard, match="damaged or missing"):
        read_run(tmp_path / "absent")


def test_no_changed_byte_changes_an_owner_unseen(tmp_path):
    path = tmp_path / "a.parquet"
    owners = {number * 7: f"d{number}" for number in range(20)}
    write_run(path, sorted(owners.items()))
    raw = path.read_bytes()

    for place in range(0, len(raw), 5):
        damaged = bytearray(raw)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        try:
            run = read_run(path)
        except CorruptShard:
            continue
        assert {each: run.owner(each) for each in owners} == owners, f"byte {place}"


def test_order_comes_back(tmp_path):
    write_order(tmp_path / "own-1", ["2026-11-15-0002", "2026-11-15-0001"])

    assert read_order(tmp_path / "own-1") == ["2026-11-15-0002", "2026-11-15-0001"]


@pytest.mark.parametrize(
    "raw", [None, b"", b"[", b"\xff\xfe"], ids=["absent", "empty", "torn", "bytes"]
)
def test_order_that_cannot_be_read_is_no_order(tmp_path, raw):
    if raw is not None:
        (tmp_path / "order.json").write_bytes(raw)

    assert read_order(tmp_path) == []
