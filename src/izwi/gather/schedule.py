"""How time goes in a run, and when feeds, site maps, lists and pages are asked again."""

import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import median

from izwi.gather.fetch import NOTHING
from izwi.gather.frontier import Frontier
from izwi.gather.sources.base import Source
from izwi.model.capture import Capture, Lead
from izwi.store.catalog import Catalog, Visit
from izwi.store.leads import Queued, host_of

_DAY = 86400.0
# 2026-01-02: a date without a time is no longer.
_LONGEST_DAY = 10


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of a run: it goes on evenly, whatever happens to the machine's clock meanwhile."""

    _ahead: float = field(default_factory=lambda: time.time() - time.monotonic())

    def now(self) -> float:
        """Return the seconds since 1970."""
        return self._ahead + time.monotonic()


def read_moment(text: str) -> datetime | None:
    """Return a W3C date or moment as UTC, None if it is none; a day counts from its beginning.

    >>> read_moment("2026-01-02").isoformat()
    '2026-01-02T00:00:00+00:00'
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def next_rest(
    dates: Iterable[str], *, shortest: float, longest: float, last: float, news: int
) -> float:
    """Return the seconds until a feed is asked again.

    A feed that brought nothing rests half as long again as last time; one with news half as long
    as there usually is between two of its items, whatever old ones it shows beside them.

    >>> next_rest(["2026-01-01", "2026-01-11"], shortest=3600, longest=864000, last=0, news=2)
    388800.0
    >>> items = ["2026-01-01T09:00:00Z", "2026-01-01T09:10:00Z", "2009-01-01T09:00:00Z"]
    >>> next_rest([*items, "2026-01-01T09:20:00Z"], shortest=10, longest=864000, last=0, news=3)
    300.0
    """
    if not news and last:
        return min(longest, last * 1.5)
    gaps = [_gap(*pair) for pair in pairwise(sorted(_moments(dates)))]
    return min(max(median(gaps) / 2, shortest), longest) if gaps else shortest


def _moments(dates: Iterable[str]) -> Iterator[tuple[datetime, bool]]:
    """Yield the dates that can be read, each with whether it says the time."""
    for text in dates:
        if moment := read_moment(text):
            yield moment, len(text) > _LONGEST_DAY


def _gap(earlier: tuple[datetime, bool], later: tuple[datetime, bool]) -> float:
    """Return the seconds that lie between two items at least: a day may stand for its last hour."""
    seconds = (later[0] - earlier[0]).total_seconds()
    return seconds if earlier[1] and later[1] else max(0.0, seconds - _DAY)


# The longest rest of a feed that never brings anything.
_LONGEST_REST = timedelta(days=7)
# The rest of a list that need never be asked again.
_FOREVER = 1e9
_MOMENT = timedelta(seconds=1)


@dataclass(slots=True)
class Returning:
    """The rests of lists and pages, as the catalog keeps them."""

    sources: Mapping[str, Source]
    catalog: Catalog
    frontier: Frontier
    _started: datetime = field(default_factory=lambda: datetime.now(UTC))

    def validators(self, queued: Queued) -> Mapping[str, str]:
        """Return the headers that let a server say that nothing changed."""
        visit = self.catalog.visit(queued)
        headers = {"If-None-Match": visit.etag, "If-Modified-Since": visit.modified}
        known = {name: value for name, value in headers.items() if value}
        # What was never stored cannot be "not modified".
        return known if known and self.catalog.last_capture(queued.lead.url) else NOTHING

    def remember(self, queued: Queued, capture: Capture) -> None:
        """Keep what a server said that lets it say later: not modified."""
        etag, modified = capture.header("ETag"), capture.header("Last-Modified")
        if etag or modified:
            rest = self.catalog.visit(queued).rest if queued.lead.kind != "page" else 0.0
            self.catalog.put_visit(queued, Visit(etag[:300], modified[:100], rest))

    def wake_all(self) -> None:
        """Have everything asked again whose time has come: lists, and pages if it is wished."""
        self.catalog.wake_failed_lists()
        self.catalog.wake_put_off()
        first = (lead for source in self.sources.values() for lead in source.first_leads())
        lists = (queued.lead for queued in self.catalog.resting_lists())
        for lead in (*first, *lists):
            if lead.source in self.sources:
                self.wake(lead)
        for name, source in self.sources.items():
            rest = getattr(source, "revisit_seconds", 0.0)
            if rest:
                self.catalog.wake_old(name, last_before=self._started - timedelta(seconds=rest))

    def wake(self, lead: Lead) -> None:
        """Have a list asked again if it was last asked long enough before this run."""
        interval = self.sources[lead.source].interval
        if interval is None or lead.kind == "page":
            return
        known = self.catalog.find_lead(lead.url)
        learnt = self.catalog.visit(known).rest if known else 0.0
        if learnt >= _FOREVER:
            return
        rest = max(interval, timedelta(seconds=learnt))
        self._wake(lead.url, last_before=self._started - rest)

    def wake_at_once(self, url: str) -> None:
        """Have a list asked again in this run, however long it rested."""
        self._wake(url, last_before=datetime.now(UTC) + _MOMENT)

    def wake_changed(self, leads: Iterable[Lead]) -> None:
        """Ask again for pages that a site map says have changed since they were captured."""
        for lead in leads:
            changed = read_moment(lead.hints.modified) if lead.hints.modified else None
            before = self.catalog.last_capture(lead.url) if changed else None
            if changed and before is not None and changed > before.time:
                known = self.catalog.find_lead(lead.url)
                if known is not None:
                    self.catalog.revisit(known)
                    self.frontier.found({known.host})

    def rest(self, queued: Queued, leads: list[Lead], *, news: int) -> None:
        """Reckon how long a list rests after what it brought."""
        source, visit = self.sources.get(queued.lead.source), self.catalog.visit(queued)
        if queued.lead.kind == "page" or source is None or source.interval is None:
            return
        if visit.rest >= _FOREVER:
            return
        shortest = source.interval.total_seconds()
        # Who says how often a list is to be asked wants it no more seldom either.
        wanted: timedelta = getattr(source, "longest_rest", _LONGEST_REST)
        rest = next_rest(
            (lead.hints.date for lead in leads),
            shortest=shortest,
            longest=max(shortest, wanted.total_seconds()),
            last=visit.rest,
            news=news,
        )
        # Never 0, which is the rest of a page.
        self.catalog.put_visit(queued, replace(visit, rest=max(rest, 1e-3)))

    def rest_for_ever(self, queued: Queued) -> None:
        """Note that a list is never asked again."""
        self.catalog.put_visit(queued, replace(self.catalog.visit(queued), rest=_FOREVER))

    def _wake(self, url: str, *, last_before: datetime) -> None:
        if self.catalog.wake_feed(url, last_before=last_before):
            self.frontier.found({host_of(url)})
