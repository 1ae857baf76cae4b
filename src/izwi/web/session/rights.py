"""Who may use a route, under which name of this server, sent by which page; forms they send."""

import hmac
import os
import socket
from collections.abc import Callable, Coroutine, Sequence
from ipaddress import ip_address
from typing import Annotated, Any
from urllib.parse import parse_qsl, urlsplit

from fastapi import APIRouter, Depends, Request, Security
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from izwi.model.accounts import Visitor
from izwi.model.errors import QueryError
from izwi.web.api.uploads import MOST_UPLOAD_BYTES, MULTIPART, parts_of
from izwi.web.errors import PROBLEMS, wants_json
from izwi.web.session.identity import CHALLENGE, to_sign_in
from izwi.web.site import site_of

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


async def _reader_form(request: Request) -> "Fields":
    """Return the fields of a form that a page of ours sent."""
    refuse_other_sites(request)
    return Fields(await form_pairs(request))


async def form_pairs(
    request: Request, *, most_bytes: int = _MOST_BYTES, most_fields: int = _MOST_FIELDS
) -> Pairs:
    """Return the names and values of a form; whoever asks again gets what was read first."""
    if not hasattr(request.state, "form"):
        body = await read_body(request, most_bytes)
        try:
            pairs = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=most_fields)
        except ValueError:
            raise HTTPException(400, "This form could not be read.") from None
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


def form_body(**fields: str) -> dict[str, Any]:
    """Return how the interface describes a form: its fields and what they mean."""
    properties = {
        name: {"type": "string", "description": meaning} for name, meaning in fields.items()
    }
    schema = {"type": "object", "properties": properties}
    return {"requestBody": {"content": {"application/x-www-form-urlencoded": {"schema": schema}}}}


READ_ONLY = (
    "This server is read-only. Make a curator's account to allow this: "
    "izwi users add NAME --role curator"
)
_FORM = "application/x-www-form-urlencoded"
# A curator's form may hold a long list of sources.
_MOST_FORM_BYTES = 16 << 20
_MOST_FORM_FIELDS = 50_000
_HARMLESS = ("GET", "HEAD")
# No other form has a file in it.
_UPLOAD_PATHS = ("/admin/setup",)

Handler = Callable[[Request], Coroutine[Any, Any, Response]]


class CuratorRoute(APIRoute):
    """A route for curators; who is none gets a sentence, even before a body is read."""

    def get_route_handler(self) -> Handler:
        """Return the route's handler behind the check."""
        handler = super().get_route_handler()

        async def checked(request: Request) -> Response:
            await check_curator(request)
            return await handler(request)

        return checked


def curator_router(kind: type[APIRoute] = CuratorRoute) -> APIRouter:
    """Return a router of the interface whose routes are for curators: by token, or signed in."""
    token = HTTPBearer(auto_error=False, description="A curator's token.")
    return APIRouter(
        tags=["curator"], responses=PROBLEMS, route_class=kind, dependencies=[Security(token)]
    )


class CuratorPage(APIRoute):
    """The same for pages: who is not signed in yet is led to the sign-in page."""

    def get_route_handler(self) -> Handler:
        """Return the route's handler behind the check."""
        handler = super().get_route_handler()

        async def checked(request: Request) -> Response:
            is_stranger = not request.state.visitor.is_known
            is_page = request.method in _HARMLESS and not wants_json(request.scope["path"])
            if is_stranger and is_page and site_of(request).accounts is not None:
                return to_sign_in(request)
            await check_curator(request)
            return await handler(request)

        return checked


class MemberPage(APIRoute):
    """A page for everybody with an account, about their own account."""

    def get_route_handler(self) -> Handler:
        """Return the route's handler behind the check."""
        handler = super().get_route_handler()

        async def checked(request: Request) -> Response:
            check_origin(request)
            if not request.state.visitor.is_known:
                if request.method in _HARMLESS:
                    return to_sign_in(request)
                raise HTTPException(401, "Sign in first.", CHALLENGE)
            await check_form(request)
            return await handler(request)

        return checked


