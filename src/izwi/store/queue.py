"""The queue of leads: what waits, what became of each; hosts, and which gatherer has which.

Links that were never queued, because they belong to a trap, are counted by pattern, not one by one:
a trap has no end of links, and a line for each would be a trap of its own.

Who gathers now, and which hosts are whose, is told by lease, so that who dies gives them back. In a
file one process gathers, and all hosts are its own: nothing of this is written. On a server several
gather. Each asks only hosts that it holds; it says every moment that it lives, and whoever finds
one silent for longer than its lease takes over. What belongs to a host that is held is written in
the holder's transaction, everything else by itself at once.
"""

import json
import os
import socket
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta

from izwi.model.capture import Lead
from izwi.model.document import Verdict
from izwi.model.errors import StoreError
from izwi.model.records import dataclass
from izwi.model.results import LedgerLine, ReasonCount
from izwi.store.database import Database, Statements
from izwi.store.leads import Leads, LeadState, Queued, WaitingHost, now_text

ADD_REFUSALS = """
INSERT INTO refusals (pattern, reason, source, links, threshold, decided)
VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (pattern, reason, source) DO UPDATE
SET links = refusals.links + excluded.links, threshold = excluded.threshold,
    decided = excluded.decided
"""
ALL_REFUSALS = """
SELECT pattern, reason, source, links, threshold, decided FROM refusals
ORDER BY pattern, reason, source
"""
# An index takes no longer texts everywhere.
_LONGEST_PATTERN = 1_000


class Refusals:
    """The counts of one catalog."""

    def __init__(self, sql: Statements) -> None:
        self._sql = sql

    def add(self, pattern: str, verdict: Verdict, *, source: str, links: int, now: str) -> None:
        """Count links of a pattern that were refused for one reason."""
        row = (pattern[:_LONGEST_PATTERN], verdict.reason, source, links, verdict.threshold, now)
        self._sql.apart(ADD_REFUSALS, row)

    def forget(self, pattern: str) -> int:
        """Forget that links of a pattern were refused; return for how many reasons and sources."""
        asked = "DELETE FROM refusals WHERE pattern = ?"
        return self._sql.apart(asked, (pattern[:_LONGEST_PATTERN],)).rowcount

    def ledger_counts(self) -> dict[tuple[str, str, str, str, str], int]:
        """Return how many patterns there are by outcome, stage, reason, source and kind."""
        asked = "SELECT reason, source, count(*) FROM refusals GROUP BY reason, source"
        rows = self._sql.rows(asked)
        return {("dropped", "fetch", row[0], row[1], "pattern"): row[2] for row in rows}

    def ledger_lines(self) -> Iterator[LedgerLine]:
        """Yield a line for every pattern: its value is the number of links."""
        for row in self._sql.rows(ALL_REFUSALS):
            yield LedgerLine(
                row["pattern"], "dropped", "fetch", row["reason"], row["links"], row["threshold"],
                detail="links of this pattern, not queued", source=row["source"],
                time=row["decided"], kind="pattern",
            )  # fmt: skip


PUT_VISIT = """
INSERT INTO visits VALUES (?, ?, ?, ?) ON CONFLICT (lead) DO UPDATE
SET etag = excluded.etag, modified = excluded.modified, rest = excluded.rest
"""
PUT_CREDIT = """
INSERT INTO patterns VALUES (?, ?) ON CONFLICT (hash) DO UPDATE SET credit = excluded.credit
"""
ADD_FACTS = """
INSERT INTO facts (hashes, until) VALUES (?, (SELECT coalesce(max(until), 0) FROM facts) + ?)
"""
FORGET_FACTS = "DELETE FROM facts WHERE until <= (SELECT max(until) FROM facts) - ?"


@dataclass(frozen=True, slots=True)
class Visit:
    """What a server said of a page that lets it say later: not modified."""

    etag: str = ""
    modified: str = ""
    # Seconds until a feed is asked again, learnt from how often it publishes; 0 if not yet.
    rest: float = 0.0


