"""What curators decided, about pages and words: every change with who, when, what was before.

Several servers may write at once: whoever changes something holds the file from the first look at
what there is to the last word about it, so that nobody loses another's decision.

What was decided about words: a file of the corpus that only ever grows. One JSON object a line.
Several people may decide at once, so each line is appended whole, behind a lock; what was decided
last counts, and what was decided before stays to be read.
"""

import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from datetime import date, datetime
from datetime import time as time_of_day
from typing import IO, Any

from izwi.model.accounts import Surface, actor
from izwi.model.curation import Change, Decision
from izwi.model.errors import CorpusLocked, QueryError, StoreError
from izwi.model.lexicography import WordDecision
from izwi.model.notation import now_text
from izwi.model.records import dataclass
from izwi.store.database import stop_of
from izwi.store.files import disk_errors, make_durable
from izwi.store.layout import Layout
from izwi.store.lock import take
from izwi.store.sums import forget, refuse_if_lost

SCHEMA = """
CREATE TABLE IF NOT EXISTS changes (
    id INTEGER PRIMARY KEY, time TEXT NOT NULL, who TEXT NOT NULL,
    kind TEXT NOT NULL, target TEXT NOT NULL,
    -- What it was before and after, as JSON; kind says how to read it.
    before TEXT NOT NULL, after TEXT NOT NULL, comment TEXT NOT NULL,
    -- The change that this one takes back, and the one that takes this one back; 0 for none.
    undoes INTEGER NOT NULL DEFAULT 0, undone INTEGER NOT NULL DEFAULT 0,
    -- python, command or web; empty in records made before this was kept.
    surface TEXT NOT NULL DEFAULT ''
) STRICT;
-- Changes that were begun and are not recorded yet; those of a process that is gone were cut off.
CREATE TABLE IF NOT EXISTS begun (
    id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, kind TEXT NOT NULL, target TEXT NOT NULL,
    after TEXT NOT NULL, who TEXT NOT NULL, surface TEXT NOT NULL
) STRICT;
-- Documents for which a curator overrules the rules; an empty verdict was taken back.
CREATE TABLE IF NOT EXISTS decisions (
    document TEXT PRIMARY KEY, url TEXT NOT NULL, verdict TEXT NOT NULL,
    shard TEXT NOT NULL, who TEXT NOT NULL, time TEXT NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS audits (
    id INTEGER PRIMARY KEY, time TEXT NOT NULL, who TEXT NOT NULL,
    version INTEGER NOT NULL, seed INTEGER NOT NULL, population INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS judgements (
    audit INTEGER NOT NULL REFERENCES audits, place INTEGER NOT NULL, document TEXT NOT NULL,
    -- What is wrong with it, as a JSON list; NULL until somebody has looked.
    faults TEXT, who TEXT NOT NULL DEFAULT '', time TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (audit, document)
) STRICT;
"""
_PATIENCE_SECONDS = 30.0
# TOML has moments, JSON has not: they are marked by their kind.
_MOMENTS: dict[str, type[datetime | date | time_of_day]] = {
    "$datetime": datetime,
    "$date": date,
    "$time": time_of_day,
}
_CHANGES = """
SELECT id, time, who, kind, target, before, after, comment, undoes, undone, surface FROM changes
"""
# A labelled page is a whole HTML file, before and after: a list of changes does without.
_CHANGES_ONLY = """
SELECT id, time, who, kind, target,
       CASE kind WHEN 'labels' THEN json_remove(before, '$.html') ELSE before END,
       CASE kind WHEN 'labels' THEN json_remove(after, '$.html') ELSE after END,
       comment, undoes, undone, surface
FROM changes
"""


