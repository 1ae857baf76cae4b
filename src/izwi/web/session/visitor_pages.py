"""Pages about who reads: their language and theme, kept in cookies; signing in and out."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from izwi.model.accounts import AccountError, Session, TooManyAttempts
from izwi.web.errors import PROBLEMS
from izwi.web.session.identity import COOKIE, sender_address
from izwi.web.session.reader import LANGUAGE_COOKIE, LANGUAGES, THEME_COOKIE, THEMES
from izwi.web.session.rights import check_form, check_origin, form_fields
from izwi.web.site import Site, ThisSite, site_of

router = APIRouter(tags=["pages"], responses=PROBLEMS)
_YEAR_SECONDS = 31_536_000
_Back = Annotated[str, Query(description="The page of this site to go back to.")]


@router.get("/preferences", response_class=HTMLResponse, summary="Language and theme")
def preferences(site: ThisSite, back: _Back = "/") -> HTMLResponse:
    """Let a reader choose the language and the theme of the pages."""
    return site.pages.page("preferences.html", {"back": own_address(back)})


@router.get(
    "/preferences/set", response_class=RedirectResponse, summary="Choose them", status_code=303
)
def choose(
    language: Annotated[str, Query(description="en, af or zu; empty: as the browser.")] = "",
    theme: Annotated[str, Query(description="light or dark; empty: as the system.")] = "",
    back: _Back = "/",
) -> Response:
    """Remember a language and a theme and go back to a page."""
    answer = RedirectResponse(own_address(back), 303)
    _remember(answer, LANGUAGE_COOKIE, language if language in LANGUAGES else "")
    _remember(answer, THEME_COOKIE, theme if theme in THEMES else "")
    return answer


def own_address(back: str) -> str:
    """Return an address of this site to go to; the start page instead of any other.

    >>> own_address("/c/demo?q=a"), own_address("//evil.example"), own_address("javascript:x")
    ('/c/demo?q=a', '/', '/')
    """
    is_own = back.startswith("/") and not back.startswith(("//", "/\\")) and back.isprintable()
    return back if is_own else "/"


def _remember(answer: Response, name: str, value: str) -> None:
    if value:
        answer.set_cookie(name, value, max_age=_YEAR_SECONDS, samesite="lax", httponly=True)
    else:
        answer.delete_cookie(name, samesite="lax", httponly=True)


# Anyone may send this form: it holds a name, a password and a path.
_MOST_BYTES = 64 << 10
_WRONG = "The name or the password is wrong."


@router.get("/login", response_class=HTMLResponse, include_in_schema=False)
def login_page(site: ThisSite, next: Annotated[str, Query()] = "/") -> HTMLResponse:
    """Show the sign-in form."""
    return _form(site, own_address(next))


@router.post("/login", include_in_schema=False)
async def login(request: Request) -> Response:
    """Begin a session, or show the form again with what is wrong."""
    check_origin(request)
    site, fields = site_of(request), await form_fields(request, most_bytes=_MOST_BYTES)
    next_path = own_address(fields.get("next", "/"))
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


@router.post("/logout", include_in_schema=False)
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


def _begin(site: Site, request: Request, name: str, password: str) -> Session | None:
    if site.accounts is None or not site.accounts.are_any:
        raise AccountError(
            "There is no account on this server yet. Make one: izwi users add NAME --role curator"
        )
    return site.accounts.sign_in(name, password, address=sender_address(request))


def _form(
    site: Site, next_path: str, *, name: str = "", problem: str = "", status: int = 200
) -> HTMLResponse:
    has_accounts = site.accounts is not None and site.accounts.are_any
    content = {"next": next_path, "name": name, "problem": problem, "has_accounts": has_accounts}
    return site.pages.page("admin/login.html", content, status=status)
