"""The one loop of the system: frontier -> robots -> fetch -> WARC -> links -> frontier.

Leads stay `waiting` in the catalog until their outcome is committed together with their capture, so
a kill at any moment costs only what was fetched since the last commit.
"""

import asyncio
import signal
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from urllib.parse import urlsplit

import aiohttp

from izwi.config.schema import GatherSection
from izwi.config.units import size_bytes
from izwi.gather.fetch import (
    STAGE,
    Limits,
    Redirected,
    Refused,
    fetch,
    fetch_beginning,
    new_session,
)
from izwi.gather.frontier import LONGEST_PAUSE, TOLERATED_FAILURES, Frontier
from izwi.gather.robots import LARGEST, Robots
from izwi.gather.sources.base import Source
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.document import KEPT, Verdict, dropped, failed
from izwi.model.errors import SourceError, StoreError
from izwi.model.results import Listener, Notice, Progress
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog, Queued, host_of
from izwi.store.warc import decoded_body

AGENT = "izwi"
_COMMIT_SECONDS = 1.0
_COMMIT_CAPTURES = 100
# Passing failures are tried again after 2, 4, 8 ... times this.
_BACK_OFF = 1.0
# Reasons that speak of a host and not of a page, and how long such a host rests.
HOST_FAULTS = ("robots-unreachable", "unreachable")
_HOST_REST = 900.0


