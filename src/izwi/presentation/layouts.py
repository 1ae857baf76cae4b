"""Files that izwi writes for others, laid out by templates: pages, XML, linked data.

HTML, XML and SVG are escaped by themselves; the layouts of other formats name what escapes a text.
"""

import re
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from jinja2 import Environment

# What Turtle does not take in an address, and what it wants escaped in a text.
_SAFE_IN_ADDRESS = "/:?#[]@!$&'()*+,;=-._~%"
_IN_TEXT = {
    "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f",
}  # fmt: skip
_WEB = re.compile(r"https?://[^/?#\s]")


def filled(template: str, **content: object) -> str:
    """Return a layout filled with its content."""
    return _layouts().get_template(template).render(content)


@cache
def _layouts() -> "Environment":
    from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

    made = Environment(
        loader=PackageLoader("izwi.presentation"), undefined=StrictUndefined,
        autoescape=select_autoescape(("html", "xml", "svg")), trim_blocks=True, lstrip_blocks=True,
        keep_trailing_newline=True,
    )  # fmt: skip
    made.filters |= {
        "number": "{:,}".format, "percent": "{:.1%}".format, "anchor": anchor,
        "turtle": turtle_text, "named": turtle_name,
    }  # fmt: skip
    made.tests |= {"page": lambda address: _WEB.match(address) is not None}
    return made


def anchor(title: str) -> str:
    """Return the name by which an address finds a part of a page.

    >>> anchor("From pages to corpus")
    'from-pages-to-corpus'
    """
    return "-".join(title.lower().split())


def turtle_text(text: str) -> str:
    """Return a text as Turtle writes it."""
    return '"' + "".join(_IN_TEXT.get(sign, sign) for sign in text) + '"'


def turtle_name(address: str) -> str:
    """Return an address as Turtle writes it."""
    return f"<{quote(address, safe=_SAFE_IN_ADDRESS)}>"


def lasting_name(link: str) -> str:
    """Return a link as a name that holds everywhere; without a site it is a name and no address."""
    path = link.partition("?")[0]
    return path if _WEB.match(path) else f"urn:izwi:{path.lstrip('/')}"
