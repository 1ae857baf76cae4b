"""Loops over packed columns give the same compiled and interpreted; neither leaves its bounds."""

import numpy as np
import pytest

import izwi.kernels.counting
import izwi.kernels.packing
from izwi.index.columns import packed
from izwi.kernels import packing
from tests.kernels.viewing import viewing

CHANCE = np.random.default_rng(24)
COLUMNS = [packed(CHANCE.integers(0, top, 300), top) for top in (1, 2, 700, 2**31, 2**62)]


def same(name, *given, module="packing"):
    compiled = getattr(getattr(izwi.kernels, module), name)(*given)
    plain = getattr(viewing(module), name)(*given)
    if isinstance(compiled, tuple):
        return all(one.tolist() == two.tolist() for one, two in zip(compiled, plain, strict=True))
    return compiled.tolist() == plain.tolist()


@pytest.mark.parametrize("column", COLUMNS, ids=lambda column: f"{column.bits} bits")
def test_columns_are_read_the_same_interpreted(column):
    words = column.words
    places = np.arange(0, 300, 7)
    starts = np.arange(0, 290, 3, dtype=np.int32)
    some = column[11]

    assert packing.unpack(column.words, column.bits, 5, 300).tolist() == column[5:300].tolist()
    assert same("unpack", words, column.bits, 5, 300)
    assert same("gather", words, column.bits, places)
    assert same("holding", words, column.bits, starts, 2, some)
    assert same("equal", words, column.bits, starts, 2, 5)
    assert same("pack", column[:].astype(np.uint64), column.bits)


@pytest.mark.parametrize("column", COLUMNS[:3], ids=lambda column: f"{column.bits} bits")
def test_small_lexicons_are_scanned_the_same_interpreted(column):
    words, types = column.words, 1 << column.bits
    wanted = CHANCE.random(types) < 0.3
    starts = np.arange(0, 290, 3, dtype=np.int32)
    counts = packing.count(column.words, column.bits, 300, types)

    assert same("count", words, column.bits, 300, types)
    assert same("holding_any", words, column.bits, starts, 2, wanted)
    assert same("scan", words, column.bits, 7, 300, wanted, 300)
    assert same("sort_positions", words, column.bits, 300, 0, types, counts)
    assert same("distinct_pairs", words, column.bits, words, column.bits, 300)
    positions = packing.sort_positions(column.words, column.bits, 300, 0, types, counts)
    assert same("encode_lists", positions, counts, 300)
    lists, begins = packing.encode_lists(positions, counts, 300)
    # The decoder may read beyond the last list.
    lists = np.append(lists, np.zeros(2, np.uint64))
    decoded = packing.decode_lists(lists, begins[:-1], counts, 300, 300)
    assert decoded.tolist() == positions.tolist()
    assert same("decode_lists", lists, begins[:-1], counts, 300, 300)


def test_lists_in_common_are_the_same_interpreted():
    few, many = np.arange(0, 90, 4, dtype=np.int32), np.arange(0, 100, 3, dtype=np.int32)

    assert same("common", few, many, 1, 120)
    assert packing.common(few, many, 1, 120).tolist() == [n for n in range(0, 90, 4) if n % 3 == 2]


@pytest.mark.parametrize("at", [-1, 1 << 40], ids=["before", "behind"])
def test_a_place_out_of_bounds_is_an_error(at):
    column = COLUMNS[2]

    with pytest.raises(IndexError):
        packing.gather(column.words, column.bits, np.array([at]))


def test_counts_are_the_same_interpreted():
    column = COLUMNS[2]
    words, types = column.words, 1 << column.bits
    starts, ends = np.array([0, 40, 200], np.int32), np.array([40, 150, 299], np.int32)
    hits = np.arange(5, 280, 9, dtype=np.int32)
    wanted = np.full(types // 64, 2**64 - 1, np.uint64)
    results = []
    for module in (izwi.kernels.counting, viewing("counting")):
        values = np.zeros(types, np.int64)
        module.count_values(words, column.bits, starts, ends, values)
        window = np.zeros((2, 2 * types), np.int32)
        for is_once in (False, True):
            module.count_window(
                words,
                column.bits,
                hits,
                hits + 2,
                hits - 3,
                hits + 5,
                is_once,
                window[int(is_once)],
            )
        current = np.tile(np.array([-1, 0], np.int32), (types, 1))
        ranges, apart = np.zeros(types, np.int64), np.zeros((types, 2))
        sums = (np.array([0.2, 0.8]), np.maximum(values, 1), current, ranges, apart)
        parts = np.array([0, 1, 1], np.int32)
        module.spread_values(words, column.bits, starts, ends, parts, *sums)
        module.close_values(*sums)
        sketch = np.zeros(64, np.uint16)
        given = (
            words,
            column.bits,
            np.empty(0, np.int32),
            wanted,
            starts,
            ends,
            2,
            701,
        )
        module.sketch_ngrams(*given, sketch, 0, 1000)
        table, counts = np.zeros(1024, np.uint64), np.zeros(1024, np.uint32)
        places, state = np.zeros(1024, np.int64), np.zeros(2, np.int64)
        module.count_ngrams(*given, sketch, 2, (0, 1), table, counts, places, 0, state, 10_000)
        results.append(
            [
                each.tolist()
                for each in (values, window, ranges, sketch, table, counts, places, state)
            ]
            + [apart.round(12).tolist()]
        )

    assert results[0] == results[1]
