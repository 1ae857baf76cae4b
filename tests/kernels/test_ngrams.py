"""The identifier's loops give the same compiled and interpreted; neither leaves its bounds."""

import numpy as np
import pytest

import izwi.kernels.ngrams
import izwi.kernels.postings
from izwi.text.language.world import letter_table, lookup_table
from tests.kernels.interpreted import interpreted

TEXTS = (
    "",
    "a",
    "Don’t: it's É 45!",
    "中文和日本語 текст" * 3,
    "x" * 200,
    "a\x00b 😀 \U0001e900c'",
)


def test_the_kernels_are_compiled():
    assert not izwi.kernels.ngrams.__file__.endswith(".py")
    assert not izwi.kernels.postings.__file__.endswith(".py")


@pytest.mark.parametrize("text", TEXTS)
def test_letters_and_hashes_are_the_same(text):
    both = []
    for loops in (izwi.kernels.ngrams, interpreted("ngrams")):
        raw = text.lower().encode()
        found, counts = np.zeros(len(raw) + 2, np.uint8), np.zeros(4, np.int64)
        end = loops.letters(memoryview(raw), memoryview(found), memoryview(counts))
        hashes = np.zeros(len(raw) * 6 + 8, np.uint64)
        size = loops.text_hashes(memoryview(found[:end]), memoryview(hashes))
        both.append((bytes(found[:end]), counts.tolist(), hashes[:size].tolist()))

    assert both[0] == both[1]


@pytest.mark.parametrize("text", TEXTS)
def test_letters_and_fingerprints_of_all_scripts_are_the_same(text):
    both = []
    for loops in (izwi.kernels.postings, interpreted("postings")):
        out, counts = np.zeros(2 * len(text) + 8, np.uint32), np.zeros(4, np.int64)
        table = memoryview(letter_table())
        used = loops.read_letters(text, 0, len(text), table, memoryview(out), 0, memoryview(counts))
        marks = np.zeros(len(out) * 6 + 8, np.int64)
        size = loops.count_ngrams(memoryview(out), used, memoryview(marks))
        both.append((out[:used].tolist(), counts.tolist(), marks[:size].tolist()))

    assert both[0] == both[1]


def test_a_table_finds_the_lists_of_its_fingerprints():
    letters, counts = np.zeros(40, np.uint32), np.zeros(4, np.int64)
    used = izwi.kernels.postings.read_letters(
        "izwi lethu", 0, 10, letter_table(), letters, 0, counts
    )
    marks = np.zeros(200, np.int64)
    size = izwi.kernels.postings.count_ngrams(letters, used, marks)
    prints = np.unique(marks[:size])
    slots = lookup_table(prints, np.ones(len(prints), np.int64))
    postings = np.full(len(prints), 1 << 8 | 128 + 5, np.uint32)
    scores = np.zeros(3, np.int32)

    seen = np.full(1 << 20, 255, np.uint8)
    room = (np.zeros(200, np.int64), np.zeros(200, np.uint64))
    found = izwi.kernels.postings.add_text(
        letters, used, seen, slots, postings, scores, *room, 999, 0.0
    )

    assert found == size
    assert scores.tolist() == [0, 5 * size, 0]


@pytest.mark.parametrize("lead", [0.0, 0.05, 50.0], ids=["to-the-end", "soon", "late"])
def test_sums_of_lists_are_those_of_the_interpreted_kernel(lead):
    text = "Izwi lethu liyezwakala, and ’n man se lemoene; слово 語彙 o'clock " * 3
    seen, chance = np.full(1 << 20, 255, np.uint8), np.random.default_rng(7)
    both = []
    for loops in (izwi.kernels.postings, interpreted("postings")):
        letters, counts = np.zeros(400, np.uint32), np.zeros(4, np.int64)
        table = memoryview(letter_table())
        used = loops.read_letters(
            text, 0, len(text), table, memoryview(letters), 0, memoryview(counts)
        )
        marks = np.zeros(4000, np.int64)
        size = loops.count_ngrams(memoryview(letters), used, memoryview(marks))
        if not both:
            prints = np.unique(marks[:size])[::2]
            sizes = chance.integers(1, 9, len(prints))
            slots = lookup_table(prints, sizes)
            languages, weights = (
                chance.integers(0, 40, sizes.sum()),
                chance.integers(0, 256, sizes.sum()),
            )
            postings = (languages << 8 | weights).astype(np.uint32)
        scores = np.zeros(40, np.int32)
        arrays = (
            seen,
            slots,
            postings,
            scores,
            np.zeros(4000, np.int64),
            np.zeros(4000, np.uint64),
        )
        found = loops.add_text(memoryview(letters), used, *map(memoryview, arrays), 20, lead)
        both.append((found, scores.tolist()))

    assert both[0] == both[1]
    assert (both[0][0] < size) is (lead == 0.05)


def test_letters_beyond_the_room_are_refused():
    with pytest.raises(IndexError):
        izwi.kernels.postings.read_letters(
            "long text", 0, 9, letter_table(), np.zeros(3, np.uint32), 0, np.zeros(4, np.int64)
        )
