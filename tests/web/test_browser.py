import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from .serving import HOSTILE

pytestmark = pytest.mark.browser

SEARCHES = ("", "?q=bakkie", "?q=alert", "?q=zzzz&from=2010&src=first-pages")
PATHS = ("/", "/c/tiny", "/api/docs", *(f"/c/tiny/conc{search}" for search in SEARCHES))


def matches(page):
    return page.locator(".kwic td.match")


def asked(page):
    """Return the parameters in the address bar."""
    return {name: values[0] for name, values in parse_qs(urlsplit(page.url).query).items()}


@pytest.mark.parametrize("javascript", [True, False], ids=["script", "no-script"])
def test_a_hostile_document_does_nothing(visit, javascript):
    page = visit(java_script_enabled=javascript)
    page.goto("/c/tiny/conc?q=alert&ctx=20")

    page.locator(".kwic summary").first.click()

    expect(page.get_by_text("<script>alert(1)</script> A wheel").first).to_be_visible()
    expect(page.locator(".kwic .card .address a").first).to_have_attribute("href", HOSTILE)
    expect(page.locator("main script, main img")).to_have_count(0)


def test_hostile_words_in_the_address_do_nothing(visit):
    page = visit()

    page.goto("/c/tiny/conc?q=%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E&from=%3Cscript%3E")

    assert page.get_by_role("alert").inner_text().startswith("'<script>' is not a date")


def test_search_sort_and_page_by_keyboard(visit):
    page = visit()
    page.goto("/c/tiny/conc?size=4")

    page.keyboard.press("/")
    page.keyboard.type("bakkie/n")
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.press("Enter")
    page.wait_for_selector(".kwic")
    assert asked(page) == {"q": "bakkie", "size": "4"}

    page.get_by_label("Sort by").focus()
    page.keyboard.type("word to the r")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**sort=right**")
    assert asked(page) == {"q": "bakkie", "size": "4", "sort": "right"}
    first = page.locator(".kwic td.right").first.inner_text()

    page.locator("body").press("n")
    page.wait_for_url("**page=2**")
    assert page.locator(".kwic td.right").first.inner_text() != first
    page.locator("body").press("p")
    page.wait_for_function("!location.search.includes('page=')")
    expect(page.locator(".kwic td.right").first).to_have_text(first)


