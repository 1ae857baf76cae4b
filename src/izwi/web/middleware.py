"""What stands round every request: harmless headers, HEAD as GET, whose turn it is, how long."""

import asyncio
import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from izwi.cases.corpus import attended, turns

# Whatever a gathered page smuggles in, the browser loads and runs nothing but our own files.
SAFE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; "
        "frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    # Other sites learn nothing; our own forms must be able to say where they were.
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "DENY",
}
# An archived page is shown in a frame that runs and loads nothing and belongs to nobody.
ARCHIVED_HEADERS = {
    "Content-Security-Policy": (
        "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
        "form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
    ),
    "X-Frame-Options": "SAMEORIGIN",
    "X-DNS-Prefetch-Control": "off",
    "X-Robots-Tag": "noindex",
    "Cache-Control": "private, no-store",
}


class SafeHeaders:
    """Puts the headers above on every answer, but for those it brings along."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on and the answer back, with the headers."""

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                # A captured page comes with stricter ones of its own.
                for name, value in SAFE_HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, send_safely)


class HeadAsGet:
    """Answers HEAD as GET without a body, which FastAPI's routes do not do by themselves."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; a HEAD goes as GET and comes back without a body."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await self._app(scope, receive, send)
            return

        async def send_without_body(message: Message) -> None:
            if message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        await self._app({**scope, "method": "GET"}, receive, send_without_body)


class NamedVersion:
    """Takes `version=` for `v=`: who pins a citation by the full name must not get the newest."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; one of a reader's page by the short name."""
        if scope["type"] == "http" and scope["path"].startswith("/c/"):
            pairs = scope["query_string"].split(b"&")
            if not any(pair.startswith(b"v=") for pair in pairs):
                named = [
                    b"v=" + pair.removeprefix(b"version=") if pair.startswith(b"version=") else pair
                    for pair in pairs
                ]
                scope = {**scope, "query_string": b"&".join(named)}
        await self._app(scope, receive, send)


_TURNS = "izwi.turns"


class Attending:
    """Ends the queries of readers who have gone away, and says how long an answer took.

    Of questions that take long, a few are answered at a time.

    Only questions are given up: what a reader asked to be changed is changed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        # One processor is left to those whose questions are short.
        self._turns = turns(max(1, (os.cpu_count() or 2) - 1))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, with an ear to the connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = time.perf_counter()

        async def send_with_time(message: Message) -> None:
            if message["type"] == "http.response.start":
                taken = 1000 * (time.perf_counter() - begun)
                MutableHeaders(scope=message).append("Server-Timing", f"total;dur={taken:.1f}")
            await send(message)

        if scope["method"] not in {"GET", "HEAD"}:
            await self._app(scope, receive, send_with_time)
            return
        await self._attend(scope, receive, send_with_time)

    async def _attend(self, scope: Scope, receive: Receive, send: Send) -> None:
        gone = threading.Event()
        waiting: asyncio.Queue[Message] = asyncio.Queue()

        async def listen() -> None:
            while not gone.is_set():
                message = await receive()
                if message["type"] == "http.disconnect":
                    gone.set()
                await waiting.put(message)

        listener = asyncio.create_task(listen())
        scope[_TURNS] = self._turns
        try:
            with attended(gone, self._turns):
                await self._app(scope, waiting.get, send)
        finally:
            listener.cancel()


# A page that is not there by then says so, and goes on; tests set another.
PATIENCE = "IZWI_PATIENCE"
_PATIENCE_SECONDS = 0.8
# Who has not asked again for so long has gone away.
_LEFT_SECONDS = 20.0
# What makes two requests for an address the same.
_WHO = ("cookie", "authorization", "accept-language", "accept-encoding", "host")


@dataclass(slots=True)
class _Pending:
    """A page that is being made: since when, and what has been sent of it."""

    begun: float
    asked: float
    gone: threading.Event = field(default_factory=threading.Event)
    sent: list[Message] = field(default_factory=list)
    task: "asyncio.Task[None] | None" = None


class Patient:
    """Shows that a page is being made where that takes longer, and the page once it is made.

    The page that waits asks again by itself, without scripts; the question goes on meanwhile, as
    long as somebody asks for it. Programs wait for their answers, which may be of any length.
    """

    def __init__(
        self,
        app: ASGIApp,
        waiting: Callable[[float], Response],
        is_ready: Callable[[], bool] = lambda: True,
    ) -> None:
        self._app = app
        self._waiting = waiting
        self._is_ready = is_ready
        self._patience = float(os.environ.get(PATIENCE) or _PATIENCE_SECONDS)
        self._pending: dict[tuple[str, ...], _Pending] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer within the time a reader waits."""
        if not _is_page(scope):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        query = scope["query_string"].decode("latin-1")
        key = (scope["path"], query, *("; ".join(headers.getlist(name)) for name in _WHO))
        pending = self._pending.get(key) or self._begin(key, scope, receive)
        pending.asked = time.monotonic()
        assert pending.task is not None
        was_ready = False
        while not pending.task.done() and not was_ready:
            was_ready = self._is_ready()
            await asyncio.wait({pending.task}, timeout=self._patience)
        if pending.task.done():
            self._pending.pop(key, None)
            pending.task.result()
            for message in pending.sent:
                await send(message)
            return
        asyncio.get_running_loop().call_later(_LEFT_SECONDS, self._leave, key, pending.asked)
        await self._waiting(time.monotonic() - pending.begun)(scope, receive, send)

    def _begin(self, key: tuple[str, ...], scope: Scope, receive: Receive) -> _Pending:
        now = time.monotonic()
        pending = self._pending[key] = _Pending(now, now)
        pending.task = asyncio.create_task(self._make(pending, scope, receive))
        return pending

    async def _make(self, pending: _Pending, scope: Scope, receive: Receive) -> None:
        async def keep(message: Message) -> None:
            pending.sent.append(message)

        # The request that began it may be answered long before this is done: its turn is its own.
        with attended(pending.gone, scope.get(_TURNS) or turns(1)):
            await self._app(scope, receive, keep)

    def _leave(self, key: tuple[str, ...], asked: float) -> None:
        """Give a page up that nobody has asked for again."""
        pending = self._pending.get(key)
        if pending is not None and pending.asked == asked:
            pending.gone.set()
            del self._pending[key]


def _is_page(scope: Scope) -> bool:
    """Return whether somebody goes to a page of a corpus with a browser."""
    if scope["type"] != "http" or scope["method"] != "GET":
        return False
    path: str = scope["path"]
    is_shown = "text/html" in Headers(scope=scope).get("accept", "")
    is_place = path.startswith(("/c/", "/admin/")) and "." not in path.rpartition("/")[2]
    # A page as it was captured stands in a frame, where no page of ours may stand.
    return is_shown and is_place and "/export" not in path and "/archived" not in path
