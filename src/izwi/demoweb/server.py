"""The server: an HTTP proxy on loopback that answers for every host, and what it sends."""

import asyncio
import contextlib
import errno
import socket
import struct
import threading
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from hashlib import blake2b
from typing import Self
from urllib.parse import urlsplit

from aiohttp import web

from izwi.demoweb.articles import PUBLICATIONS, Publication, load_articles
from izwi.demoweb.pages import Page, index_page, page_for


class Ending(Enum):
    """How a reply ends."""

    WHOLE = auto()
    CLOSED = auto()  # the connection is closed although more was promised
    RESET = auto()  # the connection is reset
    HANGING = auto()  # nothing more comes, until the client goes away


@dataclass(frozen=True, slots=True)
class Reply:
    """A status, headers and a body in pieces; status 0 means that not even headers are sent."""

    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    pieces: Iterable[bytes] = ()
    length: int | None = None
    pause_seconds: float = 0.0
    ending: Ending = Ending.WHOLE
    # What stands behind the status; all that a client learns of a tunnel that is refused.
    reason: str | None = None


def whole_reply(
    body: bytes, *, status: int = 200, content_type: str = "text/html; charset=utf-8"
) -> Reply:
    """Return a reply that sends a body at once."""
    return Reply(status, content_type, pieces=(body,), length=len(body))


_LOOPBACK = "127.0.0.1"
_ITSELF = {_LOOPBACK, "localhost"}
_PUBLICATION_BY_HOST = {each.host: each for each in PUBLICATIONS.values()}
_LINGER_NOT = struct.pack("ii", 1, 0)  # close() then sends RST instead of FIN
_GRACE_SECONDS = 0.1
_NO_HTTPS = "The demo web has no https: write http://"
_SETTLE_SECONDS = 0.02  # a few turns of the event loop


@dataclass(frozen=True, slots=True)
class Request:
    """What somebody asked the server; status 0 means that no answer was sent."""

    time_monotonic: float
    method: str
    url: str
    status: int
    user_agent: str
    cookie: str = ""


class DemoWeb:
    """The demo web, served from a thread of its own between `with` and its end.

    `delay` seconds pass before each page of a publication; `log` grows by one Request for each
    request, before it is answered.
    """

    def __init__(self, port: int = 0, *, delay: float = 0.0) -> None:
        self.port = port
        self.delay = delay
        self.log: list[Request] = []
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._stop = asyncio.Event()

    @property
    def proxy_url(self) -> str:
        """The address that a client takes as its HTTP proxy."""
        return f"http://{_LOOPBACK}:{self.port}"

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *raised: object) -> None:
        self.stop()

    def start(self) -> None:
        """Listen and serve; raise OSError if the port is taken, ValueError at a bad article."""
        load_articles()
        listener = _listen(self.port)
        self.port = listener.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(listener, ready)), name="demoweb", daemon=True
        )
        self._thread.start()
        ready.wait()

    def stop(self) -> None:
        """Stop serving, whatever clients are still waiting for."""
        if self._thread is None or self._loop is None:
            return
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join()
        self._thread = self._loop = None

    async def _serve(self, listener: socket.socket, ready: threading.Event) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = web.Server(self._answer, access_log=None, handler_cancellation=True)
        runner = web.ServerRunner(server, shutdown_timeout=_GRACE_SECONDS)
        await runner.setup()
        await web.SockSite(runner, listener).start()
        ready.set()
        await self._stop.wait()
        await _close(server, runner, listener)

    async def _answer(self, request: web.BaseRequest) -> web.StreamResponse:
        arrived = time.monotonic()
        url = _requested_url(request)
        host = (urlsplit(url).hostname or "").lower()
        if host in _PUBLICATION_BY_HOST and self.delay:
            await asyncio.sleep(self.delay)
        reply = _unless_known(self._reply(request.method, host, url), request)
        agent, cookie = (request.headers.get(name, "") for name in ("User-Agent", "Cookie"))
        self.log.append(Request(arrived, request.method, url, reply.status, agent, cookie))
        return await _send(request, reply)

    def _reply(self, method: str, host: str, url: str) -> Reply:
        """Decide what to answer."""
        parts = urlsplit(url)
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        if method == "CONNECT":
            return replace(_sentence(405, _NO_HTTPS), reason=_NO_HTTPS)
        if method not in ("GET", "HEAD"):
            return _sentence(405, "The demo web answers GET and HEAD over plain HTTP only.")
        if host in _PUBLICATION_BY_HOST:
            return _publication_reply(_PUBLICATION_BY_HOST[host], target)
        if host in _ITSELF:
            return _page_reply(index_page())
        earlier = sum(each.url == url for each in self.log)
        return self.other_reply(host, target, earlier)

    def other_reply(self, host: str, target: str, earlier: int) -> Reply:
        """Return what a host says that is no publication; tests have hosts of their own here."""
        return _sentence(502, f"The demo web has no host called {host!r}.")


