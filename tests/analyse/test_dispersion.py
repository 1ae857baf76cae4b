from datetime import date

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.analyse.frequency import (
    average_reduced_frequency,
    deviation_of_proportions,
    dispersion,
    juilland_d,
)
from izwi.model.errors import QueryError
from izwi.query.cql import parse
from izwi.query.engine import Filter
from tests.analyse.counting import document, selected

# The example of Gries (2008): the letter a in five parts of 9 to 11 letters.
PARTS = ("b a m n i b e u p", "b a s a t b e w q n", "b c a g a b e s t a", "b a g h a b e a a t",
         "b a h a a b e a x a t")  # fmt: skip


def spread(selection, by="document", query='"a"', most=100):
    return dispersion(selection, parse(query), by, most=most, text="a")


def test_the_example_of_gries():
    documents = [document(f"d{number}", text) for number, text in enumerate(PARTS)]
    with selected(*documents) as selection:
        found = spread(selection)

    assert (found.parts, found.range, found.hits) == (5, 5, 15)
    assert found.juilland_d == pytest.approx(0.785, abs=0.001)
    assert found.dp == pytest.approx(0.18)
    assert found.dp_norm == pytest.approx(0.22, abs=0.01)
    assert [line.hits for line in found.lines] == [5, 4, 3, 2, 1]


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(50, 500)), min_size=2, max_size=9))
def test_measures_are_what_their_definitions_say(parts):
    hits, tokens = (np.array(column) for column in zip(*parts, strict=True))
    total = hits.sum()
    if not total:
        assert np.isnan(deviation_of_proportions(hits, tokens)[0])
        assert np.isnan(juilland_d(hits, tokens))
        return

    dp = sum(abs(h / total - t / tokens.sum()) for h, t in parts) / 2
    rates = [h / t for h, t in parts]
    mean = sum(rates) / len(rates)
    deviation = (sum((rate - mean) ** 2 for rate in rates) / len(rates)) ** 0.5
    assert deviation_of_proportions(hits, tokens)[0] == pytest.approx(dp)
    expected = max(0.0, 1 - deviation / mean / (len(rates) - 1) ** 0.5)
    assert juilland_d(hits, tokens) == pytest.approx(expected, abs=1e-9)


@given(st.sets(st.integers(0, 99), min_size=1))
def test_reduced_frequency_lies_between_one_and_the_hits(places):
    found = average_reduced_frequency(np.array(sorted(places)), 100)

    assert found + 1e-9 >= 1
    assert found <= len(places) + 1e-9


def test_even_hits_keep_their_frequency_and_clumped_ones_lose_it():
    assert average_reduced_frequency(np.arange(0, 1000, 100), 1000) == pytest.approx(10)
    assert average_reduced_frequency(np.arange(10), 1000) == pytest.approx(1.09)


def test_places_are_counted_in_the_chosen_text_alone():
    documents = [
        document("one", "b b b b", source="post"),
        document("two", "a b b b", source="herald"),
        document("three", "b b a b", source="herald"),
    ]
    with selected(*documents, chosen=Filter(sources=("herald",))) as selection:
        found = spread(selection)

    assert found.barcode == (0, 0.75)
    assert (found.parts, found.tokens) == (2, 8)


@pytest.mark.parametrize(("by", "parts"), [("source", 1), ("year", 2), ("host", 1)])
def test_parts_may_be_other_than_documents(by, parts):
    documents = [
        document("one", "a b", when=date(2010, 1, 1)),
        document("two", "a a", when=date(2012, 1, 1)),
    ]
    with selected(*documents) as selection:
        assert spread(selection, by).parts == parts


def test_nothing_found_has_no_measures_and_says_so():
    with selected(document("one", "b")) as selection:
        found = spread(selection)
    with selected(parts=[]) as selection:
        empty = spread(selection)

    assert found.dp is found.arf is found.juilland_d is None
    assert "does not occur" in found.notes[0]
    assert empty.notes


def test_the_text_has_no_parts_by_words():
    with selected(document("one", "a")) as selection, pytest.raises(QueryError):
        spread(selection, "word")
