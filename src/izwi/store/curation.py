"""What curators decided, in a file of the corpus: every change with who, when and what was before.

Several servers may write at once: whoever changes something holds the file from the first look at
what there is to the last word about it, so that nobody loses another's decision.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Any

from izwi.model.accounts import Surface, actor
from izwi.model.curation import Change, Decision
from izwi.model.errors import QueryError, StoreError
from izwi.store.database import stop_of
from izwi.store.layout import Layout

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
_MOMENTS: dict[str, type[datetime | date | time]] = {
    "$datetime": datetime,
    "$date": date,
    "$time": time,
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
            moment(), who, kind, target, _json(before), _json(after), comment, undoes, surface,
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
            decision.document, decision.url, decision.verdict, decision.shard, self.who, moment(),
        )  # fmt: skip
        self.file.execute("INSERT OR REPLACE INTO decisions VALUES (?, ?, ?, ?, ?, ?)", row)

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Return what a query finds."""
        return self.file.execute(query, values).fetchall()


@contextmanager
def changing(layout: Layout, who: str) -> Iterator[Desk]:
    """Give the file to one curator alone; an error inside leaves it as it was."""
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
    if not layout.curation.exists():
        return ()
    with reading(layout) as desk:
        return desk.decisions()


def moment() -> str:
    """Return this moment as the record of changes writes it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


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
