"""What a page says of itself to a crawler: its links, its address, its refresh, its wishes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from selectolax.lexbor import LexborHTMLParser

from izwi.gather.urls import canonical, may_be_text

# More links than this on one page are a trap or a mistake.
_MOST = 5000
# A refresh sooner than this is a redirect; later ones are tickers that reload themselves.
_SOON = 10.0
_REFRESH = re.compile(r"\s*([\d.]+)\s*[;,]\s*(?:url\s*=\s*)?['\"]?\s*([^'\"]+)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Reading:
    """One pass over a page."""

    links: tuple[str, ...]
    # The address the page gives itself; empty if it gives none.
    canonical: str = ""
    # Where a meta refresh sends the reader at once.
    refresh: str = ""
    # The words of meta robots (noindex, nofollow, noarchive ...), in lower case.
    robots: str = ""
    # The page's meta elements about text and data mining, and the licence it links to.
    tdm: str = ""
    licence: str = ""
    # Feeds and site maps it names.
    feeds: tuple[str, ...] = ()
    text: str = ""


@lru_cache(maxsize=4)
def read_page(body: bytes, url: str) -> Reading:
    """Return what a page says; a page read again at once is not parsed again."""
    page = LexborHTMLParser(body)
    metas = {
        str(name).lower(): str(node.attributes.get("content") or "")
        for node in page.css("meta[content]")
        if (name := node.attributes.get("name") or node.attributes.get("http-equiv"))
    }
    base = _base(page, url)
    found = _head_links(page)
    return Reading(
        links=tuple(dict.fromkeys(_links(page, base))),
        canonical=canonical(found.get("canonical", ""), base) or "" if "canonical" in found else "",
        refresh=_refresh(metas.get("refresh", ""), base),
        robots=f"{metas.get('robots', '')},{metas.get('izwi', '')}".lower().strip(","),
        tdm=metas.get("tdm-reservation", ""),
        licence=found.get("license", ""),
        feeds=tuple(dict.fromkeys(_feeds(page, base))),
        text=page.body.text(separator="\n") if page.body else "",
    )


def page_links(body: bytes, url: str) -> list[str]:
    """Return the distinct canonical links of a page, in order of appearance."""
    return list(read_page(body, url).links)


def _base(page: LexborHTMLParser, url: str) -> str:
    node = page.css_first("base[href]")
    return canonical((node.attributes.get("href") if node else "") or "", url) or url


def _links(page: LexborHTMLParser, base: str) -> Iterator[str]:
    for anchor in page.tags("a")[:_MOST]:
        attributes = anchor.attributes
        href = attributes.get("href")
        if not href or href[0] == "#" or "nofollow" in (attributes.get("rel") or ""):
            continue
        url = canonical(href, base)
        if url and may_be_text(url):
            yield url


def _head_links(page: LexborHTMLParser) -> dict[str, str]:
    """Return canonical and licence links; the first of each counts."""
    found: dict[str, str] = {}
    for node in page.css("link[rel=canonical][href], [rel=license][href]"):
        attributes = node.attributes
        found.setdefault(str(attributes.get("rel")).lower(), str(attributes.get("href") or ""))
    return found


def _feeds(page: LexborHTMLParser, base: str) -> Iterator[str]:
    for node in page.css("link[rel~=alternate][type][href]"):
        kind = (node.attributes.get("type") or "").lower()
        if "rss" in kind or "atom" in kind or "feed+json" in kind:
            url = canonical(node.attributes.get("href") or "", base)
            if url:
                yield url


def _refresh(content: str, base: str) -> str:
    match = _REFRESH.match(content)
    try:
        is_soon = match is not None and float(match[1]) <= _SOON
    except ValueError:
        return ""
    return canonical(match[2].strip(), base) or "" if match and is_soon else ""
