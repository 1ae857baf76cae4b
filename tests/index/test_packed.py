import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.index import columns as module
from izwi.index.columns import (
    Postings,
    bits_for,
    packed,
    read_packed,
    value_ranges,
    write_packed_blocks,
    write_postings,
)
from izwi.model.errors import CorruptShard

NUMBERS = st.lists(st.integers(0, 2**40), max_size=200)


@settings(max_examples=60)
@given(NUMBERS, st.data())
def test_packed_values_come_back_by_slice_by_place_and_by_array(values, data):
    column = packed(np.array(values, np.int64))

    assert column[:].tolist() == column.tolist() == values
    assert column.bits == bits_for(max(values, default=0))
    for place in range(len(values)):
        assert column[place] == values[place]
    places = data.draw(st.lists(st.integers(0, max(0, len(values) - 1)), max_size=9))
    if values:
        assert column[np.array(places, np.int64)].tolist() == [values[p] for p in places]


@settings(max_examples=20)
@given(values=NUMBERS, cut=st.integers(0, 200))
def test_compiled_code_packs_and_unpacks_as_numpy_does(values, cut, monkeypatch_module):
    array = np.array(values, np.int64)
    monkeypatch_module.setattr(module, "_COMPILED_FROM", 1 << 30)
    plain = packed(array)

    monkeypatch_module.setattr(module, "_COMPILED_FROM", 1)
    compiled = packed(array)

    assert compiled.words.tolist() == plain.words.tolist()
    assert compiled[:].tolist() == compiled[np.arange(len(values))].tolist() == values
    monkeypatch_module.undo()


@pytest.fixture(scope="module")
def monkeypatch_module():
    patch = pytest.MonkeyPatch()
    yield patch
    patch.undo()


@settings(max_examples=30)
@given(blocks=st.lists(st.lists(st.integers(0, 500), max_size=150), max_size=4))
def test_blocks_of_any_length_are_written_as_one_column(tmp_path_factory, blocks):
    path = tmp_path_factory.mktemp("column") / "a.bin"

    written = write_packed_blocks(path, [np.array(block, np.int64) for block in blocks], 500)

    assert read_packed(path).tolist() == [value for block in blocks for value in block]
    assert written == sum(map(len, blocks))


@settings(max_examples=60)
@given(
    values=st.lists(st.integers(0, 9), max_size=300),
    memory=st.sampled_from([8, 80, 8000]),
)
def test_postings_are_the_places_of_each_value(tmp_path_factory, values, memory):
    path = tmp_path_factory.mktemp("postings") / "word"

    write_postings(path, packed(np.array(values, np.int64), 9), 10, memory_bytes=memory)

    postings = Postings(path)
    places = [[p for p, value in enumerate(values) if value == wanted] for wanted in range(10)]
    assert [postings.positions(number).tolist() for number in range(10)] == places
    assert postings.sizes.tolist() == list(map(len, places))
    together = postings.several(np.arange(10))
    assert together.tolist() == [place for own in places for place in own]


def test_long_lists_decode_the_same_with_and_without_compiled_code(tmp_path, monkeypatch):
    column = np.random.default_rng(1).integers(0, 3, 5000)
    write_postings(tmp_path / "word", packed(column, 2), 3, memory_bytes=1 << 20)
    postings = Postings(tmp_path / "word")
    monkeypatch.setattr("izwi.index.columns.is_worth_compiling", lambda size: False)
    plain = [postings.positions(number).tolist() for number in range(3)]

    monkeypatch.setattr("izwi.index.columns.is_worth_compiling", lambda size: True)

    assert [postings.positions(number).tolist() for number in range(3)] == plain
    assert plain == [np.flatnonzero(column == number).tolist() for number in range(3)]


def test_value_ranges_cover_all_values_once():
    ranges = list(value_ranges(np.array([5, 1, 1, 9, 0, 2]), 3))

    assert ranges == [(0, 1), (1, 3), (3, 4), (4, 6)]


@pytest.mark.parametrize("cut", [1, 8, 24], ids=str)
def test_a_damaged_column_is_named(tmp_path, cut):
    path = tmp_path / "a.bin"
    write_packed_blocks(path, [np.arange(100)], 99)
    path.write_bytes(path.read_bytes()[:-cut])

    with pytest.raises(CorruptShard, match=r"a\.bin is damaged or missing"):
        read_packed(path)
