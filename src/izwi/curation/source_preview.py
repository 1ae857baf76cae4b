"""Looking at a source before it is added: what an address is, and what its first pages give.

What a source would give before it is saved: what an address is, and its first pages, judged. The
pages are fetched by the gatherer and judged by the stages, in a folder that is thrown away:
robots.txt, pauses and owners' wishes count as in a run, and nothing of the corpus changes.
"""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from urllib.parse import urljoin, urlsplit

import aiohttp

from izwi.config.load import parse
from izwi.config.schema import CorpusConfig, GatherSection, Source
from izwi.curation.labelling import page_places
from izwi.curation.playground import judged
from izwi.gather.fetch import Limits, Redirected, Refused, fetch, new_session
from izwi.gather.links import read_anchors, read_page
from izwi.gather.listing import Listing, find_articles, find_next
from izwi.gather.loop import AGENT
from izwi.gather.permissions import Robots, ask_reservations, ask_robots, rights_of
from izwi.gather.sources.archive import ArchiveSource
from izwi.gather.sources.feeds import FeedSource, feed_items
from izwi.gather.sources.portal import PortalSource
from izwi.gather.sources.sitemaps import sitemap_entries
from izwi.gather.urls import canonical, completed
from izwi.gather.web_archives import moment_of, read_cdx, read_timemap
from izwi.model.capture import Capture, Lead
from izwi.model.errors import QueryError, SourceError
from izwi.model.notation import size_bytes
from izwi.model.reports import ArchiveCheck, ListCheck, SourceCheck
from izwi.model.results import LedgerLine, ignore
from izwi.service.gathering import gather
from izwi.service.runs import running
from izwi.service.setup import is_front, replayed, source_fields, with_source
from izwi.store.catalog import Catalog
from izwi.store.files import disk_errors
from izwi.store.layout import Layout
from izwi.store.warc import decoded_body
from izwi.text.quality import count_words
from izwi.text.unscripted import needs_browser

_PRIVATE = "it is a private address, which is not fetched; [gather] allow_private = true allows it"
# Where feeds are, when a home page names none.
_GUESSES = ("/feed", "/rss", "/feed.xml", "/rss.xml", "/atom.xml", "/feed.json")


def check_source(settings: GatherSection, url: str, sources: Sequence[Source] = ()) -> SourceCheck:
    """Return what a crawler would meet at an address, or at that of a source named so.

    robots.txt is respected here too.
    """
    named = next((source for source in sources if source.name == url), None)
    addresses = meant(str(getattr(named, "address", url)))
    if not addresses:
        raise QueryError(f"'{url}' is not a web address; write for example https://example.org/")
    found = asyncio.run(_Check(settings, named).look(addresses[0]))
    if found.is_reached or len(addresses) == 1:
        return found
    return asyncio.run(_Check(settings, named).look(addresses[1]))


def meant(url: str) -> tuple[str, ...]:
    """Return the addresses that may be meant, the likeliest first.

    >>> meant("example.org/news"), meant("news")
    (('https://example.org/news', 'http://example.org/news'), ())
    """
    whole = completed(url)
    spelt = (whole,) if whole == url.strip() else (whole, whole.replace("https", "http", 1))
    return tuple(filter(None, map(canonical, spelt)))


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
    return ListCheck(url, kind, items, f"{days[0]}", f"{days[-1]}", round(len(days) / span, 4))


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_archive(url: str) -> bool:
    return any(word in url.lower() for word in ("archive", "archief", "argief", "archiv", "page="))


# Whoever waits for a page of the web waits no longer than this; a slow site shows fewer pages.
_MOST_SECONDS = 60.0
# Lists lead to lists (a map of maps): so often more is fetched until there are pages.
_ROUNDS = 4
# A page with so many articles and a next page is part of an archive.
_LEAST_ARTICLES = 3


@dataclass(frozen=True, slots=True)
class Offer:
    """A source that an address could become: what it is, its type in corpus.toml, its address."""

    kind: str
    type: str
    url: str
    # How many pages it names now, if it is a list; of a page, how many it links to.
    pages: int = 0
    per_day: float | None = None
    # Of a page: how many links are followed.
    depth: int = 0


@dataclass(frozen=True, slots=True)
class PreviewedPage:
    """One page that a source would give: what would become of it, and why."""

    line: LedgerLine
    title: str = ""
    words: int = 0
    language: str = ""
    date: str = ""
    # Whether the corpus has it already.
    is_known: bool = False


@dataclass(frozen=True, slots=True)
class SourcePreview:
    """What an address is, what could be made of it, and the first pages of the one chosen."""

    url: str
    kind: str
    chosen: Offer | None
    offers: tuple[Offer, ...]
    pages: tuple[PreviewedPage, ...] = ()
    problem: str = ""
    check: SourceCheck | None = None

    @property
    def kept(self) -> int:
        """How many of the pages would be kept."""
        return sum(each.line.outcome == "kept" for each in self.pages)


