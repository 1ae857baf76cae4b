"""The one loop of the system: frontier -> robots -> fetch -> WARC -> links -> frontier.

Leads stay `waiting` in the catalog until their outcome is committed together with their capture, so
a kill at any moment costs only what was asked since the last commit: the requests under way, and no
more answers than there are connections. What is committed is not asked again.
"""

import asyncio
import logging
import signal
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any
from urllib.parse import urljoin

import aiohttp

from izwi.config.schema import GatherSection
from izwi.gather.arrivals import Arrivals
from izwi.gather.browser import Browser
from izwi.gather.fetch import STAGE, Limits, NotModified, Redirected, Refused, fetch, new_session
from izwi.gather.frontier import LONGEST_PAUSE, Clock, Frontier
from izwi.gather.permissions import PLACE, WISHES, HostRules, Robots
from izwi.gather.scope import limits_of
from izwi.gather.sources.base import Source
from izwi.gather.sources.focused import Tell, focusing
from izwi.gather.troubles import Troubles
from izwi.model.capture import Capture, Lead
from izwi.model.document import dropped, failed
from izwi.model.errors import StoreError, Terminated, environment_error
from izwi.model.notation import size_bytes
from izwi.model.results import Listener, Notice, Progress
from izwi.store.captures import CaptureStore
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued
from izwi.store.takedowns import Takedowns

