"""Which lead next, per host, and when; how time goes in a run, and when is asked again.

Decides; asks no network. Only hosts that have something due are held in memory, and no more than a
few thousand of them; the rest wait on disk, so ten million leads cost no more memory than ten
thousand. Feeds, site maps, lists and pages come again by how often they changed.
"""

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from itertools import pairwise
from statistics import median

from izwi.gather.fetch import NOTHING
from izwi.gather.sources.base import Source
from izwi.model.capture import Capture, Lead
from izwi.store.catalog import Catalog, Visit
from izwi.store.leads import Queued, host_of

# Leads and hosts held in memory; the rest wait in the catalog.
_MOST_LEADS = 20_000
_MOST_HOSTS = 5_000
_BATCH = 100
# A run does not wait longer than this for leads that are due later.
PATIENCE = 10.0
# Nor longer than this for a host, unless the user wants it so.
LONGEST_PAUSE = 300.0
# Where several gather, so often one looks who holds what; who has nothing left waits so long for
# what others find or leave behind.
SHARING_SECONDS = 2.0
# After so many failures in a row a host rests until the next run.
TOLERATED_FAILURES = 5


@dataclass(slots=True)
class _Host:
    id: int
    name: str
    next_at: float = 0.0
    under_way: int = 0
    failures: int = 0
    # The pause after its last exchange; None before the first.
    delay: float | None = None
    # Whether it stands in one of the two heaps.
    is_listed: bool = False
    queue: deque[Queued] = field(default_factory=deque)
    in_flight: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Frontier:
    """The queues of the hosts that are due; each is asked again after its delay."""

    catalog: Catalog
    # A host that wants a longer pause rests until the next run; its robots.txt may ask for a year.
    longest_pause: float = LONGEST_PAUSE
    # Requests to one host at the same time.
    per_host: int = 1
    # What is expected of a lead by now; with it the most promising host comes first, not the one
    # that has waited longest.
    promise: Callable[[Queued], float] | None = None
    _hosts: dict[str, _Host] = field(default_factory=dict)
    # In the order in which they became free, so that every host gets its turn.
    _ready: deque[str] = field(default_factory=deque)
    _resting: list[tuple[float, int, str]] = field(default_factory=list)
    # Hosts that are not asked in this run any more: their numbers.
    _given_up: dict[str, int] = field(default_factory=dict)
    _pausing: dict[str, int] = field(default_factory=dict)
    # Failures in a row of hosts that have nothing left for now.
    _failures: dict[str, int] = field(default_factory=dict)
    _last_loaded: int = 0
    # Where several gather: when shares were last looked at, how many hosts are one's own share, and
    # whether others have work that may come here.
    _shared_at: float = 0.0
    _share: int = _MOST_HOSTS
    _others_work: bool = False

    def refresh(self, now: float) -> None:
        """Take note of the next hosts that have leads waiting."""
        room = max(0, min(_MOST_HOSTS, self._share) - len(self._hosts))
        waiting = self.catalog.waiting_hosts(
            after=self._last_loaded, until=now + PATIENCE, most=room
        )
        for each in waiting:
            self._last_loaded = each.id
            if not self._is_left_out(each.host) and self._is_own(each.host, each.id):
                self._list(self._known(each.host, each.id), max(each.due, 0.0), now)

    def share(self, now: float) -> None:
        """Where several gather: take free hosts up to a fair share, give back what is beyond it."""
        if not self.catalog.is_shared or now - self._shared_at < SHARING_SECONDS:
            return
        self._shared_at = now
        found = self.catalog.holdings(due=now + PATIENCE, rested=now + self.longest_pause)
        self._share, self._others_work = found.share, found.others + found.beginning > 0
        idle = [host for host in self._hosts.values() if not host.under_way]
        for host in idle[: max(0, len(self._hosts) - found.share)]:
            self._put_away(host)
        self._ready = deque(name for name in self._ready if name in self._hosts)
        self._resting = [each for each in self._resting if each[2] in self._hosts]
        heapify(self._resting)
        self._last_loaded = 0
        self.refresh(now)

    def next(self, now: float) -> Queued | None:
        """Return a lead that may be asked now, of the host that has waited longest."""
        self._wake(now)
        while self._ready:
            host = self._hosts.get(self._next_ready(now))
            if host is None:  # given up meanwhile
                continue
            host.is_listed = False
            if host.next_at > now:  # it asked for a pause in the meantime
                self._list(host, host.next_at, now)
                continue
            queued = self._pop(host, now)
            if queued is None:
                continue
            host.under_way += 1
            host.in_flight.add(queued.id)
            if host.delay is not None:
                self._list(host, now + host.delay, now)
            return queued
        return None

    def done(self, queued: Queued, *, now: float, delay: float | None, is_failure: bool) -> None:
        """Free a host after an exchange; without a delay it was not asked for the lead."""
        host = self._hosts[queued.host]
        host.under_way -= 1
        host.in_flight.discard(queued.id)
        if delay is not None:
            host.delay = delay
            host.next_at = max(host.next_at, now + delay)
            self.catalog.rest(host.id, host.next_at)
        if delay is not None or is_failure:
            host.failures = host.failures + 1 if is_failure else 0
        if host.failures >= TOLERATED_FAILURES:
            self._given_up[host.name] = host.id
        self._list(host, host.next_at, now)
        self._forget_left_out(host)

    def book(self, host: str, *, now: float, delay: float) -> float:
        """Return how long a visit waits before it asks its host for more; others wait as long."""
        known = self._hosts[host]
        known.next_at = max(known.next_at, now) + delay
        self.catalog.rest(known.id, known.next_at)
        return known.next_at - now

    def give_back(self, queued: Queued) -> None:
        """Put a lead back at the head of its host's queue: its host had to be asked for more."""
        self._hosts[queued.host].queue.appendleft(queued)

    def put_first(self, queued: Queued | None) -> None:
        """Let a new lead be the next of its host."""
        host = self._hosts.get(queued.host) if queued else None
        if queued and host:
            host.queue.appendleft(queued)

    def found(self, hosts: set[str]) -> None:
        """Take note of hosts for which new leads were queued."""
        for name in hosts:
            if name in self._hosts:
                if self.promise is not None:  # the new ones may be better
                    self._hosts[name].queue.clear()
                self._list(self._hosts[name], self._hosts[name].next_at, 0.0)
            elif not self._is_left_out(name):
                self._meet(name)

    def wait(self, now: float) -> float | None:
        """Return the seconds until a lead may be ready, None if none will be in this run."""
        if self._ready:
            return 0.0
        if not self._resting:
            self.refresh(now)
            self.share(now)
        if self._ready:
            return 0.0
        if self._resting:
            return max(0.0, self._resting[0][0] - now)
        return SHARING_SECONDS if self._others_work else None

    def given_up(self) -> list[str]:
        """Return the hosts that failed too often in this run."""
        return list(self._given_up)

    def resting(self) -> list[str]:
        """Return the hosts with leads that want a longer pause than this run waits."""
        return [
            name for name, host in self._pausing.items() if self.catalog.first_due(host) is not None
        ]

    @property
    def under_way(self) -> int:
        """How many leads are being asked."""
        return sum(host.under_way for host in self._hosts.values())

    def _next_ready(self, now: float) -> str:
        """Take the host whose turn it is: the one that waited longest, or promises most."""
        if self.promise is None:
            return self._ready.popleft()
        best = max(self._ready, key=lambda name: self._best(name, now))
        self._ready.remove(best)
        return best

    def _best(self, name: str, now: float) -> float:
        """Return what the best lead of a host promises."""
        host = self._hosts.get(name)
        if host is None or self.promise is None:
            return 0.0
        self._load(host, now)
        return self.promise(host.queue[0]) if host.queue else 0.0

    def _load(self, host: _Host, now: float) -> None:
        """Take the first leads of a host into memory, if it has none there."""
        if host.queue:
            return
        most = max(1, min(_BATCH, _MOST_LEADS // len(self._hosts))) + len(host.in_flight)
        waiting = self.catalog.waiting_leads(host.name, now, most=most)
        found = [lead for lead in waiting if lead.id not in host.in_flight]
        host.queue.extend(sorted(found, key=self.promise, reverse=True) if self.promise else found)

    def _meet(self, name: str) -> None:
        number = self.catalog.host_id(name)
        if not self._is_own(name, number):
            return
        if len(self._hosts) < _MOST_HOSTS:
            self._list(self._known(name, number), self.catalog.pause(name), 0.0)
        else:  # there is no room: it is found again when the others are done
            self._last_loaded = min(self._last_loaded, number - 1)

    def _is_own(self, name: str, number: int) -> bool:
        """Whether no other gatherer asks a host, and none will."""
        return name in self._hosts or self.catalog.hold(number, name)

    def _put_away(self, host: _Host) -> None:
        """Forget a host that has nothing for this gatherer."""
        if host.failures:
            self._failures[host.name] = host.failures
        self._hosts.pop(host.name, None)
        self.catalog.let_go(host.id, host.name)

    def _known(self, name: str, number: int) -> _Host:
        if name not in self._hosts:
            failures = self._failures.pop(name, 0)
            self._hosts[name] = _Host(number, name, failures=failures)
        return self._hosts[name]

    def _list(self, host: _Host, at: float, now: float) -> None:
        """Put a host in the line of those that are ready, or of those that rest."""
        at = max(at, host.next_at)
        # How long a host wants to rest is known only after its first answer.
        is_unknown = bool(host.under_way) and host.delay is None
        is_busy = host.under_way >= self.per_host or is_unknown
        if host.is_listed or is_busy or self._is_left_out(host.name):
            return
        if now and at > now + self.longest_pause:
            self._pausing[host.name] = host.id
            self._forget_left_out(host)
            return
        host.is_listed = True
        if at <= now:
            self._ready.append(host.name)
        else:
            heappush(self._resting, (at, host.id, host.name))

    def _wake(self, now: float) -> None:
        while self._resting and self._resting[0][0] <= now:
            self._ready.append(heappop(self._resting)[2])

    def _forget_left_out(self, host: _Host) -> None:
        if not host.under_way and self._is_left_out(host.name):
            self._put_away(host)

    def _is_left_out(self, name: str) -> bool:
        return name in self._given_up or name in self._pausing

    def _pop(self, host: _Host, now: float) -> Queued | None:
        """Return a lead of a host; one that has none left is put away, or listed for later."""
        if self._is_left_out(host.name):
            return None
        self._load(host, now)
        if host.queue:
            return host.queue.popleft()
        due = self.catalog.first_due(host.id)
        if not host.under_way and due is not None and now < due <= now + PATIENCE:
            self._list(host, due, now)
        elif not host.under_way:
            self._put_away(host)
        return None


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
        """Have a list, or a crawl's front, asked again if it rested long enough before this run."""
        if lead.kind == "page":
            self._wake_front(lead)
            return
        interval = self.sources[lead.source].interval
        if interval is None:
            return
        known = self.catalog.find_lead(lead.url)
        learnt = self.catalog.visit(known).rest if known else 0.0
        if learnt >= _FOREVER:
            return
        rest = max(interval, timedelta(seconds=learnt))
        self._wake(lead.url, last_before=self._started - rest)

    def _wake_front(self, lead: Lead) -> None:
        """Have the front of a crawl asked again, which leads to what is new.

        An address that does not end in a slash is that of a document, which is asked once.
        """
        source = self.sources[lead.source]
        rest: timedelta | None = getattr(source, "front_rest", None)
        revisit: float = getattr(source, "revisit_seconds", 0.0)
        # Where a rest of pages is set, it is the front's, too.
        if rest is None or revisit or lead.depth or not lead.url.endswith("/"):
            return
        if self.catalog.wake_front(lead.url, last_before=self._started - rest):
            self.frontier.found({host_of(lead.url)})

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
