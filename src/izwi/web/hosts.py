"""Under which names this server may be asked: its own, and no other.

A page elsewhere may let its own name lead to this machine (DNS rebinding) and then read what the
server gives to whoever sits at it. Its requests carry that name; an address in digits cannot be
made to lead elsewhere, so it is always ours.
"""

import os
import socket
from collections.abc import Sequence
from ipaddress import ip_address

from starlette.datastructures import Headers
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

_MISDIRECTED = 421


def hosts_from_environment() -> tuple[str, ...]:
    """Return the names that `izwi serve --name` or IZWI_HOSTS gave, and this machine's."""
    given = os.environ.get("IZWI_HOSTS", "").replace(",", " ").split()
    return (*given, socket.gethostname())


def is_known_host(header: str, names: Sequence[str]) -> bool:
    """Whether a Host header names this server.

    >>> is_known_host("127.0.0.1:8000", ()), is_known_host("[::1]:8000", ())
    (True, True)
    >>> is_known_host("attacker.example", ()), is_known_host("localhost.attacker.example", ())
    (False, False)
    >>> is_known_host("corpora.example.org", ("corpora.example.org",))
    True
    """
    host = header.strip().lower()
    bracketed, _, rest = host[1:].partition("]") if host.startswith("[") else ("", "", "")
    name = bracketed or host.partition(":")[0].rstrip(".")
    if bracketed and rest and not rest.startswith(":"):
        return False
    known = {each.lower().rstrip(".") for each in names}
    return name == "localhost" or name in known or _is_address(name)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


class KnownHosts:
    """Refuses what is asked under a name that is not this server's."""

    def __init__(self, app: ASGIApp, names: Sequence[str] = ()) -> None:
        self._app = app
        self._names = tuple(names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or say how its name is made known."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) == 1 and is_known_host(hosts[0], self._names):
            await self._app(scope, receive, send)
            return
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        words = (
            "This server does not answer to that name. Who runs it may add it: "
            "izwi serve --name NAME, or IZWI_HOSTS."
        )
        if scope["path"].startswith("/api/"):
            row = {"error": {"type": "UnknownHost", "message": words}}
            await JSONResponse(row, _MISDIRECTED)(scope, receive, send)
            return
        await PlainTextResponse(words + "\n", _MISDIRECTED)(scope, receive, send)
