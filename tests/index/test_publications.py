from dataclasses import replace

import pytest

from izwi.index.publications import Publications, names_of
from tests.index.corpora import document, on_disk


@pytest.mark.parametrize(
    ("origins", "names"),
    [
        pytest.param(
            {("a.example", "The Herald", "crawl"): 8, ("a.example", "The Herald", "feed"): 2},
            ["The Herald", "The Herald"],
            id="two sources of one site",
        ),
        pytest.param(
            {
                ("a.example", "The Herald", "feed"): 1,
                ("www.a.example", "www.a.example", "crawl"): 9,
            },
            ["The Herald", "The Herald"],
            id="pages that do not say it",
        ),
        pytest.param(
            {("a.example", "THE HERALD", "x"): 1, ("a.example", "The Herald", "x"): 9},
            ["The Herald", "The Herald"],
            id="spelt otherwise",
        ),
        pytest.param(
            {("a.example", "Cape Times", "x"): 5, ("a.example", "The Mercury", "x"): 5},
            ["Cape Times", "The Mercury"],
            id="two papers of one host",
        ),
        pytest.param(
            {("a.example", "Page 3", "x"): 1, ("a.example", "The Herald", "x"): 99},
            ["The Herald", "The Herald"],
            id="a slip",
        ),
        pytest.param(
            {("herald.co.za", "The Herald", "x"): 1, ("m.herald.com", "The Herald", "x"): 1},
            ["The Herald", "The Herald"],
            id="two hosts of one paper",
        ),
        pytest.param(
            {("anna.wordpress.com", "Home", "x"): 1, ("ben.wordpress.com", "Home", "x"): 1},
            ["Home", "Home (ben.wordpress.com)"],
            id="two blogs of one name",
        ),
        pytest.param({("", "", "letters"): 1}, ["letters"], id="no address"),
        pytest.param({("www.a.example", "", "x"): 1}, ["a.example"], id="no name"),
    ],
)
def test_a_publication_is_what_readers_know_a_site_by(origins, names):
    assert list(names_of(origins, {}).values()) == names


def test_what_a_curator_says_of_a_source_stands_above_all():
    origins = {("a.example", "The Herald", "feed"): 1, ("a.example", "", "crawl"): 1}

    assert list(names_of(origins, {"crawl": "The Old Herald"}).values()) == [
        "The Herald",
        "The Old Herald",
    ]


def test_segments_of_a_version_speak_of_the_same_publications():
    named, other = document("a", "one"), document("b", "two")
    bare = replace(other, metadata=replace(other.metadata, site="herald.example"))
    with on_disk([named], [bare]) as segments:
        together = Publications(segments, {})
        for place, segment in enumerate(segments):
            segment.belong(together, place)

        assert [segment.publications[1] for segment in segments] == [["Herald"]] * 2
