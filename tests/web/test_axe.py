"""Every page for readers, in two widths and two themes, through axe."""

import pytest

from .axe import violations, violations_everywhere
from .test_analyses import PAGES

pytestmark = pytest.mark.browser

PATHS = (
    "/",
    "/preferences",
    "/c/tiny",
    "/c/tiny/conc",
    "/c/tiny/conc?q=bakkie&size=6",
    "/c/tiny/conc?q=zzzz&from=2010",
    "/c/tiny/conc?q=[",
    "/c/tiny/conc?q=pothole&unit=sentence&copies=1&size=3",
    "/c/tiny/builder?value=a&value=b",
    "/c/tiny/baskets",
    "/c/tiny/saved",
    "/help",
    "/help/keys",
    "/help/glossary",
    "/c/tiny/docs?size=5",
    "/c/tiny/freq",
    "/c/tiny/freq?q=%5B",
    *(f"/c/tiny/{page}" for page in PAGES),
    "/c/tiny/sketch",
    "/c/tiny/sketch?word=bakkie&least=1",
    "/c/tiny/sketch-difference?word=bakkie&other=man&least=1",
    "/c/tiny/thesaurus?word=man&least=1",
    "/c/tiny/sketch?word=bakkie&pos=nonsense",
    "/c/tiny/new?from=2019&least=1&sites=1",
    "/c/tiny/new?from=2023-12",
    "/api/docs",
    "/no-such-page",
)


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_amiss(visit, path):
    assert violations_everywhere(visit(), path) == []


@pytest.mark.parametrize("tab", ["", "/paragraphs", "/metadata", "/copies", "/archived"])
def test_axe_finds_nothing_amiss_with_a_document(visit, client, tab):
    document = client.get("/c/tiny/conc.json?q=skollie&size=1").json()["lines"][0]["document"]

    assert violations_everywhere(visit(), f"/c/tiny/doc/{document['id']}{tab}") == []


def test_axe_finds_nothing_amiss_with_what_readers_keep(visit, client):
    line = client.get("/c/tiny/conc.json?q=skollie&size=1").json()["lines"][0]
    basket = client.post("/c/tiny/baskets", data={"hit": line["id"]}).headers["location"]
    saved = client.post("/c/tiny/saved", data={"parameters": "q=a"}).headers["location"]

    for path in (basket, saved, f"/c/tiny/hit/{line['id']}", "/c/tiny/hit/no.1.00000000"):
        assert violations_everywhere(visit(), path) == []


def test_axe_would_find_something(visit):
    page = visit()
    page.goto("/")
    page.evaluate("document.querySelector('h1').outerHTML = '<img src=\"data:,\">'")

    found = violations(page)

    assert any(line.startswith("image-alt") for line in found)
