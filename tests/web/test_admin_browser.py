"""The curators' pages in a real browser: by keyboard, and without anything amiss."""

import json
import shutil
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from playwright.sync_api import expect

import izwi
from izwi.cases.accounts import Accounts
from izwi.web.app import create_app
from tests.demoweb.faults import FaultyWeb

from ..waiting import until
from .axe import violations
from .serving import serving

pytestmark = pytest.mark.browser
PASSWORD = "sorghum and thunder"
BASE = "/admin/c/tiny"
# A source that gave articles in one run, and nothing but lists in the next.
HOST = "http://karoocourant.example"
ARTICLES = (
    f"{HOST}/2026/03/robot-returns-2026.html",
    f"{HOST}/2026/03/foot-and-mouth-stock-sales.html",
    f"{HOST}/2025/09/stokvel-buys-flock.html",
    f"{HOST}/2025/04/platteland-newcomers.html",
    f"{HOST}/2024/07/snow-closes-passes.html",
    f"{HOST}/2023/10/sjambok-case-court.html",
)
LISTS = (
    f"{HOST}/archive",
    f"{HOST}/",
    f"{HOST}/section/dorp-life.html",
    f"{HOST}/section/farming.html",
    f"{HOST}/section/news.html",
    f"{HOST}/archive?page=2",
    f"{HOST}/archive?page=3",
)


@pytest.fixture(scope="module")
def accounts(tmp_path_factory):
    made = Accounts(tmp_path_factory.mktemp("accounts") / "accounts.sqlite")
    made.add("thandi", PASSWORD, "curator")
    return made


@pytest.fixture(scope="module")
def folder(corpus_folder, tmp_path_factory):
    """A copy of the corpus for the flows of this file."""
    return shutil.copytree(corpus_folder, tmp_path_factory.mktemp("flows") / "own")


@pytest.fixture(scope="module")
def site(folder, accounts):
    with serving(create_app([folder], accounts=accounts)) as address:
        yield address


@pytest.fixture(scope="module")
def _only_window(chromium, site, accounts):
    amiss = []
    with chromium.new_context(base_url=site) as context:
        secret = accounts.sign_in("thandi", PASSWORD).secret
        context.add_cookies([{"name": "izwi_session", "value": secret, "url": site}])
        page = context.new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: amiss.append(str(error)))
        # What axe says to a frame it must not look into is its own affair.
        page.on("console", lambda said: amiss.append(said.text) if _is_amiss(said.text) else None)
        yield page, amiss


def _is_amiss(text):
    expected = ("postMessage", "Password forms should have", "a status of 400")
    return not any(words in text for words in expected)


def heading(page):
    return page.locator("h1").inner_text()


def document_id(folder, **wanted):
    return next(line.document for line in izwi.open(folder).drops(**wanted).lines if line.document)


def test_one_signs_in_by_keyboard_and_comes_back(chromium, site):
    context = chromium.new_context(base_url=site)
    page = context.new_page()
    page.goto(f"{BASE}/audit")

    page.get_by_label("Name").focus()
    page.keyboard.type("thandi")
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    # The page to sign in is shown at an address that ends so, too: the heading tells.
    page.get_by_role("heading", level=1, name="Audit").wait_for()

    assert page.url.endswith("/audit")
    context.close()


def test_fifty_paragraphs_are_labelled_and_a_model_trained_by_keyboard(window, folder):
    window.goto(f"{BASE}/label?order=random")
    labelled, pages = 0, 0
    while labelled < 50 or pages < 3:
        texts = window.locator(".labels fieldset p").all_inner_texts()
        for text in texts:
            window.keyboard.press("t" if len(text) > 80 else "b")
        checked = window.locator(".labels input:checked").evaluate_all(
            "all => all.map(each => each.value)"
        )
        assert checked == ["main" if len(text) > 80 else "boilerplate" for text in texts]
        labelled, pages = labelled + len(texts), pages + 1
        with window.expect_navigation():
            window.keyboard.press("s")
    assert sum(len(page.blocks) for page in izwi.open(folder).labels()) == labelled

    window.get_by_role("link", name="Train").focus()
    window.keyboard.press("Enter")
    window.wait_for_url("**/models")
    window.get_by_label("Name").focus()
    window.keyboard.type("by-keys")
    window.keyboard.press("Enter")
    window.wait_for_selector("#model-by-keys", timeout=240_000)

    rows = window.locator("tbody tr")
    expect(rows).to_have_count(19)
    expect(window.locator("tr.best")).to_have_count(1)
    assert (folder / "models" / "by-keys.npz").exists()


def test_a_dropped_document_is_restored_by_keyboard_and_found_in_the_concordance(window, folder):
    (line,) = izwi.open(folder).drops(reason="exact-copy").lines
    before = izwi.open(folder).concordance("wheel", size=500).hits
    window.goto(f"{BASE}/drops?reason=exact-copy")

    window.keyboard.press("j")
    window.keyboard.press("r")
    window.wait_for_url("**/runs/**")
    window.locator(".progress-line", has_text="done").wait_for(timeout=240_000)

    window.goto("/c/tiny/conc?q=wheel&size=500")
    addresses = window.locator(".kwic .card a").evaluate_all("all => all.map(each => each.href)")
    assert line.url in addresses
    assert izwi.open(folder).concordance("wheel", size=500).hits > before


