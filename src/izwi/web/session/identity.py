"""Who sends a request: told once, before anything else looks at it."""

import hmac
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from izwi.model.accounts import ANYONE, Actor, Visitor, act_as
from izwi.model.errors import IzwiError
from izwi.web.errors import on_izwi_error, wants_json
from izwi.web.session.reader import CURRENT
from izwi.web.site import Site, site_of

COOKIE = "izwi_session"
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="izwi"'}
# Whoever has the server's own token (IZWI_CURATOR_TOKEN).
OWNER = Visitor("owner", "curator")
# What everybody may see even where all have to sign in.
_OPEN = ("/login", "/static/", "/preferences", "/health")


class Identify:
    """Tells who sends each request, and turns strangers away where the site is closed."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with `state.visitor`, or answer that one has to sign in."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope)
        site = site_of(request)
        try:
            known = await run_in_threadpool(identified, request, site)
        except IzwiError as error:
            # The application answers its own errors, not those of what stands before it.
            answer = await on_izwi_error(request, error)
            await answer(scope, receive, send)
            return
        request.state.visitor = known
        CURRENT.set(known)
        act_as(Actor(known.name, "web", known.is_curator))
        # Not the path of request.url, in which the sender's Host has a say.
        if site.is_closed and not known.is_known and not scope["path"].startswith(_OPEN):
            await _turned_away(request)(scope, receive, send)
            return
        await self._app(scope, receive, send)


def identified(request: Request, site: Site) -> Visitor:
    """Return who sends a request: by a token for programs, or by a browser's session."""
    scheme, _, secret = request.headers.get("Authorization", "").partition(" ")
    if scheme.lower() == "bearer" and secret.strip():
        return _by_token(secret.strip(), site)
    secret = request.cookies.get(COOKIE, "")
    return site.accounts.session(secret) if site.accounts and secret else ANYONE


def sender_address(request: Request) -> str:
    """Return where a request comes from, as far as the server knows."""
    return request.client.host if request.client else ""


def _by_token(secret: str, site: Site) -> Visitor:
    own = site.curator_token
    if own and hmac.compare_digest(secret.encode("latin-1"), own.encode()):
        return OWNER
    return site.accounts.bearer(secret) if site.accounts else ANYONE


def _turned_away(request: Request) -> Response:
    if wants_json(request.scope["path"]) or request.method not in ("GET", "HEAD"):
        fault = {"type": "Unauthorized", "message": "This server wants you to sign in."}
        return JSONResponse({"error": fault}, 401, CHALLENGE)
    return to_sign_in(request)


def to_sign_in(request: Request) -> RedirectResponse:
    """Return the way to the sign-in page and from there back."""
    query = request.scope["query_string"].decode("latin-1")
    here = quote(request.scope["path"]) + (f"?{query}" if query else "")
    return RedirectResponse(f"/login?next={quote(here, safe='/')}", 303)
