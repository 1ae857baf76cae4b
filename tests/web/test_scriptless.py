"""Reading without JavaScript, in a real browser."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


@pytest.fixture
def page(visit):
    return visit(java_script_enabled=False)


def test_a_search_and_its_next_page(page):
    page.goto("/")
    page.get_by_label("Word or phrase in tiny").fill("bakkie")
    page.get_by_role("button", name="Search").click()
    page.get_by_role("link", name="newest", exact=True).click()
    page.wait_for_url("**sort=newest**")

    assert page.locator(".kwic tbody tr").count() > 5
    dates = [text for text in page.locator(".kwic .when").all_inner_texts() if text != "undated"]
    assert dates == sorted(dates, reverse=True)


def test_a_line_its_hit_page_and_its_document(page):
    page.goto("/c/tiny/conc?q=bakkie")
    page.locator("#hit-1 summary").click()
    page.locator("#hit-1 .card a code").click()
    expect(page.locator(".context mark")).to_have_text("bakkie")

    page.get_by_role("link", name="Document", exact=True).click()
    expect(page.locator("#mark mark").first).to_have_text("bakkie")


def test_every_tab_of_a_document(page):
    page.goto("/c/tiny/conc?q=skollie")
    page.locator("#hit-1 summary").click()
    page.locator("#hit-1 [data-document]").click()

    for tab in ("Paragraphs", "Metadata", "Copies", "Archived page", "Text"):
        page.get_by_role("navigation", name="Document").get_by_role("link", name=tab).click()
        expect(page.locator("nav.sub [aria-current]")).to_contain_text(tab)


def test_lines_are_put_into_a_basket_and_noted(page):
    page.goto("/c/tiny/conc?q=bakkie&size=4")
    page.get_by_label("Tick line 2").check()
    page.get_by_label("Tick line 3").check()
    page.get_by_role("button", name="Add ticked lines to basket").click()
    expect(page.locator(".slip")).to_have_count(2)

    page.locator(".slip summary").first.click()
    page.get_by_label("Note", exact=True).first.fill("a good one")
    page.get_by_role("button", name="Keep").first.click()
    expect(page.locator(".said")).to_have_text("a good one")


def test_frequencies_lead_to_their_lines(page):
    page.goto("/c/tiny/freq?q=bakkie")
    page.locator("select[name=by]").select_option("year")
    page.get_by_role("button", name="Count").click()
    page.wait_for_url("**by=year**")
    count = page.locator(".results tbody td.n a").first
    hits = count.inner_text()
    count.click()

    expect(page.locator(".numbers dd").first).to_have_text(hits)


def test_a_trend_has_its_chart_and_its_numbers(page):
    page.goto("/c/tiny/trend")
    page.get_by_label("Word or phrase").fill("bakkie")
    page.get_by_role("button", name="Show").click()

    expect(page.locator(".drawn .wide svg")).to_be_visible()
    page.get_by_text("The numbers").click()
    expect(page.locator(".results tbody tr").first).to_be_visible()


def test_a_new_word_is_decided_on(page):
    page.goto("/c/tiny/new?from=2019&least=1&sites=1")
    words = page.locator(".triage tbody th a")
    first, count = words.first.inner_text(), words.count()
    page.get_by_role("button", name=f"accept: {first}", exact=True).click()

    expect(words).to_have_count(count - 1)
    page.get_by_role("button", name="Undo the last decision").click()
    expect(words.first).to_have_text(first)


def test_a_query_is_put_together_with_buttons(page):
    page.goto("/c/tiny/builder")
    page.get_by_label("Value").fill("white")
    page.get_by_role("button", name="Add a token").click()
    page.get_by_label("Value").nth(1).fill("bakkie")
    page.get_by_role("button", name="Show the query").click()

    expect(page.locator("pre")).to_have_text('[lc="white"] [lc="bakkie"] within <s/>')


def test_help_is_read_offline(page):
    page.goto("/help")
    for link in page.locator("nav.sub a").evaluate_all("all => all.map(each => each.href)"):
        page.goto(link)
        assert len(page.locator("article.help").inner_text()) > 300
