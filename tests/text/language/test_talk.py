"""Greetings and everyday sentences in the languages of South Africa are told."""

import importlib.util
from collections import defaultdict
from pathlib import Path

import pytest

from izwi.text.language.ngrams import Izwi

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def greetings():
    found = importlib.util.spec_from_file_location(
        "greetings", ROOT / "benchmarks" / "language" / "greetings.py"
    )
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.read_sentences()


def test_no_sentence_asked_about_was_learnt_from(greetings):
    folder = ROOT / "tools" / "samples" / "talk"
    samples = [(folder / f"{code}.txt").read_text("utf-8") for code in {c for c, _ in greetings}]
    learnt = {line for sample in samples for line in sample.splitlines()}

    assert len(samples) == 11
    assert not learnt & {text for _, text in greetings}


def test_greetings_of_the_eleven_are_told(greetings):
    identify, right = Izwi(), defaultdict(list)
    for code, text in greetings:
        right[code].append(identify(text).code == code)
    told = {code: sum(own) / len(own) for code, own in right.items()}

    # What holds today (docs/explanation/language.md).
    assert min(told.values()) >= 0.7
    assert sum(told.values()) / len(told) >= 0.94


def test_a_greeting_in_the_language_of_most_is_not_told_as_that_of_few():
    assert Izwi()("Sawubona mngani wami, unjani namhlanje?").code == "zul"
