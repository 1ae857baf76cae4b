"""What a reader sees when something goes wrong: one sentence, as a page or as JSON."""

import logging
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from izwi.model.accounts import AccountError
from izwi.model.errors import (
    BuildError,
    ConfigError,
    CorpusLocked,
    IzwiError,
    LaterChange,
    NotAllowed,
    NotFound,
    PluginError,
    QueryError,
    QueryTimeout,
    SourceError,
    StoreError,
    TakenDown,
    environment_error,
)
from izwi.web.middleware import SAFE_HEADERS
from izwi.web.session.reader import gettext as _
from izwi.web.site import UnknownCorpus, site_of

logger = logging.getLogger(__name__)

# The first that fits counts.
_STATUSES: tuple[tuple[type[IzwiError], int], ...] = (
    (UnknownCorpus, 404),
    (AccountError, 400),
    (NotAllowed, 403),
    (QueryTimeout, 503),
    (TakenDown, 410),
    (NotFound, 404),
    (QueryError, 400),
    (ConfigError, 400),
    (SourceError, 400),
    (PluginError, 400),
    (CorpusLocked, 409),
    (LaterChange, 409),
    # The corpus has to be built first.
    (BuildError, 409),
    (StoreError, 503),
)
_DESK = re.compile(r"/admin/c/([^/]+)(?:/([a-z]+))?")
_OUR_FAULT = (
    "Something went wrong on the server; its log has the details. Other pages may work, "
    "and this one may work again later."
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What kind of error it was, and a sentence about it."""

    type: str
    message: str


@dataclass(frozen=True, slots=True)
class Problem:
    """What programs get instead of an answer."""

    error: Fault


# How routes document what they send when they cannot answer.
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "default": {"model": Problem, "description": "What went wrong, in a sentence."}
}


def install(app: FastAPI) -> None:
    """Give the application its error pages."""
    app.add_exception_handler(IzwiError, on_izwi_error)
    app.add_exception_handler(RequestValidationError, on_bad_parameter)
    app.add_exception_handler(HTTPException, on_http_error)
    app.add_exception_handler(Exception, on_surprise)


def status_of(error: IzwiError) -> int:
    """Return the HTTP status that an error of ours goes with."""
    return next((status for kind, status in _STATUSES if isinstance(error, kind)), 500)


def wants_json(path: str) -> bool:
    """Return whether programs, not people, ask for a path.

    >>> wants_json("/c/demo.json"), wants_json("/api/v1/c/demo/status"), wants_json("/api/docs")
    (True, True, False)
    """
    return path.endswith((".json", ".csv", ".tsv", ".xlsx")) or (
        path.startswith("/api/") and path != "/api/docs"
    )


async def on_izwi_error(request: Request, error: Exception) -> Response:
    """Answer with the error's own sentence."""
    assert isinstance(error, IzwiError)
    status = status_of(error)
    if status >= 500:
        logger.warning("cannot answer %r: %s", request.url.path, error)
    message = site_of(request).without_folders(str(error))
    return _answer(request, status, type(error).__name__, message)


async def on_bad_parameter(request: Request, error: Exception) -> Response:
    """Answer with a sentence about the first parameter that cannot be read."""
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    reason = f"{first['msg'][:1].lower()}{first['msg'][1:]}"
    message = f"{_place(first)} cannot be used: {reason}."
    return _answer(request, 400, "BadParameter", message)


async def on_http_error(request: Request, error: Exception) -> Response:
    """Answer an unknown address, a wrong method, a missing token."""
    assert isinstance(error, HTTPException)
    message = {
        404: f"There is no page {request.url.path} here.",
        405: f"{request.url.path} cannot be asked with {request.method}.",
    }.get(error.status_code, error.detail)
    kind = HTTPStatus(error.status_code).phrase.title().replace(" ", "")
    return _answer(request, error.status_code, kind, message, headers=error.headers)


async def on_surprise(request: Request, error: Exception) -> Response:
    """Answer an error nobody foresaw; the server raises it again, so that it is logged."""
    # This answer is made outside all middleware.
    if stop := environment_error(error):
        return _answer(request, 503, type(stop).__name__, str(stop), headers=SAFE_HEADERS)
    return _answer(request, 500, "InternalError", _OUR_FAULT, headers=SAFE_HEADERS)


def _place(problem: Mapping[str, Any]) -> str:
    """Return where in a request something is amiss, in words."""
    place, *names = (str(part) for part in problem["loc"])
    if place != "body":
        return f"The parameter '{'.'.join(names)}'"
    if not names or problem["type"] == "json_invalid":
        return "The body"
    return f"The field '{'.'.join(names)}' of the body"


def _answer(
    request: Request,
    status: int,
    kind: str,
    message: str,
    *,
    headers: Mapping[str, str] | None = None,
) -> Response:
    if wants_json(request.url.path):
        problem = Problem(Fault(kind, message))
        return JSONResponse(asdict(problem), status, headers=headers)
    framed = _at_the_desk(request, status, message)
    if framed is not None:
        return framed
    pages = site_of(request).pages
    content = {
        "heading": _heading(status, kind),
        "message": message,
        "again": str(request.url.path) + (f"?{request.url.query}" if request.url.query else ""),
        "is_late": kind == QueryTimeout.__name__,
    }
    return pages.page("error.html", content, status=status, headers=headers)


def _heading(status: int, kind: str) -> str:
    """Return what the matter is, in the reader's language."""
    if kind == QueryTimeout.__name__:
        return _("This takes too long")
    return {
        400: _("That cannot be answered"), 403: _("Not allowed"), 404: _("Not found"),
        405: _("Not possible here"), 409: _("Not now"), 410: _("Taken down"),
        500: _("Something went wrong"), 503: _("Not possible now"),
    }.get(status) or HTTPStatus(status).phrase  # fmt: skip


def _at_the_desk(request: Request, status: int, message: str) -> Response | None:
    """Return the page of a curator's mistake, with the corpus and the way back; None for others."""
    found = _DESK.match(request.url.path)
    visitor = getattr(request.state, "visitor", None)
    corpus = site_of(request).corpora.get(found[1]) if found else None
    if found is None or corpus is None or visitor is None or not visitor.is_curator:
        return None
    # The curators' pages are built on this file.
    from izwi.web.desk.frame import Desk

    content = {"message": message, "topic": found[2] or "", "status": status}
    answer = Desk(request).page("problem", corpus, found[2] or "", content)
    answer.status_code = status
    return answer
