"""Whether the reader is still there, whose turn it is, and how long the answer took."""

import asyncio
import os
import threading
import time

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from izwi.query.deadline import GONE, TURN, Turn, Turns


class Attending:
    """Ends the queries of readers who have gone away, and says how long an answer took.

    Of questions that take long, a few are answered at a time.

    Only questions are given up: what a reader asked to be changed is changed.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        # One processor is left to those whose questions are short.
        self._turns = Turns(max(1, (os.cpu_count() or 2) - 1))

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
        turn = Turn(self._turns)
        before, other = GONE.set(gone), TURN.set(turn)
        try:
            await self._app(scope, waiting.get, send)
        finally:
            turn.give_back()
            GONE.reset(before)
            TURN.reset(other)
            listener.cancel()
