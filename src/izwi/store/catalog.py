"""The queue of leads, what became of them, what each stage gave; in SQLite or PostgreSQL.

One process writes (it holds the corpus lock), on a server also several gatherers; any number read.
Everything between two calls of `commit` is one transaction, so a kill leaves either all of it or
nothing.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from pathlib import Path

from izwi.model.capture import CaptureEntry, Lead
from izwi.model.document import KEPT
from izwi.model.records import dataclass
from izwi.model.results import ShardReport
from izwi.store.database import Connection, Database
from izwi.store.leads import Leads, Queued, host_of, now_text
from izwi.store.postgresql import Address
from izwi.store.queue import GathererRecords, HostRecords, LeadRecords, Refusals, Visit

_REPLACE = """
ON CONFLICT (layer, fingerprint, shard) DO UPDATE SET rows = excluded.rows, kept = excluded.kept,
    dropped = excluded.dropped, failed = excluded.failed, tokens = excluded.tokens,
    seconds = excluded.seconds, error = excluded.error, damage = excluded.damage
"""
PUT_REPORT = f"""
INSERT INTO artefacts
    (layer, fingerprint, shard, rows, kept, dropped, failed, tokens, seconds, error, damage)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) {_REPLACE}
"""
FAILED_SHARDS = (
    "SELECT shard, error FROM artefacts WHERE layer = ? AND fingerprint = ? AND error <> ''"
)
# A shard made anew from another raw file has a row of its own under this name of a layer.
RENEWED = "renewed"
RENEW_SHARD = f"""
INSERT INTO artefacts
    (layer, fingerprint, shard, rows, kept, dropped, failed, tokens, seconds, error, damage)
VALUES (?, '', ?, 0, 0, 0, 0, 0, 0, '', '') {_REPLACE}
"""
RENEWED_SHARDS = "SELECT shard FROM artefacts WHERE layer = ?"
TROUBLED_SHARDS = "SELECT DISTINCT shard FROM artefacts WHERE error <> '' OR damage <> ''"
DAMAGED_SHARDS = (
    "SELECT shard, damage FROM artefacts WHERE layer = ? AND fingerprint = ? AND damage <> ''"
)


class ArtefactRecords(Database):
    """The table of artefacts."""

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

    def troubled_shards(self) -> set[str]:
        """Return the shards on which a stage failed, or whose file was found damaged."""
        return {row[0] for row in self._execute(TROUBLED_SHARDS)}

    def renew(self, shard: str) -> None:
        """Remember that a shard is made anew, until the index follows."""
        self._begin()
        self._execute(RENEW_SHARD, (RENEWED, shard))

    def renewed_shards(self) -> set[str]:
        """Return the shards that were made anew and are not yet so in the index."""
        return {row[0] for row in self._execute(RENEWED_SHARDS, (RENEWED,))}

    def forget_renewed(self) -> None:
        """Forget which shards were made anew: the index has followed."""
        self._begin()
        self._execute("DELETE FROM artefacts WHERE layer = ?", (RENEWED,))

    def failed_shards(self, layer: str, fingerprint: str) -> dict[str, str]:
        """Return the shards on which a stage failed, with the message."""
        return {row[0]: row[1] for row in self._execute(FAILED_SHARDS, (layer, fingerprint))}


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
CAPTURES_OF_HOST = """
SELECT shard, url, time, status, media_type, digest, kind, source, "offset", length FROM captures
WHERE kind = 'page' AND source = ?
AND (url LIKE 'http://' || ? || '/%' OR url LIKE 'https://' || ? || '/%') ORDER BY id
"""
CAPTURED_PAGES = "SELECT url, time FROM captures WHERE kind = 'page' AND (? = '' OR source = ?)"
PUT_SHARD = """
INSERT INTO shards (name, state, committed, content, gatherer) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (name) DO UPDATE SET state = excluded.state, committed = excluded.committed,
    content = excluded.content, gatherer = excluded.gatherer
