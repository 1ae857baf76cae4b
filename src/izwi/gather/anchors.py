"""The links of a page with what stands round them: their words, their place, their region."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from izwi.gather.urls import canonical, may_be_text
from izwi.model.errors import SourceError

# More elements than this, or deeper than this, and building the tree would hold up all hosts: the
# time a parser takes grows with the square of elements that are never closed.
_MOST_ELEMENTS = 100_000
_DEEPEST_TREE = 500
_TAG = re.compile(rb"<(/?)([A-Za-z][A-Za-z0-9]*)")
# Elements that hold nothing, or end by themselves when the next one begins.
_FLAT = frozenset(
    b"area base br col embed hr img input link meta param source track wbr p li dt dd tr td th "
    b"option thead tbody tfoot html head body".split()
)
_MOST_ANCHORS = 5_000
_LEVELS = 3
_DEEPEST = 60
# Regions that lead about the site, not to what a page lists.
_ASIDE_TAGS = {"nav", "footer", "aside", "form"}
_ASIDE_WORDS = re.compile(
    r"(?:^|[-_\s])(?:nav\w*|menu\w*|sidebar|footer|breadcrumbs?|pagination|pager|paging|related|"
    r"popular|trending|most-?read|meistgelesen|social|share|tag-?cloud|widget\w*|login|cookies?)"
    r"(?:$|[-_\s])",
    re.IGNORECASE,
)
_PASSING_CLASSES = {"first", "last", "odd", "even", "active", "current"}


@dataclass(frozen=True, slots=True)
class Anchor:
    """A link: its address, its words, and where it stands."""

    url: str
    text: str
    # What names it beside its words: title, aria-label, class and id.
    label: str = ""
    rel: str = ""
    # The elements it stands in, nearest last, as a CSS selector.
    place: str = ""
    is_aside: bool = False
    is_heading: bool = False


@lru_cache(maxsize=4)
def read_anchors(body: bytes, url: str) -> tuple[Anchor, ...]:
    """Return the links of a page in order; a page read again at once is not parsed again."""
    root = parsed(body, url)
    return tuple(_anchors(root, url))


def selected_anchors(body: bytes, url: str, selector: str) -> tuple[Anchor, ...]:
    """Return the links a CSS selector finds: the elements themselves, or the first in each."""
    found = []
    for node in parsed(body, url).css(selector)[:_MOST_ANCHORS]:
        link = node if node.attributes.get("href") else node.css_first("a[href]")
        anchor = _anchor(link, url) if link is not None else None
        if anchor is not None:
            found.append(anchor)
    return tuple(found)


@lru_cache(maxsize=4)
def parsed(body: bytes, url: str) -> LexborHTMLParser:
    """Return the tree of a page; raise SourceError for one that is too large to be a list."""
    if body.count(b"<") > _MOST_ELEMENTS or _is_too_deep(body):
        raise SourceError(
            f"{url} has more than {_MOST_ELEMENTS} elements, or more than {_DEEPEST_TREE} inside "
            "each other; no list is so long."
        )
    return LexborHTMLParser(body.decode("utf-8", "replace"))


def _is_too_deep(body: bytes) -> bool:
    depth = 0
    for closing, name in _TAG.findall(body):
        if name.lower() not in _FLAT:
            depth += -1 if closing and depth else 0 if closing else 1
            if depth > _DEEPEST_TREE:
                return True
    return False


def _anchors(root: LexborHTMLParser, url: str) -> Iterator[Anchor]:
    for node in root.css("a[href], link[rel][href]")[:_MOST_ANCHORS]:
        anchor = _anchor(node, url)
        if anchor is not None and (node.tag == "a" or "next" in anchor.rel.split()):
            yield anchor


def _anchor(node: Any, url: str) -> Anchor | None:
    given = node.attributes
    address = canonical(given.get("href") or "", url)
    if address is None or not may_be_text(address):
        return None
    above = list(_ancestors(node))
    names = {each.tag for each in above}
    label = " ".join(given.get(key) or "" for key in ("title", "aria-label", "class", "id"))
    return Anchor(
        address,
        " ".join(node.text(separator=" ").split()),
        label,
        (given.get("rel") or "").lower(),
        " > ".join(_step(each) for each in [*reversed(above[:_LEVELS]), node]),
        any(_is_aside(each, names) for each in above),
        bool(names & {"h1", "h2", "h3", "h4"}) or node.css_first("h1, h2, h3, h4") is not None,
    )


def _ancestors(node: Any) -> Iterator[Any]:
    for _ in range(_DEEPEST):
        node = node.parent
        if node is None or node.tag in ("html", "-undef"):
            return
        yield node


def _is_aside(node: Any, names: set[str]) -> bool:
    if node.tag in _ASIDE_TAGS or (node.tag == "header" and "article" not in names):
        return True
    given = node.attributes
    words = f"{given.get('class') or ''} {given.get('id') or ''} {given.get('role') or ''}"
    return node.tag != "body" and _ASIDE_WORDS.search(words) is not None


def _step(node: Any) -> str:
    """Return an element as a step of a selector: its name, and the first class that lasts."""
    classes = (node.attributes.get("class") or "").split()
    lasting = (
        name
        for name in classes
        if re.fullmatch(r"[A-Za-z_][A-Za-z_-]*", name) and name.lower() not in _PASSING_CLASSES
    )
    name = next(lasting, "")
    return f"{node.tag}.{name}" if name else str(node.tag)
