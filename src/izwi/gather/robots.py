"""What a host's robots.txt allows, as RFC 9309 reads it."""

import time
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlsplit

import aiohttp
from protego import Protego

from izwi.gather.fetch import Limits, Redirected, Refused, fetch_beginning
from izwi.gather.urls import canonical
from izwi.model.capture import Lead
from izwi.model.document import Verdict
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
