import random
from itertools import combinations

import numpy as np
import pytest

from izwi.dedup.signatures import (
    SentenceSettings,
    ShingleSettings,
    min_hashes,
    sentence_copies,
    sentence_prints,
    shingle_copies,
)

WORDS = [f"word{number}" for number in range(800)]


def story(seed, sentences=10):
    chance = random.Random(seed)
    return [" ".join(chance.choices(WORDS, k=9)).capitalize() + "." for _ in range(sentences)]


def paragraphs(*stories):
    return [" ".join(each) for each in stories]


def test_documents_that_share_sentences_are_copies_of_the_first():
    documents = [paragraphs(story(1)), paragraphs(story(2)), paragraphs(story(1)[3:], story(9, 2))]

    (found,) = sentence_copies(documents, SentenceSettings())

    assert (found.document, found.original) == (2, 0)
    assert found.similarity == pytest.approx(7 / 12)


def test_short_sentences_and_formulas_lead_to_nobody():
    formula = "This story appeared on our pages before."
    documents = [paragraphs([formula], story(seed, 1)) for seed in range(5)]

    assert sentence_prints(["No. Yes! Why?"], 20) == set()
    assert list(sentence_copies(documents, SentenceSettings()))
    found = list(sentence_copies(documents, SentenceSettings(most_matches=0)))
    assert found == []


def test_sentences_agree_with_comparing_every_pair():
    chance = random.Random(7)
    pool = [story(seed, 3) for seed in range(60)]
    documents = [paragraphs(*chance.sample(pool, 3)) for _ in range(120)]
    prints = [sentence_prints(each, 20) for each in documents]

    found = {each.document for each in sentence_copies(documents, SentenceSettings())}

    expected = {
        later
        for first, later in combinations(range(len(documents)), 2)
        if len(prints[first] & prints[later]) / len(prints[first] | prints[later]) > 0.2
    }
    assert found == expected


def test_of_two_documents_that_share_shingles_the_shorter_is_the_copy():
    documents = [paragraphs(story(1, 6)), paragraphs(story(2)), paragraphs(story(1, 6), story(3))]

    (found,) = shingle_copies(documents, ShingleSettings())

    assert (found.document, found.original) == (0, 2)


def test_min_hashes_estimate_the_common_share():
    chance = np.random.default_rng(1)
    shingles = chance.integers(1, 2**63, 3000, dtype=np.uint64)

    first, second = min_hashes(shingles[:2000], 400), min_hashes(shingles[1000:], 400)

    assert float(np.mean(first == second)) == pytest.approx(1 / 3, abs=0.08)


def test_documents_without_shingles_are_no_copies():
    assert list(shingle_copies([["a b"], ["a b"], []], ShingleSettings())) == []
