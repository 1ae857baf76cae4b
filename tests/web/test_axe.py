"""Every page for readers, in two widths and two themes, through axe."""

import pytest

from izwi.web.app import create_app
from izwi.web.middleware import PATIENCE

from .axe import violations, violations_everywhere
from .serving import serving
from .test_analyses import PAGES

pytestmark = pytest.mark.browser

PATHS = (
    "/",
    "/preferences",
    "/c/tiny",
    "/c/tiny/conc",
    "/c/tiny/conc?q=bakkie&size=6",
    "/c/tiny/conc?q=bakkie&size=6&show=lemma&show=pos",
    "/c/tiny/conc?q=zzzz&from=2010",
    "/c/tiny/conc?q=[word%3Dbakkie]&mode=cql",
    "/c/tiny/watch",
    "/c/tiny/conc?q=pothole&unit=sentence&copies=1&size=3",
    "/c/tiny/builder?value=a&value=b",
    "/c/tiny/baskets",
    "/c/tiny/saved",
    "/help",
    "/help/keys",
    "/help/glossary",
    "/c/tiny/docs?size=5",
    "/c/tiny/drops",
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
    "/c/tiny/trend?q=bakkie&q=the&q=skollie",
    "/c/tiny/trend?q=bakkie&q=the&view=together",
    "/c/tiny/compare?first=where:date%3D%222010.*%22",
    "/c/tiny/docs?where=nonsense",
    "/c/tiny/doc/nonsense",
    "/c/nonsense",
    "/login",
    "/api/docs",
    "/no-such-page",
)


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_amiss(window, path):
    assert violations_everywhere(window, path) == []


@pytest.mark.parametrize("tab", ["", "/paragraphs", "/metadata", "/copies", "/archived"])
def test_axe_finds_nothing_amiss_with_a_document(window, client, tab):
    document = client.get("/c/tiny/conc.json?q=skollie&size=1").json()["lines"][0]["document"]

    assert violations_everywhere(window, f"/c/tiny/doc/{document['id']}{tab}") == []


def test_axe_finds_nothing_amiss_with_what_readers_keep(window, client):
    line = client.get("/c/tiny/conc.json?q=skollie&size=1").json()["lines"][0]
    basket = client.post("/c/tiny/baskets", data={"hit": line["id"]}).headers["location"]
    saved = client.post("/c/tiny/saved", data={"parameters": "q=a"}).headers["location"]

    for path in (basket, saved, f"/c/tiny/hit/{line['id']}", "/c/tiny/hit/no.1.00000000"):
        assert violations_everywhere(window, path) == []


def test_axe_finds_nothing_amiss_with_a_page_that_waits(chromium, corpus_folder, monkeypatch):
    monkeypatch.setenv(PATIENCE, "0.000001")
    with serving(create_app([corpus_folder])) as address:
        page = chromium.new_page(base_url=address)
        page.route("**/*.js*", lambda route: route.abort())  # it stays as it is
        page.goto("/c/tiny/wordlist")
        assert page.locator("[data-again]").count() == 1
        found = violations(page)
        page.close()

    assert found == []


def test_axe_would_find_something(visit):
    page = visit()
    page.goto("/")
    page.evaluate("document.querySelector('h1').outerHTML = '<img src=\"data:,\">'")

    found = violations(page)

    assert any(line.startswith("image-alt") for line in found)


# One window for all of it: a browser is slow to open, a page is not.
STATES = (
    "/c/tiny", "/c/tiny/conc?q=bakkie&size=6", "/c/tiny/conc?q=[word%3Dbakkie]&mode=cql",
    "/c/tiny/builder?value=a&value=b", "/c/tiny/trend?q=bakkie", "/c/tiny/watch",
    "/c/tiny/word/bakkie", "/no-such-page",
)  # fmt: skip


def test_pages_hold_at_twice_the_size_in_forced_colours_and_without_motion(visit):
    # 1280 pixels at 200 % are 640 of the page's own.
    page = visit(viewport={"width": 640, "height": 400})
    page.emulate_media(forced_colors="active", reduced_motion="reduce")
    amiss = []
    for path in STATES:
        page.goto(path)
        if page.evaluate("document.documentElement.scrollWidth") > 640:
            wide = page.evaluate(
                "[...document.querySelectorAll('main *, footer *')].filter("
                "e => e.getBoundingClientRect().right > 641 && !e.closest('nav, .scroll'))"
                ".map(e => e.outerHTML.slice(0, 90)).slice(0, 3)"
            )
            amiss.append(f"{path}: wider than its window at 200 %: {wide}")
        if page.evaluate("document.getAnimations().filter(a => a.playState === 'running').length"):
            amiss.append(f"{path}: something moves")
        page.keyboard.press("Tab")
        ring = "getComputedStyle(document.activeElement)"
        if page.evaluate(f"{ring}.outlineStyle === 'none' || parseFloat({ring}.outlineWidth) < 1"):
            amiss.append(f"{path}: nobody sees what has the focus in forced colours")
        if not page.locator("h1").first.evaluate("each => each.getClientRects().length"):
            amiss.append(f"{path}: no heading")
    assert amiss == []
