"""Which lead next, per host, and when. Decides; asks no network."""

from collections import deque
from dataclasses import dataclass, field

from izwi.store.catalog import Catalog, Queued

# Leads held in memory per host; the rest wait in the catalog.
_BATCH = 100
# A run does not wait longer than this for leads that are due later.
PATIENCE = 10.0
# Nor longer than this for a host, unless the user wants it so.
LONGEST_PAUSE = 300.0
# After so many failures in a row a host rests until the next run.
TOLERATED_FAILURES = 5


@dataclass(slots=True)
class _Host:
    queue: deque[Queued] = field(default_factory=deque)
    next_at: float = 0.0
    is_busy: bool = False
    failures: int = 0
    is_exhausted: bool = False


@dataclass(slots=True)
class Frontier:
    """The queues of all hosts; one request at a time each, spaced by the host's delay."""

    catalog: Catalog
    # A host that wants a longer pause rests until the next run; its robots.txt may ask for a year.
    longest_pause: float = LONGEST_PAUSE
    hosts: dict[str, _Host] = field(default_factory=dict)
    in_flight: set[int] = field(default_factory=set)

    def refresh(self, now: float) -> None:
        """Take note of hosts that have leads waiting."""
        for host, due in self.catalog.waiting_hosts().items():
            if due <= now + PATIENCE:
                self.hosts.setdefault(host, _Host()).is_exhausted = False

    def next(self, now: float) -> Queued | None:
        """Return a lead that may be asked now and mark its host busy."""
        for name, host in self.hosts.items():
            if host.is_busy or host.next_at > now or self._is_given_up(host):
                continue
            queued = self._pop(name, host, now)
            if queued is not None:
                host.is_busy = True
                # To the end of the line, so that every host gets its turn.
                self.hosts[name] = self.hosts.pop(name)
                self.in_flight.add(queued.id)
                return queued
        return None

    def done(self, queued: Queued, *, now: float, delay: float, is_failure: bool) -> None:
        """Free a host after an exchange."""
        host = self.hosts[queued.host]
        host.is_busy = False
        host.next_at = now + delay
        host.failures = host.failures + 1 if is_failure else 0
        self.in_flight.discard(queued.id)

    def found(self, hosts: set[str]) -> None:
        """Take note of hosts for which new leads were queued."""
        for name in hosts:
            self.hosts.setdefault(name, _Host()).is_exhausted = False

    def wait(self, now: float) -> float | None:
        """Return the seconds until a lead may be ready, None if none will be in this run."""
        moments = [
            host.next_at
            for host in self.hosts.values()
            if not (host.is_busy or host.is_exhausted or self._is_given_up(host))
            and host.next_at <= now + self.longest_pause
        ]
        later = [
            due
            for name, due in self.catalog.waiting_hosts().items()
            if self._may_wake(name, due, now)
        ]
        return max(0.0, min([*moments, *later]) - now) if moments or later else None

    def given_up(self) -> list[str]:
        """Return the hosts that failed too often in this run."""
        return [name for name, host in self.hosts.items() if self._is_given_up(host)]

    def resting(self, now: float) -> list[str]:
        """Return the hosts with leads that want a longer pause than this run waits."""
        waiting = self.catalog.waiting_hosts()
        return [
            name
            for name, host in self.hosts.items()
            if name in waiting and host.next_at > now + self.longest_pause
        ]

    def _may_wake(self, name: str, due: float, now: float) -> bool:
        host = self.hosts.get(name)
        if host is None or not host.is_exhausted or self._is_given_up(host) or host.is_busy:
            return False
        if due <= now + PATIENCE:
            host.is_exhausted = False
            host.next_at = max(host.next_at, due)
            return True
        return False

    def _is_given_up(self, host: _Host) -> bool:
        return host.failures >= TOLERATED_FAILURES

    def _pop(self, name: str, host: _Host, now: float) -> Queued | None:
        if not host.queue:
            waiting = self.catalog.waiting_leads(name, now, most=_BATCH)
            host.queue.extend(queued for queued in waiting if queued.id not in self.in_flight)
        if not host.queue:
            host.is_exhausted = True
            return None
        return host.queue.popleft()
