"""The tagger's loops add up what is there, compiled and interpreted, and leave no bounds."""

import numpy as np
import pytest

import izwi.kernels.tagging
from izwi.kernels.features_of_words import BUNDLE_FEATURES, FACTS
from tests.kernels.interpreted import interpreted

CHANCE = np.random.default_rng(11)


@pytest.mark.parametrize("classes", [1, 7, 8, 53])
def test_the_best_class_has_the_highest_sum_of_rows(classes):
    weights = CHANCE.integers(-128, 128, (64, classes)).astype(np.int8)
    features = CHANCE.integers(0, 64, (20, 30))
    scores, chosen = np.zeros(classes, np.int16), np.zeros(20, np.int64)

    izwi.kernels.tagging.choose(features, weights, scores, chosen)

    sums = weights[features].sum(axis=1, dtype=np.int32)
    assert chosen.tolist() == sums.argmax(axis=1).tolist()
    assert scores.tolist() == sums[-1].tolist()
    again = np.zeros(classes, np.int16)
    interpreted("tagging").add_small(*map(memoryview, (weights, features[-1], again)))
    assert again.tolist() == scores.tolist()


def test_more_rows_than_16_bits_can_add_up_are_refused():
    weights, scores = np.full((1, 3), 127, np.int8), np.zeros(3, np.int16)
    chosen = np.zeros(1, np.int64)

    izwi.kernels.tagging.choose(np.zeros((1, 255), np.int64), weights, scores, chosen)

    assert scores.tolist() == [255 * 127] * 3
    with pytest.raises(ValueError, match="more rows"):
        izwi.kernels.tagging.choose(np.zeros((1, 256), np.int64), weights, scores, chosen)


@pytest.mark.parametrize("row", [64, -65, 1 << 40])
def test_a_row_that_is_not_there_is_refused(row):
    features = np.zeros((1, 30), np.int64)
    features[0, 29] = row

    with pytest.raises(IndexError):
        izwi.kernels.tagging.choose(
            features, np.zeros((64, 9), np.int8), np.zeros(9, np.int16), np.zeros(1, np.int64)
        )


def test_the_best_classes_come_best_first():
    weights = np.array([[3, 9, -5, 9, 0], [0, 0, 0, 0, 0]], np.int8)
    chosen, sums = np.zeros((2, 1, 3), np.int64)
    izwi.kernels.tagging.choose_some(
        np.zeros((1, 1), np.int64), weights, np.zeros(5, np.int16), chosen, sums
    )

    assert chosen.tolist() == [[1, 3, 0]]
    assert sums.tolist() == [[9, 9, 3]]


def bundle_arguments():
    """Three words with two tags; the second tag has two bundles, of values 0 and 1, 0 and 2."""
    facts = CHANCE.integers(1, 1 << 30, (7, FACTS))
    columns, starts = np.array([[0, -1], [0, 1], [0, 2]]), np.array([0, 1, 3])
    weights = np.zeros((18, 3), np.int8)
    weights[:, 2] = 1
    numbers = (np.array([0, 3]), np.array([0, 1, 1]), np.array([1, 2], np.uint8))
    rooms = (np.zeros(3, np.int16), np.zeros(4, np.float32), np.zeros(BUNDLE_FEATURES, np.int64))
    return [facts, *numbers, columns, starts, np.arange(3), weights, *rooms, np.full(3, -1)]


def test_the_best_bundle_of_a_word_is_one_of_its_tag():
    given = bundle_arguments()
    # As objects they are numbers of Python, which do not overflow.
    again = [each.astype(object) for each in given]
    izwi.kernels.tagging.choose_bundles(*given)
    interpreted("tagging").choose_bundles(*again)

    assert given[-1].tolist() == again[-1].tolist() == [0, 2, 2]


@pytest.mark.parametrize(("argument", "value"), [(1, 4), (2, 2), (4, 4), (6, 3)])
def test_a_bundle_that_is_not_there_is_refused(argument, value):
    given = bundle_arguments()
    given[argument] = np.full_like(given[argument], value)
    given[1][0] = 0

    with pytest.raises(IndexError):
        izwi.kernels.tagging.choose_bundles(*given)
