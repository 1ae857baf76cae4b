"""Leads on disk: some eighty bytes each, found again by a hash of their URL."""

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

import xxhash

from izwi.model.capture import Hints, Lead
from izwi.model.document import Verdict
from izwi.model.records import dataclass
from izwi.model.results import LedgerLine, ReasonCount
from izwi.store.postgresql import Served

if TYPE_CHECKING:
    from izwi.store.database import Statements

LeadState = Literal["waiting", "fetched", "redirected", "dropped", "failed"]
STATES: tuple[LeadState, ...] = ("waiting", "fetched", "redirected", "dropped", "failed")
_NO_HINTS = Hints()
_MOST_RECENT = 50_000

FIND_LEAD = "SELECT lead FROM addresses WHERE hash = ?"
ADD_LEAD = """
INSERT INTO leads (host, is_secure, path, origin, state, due) VALUES (?, ?, ?, ?, 0, ?) RETURNING id
"""
# Another gatherer may have found the same a moment ago.
ADD_ADDRESS = "INSERT INTO addresses VALUES (?, ?) ON CONFLICT DO NOTHING"
ADD_ORIGIN = """
INSERT INTO origins (source, kind, referrer, depth, redirects, found) VALUES (?, ?, ?, ?, ?, ?)
RETURNING id
"""
# A lead that was dropped because nobody wanted it any more may be proposed again.
WAS_ABANDONED = """
SELECT 1 FROM leads JOIN outcomes ON outcomes.lead = leads.id
WHERE leads.id = ? AND state = 3 AND reason = 'source-removed'
"""
# A loose scan: one look into the index per host, however many leads each has. What other
# gatherers hold is theirs.
WAITING_HOSTS = """
SELECT hosts.id, hosts.host, CASE WHEN not_before > first THEN not_before ELSE first END AS due
FROM (
    SELECT id, (SELECT min(due) FROM leads WHERE leads.host = hosts.id AND state = 0) AS first
    FROM hosts WHERE id > ? AND (gatherer IS NULL OR gatherer = ?)
) AS waiting JOIN hosts ON hosts.id = waiting.id
WHERE first IS NOT NULL AND first <= ? ORDER BY hosts.id LIMIT ?
"""
FIRST_DUE = "SELECT min(due) FROM leads WHERE host = ? AND state = 0"
_LEAD_COLUMNS = """
SELECT leads.id, is_secure, hosts.host, path, source, kind, referrer, depth, redirects,
       hints, coalesce(attempts, 0) AS attempts, due
FROM leads JOIN hosts ON hosts.id = leads.host JOIN origins ON origins.id = leads.origin
LEFT JOIN hints ON hints.lead = leads.id LEFT JOIN outcomes ON outcomes.lead = leads.id
"""
# The first waiting leads of a host: the most promising, which are due "before" 1970, then the
# others; those that failed before come after those never asked.
WAITING_LEADS = f"""{_LEAD_COLUMNS}
WHERE leads.host = (SELECT id FROM hosts WHERE host = ?) AND state = 0 AND due <= ?
ORDER BY due, leads.id LIMIT ?
"""
WAKE_REFUSED = """
UPDATE leads SET state = 0, due = 0
WHERE state = 3 AND id IN (SELECT lead FROM outcomes WHERE reason = ?)
"""
_TRAPPED = (
    "reason IN ('trap', 'view', 'variant', 'made-up', 'repeated-path', 'deep-path') AND detail = ?"
)
WAKE_TRAPPED = f"""
UPDATE leads SET state = 0, due = 0
WHERE state = 3 AND id IN (SELECT lead FROM outcomes WHERE {_TRAPPED})
"""
FORGET_TRAPPED = f"DELETE FROM outcomes WHERE {_TRAPPED}"
ONE_LEAD = f"{_LEAD_COLUMNS} WHERE leads.id = ?"
PUT_STATE = "UPDATE leads SET state = ?, due = ? WHERE id = ?"
PUT_OUTCOME = """
INSERT INTO outcomes (lead, attempts, reason, value, threshold, detail, decided)
VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (lead) DO UPDATE SET attempts = outcomes.attempts + excluded.attempts,
    reason = excluded.reason, value = excluded.value, threshold = excluded.threshold,
    detail = excluded.detail, decided = excluded.decided
"""
# A feed is asked again when its time has come: its own rest if it has learnt one.
WAKE_FEED = """
UPDATE leads SET state = 0, due = 0 WHERE id = ? AND state <> 0
AND (SELECT kind FROM origins WHERE origins.id = leads.origin) <> 'page'
AND coalesce((SELECT decided FROM outcomes WHERE lead = leads.id), '') NOT BETWEEN ? AND ?
"""
# The last visit of a page is its capture, or what came instead.
_LAST_VISIT = """
AND (SELECT max(moment) FROM (
        SELECT coalesce((SELECT decided FROM outcomes WHERE lead = leads.id), '') AS moment
        UNION ALL
        SELECT coalesce((SELECT max(time) FROM captures WHERE captures.lead = leads.id), '')
    ) AS moments) NOT BETWEEN ? AND ?
"""
WAKE_FRONT = "UPDATE leads SET state = 0, due = 0 WHERE id = ? AND state <> 0" + _LAST_VISIT
# Feeds and site maps that were asked before: few, and found without reading all leads.
RESTING_LISTS = "SELECT lead FROM visits WHERE rest > 0 AND rest < 1e9"
# Lists that failed in an earlier run: what they hold is not known yet.
WAKE_FAILED_LISTS = """
UPDATE leads SET state = 0, due = 0
WHERE state = 4 AND origin IN (SELECT id FROM origins WHERE kind IN ('list', 'comments'))
"""
RESET_ATTEMPTS = """
UPDATE outcomes SET attempts = 0
WHERE lead IN (SELECT leads.id FROM leads JOIN origins ON origins.id = leads.origin
               WHERE state = 0 AND kind IN ('list', 'comments'))
"""
# Pages of a source whose last visit is long ago.
WAKE_OLD = (
    "UPDATE leads SET state = 0, due = 0 WHERE state = 1"
    " AND origin IN (SELECT id FROM origins WHERE source = ? AND kind = 'page')" + _LAST_VISIT
)
# Leads that wait for a host are few; the index of those that are due later finds them. Those of a
# paused source may be many, and wait on: their names stand between bars.
WAKE_WAITING = """
UPDATE leads SET due = 0 WHERE state = 0 AND due > 0
AND id IN (SELECT lead FROM outcomes WHERE reason = ?)
AND replace(?, (SELECT '|' || source || '|' FROM origins WHERE origins.id = leads.origin), '') = ?
"""
REASONS_BY_SOURCE = """
SELECT source, state, reason, sum(number) FROM tallies
WHERE reason <> '' GROUP BY source, state, reason HAVING sum(number) > 0
"""
# Every lead that brought no document-bearing capture, or none yet; or those asked for.
_LEDGER_COLUMNS = """
SELECT is_secure, hosts.host, path, state, coalesce(reason, '') AS reason, value, threshold,
       coalesce(detail, '') AS detail, source, coalesce(decided, found) AS decided, kind
FROM leads JOIN hosts ON hosts.id = leads.host JOIN origins ON origins.id = leads.origin
"""
# The second condition of a reason is that of the index.
_WISHES = {
    "state": "state = ?", "reason": "reason = ? AND reason <> ''", "source": "source = ?",
    "kind": "kind = ?",
}  # fmt: skip
_NO_LIMIT = 2**62
# The same lines, counted.
LEDGER_COUNTS = """
SELECT state, reason, source, kind, sum(number) FROM tallies
WHERE state <> 1 GROUP BY state, reason, source, kind HAVING sum(number) > 0
"""
# Pages that were named, not found on another page, by host.
SEEDS_BY_HOST = """
SELECT hosts.host, count(*) FROM leads JOIN origins ON origins.id = leads.origin
JOIN hosts ON hosts.id = leads.host
WHERE depth = 0 AND redirects = 0 AND kind = 'page' GROUP BY hosts.host
"""
# Per source: leads, and captures of pages.
SOURCE_COUNTS = """
SELECT source, sum(number),
       coalesce(sum(CASE WHEN state = 1 AND kind = 'page' THEN number END), 0)
FROM tallies GROUP BY source HAVING sum(number) > 0
"""
COUNT_WAITING = "SELECT coalesce(sum(number), 0) FROM tallies WHERE state = 0"
# On a server every change is a row: added up by one at a time, while others add theirs.
ADD_UP = """
WITH turn AS (SELECT pg_try_advisory_xact_lock(7041953) AS is_mine),
gone AS (DELETE FROM tallies USING turn WHERE is_mine RETURNING tallies.*)
INSERT INTO tallies SELECT state, reason, source, kind, sum(number) FROM gone
GROUP BY state, reason, source, kind HAVING sum(number) <> 0
"""