def test_lines_are_walked_and_opened_by_keyboard(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=bakkie")
    here = "document.activeElement.closest('tr')?.id"

    for key in "jjjk":
        page.keyboard.press(key)
    assert page.evaluate(here) == "hit-2"

    page.keyboard.press("Enter")
    expect(page.locator("#hit-2 dl.card")).to_be_visible()
    expect(page.locator(".kwic dl.card:visible")).to_have_count(1)
    page.keyboard.press("Enter")
    expect(page.locator("#hit-2 dl.card")).to_be_hidden()


def test_the_list_of_keys_comes_and_goes_and_turns_them_off(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=bakkie")

    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.get_by_label("single-key shortcuts are on").uncheck()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()

    page.reload()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_hidden()


def test_keys_are_not_taken_from_fields_or_with_control(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=bakkie&size=4")

    page.get_by_label("Word or phrase").fill("")
    page.keyboard.type("jknp?/")
    expect(page.get_by_label("Word or phrase")).to_have_value("jknp?/")
    page.get_by_role("textbox", name="From").press("n")
    page.locator("body").press("Control+j")

    assert asked(page) == {"q": "bakkie", "size": "4"}
    expect(page.locator("#keys")).to_be_hidden()


def test_everything_works_without_javascript(visit):
    page = visit(java_script_enabled=False)
    page.goto("/")

    page.get_by_label("Word or phrase in tiny").fill("bakkie")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(matches(page).nth(10)).to_be_visible()

    page.get_by_text("More options").click()
    page.get_by_label("Lines per page").fill("3")
    page.locator("details.sub summary").click()
    page.get_by_label("first-pages").check()
    page.get_by_label("Sort by").select_option("left")
    page.get_by_role("button", name="Search", exact=True).click()
    expect(matches(page)).to_have_count(3)
    assert asked(page)["src"] == "first-pages"

    page.get_by_role("link", name="Next", exact=True).click()
    expect(page.get_by_text("Page 2 of")).to_be_visible()
    page.locator(".kwic summary").first.click()
    expect(page.locator(".kwic dl.card").first).to_be_visible()
    page.get_by_text("Reproduce these lines").click()
    expect(page.get_by_text(re.compile(r"izwi query \w+ bakkie --sort left"))).to_be_visible()
    page.get_by_role("button", name="Keys").click()
    expect(page.locator("#keys")).to_be_visible()


def test_a_bar_opens_the_lines_of_its_year(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=bakkie&sort=left")

    page.locator(".spark svg a").first.click()
    page.wait_for_url("**from=2010**")

    assert asked(page) == {"q": "bakkie", "sort": "left", "from": "2010", "to": "2010"}
    assert {text[:4] for text in page.locator(".kwic .when").all_inner_texts()} == {"2010"}


def test_a_click_on_a_line_opens_it(visit):
    page = visit()
    page.goto("/c/tiny/conc?q=bakkie")

    page.locator("#hit-3 td.right").click()

    expect(page.locator("#hit-3 dl.card")).to_be_visible()


@pytest.mark.parametrize("path", PATHS)
def test_no_page_is_wider_than_its_window(window, path):
    window.goto(path)
    window.locator("main details").evaluate_all("all => all.forEach(each => each.open = true)")

    for width in (1920, 1280, 800, 700, 360, 320):
        window.set_viewport_size({"width": width, "height": 740})
        assert window.evaluate("document.documentElement.scrollWidth") == width


def test_a_line_never_wraps_where_there_is_room(visit):
    page = visit(viewport={"width": 1280, "height": 800})
    page.goto("/c/tiny/conc?q=bakkie&ctx=60")

    rows = page.locator(".kwic tbody tr:not(:has(.copies))")
    heights = rows.evaluate_all("rows => rows.map(row => row.offsetHeight)")
    assert max(heights) < 36


@pytest.mark.parametrize("width", [1280, 360])
def test_date_source_and_copies_can_be_seen(visit, width):
    page = visit(viewport={"width": width, "height": 740})
    page.goto("/c/tiny/conc?q=skollie")

    for part in (".when", ".source", ".copies"):
        shown = page.locator(f".kwic tbody {part}").first
        box = shown.bounding_box()
        assert box["x"] + box["width"] < width
        assert shown.evaluate("each => each.scrollWidth <= each.clientWidth"), f"{part} is clipped"


def test_the_words_next_to_the_match_stay_in_sight(visit):
    page = visit(viewport={"width": 1000, "height": 800})
    page.goto("/c/tiny/conc?q=bakkie&ctx=60")

    gaps = page.locator(".kwic tbody tr").evaluate_all(
        """rows => rows.map(row => {
            const edges = side => row.querySelector(`td.${side} bdi`).getBoundingClientRect();
            return [edges("match").left - edges("left").right,
                    edges("right").left - edges("match").right,
                    edges("left").width - row.querySelector("td.left").offsetWidth];
        })"""
    )
    assert any(hidden > 100 for _, _, hidden in gaps), "nothing is clipped: the test tests nothing"
    assert all(-1 <= left < 12 and -1 <= right < 12 for left, right, _ in gaps)


def test_lines_become_cards_on_a_telephone(visit):
    page = visit(viewport={"width": 360, "height": 740})
    page.goto("/c/tiny/conc?q=bakkie&to=2010-02")

    row = page.locator(".kwic tbody tr").first
    assert row.evaluate("row => row.offsetHeight") > 60
    assert "Clive Naicker’s bakkie went into the hole" in " ".join(row.inner_text().split())
    lines = row.evaluate(
        """row => ["left", "match", "right"].map(side => {
            const boxes = [...row.querySelector(`td.${side} bdi`).getClientRects()];
            return [boxes.at(0).bottom, boxes.at(-1).bottom];
        })"""
    )
    (_, left), (match, _), (right, _) = lines
    assert abs(left - match) < 2, "the match goes on where the left side ends"
    assert 0 <= right - match < 30


def test_the_contents_can_be_reached_at_once(visit):
    page = visit()
    page.goto("/c/tiny")

    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")

    assert page.evaluate("document.activeElement.id") == "main"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", PATHS)
def test_words_stand_out_from_their_ground(window, path, scheme):
    window.emulate_media(color_scheme=scheme)
    window.goto(path)

    assert window.evaluate(FAINT) == []


# Text whose contrast with the nearest painted ground is under 4.5 to 1 (WCAG 1.4.3).
FAINT = """() => {
  const probe = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const rgba = (colour) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = colour;
    probe.fillRect(0, 0, 1, 1);
    return [...probe.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [r, g, b] = rgba(colour).slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (rgba(colour)[3] === 255) return colour;
    }
    return "white";
  };
  const faint = [];
  for (const element of document.querySelectorAll("body *")) {
    const hasText = [...element.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
    if (!hasText || !element.checkVisibility() || element.closest(".unseen, svg"))
      continue;
    const [a, b] = [light(getComputedStyle(element).color), light(ground(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (contrast < 4.5) faint.push(`${element.outerHTML.slice(0, 80)}: ${contrast.toFixed(2)}`);
  }
  return faint;
}"""


@pytest.mark.parametrize("path", PATHS)
def test_what_is_pressed_is_large_enough(window, path):
    window.goto(path)

    sizes = window.locator(
        "header a, footer a, footer button, form button, form input, form select, summary, .pager a"
    ).evaluate_all(
        """all => all.filter(e => e.checkVisibility() && e.type != "checkbox" && e.type != "hidden")
               .map(e => [e.outerHTML.slice(0, 60), e.getBoundingClientRect().height])"""
    )
    assert [size for size in sizes if size[1] < 23.9] == []


@pytest.mark.parametrize("path", PATHS)
def test_every_page_has_its_landmarks_and_names(window, path):
    window.goto(path)

    expect(window.locator("html")).to_have_attribute("lang", "en")
    expect(window.locator("h1")).to_have_count(1)
    expect(window.locator("header, main, footer")).to_have_count(3)
    ids = window.locator("[id]").evaluate_all("all => all.map(each => each.id)")
    assert len(ids) == len(set(ids))
    named = window.locator("input:not([type=hidden]), select").evaluate_all(
        "all => all.every(each => each.labels.length || each.ariaLabel)"
    )
    assert named


def test_dragging_over_a_trend_opens_the_lines_of_the_time(visit):
    page = visit()
    page.goto("/c/tiny/trend?q=bakkie&by=year")
    points = page.locator("figure.drawn .wide svg a")
    boxes = [points.nth(number).bounding_box() for number in (0, 2)]
    wanted = [points.nth(number).get_attribute("href") for number in (0, 2)]

    page.mouse.move(boxes[0]["x"] - 5, boxes[0]["y"] - 20)
    page.mouse.down()
    page.mouse.move(boxes[1]["x"] + boxes[1]["width"] + 5, boxes[0]["y"] - 20, steps=4)
    page.mouse.up()

    page.wait_for_url("**/conc?**")
    first, last = (parse_qs(urlsplit(each).query) for each in wanted)
    assert parse_qs(urlsplit(page.url).query)["from"] == first["from"]
    assert parse_qs(urlsplit(page.url).query)["to"] == last["to"]
