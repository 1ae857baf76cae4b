"""A specification drawn as SVG: titled, described, linked, light and dark."""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from html import escape
from typing import Any
from urllib.parse import urlsplit

from izwi.analyse.charts.palette import DARK, VARIABLES

# Vega's loader rewrites addresses and refuses some; rows are linked by number until it is done.
_LINK = re.compile(r'<a xlink:href="https://row\.invalid/(\d+)"[^>]*>(.*?)</a>', re.DOTALL)
_LABEL = re.compile(r'aria-label="([^"]*)"')
_CLIP = re.compile(r'(id="|url\(#)(clip|gradient_)')
_ROOT = re.compile(r"<svg ([^>]*)>")
_COLOUR = re.compile(r'"(#[0-9a-f]{6})"')

# An invisible character, taken out again when the drawing is made.
_GUARD = "\u2060"
_TITLES = ("title", "subtitle", "text")


def drawn(
    specification: Mapping[str, Any],
    title: str,
    description: str,
    links: Sequence[str],
    *,
    is_in_page: bool = False,
) -> str:
    """Return a drawing; in a page its colours are the page's, else they follow the screen."""
    import vl_convert

    plain: str = vl_convert.vegalite_to_svg(_guarded(specification), show_warnings=False)
    plain = plain.replace(_GUARD, "")
    mark = _mark(specification, is_in_page)
    linked = _LINK.sub(lambda found: _linked(found, links), plain)
    named = _CLIP.sub(rf"\g<1>{mark}-\2", linked)
    has_links = any(map(safe_link, links))
    whole = _ROOT.sub(lambda found: _head(found, mark, title, description, has_links), named, 1)
    if is_in_page:
        return _COLOUR.sub(_as_variable, whole)
    return whole.replace("</desc>", f"</desc><style>{_dark_rules()}</style>", 1)


def _guarded(node: Any, key: str = "") -> Any:
    """Return a specification in which no title is the name of anything.

    Vega looks titles up among its own names before it shows them, so that a chart of the word
    "if" or "constructor" would fail. What is data is left alone.
    """
    if isinstance(node, Mapping):
        return {
            name: value if name in ("values", "datasets") else _guarded(value, name)
            for name, value in node.items()
        }
    if isinstance(node, list | tuple):
        return [_guarded(value, key) for value in node]
    return f"{node}{_GUARD}" if key in _TITLES and isinstance(node, str) and node else node


def safe_link(address: str) -> str:
    """Return an address that a mark may lead to; nothing for javascript: and the like.

    >>> safe_link("/c/news/conc?q=a"), safe_link("javascript:alert(1)"), safe_link("//evil.example")
    ('/c/news/conc?q=a', '', '')
    """
    try:
        parts = urlsplit(address)
    except ValueError:
        return ""
    is_web = parts.scheme in ("http", "https") and bool(parts.netloc)
    is_own = not parts.scheme and not parts.netloc and address.startswith(("/", "?", "#"))
    return address if is_web or (is_own and "\\" not in address) else ""


def _mark(specification: Mapping[str, Any], is_in_page: bool) -> str:
    """Return a name that keeps the ids of two charts on one page apart."""
    text = json.dumps(specification, sort_keys=True, default=str) + str(is_in_page)
    return f"chart-{blake2b(text.encode(), digest_size=5).hexdigest()}"


def _linked(found: re.Match[str], links: Sequence[str]) -> str:
    """Return a mark with its words, as a link if it has an address."""
    address = safe_link(links[int(found[1])])
    label = _LABEL.search(found[2])
    inner = (f"<title>{label[1]}</title>" if label else "") + found[2]
    return f'<a href="{escape(address)}">{inner}</a>' if address else f"<g>{inner}</g>"


def _head(found: re.Match[str], mark: str, title: str, description: str, has_links: bool) -> str:
    # An image has no parts for those who hear it; where parts are links, it is a group of them.
    role = "group" if has_links else "img"
    said = f'role="{role}" aria-labelledby="{mark}-title {mark}-desc"'
    return (
        f"<svg {found[1].replace('marks', 'izwi-chart')} {said}>"
        f'<title id="{mark}-title">{escape(title)}</title>'
        f'<desc id="{mark}-desc">{escape(description)}</desc>'
    )


def _as_variable(found: re.Match[str]) -> str:
    colour = found[1]
    name = VARIABLES.get(colour)
    return f'"var({name}, {colour})"' if name else found[0]


def _dark_rules() -> str:
    """Return rules that viewers without style sheets do not need to understand."""
    rules = "".join(
        f'[fill="{light}"]{{fill:{dark}}}[stroke="{light}"]{{stroke:{dark}}}'
        for light, dark in DARK.items()
    )
    return f"@media (prefers-color-scheme:dark){{{rules}}}"
