import httpx
import pytest
from lxml import etree

from izwi.cases import kept_lists

from .parsing import page_of, words

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def browser(address):
    """A client with cookies of its own."""
    with httpx.Client(base_url=address, trust_env=False, timeout=60, follow_redirects=True) as own:
        yield own


def save(browser, parameters, name=""):
    data = {"act": "save", "parameters": parameters, "name": name}
    return browser.post("/c/tiny/saved", data=data)


def test_a_search_is_saved_once_and_can_be_forgotten(browser):
    save(browser, "q=bakkie&from=2010&src=first-pages")
    page = save(browser, "q=bakkie&from=2010&src=first-pages", "bakkies & co")

    rows = page_of(page).cssselect("tbody tr")
    assert [words(row.cssselect("th")[0]) for row in rows] == ["bakkies & co"]
    link = rows[0].cssselect("th a")[0].get("href")
    assert browser.get(link).status_code == 200

    data = {"act": "forget", "parameters": "q=bakkie&from=2010&src=first-pages"}
    assert not page_of(browser.post("/c/tiny/saved", data=data)).cssselect("tbody tr")


def test_to_forget_without_a_list_saves_nothing(browser):
    answer = browser.post("/c/tiny/saved", data={"act": "forget", "parameters": "q=bakkie"})

    assert answer.url.path == "/c/tiny/saved"
    assert not browser.cookies


def test_somebody_elses_list_does_not_replace_ones_own(browser, client):
    client.cookies.clear()
    theirs = save(client, "q=pothole").headers["location"]
    mine = save(browser, "q=pothole").url.path

    page = page_of(browser.get(theirs))
    assert browser.get("/c/tiny/saved").url.path == mine

    # The button on their page is about their list.
    form = page.cssselect("tbody form")[0]
    browser.post("/c/tiny/saved", data={"act": "forget", **dict(form.form_values())})
    assert browser.get(f"{theirs}.json").json()["searches"] == []
    assert len(browser.get(f"{mine}.json").json()["searches"]) == 1


def test_a_search_that_is_none_any_more_does_not_stop_the_feed(browser):
    place = save(browser, "q=pothole").url.path
    kept_lists.save_search("tiny", place.rsplit("/", 1)[1], "old", "size=many", version=1, hits=0)

    feed = etree.fromstring(browser.get(f"{place}.atom").content)

    assert {each.get("term") for each in feed.iter(f"{ATOM}category")} == {"pothole"}


def test_new_hits_since_it_was_saved_are_counted(browser):
    page = page_of(save(browser, "q=skollie&v=1"))
    then = browser.get("/c/tiny/conc.json?q=skollie&v=1").json()["hits"]

    assert words(page.cssselect("tbody td.n")[0]) == str(then)


def test_a_feed_tells_of_the_newest_lines(client):
    answer = client.get("/c/tiny/conc.atom?q=alert")

    assert answer.headers["content-type"] == "application/atom+xml"
    feed = etree.fromstring(answer.content)
    entries = feed.findall(f"{ATOM}entry")
    assert 0 < len(entries) <= 50
    for entry in entries:
        link = entry.find(f"{ATOM}link").get("href")
        assert client.get(link).status_code == 200
        assert entry.find(f"{ATOM}content").get("type") == "text"


def test_a_feed_holds_the_lines_of_all_saved_searches(browser):
    save(browser, "q=bakkie")
    save(browser, "q=%5Bword%3D")  # no longer understood
    place = save(browser, "q=pothole").url.path

    feed = etree.fromstring(browser.get(f"{place}.atom").content)

    assert {each.get("term") for each in feed.iter(f"{ATOM}category")} == {"bakkie", "pothole"}


@pytest.mark.parametrize("parameters", ["size=many", "q=[", "timeout=-1"])
def test_what_is_no_search_is_not_saved(client, parameters):
    data = {"act": "save", "parameters": parameters}

    assert client.post("/c/tiny/saved", data=data).status_code == 400
