"""The links of a page."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from izwi.gather.urls import canonical, may_be_text

# More links than this on one page are a trap or a mistake.
_MOST = 5000


def page_links(body: bytes, url: str) -> list[str]:
    """Return the distinct canonical links of a page, in order of appearance."""
    page = LexborHTMLParser(body)
    base = page.css_first("base[href]")
    root = canonical((base.attributes.get("href") if base else "") or "", url) or url
    return list(dict.fromkeys(_links(page, root)))


def _links(page: LexborHTMLParser, base: str) -> Iterator[str]:
    for anchor in page.css("a[href]")[:_MOST]:
        href = anchor.attributes.get("href")
        url = canonical(href, base) if href else None
        if url and may_be_text(url):
            yield url
