"""The rules of hosts: what their robots.txt forbids and their tdmrep.json reserves."""

import time
from dataclasses import dataclass, field

import aiohttp

from izwi.gather.fetch import Limits
from izwi.gather.robots import Robots, ask_robots
from izwi.gather.tdmrep import Reservations, ask_reservations
from izwi.store.catalog import Catalog
from izwi.store.leads import Queued

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