def curator_pages() -> APIRouter:
    """Return a router for curators' pages, which no description of the interface lists."""
    return APIRouter(
        prefix="/admin/c/{corpus}",
        responses=PROBLEMS,
        route_class=CuratorPage,
        include_in_schema=False,
    )


async def check_curator(request: Request) -> None:
    """Raise HTTPException unless a curator sent a request, of their own will."""
    check_origin(request)
    visitor: Visitor = request.state.visitor
    if not visitor.is_known:
        if not await run_in_threadpool(_has_curators, request):
            raise HTTPException(403, READ_ONLY)
        raise HTTPException(
            401, "This needs a curator: sign in, or send Authorization: Bearer TOKEN.", CHALLENGE
        )
    if not visitor.is_curator:
        raise HTTPException(403, f"'{visitor.name}' is a reader; this is for curators.")
    await check_form(request)


async def check_form(request: Request) -> None:
    """Raise HTTPException if a browser sends a change without the secret of its session's forms."""
    visitor: Visitor = request.state.visitor
    if request.method in _HARMLESS or not visitor.csrf:
        return
    given = request.headers.get("X-CSRF-Token") or (await form_fields(request)).get("csrf", "")
    if not hmac.compare_digest(given.encode("utf-8", "replace"), visitor.csrf.encode()):
        raise HTTPException(
            403, "The form has expired or was sent by another page. Go back and send it again."
        )


def check_origin(request: Request) -> None:
    """Refuse what a page of another site makes a browser send."""
    if request.method not in _HARMLESS:
        refuse_other_sites(request)


# Larger numbers name nothing, and SQLite cannot take those beyond 64 bits.
MOST_NUMBER = 2**31


class Fields(dict[str, str]):
    """The fields of a form; of fields with one name the last, unless all are asked for."""

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs

    def all(self, name: str) -> list[str]:
        """Return every value of a field."""
        return [value for key, value in self.pairs if key == name]

    def number(self, name: str, usual: int) -> int:
        """Return a field as a whole number that a file can hold."""
        text = self.get(name, "").strip()
        if not text:
            return usual
        if not text.isdecimal() or len(text) > len(str(MOST_NUMBER)) or int(text) > MOST_NUMBER:
            raise QueryError(f"The field '{name}' is not a number from 0 to {MOST_NUMBER}.")
        return int(text)


async def form_fields(request: Request, *, most_bytes: int = _MOST_FORM_BYTES) -> Fields:
    """Return the fields of a form as a browser sends them; a curator's may have files in it."""
    kind = request.headers.get("Content-Type", "")
    is_upload = kind.startswith(MULTIPART) and request.scope["path"] in _UPLOAD_PATHS
    if is_upload and request.state.visitor.is_curator:
        return Fields(await _with_uploads(request, kind))
    if not request.headers.get("Content-Type", "").startswith(_FORM):
        return Fields([])
    return Fields(await form_pairs(request, most_bytes=most_bytes, most_fields=_MOST_FORM_FIELDS))


async def _with_uploads(request: Request, kind: str) -> list[tuple[str, str]]:
    """Return the fields of a form with files, which are left with the request."""
    if not hasattr(request.state, "form"):
        body = await read_body(request, MOST_UPLOAD_BYTES)
        request.state.form, request.state.uploads = parts_of(bytes(body), kind)
    kept: list[tuple[str, str]] = request.state.form
    return kept


async def _large_form(request: Request) -> Fields:
    return await form_fields(request)


def _has_curators(request: Request) -> bool:
    return site_of(request).has_curators


def visitor_of(request: Request) -> Visitor:
    """Return who sent a request."""
    visitor: Visitor = request.state.visitor
    return visitor


ThisForm = Annotated[Fields, Depends(_large_form)]
ReaderForm = Annotated[Fields, Depends(_reader_form)]
ThisVisitor = Annotated[Visitor, Depends(visitor_of)]
