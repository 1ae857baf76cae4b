"""How an older catalog becomes a newer one, one numbered step after another."""

import json
import sqlite3
from collections.abc import Callable, Sequence
from importlib.resources import files
from typing import Any

from izwi.model.errors import StoreError
from izwi.store.leads import STATES, split_url, url_hash


def _first_schema(connection: sqlite3.Connection) -> None:
    schema = files("izwi.store").joinpath("schema.sql").read_text(encoding="utf-8")
    for statement in _statements(schema):
        connection.execute(statement)


def _compact_frontier(connection: sqlite3.Connection) -> None:
    """Move the leads of version 1 into tables made for millions of them."""
    schema = files("izwi.store").joinpath("schema-2.sql").read_text(encoding="utf-8")
    for statement in _statements(schema):
        connection.execute(statement)
    connection.execute(
        "INSERT OR IGNORE INTO hosts (host) SELECT host FROM leads GROUP BY host ORDER BY min(id)"
    )
    hosts = dict(connection.execute("SELECT host, id FROM hosts").fetchall())
    for row in connection.execute(_OLD_LEADS).fetchall():
        _move_lead(connection, row, hosts)
    for statement in _REPLACE_LEADS:
        connection.execute(statement)


def _move_lead(connection: sqlite3.Connection, row: tuple[Any, ...], hosts: dict[str, int]) -> None:
    number, url, host, hints, state, due, attempts, decided = row[:8]
    origin = connection.execute(
        "INSERT INTO origins (source, kind, referrer, depth, redirects, found)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        row[8:14],
    ).lastrowid
    scheme, _, path = split_url(url)
    lead = (number, hosts[host], int(scheme == "https"), path, origin, STATES.index(state))
    connection.execute("INSERT INTO new_leads VALUES (?, ?, ?, ?, ?, ?, ?)", (*lead, due))
    connection.execute("INSERT INTO addresses VALUES (?, ?)", (url_hash(url), number))
    told = {key: value for key, value in json.loads(hints).items() if value}
    if told:
        connection.execute("INSERT INTO hints VALUES (?, ?)", (number, json.dumps(told)))
    if attempts:
        outcome = (number, attempts, *row[14:], decided)
        connection.execute("INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?, ?)", outcome)


_OLD_LEADS = """
SELECT id, url, host, hints, state, due, attempts, decided,
       source, kind, referrer, depth, redirects, found, reason, value, threshold, detail
FROM leads ORDER BY id
"""
_REPLACE_LEADS = (
    "DROP TABLE leads",
    "ALTER TABLE new_leads RENAME TO leads",
    "CREATE INDEX leads_waiting ON leads (host, due) WHERE state = 0",
)


def _facts_of_pages(connection: sqlite3.Connection) -> None:
    """Make room for what pages brought, by which traps are known, so that a kill forgets none."""
    connection.execute(
        "CREATE TABLE facts ("
        " id INTEGER PRIMARY KEY,"
        " hashes BLOB NOT NULL,"  # eight bytes each
        " until INTEGER NOT NULL)"  # bytes of all rows up to this one
    )
    connection.execute("CREATE INDEX facts_by_place ON facts (until)")


def _several_gatherers(connection: sqlite3.Connection) -> None:
    """Make room for who asks a host and writes a file; in a file of one writer it stays empty."""
    connection.execute("ALTER TABLE hosts ADD COLUMN gatherer INTEGER")
    connection.execute("ALTER TABLE shards ADD COLUMN gatherer INTEGER")


# Step n brings version n - 1 to version n. Never change a step that has been released: add one.
MIGRATIONS: Sequence[Callable[[sqlite3.Connection], None]] = (
    _first_schema,
    _compact_frontier,
    _facts_of_pages,
    _several_gatherers,
)


def migrate(
    connection: sqlite3.Connection,
    steps: Sequence[Callable[[sqlite3.Connection], None]] = MIGRATIONS,
) -> None:
    """Bring a catalog to the newest version, each step in its own transaction."""
    version = schema_version(connection)
    if version > len(steps):
        raise StoreError(
            f"The catalog has version {version}, this izwi knows {len(steps)}: update izwi."
        )
    for number, step in enumerate(steps[version:], version + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            step(connection)
            connection.execute(f"PRAGMA user_version = {number:d}")
        except BaseException:
            connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


def schema_version(connection: sqlite3.Connection) -> int:
    """Return the version of a catalog; 0 is an empty file."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> list[str]:
    statements, current = [], ""
    for line in script.splitlines(keepends=True):
        current += line
        if sqlite3.complete_statement(current):
            statements.append(current)
            current = ""
    return statements
