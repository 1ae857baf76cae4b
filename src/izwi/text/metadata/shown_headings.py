"""What a page's headings say it is called, without what stands in them beside the headline."""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from selectolax.lexbor import LexborNode

from izwi.model.addresses import link_address
from izwi.model.document import Claim
from izwi.text.metadata.claims import clean
from izwi.text.metadata.marked_elements import names_of, pieces_of, text_of

# Where the front page of a site stands.
_HOME = re.compile(r"(?:https?:)?(?://[^/?#]+)?/?(?:index\.\w+)?", re.I)
_SCHEME = re.compile(r"^https?://(?:www\.)?", re.I)
# Year and month, or the folder of the posts.
_LEAST_FOLDERS = 1
_INNER = "[class], button, form, title"
# A heading has few parts; one with more was made by a machine.
_MOST_APART = 100
_NO_HEADLINE = frozenset({"button", "form", "title"})
# Names of what stands above, before or below a headline in the same heading.
_APART = frozenset(
    {"kicker", "overline", "topline", "toptitle", "overtitle", "supertitle", "pretitle", "roofline",
     "superheadline", "eyebrow", "spitzmarke", "dachzeile", "surtitre", "antetitulo", "occhiello",
     "label", "descriptor", "prefix", "subtitle", "subheadline", "subhead", "subline", "untertitel",
     "visuallyhidden", "invisible"}
)  # fmt: skip
_APART_TOGETHER = (
    frozenset({"visually", "hidden"}), frozenset({"sr", "only"}), frozenset({"screen", "reader"}),
    frozenset({"sub", "heading"}), frozenset({"sub", "title"}),
)  # fmt: skip


def heading_claims(headings: Sequence[LexborNode], title: str, url: str) -> Iterator[Claim]:
    """Yield what headings say, and the title; one that leads to the front is the site's name."""
    for heading in headings:
        if text := _as_titled(heading, title):
            is_site = _leads_home(heading, text, url)
            yield Claim("publisher", text, "h1") if is_site else Claim("headline", text, "h1")
    if title:
        yield Claim("headline", title, "title element")


def _leads_home(heading: LexborNode, text: str, url: str) -> bool:
    """Return whether a heading is nothing but a link to the site's front: then it is its name.

    A weblog may have its front in a folder in which its posts stand.
    """
    link = heading.css_first("a")
    if link is None:
        return False
    # A mere anchor has no address, and an empty one is that of the page itself.
    address = clean(link.attributes.get("href") or "")
    is_front = bool(address) and (bool(_HOME.fullmatch(address)) or _is_above(address, url))
    return is_front and text_of(link) == text


def _is_above(address: str, url: str) -> bool:
    """Return whether an address is that of a folder in which a page stands, far below it."""
    folder = _SCHEME.sub("", link_address(url, address))
    page = _SCHEME.sub("", url)
    return (
        folder.endswith("/")
        and page.startswith(folder)
        and page[len(folder) :].count("/") >= _LEAST_FOLDERS
    )


def _as_titled(heading: LexborNode, title: str) -> str:
    """Return a heading's words, elements apart; not apart where the title writes them together."""
    apart = list(islice(_outermost(filter(_is_apart, heading.css(_INNER))), _MOST_APART))
    together = "" if apart else clean(heading.text(deep=True)[:1000])
    if together and together in title:
        return together
    # What is said twice is said once for those who do not see it.
    pieces = _without(apart, pieces_of(heading))
    return pieces[0] if len(pieces) > 1 and len(set(pieces)) == 1 else " ".join(pieces)


def _outermost(elements: Iterable[LexborNode]) -> Iterator[LexborNode]:
    """Yield elements, in the order of the page, but for those inside others of them."""
    inside: set[int | None] = set()
    for element in elements:
        if element.mem_id not in inside:
            inside.update(inner.mem_id for inner in element.css(_INNER))
            yield element


def _without(apart: Sequence[LexborNode], pieces: list[str]) -> list[str]:
    """Return the texts in a heading without those of elements that are no part of the headline."""
    left = list(pieces)
    for inner in apart:
        said = pieces_of(inner)
        places = (at for at in range(len(left)) if left[at : at + len(said)] == said)
        at = next(places, None) if said else None
        if at is not None:
            del left[at : at + len(said)]
    return left or pieces


def _is_apart(inner: LexborNode) -> bool:
    names = set(names_of(inner))
    is_named = not _APART.isdisjoint(names) or any(words <= names for words in _APART_TOGETHER)
    return is_named or inner.tag in _NO_HEADLINE
