"""Which names this server is asked under, and which pages may send it changes: its own."""

import os
import socket
from collections.abc import Sequence
from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

from fastapi import Depends, Request
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
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
    >>> is_known_host("127.0.0.1:8000@attacker.example", ())
    False
    """
    host = header.strip().lower()
    bracketed, _, rest = host[1:].partition("]") if host.startswith("[") else ("", "", "")
    name, colon, port = (bracketed, rest[:1], rest[1:]) if bracketed else host.partition(":")
    name = name.rstrip(".")
    if colon not in ("", ":") or (port and not port.isdecimal()):
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


# A form of ours sends far less.
_MOST_BYTES = 1_000_000
_MOST_FIELDS = 5000

Pairs = list[tuple[str, str]]


def refuse_other_sites(request: Request) -> None:
    """Refuse what a page of another site makes a browser send."""
    origin = request.headers.get("Origin")
    if origin is not None and not _is_at(origin, request.headers.get("Host")):
        raise HTTPException(403, "This request was sent by a page of another site.")


async def form_fields(request: Request) -> dict[str, list[str]]:
    """Return the fields of a form that a page of ours sent."""
    refuse_other_sites(request)
    fields: dict[str, list[str]] = {}
    for name, value in await form_pairs(request):
        fields.setdefault(name, []).append(value)
    return fields


async def form_pairs(
    request: Request, *, most_bytes: int = _MOST_BYTES, most_fields: int = _MOST_FIELDS
) -> Pairs:
    """Return the names and values of a form; whoever asks again gets what was read first."""
    if not hasattr(request.state, "form"):
        body = await read_body(request, most_bytes)
        try:
            pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=most_fields)
        except ValueError:
            raise HTTPException(400, "This form cannot be read.") from None
        request.state.form = pairs
    kept: Pairs = request.state.form
    return kept


async def read_body(request: Request, most_bytes: int) -> bytearray:
    """Read a body, and no further than it may go."""
    body = bytearray()
    async for part in request.stream():
        body += part
        if len(body) > most_bytes:
            raise HTTPException(413, "This form is too long.")
    return body


def _is_at(origin: str, host: str | None) -> bool:
    try:
        return urlsplit(origin).netloc == host
    except ValueError:
        return False


Fields = Annotated[dict[str, list[str]], Depends(form_fields)]


def form_body(**fields: str) -> dict[str, Any]:
    """Return how the interface describes a form: its fields and what they mean."""
    properties = {
        name: {"type": "string", "description": meaning} for name, meaning in fields.items()
    }
    schema = {"type": "object", "properties": properties}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}
