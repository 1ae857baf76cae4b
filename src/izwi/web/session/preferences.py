"""The reader's language and theme, kept in cookies; nobody needs an account for them."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import HTMLResponse, RedirectResponse, Response

from izwi.web.errors import PROBLEMS
from izwi.web.session.reader import LANGUAGE_COOKIE, LANGUAGES, THEME_COOKIE, THEMES
from izwi.web.site import ThisSite

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
