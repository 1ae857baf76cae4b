"""Ways through the pages by keyboard alone, in a real browser."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser


def place(page):
    return urlsplit(page.url).path


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def tab_to(page, name, most=60):
    """Press Tab until the element with a name has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        said = page.evaluate(
            "(document.activeElement.ariaLabel || document.activeElement.innerText || '').trim()"
        )
        if said == name:
            return
    raise AssertionError(f"'{name}' cannot be reached with Tab")


def test_from_the_start_page_to_a_line(visit):
    page = visit()
    page.goto("/")
    press(page, "/")
    page.keyboard.type("bakkie")
    press(page, "Enter")
    page.wait_for_selector(".kwic")

    press(page, "j", "j", "Enter")

    page.wait_for_selector("#hit-2 .more .context")
    assert "bakkie" in page.locator("#hit-2 .more mark").inner_text()


def test_a_quotation_is_in_the_basket_with_one_key(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=bakkie")

    press(page, "j", "b")
    page.wait_for_selector("[data-basket]:text-is('1')")
    press(page, "j", "b")
    page.wait_for_selector("[data-basket]:text-is('2')")

    expect(page.locator("#said")).to_have_text("2")
    page.goto("/c/tiny/baskets")
    expect(page.locator(".slip")).to_have_count(2)


def test_ticked_lines_go_into_the_basket_together(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=bakkie&size=5")

    press(page, "j", "x", "j", "j", "x")
    expect(page.locator(".pick :checked")).to_have_count(2)
    tab_to(page, "Add ticked lines to basket")
    press(page, "Enter")

    page.wait_for_url("**/baskets/*")
    expect(page.locator(".slip")).to_have_count(2)


def test_a_citation_is_copied_with_two_keys(visit):
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    page.goto("/c/tiny/conc?q=bakkie")

    press(page, "j", "c")
    page.wait_for_selector("#said:not(:empty)", state="attached")

    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == page.locator("#hit-1 .citation bdi").text_content()


@pytest.mark.parametrize(("key", "ending"), [("o", "/archived"), ("d", "")])
def test_document_and_archived_page_open_with_a_key(visit, key, ending):
    page = visit()
    page.goto("/c/tiny/conc?q=bakkie")
    document = page.locator("#hit-1 [data-document]").get_attribute("href").partition("?")[0]

    press(page, "j", key)

    page.wait_for_url(f"**{document}{ending}*")
    assert page.locator("h1").inner_text()


def test_copies_are_unfolded_and_the_order_is_changed(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=skollie")
    folded = page.locator(".kwic tbody tr").count()

    press(page, "f")
    page.wait_for_url("**copies=1**")
    assert page.locator(".kwic tbody tr").count() > folded

    press(page, "s")
    page.keyboard.type("date, n")
    press(page, "Tab", "Enter")
    page.wait_for_url("**sort=newest**")


def test_from_a_word_list_to_a_profile(visit):
    page = visit()
    page.goto("/c/tiny/wordlist?pattern=bakkie")

    tab_to(page, "bakkie")
    press(page, "Enter")

    page.wait_for_url("**/word/bakkie")
    assert page.locator(".examples mark").count() >= 3


def test_a_trend_of_two_words(visit):
    page = visit()
    page.goto("/c/tiny/trend")
    press(page, "/")
    page.keyboard.type("bakkie")
    press(page, "Enter")
    page.wait_for_url("**q=bakkie**")

    press(page, "/", "Tab")
    page.keyboard.type("police")
    press(page, "Enter")

    page.wait_for_url("**q=police**")
    expect(page.locator(".trend")).to_have_count(2)


def test_a_query_is_put_together(visit):
    page = visit()
    page.goto("/c/tiny/builder")

    press(page, "/")
    page.keyboard.type("bakkie")
    press(page, "Enter")
    page.wait_for_selector("pre")
    tab_to(page, "Search")
    tab_to(page, "Search")
    press(page, "Enter")

    page.wait_for_url("**/conc?**")
    assert page.locator(".kwic tbody tr").count() > 3


def test_new_words_are_decided_on_with_one_key_each(visit):
    page = visit()
    page.goto("/c/tiny/new?from=2019&least=1&sites=1")
    listed = page.locator(".triage tbody th a").all_text_contents()

    press(page, "j")
    for key in "arntvw":
        press(page, key)
    page.wait_for_selector("#said:text-is('6')", state="attached")

    expect(page.locator(".triage tbody th a")).to_have_text(listed[6:])
    assert page.evaluate("document.activeElement.innerText") == listed[6]
    page.reload()
    expect(page.locator(".triage tbody th a")).to_have_text(listed[6:])

    with page.expect_navigation():
        press(page, "u")
    expect(page.locator("[data-decided]")).to_have_text("5")
    expect(page.locator(".triage tbody th a")).to_have_text([listed[5], *listed[6:]])


def test_a_decision_that_could_not_be_sent_comes_back(visit):
    page = visit()
    page.goto("/c/tiny/new?from=2019&least=1&sites=1")
    listed = page.locator(".triage tbody th a").all_text_contents()
    page.evaluate("() => { window.fetch = () => Promise.reject(new TypeError('no network')) }")

    with page.expect_navigation():
        press(page, "j", "a")
    expect(page.locator(".triage tbody th a")).to_have_text(listed)

    press(page, "j", "a")
    page.wait_for_selector("#said:text-is('1')", state="attached")
    expect(page.locator(".triage tbody th a")).to_have_text(listed[1:])


def test_a_search_is_saved_and_found_again(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=pothole")

    tab_to(page, "Save this search", most=120)
    press(page, "Enter")
    page.wait_for_url("**/saved/*")
    tab_to(page, "pothole")
    press(page, "Enter")

    page.wait_for_url("**q=pothole**")


def test_language_and_theme_are_chosen(visit):
    page = visit()
    page.goto("/preferences?back=/c/tiny")

    page.get_by_role("radio", name="English").focus()
    press(page, "ArrowDown", "Tab", "ArrowDown", "ArrowDown", "Tab", "Enter")
    page.wait_for_url(lambda url: urlsplit(url).path == "/c/tiny")

    expect(page.locator("html")).to_have_attribute("lang", "af")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "dark"
