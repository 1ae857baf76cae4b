"""Six tasks of lexicographers, linguists and curators: the keys they take, and without scripts.

Counted is every key but the letters of what one types: a word, a date, an address, a reason.
"""

import json
import shutil
from datetime import date
from pathlib import Path

import pytest
from playwright.sync_api import expect

import izwi
from izwi.cases.accounts import Accounts
from izwi.web.app import create_app

from .serving import serving
from .test_twins import sheet_of

pytestmark = pytest.mark.browser
PASSWORD = "sorghum and thunder"
COPY = "http://faults.example/ok?again=1"
MISSING = "http://faults.example/status/404"
# Each stands in three texts of two publications, all of one week.
NEW_WORDS = tuple(f"{first}{last}" for first in ("smoga", "plonki", "vrotsa", "dweepi", "krafu")
                  for last in ("lo", "ze", "nti", "rok", "mbu"))  # fmt: skip
DAYS = (date(2026, 11, 10), date(2026, 11, 12), date(2026, 11, 14))
SITES = ("The Berg Journal", "Umdoni Times", "The Berg Journal")


@pytest.fixture(scope="module")
def folder(corpus_folder, tmp_path_factory):
    """A copy of the corpus with texts of one week more."""
    place = tmp_path_factory.mktemp("tasks")
    folder = shutil.copytree(corpus_folder, place / "own")
    texts = place / "week.jsonl"
    texts.write_text("".join(f"{json.dumps(row)}\n" for row in _week()), encoding="utf-8")
    with izwi.open(folder) as corpus:
        corpus.import_texts(texts, build=True)
    return folder


def _week():
    for number, (day, site) in enumerate(zip(DAYS, SITES, strict=True)):
        said = "".join(
            f"People of the {('hill', 'river', 'coast')[number]} call it a {word} and smile. "
            for word in NEW_WORDS
        )
        yield {
            "id": f"week-{number}", "url": f"http://{site.split()[1].lower()}.example/{number}",
            "title": f"Words of day {number}", "date": day.isoformat(), "site": site, "text": said,
            "language": "en", "date_evidence": "JSON-LD",
        }  # fmt: skip
    for number, text in enumerate(("The mayor opened a bridge.", "A goat ate the minutes.")):
        yield {
            "id": f"gone-{number}", "url": f"http://gone.example/{number}", "title": text,
            "date": "2020-01-01", "site": "Gone", "language": "en", "text": f"{text} " * 8,
        }  # fmt: skip


@pytest.fixture(scope="module")
def accounts(tmp_path_factory):
    made = Accounts(tmp_path_factory.mktemp("accounts") / "accounts.sqlite")
    made.add("thandi", PASSWORD, "curator")
    return made


@pytest.fixture(scope="module")
def site(folder, accounts):
    with serving(create_app([folder], accounts=accounts)) as address:
        yield address


@pytest.fixture
def window(chromium, site, accounts):
    """Open a window of a curator who is signed in; what is amiss in it fails the test."""
    contexts, amiss = [], []

    def open_window(**options):
        context = chromium.new_context(base_url=site, **options)
        contexts.append(context)
        secret = accounts.sign_in("thandi", PASSWORD).secret
        context.add_cookies([{"name": "izwi_session", "value": secret, "url": site}])
        page = context.new_page()
        page.set_default_timeout(30_000)
        page.on("pageerror", lambda error: amiss.append(str(error)))
        return page

    yield open_window
    for context in contexts:
        context.close()
    assert amiss == []


class Hands:
    """Two hands on a keyboard, which count what they press."""

    def __init__(self, page, path):
        self.page, self.keys = page, 0
        page.goto(path)

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)
            self.keys += 1

    def type(self, text):
        self.page.keyboard.type(text)


