import json
import os
import shutil

import httpx
import pytest

import izwi
from izwi.store.layout import Layout
from izwi.store.sums import forget
from izwi.web.app import create_app
from tests.demoweb.faults import FaultyWeb

from .serving import HOSTILE, TOKEN, asking, serving

FIRST_PAGES = (
    "http://karoocourant.example/2023/10/sjambok-case-court.html",
    "http://karoocourant.example/2023/08/hijacked-bakkies-border.html",
    "http://karoocourant.example/2019/10/veld-fire-koppie.html",
    "http://egolipost.example/news/2017-10-13-roof-off-the-mall-tornado",
    "http://egolipost.example/news/2010-02-19-pothole-swallows-bakkie-wheel",
    "http://izwilomphakathi.example/en/clinic-queue-starts-at-four",
    "http://faults.example/status/404",
)
LATER_PAGES = (
    "http://braaiandbakkie.example/2010/09/10/bakkie-of-thirteen-hundred/",
    HOSTILE,
    "http://faults.example/ok",
    "http://faults.example/ok?again=1",  # the same text
)
# Short blocks count as text here: what is hostile in the text is short.
_SETTINGS = """\
[corpus]
name = "tiny"
title = "Tiny & small"
languages = ["en"]

[gather]
contact = "https://example.org/bot"
delay = 0.0

[extract]
method = "justext"
options = { length_low = 5, length_high = 6, stopwords_low = 0.0, stopwords_high = 0.0 }
"""
_SOURCE = '\n[[source]]\nname = "{name}"\ntype = "seeds"\nurls = {urls}\n'


# The first draws no window that nobody sees: a page costs less than half in it.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session", autouse=True)
def _own_workspace(tmp_path_factory):
    """Readers' things of the tests stay apart from the user's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("IZWI_WORKSPACE", str(tmp_path_factory.mktemp("workspace")))
        yield


@pytest.fixture(scope="session")
def corpus_folder(tmp_path_factory):
    """A corpus of some pages in two versions, one page hostile; to be read only."""
    folder = tmp_path_factory.mktemp("web")
    text = _SETTINGS
    with FaultyWeb() as web:
        for name, urls in (("first-pages", FIRST_PAGES), ("later-pages", LATER_PAGES)):
            text += _SOURCE.format(name=name, urls=json.dumps(urls))
            (folder / "corpus.toml").write_text(text, encoding="utf-8")
            with izwi.open(folder) as corpus:
                corpus.run(proxy=web.proxy_url, workers=1)
    # Tests begin with nothing recorded.
    (folder / "curation.sqlite").unlink()
    forget(Layout(folder), folder / "curation.sqlite")
    return folder


@pytest.fixture
def own_folder(corpus_folder, tmp_path):
    """The same corpus for one test alone, to be written or spoilt."""
    return shutil.copytree(corpus_folder, tmp_path / "own")


@pytest.fixture(scope="session")
def address(corpus_folder):
    """Where the corpus is served, read-only."""
    with serving(create_app([corpus_folder])) as address:
        yield address


@pytest.fixture(scope="session")
def client(address):
    """A client of the corpus, served read-only."""
    with httpx.Client(base_url=address, trust_env=False, timeout=120) as client:
        yield client


@pytest.fixture(scope="session")
def guarded(corpus_folder):
    """A client that has no token, of a server that wants one."""
    with asking(create_app([corpus_folder], curator_token=TOKEN)) as client:
        yield client


@pytest.fixture
def curator(own_folder):
    """A client that may change its own copy of the corpus."""
    headers = {"Authorization": f"Bearer {TOKEN}".encode()}
    with asking(create_app([own_folder], curator_token=TOKEN)) as client:
        client.headers.update(headers)
        yield client


@pytest.fixture(scope="module")
def chromium(address):
    """A browser for the tests of one file; no longer, for it keeps an event loop running."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None and "CI" not in os.environ:
        pytest.skip("no Chromium on this machine; on Debian: apt-get install chromium")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # two cores are shared with other tests
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium, address):
    """Open a window of the site; everything amiss in it fails the test."""
    contexts, amiss = [], []

    def open_window(**options):
        context = chromium.new_context(base_url=address, **options)
        contexts.append(context)
        return _watched_page(context, address, amiss)

    yield open_window
    for context in contexts:
        context.close()
    assert amiss == []


@pytest.fixture(scope="module")
def _only_window(chromium, address):
    amiss = []
    with chromium.new_context(base_url=address) as context:
        yield _watched_page(context, address, amiss), amiss


@pytest.fixture
def window(_only_window):
    """The one window of a file whose tests only look at pages; what is amiss fails the test."""
    page, amiss = _only_window
    amiss.clear()
    as_new(page)
    yield page
    assert amiss == []


def as_new(page):
    """Give a window the size and theme that a new one has."""
    page.set_viewport_size({"width": 1280, "height": 720})
    page.emulate_media(color_scheme="light", reduced_motion="no-preference")


def _watched_page(context, address, amiss):
    page = context.new_page()
    page.set_default_timeout(30_000)
    page.on("dialog", lambda dialog: (amiss.append(dialog.message), dialog.dismiss()))
    page.on("pageerror", lambda error: amiss.append(str(error)))
    page.on("console", lambda message: _note_complaint(message.text, amiss))
    page.on("request", lambda request: _note_strangers(request.url, address, amiss))
    return page


def _note_strangers(url, address, amiss):
    if not url.startswith((f"{address}/", "data:")):
        amiss.append(f"asked {url}")


def _note_complaint(text, amiss):
    # That a page comes with status 400 or 404 is not amiss where a test expects it, and what axe
    # says to a frame it must not look into is its own affair.
    if not any(words in text for words in ("responded with a status of 40", "'postMessage' on")):
        amiss.append(text)