logger = logging.getLogger(__name__)
AGENT = "izwi"
_COMMIT_SECONDS = 1.0
# Passing failures are tried again after 2, 4, 8 ... times this.
_BACK_OFF = 1.0
# Reasons that speak of a host and not of a page, and how long such a host rests.
HOST_FAULTS = ("robots-unreachable", "unreachable")
_PAUSED = "source-paused"
_HOST_REST = 900.0
# The next run after the source is resumed wakes them, however soon that is.
_PAUSED_REST = 30 * 86400.0
_BUSY = "http-429"
# Leads queued at a time.
_TOGETHER = 1_000


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
    # Names the languages of texts, for focused crawls.
    tell: Tell | None = None
    # Sources that rest: what they have found waits for a later run.
    paused: Collection[str] = ()
    _frontier: Frontier = field(init=False)
    _rules: HostRules = field(init=False)
    _arrivals: Arrivals = field(init=False)
    _browser: Browser = field(init=False)
    was_stopped: bool = False
    stopped_by: int = 0
    _troubles: Troubles = field(init=False)
    _clock: Clock = field(default_factory=Clock)
    _committed_at: float = field(default_factory=time.monotonic)
    # Visits that ended since the last commit.
    _uncommitted: int = 0

    def __post_init__(self) -> None:
        pause = max(LONGEST_PAUSE, self.settings.delay)
        self._frontier = Frontier(self.catalog, pause, self.settings.per_host)
        self._rules = HostRules(self.catalog)
        self._troubles = Troubles(self.listener)
        self._arrivals = Arrivals(
            self.settings,
            self.sources,
            self.catalog,
            self.store,
            self.listener,
            self._frontier,
            self._rules,
            self.gone,
            focusing(self.sources, self.tell, self.catalog),
            self.bounds.pages,
        )
        if self._arrivals.focusing.pairs:
            self._frontier.promise = self._arrivals.focusing.promise

    def run(self) -> int:
        """Gather until nothing is due or a bound is met; return how many captures were made."""
        is_first = self.catalog.join()
        try:
            for notice in self.store.recover():
                self.listener(Notice(notice))
            if is_first:  # whoever joins others finds this done
                self._wake()
            self.store.commit()
            self.catalog.begin_asking()
            asyncio.run(self._loop())
            self.store.commit()
            self.store.seal()
        finally:
            self.store.close()
            self._leave()
        self.listener(Progress("gather", self.fetched, self.fetched))
        for name in self.sources:
            if brought := self._arrivals.focusing.words(name):
                self.listener(Notice(f"Source '{name}': {brought}."))
        self._troubles.tell(self._frontier)
        return self.fetched

    def _wake(self) -> None:
        """Queue what a run begins with, and what waited for one."""
        self.catalog.wake_waiting((*HOST_FAULTS, _PAUSED), paused=self.paused)
        self._queue_first_leads()
        self._arrivals.open_patterns()
        for wish in WISHES - set(self.settings.respect):
            self.catalog.wake_refused(wish)
        if self.settings.allow_private:
            self.catalog.wake_refused("private-address")

    def _leave(self) -> None:
        """Give the hosts back; if the catalog cannot be reached, the end of the lease does."""
        try:
            self.catalog.leave()
        except StoreError:
            logger.debug("the hosts could not be given back", exc_info=True)

    @property
    def fetched(self) -> int:
        """How many captures this run made."""
        return self._arrivals.fetched

    def _queue_first_leads(self) -> None:
        for source in self.sources.values():
            leads = iter(source.first_leads())
            while some := list(islice(leads, _TOGETHER)):
                self.catalog.add_leads(some)
                for lead in some:
                    self.catalog.claim(lead)
                self.catalog.stay()  # a long list takes longer than a lease
        self._arrivals.returning.wake_all()

    async def _loop(self) -> None:
        with self._stopping_on_signals():
            await self._visits()

    async def _visits(self) -> None:
        limits = self._limits
        begun, tasks = time.monotonic(), set[asyncio.Task[None]]()
        self._browser = Browser(self.user_agent)
        self._frontier.share(self._clock.now())
        self._frontier.refresh(self._clock.now())
        async with new_session(self.user_agent, limits) as session:
            try:
                while not self._is_over(begun):
                    self._start_visits(session, limits, tasks)
                    wait = self._frontier.wait(self._clock.now())
                    if not tasks and wait is None:
                        break
                    ended = await self._finished(tasks, wait)
                    tasks -= ended
                    self._commit_now_and_then(len(ended))
                while tasks:
                    tasks -= await self._finished(tasks, None)
            finally:
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                await self._browser.close()

    def _start_visits(
        self, session: aiohttp.ClientSession, limits: Limits, tasks: set[asyncio.Task[None]]
    ) -> None:
        while len(tasks) < self.settings.concurrency and not self._has_enough(len(tasks)):
            self.catalog.stay()
            queued = self._frontier.next(self._clock.now())
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
        delay: float | None = self.settings.delay
        is_failure = False
        try:
            delay, is_failure = await self._ask(session, queued, limits)
        except StoreError:
            raise
        except Exception as error:  # the document grade: this lead fails, the others go on
            if stop := environment_error(error):
                raise stop from error
            words = f"{type(error).__name__}: {error}"[:300]
            self._arrivals.settle(queued, failed(STAGE, "gatherer-error", detail=words))
        self._frontier.done(queued, now=self._clock.now(), delay=delay, is_failure=is_failure)

    async def _ask(
        self, session: aiohttp.ClientSession, queued: Queued, limits: Limits
    ) -> tuple[float | None, bool]:
        """Ask for one lead; return how long its host now rests and whether it failed.

        No rest at all means that the host was not asked.
        """
        if queued.lead.source in self.paused:
            verdict = dropped(STAGE, _PAUSED, detail=queued.lead.source)
            self.catalog.postpone(queued, self._clock.now() + _PAUSED_REST, verdict, attempts=0)
            return None, False
        if queued.lead.source not in self.sources:
            gone = dropped(STAGE, "source-removed", detail=queued.lead.source)
            self._arrivals.settle(queued, gone)
            return None, False
        if queued.lead.url in self._arrivals.joined:
            return None, False
        refused = self._arrivals.refusal(queued)
        if refused is not None:
            self._arrivals.settle(queued, refused)
            return None, False
        robots = await self._rules.robots(session, queued, limits)
        refusal = _forbidden(queued.lead.url, robots)
        if refusal is not None:
            self._refuse(queued, refusal)
            return refusal.retry_after or None, refusal.is_passing
        delay = max(self.settings.delay, robots.delay(AGENT))
        if self._must_ask_reservations(queued, robots):
            await self._rules.ask_reservations(session, queued, limits)
            self._frontier.give_back(queued)
            # As robots.txt, if the host asks for pauses so long that no page would follow.
            return (delay if delay <= self._frontier.longest_pause else 0.0), False
        return await self._exchange(session, queued, limits, delay)

    async def _exchange(
        self, session: aiohttp.ClientSession, queued: Queued, limits: Limits, delay: float
    ) -> tuple[float, bool]:
        """Ask for the page itself and do with the answer what is to be done."""
        own = limits_of(self.sources[queued.lead.source], limits)
        is_kept = False
        try:
            known = self._arrivals.returning.validators(queued)
            capture = await self._fetch(session, queued.lead, own, known)
            others = await self._others(session, queued, capture, own, delay)
            if others is not None:
                self._arrivals.keep(queued, capture, others)
                is_kept = True
        except NotModified as unchanged:
            self._arrivals.keep_unchanged(queued, unchanged.headers)
        except Redirected as redirect:
            self._arrivals.follow(queued, redirect.target, redirect.status)
        except Refused as refused:
            self._refuse(queued, refused)
            return max(delay, refused.retry_after), refused.is_passing
        if is_kept:
            return await self._probe(session, queued, own, delay)
        return delay, False

    async def _probe(
        self, session: aiohttp.ClientSession, queued: Queued, limits: Limits, delay: float
    ) -> tuple[float, bool]:
        """Ask for addresses that cannot exist, where it is in doubt whether text is made up.

        The page itself is kept, whatever comes of that; return as for a page.
        """
        rest, is_failure = delay, False
        while not self.was_stopped and (found := self._arrivals.probe(queued.lead)) is not None:
            probe, lead = found
            answer, came = None, ""
            robots = await self._rules.robots(session, queued, limits)
            if not robots.is_unreachable and robots.allows(lead.url, AGENT):
                await asyncio.sleep(
                    self._frontier.book(queued.host, now=self._clock.now(), delay=delay)
                )
                if self.was_stopped:
                    break
                answer, came = await self._answer(session, lead, limits)
            try:
                if came:
                    self._arrivals.note_probe(lead, came)
                tells = self._arrivals.judge(queued.lead, probe, answer)
            except StoreError:
                raise
            except Exception as error:
                if stop := environment_error(error):
                    raise stop from error
                logger.exception("what %s brought could not be judged", lead.url)
                break
            if isinstance(answer, Refused):
                self._note_pause(queued.host, answer)
                self._troubles.note(queued, answer)
                rest, is_failure = max(rest, answer.retry_after), answer.is_passing
            if not tells:
                break
        return rest, is_failure

    async def _answer(
        self, session: aiohttp.ClientSession, lead: Lead, limits: Limits
    ) -> tuple[Capture | Refused | None, str]:
        """Return what came of an invented address, and what the ledger says of that."""
        try:
            capture = await self._fetch(session, lead, limits, {})
        except Refused as refused:
            return refused, refused.verdict.reason
        except Redirected as redirect:
            return None, f"redirected to {redirect.target}"[:300]
        except NotModified:
            return None, "not-modified"
        return capture, f"http-{capture.status}"

    async def _others(
        self,
        session: aiohttp.ClientSession,
        queued: Queued,
        capture: Capture,
        limits: Limits,
        delay: float,
    ) -> list[Capture] | None:
        """Return what makes a page whole; None if the run is to end before that: it is asked again.

        They are kept at once, one behind the other, so that they lie in one file.
        """
        whole, found = self._arrivals.whole(queued, capture), list[Capture]()
        while whole is not None and (wanted := whole.wanted()) is not None:
            lead = self._arrivals.part(capture.lead, *wanted)
            robots = await self._rules.robots(session, queued, limits)
            if not robots.allows(lead.url, AGENT) or self._arrivals.is_refused(lead):
                whole.miss(wanted[1])
                continue
            await asyncio.sleep(
                self._frontier.book(queued.host, now=self._clock.now(), delay=delay)
            )
            if self.was_stopped:
                return None
            try:
                part = await self._fetch(session, lead, limits, {})
            except (NotModified, Redirected, Refused):
                whole.miss(wanted[1])
                continue
            if self._arrivals.belongs(whole, part, wanted[1]):
                found.append(part)
        return found

    async def _fetch(
        self, session: aiohttp.ClientSession, lead: Lead, limits: Limits, known: Mapping[str, str]
    ) -> Capture:
        """Fetch a lead as its source asks for it: with a key that is kept nowhere, say."""
        source = self.sources[lead.source]
        if getattr(source, "browser", False) and lead.kind in ("page", "list"):
            return await self._browser.fetch(lead, limits)
        address_of = getattr(source, "address_of", None)
        asked = replace(lead, url=address_of(lead)) if address_of else lead
        try:
            return replace(await fetch(session, asked, limits, known), lead=lead)
        except Redirected as redirect:  # many servers repeat what they were asked with
            without_key = getattr(source, "without_key", None)
            target = without_key(redirect.target) if without_key else redirect.target
            raise Redirected(target, redirect.status) from None

    def _must_ask_reservations(self, queued: Queued, robots: Robots) -> bool:
        """Whether a host is to say first what it reserves; the page then waits for its turn."""
        if "tdm-reservation" not in self.settings.respect:
            return False
        address = urljoin(queued.lead.url, PLACE)
        return self._rules.reservations(queued.host) is None and robots.allows(address, AGENT)

    def _refuse(self, queued: Queued, refusal: Refused) -> None:
        self._note_pause(queued.host, refusal)
        self._troubles.note(queued, refusal)
        tries = queued.attempts + 1
        if refusal.verdict.reason in HOST_FAULTS:
            # The host's fault, not the page's: it waits for the next run, however often that is.
            self._troubles.note_unreached(queued.host, refusal.verdict.detail)
            self.catalog.postpone(
                queued, self._clock.now() + _HOST_REST, refusal.verdict, attempts=0
            )
            return
        if refusal.verdict.reason == _BUSY and refusal.retry_after:
            # The host says when: waiting is no attempt. One that never ends is given up for a run.
            wait = self._clock.now() + refusal.retry_after
            self.catalog.postpone(queued, wait, refusal.verdict, attempts=0)
            return
        if not refusal.is_passing or tries >= self.settings.attempts:
            self._arrivals.settle(queued, refusal.verdict)
            return
        wait = max(refusal.retry_after, _BACK_OFF * 2**tries)
        self.catalog.postpone(queued, self._clock.now() + wait, refusal.verdict)

    def _note_pause(self, host: str, refusal: Refused) -> None:
        if refusal.retry_after:
            self.catalog.put_pause(host, self._clock.now() + refusal.retry_after)

    def _commit_now_and_then(self, ended: int) -> None:
        now = time.monotonic()
        self._uncommitted += ended
        is_due = (
            self._uncommitted >= self.settings.concurrency
            or now - self._committed_at >= _COMMIT_SECONDS
        )
        if is_due or self.store.is_full:
            self.store.commit()
            self._committed_at, self._uncommitted = now, 0
            self._frontier.share(self._clock.now())

    def _has_enough(self, under_way: int) -> bool:
        pages, size = self.bounds.pages, self.bounds.size_bytes
        arrived = self._arrivals
        return (pages is not None and arrived.fetched + under_way >= pages) or (
            size is not None and arrived.size_bytes >= size
        )

    def _is_over(self, begun: float) -> bool:
        seconds = self.bounds.seconds
        is_late = seconds is not None and time.monotonic() - begun >= seconds
        return self.was_stopped or is_late or self._has_enough(0)

    @contextmanager
    def _stopping_on_signals(self) -> Iterator[None]:
        """On Ctrl-C or SIGTERM finish what is under way, commit and end well."""
        loop = asyncio.get_running_loop()
        before: dict[signal.Signals, Any] = {}
        for number in (signal.SIGINT, signal.SIGTERM):
            # Not in a thread, not on Windows: there the run is simply cut, and resumes.
            with suppress(NotImplementedError, RuntimeError, ValueError):
                earlier = signal.getsignal(number)
                loop.add_signal_handler(number, self._stop, number)
                before[number] = earlier
        try:
            yield
        finally:  # asyncio would leave the system's own way, which is to die
            for number, handler in before.items():
                loop.remove_signal_handler(number)
                signal.signal(number, handler)

    def _stop(self, number: int = signal.SIGINT) -> None:
        if self.was_stopped:  # asked twice: do not wait for what is under way
            raise Terminated if number == signal.SIGTERM else KeyboardInterrupt
        self.was_stopped, self.stopped_by = True, int(number)
        self.listener(
            Notice("Stopping: what is under way is finished and kept; run again to go on.")
        )

    @property
    def _limits(self) -> Limits:
        own = self.settings
        return Limits(
            own.timeout, size_bytes(own.max_size), own.allow_private, own.proxy, own.cookies
        )


def _forbidden(url: str, robots: Robots) -> Refused | None:
    """Return why a host's rules keep a page from being asked for, None if they do not."""
    if robots.is_unreachable:
        detail = (
            f"robots.txt answered {robots.status}"
            if robots.status
            else f"robots.txt cannot be had: {robots.text}"
        )
        verdict = failed(STAGE, "robots-unreachable", detail=detail[:300])
        return Refused(verdict, is_passing=True, retry_after=robots.retry_after)
    if not robots.allows(url, AGENT):
        return Refused(dropped(STAGE, "robots", detail="robots.txt forbids it"))
    return None
