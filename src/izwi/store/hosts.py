"""Hosts: what is remembered of each, and which gatherer has which, by lease.

Who gathers now, and which hosts are whose: by lease, so that who dies gives them back. In a file
one process gathers, and all hosts are its own: nothing of this is written. On a server several
gather. Each asks only hosts that it holds; it says every moment that it lives, and whoever finds
one silent for longer than its lease takes over. What belongs to a host that is held is written in
the holder's transaction, everything else by itself at once.
"""

import json
import os
import socket
import time

from izwi.model.errors import StoreError
from izwi.model.records import dataclass
from izwi.store.database import Database
from izwi.store.leads import Leads


class HostRecords(Database):
    """The table of hosts."""

    _leads: Leads

    def host_id(self, host: str) -> int:
        """Return the number of a host, a new one if need be."""
        return self._leads.host_id(host)

    def robots(self, host: str) -> tuple[str, int, float] | None:
        """Return what a host's robots.txt said: text, status, when."""
        row = self._execute(
            "SELECT robots, robots_status, asked FROM hosts WHERE host = ?", (host,)
        ).fetchone()
        return None if row is None or row[1] is None else (row[0], row[1], row[2])

    def put_robots(self, host: str, text: str, status: int, asked: float) -> None:
        """Remember what a host's robots.txt said."""
        number = self.host_id(host)
        self._sql.of_host(
            host,
            "UPDATE hosts SET robots = ?, robots_status = ?, asked = ? WHERE id = ?",
            (text, status, asked, number),
        )

    def reservations(self, host: str) -> tuple[str, float]:
        """Return what a host's tdmrep.json said, and when it was asked (0: never)."""
        row = self._execute("SELECT tdm, tdm_asked FROM hosts WHERE host = ?", (host,)).fetchone()
        return ("", 0.0) if row is None else (row[0], row[1])

    def put_reservations(self, host: str, text: str, asked: float) -> None:
        """Remember what a host's tdmrep.json said."""
        number = self.host_id(host)
        put = "UPDATE hosts SET tdm = ?, tdm_asked = ? WHERE id = ?"
        self._sql.of_host(host, put, (text, asked, number))

    def pause(self, host: str) -> float:
        """Return until when a host wants to be left alone; 0 if it did not say."""
        row = self._execute("SELECT not_before FROM hosts WHERE host = ?", (host,)).fetchone()
        return 0.0 if row is None else float(row[0])

    def put_pause(self, host: str, until: float) -> None:
        """Remember how long a host wants to be left alone, beyond this run."""
        number = self.host_id(host)
        self._sql.of_host(host, "UPDATE hosts SET not_before = ? WHERE id = ?", (until, number))

    def forms(self, host: str) -> dict[str, str]:
        """Return which forms of URL a host was seen to prefer."""
        row = self._execute("SELECT forms FROM hosts WHERE host = ?", (host,)).fetchone()
        return dict(json.loads(row[0])) if row is not None and row[0] else {}

    def put_forms(self, host: str, forms: dict[str, str]) -> None:
        """Remember which forms of URL a host prefers."""
        number = self.host_id(host)
        put = "UPDATE hosts SET forms = ? WHERE id = ?"
        self._sql.of_host(host, put, (json.dumps(forms), number))


# Longer than a gatherer is ever busy with one page; its hosts rest so long after it died.
LEASE_SECONDS = 30.0

BURY = "DELETE FROM gatherers WHERE until < ?"
GIVE_UP_HOSTS = """
UPDATE hosts SET gatherer = NULL
WHERE gatherer IS NOT NULL AND gatherer NOT IN (SELECT id FROM gatherers)
"""
JOIN = "INSERT INTO gatherers (name, until) VALUES (?, ?) RETURNING id"
BEGUN = "UPDATE gatherers SET has_begun = TRUE WHERE id = ?"
# How many gather, and how many others are still queueing what a run begins with.
LIVING = "SELECT count(*), count(*) FILTER (WHERE NOT has_begun AND id <> ?) FROM gatherers"
RENEW = "UPDATE gatherers SET until = ? WHERE id = ?"
HOLD = "UPDATE hosts SET gatherer = ? WHERE id = ? AND (gatherer IS NULL OR gatherer = ?)"
LET_GO = "UPDATE hosts SET gatherer = NULL WHERE id = ? AND gatherer = ?"
REST = "UPDATE hosts SET not_before = ? WHERE id = ? AND not_before < ?"
# How many hosts have something due, by who holds them.
HOLDINGS = """
SELECT gatherer, count(*) FROM hosts
WHERE not_before <= ?
AND EXISTS (SELECT 1 FROM leads WHERE leads.host = hosts.id AND state = 0 AND due <= ?)
GROUP BY gatherer
"""


