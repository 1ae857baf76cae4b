"""The catalog in a PostgreSQL database: the same statements, spoken in its dialect."""

import errno
from collections.abc import Iterator, KeysView, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from izwi.model.errors import StoreError, environment_error, missing_extra
from izwi.model.records import dataclass

# What makes the tables, one script after another; a catalog of version n has the first n.
_SCRIPTS = (
    "schema-postgresql.sql", "schema-tallies-postgresql.sql", "schema-captured-postgresql.sql",
    "schema-facts.sql",
)  # fmt: skip
VERSION = len(_SCRIPTS)
# Whoever waits so long for a row that another gatherer has in hand leaves it to that one.
_LOCK_SECONDS = 2
# Of all processes that make the tables at the same moment, one does.
_MAKING = 7_041_952
TABLES = (
    "hosts", "origins", "leads", "addresses", "hints", "outcomes", "visits", "refusals",
    "patterns", "facts", "captures", "shards", "artefacts", "runs",
)  # fmt: skip
_BATCH = 5_000
_NUMBERED = ("hosts", "origins", "leads", "captures", "facts")


class Busy(StoreError):
    """Another gatherer has the row in hand."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a PostgreSQL catalog is, and whose it is; it never shows its password."""

    url: str
    corpus: str
    # The file that held the catalog before: what is in it is taken over by an empty database.
    before: Path | None = None

    def __str__(self) -> str:
        user, _, place = self._parts()
        return f"postgresql://{user}@{place}" if user else f"postgresql://{place}"

    def __repr__(self) -> str:
        return f"Address({str(self)!r}, {self.corpus!r})"

    def without_password(self, words: str) -> str:
        """Return what a server or a library said, without the password."""
        secret = self._parts()[1]
        for each in {secret, unquote(secret), quote(secret)} - {""}:
            words = words.replace(each, "***")
        return words

    def _parts(self) -> tuple[str, str, str]:
        """Return user, password and place, also of an address that is none."""
        who, _, where = self.url.partition("://")[2].rpartition("@")
        user, _, secret = who.partition(":")
        return user, secret, where.partition("?")[0]


class Row:
    """A row by place and by name, as SQLite gives it."""

    __slots__ = ("_places", "_values")

    def __init__(self, values: Sequence[Any], places: Mapping[str, int]) -> None:
        self._values = values
        self._places = places

    def __getitem__(self, key: int | str) -> Any:
        return self._values[self._places[key] if isinstance(key, str) else key]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def keys(self) -> KeysView[str]:
        """Return the names of the columns."""
        return self._places.keys()


class Served:
    """A connection that is used as one of SQLite is: statements, and BEGIN and COMMIT by hand."""

    def __init__(self, address: Address, *settings: str) -> None:
        self._address = address
        try:
            import psycopg
        except ImportError as error:
            raise (missing_extra(error) or error) from None
        self._error = psycopg.Error
        try:
            self._connection = psycopg.connect(
                address.url,
                autocommit=True,
                connect_timeout=10,
                keepalives_idle=10,
                keepalives_interval=5,
                keepalives_count=3,
                application_name="izwi",
                row_factory=_by_name,
            )
            for setting in settings:
                self._connection.execute(f"SET {setting}".encode())
        except psycopg.Error as error:
            raise self._no_connection(error) from None

    @property
    def in_transaction(self) -> bool:
        """Whether something was begun that is not committed."""
        return self._connection.info.transaction_status != 0

    def execute(self, statement: str, values: Sequence[object] = ()) -> Any:
        """Run a statement that is written for SQLite."""
        # No text of PostgreSQL holds a NUL; servers send them.
        given = [each.replace("\0", "\ufffd") if isinstance(each, str) else each for each in values]
        try:
            return self._connection.execute(_translated(statement), given)
        except self._error as error:
            raise self._store_error(error) from None

    def executemany(self, statement: str, rows: Sequence[Sequence[object]]) -> None:
        """Run a statement once for each row."""
        try:
            with self._connection.cursor() as cursor:
                cursor.executemany(_translated(statement), rows)
        except self._error as error:
            raise self._store_error(error) from None

    def clock(self) -> float:
        """Return the server's time: those of the gatherers' machines may differ."""
        row = self.execute("SELECT extract(epoch FROM clock_timestamp())").fetchone()
        return float(row[0])

    def close(self) -> None:
        """Close; what was not committed is gone."""
        with suppress(self._error):
            self._connection.close()

    def _no_connection(self, error: Exception) -> StoreError:
        return StoreError(
            f"The catalog at {self._address} cannot be opened: {self._said(error)}. "
            "Look at [store] catalog in corpus.toml, and whether the server runs."
        )

    def _store_error(self, error: Exception) -> StoreError:
        state = getattr(error, "sqlstate", None) or ""
        said = self._said(error)
        if state == "53100":
            number, place = errno.ENOSPC, str(self._address)
            return environment_error(OSError(number, said, place)) or StoreError(said)
        if state == "55P03":
            return Busy(f"The catalog at {self._address} is busy: {said}.")
        if self._connection.closed or state[:2] in ("08", "57"):
            return StoreError(
                f"The catalog at {self._address} does not answer any more ({said}). Run again when "
                "it does: nothing that was committed is lost."
            )
        return StoreError(f"The catalog at {self._address} cannot be used ({said}).")

    def _said(self, error: Exception) -> str:
        """Return the last thing a server said, in one line and without the password."""
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        told = next((line for line in lines if "FATAL" in line), lines[0] if lines else "no reason")
        return self._address.without_password(told.rpartition("FATAL:")[2].strip()).rstrip(".")