def preview(
    layout: Layout, config: CorpusConfig, url: str, *, type: str = "", pages: int = 10
) -> SourcePreview:
    """Return what an address is and what its first pages would become; nothing is stored."""
    archive = _archive_offer(url)
    if archive is not None:
        return _with_pages(
            layout, config, SourcePreview(url, "archive", archive, (archive,)), pages
        )
    check = check_source(config.gather, url)
    kind, offers = what_it_is(check)
    found = SourcePreview(check.url, kind, None, offers, problem=check.problem, check=check)
    if check.problem or not check.is_allowed:
        return found
    chosen = _chosen(offers, check.url, type)
    return _with_pages(layout, config, replace(found, chosen=chosen), pages)


def _archive_offer(url: str) -> Offer | None:
    """Return the source that an address of a web archive becomes, None for any other."""
    if replayed(url) is None and not url.rstrip().endswith("/*"):
        return None
    return Offer("archive", "archive", url.strip())


def what_it_is(check: SourceCheck) -> tuple[str, tuple[Offer, ...]]:
    """Return what an address is, and the sources it could become, the likeliest first."""
    lists = tuple(
        Offer(each.kind, "feed" if each.kind == "feed" else "sitemap", each.url, each.items,
              each.per_day)
        for each in check.lists
    )  # fmt: skip
    if lists and lists[0].url == check.url:
        return lists[0].kind, lists[:1]
    page = Offer("page", "seeds", check.url, check.links, depth=1)
    crawl = Offer("site", "crawl", urljoin(check.url, "/"))
    is_home = is_front(check.url)
    # Whoever names a site's front means the site.
    pages = (crawl, page) if is_home else (page, crawl)
    first = check.archive[0] if check.archive else None
    if first is None or first.articles < _LEAST_ARTICLES or not first.next:
        return "page", (*lists, *pages)
    portal = Offer("portal", "portal", check.url, first.articles)
    # A home page lists articles too; its feed is the better source.
    return ("page", (*lists, portal, *pages)) if is_home and lists else (
        "portal", (portal, *lists, *pages)
    )  # fmt: skip


def fields_of(config: CorpusConfig, chosen: Offer, name: str = "") -> dict[str, object]:
    """Return the keys of a source for corpus.toml."""
    return source_fields(
        chosen.url, chosen.type, name, depth=chosen.depth,
        languages=config.corpus.languages, taken=[each.name for each in config.sources],
    )  # fmt: skip


def _chosen(offers: tuple[Offer, ...], url: str, type: str) -> Offer:
    wanted = (each for each in offers if not type or each.type == type)
    return next(wanted, Offer(type, type, url))


def _with_pages(
    layout: Layout, config: CorpusConfig, found: SourcePreview, most: int
) -> SourcePreview:
    assert found.chosen is not None
    fields = fields_of(config, found.chosen)
    with disk_errors():
        text = with_source(layout.config.read_text(encoding="utf-8-sig"), fields)
    whole = parse(text, str(layout.config))
    source = next(each for each in whole.sources if each.name == fields["name"])
    alone = replace(whole, sources=(source,), paused=frozenset(), gather=config.gather)
    with TemporaryDirectory(prefix="izwi-preview-") as name, disk_errors():
        aside = Layout(Path(name))
        if layout.takedowns.exists():
            copyfile(layout.takedowns, aside.takedowns)
        _fetch(aside, alone, most)
        pages = list(_pages(aside, alone, most))
    return replace(found, pages=tuple(_known(layout, pages)))


def _fetch(aside: Layout, config: CorpusConfig, most: int) -> None:
    """Fetch until there are so many pages, nothing is left, or it takes too long."""
    with running(aside, "preview", ignore) as run:
        for _ in range(_ROUNDS):
            missing = most - sum(1 for _ in page_places(aside))
            if missing <= 0:
                return
            # One more for the list that names them.
            gather(aside, config, run, seconds=_MOST_SECONDS / _ROUNDS, pages=missing + 1)
            if run.report.fetched <= missing:
                return


def _pages(aside: Layout, config: CorpusConfig, most: int) -> Iterator[PreviewedPage]:
    """Yield what would become of the pages that came, then of those that did not."""
    places = sorted(page_places(aside), key=lambda place: place[1].time)[:most]
    for document in judged(aside, config, places, {}):
        verdict = document.verdict
        line = LedgerLine(
            document.url, verdict.outcome, verdict.stage, verdict.reason, verdict.value,
            verdict.threshold, verdict.detail, document.source,
        )  # fmt: skip
        when, told = document.metadata.date, document.language
        yield PreviewedPage(
            line, document.metadata.title, count_words(document.text),
            told.code if told else "", f"{when.value}" if when else "",
        )  # fmt: skip
    with Catalog.read(aside.catalog) as catalog:
        refused = (each for each in catalog.ledger_lines() if each.outcome in ("dropped", "failed"))
        for _, line in zip(range(most - len(places)), refused, strict=False):
            yield PreviewedPage(line)


def _known(layout: Layout, pages: list[PreviewedPage]) -> Iterator[PreviewedPage]:
    if isinstance(layout.catalog, Path) and not layout.catalog.exists():
        yield from pages
        return
    with Catalog.read(layout.catalog) as catalog:
        for page in pages:
            yield replace(page, is_known=catalog.last_capture(page.line.url) is not None)