"""
NEW_SHARD = """
INSERT INTO shards (name, state, committed, content, gatherer) VALUES (?, 'open', 0, 0, ?)
ON CONFLICT DO NOTHING
"""
OTHERS_SHARDS = """
SELECT name FROM shards WHERE gatherer <> ? AND gatherer IN (SELECT id FROM gatherers)
"""
FORGET_CAPTURES = 'DELETE FROM captures WHERE shard = ? AND "offset" >= ?'
FORGET_ARTEFACTS = "DELETE FROM artefacts WHERE shard = ? AND layer <> ?"
# Between two sums of what was counted since.
_COMMITS_COUNTED = 200


@dataclass(frozen=True, slots=True)
class ShardState:
    """How much of a WARC file is committed, and whether it is sealed."""

    name: str
    is_sealed: bool
    committed: int
    content: int


__all__ = ["Catalog", "Queued", "ShardState", "Visit", "host_of"]


class Catalog(GathererRecords, LeadRecords, HostRecords, ArtefactRecords):
    """An open catalog; use `Catalog.write` under the corpus lock, `Catalog.read` anywhere."""

    def __init__(self, connection: Connection, place: Path | Address) -> None:
        super().__init__(connection, place)
        self._leads = Leads(self._sql)
        self._refusals = Refusals(self._sql)
        self._commits = 0

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

    def captures_of_host(self, host: str, source: str) -> Iterator[tuple[str, CaptureEntry]]:
        """Yield the pages of a host that a source brought, each with its shard."""
        for row in list(self._rows(CAPTURES_OF_HOST, (source, host, host))):
            known = {key: row[key] for key in row.keys() if key != "shard"}  # noqa: SIM118
            entry = CaptureEntry(**known | {"time": datetime.fromisoformat(row["time"])})
            yield row["shard"], entry

    def capture_counts(self) -> dict[str, int]:
        """Return how many captures each shard holds."""
        rows = self._execute("SELECT shard, number FROM captured")
        return {row[0]: row[1] for row in rows}

    def join_shards(
        self, first: str, others: Sequence[str], entries: Iterable[CaptureEntry], size: int
    ) -> None:
        """Write anew where captures lie after a shard was rewritten, and took in others."""
        self._begin()
        for shard in (first, *others):
            self._execute("DELETE FROM captures WHERE shard = ?", (shard,))
            self._execute(FORGET_ARTEFACTS, (shard, RENEWED))
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

    def captures_by_host(self) -> dict[str, int]:
        """Return how many pages were captured of each host."""
        return dict(Counter(host_of(url) for url, _ in self.captured_pages()))

    def shards(self) -> list[ShardState]:
        """Return all WARC files, in corpus order."""
        rows = self._execute("SELECT name, state, committed, content FROM shards ORDER BY name")
        return [ShardState(row[0], row[1] == "sealed", row[2], row[3]) for row in rows]

    def put_shard(self, shard: ShardState) -> None:
        """Write how much of a WARC file is committed, and whether it is sealed."""
        self._begin()
        state = "sealed" if shard.is_sealed else "open"
        owner = self._gatherer if self._gatherer and not shard.is_sealed else None
        row = (shard.name, state, shard.committed, shard.content, owner)
        self._execute(PUT_SHARD, row)

    def new_shard(self, name: str) -> bool:
        """Begin a WARC file; return whether the name was free."""
        begun = self._sql.apart(NEW_SHARD, (name, self._gatherer or None)).rowcount
        self.commit()
        return bool(begun)

    def others_shards(self) -> set[str]:
        """Return the WARC files that other gatherers write just now."""
        if not self._gatherer:
            return set()
        return {row[0] for row in self._execute(OTHERS_SHARDS, (self._gatherer,))}

    def forget_shard(self, name: str) -> None:
        """Forget a WARC file in which nothing was ever committed."""
        self._begin()
        self._execute("DELETE FROM shards WHERE name = ?", (name,))

    def take(self, shard: str, entries: Iterable[CaptureEntry]) -> None:
        """Take in captures of a sealed file that are not known, with a settled lead for each."""
        for entry in entries:
            self.add_leads([Lead(entry.url, entry.source, entry.kind)])
            queued = self.find_lead(entry.url)
            assert queued is not None
            self.settle(queued, "fetched", KEPT)
            self.add_capture(queued, shard, entry)

    def queue_again(self, shard: str, *, beyond: int) -> int:
        """Forget the captures of a shard from a place on, and ask again for their pages."""
        lost = [entry for entry in self.captures(shard) if entry.offset >= beyond]
        self._begin()
        self._execute(FORGET_CAPTURES, (shard, beyond))
        for entry in lost:
            queued = self.find_lead(entry.url)
            if queued is not None:
                self.revisit(queued)
                # Else the server might say that nothing has changed since.
                self.put_visit(queued, Visit())
        return len(lost)

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

    def counts(self) -> tuple[int, int]:
        """Return how many captures there are and how many leads wait."""
        captures = self._execute("SELECT coalesce(sum(number), 0) FROM captured").fetchone()[0]
        return int(captures), self._leads.count_waiting()

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
        self._leads.add_up()

    def commit(self) -> None:
        """Make everything since the last commit durable; now and then, add up what is counted."""
        super().commit()
        self._commits += 1
        if self._commits % _COMMITS_COUNTED == 0:
            self._leads.add_up()
