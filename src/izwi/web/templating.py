"""Pages from templates; whatever they show is escaped, and control characters are made visible."""

import re
from collections.abc import Mapping
from importlib.metadata import version
from urllib.parse import urlsplit

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from izwi.model.languages import iso639_3
from izwi.web import messages
from izwi.web.assets import static_address
from izwi.web.messages import gettext as _
from izwi.web.pages.kwic import without_left_over
from izwi.web.pages.navigation import analyses, sections
from izwi.web.session.reader import LANGUAGES, THEMES, basket_size, reader, visitor

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff]")
# How thousands and decimals are set apart, where not as in English.
_MARKS = {"af": str.maketrans({",": "\u00a0", ".": ","})}


class Pages:
    """The templates, ready to be filled."""

    def __init__(self) -> None:
        self._templates = Environment(
            loader=PackageLoader("izwi.web"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )
        self._templates.install_gettext_callables(  # type: ignore[attr-defined]
            messages.gettext, messages.ngettext, newstyle=True
        )
        self._templates.policies["ext.i18n.trimmed"] = True
        self._templates.globals |= {
            "izwi_version": version("izwi"),
            "static": static_address,
            "reader": reader,
            "LANGUAGES": LANGUAGES,
            "THEMES": THEMES,
            "sections": sections,
            "analyses": analyses,
            "basket_size": basket_size,
            "visitor": visitor,
        }
        self._templates.filters |= {
            "number": number,
            "rate": rate,
            "score": score,
            "fine": fine,
            "tidy": without_left_over,
            "language_name": language_name,
            "web_link": web_link,
            "apart": apart,
        }

    def page(
        self,
        template: str,
        content: Mapping[str, object],
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
    ) -> HTMLResponse:
        """Return a filled page."""
        return HTMLResponse(self.text(template, content), status, headers)

    def text(self, template: str, content: Mapping[str, object]) -> str:
        """Return a filled template."""
        # Looked through once: asked of every value, it took a sixth of a page of lines.
        return visible(self._templates.get_template(template).render(content))


def visible(value: str) -> str:
    """Return a text with its control characters as pictures or replacement characters.

    >>> visible("a\\x00b\\x9bc")
    'a␀b�c'
    """
    return _CONTROL.sub(_picture, value)


def apart(value: object) -> Markup:
    """Return a text that cannot turn round what stands beside it, for use inside a message."""
    return Markup("<bdi>{}</bdi>").format(value)


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
    return _localised(f"{value:,}")


def rate(value: float) -> str:
    """Return a rate with as many places as tell something.

    >>> rate(2054.95), rate(8.13), rate(0.0421), rate(0)
    ('2,055', '8.1', '0.042', '0')
    """
    if value >= 100:
        return _localised(f"{value:,.0f}")
    if value >= 1:
        return _localised(f"{value:.1f}")
    return _localised(f"{value:.2g}")


def score(value: float) -> str:
    """Return a score with two places, large ones with none.

    >>> score(11.257), score(2054.9), score(-0.5)
    ('11.26', '2,055', '−0.50')
    """
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}"
    return _localised(text.replace("-", "\u2212") if float(text.replace(",", "")) else "0.00")


def fine(value: float) -> str:
    """Return a score that lies near zero with four places.

    >>> fine(0.00214), fine(-0.00001)
    ('0.0021', '0.0000')
    """
    return _localised(f"{value:.4f}".replace("-0.0000", "0.0000").replace("-", "\u2212"))


def language_name(code: str) -> str:
    """Return what a language is called, as far as that is known here; else its code."""
    known = {
        "eng": _("English"),
        "afr": _("Afrikaans"),
        "zul": _("isiZulu"),
        "xho": _("isiXhosa"),
        "sot": _("Sesotho"),
        "deu": _("German"),
        "fra": _("French"),
        "nld": _("Dutch"),
    }
    return known.get(iso639_3(code), code)


def _localised(text: str) -> str:
    return text.translate(_MARKS.get(reader().language, {}))


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
