"""Looking at a source before it is added: nothing is stored."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.metadata import version
from itertools import chain
from urllib.parse import urlsplit

import aiohttp

from izwi.config.schema import GatherSection, Source
from izwi.gather.anchors import read_anchors
from izwi.gather.cdx import moment_of, read_cdx, read_timemap
from izwi.gather.fetch import Limits, Redirected, Refused, fetch, new_session
from izwi.gather.links import read_page
from izwi.gather.listing import Listing, find_articles, find_next
from izwi.gather.loop import AGENT
from izwi.gather.rights import rights_of
from izwi.gather.robots import Robots, ask_robots
from izwi.gather.sources.archive import ArchiveSource
from izwi.gather.sources.feeds import FeedSource, feed_items
from izwi.gather.sources.portal import PortalSource
from izwi.gather.sources.sitemaps import sitemap_entries
from izwi.gather.tdmrep import ask_reservations
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.errors import QueryError, SourceError
from izwi.model.units import size_bytes
from izwi.store.warc import decoded_body
from izwi.text.unscripted import needs_browser

_PRIVATE = "it is a private address, which is not fetched; [gather] allow_private = true allows it"
# Where feeds are, when a home page names none.
_GUESSES = ("/feed", "/rss", "/feed.xml", "/rss.xml", "/atom.xml", "/feed.json")


@dataclass(frozen=True, slots=True)
class ListCheck:
    """A feed or site map: how much it lists, from when to when, how much a day."""

    url: str
    kind: str
    items: int
    first: str = ""
    last: str = ""
    per_day: float | None = None


@dataclass(frozen=True, slots=True)
class ArchiveCheck:
    """A page that lists articles: which it lists, where they stand, which page is next."""

    url: str
    articles: int
    # The selector of the links, as it was given or found.
    place: str = ""
    examples: tuple[str, ...] = ()
    next: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SourceCheck:
    """What a crawler would meet at an address."""

    url: str
    is_allowed: bool
    robots: str
    delay_seconds: float
    problem: str = ""
    rights: str = ""
    links: int = 0
    archive_pages: tuple[str, ...] = ()
    lists: tuple[ListCheck, ...] = ()
    # The page as part of an archive, and the page it leads to; a portal's as a run would read it.
    archive: tuple[ArchiveCheck, ...] = ()
    # Whether the host answers at all.
    is_reached: bool = True
    # Whether scripts make its text, so that a source needs `browser = true`.
    needs_browser: bool = False

    @property
    def per_day(self) -> float | None:
        """The pages per day that the busiest list promises."""
        return max((each.per_day for each in self.lists if each.per_day), default=None)


def check_source(settings: GatherSection, url: str, sources: Sequence[Source] = ()) -> SourceCheck:
    """Return what a crawler would meet at an address, or at that of a source named so.

    robots.txt is respected here too.
    """
    named = next((source for source in sources if source.name == url), None)
    address = canonical(str(getattr(named, "address", url)))
    if address is None:
        raise QueryError(f"'{url}' is not a web address; write for example https://example.org/")
    return asyncio.run(_Check(settings, named).look(address))


@dataclass(frozen=True, slots=True)
class _Check:
    settings: GatherSection
    source: Source | None = None

    @property
    def portal(self) -> PortalSource | None:
        return self.source if isinstance(self.source, PortalSource) else None

    async def look(self, url: str) -> SourceCheck:
        own = self.settings
        limits = Limits(own.timeout, size_bytes(own.max_size), own.allow_private, own.proxy)
        agent = f"izwi/{version('izwi')} (+{own.contact})"
        async with new_session(agent, limits) as session:
            robots = await ask_robots(session, url, limits)
            if robots.is_private:
                return SourceCheck(url, False, "was not asked", 0.0, problem=_PRIVATE)
            seen = SourceCheck(url, robots.allows(url, AGENT), _words(robots), robots.delay(AGENT))
            if robots.is_unreachable:
                problem = _unreachable(url, robots)
                is_reached = robots.status not in _NOT_REACHED
                return replace(seen, is_allowed=False, problem=problem, is_reached=is_reached)
            if not seen.is_allowed:
                return replace(seen, problem="robots.txt forbids it")
            try:
                capture = await self._get(session, url, limits)
                body = decoded_body(capture, limits.max_bytes)
            except (Refused, ValueError) as error:
                return replace(seen, problem=str(error))
            return await self._read(session, limits, seen, capture, body, robots.sitemaps)

    async def _get(self, session: aiohttp.ClientSession, url: str, limits: Limits) -> Capture:
        for _ in range(self.settings.max_redirects + 1):
            try:
                return await fetch(session, Lead(url, "check"), limits)
            except Redirected as redirect:
                url = canonical(redirect.target, url) or url
        raise ValueError("it redirects too often")

    async def _read(
        self,
        session: aiohttp.ClientSession,
        limits: Limits,
        seen: SourceCheck,
        capture: Capture,
        body: bytes,
        sitemaps: Sequence[str],
    ) -> SourceCheck:
        if isinstance(self.source, ArchiveSource):
            return replace(seen, lists=(_captures_check(capture, body),))
        if not self.portal and (found := _list_check(capture, body)):
            return replace(seen, lists=(found, *await self._maps(session, found, body, limits)))
        archive = await self._archive(session, limits, capture, body)
        if self.portal:
            return replace(seen, archive=archive)
        reading = read_page(body, capture.lead.url)
        reserved = await ask_reservations(session, capture.lead.url, limits)
        guesses = [canonical(path, capture.lead.url) for path in _GUESSES]
        feeds = reading.feeds or tuple(filter(None, guesses))
        lists = [await self._list(session, each, limits) for each in (*feeds, *sitemaps[:_SOME])]
        return replace(
            seen,
            rights=str(rights_of(capture, reading, reserved.of(capture.lead.url))),
            links=len(reading.links),
            archive_pages=tuple(link for link in reading.links if _is_archive(link))[:10],
            lists=tuple(chain.from_iterable(lists)),
            archive=archive,
            needs_browser=needs_browser(body.decode("utf-8", "replace")),
        )

    async def _archive(
        self, session: aiohttp.ClientSession, limits: Limits, capture: Capture, body: bytes
    ) -> tuple[ArchiveCheck, ...]:
        """Return the page as part of an archive, and the page that comes after it."""
        lead = next(iter(self.portal.first_leads())) if self.portal else capture.lead
        first, following = _archive_check(body, lead, 1, self.portal)
        if first is None or following is None:
            return (first,) if first else ()
        await asyncio.sleep(self.settings.delay)
        try:
            after = await self._get(session, following.url, limits)
            body = decoded_body(after, limits.max_bytes)
        except (Refused, ValueError):
            return (first,)
        second, _ = _archive_check(body, following, 2, self.portal)
        return (first, second) if second else (first,)

    async def _list(
        self, session: aiohttp.ClientSession, url: str, limits: Limits
    ) -> list[ListCheck]:
        """Return what a list holds, and the first maps of an index; nothing if it is none."""
        await asyncio.sleep(self.settings.delay)
        try:
            capture = await self._get(session, url, limits)
            body = decoded_body(capture, limits.max_bytes)
        except (Refused, ValueError):
            return []
        found = _list_check(capture, body)
        return [found, *await self._maps(session, found, body, limits)] if found else []

    async def _maps(
        self, session: aiohttp.ClientSession, found: ListCheck, body: bytes, limits: Limits
    ) -> list[ListCheck]:
        """Return what the first maps of an index hold; nothing for other lists."""
        if found.kind != _INDEX:
            return []
        urls = [url for each in sitemap_entries(body) if (url := canonical(each.url, found.url))]
        lists = [await self._list(session, url, limits) for url in urls[:_SOME]]
        return [each for inner in lists for each in inner[:1]]


def _archive_check(
    body: bytes, lead: Lead, page: int, portal: PortalSource | None
) -> tuple[ArchiveCheck | None, Lead | None]:
    """Return what a page lists, None if nothing looks like articles, and the page after it."""
    try:
        listing, following = portal.look(lead, body) if portal else _look(lead, body, page)
    except SourceError as error:
        return ArchiveCheck(lead.url, 0, problem=str(error)), None
    if not listing.articles and not portal:
        return None, None
    urls = tuple(dict.fromkeys(each.url for each in listing.articles))
    after = following.url if following else ""
    return ArchiveCheck(lead.url, len(urls), listing.place, urls[:3], after), following


def _look(lead: Lead, body: bytes, page: int) -> tuple[Listing, Lead | None]:
    anchors = read_anchors(body, lead.url)
    following = find_next(anchors, lead.url, page)
    return find_articles(anchors, lead.url), Lead(following.url, "check") if following else None


def _unreachable(url: str, robots: Robots) -> str:
    """Return why the rules of a host cannot be had: there is none, or it is in trouble."""
    host = urlsplit(url).hostname or url
    if robots.status in _NOT_REACHED:
        why = robots.text if not robots.status else f"answered {robots.status} on its behalf"
        return f"{host} cannot be reached ({why})"
    return f"{host} answers {robots.status} for robots.txt, so nothing may be fetched now"


# Lists of one kind that are looked at.
_SOME = 5
# A list of site maps: its items are maps, not pages.
_INDEX = "sitemap index"
# No answer, or that of a proxy that got none.
_NOT_REACHED = (0, 502, 504)


def _words(robots: Robots) -> str:
    return f"answered {robots.status}" if robots.status else "could not be had"


def _captures_check(capture: Capture, body: bytes) -> ListCheck:
    """Return what a web archive's list names, as far as its first page goes."""
    url = capture.lead.url
    try:
        if "/timemap/" in url:
            stamps = [each.stamp for each in read_timemap(body)[0]]
            return _counted(url, "TimeMap", len(stamps), [_day(stamp) for stamp in stamps])
        rows = [row for row in read_cdx(body).rows if row.is_page]
        return _counted(url, "CDX list", len(rows), [_day(row.stamp) for row in rows])
    except (ValueError, KeyError, TypeError, IndexError):
        return ListCheck(url, "no list of captures", 0)


