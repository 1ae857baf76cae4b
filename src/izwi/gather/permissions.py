"""What may be fetched and kept: robots.txt, tdmrep.json, and what a page's owner says."""

import time
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import urlsplit

import aiohttp
from protego import Protego

from izwi.gather.fetch import Limits, NotModified, Redirected, Refused, fetch_beginning
from izwi.gather.links import Reading
from izwi.gather.scope import Glob
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Lead
from izwi.model.document import Verdict, dropped
from izwi.model.notation import read_json
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued
from izwi.store.warc import decoded_body

# RFC 9309, section 2.4: not longer than a day.
KEPT_SECONDS = 86400.0
LARGEST = 512 * 1024


@dataclass
class Robots:
    """A host's rules: `status` is the answer's, 0 if there was none; then `text` says why."""

    text: str
    status: int
    asked: float
    # What the host asked for instead of an answer.
    retry_after: float = 0.0

    @property
    def is_unreachable(self) -> bool:
        """Whether the host must be left alone because its rules cannot be had."""
        return self.status == 0 or self.status >= 500

    @property
    def is_private(self) -> bool:
        """Whether the host was not asked, because its address is private."""
        return self.text.startswith("private-address")

    def is_fresh(self, now: float) -> bool:
        """Whether the answer may still be used; after a failure only for a quarter of an hour."""
        # What was asked by a clock that was ahead is not known to be fresh.
        return 0 <= now - self.asked < (900.0 if self.is_unreachable else KEPT_SECONDS)

    def failed_before(self, moment: float) -> bool:
        """Whether this is a failure of an earlier run, worth another try."""
        return self.is_unreachable and self.asked < moment

    def allows(self, url: str, agent: str) -> bool:
        """Whether an agent may fetch a URL."""
        return bool(self._rules.can_fetch(url, agent))

    def delay(self, agent: str) -> float:
        """Return the seconds the host wants between requests, 0 if it does not say."""
        if agent not in self._delays:
            self._delays[agent] = float(self._rules.crawl_delay(agent) or 0.0)
        return self._delays[agent]

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The site maps it names."""
        return tuple(self._rules.sitemaps)

    @cached_property
    def _delays(self) -> dict[str, float]:
        return {}

    @cached_property
    def _rules(self) -> Protego:
        return Protego.parse(self.text.removeprefix("\ufeff") if self.status == 200 else "")


async def ask_robots(session: aiohttp.ClientSession, url: str, limits: Limits) -> Robots:
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
            status, words = _robots_status(refusal.verdict), _words(refusal.verdict)
            return Robots(words, status, time.time(), refusal.retry_after)
        except ValueError as error:  # rules that cannot be read may forbid anything
            return Robots(f"it cannot be read: {error}", 0, time.time())
    return Robots("", 404, time.time())


def _words(verdict: Verdict) -> str:
    return f"{verdict.reason}: {verdict.detail}" if verdict.detail else verdict.reason


def _robots_status(verdict: Verdict) -> int:
    """Return the status that decides: an address that may not be asked forbids nothing."""
    if verdict.reason.startswith("http-"):
        return int(verdict.value or 0)
    return 404 if verdict.outcome == "dropped" else 0


PLACE = "/.well-known/tdmrep.json"


# More rules than this are a mistake, and each costs a comparison a page.
_MOST_RULES = 1000


@dataclass(frozen=True, slots=True)
class Reservation:
    """What is said of some pages: whether they are reserved, and where the terms stand."""

    location: str
    is_reserved: bool
    policy: str = ""


@dataclass(frozen=True)
class Reservations:
    """A host's file as it was sent; empty if there is none."""

    text: str = ""
    asked: float = 0.0

    def is_fresh(self, now: float) -> bool:
        """Whether the file may still be used: for a day, as robots.txt."""
        return 0 <= now - self.asked < KEPT_SECONDS

    def of(self, url: str) -> Reservation | None:
        """Return what is said of a page: the longest location that fits; None if nothing is.

        >>> text = '[{"location": "/", "tdm-reservation": 1}, {"location": "/free/*.html",'
        >>> text += '"tdm-reservation": 0}]'
        >>> said = Reservations(text)
        >>> said.of("http://a.example/b").is_reserved
        True
        >>> said.of("http://a.example/free/b.html").is_reserved
        False
        """
        parts = urlsplit(url)
        path = f"{parts.path}?{parts.query}" if parts.query else parts.path
        fitting = (rule for rule, glob in self._rules if glob.fullmatch(path))
        return max(fitting, key=lambda rule: (len(rule.location), rule.is_reserved), default=None)

    @cached_property
    def _rules(self) -> tuple[tuple[Reservation, Glob], ...]:
        return tuple((rule, _glob(rule.location)) for rule in read_rules(self.text))


def read_rules(text: str) -> list[Reservation]:
    """Return the rules of a file; what cannot be understood is passed over."""
    try:
        rows = read_json(text)
    except ValueError:
        return []
    rows = rows if isinstance(rows, list) else [rows]
    return [
        Reservation(str(row["location"]), str(row["tdm-reservation"]) == "1", _policy(row))
        for row in rows[:_MOST_RULES]
        if isinstance(row, dict) and "location" in row and "tdm-reservation" in row
    ]


