"""Who sends a request: told once, before anything else looks at it."""

import hmac
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from izwi.model.accounts import ANYONE, Visitor
from izwi.web.errors import wants_json
from izwi.web.site import Site, site_of
from izwi.web.visitors import CURRENT

COOKIE = "izwi_session"
CHALLENGE = {"WWW-Authenticate": 'Bearer realm="izwi"'}
# Whoever has the server's own token (IZWI_CURATOR_TOKEN).
OWNER = Visitor("owner", "curator")
# What everybody may see even where all have to sign in.
_OPEN = ("/login", "/static/", "/preferences")


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
        request.state.visitor = known = identified(request, site)
        CURRENT.set(known)
        if site.is_closed and not known.is_known and not request.url.path.startswith(_OPEN):
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


def _by_token(secret: str, site: Site) -> Visitor:
    own = site.curator_token
    if own and hmac.compare_digest(secret.encode("latin-1"), own.encode()):
        return OWNER
    return site.accounts.bearer(secret) if site.accounts else ANYONE


def _turned_away(request: Request) -> Response:
    if wants_json(request.url.path) or request.method not in ("GET", "HEAD"):
        fault = {"type": "Unauthorized", "message": "This server wants you to sign in."}
        return JSONResponse({"error": fault}, 401, CHALLENGE)
    return to_sign_in(request)


def to_sign_in(request: Request) -> RedirectResponse:
    """Return the way to the sign-in page and from there back."""
    here = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"/login?next={quote(here, safe='/')}", 303)
