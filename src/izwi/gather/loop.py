"""The one loop of the system: frontier -> robots -> fetch -> WARC -> links -> frontier.

Leads stay `waiting` in the catalog until their outcome is committed together with their capture, so
a kill at any moment costs only what was fetched since the last commit.
"""

import asyncio
import signal
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import aiohttp

from izwi.config.schema import GatherSection
from izwi.config.units import size_bytes
from izwi.gather.arrivals import Arrivals
from izwi.gather.fetch import STAGE, Limits, NotModified, Redirected, Refused, fetch, new_session
from izwi.gather.frontier import LONGEST_PAUSE, TOLERATED_FAILURES, Frontier
from izwi.gather.robots import Robots, ask_robots
from izwi.gather.sources.base import Source
from izwi.model.document import dropped, failed
from izwi.model.errors import StoreError
from izwi.model.results import Listener, Notice
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued
from izwi.store.takedowns import Takedowns

AGENT = "izwi"
_COMMIT_SECONDS = 1.0
_COMMIT_CAPTURES = 100
# Passing failures are tried again after 2, 4, 8 ... times this.
_BACK_OFF = 1.0
# Hosts whose parsed rules are held in memory; the others are read again from the catalog.
_MOST_ROBOTS = 5_000


@dataclass(frozen=True, slots=True)
class Bounds:
    """When a run stops though there is more to fetch."""

    seconds: float | None = None
    pages: int | None = None
    size_bytes: int | None = None


