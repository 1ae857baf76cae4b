"""Make the pictures of the pages in docs/images from the demo corpus: tools/make_screenshots.py [FOLDER].

The demo corpus is built in a temporary folder unless one is given, served, and looked at with a real Chromium.
"""

import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import uvicorn
from playwright.sync_api import Page, sync_playwright

from izwi.cli.demo import demo_corpus
from izwi.demoweb import DemoWeb
from izwi.web.app import create_app

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
    ("new-words", "/c/demo/new?from=2020&least=2&sites=2", 1280, 640, "light", "j"),
    ("document", "/c/demo/docs", 1280, 640, "light", ""),
    ("telephone", "/c/demo/conc?q=bakkie", 390, 760, "dark", ""),
)


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


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(sys.argv[1]) if len(sys.argv) > 1 else built(Path(place) / "demo")
        config = uvicorn.Config(create_app([folder]), port=PORT, log_level="warning")
        server = uvicorn.Server(config)
        threading.Thread(target=server.run, daemon=True).start()
        while not server.started:
            time.sleep(0.1)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=["--no-sandbox", "--disable-gpu"]
            )
            for name, path, width, height, theme, keys in SHOTS:
                page = browser.new_page(
                    viewport={"width": width, "height": height}, color_scheme=theme
                )
                shoot(page, name, path, keys)
                page.close()
            browser.close()
        server.should_exit = True


if __name__ == "__main__":
    main()
