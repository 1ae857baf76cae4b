from dataclasses import fields

import numpy as np

from izwi.dedup.batch import NgramReading, is_among, joined, read_batch

READING = NgramReading(ngram=3, gram=2, least=2)
DOCUMENTS = [
    ["the dam is full again", "so they say"],
    [],
    ["taxis wait at the rank", "", "robots are out in the whole town"],
    ["rain"],
]


def same(one, other):
    return all(np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(one))


def test_some_documents_of_a_batch_are_as_if_read_alone():
    batch = read_batch(DOCUMENTS, READING)

    some = batch.some(np.array([0, 2]))

    assert same(some, read_batch([DOCUMENTS[0], DOCUMENTS[2]], READING))


def test_joined_batches_are_as_if_read_together():
    parts = [read_batch(DOCUMENTS[:2], READING), read_batch(DOCUMENTS[2:], READING)]

    assert same(joined(parts), read_batch(DOCUMENTS, READING))


def test_keys_with_the_same_last_bits_are_told_apart():
    wanted = np.array([5, 1 << 20, 1 << 40], np.uint64)
    keys = np.array([5, 5 + (1 << 16), 1 << 40, (1 << 40) + 1, 0], np.uint64)

    assert is_among(keys, wanted).tolist() == [True, False, True, False, False]
