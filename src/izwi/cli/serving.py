"""Starting the web server: by the name of its application, so that the skins stay apart."""

import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from izwi.cases.corpus import Corpus
from izwi.cli import render
from izwi.model.errors import IzwiError, Terminated

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
        raise Terminated if heard[0] == signal.SIGTERM else KeyboardInterrupt


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
