"""Starting the web server by the name of its application, and the demo that ends in it.

What belongs to the demo is imported by it alone: a server would load it for nothing.
"""

import os
import shutil
import signal
import socket
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from izwi.cases.corpus import Corpus
from izwi.cli import render
from izwi.model.errors import IzwiError
from izwi.model.results import RunReport

if TYPE_CHECKING:
    import uvicorn


_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def serve_folders(
    folders: Sequence[Path],
    *,
    host: str,
    port: int = 0,
    as_json: bool,
    page: str = "",
    has_schedule: bool = False,
    names: Sequence[str] = (),
    when_ready: Callable[[str], object] | None = None,
    listener: socket.socket | None = None,
) -> None:
    """Serve corpora until Ctrl-C; `page` is the path to show first."""
    import uvicorn

    for folder in folders:
        Corpus(folder)
    listener = listener or listen(host, port)
    address = f"http://{host}:{listener.getsockname()[1]}{page or '/'}"
    os.environ["IZWI_CLOSED"] = "0" if host in _LOOPBACK else "1"
    known = (host, *names, *os.environ.get("IZWI_HOSTS", "").split())
    os.environ["IZWI_HOSTS"] = " ".join(known)
    os.environ["IZWI_SCHEDULE"] = "1" if has_schedule else "0"
    os.environ["IZWI_CORPORA"] = os.pathsep.join(str(folder.resolve()) for folder in folders)
    config = uvicorn.Config(
        "izwi.web.app:from_environment", factory=True, log_level="warning", access_log=False
    )
    config.load()
    server = uvicorn.Server(config)
    with _ending(server):
        # Whoever reads the address may ask at once.
        listener.listen(config.backlog)
        _announce(address, host, as_json=as_json)
        if when_ready is not None:
            when_ready(address)
        server.run(sockets=[listener])


@contextmanager
def _ending(server: "uvicorn.Server") -> Iterator[None]:
    """End a server by Ctrl-C or SIGTERM, also if they come before it hears them itself."""
    heard: list[int] = []

    def end(number: int, frame: FrameType | None) -> None:
        heard.append(number)
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if heard:
        # A server has nothing that would "go on": the sentence of other commands is not its own.
        sys.stderr.write("izwi: the server has stopped; what was committed is safe.\n")
        raise SystemExit(128 + heard[0])


def _announce(address: str, host: str, *, as_json: bool) -> None:
    if as_json:
        render.show_json({"address": address})
        sys.stdout.flush()
        return
    render.out.print(f"Serving {address} (Ctrl-C stops)", soft_wrap=True)
    if host not in _LOOPBACK:
        render.errors.print(
            "note: others reach this machine, so everyone has to sign in. Make accounts with: "
            "izwi users add NAME"
        )


def listen_from(host: str, port: int, *, tries: int = 20) -> socket.socket:
    """Return a listener at the first free port from this one on."""
    for number in range(port, port + tries - 1):
        with suppress(IzwiError):
            return listen(host, number)
    return listen(host, port + tries - 1)


def listen(host: str, port: int) -> socket.socket:
    """Return a listener; raise IzwiError if the port cannot be used."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # With the protocol named, asyncio sends small answers at once (TCP_NODELAY).
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise IzwiError(
            f"{host}:{port} cannot be used ({error.strerror or error}). Choose another: --port 8001"
        ) from error
    return listener


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
    from izwi.cases.demo import fill_large_demo
    from izwi.demoweb import DemoWeb

    with render.progress(is_quiet=is_quiet) as hear:
        if is_large:
            return fill_large_demo(corpus, listener=hear)
        with DemoWeb() as web:
            return corpus.run(proxy=web.proxy_url, listener=hear)


def serve_web(port: int) -> None:
    """Serve the small web alone until somebody stops it."""
    from izwi.demoweb import DemoWeb
    from izwi.demoweb.__main__ import serve_until_stopped

    try:
        serve_until_stopped(DemoWeb(port))
    except OSError as error:
        raise IzwiError(f"{error.strerror or error}") from error


def demo_corpus(folder: Path, *, is_large: bool = False) -> Corpus:
    """Return the demo corpus in a folder, made if it is not there."""
    if (folder / "corpus.toml").exists():
        return _demo_corpus_there(folder)
    from izwi.cases.demo import create_demo, create_large_demo

    return create_large_demo(folder) if is_large else create_demo(folder)


def _demo_corpus_there(folder: Path) -> Corpus:
    from izwi.cases.demo import CONTACT

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
