import httpx
import pytest

from .parsing import one, page_of, words


@pytest.fixture
def browser(address):
    """A client with cookies of its own."""
    with httpx.Client(base_url=address, trust_env=False, timeout=60, follow_redirects=True) as own:
        yield own


@pytest.fixture(scope="module")
def hits(client):
    lines = client.get("/c/tiny/conc.json?q=bakkie&size=3").json()["lines"]
    return [line["id"] for line in lines]


def test_ticked_lines_go_into_a_basket_with_a_link_of_its_own(browser, client, hits):
    client.cookies.clear()
    page = page_of(browser.post("/c/tiny/baskets", data={"hit": hits[:2]}))
    again = browser.post("/c/tiny/baskets", data={"hit": hits[1:]})

    assert len(page.cssselect(".slip")) == 2
    assert len(page_of(again).cssselect(".slip")) == 3
    # Whoever has the link has the basket; others have none.
    assert "empty" in client.get("/c/tiny/baskets").text
    assert client.get(again.url.path).status_code == 200


def test_a_quotation_keeps_what_is_needed_to_print_it(browser, hits):
    basket = browser.post("/c/tiny/baskets", data={"hit": hits[:1]}).url.path

    (quotation,) = browser.get(f"{basket}.json").json()["quotations"]

    assert quotation["hit"] == hits[0]
    assert quotation["headword"] == "bakkie"
    assert all(quotation[name] for name in ("url", "title", "date", "captured", "date_evidence"))
    sheet = browser.get(f"{basket}.tsv").text.splitlines()
    assert len(sheet) == 2
    assert sheet[0].startswith("hit\tleft\tmatch\tright")


def test_notes_are_kept_and_quotations_taken_out(browser, hits):
    basket = browser.post("/c/tiny/baskets", data={"hit": hits[:2]}).url.path

    noted = {"act": "note", "hit": hits[0], "headword": "bakkie", "sense": "1", "note": "<b>x</b>"}
    page = page_of(browser.post(basket, data=noted))
    assert words(one(page, ".said")) == "<b>x</b>"
    browser.post(basket, data={"act": "rename", "name": "B & co"})
    left = browser.post(basket, data={"act": "remove", "hit": hits[0]})
    assert len(page_of(left).cssselect(".slip")) == 1
    assert words(one(page_of(left), "h1")) == "B & co"

    browser.post(basket, data={"act": "delete"})
    assert browser.get(basket).status_code == 404


def test_somebody_elses_basket_does_not_replace_ones_own(browser, client, hits):
    client.cookies.clear()
    theirs = client.post("/c/tiny/baskets", data={"hit": hits[0]}).headers["location"]
    mine = browser.post("/c/tiny/baskets", data={"hit": hits[1]}).url.path

    browser.get(theirs)

    assert browser.get("/c/tiny/baskets").url.path == mine
    browser.cookies.clear()
    browser.get(theirs)
    assert browser.get("/c/tiny/baskets").url.path == theirs


def test_scripts_are_told_how_many_there_are(browser, hits):
    answer = browser.post(
        "/c/tiny/baskets", data={"hit": hits[0]}, headers={"Accept": "application/json"}
    )

    assert answer.json()["quotations"] == 1


@pytest.mark.parametrize("name", ["0" * 24, "..%2f..%2fsecret", "x", "0" * 23 + "g"])
def test_other_baskets_cannot_be_guessed_or_reached(client, name):
    assert client.get(f"/c/tiny/baskets/{name}").status_code == 404


def test_another_site_cannot_fill_a_basket(client, hits):
    answer = client.post(
        "/c/tiny/baskets", data={"hit": hits[0]}, headers={"Origin": "http://evil.example"}
    )

    assert answer.status_code == 403


@pytest.mark.parametrize("data", [{}, {"hit": "nonsense"}, {"hit": ["a"] * 1001}])
def test_what_is_no_line_is_refused(client, data):
    assert client.post("/c/tiny/baskets", data=data).status_code in (400, 404)
