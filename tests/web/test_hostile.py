"""Nothing from a crawled page or from a reader's own words runs as script or breaks a page."""

import re
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import expect

from .serving import HOSTILE

pytestmark = pytest.mark.browser

WORDS = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "'-alert(3)-'",
    "</title><svg onload=alert(4)>",
    "{{ 7 * 7 }}{% for a in b %}",
    "javascript:alert(5)",
    "\u202eright to left\u2066",
    "a\x00b\x1b[31m",
    "%(name)s %d {0} ${x}",
    "‮" * 50 + "اختبار",
    "A" * 4000,
)
# Where a reader's words go: the parameter of each page that shows them again.
PLACES = (
    "/c/tiny/conc?q={}",
    "/c/tiny/conc?q=bakkie&where={}",
    "/c/tiny/conc?q=bakkie&from={}",
    "/c/tiny/freq?q={}",
    "/c/tiny/coll?q={}",
    "/c/tiny/trend?q={}",
    "/c/tiny/wordlist?pattern={}",
    "/c/tiny/keywords?reference={}",
    "/c/tiny/compare?first={}",
    "/c/tiny/builder?value={}",
    "/c/tiny/word/{}",
    "/c/tiny/hit/{}",
    "/c/tiny/doc/{}",
    "/c/tiny/baskets/{}",
    "/preferences?back={}",
    "/c/{}",
    "/help/{}",
    "/{}",
)


@pytest.mark.parametrize("place", PLACES)
def test_hostile_words_do_nothing_on_any_page(address, place):
    with httpx.Client(base_url=address, trust_env=False, timeout=60) as client:
        for words in WORDS:
            answer = client.get(place.format(quote(words, safe="")))
            assert answer.status_code in (200, 400, 404, 410), (place, words)
            assert "alert(" not in re.sub(r"<[^>]*>|[^<]+", only_markup, answer.text)
            assert "\x00" not in answer.text


def only_markup(found):
    """Return markup without the values of its attributes, and nothing of the text between."""
    part = found[0]
    return re.sub(r'"[^"]*"', '""', part) if part.startswith("<") else ""


@pytest.mark.parametrize("words", WORDS[:5])
def test_hostile_words_do_nothing_in_a_browser(visit, words):
    page = visit()

    for place in (
        "/c/tiny/conc?q={}",
        "/c/tiny/freq?q={}",
        "/c/tiny/trend?q={}",
        "/c/tiny/word/{}",
    ):
        page.goto(place.format(quote(words, safe="")))
        expect(page.locator("main")).to_be_visible()


def test_a_hostile_document_does_nothing_on_its_own_pages(visit, client):
    line = client.get("/c/tiny/conc.json?q=alert&size=1").json()["lines"][0]
    assert line["document"]["url"] == HOSTILE
    page = visit()

    for tab in ("", "/paragraphs", "/metadata", "/copies", "/archived"):
        page.goto(f"/c/tiny/doc/{line['document']['id']}{tab}")
        page.wait_for_load_state("networkidle")
        expect(page.locator("main")).to_be_visible()
    page.goto(f"/c/tiny/hit/{line['id']}")
    page.goto(f"/c/tiny/doc/{line['document']['id']}/archived/frame")
    expect(page.locator("script")).to_have_count(0)


def test_a_hostile_quotation_does_nothing_in_a_basket(visit, client):
    line = client.get("/c/tiny/conc.json?q=alert&size=1").json()["lines"][0]
    client.cookies.clear()
    basket = client.post("/c/tiny/baskets", data={"hit": line["id"]}).headers["location"]
    note = {
        "act": "note",
        "hit": line["id"],
        "headword": WORDS[0],
        "sense": WORDS[1],
        "note": WORDS[3],
    }
    client.post(basket, data=note)
    page = visit()

    page.goto(basket)

    expect(page.locator(".slip")).to_have_count(1)
    expect(page.locator(".said")).to_have_text(WORDS[3])
