"""The links of a page.

Found by a scan whose time grows with the length of the page and nothing else. A parser that builds
the tree can be kept busy for minutes by one megabyte of unclosed elements, while all hosts wait.
"""

import re
from collections.abc import Iterator
from html import unescape
from itertools import islice

from izwi.gather.urls import canonical, may_be_text

# More links than this on one page are a trap or a mistake.
_MOST = 5000
_MOST_ATTRIBUTES = 100
# Either an element that may have an address, or the beginning of what is not text of the page.
_TAG = re.compile(
    rb"""<(?:(a|base)\s((?:[^"'<>]++|"[^"]{0,4000}+"|'[^']{0,4000}+')*+)>"""
    rb"""|(!--)|(script|style|textarea|title)(?=[\s/>]))""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    rb"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?"""
)


def page_links(body: bytes, url: str) -> list[str]:
    """Return the distinct canonical links of a page, in order of appearance."""
    bases: list[str] = []
    links: list[str] = []
    for name, href in _addresses(body):
        (links if name == b"a" else bases).append(href)
        if len(links) == _MOST:
            break
    base = (canonical(bases[0], url) if bases else None) or url
    found = (canonical(link, base) for link in links if link)
    return list(dict.fromkeys(link for link in found if link and may_be_text(link)))


def _addresses(body: bytes) -> Iterator[tuple[bytes, str]]:
    """Yield the name and the address of each element that has one."""
    for name, attributes in _elements(body):
        href = _value(attributes, b"href")
        if href is not None:
            yield name, unescape(href.decode("utf-8", "replace"))


def _elements(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield the name and the attributes of links, those in comments and scripts left out."""
    place = 0
    while (tag := _TAG.search(body, place)) is not None:
        name, attributes, comment, raw = tag.groups()
        place = tag.end()
        if name:
            yield name.lower(), attributes
        elif comment:
            place = body.find(b"-->", place - 2)
        else:
            end = re.compile(b"</" + raw, re.IGNORECASE).search(body, place)
            place = end.end() if end else -1
        if place < 0:
            return


def _value(attributes: bytes, wanted: bytes) -> bytes | None:
    """Return the first attribute of that name; None if there is none, or it has no value."""
    for match in islice(_ATTRIBUTE.finditer(attributes), _MOST_ATTRIBUTES):
        name, *values = match.groups()
        if name.lower() == wanted:
            return next((value for value in values if value is not None), None)
    return None
