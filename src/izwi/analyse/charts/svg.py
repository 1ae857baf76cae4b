"""A specification drawn as SVG: titled, described, linked, light and dark."""

import json
import re
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from html import escape
from typing import Any

from izwi.analyse.charts.drawing import picture_of
from izwi.analyse.charts.links import safe_link
from izwi.analyse.charts.palette import DARK, VARIABLES

_COLOUR = re.compile(r'"(#[0-9a-f]{6})"')


def drawn(
    specification: Mapping[str, Any],
    title: str,
    description: str,
    links: Sequence[str],
    *,
    is_in_page: bool = False,
) -> str:
    """Return a drawing; in a page its colours are the page's, else they follow the screen."""
    mark = _mark(specification, is_in_page)
    width, height, body = picture_of(specification, links, mark)
    head = (
        '<svg xmlns="http://www.w3.org/2000/svg" class="izwi-chart" '
        f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f"{_said(mark, title, description, has_links=any(map(safe_link, links)))}"
    )
    if is_in_page:
        return _COLOUR.sub(_as_variable, f"{head}{body}</svg>")
    return f"{head}<style>{_dark_rules()}</style>{body}</svg>"


def _mark(specification: Mapping[str, Any], is_in_page: bool) -> str:
    """Return a name that keeps the ids of two charts on one page apart."""
    text = json.dumps(specification, sort_keys=True, default=str) + str(is_in_page)
    return f"chart-{blake2b(text.encode(), digest_size=5).hexdigest()}"


def _said(mark: str, title: str, description: str, *, has_links: bool) -> str:
    # An image has no parts for those who hear it; where parts are links, it is a group of them.
    role = "group" if has_links else "img"
    return (
        f'role="{role}" aria-labelledby="{mark}-title {mark}-desc">'
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