@dataclass(frozen=True, slots=True)
class Queued:
    """A lead with its place in the queue."""

    id: int
    lead: Lead
    host: str
    attempts: int


@dataclass(frozen=True, slots=True)
class WaitingHost:
    """A host that has leads, and from when on."""

    id: int
    host: str
    due: float


class Leads:
    """The leads of a catalog."""

    def __init__(self, sql: "Statements") -> None:
        self._sql = sql
        self._execute, self._rows = sql.execute, sql.rows
        # Kept small: a crawl meets a host, and a page's links share an origin, many times in a row.
        self.host_id = lru_cache(maxsize=10_000)(self._host_id)
        # Hashes met a moment ago: most links of a page are those of the page before.
        self._recent: set[int] = set()

    def add(self, leads: Iterable[Lead]) -> int:
        """Queue the leads that are new and return how many were."""
        origins: dict[tuple[object, ...], int] = {}
        return sum(self._add(lead, origins) for lead in leads)

    def find(self, url: str) -> int | None:
        """Return the number of a known URL."""
        row = self._execute(FIND_LEAD, (url_hash(url),)).fetchone()
        return None if row is None else int(row[0])

    def get(self, number: int) -> Queued:
        """Return a lead by its number."""
        return _queued(self._execute(ONE_LEAD, (number,)).fetchone())

    def waiting_hosts(
        self, *, after: int, until: float, most: int, gatherer: int
    ) -> list[WaitingHost]:
        """Return hosts with leads due by then, in order of their numbers."""
        rows = self._rows(WAITING_HOSTS, (after, gatherer, until, most))
        return [WaitingHost(row[0], row[1], row[2]) for row in rows]

    def first_due(self, host: int) -> float | None:
        """Return when the first waiting lead of a host is due."""
        row = self._execute(FIRST_DUE, (host,)).fetchone()
        return None if row[0] is None else float(row[0])

    def waiting(self, host: str, now: float, *, most: int) -> list[Queued]:
        """Return the host's first due leads, in the order they were found."""
        return [_queued(row) for row in self._rows(WAITING_LEADS, (host, now, most))]

    def settle(self, queued: Queued, state: LeadState, verdict: Verdict) -> None:
        """Write what became of a lead; a page fetched at once has its capture to say so."""
        self._sql.of_host(queued.host, PUT_STATE, (STATES.index(state), 0, queued.id))
        if state == "dropped":
            self._recent.clear()  # another source may want it in this very run
        if state != "fetched" or queued.lead.kind != "page" or queued.attempts or verdict.reason:
            self._put_outcome(queued, verdict)

    def state_of(self, url: str) -> str:
        """Return what became of a URL so far; empty if it is not known."""
        number = self.find(url)
        row = self._execute("SELECT state FROM leads WHERE id = ?", (number,)).fetchone()
        return "" if row is None else STATES[row[0]]

    def wake_waiting(self, reason: str, *, paused: Collection[str]) -> None:
        """Let the leads that wait for this reason be asked at once, but no paused ones."""
        names = "".join(f"|{name}|" for name in sorted(paused))
        self._execute(WAKE_WAITING, (reason, names, names))

    def postpone(self, queued: Queued, due: float, verdict: Verdict, *, attempts: int) -> None:
        """Keep a lead waiting until `due`, with the reason of this attempt's failure."""
        self._sql.of_host(queued.host, PUT_STATE, (0, due, queued.id))
        self._put_outcome(queued, verdict, attempts=attempts)

    def wake_trapped(self, pattern: str) -> None:
        """Queue the leads again that were left out as a trap of this pattern."""
        self._execute(WAKE_TRAPPED, (pattern,))
        self._execute(FORGET_TRAPPED, (pattern,))

    def wake_refused(self, reason: str) -> None:
        """Queue the leads again that were left out for a reason that holds no more."""
        self._execute(WAKE_REFUSED, (reason,))
        self._execute("DELETE FROM outcomes WHERE reason = ?", (reason,))

    def claim(self, lead: Lead) -> None:
        """Make a known lead one of the source that names it."""
        number = self.find(lead.url)
        known = None if number is None else self.get(number).lead
        if known is None or (known.source, known.kind) == (lead.source, lead.kind):
            return
        origin = self._add_origin(replace(known, source=lead.source, kind=lead.kind), {})
        put = "UPDATE leads SET origin = ? WHERE id = ?"
        self._sql.of_host(host_of(lead.url), put, (origin, number))

    def wake(self, url: str, *, last_before: datetime) -> bool:
        """Queue a feed again if it was last asked before that moment."""
        return self._wake(WAKE_FEED, url, last_before)

    def wake_front(self, url: str, *, last_before: datetime) -> bool:
        """Queue a page again if it was last asked before that moment."""
        return self._wake(WAKE_FRONT, url, last_before)

    def _wake(self, sql: str, url: str, last_before: datetime) -> bool:
        number, host = self.find(url), host_of(url)
        woken = self._sql.of_host(host, sql, (number, *_since(last_before))).rowcount
        if woken:
            again = "UPDATE outcomes SET attempts = 0 WHERE lead = ?"
            self._sql.of_host(host, again, (number,))
        return bool(woken)

    def resting_lists(self) -> list[Queued]:
        """Return the feeds and site maps that were asked before."""
        return [self.get(row[0]) for row in list(self._rows(RESTING_LISTS))]

    def wake_failed_lists(self) -> None:
        """Queue the lists again that failed in an earlier run."""
        self._execute(WAKE_FAILED_LISTS)
        self._execute(RESET_ATTEMPTS)

    def wake_put_off(self, until: float) -> None:
        """Let leads and hosts that wait for longer than until then be asked at once."""
        self._execute("UPDATE leads SET due = 0 WHERE state = 0 AND due > ?", (until,))
        self._execute("UPDATE hosts SET not_before = 0 WHERE not_before > ?", (until,))

    def wake_old(self, source: str, *, last_before: datetime) -> int:
        """Queue the pages of a source again that were last asked before that moment."""
        return self._execute(WAKE_OLD, (source, *_since(last_before))).rowcount

    def revisit(self, queued: Queued) -> None:
        """Queue a settled page again."""
        again = "UPDATE leads SET state = 0, due = 0 WHERE id = ? AND state = 1"
        self._sql.of_host(queued.host, again, (queued.id,))

    def ledger_lines(
        self, *, outcome: str = "", reason: str = "", source: str = "", kind: str = "",
        first: int = 0, most: int = _NO_LIMIT,
    ) -> Iterator[LedgerLine]:  # fmt: skip
        """Yield a line for every lead that has no capture to speak for it, or a page of those."""
        state = STATES.index(outcome) if outcome in STATES else ""
        given = {"state": state, "reason": reason, "source": source, "kind": kind}
        wishes = {name: value for name, value in given.items() if value != ""}
        # Few leads have a certain reason: they are found by it, in the order of its index.
        outcomes, order = ("JOIN", "outcomes.lead") if reason else ("LEFT JOIN", "leads.id")
        where = " AND ".join(["state <> 1", *(_WISHES[name] for name in wishes)])
        asked = f"{_LEDGER_COLUMNS}{outcomes} outcomes ON outcomes.lead = leads.id WHERE {where}"
        asked += f" ORDER BY {order} LIMIT ? OFFSET ?"
        for row in self._rows(asked, (*wishes.values(), most, first)):
            yield LedgerLine(
                _url(row), STATES[row["state"]], "fetch", row["reason"], row["value"],
                row["threshold"], row["detail"], row["source"], row["decided"],
                kind=row["kind"],
            )  # fmt: skip

    def ledger_counts(self) -> dict[tuple[str, str, str, str, str], int]:
        """Return how many lines there are by outcome, stage, reason, source and kind."""
        rows = self._rows(LEDGER_COUNTS)
        return {(STATES[row[0]], "fetch", row[1], row[2], row[3]): row[4] for row in rows}

    def reasons_by_source(self) -> list[tuple[str, ReasonCount]]:
        """Return how many leads of each source have a reason, by their state."""
        rows = self._rows(REASONS_BY_SOURCE)
        return [(row[0], ReasonCount(STATES[row[1]], "fetch", row[2], row[3])) for row in rows]

    def source_counts(self) -> dict[str, tuple[int, int]]:
        """Return, by source, its leads and its fetched pages."""
        return {row[0]: (row[1], row[2]) for row in self._rows(SOURCE_COUNTS)}

    def seeds_by_host(self) -> dict[str, int]:
        """Return how many seeds each host has."""
        return {row[0]: row[1] for row in self._rows(SEEDS_BY_HOST)}

    def count_waiting(self) -> int:
        """Return how many leads wait."""
        return int(self._execute(COUNT_WAITING).fetchone()[0])

    def add_up(self) -> None:
        """Add up what is kept of counts, where every change is kept apart."""
        if isinstance(self._sql.connection, Served):
            self._execute(ADD_UP)

    def _add(self, lead: Lead, origins: dict[tuple[object, ...], int]) -> int:
        address = url_hash(lead.url)
        if address in self._recent:
            return 0
        if len(self._recent) >= _MOST_RECENT:
            self._recent.clear()
        self._recent.add(address)
        row = self._execute(FIND_LEAD, (address,)).fetchone()
        return self._add_again(row[0], lead) if row else self._add_new(lead, address, origins)

    def _add_new(self, lead: Lead, address: int, origins: dict[tuple[object, ...], int]) -> int:
        scheme, host, path = split_url(lead.url)
        origin = self._add_origin(lead, origins)
        row = (self.host_id(host), int(scheme == "https"), path, origin, -lead.promise)
        with self._sql.together():
            added = self._sql.apart(ADD_LEAD, row).fetchone()[0]
            if not self._sql.apart(ADD_ADDRESS, (address, added)).rowcount:
                raise LookupError(lead.url)  # another gatherer was quicker
            if lead.hints != _NO_HINTS:
                text = json.dumps({k: v for k, v in asdict(lead.hints).items() if v})
                self._sql.apart("INSERT INTO hints VALUES (?, ?)", (added, text))
            return 1
        return 0

    def _add_again(self, number: int, lead: Lead) -> int:
        if self._execute(WAS_ABANDONED, (number,)).fetchone() is None:
            return 0
        host, origin = host_of(lead.url), self._add_origin(lead, {})
        again = "UPDATE leads SET origin = ?, state = 0, due = 0 WHERE id = ?"
        self._sql.of_host(host, again, (origin, number))
        self._sql.of_host(host, "DELETE FROM outcomes WHERE lead = ?", (number,))
        return 1

    def _add_origin(self, lead: Lead, known: dict[tuple[object, ...], int]) -> int:
        facts = (lead.source, lead.kind, lead.referrer, lead.depth, lead.redirects)
        if facts not in known:
            known[facts] = int(self._sql.apart(ADD_ORIGIN, (*facts, now_text())).fetchone()[0])
        return known[facts]

    def _host_id(self, host: str) -> int:
        asked = "SELECT id FROM hosts WHERE host = ?"
        row = self._execute(asked, (host,)).fetchone()
        if row is None:
            self._sql.apart("INSERT INTO hosts (host) VALUES (?) ON CONFLICT DO NOTHING", (host,))
            row = self._execute(asked, (host,)).fetchone()
        return int(row[0])

    def _put_outcome(self, queued: Queued, verdict: Verdict, *, attempts: int = 1) -> None:
        # Servers send bytes that are no text; databases take only what is.
        detail = verdict.detail.encode("utf-8", "replace").decode()
        facts = (verdict.reason, verdict.value, verdict.threshold, detail)
        row = (queued.id, attempts, *facts, now_text())
        self._sql.of_host(queued.host, PUT_OUTCOME, row)