@dataclass(slots=True)
class Gatherer:
    """One gathering run; the corpus lock is held."""

    settings: GatherSection
    sources: Mapping[str, Source]
    catalog: Catalog
    store: CaptureStore
    listener: Listener
    user_agent: str
    bounds: Bounds = field(default_factory=Bounds)
    # What must never be fetched again.
    gone: Takedowns = field(default_factory=Takedowns)
    _frontier: Frontier = field(init=False)
    _robots: dict[str, Robots] = field(default_factory=dict)
    _arrivals: Arrivals = field(init=False)
    _stopping: bool = False
    _committed_at: float = field(default_factory=time.monotonic)
    _committed: int = 0

    def __post_init__(self) -> None:
        pause = max(LONGEST_PAUSE, self.settings.delay)
        self._frontier = Frontier(self.catalog, pause, self.settings.per_host)
        self._arrivals = Arrivals(
            self.settings,
            self.sources,
            self.catalog,
            self.store,
            self.listener,
            self._frontier,
            self.gone,
        )

    def run(self) -> int:
        """Gather until nothing is due or a bound is met; return how many captures were made."""
        for notice in self.store.recover():
            self.listener(Notice(notice))
        self._queue_first_leads()
        self.store.commit()
        try:
            asyncio.run(self._loop())
            self.store.commit()
            self.store.seal()
        finally:
            self.store.close()
        for host in self._frontier.given_up():
            self.listener(
                Notice(f"{host} failed {TOLERATED_FAILURES} times in a row; its pages wait.")
            )
        for host in self._frontier.resting():
            self.listener(Notice(f"{host} asks for a long pause; its pages wait."))
        return self._arrivals.fetched

    def _queue_first_leads(self) -> None:
        for source in self.sources.values():
            leads = list(source.first_leads())
            self.catalog.add_leads(leads)
            for lead in leads:
                self.catalog.claim(lead)
                self._arrivals.wake(lead)

    async def _loop(self) -> None:
        self._stop_on_signals()
        limits = self._limits
        begun, tasks = time.monotonic(), set[asyncio.Task[None]]()
        self._frontier.refresh(time.time())
        async with new_session(self.user_agent, limits) as session:
            try:
                while not self._is_over(begun):
                    self._start_visits(session, limits, tasks)
                    wait = self._frontier.wait(time.time())
                    if not tasks and wait is None:
                        break
                    tasks -= await self._finished(tasks, wait)
                    self._commit_now_and_then()
                while tasks:
                    tasks -= await self._finished(tasks, None)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)

    def _start_visits(
        self, session: aiohttp.ClientSession, limits: Limits, tasks: set[asyncio.Task[None]]
    ) -> None:
        while len(tasks) < self.settings.concurrency and not self._has_enough(len(tasks)):
            queued = self._frontier.next(time.time())
            if queued is None:
                return
            tasks.add(asyncio.create_task(self._visit(session, queued, limits)))

    async def _finished(
        self, tasks: set[asyncio.Task[None]], wait: float | None
    ) -> set[asyncio.Task[None]]:
        """Return the visits that ended, after waiting for one or for the next host that is free."""
        pause = min(0.5, wait) if wait is not None else 0.5
        if not tasks:
            await asyncio.sleep(max(pause, 0.01))
            return set()
        is_full = len(tasks) >= self.settings.concurrency
        done, _ = await asyncio.wait(
            tasks,
            timeout=0.5 if is_full else max(pause, 0.005),
            return_when=asyncio.FIRST_COMPLETED,
        )
        for task in done:
            task.result()
        return done

    async def _visit(self, session: aiohttp.ClientSession, queued: Queued, limits: Limits) -> None:
        """Ask for one lead and write what became of it."""
        delay, is_failure = self.settings.delay, False
        try:
            self._arrivals.check(queued)
            robots = await self._robots_of(session, queued, limits)
            delay = max(delay, robots.delay(AGENT))
            self._check(queued, robots)
            known = self._arrivals.validators(queued)
            self._arrivals.keep(queued, await fetch(session, queued.lead, limits, known))
        except NotModified as unchanged:
            self._arrivals.keep_unchanged(queued, unchanged.headers)
        except Redirected as redirect:
            self._arrivals.follow(queued, redirect.target, redirect.status)
        except Refused as refusal:
            is_failure = refusal.is_passing
            delay = max(delay, refusal.retry_after)
            self._refuse(queued, refusal)
        except StoreError:
            raise
        except Exception as error:  # the document grade: this lead fails, the others go on
            words = f"{type(error).__name__}: {error}"[:300]
            self._arrivals.settle(queued, failed(STAGE, "gatherer-error", detail=words))
        self._frontier.done(queued, now=time.time(), delay=delay, is_failure=is_failure)

    def _check(self, queued: Queued, robots: Robots) -> None:
        if queued.lead.source not in self.sources:
            raise Refused(dropped(STAGE, "source-removed", detail=queued.lead.source))
        if robots.is_unreachable:
            detail = f"robots.txt answered {robots.status or 'nothing'}"
            raise Refused(
                failed(STAGE, "robots-unreachable", detail=detail),
                is_passing=True,
                retry_after=robots.retry_after,
            )
        if not robots.allows(queued.lead.url, AGENT):
            raise Refused(dropped(STAGE, "robots", detail="robots.txt forbids it"))

    async def _robots_of(
        self, session: aiohttp.ClientSession, queued: Queued, limits: Limits
    ) -> Robots:
        """Return a host's rules: from memory, from the catalog, or from the host."""
        now = time.time()
        robots = self._robots.get(queued.host)
        if robots is None and (row := self.catalog.robots(queued.host)) is not None:
            robots = Robots(*row)
        if robots is None or not robots.is_fresh(now):
            robots = await ask_robots(session, queued.lead.url, limits)
            self.catalog.put_robots(queued.host, robots.text, robots.status, robots.asked)
        if len(self._robots) > _MOST_ROBOTS:
            self._robots.clear()
        self._robots[queued.host] = robots
        return robots

    def _refuse(self, queued: Queued, refusal: Refused) -> None:
        if refusal.retry_after:
            self.catalog.put_pause(queued.host, time.time() + refusal.retry_after)
        tries = queued.attempts + 1
        if not refusal.is_passing or tries >= self.settings.attempts:
            self._arrivals.settle(queued, refusal.verdict)
            return
        wait = max(refusal.retry_after, _BACK_OFF * 2**tries)
        self.catalog.postpone(queued, time.time() + wait, refusal.verdict)

    def _commit_now_and_then(self) -> None:
        now, fetched = time.monotonic(), self._arrivals.fetched
        is_due = (
            fetched - self._committed >= _COMMIT_CAPTURES
            or now - self._committed_at >= _COMMIT_SECONDS
        )
        if is_due or self.store.is_full:
            self.store.commit()
            self._committed_at, self._committed = now, fetched

    def _has_enough(self, under_way: int) -> bool:
        pages, size = self.bounds.pages, self.bounds.size_bytes
        arrived = self._arrivals
        return (pages is not None and arrived.fetched + under_way >= pages) or (
            size is not None and arrived.size_bytes >= size
        )

    def _is_over(self, begun: float) -> bool:
        seconds = self.bounds.seconds
        is_late = seconds is not None and time.monotonic() - begun >= seconds
        return self._stopping or is_late or self._has_enough(0)

    def _stop_on_signals(self) -> None:
        """On Ctrl-C or SIGTERM finish what is under way, commit and end well."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            # Not in a thread, not on Windows: there the run is simply cut, and resumes.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._stop)

    def _stop(self) -> None:
        self._stopping = True
        self.listener(
            Notice("Stopping: what is under way is finished and kept; run again to go on.")
        )

    @property
    def _limits(self) -> Limits:
        own = self.settings
        return Limits(
            own.timeout, size_bytes(own.max_size), own.allow_private, own.proxy, own.cookies
        )
