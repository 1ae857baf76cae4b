import httpx
import pytest

from .parsing import one, page_of, words

PATH = "/c/tiny/new?from=2019&least=1&sites=1"


@pytest.fixture
def browser(address):
    """A client with cookies of its own."""
    with httpx.Client(base_url=address, trust_env=False, timeout=60, follow_redirects=True) as own:
        yield own


def shown(answer):
    return [each.text_content() for each in page_of(answer).cssselect(".triage tbody th a")]


def test_a_word_that_was_decided_on_does_not_come_again(browser, client):
    first, second, *_ = shown(browser.get(PATH))

    data = {"word": first, "decision": "accept", "back": PATH}
    left = shown(browser.post("/c/tiny/new", data=data))

    assert left[0] == second
    assert first in shown(browser.get(f"{PATH}&decided=1"))
    client.cookies.clear()
    assert shown(client.get(PATH))[0] == first, "another reader's list is their own"


def test_the_last_decision_is_taken_back(browser):
    first = shown(browser.get(PATH))[0]
    browser.post("/c/tiny/new", data={"word": first, "decision": "reject"})

    browser.post("/c/tiny/new", data={"decision": "undo"})

    assert shown(browser.get(PATH))[0] == first


def test_without_a_decision_there_is_nothing_to_take_back(browser):
    assert browser.post("/c/tiny/new", data={"decision": "undo"}).status_code == 400


def test_somebody_elses_decisions_do_not_replace_ones_own(browser, client):
    client.cookies.clear()
    client.post("/c/tiny/new", data={"word": "theirs", "decision": "accept"})
    theirs = page_of(client.get(PATH)).cssselect(".byline a")[0].get("href")
    browser.post("/c/tiny/new", data={"word": "mine", "decision": "accept"})
    mine = page_of(browser.get(PATH)).cssselect(".byline a")[0].get("href")

    browser.get(theirs)

    assert page_of(browser.get(PATH)).cssselect(".byline a")[0].get("href") == mine


def test_decisions_have_a_page_and_twins(browser):
    for word, decision in (("lockdown", "accept"), ("Zuma", "name")):
        browser.post("/c/tiny/new", data={"word": word, "decision": decision, "back": PATH})
    link = page_of(browser.get(PATH)).cssselect(".byline a")[0].get("href")

    assert "lockdown" in browser.get(link).text
    rows = browser.get(f"{link}.tsv").text.splitlines()
    assert [row.split("\t")[:2] for row in rows[1:]] == [["lockdown", "accept"], ["Zuma", "name"]]


@pytest.mark.parametrize("data", [{}, {"word": "a"}, {"word": "", "decision": "accept"}])
def test_what_is_no_decision_is_refused(client, data):
    client.cookies.clear()

    assert client.post("/c/tiny/new", data=data).status_code == 400


def test_the_page_is_never_blank(client):
    page = page_of(client.get("/c/tiny/new?from=2023-10&least=9"))

    assert "No new words from 2023-10-01 to" in words(one(page, "main"))
    offered = [words(each) for each in page.cssselect(".periods a")]
    assert offered[:4] == ["the last week", "the last month", "2023", "2022"]


def test_without_a_period_the_first_that_has_new_words_is_shown(client):
    page = page_of(client.get("/c/tiny/new?least=1&sites=1"))

    assert page.cssselect(".triage tbody tr")
    assert one(page, "input[name=from]").get("value")


def test_a_decision_is_named_in_the_readers_language(browser):
    first = shown(browser.get(PATH))[0]
    browser.post("/c/tiny/new", data={"word": first, "decision": "error", "back": PATH})

    listed = page_of(browser.get(f"{PATH}&decided=1", headers={"Accept-Language": "af"}))
    link = listed.cssselect('a[href*="/triage/"]')[0].get("href")
    kept = page_of(browser.get(link, headers={"Accept-Language": "af"}))

    assert words(kept.cssselect("tbody td")[0]) == "tikfout"
    assert "tikfout" in [words(each) for each in listed.cssselect(".triage th .hint")]