async def ask_reservations(
    session: aiohttp.ClientSession, url: str, limits: Limits
) -> Reservations:
    """Return what a host's file says; one that cannot be had says nothing."""
    parts = urlsplit(url)
    lead = Lead(f"{parts.scheme}://{parts.netloc}{PLACE}", "tdmrep")
    try:
        capture = await fetch_beginning(session, lead, replace(limits, max_bytes=LARGEST))
        text = decoded_body(capture, LARGEST).decode("utf-8-sig", "replace")
    except (Refused, Redirected, NotModified, ValueError):
        text = ""
    return Reservations(text, time.time())


def _policy(row: dict[str, object]) -> str:
    return str(row.get("tdm-policy") or "")[:500]


def _glob(location: str) -> Glob:
    """Return a location as a pattern: * is any text, $ the end, else all that begins so."""
    return Glob(location[:-1] if location.endswith("$") else f"{location}*")


# Hosts whose parsed rules are held in memory; the others are read again from the catalog.
_MOST_HOSTS = 5_000


@dataclass(slots=True)
class HostRules:
    """What hosts said: from memory, from the catalog, or from the host itself."""

    catalog: Catalog
    _started: float = field(default_factory=time.time)
    _robots: dict[str, Robots] = field(default_factory=dict)
    _reservations: dict[str, Reservations] = field(default_factory=dict)

    async def robots(
        self, session: aiohttp.ClientSession, queued: Queued, limits: Limits
    ) -> Robots:
        """Return what a host allows; a failure of an earlier run is tried again."""
        robots = self._robots.get(queued.host)
        if robots is None and (row := self.catalog.robots(queued.host)) is not None:
            robots = Robots(*row)
        is_old_failure = robots is not None and robots.failed_before(self._started)
        if robots is None or is_old_failure or not robots.is_fresh(time.time()):
            robots = await ask_robots(session, queued.lead.url, limits)
            self.catalog.put_robots(queued.host, robots.text, robots.status, robots.asked)
        if len(self._robots) > _MOST_HOSTS:
            self._robots.clear()
        self._robots[queued.host] = robots
        return robots

    def reservations(self, host: str) -> Reservations | None:
        """Return what a host reserves, None if it is to be asked."""
        known = self._reservations.get(host)
        if known is None:
            known = Reservations(*self.catalog.reservations(host))
        if not known.is_fresh(time.time()):
            return None
        self._keep(host, known)
        return known

    async def ask_reservations(
        self, session: aiohttp.ClientSession, queued: Queued, limits: Limits
    ) -> None:
        """Ask a host what it reserves, and remember it."""
        found = await ask_reservations(session, queued.lead.url, limits)
        self.catalog.put_reservations(queued.host, found.text, found.asked)
        self._keep(queued.host, found)

    def _keep(self, host: str, found: Reservations) -> None:
        if len(self._reservations) > _MOST_HOSTS:
            self._reservations.clear()
        self._reservations[host] = found


STAGE = "fetch"
NOTHING = Reading(())
# What owners may ask for and a corpus respects, unless a curator decides otherwise.
WISHES = frozenset({"noindex", "noarchive", "noai", "tdm-reservation"})


@dataclass(frozen=True, slots=True)
class Rights:
    """The signals of one capture: words of robots rules, a reservation, links to the terms."""

    words: tuple[str, ...] = ()
    licence: str = ""
    policy: str = ""

    def __str__(self) -> str:
        links = (("license", self.licence), ("tdm-policy", self.policy))
        return "; ".join((*self.words, *(f"{name}={link}" for name, link in links if link)))

    @property
    def may_follow(self) -> bool:
        """Whether the links of the page may be followed."""
        return "nofollow" not in self.words and "none" not in self.words

    def refusal(self, respected: Collection[str]) -> Verdict | None:
        """Return why the page is not kept, None if it may be."""
        words = {*self.words, *(("noindex", "nofollow") if "none" in self.words else ())}
        word = next((word for word in sorted(words) if word in respected), "")
        return dropped(STAGE, word, detail=str(self)) if word else None


def rights_of(
    capture: Capture, reading: Reading | None = None, of_host: Reservation | None = None
) -> Rights:
    """Return what header, page and host say; of reservations the nearest to the page counts.

    That is its header, then its meta elements, then the file of its host.
    """
    page = reading or NOTHING
    tagged = ",".join(
        value.lower() for name, value in capture.headers if name.lower() == "x-robots-tag"
    )
    said = {word.strip() for word in f"{tagged},{page.robots}".split(",")}
    words = said & {"noindex", "nofollow", "noarchive", "none", "noai", "nosnippet"}
    reserved, policy = _reservation(capture, page, of_host)
    if reserved:
        words.add("tdm-reservation")
    return Rights(tuple(sorted(words)), page.licence, policy)


def _reservation(capture: Capture, page: Reading, of_host: Reservation | None) -> tuple[bool, str]:
    """Return whether mining is reserved, and where the terms stand."""
    header = capture.header("tdm-reservation").strip()
    if header:
        return header == "1", capture.header("tdm-policy")[:500]
    if page.tdm.strip():
        return page.tdm.strip() == "1", page.tdm_policy[:500]
    return (of_host.is_reserved, of_host.policy) if of_host else (False, "")