@dataclass(frozen=True, slots=True)
class Holdings:
    """Hosts with something due: how many one holds, and how many others do."""

    own: int
    free: int
    others: int
    gatherers: int
    # Others that have not queued yet what they begin with.
    beginning: int = 0

    @property
    def share(self) -> int:
        """How many hosts are one gatherer's fair share."""
        return -(-(self.own + self.free + self.others) // max(1, self.gatherers))


class GathererRecords(Database):
    """The table of gatherers, and the column of hosts that says whose they are."""

    _gatherer: int = 0
    _renewed: float = 0.0

    def __init__(self, *about: object) -> None:
        super().__init__(*about)  # type: ignore[arg-type]
        # Written with the next commit: before that, what was done to the host is not.
        self._letting_go: dict[int, str] = {}
        self._rests: dict[int, float] = {}

    @property
    def is_shared(self) -> bool:
        """Whether others may gather at the same time."""
        return self._sql.is_shared

    def join(self) -> bool:
        """Begin to gather; return whether nobody else does, so that there is much to begin with."""
        self._sql.share()
        if not self._sql.is_shared:
            return True
        self._begin()
        self._execute("LOCK TABLE gatherers IN EXCLUSIVE MODE")
        now = self._sql.clock()
        self._execute(BURY, (now,))
        self._execute(GIVE_UP_HOSTS)
        others = self._execute("SELECT count(*) FROM gatherers").fetchone()[0]
        name = f"{socket.gethostname()} {os.getpid()}"
        self._gatherer = int(self._execute(JOIN, (name, now + LEASE_SECONDS)).fetchone()[0])
        self._execute("COMMIT")
        self._renewed = time.monotonic()
        return not others

    def begin_asking(self) -> None:
        """Say that what this run begins with is queued: whoever waits for it may look."""
        if self._gatherer:
            self._begin()
            self._execute(BEGUN, (self._gatherer,))
            self.commit()

    def leave(self) -> None:
        """End gathering and give all hosts back; what was not committed is gone."""
        if not self._gatherer:
            return
        if self._connection.in_transaction:
            self._execute("ROLLBACK")
        self._begin()
        self._write_rests()
        self._execute("DELETE FROM gatherers WHERE id = ?", (self._gatherer,))
        self._execute(GIVE_UP_HOSTS)
        self._execute("UPDATE shards SET gatherer = NULL WHERE gatherer = ?", (self._gatherer,))
        self._execute("COMMIT")
        self._gatherer = 0

    def stay(self) -> None:
        """Raise StoreError if others may have taken over; before every request."""
        if self._gatherer and time.monotonic() - self._renewed > LEASE_SECONDS / 3:
            self.commit()

    def commit(self) -> None:
        """Make everything since the last commit durable, and say that this gatherer lives."""
        if not self._gatherer:
            super().commit()
            return
        self._begin()
        self._write_rests()
        for number in self._letting_go:
            self._execute(LET_GO, (number, self._gatherer))
        until = self._sql.clock() + LEASE_SECONDS
        if not self._execute(RENEW, (until, self._gatherer)).rowcount:
            raise StoreError(
                f"This gatherer said nothing for {LEASE_SECONDS:.0f} seconds, so that others took "
                "its hosts over; what it had not written yet is asked again. Run it again."
            )
        super().commit()
        self._renewed = time.monotonic()
        self._sql.held.difference_update(self._letting_go.values())
        self._letting_go.clear()

    def hold(self, number: int, host: str) -> bool:
        """Make a host this gatherer's own; return whether it is."""
        if not self._gatherer or self._letting_go.pop(number, None) is not None:
            return True
        row = (self._gatherer, number, self._gatherer)
        if not self._sql.apart(HOLD, row).rowcount:
            return False
        self._sql.held.add(host)
        return True

    def let_go(self, number: int, host: str) -> None:
        """Give a host back, with the next commit."""
        if self._gatherer:
            self._letting_go[number] = host

    def rest(self, number: int, until: float) -> None:
        """Note until when a host rests, for whoever asks it next; with the next commit."""
        if self._gatherer:
            self._rests[number] = until

    def holdings(self, *, due: float, rested: float) -> Holdings:
        """Return who holds how many hosts with something due by then, and rested by then.

        The dead give theirs back first.
        """
        if self._sql.apart(BURY, (self._sql.clock(),)).rowcount:
            self._sql.apart(GIVE_UP_HOSTS)
        rows = self._execute(HOLDINGS, (rested, due)).fetchall()
        held = {row[0]: int(row[1]) for row in rows}
        own, free = held.pop(self._gatherer, 0), held.pop(None, 0)
        gatherers, beginning = self._execute(LIVING, (self._gatherer,)).fetchone()
        return Holdings(own, free, sum(held.values()), int(gatherers), int(beginning))

    def _write_rests(self) -> None:
        for number, until in self._rests.items():
            self._execute(REST, (until, number, until))
        self._rests.clear()
