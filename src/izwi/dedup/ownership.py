"""Which document owns a text: of all that hold it, the one of the best rank.

A rank is made of the document alone. Whatever the shards, the batches or the order of work, the
same documents have the same owners, and growth ends where a build from scratch does.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import Protocol
from urllib.parse import urljoin, urlsplit

import xxhash

from izwi.model.document import READY_MADE, Document, Paragraph

# Bytes in a rank: compared as they are, the smallest owns.
RANK_BYTES = 24
_BREAKS_OFF = re.compile(r"(?:\.\.\.|…|\[…\]|\[\.\.\.\]|(?i:read more|continue reading))\W{0,3}$")
# What blogs link below a post instead of its title: a day, perhaps with the hour, or the word.
_PERMANENT = re.compile(
    r"(?i)perma(?:nent )?link|(?:\w+,? )?(?:\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}"
    r"|\d{1,2}\.? [^\W\d]{3,12}\.?,? \d{4}|[^\W\d]{3,12}\.? \d{1,2},? \d{4})"
    r"(?:,? (?:at )?\d\d?:\d\d.{0,5})?"
)
# Two may be the posts before and after.
_MOST_NEIGHBOURS = 2
# A heading that is linked so far is the title of another page; of so many a page is made of them.
_MOSTLY_LINKED, _SEVERAL = 0.7, 2
_MOST_LETTERS = 2**32 - 1
_LONGEST_URL = 2**16 - 1


class Exclusion(Protocol):
    """What was taken out of a corpus."""

    def covers(self, url: str) -> bool:
        """Whether a page is out: it owns nothing, and what it owned goes to the next."""


class NothingExcluded:
    """The exclusion of a corpus from which nothing was taken."""

    def covers(self, url: str) -> bool:
        """Whether a page is out: none is."""
        return False


def rank(document: Document) -> bytes:
    """Return what decides between all documents that hold a text; the smallest owns it.

    Whole articles before pages that list them, the earliest date with evidence or of an import,
    the most complete, the shortest address; then the address, the time of capture and the id, so
    that no two documents are alike. The last bytes depend on publication and text: a page that
    changed is another owner.
    """
    url = document.url.encode("utf-8", "surrogatepass")
    identity = "\0".join((document.id, publication(document), document.text))
    parts = (
        (_wholeness(document), 1),
        (_day(document), 3),
        (_MOST_LETTERS - min(len(document.text), _MOST_LETTERS), 4),
        (min(len(url), _LONGEST_URL), 2),
        (xxhash.xxh3_64_intdigest(url) >> 24, 5),
        (max(0, int(document.captured.timestamp())), 4),
        (xxhash.xxh3_64_intdigest(identity.encode("utf-8", "surrogatepass")) >> 24, 5),
    )
    return b"".join(value.to_bytes(size, "big") for value, size in parts)


def ranked_date(rank: bytes) -> date | None:
    """Return the day of publication that a rank holds.

    >>> ranked_date(bytes([0]) + (2 * date(2020, 3, 1).toordinal()).to_bytes(3, "big") + bytes(20))
    datetime.date(2020, 3, 1)
    """
    found = date.fromordinal(int.from_bytes(rank[1:4], "big") // 2)
    return None if found == date.max else found


def publication(document: Document) -> str:
    """Return where a document was published: what its site calls itself, or its source."""
    return document.metadata.site or document.source


def is_listing(document: Document) -> bool:
    """Whether a document looks like a home or section page: undated and near the site's root."""
    path = urlsplit(document.url).path
    name = path.strip("/")
    is_section = path.endswith("/") and not any(mark in name for mark in "/.-")
    return document.metadata.date is None and (not name or is_section)


def holds_others(document: Document) -> bool:
    """Whether a page is made of other pages of its site: their linked titles, with text below.

    A blog shows its last posts so, whole or not; each has a page of its own that owns its text.
    What an article proposes to read next stands after its own text. Some blogs link the day below
    each post instead of its title.
    """
    titles, days = set[str](), set[str]()
    own, others = 0, 0
    for paragraph in document.paragraphs:
        if title := _title_of(paragraph, document.url):
            titles.add(title)
        elif paragraph.is_main and titles:
            others += len(paragraph.text)
        elif paragraph.is_main:
            own += len(paragraph.text)
        days |= set(_permanent_links(paragraph, document.url))
    return (len(titles) >= _SEVERAL and others > own) or len(days) > _MOST_NEIGHBOURS


def _title_of(paragraph: Paragraph, url: str) -> str:
    """Return which other page of the same site a heading is the linked title of, or nothing."""
    links = (mark for mark in paragraph.marks if mark.name == "a" and mark.target)
    link = next(links, None) if paragraph.kind == "h" else None
    if link is None or link.end - link.start < _MOSTLY_LINKED * len(paragraph.text):
        return ""
    return _other_page(link.target, url)


def _permanent_links(paragraph: Paragraph, url: str) -> Iterator[str]:
    """Yield the other pages of the same site that days, or the word for such a link, lead to.

    Below the address of an article stand its comments.
    """
    links = [mark for mark in paragraph.marks if mark.name == "a" and mark.target]
    below = url.rstrip("/") + "/" if links and urlsplit(url).path.strip("/") else ""
    for mark in links:
        if _PERMANENT.fullmatch(paragraph.text[mark.start : mark.end].strip()):
            page = _other_page(mark.target, url)
            if page and not (below and urljoin(url, mark.target).startswith(below)):
                yield page


def _other_page(target: str, url: str) -> str:
    """Return where a link leads, if that is another page of the same site."""
    try:
        there, here = urlsplit(urljoin(url, target)), urlsplit(url)
    except ValueError:
        return ""
    is_other = (there.path.rstrip("/"), there.query) != (here.path.rstrip("/"), here.query)
    is_near = there.netloc.removeprefix("www.") == here.netloc.removeprefix("www.")
    return f"{there.path}?{there.query}" if is_other and is_near else ""


def is_excerpt(document: Document) -> bool:
    """Whether a text breaks off, as teasers do: it ends in dots or in words that lead on."""
    last = next((each.text for each in reversed(document.paragraphs) if each.is_main), "")
    return bool(_BREAKS_OFF.search(last.rstrip()))


def _wholeness(document: Document) -> int:
    """Return 0 for a whole text, 1 for one that breaks off, 2 for a page that lists others."""
    if is_listing(document) or holds_others(document):
        return 2
    return int(is_excerpt(document))


def _day(document: Document) -> int:
    """Return the day of publication as twice its number, one more if only an import speaks for it.

    So of two on one day the one whose page says so is first. A day nothing speaks for is none.
    """
    when = document.metadata.date
    if when is None or not (when.evidence or document.media_type == READY_MADE):
        return 2 * date.max.toordinal()
    return 2 * when.value.toordinal() + (not when.evidence)
