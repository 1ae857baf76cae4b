"""The demo: a real crawl of the web that comes along, a real build, a concordance on the screen."""

import sys
import tempfile
import webbrowser
from contextlib import ExitStack
from pathlib import Path

from izwi.cli import render
from izwi.cli.serving import serve_folders
from izwi.demoweb import DemoWeb, archive_urls, feed_urls
from izwi.service.corpus import Corpus, create_corpus

WORD = "bakkie"
_CONTACT = "https://izwi.example/demo"


def run_demo(
    folder: Path | None, *, is_served: bool, is_shown: bool, port: int, as_json: bool
) -> None:
    """Build the demo corpus, print a concordance and, if wanted, serve the pages."""
    with ExitStack() as stack:
        place = (
            folder
            or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="izwi-"))) / "demo"
        )
        corpus = demo_corpus(place)
        with DemoWeb() as web, render.progress(is_quiet=as_json) as listener:
            report = corpus.run(proxy=web.proxy_url, listener=listener)
        found = corpus.concordance(WORD, size=20)
        if as_json and not is_served:
            render.show_json(found)
            return
        if not as_json:
            render.show_report(report)
            render.show_concordance(found)
        if is_served:
            page = f"/c/{corpus.name}/conc?q={WORD}"
            opener = webbrowser.open if is_shown and sys.stdout.isatty() else None
            serve_folders(
                [place], host="127.0.0.1", port=port, as_json=as_json, page=page, when_ready=opener
            )
        elif not as_json:
            render.out.print(
                f"Go on with: izwi query {place} braai   or   izwi serve {place}", soft_wrap=True
            )


def demo_corpus(folder: Path) -> Corpus:
    """Return the demo corpus in a folder, made if it is not there."""
    if (folder / "corpus.toml").exists():
        return Corpus(folder)
    corpus = create_corpus(
        folder,
        contact=_CONTACT,
        name="demo",
        title="South African English, a demonstration",
        languages=("en",),
        delay=0.0,
    )
    for key, url in archive_urls().items():
        corpus.add_source(url, type="seeds", name=key, depth=4)
    for key, url in feed_urls().items():
        corpus.add_source(url, type="feed", name=f"{key}-feed")
    return corpus
