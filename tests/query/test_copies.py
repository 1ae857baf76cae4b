from dataclasses import replace
from datetime import date

import pytest

from izwi.index.assemble import Origin, merge_segments
from izwi.index.reader import Segment
from izwi.index.tallies import years_of
from izwi.query.concordance import Filter, View, concordance
from izwi.query.cql import parse
from tests.index.corpora import copy, document, on_disk


def folded(name, owner, text):
    """Return a copy that was folded into its original, with its tokens."""
    return replace(copy(name, owner=owner), annotation=document(name, text).annotation)


DOCUMENTS = [
    document("a", "the owl flew home", when=date(2014, 1, 1)),
    folded("b", "a", "the owl flew home now"),
    document("c", "an owl is an owl", when=date(2015, 1, 1)),
    folded("d", "a", "the owl flew"),
]


def asked(segments, chosen):
    return concordance(
        segments, parse('"owl"'), text="owl", snapshot=1, chosen=chosen, view=View(size=100)
    )


@pytest.mark.parametrize("parts", [[DOCUMENTS], [DOCUMENTS[:2], DOCUMENTS[2:]]], ids=["one", "two"])
def test_copies_count_only_if_they_are_asked_for(parts):
    with on_disk(*parts) as segments:
        without, with_copies = (asked(segments, Filter(copies=copies)) for copies in (False, True))

    assert [line.document.id for line in without] == ["a", "c", "c"]
    assert (without.hits, without.documents, without.corpus_tokens) == (3, 2, 9)
    assert [line.document.id for line in with_copies] == ["a", "c", "c", "b", "d"]
    assert (with_copies.hits, with_copies.documents, with_copies.corpus_tokens) == (5, 4, 17)


def test_a_line_says_whose_copy_it_is_and_how_many_there_are():
    with on_disk(DOCUMENTS[:2], DOCUMENTS[2:]) as segments:
        cards = {line.document.id: line.document for line in asked(segments, Filter(copies=True))}

    assert {name: card.copy_of for name, card in cards.items()} == {
        "a": "", "b": "a", "c": "", "d": "a"
    }  # fmt: skip
    assert {name: card.copies for name, card in cards.items()} == {"a": 2, "b": 0, "c": 0, "d": 0}


def test_the_size_of_a_corpus_is_that_of_its_originals(tmp_path):
    with on_disk(DOCUMENTS[:2], DOCUMENTS[2:]) as segments:
        entry = merge_segments(tmp_path, segments, Origin("f", ("0", "1")))
        years = years_of(segments)

    assert (entry.documents, entry.tokens) == (2, 9)
    assert Segment(tmp_path / entry.id).tokens == 17
    assert [(each.year, each.hits, each.tokens) for each in years] == [(2014, 1, 4), (2015, 1, 5)]
