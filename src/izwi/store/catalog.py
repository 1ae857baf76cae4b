"""The queue of leads and the ledger of what became of them, in SQLite.

One process writes (it holds the corpus lock); any number read. Everything between two calls of
`commit` is one transaction, so a kill leaves either all of it or nothing.
"""

import errno
import json
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Literal, Self
from urllib.parse import urlsplit

from izwi.model.capture import CaptureEntry, Hints, Lead
from izwi.model.document import KEPT, Verdict
from izwi.model.errors import StoreError, environment_error
from izwi.model.results import LedgerLine, ReasonCount, ShardReport
from izwi.store.migrations import MIGRATIONS, migrate, schema_version

LeadState = Literal["waiting", "fetched", "redirected", "dropped", "failed"]

# A lead is remembered under its canonical URL: proposing it again changes nothing, unless it was
# dropped because nobody wanted it any more.
ADD_LEAD = """
INSERT INTO leads (url, host, source, kind, referrer, depth, redirects, hints, found,
                   state, due, attempts, reason, detail, decided)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting', 0, 0, '', '', ?)
ON CONFLICT (url) DO UPDATE
SET source = excluded.source, kind = excluded.kind, referrer = excluded.referrer,
    depth = excluded.depth, redirects = excluded.redirects, hints = excluded.hints,
    state = 'waiting', due = 0, attempts = 0, reason = '', detail = '', decided = excluded.decided
WHERE state = 'dropped' AND reason = 'source-removed'
"""
# What corpus.toml names belongs to the source that names it, whoever found it before.
CLAIM_LEAD = "UPDATE leads SET source = ?, kind = ? WHERE url = ?"
# One step of the index per host, where GROUP BY would read the whole queue (0.4 against 200 ms
# with 100,000 leads).
WAITING_HOSTS = """
WITH RECURSIVE hosts_waiting (host) AS (
    SELECT (SELECT host FROM leads INDEXED BY leads_waiting
            WHERE state = 'waiting' ORDER BY host LIMIT 1)
    UNION ALL
    SELECT (SELECT host FROM leads INDEXED BY leads_waiting
            WHERE state = 'waiting' AND host > hosts_waiting.host ORDER BY host LIMIT 1)
    FROM hosts_waiting WHERE hosts_waiting.host IS NOT NULL
)
SELECT host, (SELECT min(due) FROM leads INDEXED BY leads_waiting
              WHERE state = 'waiting' AND leads.host = hosts_waiting.host)
FROM hosts_waiting WHERE host IS NOT NULL
"""
# The first waiting leads of a host, oldest first.
WAITING_LEADS = """
SELECT * FROM leads WHERE state = 'waiting' AND host = ? AND due <= ? ORDER BY id LIMIT ?
"""
SETTLE_LEAD = """
UPDATE leads SET state = ?, reason = ?, value = ?, threshold = ?, detail = ?, decided = ?,
                 attempts = attempts + 1
WHERE id = ?
"""
POSTPONE_LEAD = """
UPDATE leads SET due = ?, reason = ?, value = ?, threshold = ?, detail = ?, decided = ?,
                 attempts = attempts + ?
WHERE id = ?
"""
# A feed is asked again when its time has come.
WAKE_FEED = """
UPDATE leads SET state = 'waiting', due = 0, attempts = 0
WHERE url = ? AND kind = 'feed' AND state <> 'waiting' AND decided <= ?
"""
ADD_CAPTURE = """
INSERT INTO captures
    (lead, url, time, status, media_type, digest, kind, source, shard, "offset", length)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
CAPTURES_OF_SHARD = """
SELECT url, time, status, media_type, digest, kind, source, "offset", length
FROM captures WHERE shard = ? ORDER BY "offset"
"""
LEDGER_COUNTS = """
SELECT state, reason, count(*) FROM leads WHERE (? = '' OR source = ?) GROUP BY state, reason
"""
# Every lead that brought no document-bearing capture, or none yet.
LEDGER_LINES = """
SELECT url, state, reason, value, threshold, detail, source, decided, found, kind FROM leads
WHERE state <> 'fetched' ORDER BY id
"""
# Per source: leads, and captures of pages.
SOURCE_COUNTS = """
SELECT source, count(*), sum(state = 'fetched' AND kind = 'page') FROM leads GROUP BY source
"""
PUT_REPORT = """
INSERT OR REPLACE INTO artefacts
    (layer, fingerprint, shard, rows, kept, dropped, failed, tokens, seconds, error, damage)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