def _listen(port: int) -> socket.socket:
    failure = f"the demo web cannot listen on {_LOOPBACK}:{port}"
    if not 0 <= port < 2**16:
        raise OSError(errno.EINVAL, f"{failure}: ports go from 0 to 65535")
    try:
        return socket.create_server((_LOOPBACK, port))
    except OSError as error:
        raise OSError(error.errno, f"{failure}: {error.strerror}. Try another port.") from error


async def _close(server: web.Server, runner: web.ServerRunner, listener: socket.socket) -> None:
    """Close everything, including what asyncio and aiohttp would leave open.

    asyncio loses, unclosed, a connection accepted in the very turn in which the listener closes;
    aiohttp leaves open one whose client does not read what is still to be written.
    """
    with contextlib.suppress(NotImplementedError):  # on Windows
        asyncio.get_running_loop().remove_reader(listener)
    await asyncio.sleep(_SETTLE_SECONDS)
    transports = [each.transport for each in server.connections if each.transport]
    await runner.cleanup()
    for transport in transports:
        transport.abort()
    await asyncio.sleep(_SETTLE_SECONDS)


def _requested_url(request: web.BaseRequest) -> str:
    target = request.raw_path
    return target if target.startswith("http://") else f"http://{request.host}{target}"


def _publication_reply(publication: Publication, target: str) -> Reply:
    """Return a page, or the way to the first of a list that was asked for without its number."""
    page = page_for(publication, target)
    first = publication.archive_path
    if page.status == 404 and first == f"{target.rstrip('/')}/page/1":
        return Reply(302, headers={"Location": publication.url(first)}, length=0)
    return _page_reply(page)


def _page_reply(page: Page) -> Reply:
    length = len(page.body)
    tag = f'"{blake2b(page.body, digest_size=8).hexdigest()}"'
    return Reply(page.status, page.content_type, {"ETag": tag}, (page.body,), length)


def _unless_known(reply: Reply, request: web.BaseRequest) -> Reply:
    """Return 304 instead of a page that the client says it has."""
    tag = reply.headers.get("ETag")
    if tag and reply.status == 200 and request.headers.get("If-None-Match") == tag:
        return Reply(304, headers={"ETag": tag})
    return reply


def _sentence(status: int, text: str) -> Reply:
    return whole_reply(text.encode(), status=status, content_type="text/plain; charset=utf-8")


async def _send(request: web.BaseRequest, reply: Reply) -> web.StreamResponse:
    """Send a reply with all its faults."""
    response = web.StreamResponse(
        status=reply.status or 200, reason=reply.reason, headers=reply.headers
    )
    response.headers["Content-Type"] = reply.content_type
    response.content_length = reply.length
    with contextlib.suppress(ConnectionError):  # clients may leave whenever they like
        if reply.status:
            await response.prepare(request)
        if request.method != "HEAD":
            await _send_body(response, reply)
        await _end(request, reply.ending)
    return response


async def _send_body(response: web.StreamResponse, reply: Reply) -> None:
    for piece in reply.pieces:
        await response.write(piece)
        await asyncio.sleep(reply.pause_seconds)


async def _end(request: web.BaseRequest, ending: Ending) -> None:
    if ending is Ending.HANGING:
        await asyncio.Event().wait()
    if ending is Ending.WHOLE or request.transport is None:
        return
    if ending is Ending.RESET:
        connection = request.transport.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_NOT)
        request.transport.abort()
    else:
        request.transport.close()
