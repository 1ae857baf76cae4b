"""Make the pictures of the pages in docs/images from the demo corpus: tools/make_screenshots.py [FOLDER] [--every TARGET].

The demo corpus is built in a temporary folder unless one is given, served, and looked at with a real Chromium. With --every, every
page is put into TARGET instead, whole, in two widths and two themes, as a reader and as a curator see it; it says which pages are
wider than the window.
"""

import argparse
import itertools
import os
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import uvicorn
from playwright.sync_api import Browser, Page, sync_playwright

from izwi.cli.serving import demo_corpus
from izwi.demoweb import DemoWeb
from izwi.web.app import create_app
from izwi.web.middleware import PATIENCE

IMAGES = Path(__file__).parent.parent / "docs" / "images"
PORT = 8931
# name, path, width, height, theme; what is opened or pressed before
SHOTS = (
    ("concordance", "/c/demo/conc?q=bakkie", 1280, 760, "light", "j j"),
    ("line", "/c/demo/conc?q=bakkie", 1280, 800, "light", "j j Enter"),
    ("concordance-dark", "/c/demo/conc?q=bakkie&sort=right", 1280, 620, "dark", ""),
    ("corpus-home", "/c/demo", 1280, 800, "light", ""),
    ("word-profile", "/c/demo/word/bakkie", 1280, 900, "light", ""),
    ("trends", "/c/demo/trend?q=load-shedding&q=bakkie", 1280, 860, "light", ""),
    ("collocations", "/c/demo/coll?q=bakkie", 1280, 640, "light", ""),
    ("new-words", "/c/demo/new?from=2014&least=2&sites=1", 1280, 640, "light", "j"),
    ("document", "/c/demo/docs", 1280, 640, "light", ""),
    ("telephone", "/c/demo/conc?q=bakkie", 390, 760, "dark", ""),
)
# Every page of a reader and of a curator; {document} and {hit} are those of the first line with bakkie.
READERS = (
    "/", "/preferences", "/help", "/help/glossary", "/c/demo", "/c/demo/conc", "/c/demo/conc?q=bakkie",
    "/c/demo/conc?q=zzzz&from=2010", "/c/demo/conc?q=[", "/c/demo/facets?q=bakkie", "/c/demo/builder?value=a&value=b",
    "/c/demo/docs", "/c/demo/doc/{document}", "/c/demo/doc/{document}/paragraphs", "/c/demo/doc/{document}/metadata",
    "/c/demo/doc/{document}/copies", "/c/demo/doc/{document}/archived", "/c/demo/hit/{hit}", "/c/demo/word/bakkie", "/c/demo/word/lobola",
    "/c/demo/wordlist", "/c/demo/freq?q=bakkie", "/c/demo/coll?q=bakkie", "/c/demo/sketch?word=bakkie",
    "/c/demo/sketch-difference?word=bakkie&other=taxi", "/c/demo/thesaurus?word=bakkie&least=2", "/c/demo/keywords", "/c/demo/ngrams",
    "/c/demo/dispersion?q=bakkie", "/c/demo/compare", "/c/demo/trend?q=load-shedding&q=bakkie", "/c/demo/trend?q=lobola",
    "/c/demo/new?from=2014&least=2&sites=1", "/c/demo/watch", "/c/demo/doc/nonsense", "/c/demo/baskets", "/c/demo/saved", "/no-such-page",
)  # fmt: skip
DESK = ("sources", "sources/karoocourant", "runs", "drops", "drops/review", "inspect", "label", "models", "playground", "audit", "changes",
        "settings", "takedown")  # fmt: skip
CURATORS = ("/admin", "/admin/setup", *(f"/admin/c/demo/{page}" for page in DESK))
TOKEN = "screens"


def shoot(page: Page, name: str, path: str, keys: str) -> None:
    page.goto(f"http://127.0.0.1:{PORT}{path}")
    for key in keys.split():
        page.keyboard.press(key)
    page.wait_for_load_state("networkidle")
    page.screenshot(path=str(IMAGES / f"{name}.png"))
    print(name)


def built(folder: Path) -> Path:
    """Return the folder of a demo corpus, gathered and built."""
    with DemoWeb() as web:
        demo_corpus(folder).run(proxy=web.proxy_url)
    return folder


def shoot_every(browser: Browser, target: Path) -> None:
    """Put a picture of every page into a folder, and say which is wider than its window."""
    target.mkdir(parents=True, exist_ok=True)
    who = ((READERS, {}), (CURATORS, {"Authorization": f"Bearer {TOKEN}"}))
    for width, theme in itertools.product((1280, 390), ("light", "dark")):
        for paths, headers in who:
            context = browser.new_context(
                viewport={"width": width, "height": 900},
                color_scheme=theme,
                base_url=f"http://127.0.0.1:{PORT}",
                extra_http_headers=headers,
            )
            shoot_whole(context.new_page(), paths, target, f"{width}-{theme}")
            context.close()


def shoot_whole(page: Page, paths: Sequence[str], target: Path, ending: str) -> None:
    line = page.request.get("/c/demo/conc.json?q=bakkie&size=1").json()["lines"][0]
    named = {"{document}": line["document"]["id"], "{hit}": line["id"]}
    for path in paths:
        address = path
        for key, value in named.items():
            address = address.replace(key, value)
        answer = page.goto(address)
        page.wait_for_load_state("networkidle")
        name = re.sub(r"[^a-z0-9]+", "-", path.lower()).strip("-") or "home"
        page.screenshot(path=str(target / f"{name}-{ending}.png"), full_page=True)
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        told = f", {wide} px too wide" if wide > 0 else ""
        print(f"{name} {ending}: {answer.status if answer else '?'}{told}", flush=True)


def main() -> None:
    reading = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    reading.add_argument("folder", nargs="?", type=Path)
    reading.add_argument("--every", type=Path, metavar="TARGET")
    asked = reading.parse_args()
    with tempfile.TemporaryDirectory() as place:
        folder = asked.folder or built(Path(place) / "demo")
        os.environ[PATIENCE] = "600"  # pictures are of pages, not of waiting for them
        app = create_app([folder], curator_token=TOKEN)
        server = uvicorn.Server(uvicorn.Config(app, port=PORT, log_level="warning"))
        threading.Thread(target=server.run, daemon=True).start()
        while not server.started:
            time.sleep(0.1)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            if asked.every:
                shoot_every(browser, asked.every)
            for name, path, width, height, theme, keys in () if asked.every else SHOTS:
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=theme
                )
                shoot(page, name, path, keys)
                page.close()
            browser.close()
        server.should_exit = True


if __name__ == "__main__":
    main()