def host_of(url: str) -> str:
    """Return host and port, the unit of politeness."""
    return urlsplit(url).netloc.lower()


def split_url(url: str) -> tuple[str, str, str]:
    """Return scheme, host with port, and the rest of an absolute URL.

    >>> split_url("https://Example.org:8080/a?b")
    ('https', 'example.org:8080', '/a?b')
    """
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    return scheme.lower(), host.lower(), slash + path


def url_hash(url: str) -> int:
    """Return the 63 bits under which a URL is known: of ten million, one in 200,000 such crawls
    takes two for one."""
    return xxhash.xxh3_64_intdigest(url.encode()) >> 1


def _since(moment: datetime) -> tuple[str, str]:
    """Return the time after a moment, until tomorrow: what is later a wrong clock has dated."""
    return moment.isoformat(), (datetime.now(UTC) + timedelta(days=1)).isoformat()


def now_text() -> str:
    """Return this moment as the catalog writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _url(row: Any) -> str:
    return f"{'https' if row['is_secure'] else 'http'}://{row['host']}{row['path']}"


def _queued(row: Any) -> Queued:
    hints = Hints(**json.loads(row["hints"])) if row["hints"] else _NO_HINTS
    lead = Lead(
        _url(row), row["source"], row["kind"], row["referrer"], row["depth"], row["redirects"],
        hints, max(0.0, -row["due"]),
    )  # fmt: skip
    return Queued(row["id"], lead, row["host"], row["attempts"])