def _day(stamp: str) -> str:
    moment = moment_of(stamp)
    return f"{moment:%Y-%m-%d}" if moment else ""


def _list_check(capture: Capture, body: bytes) -> ListCheck | None:
    """Return what a feed or site map lists, None if it is neither."""
    try:
        listed = list(sitemap_entries(body))
        maps = [each for each in listed if each.is_map]
        if maps:
            days = [each.modified[:10] for each in maps]
            return replace(_counted(capture.lead.url, _INDEX, len(maps), days), per_day=None)
        entries = listed
        dates = [(each.published or each.modified)[:10] for each in entries]
        return _counted(capture.lead.url, "sitemap", len(entries), dates)
    except (ValueError, SyntaxError):
        pass
    if not feed_items(body):
        return None
    feed = FeedSource("check", capture.lead.url)
    try:
        leads = list(feed.leads_from(replace(capture, lead=next(iter(feed.first_leads()))), body))
    except SourceError:
        return None
    dates = [lead.hints.date[:10] for lead in leads]
    return _counted(capture.lead.url, "feed", len(leads), dates)


def _counted(url: str, kind: str, items: int, dates: Sequence[str]) -> ListCheck:
    days = sorted(date.fromisoformat(text) for text in dates if _is_date(text))
    if not days:
        return ListCheck(url, kind, items)
    span = (days[-1] - days[0]).days + 1
    return ListCheck(url, kind, items, f"{days[0]}", f"{days[-1]}", round(len(days) / span, 2))


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_archive(url: str) -> bool:
    return any(word in url.lower() for word in ("archive", "archief", "argief", "archiv", "page="))