_RECORD = """
INSERT INTO changes (time, who, kind, target, before, after, comment, undoes, surface)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_BEGIN = """
INSERT INTO begun (pid, kind, target, after, who, surface) VALUES (?, ?, ?, ?, ?, ?)
"""


@dataclass(frozen=True, slots=True)
class Begun:
    """A change that was begun, and by whom."""

    kind: str
    target: str
    after: Any
    who: str
    surface: Surface


@dataclass(frozen=True, slots=True)
class Desk:
    """The open file, held by one curator, or read by anyone."""

    file: sqlite3.Connection
    who: str = ""

    def record(
        self,
        kind: str,
        target: str,
        before: object,
        after: object,
        *,
        comment: str = "",
        undoes: int = 0,
    ) -> int:
        """Write down a change and return its number."""
        who, surface = self.who or actor().who, actor().surface
        row = (
            now_text(), who, kind, target, _json(before), _json(after), comment, undoes, surface,
        )  # fmt: skip
        number = self.file.execute(_RECORD, row).lastrowid
        assert number is not None
        self.file.execute("UPDATE changes SET undone = ? WHERE id = ?", (number, undoes))
        return number

    def begin(self, pid: int, kind: str, target: str, after: object) -> int:
        """Note that a change is begun and return the number of that note."""
        row = (pid, kind, target, _json(after), self.who, actor().surface)
        number = self.file.execute(_BEGIN, row).lastrowid
        assert number is not None
        return number

    def end(self, begun: int) -> None:
        """Strike out the note of a change that has ended, well or not."""
        self.file.execute("DELETE FROM begun WHERE id = ?", (begun,))

    def broken_off(self, is_alive: Callable[[int], bool]) -> tuple[Begun, ...]:
        """Strike out and return what processes that are gone had begun."""
        rows = self.rows("SELECT id, pid, kind, target, after, who, surface FROM begun")
        gone = [row for row in rows if not is_alive(row[1])]
        for row in gone:
            self.end(row[0])
        return tuple(Begun(row[2], row[3], _read(row[4]), row[5], row[6]) for row in gone)

    def change(self, number: int) -> Change:
        """Return one change."""
        found = [_change(row) for row in self.file.execute(f"{_CHANGES} WHERE id = ?", (number,))]
        if not found:
            raise QueryError(f"There is no change number {number}.")
        return found[0]

    def changes(self, *, first: int = 0, most: int = 100) -> tuple[Change, ...]:
        """Return the changes, the newest first; labels without the pages they are about."""
        query = f"{_CHANGES_ONLY} ORDER BY id DESC LIMIT ? OFFSET ?"
        return tuple(_change(row) for row in self.file.execute(query, (most, first)))

    def decisions(self) -> tuple[Decision, ...]:
        """Return all decisions about documents, those taken back with an empty verdict."""
        query = "SELECT document, url, verdict, shard, who, time FROM decisions ORDER BY time"
        return tuple(Decision(*row) for row in self.file.execute(query))

    def put_decision(self, decision: Decision) -> None:
        """Write a decision in place of an earlier one."""
        row = (
            decision.document, decision.url, decision.verdict, decision.shard, self.who, now_text(),
        )  # fmt: skip
        self.file.execute("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?, ?)", row)

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        return self.file.execute(query, values).fetchall()


@contextmanager
def changing(layout: Layout, who: str) -> Iterator[Desk]:
    """Give the file to one curator alone; an error inside leaves it as it was."""
    refuse_if_lost(layout, layout.curation)
    try:
        file = sqlite3.connect(layout.curation, timeout=_PATIENCE_SECONDS, isolation_level=None)
    except sqlite3.Error as error:
        raise _unusable(layout, error) from error
    try:
        file.executescript(SCHEMA)
        file.execute("BEGIN IMMEDIATE")
        _migrate(file)
        yield Desk(file, who)
        file.execute("COMMIT")
    except UnicodeEncodeError:
        raise QueryError("What was sent holds halves of characters, which are no text.") from None
    except sqlite3.Error as error:
        raise _unusable(layout, error) from error
    finally:
        file.close()


@contextmanager
def reading(layout: Layout) -> Iterator[Desk]:
    """Give the file for reading; one that is not there reads as empty."""
    path = layout.curation
    refuse_if_lost(layout, path)
    name = f"{path.resolve().as_uri()}?mode=ro" if path.exists() else ":memory:"
    try:
        file = sqlite3.connect(name, uri=True, timeout=_PATIENCE_SECONDS)
    except sqlite3.Error as error:
        raise _unusable(layout, error) from error
    try:
        if name == ":memory:":
            file.executescript(SCHEMA)
        yield Desk(_with_surface(file))
    except sqlite3.Error as error:
        raise _unusable(layout, error) from error
    finally:
        file.close()


def _migrate(file: sqlite3.Connection) -> None:
    """Add what files of earlier versions lack."""
    if not _has_surface(file):
        file.execute("ALTER TABLE changes ADD COLUMN surface TEXT NOT NULL DEFAULT ''")


def _with_surface(file: sqlite3.Connection) -> sqlite3.Connection:
    """Return a file that is only read as if it were of this version."""
    if not _has_surface(file):
        file.execute("CREATE TEMP VIEW changes AS SELECT *, '' AS surface FROM main.changes")
    return file


def _has_surface(file: sqlite3.Connection) -> bool:
    return any(row[1] == "surface" for row in file.execute("PRAGMA table_info(changes)"))


def read_decisions(layout: Layout) -> tuple[Decision, ...]:
    """Return what curators decided about documents."""
    refuse_if_lost(layout, layout.curation)
    if not layout.curation.exists():
        return ()
    with reading(layout) as desk:
        return desk.decisions()


def _change(row: Sequence[Any]) -> Change:
    id, when, who, kind, target, before, after, *rest = row
    return Change(id, when, who, kind, target, _read(before), _read(after), *rest)


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=_marked)


def _read(text: str) -> Any:
    return json.loads(text, object_hook=_unmarked)


def _marked(value: object) -> dict[str, str]:
    for mark, kind in _MOMENTS.items():
        if isinstance(value, kind):
            return {mark: value.isoformat()}
    raise TypeError(f"{type(value).__name__} cannot be written down")


def _unmarked(row: dict[str, Any]) -> Any:
    for mark, kind in _MOMENTS.items():
        if row.keys() == {mark}:
            return kind.fromisoformat(row[mark])
    return row


def _unusable(layout: Layout, error: Exception) -> StoreError:
    return stop_of(error, layout.curation) or StoreError(
        f"{layout.curation} cannot be used ({error}). It holds what curators decided."
    )


_TRIES = 200
_TRY_SECONDS = 0.02


def append_decision(layout: Layout, decision: WordDecision) -> None:
    """Add a decision; once this returns it is on the disk."""
    line = json.dumps(asdict(decision), ensure_ascii=False) + "\n"
    refuse_if_lost(layout, layout.decisions)
    with disk_errors():
        is_new = not layout.decisions.exists()
        with layout.decisions.open("ab+") as file:
            _hold(file)
            _begin_line(file, layout)
            file.write(line.encode())
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            make_durable(layout.decisions.parent)


def read_word_decisions(layout: Layout) -> tuple[WordDecision, ...]:
    """Return all decisions in the order they were made."""
    try:
        lines = layout.decisions.read_bytes().split(b"\n")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise StoreError(f"{layout.decisions} cannot be read: {error.strerror}.") from error
    return tuple(_decisions(layout, lines))


def _decisions(layout: Layout, lines: list[bytes]) -> Iterator[WordDecision]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            yield WordDecision(**json.loads(line))
        except (ValueError, TypeError) as error:
            # The end is cut off while somebody writes, or since a machine stopped.
            if number == len(lines):
                return
            raise StoreError(
                f"{layout.decisions}, line {number}: {error}. Mend or delete that line."
            ) from error


def _begin_line(file: IO[bytes], layout: Layout) -> None:
    """Go to where a line may begin: a line that was cut off was never promised, and goes."""
    file.seek(0)
    written = file.read()
    tail = written[written.rfind(b"\n") + 1 :]
    if not tail:
        return
    try:
        json.loads(tail)
    except ValueError:
        forget(layout, layout.decisions)
        file.truncate(len(written) - len(tail))
        return
    file.write(b"\n")


def _hold(file: IO[bytes]) -> None:
    """Hold a file until it is closed, waiting for others who hold it for a moment only."""
    for _ in range(_TRIES):
        if take(file):
            return
        time.sleep(_TRY_SECONDS)
    raise CorpusLocked(f"{file.name} is being written by somebody else. Try again.")
