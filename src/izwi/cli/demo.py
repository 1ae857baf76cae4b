"""The demo: a real crawl of the web that comes along, a real build, a concordance on the screen."""

import shutil
import socket
import sys
import webbrowser
from pathlib import Path

from izwi.cases.corpus import Corpus
from izwi.cases.demo import CONTACT, create_demo, create_large_demo, fill_large_demo
from izwi.cli import render
from izwi.cli.serving import listen, listen_from, serve_folders
from izwi.demoweb import DemoWeb
from izwi.demoweb.__main__ import serve_until_stopped
from izwi.model.errors import IzwiError
from izwi.model.results import RunReport

WORD = "bakkie"
_HOST, _PORT = "127.0.0.1", 8000


def run_demo(
    folder: Path,
    *,
    is_large: bool = False,
    is_served: bool,
    is_shown: bool,
    port: int | None,
    as_json: bool,
) -> None:
    """Build the demo corpus, print a concordance and, if wanted, serve the pages."""
    # Before anything is built: a port that is taken is said at once.
    listener = _listener(port) if is_served else None
    corpus = demo_corpus(folder, is_large=is_large)
    report = _built(corpus, is_large=is_large, is_quiet=as_json)
    found = corpus.concordance(WORD, size=20)
    if as_json and not is_served:
        render.show_json(found)
        return
    if not as_json:
        render.show_report(report)
        render.show_concordance(found)
        _say_what_next(folder)
    if listener is not None:
        opener = webbrowser.open if is_shown and sys.stdout.isatty() else None
        serve_folders(
            [folder],
            host=_HOST,
            as_json=as_json,
            page=f"/c/{corpus.name}/conc?q={WORD}",
            when_ready=opener,
            listener=listener,
        )


def _built(corpus: Corpus, *, is_large: bool, is_quiet: bool) -> RunReport:
    with render.progress(is_quiet=is_quiet) as hear:
        if is_large:
            return fill_large_demo(corpus, listener=hear)
        with DemoWeb() as web:
            return corpus.run(proxy=web.proxy_url, listener=hear)


def serve_web(port: int) -> None:
    """Serve the small web alone until somebody stops it."""
    try:
        serve_until_stopped(DemoWeb(port))
    except OSError as error:
        raise IzwiError(f"{error.strerror or error}") from error


def demo_corpus(folder: Path, *, is_large: bool = False) -> Corpus:
    """Return the demo corpus in a folder, made if it is not there."""
    if (folder / "corpus.toml").exists():
        return _demo_corpus_there(folder)
    return create_large_demo(folder) if is_large else create_demo(folder)


def _demo_corpus_there(folder: Path) -> Corpus:
    corpus = Corpus(folder)
    if corpus.config.gather.contact != CONTACT:
        raise IzwiError(f"{folder} is a corpus of yours; choose another folder: --folder NAME")
    return corpus


def _listener(port: int | None) -> socket.socket:
    return listen_from(_HOST, _PORT) if port is None else listen(_HOST, port)


def _say_what_next(folder: Path) -> None:
    """Name commands that can be typed here as they stand."""
    izwi = "izwi" if shutil.which("izwi") else sys.argv[0]
    render.out.print(
        f"The corpus stays in {folder}. Go on with: {izwi} query {folder} braai   or   "
        f"{izwi} serve {folder}",
        soft_wrap=True,
    )