@lru_cache(maxsize=500)
def _translated(statement: str) -> str:
    """Return a statement with PostgreSQL's marks for values.

    >>> _translated("SELECT 1 FROM leads WHERE url LIKE '%' || ?")
    "SELECT 1 FROM leads WHERE url LIKE '%%' || %s"
    """
    if statement == "BEGIN IMMEDIATE":
        return "BEGIN"
    return statement.replace("%", "%%").replace("?", "%s")


def _by_name(cursor: Any) -> Any:
    places = {column.name: place for place, column in enumerate(cursor.description or ())}
    return lambda values: Row(values, places)


def open_for_writing(address: Address) -> Served:
    """Return a connection to a catalog whose tables are there, and are this corpus's."""
    connection = Served(address)
    try:
        _make_tables(connection, address)
    except BaseException:
        connection.close()
        raise
    return connection


def open_for_reading(address: Address) -> Served | None:
    """Return a connection that changes nothing, None if the catalog is still empty."""
    connection = Served(address, "default_transaction_read_only = on")
    try:
        version = _version(connection, address)
    except BaseException:
        connection.close()
        raise
    if version == VERSION:
        return connection
    connection.close()
    if version:
        raise StoreError(f"The catalog at {address} is of another version; run: izwi build")
    return None


def open_beside(address: Address) -> Served:
    """Return a second connection, for what several gatherers write: each statement by itself.

    It does not wait for the disk: the commit of the first connection, which follows, does.
    """
    return Served(address, "synchronous_commit = off", f"lock_timeout = '{_LOCK_SECONDS}s'")


def _make_tables(connection: Served, address: Address) -> None:
    connection.execute("BEGIN")
    connection.execute("SELECT pg_advisory_xact_lock(?)", (_MAKING,))
    version = _version(connection, address)
    for script in _SCRIPTS[version:] if version >= 0 else ():
        connection.execute(files("izwi.store").joinpath(script).read_text(encoding="utf-8"))
    if 0 <= version < VERSION:
        connection.execute("DELETE FROM about")
        connection.execute("INSERT INTO about VALUES (?, ?)", (VERSION, address.corpus))
    connection.execute("COMMIT")
    if not 0 <= version <= VERSION:
        raise StoreError(
            f"The catalog at {address} has version {version}, this izwi knows {VERSION}: "
            + ("update izwi." if version > VERSION else "no step leads from one to the other.")
        )


def _version(connection: Served, address: Address) -> int:
    """Return the version of the tables, 0 if there are none; another corpus's are refused."""
    if connection.execute("SELECT to_regclass('about')").fetchone()[0] is None:
        return 0
    version, corpus = connection.execute("SELECT version, corpus FROM about").fetchone()
    if corpus != address.corpus:
        raise StoreError(
            f"The catalog at {address} belongs to the corpus '{corpus}', not to "
            f"'{address.corpus}': give each corpus a database of its own."
        )
    return int(version)


def copy_rows(source: Any, target: Any) -> None:
    """Copy all tables of an open catalog into another, empty one; either may be of either kind."""
    for table in TABLES:
        rows = source.execute(f"SELECT * FROM {table}")
        while batch := rows.fetchmany(_BATCH):
            names = list(batch[0].keys())
            columns = ", ".join(f'"{name}"' for name in names)
            marks = ", ".join("?" * len(names))
            statement = f"INSERT INTO {table} ({columns}) VALUES ({marks})"
            target.executemany(statement, [tuple(row) for row in batch])


def take_in(connection: Served, source: Any) -> None:
    """Copy a catalog of another kind into this one, if nothing is in it yet."""
    if connection.execute("SELECT 1 FROM runs UNION ALL SELECT 1 FROM hosts LIMIT 1").fetchone():
        return
    connection.execute("BEGIN")
    copy_rows(source, connection)
    for table in _NUMBERED:
        connection.execute(
            f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), coalesce(max(id), 1))"
            f" FROM {table}"
        )
    connection.execute("COMMIT")