def test_two_settings_are_compared_and_one_is_saved_by_keyboard(window, folder):
    window.goto(f"{BASE}/playground")

    window.get_by_label("minimum words per document").focus()
    window.keyboard.press("Control+a")
    window.keyboard.type("300")
    window.keyboard.press("Enter")
    window.wait_for_selector(".compare")
    assert window.locator("details.change").count() > 0
    assert izwi.open(folder).config.select.minimum_words == 20

    window.get_by_label("Why").focus()
    window.keyboard.type("notices are noise")
    window.keyboard.press("Enter")
    window.wait_for_url("**said=saved**")

    assert izwi.open(folder).config.select.minimum_words == 300
    window.goto(f"{BASE}/changes")
    window.keyboard.press("j")
    window.keyboard.press("u")
    window.wait_for_url("**said=undone**")
    assert izwi.open(folder).config.select.minimum_words == 20


def test_a_sample_is_judged_by_keyboard(window, folder):
    number = izwi.open(folder).start_audit(size=3, seed=1, by="thandi")
    window.goto(f"{BASE}/audit/{number}")

    for key in ("4", "", "1"):
        if key:
            window.keyboard.press(key)
        with window.expect_navigation():
            window.keyboard.press("s")

    expect(window.get_by_text("All have been judged.")).to_be_visible()
    figures = {each.fault: each.count for each in izwi.open(folder).audits()[0].figures}
    assert (figures["wrong date"], figures["wrong language"]) == (1, 1)


def test_why_a_source_gives_less_is_found_in_two_clicks(chromium, accounts, tmp_path):
    folder = tmp_path / "less"
    _run(folder, ARTICLES)
    # Pages are given to runs by the second they came in.
    now = int(time.time())
    until(lambda: int(time.time()) > now)
    _run(folder, LISTS)
    with serving(create_app([folder], accounts=accounts)) as address:
        context = chromium.new_context(base_url=address)
        secret = accounts.sign_in("thandi", PASSWORD).secret
        context.add_cookies([{"name": "izwi_session", "value": secret, "url": address}])
        page = context.new_page()
        page.goto("/admin/c/less")
        alarm = page.locator(".alarm", has_text="courant")
        assert "usually" in alarm.inner_text() or "nothing was kept" in alarm.inner_text()

        alarm.get_by_role("link").click()
        expect(page.locator("tr[data-item]").nth(4)).to_be_visible()
        page.locator("tr[data-item] a").first.click()

        expect(page.locator(".verdict-line")).to_be_visible()
        expect(page.locator(".verdict-line .dropped")).to_be_visible()
        context.close()


def _run(folder, urls):
    """Gather some pages as one run of a source."""
    folder.mkdir(exist_ok=True)
    text = (
        '[corpus]\nname = "less"\nlanguages = ["en"]\n[gather]\ncontact = "x"\ndelay = 0.0\n'
        f'[[source]]\nname = "courant"\ntype = "seeds"\nurls = {json.dumps(urls)}\n'
    )
    (folder / "corpus.toml").write_text(text, encoding="utf-8")
    # In a thread: the browser keeps an event loop running in this one.
    with FaultyWeb() as web, ThreadPoolExecutor(1) as pool:
        pool.submit(izwi.open(folder).run, proxy=web.proxy_url, workers=1).result()


PAGES = (
    "/login", "/admin", "/admin/setup", "/account", BASE,
    *(f"{BASE}/{path}" for path in (
        "sources", "sources/first-pages", "runs", "runs/RUN", "drops?outcome=any", "settings",
        "drops/review", "sources?check=nonsense",
        "takedown?look=1&reason=x&target=karoocourant.example", "inspect?document=nowhere",
        "label?order=random", "models",
        "playground?select.minimum_words=300", "audit", "audit/AUDIT", "takedown", "changes",
        "inspect/DOCUMENT", "inspect/DOCUMENT?method=justext", "copies/COPY",
    )),
)  # fmt: skip


@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing_amiss(window, folder, path):
    corpus = izwi.open(folder)
    if not corpus.audits():
        corpus.start_audit(size=5, by="thandi")
    for name, value in (
        ("RUN", corpus.runs()[-1].run),
        ("AUDIT", str(corpus.audits()[0].id)),
        ("DOCUMENT", document_id(folder, url="sjambok")),
        ("COPY", document_id(folder, url="faults.example/ok?again")),
    ):
        path = path.replace(name, value)

    window.goto(path)
    window.locator("main details").evaluate_all("all => all.forEach(each => each.open = true)")
    found = []
    for width, theme in ((1280, "light"), (360, "dark")):
        window.set_viewport_size({"width": width, "height": 740})
        window.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{width} {theme} {each}" for each in violations(window)]
    assert found == []


@pytest.mark.parametrize("path", ["", "/drops", "/runs", "/sources", "/changes", "/settings"])
def test_no_page_is_wider_than_its_window(window, path):
    window.goto(f"{BASE}{path}")

    for width in (1280, 800, 360):
        window.set_viewport_size({"width": width, "height": 740})
        assert window.evaluate("document.documentElement.scrollWidth") == width


def test_keys_are_not_taken_from_fields(window):
    window.goto(f"{BASE}/drops?reason=exact-copy&outcome=any")

    window.get_by_label("Part of the URL").focus()
    window.keyboard.type("jkr")

    expect(window.get_by_label("Part of the URL")).to_have_value("jkr")
    assert "/drops" in window.url
