"""Runs of languages inside a mixed text."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.text.language.ngrams import Izwi
from izwi.text.language.parts import language_runs

ZULU = "Abantwana baya esikoleni nsuku zonke ngoba bafuna ukufunda ukubhala nokubala."
ENGLISH = "The minister said that the new road will be finished before the end of the year."


def test_two_languages_are_two_runs():
    text = f"{ZULU} {ENGLISH}"

    first, second = language_runs(text, Izwi())

    assert (first.code, second.code) == ("zul", "eng")
    assert text[second.start : second.end] == ENGLISH[:-1]


def test_a_single_foreign_word_does_not_break_a_run():
    runs = language_runs("The old man they called Mandlakayise said that he was tired.", Izwi())

    assert [run.code for run in runs] == ["eng"]


def test_only_the_languages_asked_for_are_named():
    codes = {
        run.code for run in language_runs(f"{ZULU} {ENGLISH}", Izwi(), languages=("zul", "eng"))
    }

    assert codes <= {"zul", "eng", "und"}


@pytest.fixture(scope="module")
def identify():
    return Izwi()


@given(st.text(max_size=80))
def test_runs_follow_each_other_and_lie_inside_the_text(identify, text):
    runs = language_runs(text, identify)

    places = [place for run in runs for place in (run.start, run.end)]
    assert places == sorted(places)
    assert not places or (places[0] >= 0 and places[-1] <= len(text))
    assert all(one.code != other.code for one, other in pairwise(runs))
