import tracemalloc

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.dedup.ownership import table_bits
from izwi.model.errors import CorruptShard
from izwi.store.ownership import hash_runs
from izwi.store.ownership.hash_runs import NOBODY, Runs, open_run, runs_to_merge, write_run_folder

KEYS = st.sets(st.integers(0, 2**64 - 1).map(lambda key: key | 1), max_size=40)


def arrays(owner_by_key):
    keys = np.array(sorted(owner_by_key), np.uint64)
    return keys, np.array([owner_by_key[int(key)] for key in keys], np.uint32)


def asked(runs, keys):
    owners = np.full(len(keys), NOBODY, np.uint32)
    runs.fill(np.array(keys, np.uint64), owners)
    return owners.tolist()


@settings(max_examples=30, deadline=None)
@given(added=st.lists(KEYS, max_size=9), others=KEYS, memory=st.sampled_from([0, 1 << 20]))
def test_runs_answer_like_a_dictionary_however_they_are_merged(
    tmp_path_factory, added, others, memory
):
    folder = tmp_path_factory.mktemp("runs")
    runs, known = Runs(folder, memory_bytes=memory), {}
    for number, keys in enumerate(added):
        new = {key: number for key in keys if key not in known}
        if new:
            known |= new
            runs.add(*arrays(new))
    wanted = sorted({*known, *others})

    assert asked(runs, wanted) == [known.get(key, int(NOBODY)) for key in wanted]
    again = Runs(folder, runs.names, memory_bytes=memory)
    assert asked(again, wanted) == asked(runs, wanted)
    assert runs.count == len(known)


def test_a_small_run_does_not_make_large_ones_anew():
    assert runs_to_merge([1000, 1000, 1000, 10]) == []
    assert runs_to_merge([1000, 10, 11, 12, 13]) == [1, 2, 3, 4]


def test_fingerprints_cost_less_than_three_bytes_a_hash(tmp_path):
    keys = np.unique(np.random.default_rng(1).integers(0, 2**63, 100_000, dtype=np.uint64) * 2 + 1)

    run = open_run(write_run_folder(tmp_path, keys, np.zeros(len(keys), np.uint32)))

    assert run.filter_bytes / len(keys) < 3


@pytest.mark.parametrize("name", ["hashes", "owners", "prints", "directory"])
def test_a_run_with_a_file_cut_short_is_damaged(tmp_path, name):
    keys = np.arange(1, 2001, 2, dtype=np.uint64) << np.uint64(48)
    folder = write_run_folder(tmp_path, keys | np.uint64(1), np.zeros(1000, np.uint32))
    path = folder / name
    path.write_bytes(path.read_bytes()[:-8])

    with pytest.raises(CorruptShard):
        open_run(folder)


@pytest.mark.parametrize("memory", [0, 3000, 10**9])
def test_fingerprints_in_memory_never_take_more_than_the_setting(tmp_path, memory):
    runs = Runs(tmp_path, memory_bytes=memory)
    chance = np.random.default_rng(1)

    for number in range(9):
        keys = np.unique(chance.integers(0, 2**63, 500, dtype=np.uint64) * 2 + 1)
        runs.add(keys, np.full(len(keys), number, np.uint32))
        runs.fill(keys, np.full(len(keys), NOBODY, np.uint32))

        assert runs.memory_bytes <= memory

    assert runs.count > 4000
    assert len(runs.names) < 9


def test_a_large_run_needs_less_than_four_bytes_of_memory_per_hash(tmp_path):
    keys = np.unique(np.random.default_rng(2).integers(0, 2**63, 10**5, dtype=np.uint64) * 2 + 1)

    run = open_run(write_run_folder(tmp_path, keys, np.zeros(len(keys), np.uint32)))

    assert run.filter_bytes / len(keys) < 4


@given(st.integers(0, 2**40))
def test_the_table_of_new_hashes_takes_at_most_half_of_the_memory(memory):
    bits = table_bits(memory)

    assert 12 * 2**bits <= max(memory // 2, 12 * 2**16)


def test_merging_takes_no_more_memory_for_a_larger_run(tmp_path, monkeypatch):
    monkeypatch.setattr(hash_runs, "_CHUNK", 1 << 12)

    def run(count, seed):
        drawn = np.random.default_rng(seed).integers(0, 2**63, count, dtype=np.uint64)
        keys = np.unique(drawn)
        return open_run(write_run_folder(tmp_path, keys, np.zeros(len(keys), np.uint32)))

    def peak(count):
        runs = [run(count, seed) for seed in (1, 2)]
        tracemalloc.start()
        hash_runs.merge_runs(tmp_path, runs)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    assert peak(1 << 18) < 1.5 * peak(1 << 16)


def test_a_smaller_setting_takes_less_memory(tmp_path):
    drawn = np.random.default_rng(5).integers(0, 2**63, (4, 1 << 17), dtype=np.uint64)
    runs = [
        open_run(write_run_folder(tmp_path, keys, np.zeros(len(keys), np.uint32)))
        for keys in map(np.unique, drawn)
    ]

    def peak(memory):
        tracemalloc.start()
        merged = [
            len(hash_runs.merge_parts(pieces)[0])
            for part in hash_runs.parts_for(4 << 17, memory)
            for pieces in hash_runs.ranges(runs, part, memory)
        ]
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert sum(merged) == len(np.unique(drawn))
        return found

    assert peak(1 << 21) < 1 << 21
    assert peak(1 << 21) < peak(1 << 25) / 4
