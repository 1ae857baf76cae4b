"""The links of a page."""

import re
from collections import Counter
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser

from izwi.gather.urls import canonical, may_be_text

# More links than this on one page are a trap or a mistake.
_MOST = 5000
# No deeper than Blink reads (kMaximumHTMLParserDOMTreeDepth): the parser looks through all open
# elements at each of these tags, so 80,000 of them in one another would take it half a minute.
_DEEPEST = 512
_NESTING = re.compile(
    rb"<(/?)(address|applet|article|aside|blockquote|button|center|details|dialog|dir|div|dl|"
    rb"fieldset|figcaption|figure|footer|form|h[1-6]|header|hgroup|listing|main|marquee|menu|nav|"
    rb"object|ol|pre|search|section|select|summary|svg|table|template|ul)(?=[\s/>])",
    re.IGNORECASE,
)


def page_links(body: bytes, url: str) -> list[str]:
    """Return the distinct canonical links of a page, in order of appearance."""
    page = LexborHTMLParser(_shallow(body))
    base = page.css_first("base[href]")
    root = canonical((base.attributes.get("href") if base else "") or "", url) or url
    return list(dict.fromkeys(_links(page, root)))


def _shallow(body: bytes) -> bytes:
    """Return a page as far as its elements are not nested too deep."""
    open_tags: Counter[bytes] = Counter()
    depth = 0
    for tag in _NESTING.finditer(body):
        name = tag[2].lower()
        step = 1 if not tag[1] else -1 if open_tags[name] else 0
        open_tags[name] += step
        depth += step
        if depth > _DEEPEST:
            return body[: tag.start()]
    return body


def _links(page: LexborHTMLParser, base: str) -> Iterator[str]:
    for anchor in page.css("a[href]")[:_MOST]:
        href = anchor.attributes.get("href")
        url = canonical(href, base) if href else None
        if url and may_be_text(url):
            yield url
