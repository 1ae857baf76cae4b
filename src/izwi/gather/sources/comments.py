"""Readers' comments through the interfaces that pages ask for them: Disqus and WordPress.

A thread is taken once it is closed (Dwyer 2014, 2.2.5). An open one is asked again later, each time
half as long again after the last, so that a thread costs a few requests however long it is open.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar, Literal
from urllib.parse import quote_plus, urlencode, urljoin

from izwi.config.schema import STRICT, check_name
from izwi.gather.sources.base import MOST_PAGES, check_rest, trail_of, trail_text
from izwi.gather.urls import canonical, same_host
from izwi.model.capture import Capture, Hints, Lead
from izwi.model.errors import SourceError
from izwi.model.notation import read_json, seconds

_DISQUS = "https://disqus.com/api/3.0/"
# What both interfaces give at most at once.
_AT_ONCE = 100
_API_ROOT = re.compile(
    rb"""<link[^>]+rel=["']https://api\.w\.org/["'][^>]+href=["']([^"']+)["']""", re.IGNORECASE
)
_POST = re.compile(rb"""wp-json/wp/v2/posts/(\d+)|[?&]p=(\d+)["']|\bpostid-(\d+)\b""")

# How pages name their thread: in a script, or in an attribute.
_IDENT = re.compile(
    rb"""(?:disqus_identifier\s*=|page\.identifier\s*=|data-disqus-identifier=)\s*(["'])"""
    rb"""([^"'<>\\]{1,300})\1"""
)


@dataclass(frozen=True, slots=True)
class CommentsTrail:
    """Which part of a thread a lead asks for."""

    thread: str = ""
    page: int = 1


@dataclass(frozen=True, slots=True)
class CommentsSource:
    """The comments on the pages of other sources."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "comments"
    # Its name, used in every ledger line.
    name: str
    # The sources whose pages it asks about.
    of: tuple[str, ...]
    # How comments are asked for: disqus or wordpress.
    interface: Literal["disqus", "wordpress"] = "disqus"
    # disqus: the name of the forum.
    forum: str = ""
    # Address of the interface; empty for Disqus's own, or that of the WordPress page's own host.
    endpoint: str = ""
    # The key of the interface, if it asks for one; sent to that address alone, kept in no file.
    key: str = ""
    # Whether open threads wait until they are closed, or are taken as they are.
    open: Literal["wait", "take"] = "wait"
    # How long an open thread rests before it is asked again; half as long again each time.
    every: str = "1d"
    # Another extractor for its pages; comments need none.
    method: str = ""

    def __post_init__(self) -> None:
        check_name(self.name)
        check_rest("every", self.every)
        if not self.of:
            raise ValueError("of is empty; name the sources whose pages have comments")
        if self.interface == "disqus" and not self.forum:
            raise ValueError("forum is missing: the short name of the forum at Disqus")
        if self.endpoint and (canonical(self.endpoint) is None or not self.endpoint.endswith("/")):
            raise ValueError(f"endpoint = '{self.endpoint}' is not a web address that ends with /")

    @property
    def address(self) -> str:
        """Where the interface is."""
        return self.endpoint or _DISQUS

    @property
    def interval(self) -> timedelta | None:
        """The first rest of an open thread."""
        return timedelta(seconds=seconds(self.every))

    def first_leads(self) -> Iterable[Lead]:
        """Yield nothing: threads are found when pages are."""
        return []

    def threads_of(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the thread of a page of another source."""
        lead = capture.lead
        if lead.source not in self.of or lead.kind != "page":
            return []
        is_disqus = self.interface == "disqus"
        find = self._disqus_thread if is_disqus else self._wordpress_post
        url = find(lead.url, body)
        return [self._lead(url, "list", lead.url, CommentsTrail())] if url else []

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the comments of a thread that is closed, and the further ones of a long one."""
        lead = capture.lead
        if lead.kind not in ("list", "comments"):
            return []
        try:
            found = read_json(body)
            if lead.kind == "list":
                return self._comments_of_thread(lead, found)
            return self._further_comments(capture, found)
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise SourceError(
                f"Source '{self.name}': {lead.url} does not answer as the interface of "
                f"{self.interface} does ({type(error).__name__}: {error}). Look at `endpoint`, "
                "`forum` and `key` in corpus.toml; it is asked again by the next run."
            ) from None

    def is_over(self, capture: Capture, body: bytes) -> bool:
        """Return whether a thread need not be asked again: it is closed, or taken as it is."""
        if capture.lead.kind != "list" or self.open == "take":
            return True
        return self._is_closed(read_json(body))

    def address_of(self, lead: Lead) -> str:
        """Return the address with the key, which no file holds, and which pages cannot call for."""
        if not self.key or not self._is_trusted(lead.url):
            return lead.url
        return f"{lead.url}{'&' if '?' in lead.url else '?'}{urlencode({'api_key': self.key})}"

    def without_key(self, url: str) -> str:
        """Return an address that a server gave back with the key, as it may be kept."""
        if not self.key:
            return url
        address, _, query = url.partition("?")
        rest = "&".join(part for part in query.split("&") if not part.startswith("api_key="))
        found = f"{address}?{rest}" if rest else address
        return found.replace(quote_plus(self.key), "").replace(self.key, "")

    def _is_trusted(self, url: str) -> bool:
        """Whether an address lies below the one that the user, or Disqus, gave."""
        if not self.endpoint and self.interface != "disqus":
            return False
        return url.startswith(canonical(self.address) or self.address)

    def _is_closed(self, found: Any) -> bool:
        if self.interface == "wordpress":
            return str(found["comment_status"]) == "closed"
        return bool(found["response"]["isClosed"])

    def _comments_of_thread(self, lead: Lead, found: Any) -> list[Lead]:
        is_closed = self._is_closed(found)
        if not is_closed and self.open == "wait":
            return []
        thread = found["id"] if self.interface == "wordpress" else found["response"]["id"]
        trail = CommentsTrail(str(thread))
        return [self._lead(self._page(lead, trail), "comments", lead.hints.parent, trail)]

    def _further_comments(self, capture: Capture, found: Any) -> list[Lead]:
        lead, trail = capture.lead, trail_of(CommentsTrail, capture.lead)
        comments = found if self.interface == "wordpress" else found["response"]
        if not isinstance(comments, list):
            raise ValueError("no list of comments")
        # What the interface says of further pages counts for nothing once one is empty.
        following = self._following(capture, found, trail) if comments else ""
        if not following:
            return []
        if trail.page >= MOST_PAGES:
            raise SourceError(
                f"Source '{self.name}': the thread of {lead.hints.parent} goes on after "
                f"{MOST_PAGES} pages of comments; what follows is left out."
            )
        after = CommentsTrail(trail.thread, trail.page + 1)
        return [self._lead(following, "comments", lead.hints.parent, after)]

    def _following(self, capture: Capture, found: Any, trail: CommentsTrail) -> str:
        """Return the address of a thread's next page, empty if there is none."""
        if self.interface == "wordpress":
            pages = capture.header("X-WP-TotalPages")
            is_more = trail.page < int(pages) if pages.isdecimal() else len(found) >= _AT_ONCE
            after = CommentsTrail(trail.thread, trail.page + 1)
            return self._page(capture.lead, after) if is_more else ""
        cursor = found["cursor"]
        key = str(cursor.get("next") or "") if cursor.get("hasNext") else ""
        return f"{self._page(capture.lead, trail)}&{urlencode({'cursor': key})}" if key else ""

    def _page(self, lead: Lead, trail: CommentsTrail) -> str:
        """Return the address of a thread's comments."""
        if self.interface == "disqus":
            asked = {"forum": self.forum, "thread": trail.thread, "limit": _AT_ONCE, "order": "asc"}
            return f"{self.address}threads/listPosts.json?{urlencode(asked)}"
        root = lead.url.partition("wp/v2/")[0]
        asked = {"post": trail.thread, "per_page": _AT_ONCE, "order": "asc", "page": trail.page}
        return f"{root}wp/v2/comments?{urlencode(asked)}"

    def _disqus_thread(self, url: str, body: bytes) -> str:
        """Return the address of a page's thread: by the name the page gives it, or by its own."""
        named = _IDENT.search(body)
        ident = named[2].decode("utf-8", "replace").strip() if named else ""
        asked = {
            "forum": self.forum,
            **({"thread:ident": ident} if ident else {"thread:link": url}),
        }
        return f"{self.address}threads/details.json?{urlencode(asked)}"

    def _wordpress_post(self, url: str, body: bytes) -> str:
        post = _POST.search(body)
        if post is None:
            return ""
        named = _API_ROOT.search(body)
        root = urljoin(url, named[1].decode("utf-8", "replace") if named else "/wp-json/")
        if not self.endpoint and not same_host(root, url):
            return ""
        number = next(group for group in post.groups() if group).decode()
        return f"{self.endpoint or root}wp/v2/posts/{number}"

    def _lead(
        self, url: str, kind: Literal["list", "comments"], parent: str, trail: CommentsTrail
    ) -> Lead:
        hints = Hints(parent=parent, trail=trail_text(trail))
        return Lead(canonical(url) or url, self.name, kind, parent, hints=hints)
