"""The queue of leads and the ledger of what became of them, in SQLite.

One process writes (it holds the corpus lock); any number read. Everything between two calls of
`commit` is one transaction, so a kill leaves either all of it or nothing.
"""

import errno
import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Self

from izwi.model.capture import CaptureEntry, Lead
from izwi.model.document import KEPT, Verdict
from izwi.model.errors import StoreError, environment_error
from izwi.model.results import LedgerLine, ReasonCount, ShardReport
from izwi.store.leads import Leads, LeadState, Queued, WaitingHost, host_of, now_text
from izwi.store.migrations import MIGRATIONS, migrate, schema_version
from izwi.store.refusals import Refusals

ADD_CAPTURE = """
INSERT INTO captures
    (lead, url, time, status, media_type, digest, kind, source, shard, "offset", length)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
CAPTURES_OF_SHARD = """
SELECT url, time, status, media_type, digest, kind, source, "offset", length
FROM captures WHERE shard = ? ORDER BY "offset"
"""
LAST_CAPTURE = """
SELECT url, time, status, media_type, digest, kind, source, "offset", length
FROM captures WHERE url = ? ORDER BY id DESC LIMIT 1
"""
CAPTURED_PAGES = "SELECT url, time FROM captures WHERE kind = 'page' AND (? = '' OR source = ?)"
# Memory for the tables' pages: the same for a thousand URLs and for ten million.
_CACHE_KILOBYTES = 32_000
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
FORGET_ARTEFACTS = "DELETE FROM artefacts WHERE shard = ? AND layer <> ?"
TROUBLED_SHARDS = "SELECT DISTINCT shard FROM artefacts WHERE error <> '' OR damage <> ''"
DAMAGED_SHARDS = (
    "SELECT shard, damage FROM artefacts WHERE layer = ? AND fingerprint = ? AND damage <> ''"
)


@dataclass(frozen=True, slots=True)
class Visit:
    """What a server said of a page that lets it say later: not modified."""

    etag: str = ""
    modified: str = ""
    # Seconds until a feed is asked again, learnt from how often it publishes; 0 if not yet.
    rest: float = 0.0


@dataclass(frozen=True, slots=True)
class ShardState:
    """How much of a WARC file is committed, and whether it is sealed."""

    name: str
    is_sealed: bool
    committed: int
    content: int


__all__ = ["Catalog", "Queued", "ShardState", "Visit", "host_of"]


class Catalog:
    """An open catalog; use `Catalog.write` under the corpus lock, `Catalog.read` anywhere."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        connection.row_factory = sqlite3.Row
        self._connection = connection
        self._path = path
        self._leads = Leads(self._execute, self._rows)
        self._refusals = Refusals(self._execute, self._rows)

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
                connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
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
        return self._leads.add(leads)

    def find_lead(self, url: str) -> Queued | None:
        """Return the lead of a URL, if it is known."""
        number = self._leads.find(url)
        return None if number is None else self._leads.get(number)

    def host_id(self, host: str) -> int:
        """Return the number of a host, a new one if need be."""
        self._begin()
        return self._leads.host_id(host)

    def waiting_hosts(
        self, *, after: int = 0, until: float = 1e12, most: int = -1
    ) -> list[WaitingHost]:
        """Return hosts with leads due by then, in the order they were met."""
        return self._leads.waiting_hosts(after=after, until=until, most=most)

    def first_due(self, host: int) -> float | None:
        """Return when the first waiting lead of a host is due."""
        return self._leads.first_due(host)

    def waiting_leads(self, host: str, now: float, *, most: int) -> list[Queued]:
        """Return the host's first due leads, in the order they were found."""
        return self._leads.waiting(host, now, most=most)

    def settle(self, queued: Queued, state: LeadState, verdict: Verdict) -> None:
        """Write what became of a lead."""
        self._begin()
        self._leads.settle(queued, state, verdict)

    def state_of(self, url: str) -> str:
        """Return what became of a URL so far; empty if it is not known."""
        return self._leads.state_of(url)

    def wake_waiting(self, reasons: Sequence[str]) -> None:
        """Let the leads that wait for one of these reasons be asked at once."""
        self._begin()
        for reason in reasons:
            self._leads.wake_waiting(reason)

    def postpone(self, queued: Queued, due: float, verdict: Verdict, *, attempts: int = 1) -> None:
        """Keep a lead waiting until `due`, with the reason of this attempt's failure."""
        self._begin()
        self._leads.postpone(queued, due, verdict, attempts=attempts)

    def claim(self, lead: Lead) -> None:
        """Make a known lead one of the source that names it."""
        self._begin()
        self._leads.claim(lead)

    def wake_feed(self, url: str, *, last_before: datetime) -> bool:
        """Queue a feed again if it was last asked before that moment."""
        self._begin()
        return self._leads.wake(url, last_before=last_before)

    def resting_lists(self) -> list[Queued]:
        """Return the feeds and site maps that were asked before."""
        return self._leads.resting_lists()

    def wake_failed_lists(self) -> None:
        """Queue the lists again that failed in an earlier run."""
        self._begin()
        self._leads.wake_failed_lists()

    def wake_old(self, source: str, *, last_before: datetime) -> int:
        """Queue the pages of a source again that were last asked before that moment."""
        self._begin()
        return self._leads.wake_old(source, last_before=last_before)

    def revisit(self, queued: Queued) -> None:
        """Queue a fetched page again."""
        self._begin()
        self._leads.revisit(queued.id)

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

    def join_shards(
        self, first: str, others: Sequence[str], entries: Iterable[CaptureEntry], size: int
    ) -> None:
        """Write anew where captures lie after a shard was rewritten, and took in others."""
        self._begin()
        for shard in (first, *others):
            self._execute("DELETE FROM captures WHERE shard = ?", (shard,))
            self._execute(FORGET_ARTEFACTS, (shard, _RENEWED))
        for shard in others:
            self.forget_shard(shard)
        for entry in entries:
            queued = self.find_lead(entry.url)
            if queued is not None:
                self.add_capture(queued, first, entry)
        self.put_shard(ShardState(first, True, size, size))

    def captured_pages(self, source: str = "") -> Iterator[tuple[str, datetime]]:
        """Yield the address and time of every captured page, of one source if it is named."""
        for row in self._rows(CAPTURED_PAGES, (source, source)):
            yield row[0], datetime.fromisoformat(row[1])

    def seeds_by_host(self) -> dict[str, int]:
        """Return how many seeds each host has."""
        return self._leads.seeds_by_host()

    def captures_by_host(self) -> dict[str, int]:
        """Return how many pages were captured of each host."""
        return dict(Counter(host_of(url) for url, _ in self.captured_pages()))

    def troubled_shards(self) -> set[str]:
        """Return the shards on which a stage failed, or whose file was found damaged."""
        return {row[0] for row in self._execute(TROUBLED_SHARDS)}

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
            queued = self.find_lead(entry.url)
            assert queued is not None
            self.settle(queued, "fetched", KEPT)
            self.add_capture(queued, shard.name, entry)

    def robots(self, host: str) -> tuple[str, int, float] | None:
        """Return what a host's robots.txt said: text, status, when."""
        row = self._execute(
            "SELECT robots, robots_status, asked FROM hosts WHERE host = ?", (host,)
        ).fetchone()
        return None if row is None or row[1] is None else (row[0], row[1], row[2])

    def put_robots(self, host: str, text: str, status: int, asked: float) -> None:
        """Remember what a host's robots.txt said."""
        number = self.host_id(host)
        self._execute(
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
        self._execute("UPDATE hosts SET tdm = ?, tdm_asked = ? WHERE id = ?", (text, asked, number))

    def pause(self, host: str) -> float:
        """Return until when a host wants to be left alone; 0 if it did not say."""
        row = self._execute("SELECT not_before FROM hosts WHERE host = ?", (host,)).fetchone()
        return 0.0 if row is None else float(row[0])

    def put_pause(self, host: str, until: float) -> None:
        """Remember how long a host wants to be left alone, beyond this run."""
        number = self.host_id(host)
        self._execute("UPDATE hosts SET not_before = ? WHERE id = ?", (until, number))

    def forms(self, host: str) -> dict[str, str]:
        """Return which forms of URL a host was seen to prefer."""
        row = self._execute("SELECT forms FROM hosts WHERE host = ?", (host,)).fetchone()
        return dict(json.loads(row[0])) if row is not None and row[0] else {}

    def put_forms(self, host: str, forms: dict[str, str]) -> None:
        """Remember which forms of URL a host prefers."""
        number = self.host_id(host)
        self._execute("UPDATE hosts SET forms = ? WHERE id = ?", (json.dumps(forms), number))

    def visit(self, queued: Queued) -> Visit:
        """Return what was learnt when a lead was last asked."""
        row = self._execute(
            "SELECT etag, modified, rest FROM visits WHERE lead = ?", (queued.id,)
        ).fetchone()
        return Visit() if row is None else Visit(*row)

    def put_visit(self, queued: Queued, visit: Visit) -> None:
        """Remember what lets a server say that nothing changed."""
        self._begin()
        row = (queued.id, visit.etag, visit.modified, visit.rest)
        self._execute("INSERT OR REPLACE INTO visits VALUES (?, ?, ?, ?)", row)

    def last_capture(self, url: str) -> CaptureEntry | None:
        """Return the newest capture of a URL."""
        row = self._execute(LAST_CAPTURE, (url,)).fetchone()
        if row is None:
            return None
        return CaptureEntry(**dict(row) | {"time": datetime.fromisoformat(row["time"])})

    def has_capture(self, url: str, digest: str) -> bool:
        """Return whether a URL was ever captured with this content."""
        asked = "SELECT 1 FROM captures WHERE url = ? AND digest = ? LIMIT 1"
        return self._execute(asked, (url, digest)).fetchone() is not None

    def credit(self, pattern: int) -> int | None:
        """Return what a pattern of URLs has left, None if it was not met yet."""
        row = self._execute("SELECT credit FROM patterns WHERE hash = ?", (pattern,)).fetchone()
        return None if row is None else int(row[0])

    def put_credit(self, pattern: int, credit: int) -> None:
        """Remember what a pattern of URLs has left."""
        self._begin()
        self._execute("INSERT OR REPLACE INTO patterns VALUES (?, ?)", (pattern, credit))

    def refuse(self, pattern: str, verdict: Verdict, *, source: str, links: int) -> None:
        """Count links that were not even queued, by the pattern they belong to."""
        self._begin()
        self._refusals.add(pattern, verdict, source=source, links=links, now=now_text())

    def ledger_lines(self) -> Iterator[LedgerLine]:
        """Yield a line for every lead without a capture, and for every pattern refused unseen."""
        yield from self._leads.ledger_lines()
        yield from self._refusals.ledger_lines()

    def ledger_counts(self, source: str = "") -> list[ReasonCount]:
        """Return how many leads are in each state, by reason."""
        return self._leads.ledger_counts(source)

    def source_counts(self) -> dict[str, tuple[int, int]]:
        """Return, by source, its leads and its fetched pages."""
        return self._leads.source_counts()

    def counts(self) -> tuple[int, int]:
        """Return how many captures there are and how many leads wait."""
        captures = self._execute("SELECT count(*) FROM captures").fetchone()[0]
        return int(captures), self._leads.count_waiting()

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
            "UPDATE runs SET ended = ?, report = ? WHERE id = ?",
            (now_text(), json.dumps(report), run),
        )
        self.commit()

    def _begin(self) -> None:
        if not self._connection.in_transaction:
            self._execute("BEGIN IMMEDIATE")

    def _rows(self, statement: str, values: Iterable[object] = ()) -> Iterator[sqlite3.Row]:
        """Yield the rows of a statement; damage may be met at any of them."""
        try:
            yield from self._execute(statement, values)
        except sqlite3.Error as error:
            raise _store_error(error, self._path) from error

    def _execute(self, statement: str, values: Iterable[object] = ()) -> sqlite3.Cursor:
        try:
            return self._connection.execute(statement, tuple(values))
        except sqlite3.Error as error:
            raise _store_error(error, self._path) from error


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