class TestByKeyboard:
    def test_the_oldest_quotation_with_its_evidence_goes_into_the_basket(self, window):
        hands = Hands(window(), "/c/tiny")

        hands.press("/")
        hands.type("bakkie")
        hands.press("Enter")
        hands.page.wait_for_selector(".kwic")
        hands.press("j", "b")
        expect(hands.page.locator("[data-basket]")).to_have_text("1")

        assert hands.keys <= 4
        hands.page.goto("/c/tiny/baskets")
        expect(hands.page.locator(".slip .when")).to_contain_text("2010-02-19")
        expect(hands.page.locator(".slip .when")).to_contain_text("date from JSON-LD")

    def test_twenty_new_words_of_the_week_are_decided_on(self, window):
        hands = Hands(window(), "/c/tiny")

        hands.press("g", "n")
        hands.page.wait_for_url("**/new")
        hands.press("1")
        hands.page.wait_for_url("**from=2026-11-08**")
        expect(hands.page.locator(".triage tbody th a").first).to_be_visible()
        hands.press("j", *"arntv" * 4)
        expect(hands.page.locator("[data-decided]")).to_have_text("20")

        assert hands.keys <= 30
        hands.page.reload()
        expect(hands.page.locator("[data-decided]")).to_have_text("20")

    @pytest.mark.parametrize(
        ("url", "why"),
        [(COPY, "the same text as another page"), (MISSING, "the server answered 404")],
    )
    def test_why_an_address_was_dropped(self, window, url, why):
        hands = Hands(window(), "/c/tiny")

        hands.press("g", "c")
        hands.page.wait_for_url("**/admin/c/tiny")
        hands.press("/")
        hands.type(url)
        hands.press("Enter")

        expect(hands.page.locator("main")).to_contain_text(why)
        assert hands.keys <= 4

    def test_an_antedating_of_a_headword(self, window):
        hands = Hands(window(), "/c/tiny/watch")

        hands.press("/")
        hands.type("bakkie")
        hands.press("Tab")
        hands.type("2015")
        hands.press("Enter")
        found = hands.page.locator("tbody tr", has_text="bakkie").locator("strong")
        expect(found).to_have_text("earlier than known")
        hands.press("j", "Enter")

        hands.page.wait_for_url("**/hit/**")
        expect(hands.page.locator(".byline")).to_contain_text("2010-02-19")
        assert hands.keys <= 5

    def test_keywords_of_two_publications_become_a_spreadsheet(self, window):
        hands = Hands(window(), "/c/tiny/keywords")

        hands.press("/")
        hands.type("The Berg")
        hands.press("Tab")
        hands.type("Umdoni")
        hands.press("Enter")
        hands.page.wait_for_selector(".results, [role=status]")
        with hands.page.expect_download() as coming:
            hands.press("e")

        assert any("hill" in row for row in sheet_of(Path(coming.value.path()).read_bytes()))
        assert hands.keys <= 5

    def test_a_page_is_taken_down_with_a_record(self, window, folder):
        hands = Hands(window(), "/admin/c/tiny/takedown")

        hands.type("http://gone.example/0")
        hands.press("Tab")
        hands.type("The editor asked by letter.")
        hands.press("Enter")
        expect(hands.page.locator(".warning h2")).to_contain_text("1 document goes")
        hands.press("y")
        hands.page.wait_for_url("**/runs/**")
        expect(hands.page.locator(".progress-line")).to_contain_text("done", timeout=120_000)
        hands.press("r")

        expect(hands.page.locator("#record ~ .scroll tbody")).to_contain_text("asked by letter")
        assert hands.keys <= 4
        assert "http://gone.example/0" in {each.target for each in izwi.open(folder).takedowns()}


@pytest.fixture
def plain(window):
    return window(java_script_enabled=False, accept_downloads=True)


class TestWithoutScripts:
    def test_the_oldest_quotation_with_its_evidence_goes_into_the_basket(self, plain):
        plain.goto("/c/tiny")
        plain.get_by_role("searchbox").first.fill("bakkie")
        plain.get_by_role("button", name="Search").first.click()
        plain.get_by_label("Tick line 1", exact=True).check()
        plain.get_by_role("button", name="Add ticked lines to basket").click()

        expect(plain.locator(".slip .when")).to_contain_text("date from JSON-LD")

    def test_twenty_new_words_of_the_week_are_decided_on(self, plain):
        plain.goto("/c/tiny/new")
        plain.get_by_role("link", name="the last week").click()
        for _ in range(20):
            plain.locator("form[data-decide] button").first.click()

        expect(plain.locator("[data-decided]")).to_have_text("20")

    def test_why_an_address_was_dropped_takes_two_clicks(self, plain):
        plain.goto("/c/tiny")
        plain.get_by_role("link", name="Curate").click()
        plain.get_by_label("URL or document id").fill(COPY)
        plain.get_by_role("button", name="Inspect").click()

        expect(plain.locator(".verdict-line")).to_contain_text("the same text as another page")

    def test_an_antedating_of_a_headword(self, plain):
        plain.goto("/c/tiny/watch")
        plain.get_by_label("Headword", exact=True).fill("pothole")
        plain.get_by_label("Known since", exact=True).fill("2015")
        plain.get_by_role("button", name="Watch it").click()

        row = plain.locator("tbody tr", has_text="pothole").first
        expect(row).to_contain_text("earlier than known")

    def test_keywords_of_two_publications_become_a_spreadsheet(self, plain):
        plain.goto("/c/tiny/keywords")
        plain.locator("select[name=of]").select_option(label="The Berg Journal")
        plain.locator("select[name=reference]").select_option(label="Umdoni Times")
        plain.get_by_role("button", name="Count").click()
        address = plain.get_by_role("link", name="XLSX").get_attribute("href")

        assert any("hill" in row for row in sheet_of(plain.request.get(address).body()))

    def test_a_page_is_taken_down_with_a_record(self, plain):
        plain.goto("/admin/c/tiny/takedown")
        plain.get_by_label("URL, or a host").fill("http://gone.example/1")
        plain.get_by_label("Who asked").fill("Its author asked.")
        plain.get_by_role("button", name="Show what would go").click()
        plain.get_by_role("button", name="Take 1 document down").click()
        # The page of the run asks again by itself.
        expect(plain.locator(".progress-line")).to_contain_text("done", timeout=120_000)
        plain.get_by_role("link", name="Record").click()

        expect(plain.locator("tbody")).to_contain_text("Its author asked.")
