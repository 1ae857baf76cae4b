"""Signing in and out."""

from typing import Annotated
from urllib.parse import urlsplit

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from izwi.model.accounts import AccountError, Session, TooManyAttempts
from izwi.web.identity import COOKIE
from izwi.web.rights import check_form, check_origin, form_fields
from izwi.web.site import Site, ThisSite, site_of

router = APIRouter(tags=["accounts"], include_in_schema=False)
_WRONG = "The name or the password is wrong."


@router.get("/login", response_class=HTMLResponse)
def login_page(site: ThisSite, next: Annotated[str, Query()] = "/") -> HTMLResponse:
    """Show the sign-in form."""
    return _form(site, safe_path(next))


@router.post("/login")
async def login(request: Request) -> Response:
    """Begin a session, or show the form again with what is wrong."""
    check_origin(request)
    site, fields = site_of(request), await form_fields(request)
    next_path = safe_path(fields.get("next", "/"))
    name = fields.get("name", "").strip()
    try:
        session = await run_in_threadpool(_begin, site, request, name, fields.get("password", ""))
    except TooManyAttempts as error:
        return _form(site, next_path, name=name, problem=str(error), status=429)
    except AccountError as error:
        return _form(site, next_path, name=name, problem=str(error), status=400)
    if session is None:
        return _form(site, next_path, name=name, problem=_WRONG, status=401)
    answer = RedirectResponse(next_path, 303)
    answer.set_cookie(
        COOKIE,
        session.secret,
        max_age=session.seconds,
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )
    return answer


@router.post("/logout")
async def logout(request: Request) -> Response:
    """End the session."""
    check_origin(request)
    await check_form(request)
    accounts = site_of(request).accounts
    if accounts is not None:
        await run_in_threadpool(accounts.sign_out, request.cookies.get(COOKIE, ""))
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(COOKIE)
    return answer


def safe_path(text: str) -> str:
    r"""Return a path of this site; the home page for everything else.

    >>> safe_path("/admin"), safe_path("//evil.example"), safe_path("https://evil.example/")
    ('/admin', '/', '/')
    >>> safe_path("/\\evil.example")
    '/'
    """
    is_ours = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text if is_ours and not urlsplit(text).netloc else "/"


def _begin(site: Site, request: Request, name: str, password: str) -> Session | None:
    if site.accounts is None or not site.accounts.are_any:
        raise AccountError(
            "There is no account on this server yet. Make one: izwi users add NAME --role curator"
        )
    address = request.client.host if request.client else ""
    return site.accounts.sign_in(name, password, address=address)


def _form(
    site: Site, next_path: str, *, name: str = "", problem: str = "", status: int = 200
) -> HTMLResponse:
    has_accounts = site.accounts is not None and site.accounts.are_any
    content = {"next": next_path, "name": name, "problem": problem, "has_accounts": has_accounts}
    return site.pages.page("admin/login.html", content, status=status)