class LeadRecords(Database):
    """The tables of leads, visits, patterns and refusals."""

    _leads: Leads
    _refusals: Refusals
    # The number of this gatherer, where there are several.
    _gatherer: int = 0

    def add_leads(self, leads: Iterable[Lead]) -> int:
        """Queue the leads that are new and return how many were."""
        return self._leads.add(leads)

    def find_lead(self, url: str) -> Queued | None:
        """Return the lead of a URL, if it is known."""
        number = self._leads.find(url)
        return None if number is None else self._leads.get(number)

    def waiting_hosts(
        self, *, after: int = 0, until: float = 1e12, most: int = 1_000_000_000
    ) -> list[WaitingHost]:
        """Return hosts with leads due by then, in the order they were met, but no others' own."""
        return self._leads.waiting_hosts(
            after=after, until=until, most=most, gatherer=self._gatherer
        )

    def first_due(self, host: int) -> float | None:
        """Return when the first waiting lead of a host is due."""
        return self._leads.first_due(host)

    def waiting_leads(self, host: str, now: float, *, most: int) -> list[Queued]:
        """Return the host's first due leads, in the order they were found."""
        return self._leads.waiting(host, now, most=most)

    def settle(self, queued: Queued, state: LeadState, verdict: Verdict) -> None:
        """Write what became of a lead."""
        self._leads.settle(queued, state, verdict)

    def state_of(self, url: str) -> str:
        """Return what became of a URL so far; empty if it is not known."""
        return self._leads.state_of(url)

    def wake_waiting(self, reasons: Sequence[str], *, paused: Collection[str] = ()) -> None:
        """Let the leads that wait for one of these reasons be asked at once, but no paused ones."""
        self._begin()
        for reason in reasons:
            self._leads.wake_waiting(reason, paused=paused)

    def postpone(self, queued: Queued, due: float, verdict: Verdict, *, attempts: int = 1) -> None:
        """Keep a lead waiting until `due`, with the reason of this attempt's failure."""
        self._leads.postpone(queued, due, verdict, attempts=attempts)

    def wake_refused(self, reason: str) -> None:
        """Queue what was left out for a reason that holds no more."""
        self._begin()
        self._leads.wake_refused(reason)

    def open_pattern(self, pattern: str) -> bool:
        """Queue what was left out as a trap of a pattern; return whether links were not queued."""
        self._begin()
        self._leads.wake_trapped(pattern)
        return bool(self._refusals.forget(pattern))

    def claim(self, lead: Lead) -> None:
        """Make a known lead one of the source that names it."""
        self._leads.claim(lead)

    def wake_feed(self, url: str, *, last_before: datetime) -> bool:
        """Queue a feed again if it was last asked before that moment."""
        return self._leads.wake(url, last_before=last_before)

    def wake_front(self, url: str, *, last_before: datetime) -> bool:
        """Queue the front of a crawl again if it was last asked before that moment."""
        return self._leads.wake_front(url, last_before=last_before)

    def resting_lists(self) -> list[Queued]:
        """Return the feeds and site maps that were asked before."""
        return self._leads.resting_lists()

    def wake_failed_lists(self) -> None:
        """Queue the lists again that failed in an earlier run."""
        self._begin()
        self._leads.wake_failed_lists()

    def wake_put_off(self) -> None:
        """Let go what a clock that was ahead has put off, if there was a run by such a clock."""
        now = datetime.now(UTC)
        later = (now + timedelta(days=1)).isoformat()
        if self._execute("SELECT 1 FROM runs WHERE started > ?", (later,)).fetchone():
            self._begin()
            self._leads.wake_put_off((now + timedelta(days=7)).timestamp())

    def wake_old(self, source: str, *, last_before: datetime) -> int:
        """Queue the pages of a source again that were last asked before that moment."""
        self._begin()
        return self._leads.wake_old(source, last_before=last_before)

    def revisit(self, queued: Queued) -> None:
        """Queue a fetched page again."""
        self._leads.revisit(queued)

    def seeds_by_host(self) -> dict[str, int]:
        """Return how many seeds each host has."""
        return self._leads.seeds_by_host()

    def refuse(self, pattern: str, verdict: Verdict, *, source: str, links: int) -> None:
        """Count links that were not even queued, by the pattern they belong to."""
        self._refusals.add(pattern, verdict, source=source, links=links, now=now_text())

    def ledger_lines(self) -> Iterator[LedgerLine]:
        """Yield a line for every lead without a capture, and for every pattern refused unseen."""
        yield from self._leads.ledger_lines()
        yield from self._refusals.ledger_lines()

    def page_of_leads(
        self, *, outcome: str, reason: str, source: str, first: int, most: int, kind: str = ""
    ) -> Iterator[LedgerLine]:
        """Yield some of the lines of leads; empty fields ask for all."""
        asked = {"outcome": outcome, "reason": reason, "source": source, "kind": kind}
        return self._leads.ledger_lines(**asked, first=first, most=most)

    def ledger_counts(self) -> dict[tuple[str, str, str, str, str], int]:
        """Return how many lines leads have by outcome, stage, reason, source and kind."""
        return self._leads.ledger_counts()

    def refusal_counts(self) -> dict[tuple[str, str, str, str, str], int]:
        """Return how many lines patterns have that were refused unseen, in the same way."""
        return self._refusals.ledger_counts()

    def refusal_lines(self) -> Iterator[LedgerLine]:
        """Yield a line for every pattern that was refused unseen."""
        return self._refusals.ledger_lines()

    def reasons_by_source(self) -> list[tuple[str, ReasonCount]]:
        """Return how many leads of each source have a reason, by their state."""
        return self._leads.reasons_by_source()

    def source_counts(self) -> dict[str, tuple[int, int]]:
        """Return, by source, its leads and its fetched pages."""
        return self._leads.source_counts()

    def visit(self, queued: Queued) -> Visit:
        """Return what was learnt when a lead was last asked."""
        row = self._execute(
            "SELECT etag, modified, rest FROM visits WHERE lead = ?", (queued.id,)
        ).fetchone()
        return Visit() if row is None else Visit(*row)

    def put_visit(self, queued: Queued, visit: Visit) -> None:
        """Remember what lets a server say that nothing changed."""
        row = (queued.id, visit.etag, visit.modified, visit.rest)
        self._sql.of_host(queued.host, PUT_VISIT, row)

    def credit(self, pattern: int) -> int | None:
        """Return what a pattern of URLs has left, None if it was not met yet."""
        row = self._execute("SELECT credit FROM patterns WHERE hash = ?", (pattern,)).fetchone()
        return None if row is None else int(row[0])

    def put_credit(self, pattern: int, credit: int) -> None:
        """Remember what a pattern of URLs has left."""
        self._sql.apart(PUT_CREDIT, (pattern, credit))

    def facts(self) -> Iterator[bytes]:
        """Yield what pages brought, the oldest first, as it was added."""
        for row in self._execute("SELECT hashes FROM facts ORDER BY id"):
            yield row[0]

    def add_facts(self, hashes: bytes, *, most: int) -> None:
        """Remember what a page brought; the oldest beyond so many bytes are forgotten."""
        self._sql.apart(ADD_FACTS, (hashes, len(hashes)))
        self._sql.apart(FORGET_FACTS, (most,))


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
