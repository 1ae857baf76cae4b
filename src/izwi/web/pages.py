"""Pages from templates; whatever they show is escaped, and control characters are made visible."""

import re
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.metadata import version
from os import PathLike, stat_result
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from izwi.web.visitors import visitor

STATIC = Path(__file__).parent / "static"
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
_YEAR_SECONDS = 31_536_000


class Pages:
    """The templates, ready to be filled."""

    def __init__(self) -> None:
        self._templates = Environment(
            loader=PackageLoader("izwi.web"),
            autoescape=True,
            undefined=StrictUndefined,
            finalize=visible,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._templates.globals |= {
            "izwi_version": version("izwi"),
            "static": static_address,
            "visitor": visitor,
        }
        self._templates.filters |= {"number": number, "rate": rate, "web_link": web_link}

    def page(
        self,
        template: str,
        content: Mapping[str, object],
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> HTMLResponse:
        """Return a filled page."""
        text = self._templates.get_template(template).render(content)
        return HTMLResponse(text, status, headers)


class StaticPages(StaticFiles):
    """Our style sheet, script and icon; an address with the right digest may be kept for good."""

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file with its ETag, and say how long it may be kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        is_exact = scope["query_string"].decode("latin-1") == _digest(Path(full_path).name)
        kept = f"public, max-age={_YEAR_SECONDS}, immutable" if is_exact else "no-cache"
        response.headers["Cache-Control"] = kept
        return response


def static_address(name: str) -> str:
    """Return the address of a file of ours, which changes when the file does."""
    return f"/static/{name}?{_digest(name)}"


@cache
def _digest(name: str) -> str:
    return blake2b((STATIC / name).read_bytes(), digest_size=5).hexdigest()


def visible(value: Any) -> Any:
    """Return a text with its control characters as pictures or replacement characters.

    >>> visible("a\\x00b\\x9bc")
    'a␀b�c'
    """
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    return _CONTROL.sub(_picture, value)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "\ufffd"


def number(value: int) -> str:
    """Return a count as people read it.

    >>> number(1234567)
    '1,234,567'
    """
    return f"{value:,}"


def rate(value: float) -> str:
    """Return a rate with as many places as tell something.

    >>> rate(2054.95), rate(8.13), rate(0.0421), rate(0)
    ('2,055', '8.1', '0.042', '0')
    """
    if value >= 100:
        return f"{value:,.0f}"
    if value >= 1:
        return f"{value:.1f}"
    return f"{value:.2g}"


def web_link(url: str) -> str:
    """Return an address that may be made a link; empty for javascript: and the like.

    >>> web_link("https://example.org/a"), web_link("javascript:alert(1)")
    ('https://example.org/a', '')
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    return url if parts.scheme in ("http", "https") and parts.netloc else ""
