"""Who may sign in: people, their sessions and tokens, and log-ins that failed, in SQLite.

The file holds no password and no token, only what tells whether one is right. It belongs to the
server and lies outside every corpus folder, so that copying or exporting a corpus carries nobody's
account along.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from izwi.model.errors import StoreError
from izwi.store.database import stop_of

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
