"""What sort of page its head, its data and its address say it is, before a block is read."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import compress

from izwi.kernels.letters import encoded
from izwi.kernels.tidiness import Words

# Marks as publishing systems write them.
SORTS: Mapping[str, tuple[str, ...]] = {
    "article": ('"NewsArticle"', '"BlogPosting"', '"Article"', "article:published_time",
                "schema.org/BlogPosting", "schema.org/NewsArticle", "schema.org/Article"),
    "product": ('"Product"', 'content="product', "schema.org/Product", "product:price"),
    "forum": ('"DiscussionForumPosting"', '"QAPage"', "vBulletin", "phpBB", "XenForo", "iscourse",
              "schema.org/QAPage", "schema.org/DiscussionForumPosting", "vanilla-", "Invision"),
    "listing": ('"ItemList"', '"CollectionPage"', '"SearchResultsPage"'),
    "open_article": ('content="article"', "content='article'"),
    # Weaker ones: what the site is, more than the page.
    "manual": ("docs", "ocumentation", "phinx", "ocusaurus", "mkdocs", "gitbook", "ediaWiki",
               '"TechArticle"'),
    "shop": ("og:price", '"price"', '"sku"', '"Offer"', "cdn.shopify", "add-to-cart",
             "add_to_cart", "oocommerce", "bigcommerce", "single-product"),
    "website": ('content="website"', "content='website'"),
    "numbered": ('rel="next"', "rel='next'", 'rel="prev"', "rel='prev'"),
    "post": ("single-post", '"Blog"', "substack", "article:tag"),
    "talk": ("forum", "thread", "viewtopic", "stackexchange", '"Answer"', '"Comment"'),
    "written": ('"Person"', '"datePublished"'),
}  # fmt: skip
_TYPED = '"@type"'
# What addresses look like on most sites.
_ADDRESSES: Mapping[str, re.Pattern[str]] = {
    "at_forum": re.compile(
        r"//[^/]*(?:forum|communit|discuss|answers|boards?\.|talk\.)|/(?:forums?|threads?|topics?"
        r"|t|questions?|discussions?|comments|community|boards?|r)/|viewtopic|showthread"
    ),
    "at_goods": re.compile(
        r"//(?:shop|store)\.|/(?:products?|p|dp|itm|items?|shop|store|buy|prod|pd)/|[-/]p-?\d|/sku"
    ),
    "at_list": re.compile(
        r"/(?:category|categories|tags?|collections?|archives?|search|browse|page|c|list|latest"
        r"|best|top)(?:/|$)(?!.*/products?/)|[?&](?:q|s|page|search)="
    ),
    "at_manual": re.compile(
        r"//(?:docs?|developers?|help|support|learn|wiki|man|api)\.|/(?:docs?|documentation"
        r"|reference|manuals?|guides?|api|tutorials?|wiki|help|support|kb|man|learn)/"
    ),
    "at_article": re.compile(
        r"/(?:19|20)\d\d/\d\d?/|/(?:blogs?|news|articles?|posts?|story|stories|press|opinion"
        r"|magazine)/|(?<![a-z0-9])(?:[a-z0-9]+[-_]){4}"
    ),
    "at_front": re.compile(r"//[^/]*/?(?:[a-z]{2}(?:-[a-z]{2})?/?)?(?:index\.\w+)?$"),
}
SORT_NAMES = (*SORTS, *_ADDRESSES)
# Where publishing systems name themselves and what the page is.
_BEGINNING, _END = 30_000, 8_000
_LONGEST = 1_000


def sorts_of(html: str) -> int:
    """Return the bits of SORT_NAMES whose marks stand near the beginning or end of the markup."""
    marks, bits = _marks()
    found = marks.inside(encoded(html[:_BEGINNING] + html[-_END:], "replace"))
    # A quoted name is a type only where data have types: their mark is the last one.
    has_types, sorts, address = found[-1], 0, own_address(html)
    for bit, is_quoted in compress(bits, found):
        if has_types or not is_quoted:
            sorts |= bit
    for place, like in enumerate(_ADDRESSES.values(), len(SORTS)):
        if address and like.search(address):
            sorts |= 1 << place
    return sorts


def own_address(html: str) -> str:
    """Return the address a page says it stands at, in lower case, or nothing.

    >>> own_address('<link rel="canonical" href="https://a.example/Frogs">')
    'https://a.example/frogs'
    """
    linked = _attributes(html, "<link", "canonical", "href=")
    told = _attributes(html, "<meta", "og:url", "content=")
    found = next(linked, "") or next(told, "")
    return found.lower() if found.startswith(("http:", "https:")) else ""


def _attributes(html: str, tag: str, name: str, wanted: str) -> Iterator[str]:
    """Yield an attribute of elements near the beginning that hold a name, which finds them."""
    place = 0
    while (place := html.find(name, place, _BEGINNING)) >= 0:
        start = html.rfind("<", max(0, place - _LONGEST), place)
        place += len(name)
        if start >= 0 and html[start : start + len(tag)].lower() == tag:
            value = html.find(wanted, start, place + _LONGEST)
            yield _quoted(html, value + len(wanted)) if value >= 0 else ""


def _quoted(html: str, place: int) -> str:
    """Return what stands in quotation marks there, if it is not too long."""
    mark = html[place : place + 1]
    end = html.find(mark, place + 1, place + _LONGEST) if mark in ("'", '"') else -1
    return html[place + 1 : end] if end >= 0 else ""


@cache
def _marks() -> tuple[Words, list[tuple[int, bool]]]:
    """Return what looks for all marks, and of each the bit of its sort and whether it is quoted."""
    listed = [(1 << place, mark) for place, marks in enumerate(SORTS.values()) for mark in marks]
    listed.append((0, _TYPED))
    words = Words([mark.encode() for _, mark in listed])
    return words, [(bit, mark.startswith('"')) for bit, mark in listed]
