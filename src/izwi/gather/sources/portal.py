"""A portal's archive: pages that list articles, by date, by number, or one after another."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any, ClassVar, Literal

import xxhash

from izwi.config.schema import STRICT, check_name
from izwi.gather.links import Anchor, read_anchors, selected_anchors
from izwi.gather.listing import Listing, find_articles, find_next
from izwi.gather.scope import Glob, Scope
from izwi.gather.sources.base import (
    Onward,
    check_rest,
    check_selector,
    longest_rest,
    trail_of,
    trail_text,
)
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Hints, Lead
from izwi.model.errors import SourceError
from izwi.model.notation import seconds

Pages = Literal["", "none", "next", "numbered", "until-empty", "growing"]
Order = Literal["newest-first", "oldest-first"]
# The same articles so often in a row: a server that repeats its last page for ever.
_MOST_REPEATS = 2
# A list may still change so many days after its last day: days end late in some places.
_LATE = 2
# So many links that look like articles, where a selector finds none, are another template.
_CHANGED = 3


@dataclass(frozen=True, slots=True)
class Trail:
    """What a page of an archive knows of those before it."""

    page: int = 1
    # How many pages of this list were read before, how many articles the last had, which ones.
    read: int = 0
    count: int = 0
    seen: str = ""
    repeats: int = 0
    day: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True)
class PortalSource:
    """The articles that the archive of a portal lists."""

    __pydantic_config__: ClassVar[Mapping[str, Any]] = STRICT
    type: ClassVar[str] = "portal"
    # Its name, used in every ledger line.
    name: str
    # Address of the archive, with {date:%Y/%m/%d} and {page} where dates and page numbers stand;
    # {from} and {to} are the first and last day of a month.
    archive: str
    # The first date; needed where the address has a date.
    since: date | None = None
    # The last date; today if it is not given.
    until: date | None = None
    # How the next page is found: none, next (a link), numbered (up to `last_page`), until-empty,
    # growing (read again from the head until nothing is new). Empty: until-empty where the address
    # has {page}, else next.
    pages: Pages = ""
    # The number of the first page.
    first_page: int = 1
    # The step from one page's number to the next: 20 for addresses that count articles.
    step: int = 1
    # numbered: the number of the last page.
    last_page: int = 0
    # CSS selector of the article links; empty finds them by itself.
    articles: str = ""
    # CSS selector of the link to the next page; empty finds it by itself.
    next: str = ""
    # Which end of the archive comes first: newest-first or oldest-first.
    order: Order = "newest-first"
    # Stop after so many pages of one list.
    most_pages: int = 10_000
    # Stop at the page that lists an article like this; * stands for any text.
    stop_at: str = ""
    # Stop at a page that brings nothing new.
    stop_known: bool = False
    # Only articles like one of these; * stands for any text.
    include: tuple[str, ...] = ()
    # No article like one of these.
    exclude: tuple[str, ...] = ()
    # Read the archive again after so long, such as "1d"; empty reads it once.
    every: str = ""
    # Another extractor for its pages.
    method: str = ""
    # Whether articles in parts (next pages, frames) are asked for whole and become one document.
    parts: bool = True
    # Whether its pages are opened in a real browser (needs the extra [browser]).
    browser: bool = False

    def __post_init__(self) -> None:
        check_name(self.name)
        check_template("archive", self.archive)
        if canonical(filled(self.archive, day=date(2020, 1, 1), page=1)) is None:
            raise ValueError(
                f"archive = '{self.archive}' is not a web address; write for example "
                "https://example.org/archive?page={page}"
            )
        self._check_dates()
        self._check_pages()
        for key in ("articles", "next"):
            check_selector(key, getattr(self, key))
        if self.every:
            check_rest("every", self.every)

    def _check_dates(self) -> None:
        if not has_place(self.archive, "date"):
            return
        if self.since is None:
            raise ValueError("since is missing: the address has a date; write since = 2010-01-01")
        if self.until is not None and self.until < self.since:
            raise ValueError(f"until = {self.until} is before since = {self.since}")

    def _check_pages(self) -> None:
        is_numbered = has_place(self.archive, "page")
        if self.way in ("numbered", "until-empty") and not is_numbered:
            raise ValueError(f"pages = '{self.way}' needs {{page}} in the address")
        if self.way == "numbered" and self.last_page < self.first_page:
            raise ValueError("pages = 'numbered' needs last_page, the number of the last page")
        if self.step < 1 or self.most_pages < 1:
            raise ValueError("step and most_pages are at least 1")

    @property
    def way(self) -> str:
        """How the next page is found."""
        return self.pages or ("until-empty" if has_place(self.archive, "page") else "next")

    @property
    def address(self) -> str:
        """The first page of the archive."""
        return next((lead.url for lead in self.first_leads()), self.archive)

    @property
    def interval(self) -> timedelta | None:
        """The rest between two readings; None if it is read once."""
        return timedelta(seconds=seconds(self.every)) if self.every else None

    @property
    def longest_rest(self) -> timedelta:
        """How long its head rests at most, however little it brings."""
        return longest_rest(self.every)

    def first_leads(self) -> Iterable[Lead]:
        """Yield the first page of each date; where the last page is known, all pages."""
        last = self.last_page if self.way == "numbered" else self.first_page
        return [
            lead
            for day in self._days()
            for page in range(self.first_page, last + 1, self.step)
            if (lead := self._list_lead(day, page))
        ]

    def leads_from(self, capture: Capture, body: bytes) -> Iterable[Lead]:
        """Yield the articles that a page of the archive lists; an article leads nowhere."""
        lead = capture.lead
        if lead.kind != "list":
            return []
        day = trail_of(Trail, lead).day
        return [
            Lead(each.url, self.name, referrer=lead.url, hints=self._hints(each, day))
            for each in self._articles(lead, body)
        ]

    def onward(self, capture: Capture, body: bytes) -> Onward:
        """Return where the archive goes on after a page of it."""
        return self._onward(capture.lead, body)

    def _onward(self, lead: Lead, body: bytes) -> Onward:
        trail = trail_of(Trail, lead)
        urls = [each.url for each in self._articles(lead, body)]
        digest = xxhash.xxh3_64_hexdigest("\n".join(sorted(urls)).encode())
        repeats = trail.repeats + 1 if digest == trail.seen else 0
        is_last = (
            not urls
            or repeats >= _MOST_REPEATS
            or trail.read + 1 >= self.most_pages
            or (self.stop_at and any(map(Glob(self.stop_at).fullmatch, urls)))
        )
        after = Trail(
            trail.page + self.step, trail.read + 1, len(urls), digest, repeats, trail.day,
            trail.head or lead.url,
        )  # fmt: skip
        following = None if is_last else self._next(lead, body, after)
        again = self._again(lead, is_empty=not urls, has_next=following is not None)
        is_growing = self.way == "growing" or bool(self.every)
        problem = (
            "" if following or self.way in ("none", "numbered") else self._lost(lead, body, urls)
        )
        return Onward(following, again, is_growing, self.stop_known, problem)

    def _lost(self, lead: Lead, body: bytes, urls: list[str]) -> str:
        """Return what is wrong with a list that ends at a page which itself says it goes on."""
        trail, is_linked = trail_of(Trail, lead), not has_place(self.archive, "page")
        following = find_next(read_anchors(body, lead.url), lead.url, trail.read + 1)
        if following is None or trail.read + 1 >= self.most_pages:
            return ""
        if urls and self.next and is_linked and not self.stop_at:
            what, key = f"'{self.next}' finds no link to the next page", "next"
        elif not urls and not self.articles and not trail.day and not self.include:
            what, key = "no link looks like an article", "articles"
        else:
            return ""
        return (
            f"Source '{self.name}': {what} on {lead.url}, though '{following.text[:40]}' seems to "
            f"lead on to {following.url}: the portal may have changed its template. Try: izwi "
            f"sources check FOLDER {lead.url} and mend `{key}`."
        )

    def ended(self, lead: Lead) -> Onward | None:
        """Return where to go on after a page that is not there; None if it should be."""
        trail = trail_of(Trail, lead)
        if trail.read or trail.day or trail.page > self.first_page:
            return Onward(None, self._again(lead, is_empty=True, has_next=False))
        return None

    def is_over(self, capture: Capture, body: bytes) -> bool:
        """Return whether a page is never read again: not the head, or of a day that is over."""
        trail = trail_of(Trail, capture.lead)
        return bool(trail.read) or (bool(trail.day) and not self._is_recent(trail.day))

    def _is_recent(self, day: str) -> bool:
        """Whether the list of a date is also that of one of the last days."""
        own = filled(self.archive, day=date.fromisoformat(day), page=1)
        today = datetime.now(UTC).date()
        return any(
            own == filled(self.archive, day=today - timedelta(days=days), page=1)
            for days in range(_LATE + 1)
        )

    def look(self, lead: Lead, body: bytes) -> tuple[Listing, Lead | None]:
        """Return what a page of the archive lists and which is next, as a run would find it."""
        return self._listing(body, lead.url), self._onward(lead, body).next

    def _days(self) -> Iterator[date | None]:
        if self.since is None or not has_place(self.archive, "date"):
            return iter([None])
        last = self.until or datetime.now(UTC).date()
        is_newest = self.order == "newest-first"
        return days_of(self.archive, self.since, max(last, self.since), newest_first=is_newest)

    def _list_lead(self, day: date | None, page: int) -> Lead | None:
        url = canonical(filled(self.archive, day=day, page=page))
        trail = Trail(page, day=day.isoformat() if day else "")
        hints = Hints(trail=trail_text(trail))
        return Lead(url, self.name, kind="list", hints=hints) if url else None

    def _next(self, lead: Lead, body: bytes, trail: Trail) -> Lead | None:
        if self.way in ("none", "numbered"):
            return None
        if self.way == "next" or not has_place(self.archive, "page"):
            anchor = self._next_anchor(body, lead.url, trail.read)
            url = anchor.url if anchor else None
        else:
            day = date.fromisoformat(trail.day) if trail.day else None
            url = canonical(filled(self.archive, day=day, page=trail.page))
        if url is None or url == lead.url:
            return None
        hints = Hints(trail=trail_text(trail))
        return Lead(url, self.name, kind="list", referrer=lead.url, hints=hints)

    def _again(self, lead: Lead, *, is_empty: bool, has_next: bool) -> Lead | None:
        """Return the page where an archive that grows may have grown meanwhile."""
        if self.way != "growing":
            return None
        if self.order == "newest-first":
            return Lead(trail_of(Trail, lead).head or lead.url, self.name, kind="list")
        if has_next:
            return None
        end = lead.referrer if is_empty and lead.referrer else lead.url
        return Lead(end, self.name, kind="list")

    def _next_anchor(self, body: bytes, url: str, page: int) -> Anchor | None:
        if self.next:
            return next(iter(selected_anchors(body, url, self.next)), None)
        return find_next(read_anchors(body, url), url, page)

    def _articles(self, lead: Lead, body: bytes) -> tuple[Anchor, ...]:
        found = self._listing(body, lead.url).articles
        if not found and self.articles:
            self._check_template_is_the_same(lead, body)
        scope = _scope(self.include, self.exclude)
        wanted = (each for each in found if not scope.refusal(each.url, 0))
        return tuple({each.url: each for each in reversed(list(wanted))}.values())[::-1]

    def _listing(self, body: bytes, url: str) -> Listing:
        if self.articles:
            return Listing(selected_anchors(body, url, self.articles), self.articles)
        return _found(body, url)

    def _check_template_is_the_same(self, lead: Lead, body: bytes) -> None:
        """Raise SourceError if a page lists what looks like articles, but not where it should."""
        likely, before = _found(body, lead.url), trail_of(Trail, lead).count
        if len(likely.articles) >= max(_CHANGED, before / 2):
            raise SourceError(
                f"Source '{self.name}': '{self.articles}' finds no article on {lead.url}, though "
                f"{len(likely.articles)} links look like articles: the portal may have changed its "
                f"template. Try: izwi sources check FOLDER {lead.url} and mend `articles` "
                f"(perhaps '{likely.place}')."
            )

    def _hints(self, anchor: Anchor, day: str) -> Hints:
        # A page in another charset than UTF-8 keeps its titles to itself.
        is_title = len(anchor.text.split()) >= 3 and "\ufffd" not in anchor.text
        title = anchor.text[:500] if is_title else ""
        return Hints(title=title, date=day if is_daily(self.archive) else "")


@lru_cache(maxsize=1000)
def _scope(include: tuple[str, ...], exclude: tuple[str, ...]) -> Scope:
    return Scope((), include, exclude)


@lru_cache(maxsize=4)
def _found(body: bytes, url: str) -> Listing:
    return find_articles(read_anchors(body, url), url)


_PLACE = re.compile(r"\{([a-z]+)(?::([^{}]*))?\}")
_KNOWN = ("date", "from", "to", "page")
# Places that are filled from a day.
_OF_DAYS = ("date", "from", "to")
_LONGEST = 200 * 366


def check_template(key: str, template: str) -> None:
    """Raise ValueError, saying what to write, unless only dates and pages have places in it."""
    for match in _PLACE.finditer(template):
        if match[1] not in _KNOWN:
            raise ValueError(
                f"{key}: {match[0]} is no place izwi knows; write {{page}}, {{date:%Y/%m/%d}}, "
                "or {{from}} and {{to}} for the first and last day of a month"
            )
    if "{" in _PLACE.sub("", template):
        raise ValueError(f"{key} = '{template}' has a brace that is not closed or not known")


def has_place(template: str, name: str) -> bool:
    """Return whether a template has a place for dates, of whatever kind, or for pages."""
    names = _OF_DAYS if name == "date" else (name,)
    return any(match[1] in names for match in _PLACE.finditer(template))


def filled(template: str, *, day: date | None = None, page: int | None = None) -> str:
    """Return the address of one page.

    >>> filled("http://a.example/{date:%Y/%m}?p={page}", day=date(2020, 7, 1), page=3)
    'http://a.example/2020/07?p=3'
    >>> filled("http://a.example/?a={from}&b={to:%d.%m.%Y}", day=date(2020, 2, 9))
    'http://a.example/?a=2020-02-01&b=29.02.2020'
    """

    def value(match: re.Match[str]) -> str:
        if match[1] == "page":
            return f"{page or 0:{match[2] or 'd'}}"
        asked = {"from": _month_begins, "to": _month_ends}.get(match[1])
        return f"{asked(day) if asked and day else day:{match[2] or '%Y-%m-%d'}}"

    return _PLACE.sub(value, template)


def _month_begins(day: date) -> date:
    return day.replace(day=1)


def _month_ends(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def is_daily(template: str) -> bool:
    """Return whether every day has an address of its own.

    >>> is_daily("http://a.example/{date:%Y/%m/%d}"), is_daily("http://a.example/{date:%Y/%m}")
    (True, False)
    """
    days = (date(2024, 2, 28), date(2024, 2, 29))
    return has_place(template, "date") and len({filled(template, day=day) for day in days}) == 2


def days_of(template: str, first: date, last: date, *, newest_first: bool) -> Iterator[date]:
    """Yield one day for each address that the days between two dates have, these included."""
    if (last - first).days > _LONGEST:
        raise ValueError(f"from {first} to {last} is longer than two hundred years")
    seen: set[str] = set()
    span = range((last - first).days + 1)
    for number in reversed(span) if newest_first else span:
        day = first + timedelta(days=number)
        address = filled(template, day=day, page=1)
        if address not in seen:
            seen.add(address)
            yield day
