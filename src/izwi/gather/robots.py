"""What a host's robots.txt allows, as RFC 9309 reads it."""

from dataclasses import dataclass
from functools import cached_property

from protego import Protego

# RFC 9309, section 2.4: not longer than a day.
KEPT_SECONDS = 86400.0
LARGEST = 512 * 1024


@dataclass
class Robots:
    """A host's rules: `status` is the answer's, 0 if there was none."""

    text: str
    status: int
    asked: float

    @property
    def is_unreachable(self) -> bool:
        """Whether the host must be left alone because its rules cannot be had."""
        return self.status == 0 or self.status >= 500

    def is_fresh(self, now: float) -> bool:
        """Whether the answer may still be used; after a failure only for a quarter of an hour."""
        return now - self.asked < (900.0 if self.is_unreachable else KEPT_SECONDS)

    def failed_before(self, moment: float) -> bool:
        """Whether this is a failure of an earlier run, worth another try."""
        return self.is_unreachable and self.asked < moment

    def allows(self, url: str, agent: str) -> bool:
        """Whether an agent may fetch a URL."""
        return bool(self._rules.can_fetch(url, agent))

    def delay(self, agent: str) -> float:
        """Return the seconds the host wants between requests, 0 if it does not say."""
        return float(self._rules.crawl_delay(agent) or 0.0)

    @cached_property
    def _rules(self) -> Protego:
        return Protego.parse(self.text.removeprefix("\ufeff") if self.status == 200 else "")
