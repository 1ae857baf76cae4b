"""What a server keeps of people: who may sign in, and small lists that readers keep.

Who may sign in: people, their sessions and tokens, and log-ins that failed, in SQLite. The file
holds no password and no token, only what tells whether one is right. It belongs to the server and
lies outside every corpus folder, so that copying or exporting a corpus carries nobody's account
along.
"""

import json
import re
import secrets
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from izwi.model.errors import NotFound, QueryError, StoreError
from izwi.store.database import stop_of
from izwi.store.files import disk_errors, write_text

SCHEMA = """
CREATE TABLE IF NOT EXISTS users (
    name TEXT PRIMARY KEY, role TEXT NOT NULL, password TEXT NOT NULL, made TEXT NOT NULL
) STRICT;
-- A session is known by the digest of its secret; csrf is what its forms must carry.
CREATE TABLE IF NOT EXISTS sessions (
    digest TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    csrf TEXT NOT NULL, expires REAL NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS tokens (
    digest TEXT PRIMARY KEY, user TEXT NOT NULL REFERENCES users ON DELETE CASCADE,
    label TEXT NOT NULL, made TEXT NOT NULL, expires REAL NOT NULL
) STRICT;
-- Log-ins that failed, by whose name and from where.
CREATE TABLE IF NOT EXISTS failures (key TEXT NOT NULL, time REAL NOT NULL) STRICT;
CREATE INDEX IF NOT EXISTS failures_by_key ON failures (key, time);
"""
_PATIENCE_SECONDS = 10.0


@contextmanager
def accounts_file(path: Path) -> Iterator[sqlite3.Connection]:
    """Give the open file; all that is written inside is one transaction."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            # Nobody else on the machine has to see who works here.
            path.touch(mode=0o600)
        connection = sqlite3.connect(path, timeout=_PATIENCE_SECONDS)
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path, error) from error
    try:
        connection.execute("PRAGMA foreign_keys = ON")
        _make_schema(connection)
        with connection:
            yield connection
    except sqlite3.Error as error:
        raise _unusable(path, error) from error
    finally:
        connection.close()


def row_of(connection: sqlite3.Connection, query: str, *values: object) -> Any:
    """Return the first row a query finds, or None."""
    return connection.execute(query, values).fetchone()


def _make_schema(connection: sqlite3.Connection) -> None:
    """Make the tables if they are missing: a file may be there and empty."""
    # What the schema makes last is there only if all of it is.
    query = "SELECT 1 FROM sqlite_master WHERE name = 'failures_by_key'"
    if row_of(connection, query) is None:
        connection.executescript(f"BEGIN IMMEDIATE; {SCHEMA} COMMIT;")


def _unusable(path: Path, error: Exception) -> StoreError:
    return stop_of(error, path) or StoreError(
        f"{path} cannot be used ({error}). It holds the accounts of this server."
    )


_NAME = re.compile(r"[0-9a-f]{24}")
# Readers press keys faster than files are written; one server has one process.
_CHANGING = threading.Lock()
# A public server must not be filled by strangers.
_MOST_FILES = 20_000
_MOST_BYTES = 2_000_000
_YEAR_SECONDS = 31_536_000


class Shelf:
    """A folder of such files."""

    def __init__(self, folder: Path, noun: str) -> None:
        self._folder = folder
        self._noun = noun

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Let nobody else read a file in order to change it until this is done."""
        with _CHANGING:
            yield

    def new_name(self) -> str:
        """Return a name for a new file; raise StoreError if there are too many.

        If there are, those that nobody touched for a year go first.
        """
        if self._count() >= _MOST_FILES:
            self._clear()
        if self._count() >= _MOST_FILES:
            raise StoreError(f"This server keeps no more than {_MOST_FILES} {self._noun}s.")
        return secrets.token_hex(12)

    def read(self, name: str) -> dict[str, Any]:
        """Return what a file holds; raise NotFound if there is none of that name."""
        path = self._path(name)
        try:
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise NotFound(f"There is no {self._noun} '{name[:40]}' here.") from None
        except (OSError, ValueError) as error:
            raise StoreError(f"{path} is damaged ({error}); mend it or delete it.") from error
        return found

    def write(self, name: str, content: dict[str, Any]) -> None:
        """Replace a file in one step; raise QueryError if it grew too large."""
        text = json.dumps(content, ensure_ascii=False)
        if len(text.encode("utf-8", "replace")) > _MOST_BYTES:
            raise QueryError(
                f"A {self._noun} holds at most {_MOST_BYTES // 1_000_000} MB; begin another one."
            )
        with disk_errors():
            write_text(self._path(name), text)

    def delete(self, name: str) -> None:
        """Take a file away."""
        self._path(name).unlink(missing_ok=True)

    def _count(self) -> int:
        return sum(1 for _ in self._folder.glob("*.json")) if self._folder.is_dir() else 0

    def _clear(self) -> None:
        """Delete what was neither read nor written for a year."""
        oldest = time.time() - _YEAR_SECONDS
        with disk_errors():
            for path in self._folder.glob("*.json"):
                # Another request may have deleted it meanwhile.
                with suppress(FileNotFoundError):
                    found = path.stat()
                    if max(found.st_atime, found.st_mtime) < oldest:
                        path.unlink()

    def _path(self, name: str) -> Path:
        # The name comes from an address: nothing else may lead out of the folder.
        if not _NAME.fullmatch(name):
            raise NotFound(f"There is no {self._noun} '{name[:40]}' here.")
        return self._folder / f"{name}.json"
