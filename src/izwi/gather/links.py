"""What a page says of itself to a crawler: links and what is round them, address, wishes.

Found by a scan whose time grows with the length of the page and nothing else. A parser that builds
the tree can be kept busy for minutes by one megabyte of unclosed elements, while all hosts wait.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from html import unescape
from itertools import filterfalse, islice
from typing import TYPE_CHECKING, Any

from izwi.gather.urls import canonical, may_be_text
from izwi.model.errors import SourceError
from izwi.model.records import dataclass

if TYPE_CHECKING:
    from selectolax.lexbor import LexborHTMLParser

# More links than this on one page are a trap or a mistake.
_MOST = 5000
_MOST_ATTRIBUTES = 100
# Elements of a head that are read; more are a mistake.
_MOST_METAS = 1000
_MOST_FRAMES = 20
# Either an element that is read, or the beginning of what is not text of the page.
_TAG = re.compile(
    rb"""<(?:(a|base|i?frame|frameset|link|meta)(?=[\s>])((?:[^"'<>]++|"[^"]{0,4000}+"|'[^']{0,4000}+')*+)>"""
    rb"""|(!--)|(script|style|textarea|title)(?=[\s/>]))""",
    re.IGNORECASE,
)
_ATTRIBUTE = re.compile(
    rb"""([^\s"'<>/=]++)(?:\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'<>]++)))?"""
)
_ANY_TAG = re.compile(rb"<[^<>]*+>")
_LINK = re.compile(rb"<a(?=[\s>])", re.IGNORECASE)
_LINK_END = re.compile(rb"</a\s*+>", re.IGNORECASE)
# A refresh sooner than this is a redirect; later ones are tickers that reload themselves.
_SOON = 10.0
_REFRESH = re.compile(
    r"\s*+(\d{1,9}(?:\.\d{0,9})?)\s*+[;,]\s*+(?:url\s*+=\s*+)?['\"]?\s*+([^'\"]++)", re.IGNORECASE
)
_FEED_TYPES = ("rss", "atom", "feed+json")

Attributes = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Reading:
    """One pass over a page."""

    links: tuple[str, ...]
    # Links whose ending leaves no chance that text is behind them: pictures, films, programs.
    others: tuple[str, ...] = ()
    # The address the page gives itself; empty if it gives none.
    canonical: str = ""
    # Where a meta refresh sends the reader at once.
    refresh: str = ""
    # The words of meta robots (noindex, nofollow, noarchive ...), in lower case.
    robots: str = ""
    # The page's meta elements about text and data mining, and the licence it links to.
    tdm: str = ""
    tdm_policy: str = ""
    licence: str = ""
    # Feeds and site maps it names.
    feeds: tuple[str, ...] = ()
    # The page after it, as its head says.
    next: str = ""
    # What stands in its frames, and whether it is made of nothing else.
    frames: tuple[str, ...] = ()
    has_frameset: bool = False


@lru_cache(maxsize=4)
def read_page(body: bytes, url: str) -> Reading:
    """Return what a page says; a page read again at once is not scanned again."""
    anchors: list[bytes] = []
    heads: list[tuple[str, Attributes]] = []
    framed: list[bytes] = []
    has_frameset = False
    for name, attributes in _elements(body):
        has_frameset = has_frameset or name == b"frameset"
        if name in (b"frame", b"iframe") and len(framed) < _MOST_FRAMES:
            framed.append(attributes)
        if name in (b"a", b"frame"):
            anchors.append(attributes)
            if len(anchors) == _MOST:
                break
        elif name not in (b"iframe", b"frameset") and len(heads) < _MOST_METAS:
            heads.append((name.decode(), _attributes(attributes)))
    metas = _metas(heads)
    base = _base(heads, url)
    linked = dict.fromkeys(_links(anchors, base))
    return Reading(
        links=tuple(filter(may_be_text, linked)),
        others=tuple(filterfalse(may_be_text, linked)),
        canonical=_address(_linked(heads, "canonical"), base),
        refresh=_refresh(metas.get("refresh", ""), base),
        robots=f"{metas.get('robots', '')},{metas.get('izwi', '')}".lower().strip(","),
        tdm=metas.get("tdm-reservation", ""),
        tdm_policy=metas.get("tdm-policy", ""),
        licence=_linked(heads, "license") or _licence(anchors),
        feeds=tuple(dict.fromkeys(_feeds(heads, base))),
        next=_address(_linked(heads, "next"), base),
        frames=tuple(dict.fromkeys(_links(framed, base))),
        has_frameset=has_frameset,
    )


def page_links(body: bytes, url: str) -> list[str]:
    """Return the distinct canonical links of a page, in order of appearance."""
    return list(read_page(body, url).links)


def page_text(body: bytes) -> str:
    """Return what stands between the elements of a page, but for scripts and comments."""
    return _without_tags(_visible(body))


def texts_apart(body: bytes) -> tuple[str, str]:
    """Return what stands on a page outside of links, and what stands in them."""
    own, linked = [], []
    for piece in _visible(body):
        first, *rest = _LINK.split(piece)
        own.append(first)
        for link in rest:
            end = _LINK_END.search(link)
            # One that is never closed is none: what follows is text.
            words, after = (link[: end.start()], link[end.end() :]) if end else (b">", b"<" + link)
            linked.append(b"<" + words)
            own.append(after)
    return _without_tags(own), _without_tags(linked)


def _without_tags(pieces: Iterable[bytes]) -> str:
    return b"\n".join(_ANY_TAG.sub(b"\n", piece) for piece in pieces).decode("utf-8", "replace")


def _elements(body: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Yield name and attributes of the elements that are read, not of those in scripts."""
    place = 0
    while (tag := _TAG.search(body, place)) is not None:
        if tag[1]:
            yield tag[1].lower(), tag[2]
            place = tag.end()
            continue
        place = _end_of_hidden(body, tag)
        if place < 0:
            return


def _visible(body: bytes) -> Iterator[bytes]:
    """Yield the stretches of a page that are neither comment nor script."""
    place = shown = 0
    while (tag := _TAG.search(body, place)) is not None:
        place = tag.end()
        if tag[1]:
            continue
        yield body[shown : tag.start()]
        place = shown = _end_of_hidden(body, tag)
        if place < 0:
            return
    yield body[shown:]


def _end_of_hidden(body: bytes, tag: re.Match[bytes]) -> int:
    """Return where a comment or script ends, -1 if it does not."""
    if tag[3]:
        return body.find(b"-->", tag.end() - 2)
    end = re.compile(b"</" + tag[4], re.IGNORECASE).search(body, tag.end())
    return end.end() if end else -1


def _attributes(text: bytes) -> dict[str, str]:
    """Return the attributes of an element; of two with one name the first counts."""
    found: dict[str, str] = {}
    for match in islice(_ATTRIBUTE.finditer(text), _MOST_ATTRIBUTES):
        name, *values = match.groups()
        value = next((value for value in values if value is not None), b"")
        found.setdefault(name.decode("latin-1").lower(), _text(value))
    return found


def _value(attributes: bytes, wanted: bytes) -> bytes | None:
    """Return the first attribute of that name; None if there is none, or it has no value."""
    if attributes.startswith(wanted + b'="'):  # as nearly all links are written
        start = len(wanted) + 2
        return attributes[start : attributes.find(b'"', start)]
    for match in islice(_ATTRIBUTE.finditer(attributes), _MOST_ATTRIBUTES):
        name, *values = match.groups()
        if name.lower() == wanted:
            return next((value for value in values if value is not None), None)
    return None


def _text(value: bytes) -> str:
    return unescape(value.decode("utf-8", "replace"))


def _links(anchors: Iterable[bytes], base: str) -> Iterator[str]:
    for attributes in anchors:
        # A page of frames says there where its parts are.
        href = _value(attributes, b"href") or _value(attributes, b"src")
        if not href or href.startswith(b"#") or _is_unfollowed(attributes):
            continue
        url = canonical(_text(href), base)
        if url:
            yield url


def _is_unfollowed(attributes: bytes) -> bool:
    # Most anchors do not hold the word at all.
    return (
        b"nofollow" in attributes.lower()
        and b"nofollow" in (_value(attributes, b"rel") or b"").lower()
    )


def _metas(heads: Iterable[tuple[str, Attributes]]) -> dict[str, str]:
    """Return what the meta elements say, by name; the last of a name counts."""
    return {
        name.lower(): attributes["content"]
        for element, attributes in heads
        if element == "meta" and "content" in attributes
        if (name := attributes.get("name") or attributes.get("http-equiv"))
    }


def _base(heads: Iterable[tuple[str, Attributes]], url: str) -> str:
    found = (each["href"] for name, each in heads if name == "base" and each.get("href"))
    return canonical(next(found, ""), url) or url


def _linked(heads: Iterable[tuple[str, Attributes]], relation: str) -> str:
    """Return the first address of a relation in the head of a page."""
    found = (
        each.get("href", "")
        for name, each in heads
        if name == "link" and relation in each.get("rel", "").lower().split()
    )
    return next(found, "")


def _licence(anchors: Iterable[bytes]) -> str:
    for attributes in anchors:
        if b"license" in attributes and b"license" in (_value(attributes, b"rel") or b""):
            return _text(_value(attributes, b"href") or b"")
    return ""


def _feeds(heads: Iterable[tuple[str, Attributes]], base: str) -> Iterator[str]:
    for name, attributes in heads:
        kind = attributes.get("type", "").lower()
        if name != "link" or "alternate" not in attributes.get("rel", "").lower().split():
            continue
        url = canonical(attributes.get("href", ""), base)
        if url and any(each in kind for each in _FEED_TYPES):
            yield url


def _address(href: str, base: str) -> str:
    return canonical(href, base) or "" if href else ""


def _refresh(content: str, base: str) -> str:
    match = _REFRESH.match(content)
    if match is None or float(match[1]) > _SOON:
        return ""
    return canonical(match[2].strip(), base) or ""


# More elements than this, or deeper than this, and building the tree would hold up all hosts: the
# time a parser takes grows with the square of elements that are never closed.
_MOST_ELEMENTS = 100_000
_DEEPEST_TREE = 500
_TAG_NAME = re.compile(rb"<(/?)([A-Za-z][A-Za-z0-9]*)")
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
def parsed(body: bytes, url: str) -> "LexborHTMLParser":
    """Return the tree of a page; raise SourceError for one that is too large to be a list."""
    if body.count(b"<") > _MOST_ELEMENTS or _is_too_deep(body):
        raise SourceError(
            f"{url} has more than {_MOST_ELEMENTS} elements, or more than {_DEEPEST_TREE} inside "
            "each other; no list is so long."
        )
    # Most commands look at sources and parse none of their pages.
    from selectolax.lexbor import LexborHTMLParser

    return LexborHTMLParser(body.decode("utf-8", "replace"))


def _is_too_deep(body: bytes) -> bool:
    depth = 0
    for closing, name in _TAG_NAME.findall(body):
        if name.lower() not in _FLAT:
            depth += -1 if closing and depth else 0 if closing else 1
            if depth > _DEEPEST_TREE:
                return True
    return False


def _anchors(root: "LexborHTMLParser", url: str) -> Iterator[Anchor]:
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
