import pytest

from izwi.query.tree import format_query
from izwi.service.querying import occurring, tokenisations, understood
from tests.index.corpora import document, on_disk

WAYS = [("blue-light",), ("blue", "-", "light")]


@pytest.mark.parametrize(
    ("query", "ways"),
    [
        pytest.param("taxi", [("taxi",)], id="word"),
        pytest.param("ma-in-law", [("ma-in-law",), ("ma", "-", "in", "-", "law")], id="hyphens"),
        pytest.param(
            "don't",
            [("don't",), ("do", "n't"), ("don\u2019t",), ("do", "n\u2019t")],
            id="clitic and apostrophe",
        ),
    ],
)
def test_a_query_is_cut_in_every_way_texts_are(query, ways):
    assert tokenisations(query) == ways


@pytest.mark.parametrize(
    ("text", "ways"),
    [
        pytest.param("the blue - light brigade", WAYS[1:], id="english"),
        pytest.param("die Blue-light brigade", WAYS[:1], id="afrikaans"),
        pytest.param("blue-light, blue - light", WAYS, id="both"),
        pytest.param("nothing of it", WAYS[:1], id="neither"),
    ],
)
def test_the_ways_that_occur_are_taken(text, ways):
    with on_disk([document("a", text)]) as segments:
        assert occurring(WAYS, segments) == ways


def test_a_word_is_asked_for_in_every_way_it_was_cut():
    with on_disk([document("a", "die blue-light"), document("b", "the blue - light")]) as segments:
        asked = understood("blue-light", "phrase", segments, is_exact_case=False)

    assert format_query(asked.query) == (r'[lc="blue\-light"] | [lc="blue"] [lc="\-"] [lc="light"]')
