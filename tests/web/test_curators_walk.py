"""A curator's morning at the demo web, in a real browser: from an address to a take-down."""

import pytest
from playwright.sync_api import expect

import izwi
from izwi.cases.accounts import Accounts
from izwi.cases.corpus import create_corpus
from izwi.demoweb import DemoWeb
from izwi.web.app import create_app

from .serving import serving

pytestmark = pytest.mark.browser
PASSWORD = "sorghum and thunder"
DESK = "/admin/c/walk"
# A fast run ends before anybody looks: what the page showed of it is kept over its reload.
KEEP_WHAT_IS_SHOWN = """new MutationObserver(() => {
  const shown = document.querySelector("[data-stages]")?.innerText ?? "";
  sessionStorage.shown = (sessionStorage.shown ?? "") + shown;
}).observe(document, { childList: true, subtree: true });"""
ARTICLE = "http://karoocourant.example/2026/03/robot-returns-2026.html"


@pytest.fixture
def folder(tmp_path):
    """A corpus without sources whose gatherer meets the demo web."""
    folder = tmp_path / "walk"
    with DemoWeb() as web:
        create_corpus(
            folder, contact="https://example.org/bot", name="walk", languages=("en",), delay=0.0
        )
        settings = folder / "corpus.toml"
        text = settings.read_text(encoding="utf-8")
        proxied = text.replace("[gather]", f'[gather]\nproxy = "{web.proxy_url}"', 1)
        settings.write_text(proxied, encoding="utf-8")
        yield folder


@pytest.fixture
def page(chromium, folder, tmp_path):
    """A window of somebody who has an account and is not signed in; what is amiss fails."""
    accounts = Accounts(tmp_path / "accounts.sqlite")
    accounts.add("thandi", PASSWORD, "curator")
    amiss = []
    with (
        serving(create_app([folder], accounts=accounts)) as address,
        chromium.new_context(base_url=address, locale="en") as context,
    ):
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(KEEP_WHAT_IS_SHOWN)
        page.on("pageerror", lambda error: amiss.append(str(error)))
        yield page
    assert amiss == []


def test_from_an_address_to_a_corpus_that_is_looked_after(page, folder):
    _sign_in(page)
    _add_the_courant(page)
    _run_it(page)
    _review_drops(page, folder)
    _take_down(page, folder)


def _sign_in(page):
    page.goto(f"{DESK}/sources")
    page.get_by_label("Name").fill("thandi")
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(f"**{DESK}/sources")


def _add_the_courant(page):
    """Paste what people call the site; what it is and ten of its pages come before it is saved."""
    page.get_by_label("Any address").fill("karoocourant.example")
    page.keyboard.press("Enter")
    offers = page.locator(".offers")
    expect(offers.locator(".tick", has_text="feed.xml")).to_contain_text("15 pages")
    expect(offers.locator("caption")).to_have_text("10 of the first 10 pages would be kept")
    expect(offers.locator("tbody tr").first).to_contain_text(ARTICLE)

    # Its home page too, which is a list and will be dropped.
    offers.locator(".tick", has_text="itself and the").get_by_role("checkbox").check()
    offers.get_by_role("button", name="Add the ticked ones").click()

    expect(page.locator(".said [role=status]")).to_have_text("Added.")
    expect(page.locator(".sources-table tbody tr")).to_have_count(2)


def _run_it(page):
    """Start it and see it go on; what came of the pages stands there at the end."""
    page.get_by_role("link", name="Runs", exact=True).click()
    page.get_by_label("at most").fill("30")
    page.keyboard.press("Enter")
    page.wait_for_url("**/runs/2*")
    _wait_for_the_end(page)
    assert "finding the text of pages\t30\t29" in page.evaluate("sessionStorage.shown")
    funnel = page.locator(".funnel tbody")
    expect(funnel.get_by_role("row", name="in the corpus")).to_contain_text("17")
    expect(
        funnel.get_by_role("link", name="an unwanted type of page, such as a list")
    ).to_be_visible()


def _review_drops(page, folder):
    """One key says that a reason was right, another that it was not; a third takes it back."""
    page.get_by_role("link", name="Drops", exact=True).click()
    page.get_by_role("link", name="Review by reason").click()
    reason = page.locator("section[data-item]", has_text="an unwanted type of page, such as a list")
    expect(reason.locator(".samples li")).to_have_count(5)

    _press(page, "w")
    expect(page.locator(".said [role=status]")).to_have_text(
        "Saved. It takes effect with the next build."
    )
    assert len(izwi.open(folder).document_decisions()) == 12
    _press(page, "u")
    expect(page.locator(".said [role=status]")).to_have_text("Undone.")
    assert izwi.open(folder).document_decisions() == ()
    _press(page, "y")
    expect(reason).to_contain_text("12 found right by thandi")


def _take_down(page, folder):
    """Look what goes, be sure, and find it in the record and nowhere else."""
    page.get_by_role("link", name="Take down", exact=True).click()
    expect(page.get_by_label("URL, or a host")).to_be_focused()
    page.keyboard.type(ARTICLE)
    page.keyboard.press("Tab")
    page.keyboard.type("The editor asked by letter.")
    page.keyboard.press("Enter")
    expect(page.locator(".warning h2")).to_contain_text("1 document goes")
    _press(page, "y")
    page.wait_for_url("**/runs/2*")
    _wait_for_the_end(page)
    _press(page, "r")

    expect(page.locator("#record ~ .scroll tbody")).to_contain_text("The editor asked by letter.")
    with izwi.open(folder) as corpus:
        assert corpus.summary().documents == 16
        assert ARTICLE not in {each.url for each in corpus.documents(size=100).documents}


def _wait_for_the_end(page):
    """Wait until a run is over and its page has come again with what it brought."""
    expect(page.locator("[data-events]")).to_have_count(0, timeout=120_000)
    expect(page.locator(".progress-line .state")).to_have_text("done")


def _press(page, key):
    """Press a key once the page listens to keys."""
    page.wait_for_load_state()
    page.keyboard.press(key)