@dataclass(frozen=True, slots=True)
class Bounds:
    """When a run stops though there is more to fetch."""

    seconds: float | None = None
    pages: int | None = None


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
    fetched: int = 0
    _frontier: Frontier = field(init=False)
    _robots: dict[str, Robots] = field(default_factory=dict)
    _started: datetime = field(default_factory=lambda: datetime.now(UTC))
    was_stopped: bool = False
    _unreached: dict[str, str] = field(default_factory=dict)
    _committed_at: float = field(default_factory=time.monotonic)
    _uncommitted: int = 0

    def __post_init__(self) -> None:
        self._frontier = Frontier(self.catalog, max(LONGEST_PAUSE, self.settings.delay))

    def run(self) -> int:
        """Gather until nothing is due or a bound is met; return how many captures were made."""
        for notice in self.store.recover():
            self.listener(Notice(notice))
        self.catalog.wake_waiting(HOST_FAULTS)
        self._queue_first_leads()
        self.store.commit()
        try:
            asyncio.run(self._loop())
            self.store.commit()
            self.store.seal()
        finally:
            self.store.close()
        self._say_what_waits()
        return self.fetched

    def _say_what_waits(self) -> None:
        for host, detail in self._unreached.items():
            self.listener(
                Notice(f"{host} could not be reached ({detail}); its pages wait for the next run.")
            )
        for host in set(self._frontier.given_up()) - set(self._unreached):
            self.listener(
                Notice(f"{host} failed {TOLERATED_FAILURES} times in a row; its pages wait.")
            )
        for host in self._frontier.resting(time.time()):
            self.listener(Notice(f"{host} asks for a long pause; its pages wait."))

    def _queue_first_leads(self) -> None:
        for source in self.sources.values():
            leads = list(source.first_leads())
            self.catalog.add_leads(leads)
            for lead in leads:
                self.catalog.claim(lead)
                self._wake(lead)

    def _wake(self, lead: Lead) -> None:
        """Have a feed asked again if it was last asked long enough before this run."""
        rest = self.sources[lead.source].interval
        if rest is not None:
            self.catalog.wake_feed(lead.url, last_before=self._started - rest)
            self._frontier.found({host_of(lead.url)})

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
        """Ask for one lead, write what became of it, and free its host."""
        delay, is_failure = self.settings.delay, False
        try:
            delay, is_failure = await self._ask(session, queued, limits)
        except StoreError:
            raise
        except Exception as error:  # the document grade: this lead fails, the others go on
            self._settle(
                queued,
                failed(STAGE, "gatherer-error", detail=f"{type(error).__name__}: {error}"[:300]),
            )
        self._frontier.done(queued, now=time.time(), delay=delay, is_failure=is_failure)

    async def _ask(
        self, session: aiohttp.ClientSession, queued: Queued, limits: Limits
    ) -> tuple[float, bool]:
        """Ask for one lead; return how long its host now rests and whether it failed."""
        if queued.lead.source not in self.sources:
            self._settle(queued, dropped(STAGE, "source-removed", detail=queued.lead.source))
            return 0.0, False
        robots = await self._robots_of(session, queued, limits)
        refusal = _forbidden(queued.lead.url, robots)
        if refusal is not None:
            self._refuse(queued, refusal)
            return 0.0, refusal.is_passing
        delay = max(self.settings.delay, robots.delay(AGENT))
        try:
            capture = await fetch(session, queued.lead, limits)
        except Redirected as redirect:
            self._follow(queued, redirect)
            return delay, False
        except Refused as refused:
            self._refuse(queued, refused)
            return max(delay, refused.retry_after), refused.is_passing
        self._keep(queued, capture)
        return delay, False

    async def _robots_of(
        self, session: aiohttp.ClientSession, queued: Queued, limits: Limits
    ) -> Robots:
        """Return a host's rules: from memory, from the catalog, or from the host."""
        now = time.time()
        robots = self._robots.get(queued.host)
        if robots is None and (row := self.catalog.robots(queued.host)) is not None:
            robots = Robots(*row)
        is_old_failure = robots is not None and robots.failed_before(self._started.timestamp())
        if robots is None or is_old_failure or not robots.is_fresh(now):
            robots = await _ask_robots(session, queued.lead.url, limits)
            self.catalog.put_robots(queued.host, robots.text, robots.status, robots.asked)
        self._robots[queued.host] = robots
        return robots

    def _keep(self, queued: Queued, capture: Capture) -> None:
        """Store a capture, settle its lead, queue what it leads to."""
        self.store.append(queued, capture)
        self.fetched += 1
        self._uncommitted += 1
        self.catalog.settle(queued, "fetched", KEPT)
        try:
            body = decoded_body(capture, size_bytes(self.settings.max_size))
            self._queue(self.sources[queued.lead.source].leads_from(capture, body))
        except SourceError as error:
            self.catalog.settle(queued, "failed", failed(STAGE, "not-a-feed", detail=str(error)))
            self.listener(Notice(str(error)))
        except ValueError:
            pass  # a body that does not unpack has no links; extraction writes its ledger line
        waiting = len(self._frontier.in_flight)
        self.listener(
            Progress("gather", self.fetched, None, f"{queued.host} ({waiting} under way)")
        )

    def _follow(self, queued: Queued, redirect: Redirected) -> None:
        """Queue where a redirect points, unless it is one too many."""
        lead = queued.lead
        target = canonical(redirect.target, lead.url)
        if target is None:
            self._settle(queued, dropped(STAGE, "bad-redirect", detail=redirect.target[:300]))
        elif target == lead.url or self.catalog.state_of(target) == "redirected":
            self._settle(queued, dropped(STAGE, "redirect-loop", detail=target))
        elif lead.redirects >= self.settings.max_redirects:
            most = self.settings.max_redirects
            verdict = dropped(
                STAGE, "too-many-redirects", value=lead.redirects + 1, threshold=most, detail=target
            )
            self._settle(queued, verdict)
        else:
            found = replace(lead, url=target, referrer=lead.url, redirects=lead.redirects + 1)
            self._queue([found])
            if lead.kind == "feed":
                self.catalog.claim(found)
            self._wake(found)
            verdict = Verdict("dropped", STAGE, "redirected", redirect.status, detail=target)
            self.catalog.settle(queued, "redirected", verdict)

    def _refuse(self, queued: Queued, refusal: Refused) -> None:
        tries = queued.attempts + 1
        if refusal.verdict.reason in HOST_FAULTS:
            # The host's fault, not the page's: it waits for the next run, however often that is.
            self._unreached[queued.host] = refusal.verdict.detail
            self.catalog.postpone(queued, time.time() + _HOST_REST, refusal.verdict, attempts=0)
            return
        if not refusal.is_passing or tries >= self.settings.attempts:
            self._settle(queued, refusal.verdict)
            return
        wait = max(refusal.retry_after, _BACK_OFF * 2**tries)
        self.catalog.postpone(queued, time.time() + wait, refusal.verdict)

    def _settle(self, queued: Queued, verdict: Verdict) -> None:
        self.catalog.settle(queued, "failed" if verdict.outcome == "failed" else "dropped", verdict)
        if queued.lead.kind == "feed":
            self.listener(
                Notice(
                    f"Source '{queued.lead.source}': {queued.lead.url} could not be read "
                    f"({verdict.reason}{': ' + verdict.detail if verdict.detail else ''})."
                )
            )

    def _queue(self, leads: Iterable[Lead]) -> None:
        leads = list(leads)
        if self.catalog.add_leads(leads):
            self._frontier.found({host_of(lead.url) for lead in leads})

    def _commit_now_and_then(self) -> None:
        now = time.monotonic()
        is_due = (
            self._uncommitted >= _COMMIT_CAPTURES or now - self._committed_at >= _COMMIT_SECONDS
        )
        if is_due or self.store.is_full:
            self.store.commit()
            self._committed_at, self._uncommitted = now, 0

    def _has_enough(self, under_way: int) -> bool:
        pages = self.bounds.pages
        return pages is not None and self.fetched + under_way >= pages

    def _is_over(self, begun: float) -> bool:
        seconds = self.bounds.seconds
        is_late = seconds is not None and time.monotonic() - begun >= seconds
        return self.was_stopped or is_late or self._has_enough(0)

    def _stop_on_signals(self) -> None:
        """On Ctrl-C or SIGTERM finish what is under way, commit and end well."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            # Not in a thread, not on Windows: there the run is simply cut, and resumes.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                loop.add_signal_handler(number, self._stop)

    def _stop(self) -> None:
        if self.was_stopped:  # asked twice: do not wait for what is under way
            raise KeyboardInterrupt
        self.was_stopped = True
        self.listener(
            Notice("Stopping: what is under way is finished and kept; run again to go on.")
        )

    @property
    def _limits(self) -> Limits:
        own = self.settings
        return Limits(own.timeout, size_bytes(own.max_size), own.allow_private, own.proxy)


async def _ask_robots(session: aiohttp.ClientSession, url: str, limits: Limits) -> Robots:
    """Return what a host's robots.txt says; a few redirects are followed, as RFC 9309 asks."""
    parts = urlsplit(url)
    address = f"{parts.scheme}://{parts.netloc}/robots.txt"
    bounded = replace(limits, max_bytes=LARGEST)
    for _ in range(5):
        try:
            capture = await fetch_beginning(session, Lead(address, "robots"), bounded)
            body = decoded_body(capture, 20 * LARGEST)[:LARGEST]
            return Robots(body.decode("utf-8", "replace"), capture.status, time.time())
        except Redirected as redirect:
            address = canonical(redirect.target, address) or ""
        except Refused as refusal:
            return Robots("", _robots_status(refusal.verdict), time.time())
        except ValueError:  # rules that cannot be read may forbid anything
            return Robots("", 0, time.time())
    return Robots("", 404, time.time())


def _forbidden(url: str, robots: Robots) -> Refused | None:
    """Return why a host's rules keep a page from being asked for, None if they do not."""
    if robots.is_unreachable:
        detail = f"robots.txt answered {robots.status or 'nothing that can be read'}"
        return Refused(failed(STAGE, "robots-unreachable", detail=detail), is_passing=True)
    if not robots.allows(url, AGENT):
        return Refused(dropped(STAGE, "robots", detail="robots.txt forbids it"))
    return None


def _robots_status(verdict: Verdict) -> int:
    """Return the status that decides: an address that may not be asked forbids nothing."""
    if verdict.reason.startswith("http-"):
        return int(verdict.value or 0)
    return 404 if verdict.outcome == "dropped" else 0
