import pytest

from izwi.gather.sources.seeds import SeedsSource
from izwi.model.capture import Lead
from tests.store.samples import capture

HOME = "http://one.example/"
PAGE = (
    b'<a href="/a">a</a><a href="http://www.one.example/b">b</a>'
    b'<a href="http://two.example/c">c</a><a href="https://one.example/d">d</a>'
)


def leads(source, *, depth=0, url=HOME):
    return list(source.leads_from(capture(url, PAGE, depth=depth), PAGE))


def test_seeds_are_the_first_leads_in_canonical_form():
    source = SeedsSource("one", ("HTTP://One.example", "http://two.example/a#b"))

    assert list(source.first_leads()) == [
        Lead("http://one.example/", "one"),
        Lead("http://two.example/a", "one"),
    ]


def test_without_depth_a_seed_leads_nowhere():
    assert leads(SeedsSource("one", (HOME,))) == []


def test_links_to_the_same_host_are_one_step_deeper():
    found = leads(SeedsSource("one", (HOME,), depth=2), depth=1)

    assert found == [
        Lead(url, "one", referrer=HOME, depth=2)
        for url in (
            "http://one.example/a",
            "http://www.one.example/b",
            "https://one.example/d",
        )
    ]


@pytest.mark.parametrize(("depth", "number"), [(0, 3), (1, 3), (2, 0), (3, 0)])
def test_links_are_followed_as_deep_as_is_wished(depth, number):
    assert len(leads(SeedsSource("one", (HOME,), depth=2), depth=depth)) == number


def test_seeds_are_asked_once():
    assert SeedsSource("one", (HOME,)).interval is None


def test_source_is_known_by_its_first_seed():
    assert SeedsSource("one", (HOME, "http://two.example/")).address == HOME


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": ""}, "cannot be a name"),
        ({"urls": ()}, "urls is empty"),
        ({"urls": (HOME, "nowhere")}, "'nowhere' is not a web address"),
        ({"depth": -1}, "depth = -1 is below 0"),
    ],
    ids=["name", "no seeds", "address", "depth"],
)
def test_seeds_that_make_no_sense_are_refused(fields, words):
    with pytest.raises(ValueError, match=words):
        SeedsSource(**{"name": "one", "urls": (HOME,)} | fields)
