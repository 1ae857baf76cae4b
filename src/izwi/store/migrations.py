"""How an older catalog becomes a newer one, one numbered step after another."""

import sqlite3
from collections.abc import Callable, Sequence
from importlib.resources import files

from izwi.model.errors import StoreError


def _first_schema(connection: sqlite3.Connection) -> None:
    schema = files("izwi.store").joinpath("schema.sql").read_text(encoding="utf-8")
    for statement in _statements(schema):
        connection.execute(statement)


# Step n brings version n - 1 to version n. Never change a step that has been released: add one.
MIGRATIONS: Sequence[Callable[[sqlite3.Connection], None]] = (_first_schema,)


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
