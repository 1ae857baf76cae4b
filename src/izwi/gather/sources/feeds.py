"""RSS, Atom and JSON feeds: each item once, with what the feed says of it."""

import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from email.utils import parsedate_to_datetime
from html import unescape
from typing import Any, ClassVar
from urllib.parse import urlsplit

from izwi.config.schema import STRICT, check_name
from izwi.gather.links import read_page
from izwi.gather.sources.base import check_address, check_rest, longest_rest
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Hints, Lead
from izwi.model.errors import SourceError
from izwi.model.notation import read_json, seconds

# The patient parser takes a second for half a megabyte; what is longer is read as far as that.
_MOST_PATIENCE = 2 << 20
# Ten thousand items with all that is said of them; more cost a reader minutes.
_MOST_ELEMENTS = 500_000
_REFERENCE = re.compile(rb"&#(x[0-9a-f]+|[0-9]{1,4000});?", re.IGNORECASE)


# What titles of feeds say of themselves, and those that name a part of a site or a conversation.
_ABOUT_FEEDS = re.compile(r"\s*(?:[»>|:–—-]\s*)?\b(?:rss|atom)?\s*feed\b.*$|\s+rss$", re.IGNORECASE)
_PART_OF_SITE = re.compile(
    r"comments? (?:on|for)\b.*|(?:(?:all|latest|top|recent) )?"
    r"(?:news|nuus|home|blog|posts|articles|stories|headlines)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class FeedSource:
    """A feed that is read again and again."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "feed"
    # How often it is asked where `every` is left out.
    usual: ClassVar[str] = "1h"
    # Its name, used in every ledger line.
    name: str
    # The feed's address, or a page that names its feed.
    url: str
    # How often it is asked; left out, once an hour, and more seldom while it brings nothing.
    every: str = ""
    # Another extractor for its pages.
    method: str = ""
    # Whether articles in parts (next pages, frames) are asked for whole and become one document.
    parts: bool = True

    def __post_init__(self) -> None:
        check_name(self.name)
        check_rest("every", self.every or self.usual)
        check_address(self.url, example="https://example.org/feed")

    @property
    def address(self) -> str:
        """The feed's address."""
        return self.url

    @property
    def longest_rest(self) -> timedelta:
        """How long the feed rests at most, however little it brings."""
        return longest_rest(self.every)

    @property
    def interval(self) -> timedelta | None:
        """The rest between two readings."""
        return timedelta(seconds=seconds(self.every or self.usual))

    def first_leads(self) -> Iterable[Lead]:
        """Yield the feed itself."""
        return [Lead(canonical(self.url) or self.url, self.name, kind="feed")]

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the items of the feed; a page of an item leads nowhere."""
        if capture.lead.kind != "feed":
            return []
        try:
            title, items = read_feed(body)
        except MemoryError:
            raise
        except Exception as error:  # the patient parser, too, raises many kinds
            raise SourceError(
                f"Source '{self.name}': {self.url} cannot be read as a feed ({error})."
            ) from error
        if not items and _is_html(body):
            return self._feeds_of_page(capture.lead, body)
        return [
            Lead(
                url,
                self.name,
                referrer=capture.lead.url,
                hints=_hints(item, _own(title, url, capture.lead.url)),
            )
            for item in items
            if (link := _link(item)) and (url := canonical(link, capture.lead.url))
        ]

    def _feeds_of_page(self, lead: Lead, body: bytes) -> list[Lead]:
        """Return the first feed that a page names: the address of a home page will do."""
        feeds = read_page(body, lead.url).feeds if not lead.depth else ()
        if not feeds:
            raise SourceError(
                f"Source '{self.name}': {self.url} is a web page, not a feed. It names none "
                'either: look there for an address, or make it a source of type "seeds".'
            )
        return [Lead(feeds[0], self.name, kind="feed", referrer=lead.url, depth=1)]


def _link(item: Mapping[str, Any]) -> str:
    return str(item.get("link") or _address(item.get("id") or item.get("guid")) or "")


def feed_items(body: bytes) -> list[Mapping[str, Any]]:
    """Return the items of a feed, malformed ones as far as they can be read."""
    return read_feed(body)[1]


def read_feed(body: bytes) -> tuple[str, list[Mapping[str, Any]]]:
    """Return the title and the items of a feed, malformed ones as far as they can be read."""
    if body.lstrip(b"\xef\xbb\xbf \r\n\t").startswith(b"{"):
        return _read_json(body)
    if body.count(b"<") > _MOST_ELEMENTS:
        raise ValueError(f"it has more than {_MOST_ELEMENTS:,} elements")
    body = _REFERENCE.sub(_unless_impossible, body)
    # Only a feed that was fetched needs its readers; corpus.toml names this file in every build.
    import fastfeedparser

    found = _parsed_by(fastfeedparser.parse, body)
    if found[1] and all(map(_link, found[1])):
        return found
    import feedparser

    # As a stream: bytes it would take for the name of a file, and open it.
    patient = _parsed_by(feedparser.parse, io.BytesIO(body[:_MOST_PATIENCE]))
    return max(found, patient, key=lambda each: sum(bool(_link(item)) for item in each[1]))


def _parsed_by(parse: Callable[[Any], Any], body: object) -> tuple[str, list[Mapping[str, Any]]]:
    """Return what a parser finds; nothing where it fails, which both do in many kinds of ways."""
    try:
        return _parsed(parse(body))
    except MemoryError:
        raise
    except Exception:
        return "", []


def _parsed(feed: Any) -> tuple[str, list[Mapping[str, Any]]]:
    return str(feed.feed.get("title") or ""), list(feed.entries)


def _own(title: str, url: str, feed: str) -> str:
    """Return what a feed calls its site; nothing for pages of other sites, which it only lists.

    >>> _own("The Herald » Feed", "https://herald.example/a", "https://feeds.herald.example/all")
    'The Herald'
    >>> _own("Planet Herald", "https://other.example/a", "https://planet.example/feed")
    ''
    """
    name = _ABOUT_FEEDS.sub("", " ".join(unescape(title).split()))
    # A title names the site only as far as nobody else is read through it.
    page, own = (urlsplit(each).hostname or "" for each in (url, feed))
    plain = page.removeprefix("www.")
    is_own = bool(plain) and (own == plain or own.endswith(f".{plain}") or page.endswith(f".{own}"))
    return name[:100] if is_own and not _PART_OF_SITE.fullmatch(name) else ""


def _unless_impossible(reference: re.Match[bytes]) -> bytes:
    """Return a character reference, or nothing if no text can hold that character."""
    digits = reference[1].lower()
    number = int(digits[1:], 16) if digits.startswith(b"x") else int(digits)
    is_possible = 0 < number < 0xD800 or 0xDFFF < number <= 0x10FFFF
    return reference[0] if is_possible else b""


def _read_json(body: bytes) -> tuple[str, list[Mapping[str, Any]]]:
    """Return the title and the items of a JSON Feed (jsonfeed.org, 1.0 and 1.1)."""
    try:
        feed = read_json(body.decode("utf-8-sig", "replace"))
    except ValueError:
        return "", []
    if not isinstance(feed, dict):
        return "", []
    return str(feed.get("title") or ""), list(_json_items(feed.get("items")))


def _json_items(items: object) -> Iterator[Mapping[str, Any]]:
    """Yield the items of a JSON Feed under the names the others use."""
    for item in items if isinstance(items, list) else []:
        if not isinstance(item, dict):
            continue
        authors = item.get("authors") or [item.get("author")]
        first = authors[0] if isinstance(authors, list) and authors else None
        yield {
            "link": item.get("url") or item.get("external_url") or _address(item.get("id")),
            "title": item.get("title"),
            "author": first.get("name") if isinstance(first, dict) else "",
            "published": item.get("date_published") or item.get("date_modified"),
        }


def _address(identifier: object) -> str:
    """Return an item's identifier if it is an address: many feeds give nothing else."""
    text = str(identifier or "")
    return text if text.startswith(("http://", "https://")) else ""


def _is_html(body: bytes) -> bool:
    head = body[:2000].lstrip().lower()
    return b"<html" in head or head.startswith(b"<!doctype html")


def _hints(item: Mapping[str, Any], site: str) -> Hints:
    return Hints(
        site=site,
        title=str(item.get("title") or "")[:500],
        author=str(item.get("author") or "")[:200],
        date=_iso_moment(str(item.get("published") or item.get("updated") or "")),
    )


def _iso_moment(text: str) -> str:
    """Return a feed's date in ISO form, with its time if it has one; empty if it is none.

    >>> _iso_moment("Sat, 01 Mar 2014 10:00:00 +0200"), _iso_moment("2014-03-01")
    ('2014-03-01T10:00:00+02:00', '2014-03-01')
    """
    for read in (datetime.fromisoformat, parsedate_to_datetime):
        try:
            moment = read(text.strip())
        except (ValueError, TypeError, OverflowError):
            continue
        # Midnight is what a day without a time is read as.
        return (moment if moment.time() != time.min else moment.date()).isoformat()
    return ""