FAILED_SHARDS = (
    "SELECT shard, error FROM artefacts WHERE layer = ? AND fingerprint = ? AND error <> ''"
)

# A shard made anew from another raw file has a row of its own under this name of a layer.
_RENEWED = "renewed"
RENEW_SHARD = """
INSERT OR REPLACE INTO artefacts
    (layer, fingerprint, shard, rows, kept, dropped, failed, tokens, seconds, error, damage)
VALUES (?, '', ?, 0, 0, 0, 0, 0, 0, '', '')
"""
RENEWED_SHARDS = "SELECT shard FROM artefacts WHERE layer = ?"
DAMAGED_SHARDS = (
    "SELECT shard, damage FROM artefacts WHERE layer = ? AND fingerprint = ? AND damage <> ''"
)


@dataclass(frozen=True, slots=True)
class Queued:
    """A lead with its place in the queue."""

    id: int
    lead: Lead
    host: str
    attempts: int


@dataclass(frozen=True, slots=True)
class ShardState:
    """How much of a WARC file is committed, and whether it is sealed."""

    name: str
    is_sealed: bool
    committed: int
    content: int


class Catalog:
    """An open catalog; use `Catalog.write` under the corpus lock, `Catalog.read` anywhere."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        connection.row_factory = sqlite3.Row
        self._connection = connection
        self._path = path

    @classmethod
    def write(cls, path: Path) -> Self:
        """Open for writing: make or migrate the file first."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with ExitStack() as on_failure:
                connection = sqlite3.connect(path, isolation_level=None)
                on_failure.callback(connection.close)
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
                migrate(connection)
                on_failure.pop_all()
        except (sqlite3.Error, OSError) as error:
            raise _store_error(error, path) from error
        return cls(connection, path)

    @classmethod
    def read(cls, path: Path) -> Self:
        """Open for reading only; an absent catalog reads as an empty one."""
        try:
            with ExitStack() as on_failure:
                if not path.exists():
                    connection = sqlite3.connect(":memory:", isolation_level=None)
                    migrate(connection)
                else:
                    connection = _connect_read_only(path)
                    on_failure.callback(connection.close)
                    if schema_version(connection) != len(MIGRATIONS):
                        raise StoreError(
                            f"{path} is of another version; run: izwi build {path.parent}"
                        )
                on_failure.pop_all()
        except sqlite3.Error as error:
            raise _store_error(error, path) from error
        return cls(connection, path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close; what was not committed is gone."""
        self._connection.close()

    def commit(self) -> None:
        """Make everything since the last commit durable, at once."""
        if self._connection.in_transaction:
            self._execute("COMMIT")

    def add_leads(self, leads: Iterable[Lead]) -> int:
        """Queue the leads that are new and return how many were."""
        self._begin()
        now = _now()
        rows = ((*_lead_row(lead), now, now) for lead in leads)
        return sum(self._execute(ADD_LEAD, row).rowcount for row in rows)

    def waiting_hosts(self) -> dict[str, float]:
        """Return the hosts with waiting leads and the moment the first of each is due."""
        return {row[0]: row[1] for row in self._execute(WAITING_HOSTS)}

    def waiting_leads(self, host: str, now: float, *, most: int) -> list[Queued]:
        """Return the host's first due leads, in the order they were found."""
        return [_queued(row) for row in self._execute(WAITING_LEADS, (host, now, most))]

    def settle(self, queued: Queued, state: LeadState, verdict: Verdict) -> None:
        """Write what became of a lead."""
        self._begin()
        self._execute(SETTLE_LEAD, (state, *_verdict_row(verdict), _now(), queued.id))

    def state_of(self, url: str) -> str:
        """Return what became of a URL so far; empty if it is not known."""
        row = self._execute("SELECT state FROM leads WHERE url = ?", (url,)).fetchone()
        return "" if row is None else str(row[0])

    def wake_waiting(self, reasons: Sequence[str]) -> None:
        """Let the leads that wait for one of these reasons be asked at once."""
        self._begin()
        for reason in reasons:
            self._execute(
                "UPDATE leads SET due = 0 WHERE state = 'waiting' AND reason = ?", (reason,)
            )

    def postpone(self, queued: Queued, due: float, verdict: Verdict, *, attempts: int = 1) -> None:
        """Keep a lead waiting until `due`, with the reason of this attempt's failure."""
        self._begin()
        self._execute(POSTPONE_LEAD, (due, *_verdict_row(verdict), _now(), attempts, queued.id))

    def claim(self, lead: Lead) -> None:
        """Make a known lead one of the source that names it."""
        self._begin()
        self._execute(CLAIM_LEAD, (lead.source, lead.kind, lead.url))

    def wake_feed(self, url: str, *, last_before: datetime) -> None:
        """Queue a feed again if it was last asked before that moment."""
        self._begin()
        self._execute(WAKE_FEED, (url, last_before.isoformat()))

    def add_capture(self, queued: Queued, shard: str, entry: CaptureEntry) -> None:
        """Write where a capture lies."""
        self._begin()
        place = (shard, entry.offset, entry.length)
        what = (entry.status, entry.media_type, entry.digest, entry.kind, entry.source)
        self._execute(ADD_CAPTURE, (queued.id, entry.url, entry.time.isoformat(), *what, *place))

    def captures(self, shard: str) -> Iterator[CaptureEntry]:
        """Yield the captures of a shard in file order."""
        for row in self._execute(CAPTURES_OF_SHARD, (shard,)):
            yield CaptureEntry(**dict(row) | {"time": datetime.fromisoformat(row["time"])})

    def shards(self) -> list[ShardState]:
        """Return all WARC files, in corpus order."""
        rows = self._execute("SELECT name, state, committed, content FROM shards ORDER BY name")
        return [ShardState(row[0], row[1] == "sealed", row[2], row[3]) for row in rows]

    def put_shard(self, shard: ShardState) -> None:
        """Write how much of a WARC file is committed, and whether it is sealed."""
        self._begin()
        state = "sealed" if shard.is_sealed else "open"
        row = (shard.name, state, shard.committed, shard.content)
        self._execute(
            "INSERT OR REPLACE INTO shards (name, state, committed, content) VALUES (?, ?, ?, ?)",
            row,
        )

    def forget_shard(self, name: str) -> None:
        """Forget a WARC file in which nothing was ever committed."""
        self._begin()
        self._execute("DELETE FROM shards WHERE name = ?", (name,))

    def adopt(self, shard: ShardState, entries: Iterable[CaptureEntry]) -> None:
        """Take in a sealed file the catalog did not know, with a settled lead per capture."""
        self.put_shard(shard)
        for entry in entries:
            self.add_leads([Lead(entry.url, entry.source, entry.kind)])
            row = self._execute("SELECT * FROM leads WHERE url = ?", (entry.url,)).fetchone()
            queued = _queued(row)
            self.settle(queued, "fetched", KEPT)
            self.add_capture(queued, shard.name, entry)

    def robots(self, host: str) -> tuple[str, int, float] | None:
        """Return what a host's robots.txt said: text, status, when."""
        row = self._execute(
            "SELECT robots, robots_status, asked FROM hosts WHERE host = ?", (host,)
        ).fetchone()
        return None if row is None else (row[0], row[1], row[2])

    def put_robots(self, host: str, text: str, status: int, asked: float) -> None:
        """Remember what a host's robots.txt said."""
        self._begin()
        self._execute(
            "INSERT OR REPLACE INTO hosts (host, robots, robots_status, asked) VALUES (?, ?, ?, ?)",
            (host, text, status, asked),
        )

    def ledger_lines(self) -> Iterator[LedgerLine]:
        """Yield a line for every lead that has no capture to speak for it."""
        for row in self._execute(LEDGER_LINES):
            yield LedgerLine(
                row["url"], row["state"], "fetch", row["reason"], row["value"], row["threshold"],
                row["detail"], row["source"], row["decided"] or row["found"], kind=row["kind"],
            )  # fmt: skip

    def ledger_counts(self, source: str = "") -> list[ReasonCount]:
        """Return how many leads are in each state, by reason."""
        rows = self._execute(LEDGER_COUNTS, (source, source))
        return [ReasonCount(row[0], "fetch", row[1], row[2]) for row in rows]

    def source_counts(self) -> dict[str, tuple[int, int]]:
        """Return, by source, its leads and its fetched pages."""
        return {row[0]: (row[1], row[2]) for row in self._execute(SOURCE_COUNTS)}

    def counts(self) -> tuple[int, int]:
        """Return how many captures there are and how many leads wait."""
        captures = self._execute("SELECT count(*) FROM captures").fetchone()[0]
        waiting = self._execute("SELECT count(*) FROM leads WHERE state = 'waiting'").fetchone()[0]
        return int(captures), int(waiting)

    def put_report(
        self, layer: str, fingerprint: str, report: ShardReport, *, damage: str = ""
    ) -> None:
        """Remember what a stage gave on a shard, and the state of a file it could not read."""
        self._begin()
        counts = (report.rows, report.kept, report.dropped, report.failed, report.tokens)
        what = (*counts, report.seconds, report.error, damage)
        self._execute(PUT_REPORT, (layer, fingerprint, report.shard, *what))

    def damaged_shards(self, layer: str, fingerprint: str) -> dict[str, str]:
        """Return the shards whose raw file was damaged, with its state at that time."""
        rows = self._execute(DAMAGED_SHARDS, (layer, fingerprint))
        return {row[0]: row[1] for row in rows}

    def renew(self, shard: str) -> None:
        """Remember that a shard is made anew, until the index follows."""
        self._begin()
        self._execute(RENEW_SHARD, (_RENEWED, shard))

    def renewed_shards(self) -> set[str]:
        """Return the shards that were made anew and are not yet so in the index."""
        return {row[0] for row in self._execute(RENEWED_SHARDS, (_RENEWED,))}

    def forget_renewed(self) -> None:
        """Forget which shards were made anew: the index has followed."""
        self._begin()
        self._execute("DELETE FROM artefacts WHERE layer = ?", (_RENEWED,))

    def failed_shards(self, layer: str, fingerprint: str) -> dict[str, str]:
        """Return the shards on which a stage failed, with the message."""
        return {row[0]: row[1] for row in self._execute(FAILED_SHARDS, (layer, fingerprint))}

    def start_run(self, run: str, command: str, started: str) -> None:
        """Note that a run has begun."""
        self._begin()
        self._execute("INSERT INTO runs VALUES (?, ?, ?, '', '{}')", (run, command, started))
        self.commit()

    def end_run(self, run: str, report: dict[str, object]) -> None:
        """Note how a run ended; what a failed one left uncommitted is gone, as after a kill."""
        if self._connection.in_transaction:
            self._execute("ROLLBACK")
        self._begin()
        self._execute(
            "UPDATE runs SET ended = ?, report = ? WHERE id = ?", (_now(), json.dumps(report), run)
        )
        self.commit()

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._execute("BEGIN IMMEDIATE")

    def _execute(self, statement: str, values: Iterable[object] = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, tuple(values))
        except sqlite3.Error as error:
            raise _store_error(error, self._path) from error


def host_of(url: str) -> str:
    """Return host and port, the unit of politeness."""
    return urlsplit(url).netloc.lower()


def _connect_read_only(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None, timeout=10)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    except sqlite3.OperationalError:
        # On a read-only mount SQLite cannot make its shared-memory file; nobody writes there.
        connection.close()
        return sqlite3.connect(f"{address}?immutable=1", uri=True, isolation_level=None)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _lead_row(lead: Lead) -> tuple[object, ...]:
    return (
        lead.url, host_of(lead.url), lead.source, lead.kind, lead.referrer,
        lead.depth, lead.redirects, json.dumps(asdict(lead.hints)),
    )  # fmt: skip


def _verdict_row(verdict: Verdict) -> tuple[object, ...]:
    # Servers send bytes that are no text; SQLite takes only what is.
    detail = verdict.detail.encode("utf-8", "replace").decode()
    return verdict.reason, verdict.value, verdict.threshold, detail


def _queued(row: sqlite3.Row) -> Queued:
    lead = Lead(
        row["url"], row["source"], row["kind"], row["referrer"], row["depth"], row["redirects"],
        Hints(**json.loads(row["hints"])),
    )  # fmt: skip
    return Queued(row["id"], lead, row["host"], row["attempts"])


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _store_error(error: Exception, path: Path) -> StoreError:
    if isinstance(error, OSError):
        return environment_error(error) or StoreError(f"{path} cannot be opened: {error}.")
    words = str(error)
    if "full" in words or "readonly" in words or "unable to open" in words:
        number = (
            errno.ENOSPC
            if "full" in words
            else errno.EROFS
            if "readonly" in words
            else errno.EACCES
        )
        stop = environment_error(OSError(number, words, str(path)))
        assert stop is not None
        return stop
    return StoreError(
        f"{path} cannot be used ({words}). The captures are safe in the WARC files beside it; "
        "move the catalog away and gather again to make a new one."
    )
