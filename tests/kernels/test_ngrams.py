"""The identifier's loops give the same compiled and interpreted; neither leaves its bounds."""

import numpy as np
import pytest

import izwi.kernels.ngrams
import izwi.kernels.postings
from izwi.kernels.language_lists import NO_WEIGHT, WEIGHT_BITS, WEIGHTS
from izwi.text.language.world import WorldModel, letter_table, lookup_table
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
    postings = np.full(len(prints), 1 << WEIGHT_BITS | NO_WEIGHT + 5, np.uint16)
    scores = np.zeros(3, np.int32)

    room = (np.zeros(200, np.int64), np.zeros(200, np.uint64))
    found = izwi.kernels.postings.add_text(letters, used, slots, postings, scores, *room, 999, 0.0)

    assert found == size
    assert scores.tolist() == [0, 5 * size, 0]


@pytest.mark.parametrize("lead", [0.0, 0.05, 50.0], ids=["to-the-end", "soon", "late"])
def test_sums_of_lists_are_those_of_the_interpreted_kernel(lead):
    text = "Izwi lethu liyezwakala, and ’n man se lemoene; слово 語彙 o'clock " * 3
    chance = np.random.default_rng(7)
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
                chance.integers(0, WEIGHTS + 1, sizes.sum()),
            )
            postings = (languages << WEIGHT_BITS | weights).astype(np.uint16)
        scores = np.zeros(40, np.int32)
        arrays = (
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


def test_n_grams_beyond_the_room_are_refused():
    letters = np.array([32, *map(ord, "izwi"), 32], np.uint32)
    with pytest.raises(IndexError):
        izwi.kernels.postings.count_ngrams(letters, 6, np.zeros(9, np.int64))


@pytest.mark.parametrize("kinds", [[0, 1, 2, 1, 0], [0, 0, 0, 1, 2]], ids=["mixed", "last"])
def test_shares_and_the_agreement_of_two_opinions_are_the_same(kinds):
    both = []
    for loops in (izwi.kernels.postings, interpreted("postings")):
        scores, bias = np.array([9, 4, 5, -300, 7], np.int32), np.zeros(5, np.float32)
        given, shares, found = np.array(kinds, np.uint8), np.zeros(5), np.zeros(4)
        arrays = [memoryview(each) for each in (scores, bias, given)]
        out = (memoryview(shares), memoryview(found))
        best = loops.judge(*arrays, 0.5, 1.2, *out)
        first = [best, *shares, *found]
        second = (np.array([1, 2]), np.array([0.1, 0.3, 0.6]), np.array([2, 0]))
        like = memoryview(np.full(5, 0.1, np.float32))
        again = loops.agree(out[0], *map(memoryview, second), 0.4, 1.5, like, arrays[2], out[1])
        both.append([*first, again, *shares, *found])

    assert both[0] == pytest.approx(both[1], abs=1e-12)
    assert sum(both[0][1:6]) == pytest.approx(1)
    assert sum(both[0][11:16]) == pytest.approx(1)


def test_kinds_and_room_of_the_wrong_size_are_refused():
    scores, bias, shares = np.zeros(5, np.int32), np.zeros(5, np.float32), np.zeros(5)
    for kinds, found in (
        (np.zeros(4, np.uint8), np.zeros(4)),
        (np.zeros(5, np.uint8), np.zeros(3)),
    ):
        with pytest.raises(IndexError):
            izwi.kernels.postings.judge(scores, bias, kinds, 1.0, 1.0, shares, found)


def test_probabilities_of_classes_add_up_to_those_of_languages():
    both = []
    for loops in (izwi.kernels.ngrams, interpreted("ngrams")):
        total, bias = np.array([5, 1, 4], np.int32), np.zeros(3, np.float32)
        out = np.zeros(2)
        codes = np.array([1, 0, 1])
        loops.text_shares(*map(memoryview, (total,)), 0.5, memoryview(bias), 2.0, codes, out)
        both.append(out.tolist())

    powers = np.exp(np.array([5, 1, 4]) / 4)
    assert both[0] == pytest.approx(both[1])
    assert both[0] == pytest.approx([powers[1] / powers.sum(), 1 - powers[1] / powers.sum()])


def test_packed_lists_hold_the_weights_of_the_model():
    lengths = np.array([3, 30, 1, 40, 17, 2])
    model = WorldModel(
        tuple("abcdef"),
        np.ones(6, bool),
        np.arange(6) * 1000 + 7,
        lengths,
        np.arange(lengths.sum(), dtype=np.uint16) % 6,
        (np.arange(lengths.sum()) % 20 - 4).astype(np.int8),
        np.zeros(6, np.float32),
        1.0,
        np.array([20]),
        np.ones(2),
        np.zeros(6, np.float32),
    )

    slots, lists = model.tables()

    held = sorted(slots[slots > 0].tolist())
    found = [lists[(h >> 10 & 0x3FFFFFF) :][: h & 0x3FF].astype(int) for h in held]
    assert [h >> 36 for h in held] == model.fingerprints.tolist()
    assert [len(own) for own in found] == lengths.tolist()
    together = np.concatenate(found)
    assert (together >> WEIGHT_BITS).tolist() == model.languages.tolist()
    assert ((together & WEIGHTS) - NO_WEIGHT).tolist() == model.weights.tolist()
