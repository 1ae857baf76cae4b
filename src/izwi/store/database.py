"""Where the catalog lies: between two commits whole or not at all; how an older one is renewed."""

import errno
import json
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import Any, Protocol, Self

from izwi.model.commands import typed
from izwi.model.errors import StoreError, environment_error
from izwi.store.files import file_state
from izwi.store.leads import STATES, split_url, url_hash
from izwi.store.objects import at_hand
from izwi.store.postgresql import (
    Address,
    Busy,
    Served,
    copy_rows,
    open_beside,
    open_for_reading,
    open_for_writing,
    take_in,
)

# Memory for the tables' pages: the same for a thousand URLs and for ten million.
_CACHE_KILOBYTES = 32_000
# A new catalog has its tables after so many seconds, even on a slow disk.
_MOMENT = 2.0


def damage_of_database(path: Path) -> str:
    """Return what SQLite finds wrong with a file; nothing if it is well."""
    try:
        with ExitStack() as closing:
            connection = _connect_read_only(path)
            closing.callback(connection.close)
            row = connection.execute("PRAGMA quick_check(1)").fetchone()
            if row[0] != "ok":
                return str(row[0])
            page = int(connection.execute("PRAGMA page_size").fetchone()[0])
            # SQLite reads the missing end of its last page as zeros, and finds nothing wrong.
            return "its last page is cut" if path.stat().st_size % page else ""
    except (sqlite3.Error, StoreError, OSError) as error:
        return str(error)


class Cursor(Protocol):
    """What a statement gave."""

    rowcount: int

    def fetchone(self) -> Any:
        """Return the next row, None after the last."""

    def fetchall(self) -> list[Any]:
        """Return all rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """What SQLite's and PostgreSQL's connections have in common."""

    @property
    def in_transaction(self) -> bool:
        """Whether something was begun that is not committed."""

    def execute(self, statement: str, values: Sequence[Any] = (), /) -> Any:
        """Run a statement."""

    def close(self) -> None:
        """Close; what was not committed is gone."""


class Statements:
    """Runs statements; those on what several gatherers write, each by itself at once."""

    def __init__(self, connection: Connection, place: Path | Address) -> None:
        self.connection = connection
        self.place = place
        # A second connection, and the hosts that are this gatherer's own, where there are several.
        self._beside: Connection | None = None
        self.held: set[str] = set()

    @property
    def is_shared(self) -> bool:
        """Whether other gatherers may write at the same time."""
        return self._beside is not None

    def share(self) -> None:
        """Reckon with other gatherers from now on, if the catalog can be shared."""
        if isinstance(self.place, Address):
            self._beside = open_beside(self.place)

    def close(self) -> None:
        """Close; what was not committed is gone."""
        self.connection.close()
        if self._beside is not None:
            self._beside.close()

    def begin(self) -> None:
        """Begin a transaction, if none is under way."""
        if not self.connection.in_transaction:
            self.execute("BEGIN IMMEDIATE")

    def execute(self, statement: str, values: Iterable[object] = ()) -> Cursor:
        """Run a statement in the transaction."""
        return self._execute(self.connection, statement, values)

    def rows(self, statement: str, values: Iterable[object] = ()) -> Iterator[Any]:
        """Yield the rows of a statement; damage may be met at any of them."""
        try:
            yield from self.execute(statement, values)
        except sqlite3.Error as error:
            raise _store_error(error, self.place) from error

    def apart(self, statement: str, values: Iterable[object] = ()) -> Cursor:
        """Run a statement on what others write, too; what one of them has in hand is left to it.

        Never in the transaction: two that wait for each other's rows would wait for ever.
        """
        if self._beside is None:
            self.begin()
            return self.execute(statement, values)
        try:
            return self._execute(self._beside, statement, values)
        except Busy:
            return _NOTHING

    def of_host(self, host: str, statement: str, values: Iterable[object] = ()) -> Cursor:
        """Run a statement on what belongs to a host: in the transaction if the host is held."""
        if self._beside is not None and host not in self.held:
            return self.apart(statement, values)
        self.begin()
        return self.execute(statement, values)

    @contextmanager
    def together(self) -> Iterator[None]:
        """Make what is run apart whole or not at all; `LookupError` takes it back quietly."""
        if self._beside is None:
            yield
            return
        self._beside.execute("BEGIN")
        try:
            yield
            self._beside.execute("COMMIT")
        except BaseException as error:
            self._beside.execute("ROLLBACK")
            if not isinstance(error, LookupError):
                raise

    def clock(self) -> float:
        """Return the time that all who write agree on."""
        return self._beside.clock() if isinstance(self._beside, Served) else time.time()

    def _execute(self, on: Connection, statement: str, values: Iterable[object]) -> Cursor:
        try:
            return on.execute(statement, tuple(values))  # type: ignore[no-any-return]
        except sqlite3.Error as error:
            raise _store_error(error, self.place) from error


class _Nothing:
    """The answer to a statement that was not run."""

    rowcount = 0

    def fetchone(self) -> None:
        """Return no row."""

    def fetchall(self) -> list[Any]:
        """Return no rows."""
        return []

    def __iter__(self) -> Iterator[Any]:
        return iter(())


_NOTHING = _Nothing()


class Database:
    """An open catalog, in a file or on a server; its errors say what to do."""

    def __init__(self, connection: Connection, place: Path | Address) -> None:
        self._sql = Statements(connection, place)
        self._connection, self._execute, self._rows = connection, self._sql.execute, self._sql.rows

    @classmethod
    def write(cls, place: Path | Address) -> Self:
        """Open for writing: make or migrate the tables first."""
        return cls(_for_writing(place), place)

    @classmethod
    def read(cls, place: Path | Address) -> Self:
        """Open for reading only; an absent catalog reads as an empty one."""
        if not isinstance(place, Address):
            return cls(_file_for_reading(place), place)
        return cls(open_for_reading(place) or _empty(), place)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def close(self) -> None:
        """Close; what was not committed is gone."""
        self._sql.close()

    def commit(self) -> None:
        """Make everything since the last commit durable, at once."""
        if self._connection.in_transaction:
            self._execute("COMMIT")

    def _begin(self) -> None:
        self._sql.begin()


def _for_writing(place: Path | Address) -> Connection:
    if not isinstance(place, Address):
        return _file_for_writing(place)
    connection = open_for_writing(place)
    if place.before is not None and place.before.exists():
        with closing(_file_for_writing(place.before)) as before:
            take_in(connection, before)
    return connection


def _file_for_writing(path: Path) -> sqlite3.Connection:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as on_failure:
            connection = sqlite3.connect(path, isolation_level=None)
            on_failure.callback(connection.close)
            connection.row_factory = sqlite3.Row
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KILOBYTES}")
            migrate(connection)
            on_failure.pop_all()
    except (sqlite3.Error, OSError) as error:
        raise _store_error(error, path) from error
    return connection


def _file_for_reading(path: Path) -> sqlite3.Connection:
    if not at_hand(path).exists():
        return _empty()
    try:
        with ExitStack() as on_failure:
            connection = _connect_read_only(path)
            on_failure.callback(connection.close)
            connection.row_factory = sqlite3.Row
            if _version_in_a_moment(connection, path) != len(MIGRATIONS):
                folder = typed(path.parent)
                raise StoreError(f"{path} is of another version; run: izwi build {folder}")
            on_failure.pop_all()
    except sqlite3.Error as error:
        raise _store_error(error, path) from error
    return connection


def copy_to_file(place: Address, path: Path) -> bool:
    """Copy a catalog on a server, as it is between two commits, to a new file; return True."""
    path.unlink(missing_ok=True)
    source = open_for_reading(place) or _empty()
    with closing(source), closing(_file_for_writing(path)) as target:
        # One transaction: all tables are of the same moment.
        if isinstance(source, Served):
            source.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        target.execute("BEGIN")
        copy_rows(source, target)
        for table in ("hosts", "shards"):
            target.execute(f"UPDATE {table} SET gatherer = NULL")
        target.execute("COMMIT")
    return True


def _empty() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.row_factory = sqlite3.Row
    migrate(connection)
    return connection


def _version_in_a_moment(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of a catalog; one that is just being made is waited for.

    An older one is not: it stays as it is until somebody writes.
    """
    end = time.monotonic() + _MOMENT
    while (version := schema_version(connection)) < len(MIGRATIONS) and time.monotonic() < end:
        if version and not _is_young(path):
            break
        time.sleep(0.02)
    return version


def _is_young(path: Path) -> bool:
    """Whether a catalog, or its journal, was changed a moment ago; readers leave an empty one."""
    states = (file_state(each) for each in (path, path.with_name(f"{path.name}-wal")))
    newest = max((state[1] for state in states if state and state[0]), default=0)
    return time.time() - newest / 1e9 < _MOMENT


def _connect_read_only(path: Path) -> sqlite3.Connection:
    address = path.absolute().as_uri()
    connection = sqlite3.connect(f"{address}?mode=ro", uri=True, isolation_level=None, timeout=10)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchall()
    except sqlite3.OperationalError as error:
        if _name(error) in _FOR_MEMORY:
            connection.close()
            raise
        # On a read-only mount SQLite cannot make its shared-memory file; nobody writes there.
        connection.close()
        return sqlite3.connect(f"{address}?immutable=1", uri=True, isolation_level=None)
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _store_error(error: Exception, path: Path | Address) -> StoreError:
    if isinstance(error, OSError):
        return environment_error(error) or StoreError(f"{path} cannot be opened: {error}.")
    stop = stop_of(error, path)
    if stop is None and _name(error).startswith("SQLITE_IOERR"):
        # Nothing says that the file is wrong: whoever moved it away would lose what it counts.
        return StoreError(
            f"{path} cannot be reached just now ({error}). Try again; look at the disk."
        )
    return stop or StoreError(
        f"{path} cannot be used ({error}). The captures are safe in the WARC files beside it; "
        "move the catalog away and gather again to make a new one."
    )


# What SQLite says, and what the system would have said.
_CAUSES = {"full": errno.ENOSPC, "readonly": errno.EROFS, "unable to open": errno.EACCES}
_LEAST_ROOM = 1 << 16
# The part of a file that is shared in memory could not be had, or nothing could.
_FOR_MEMORY = ("SQLITE_NOMEM", "SQLITE_IOERR_NOMEM", "SQLITE_IOERR_SHMMAP")


def stop_of(error: Exception, path: Path | Address) -> StoreError | None:
    """Return the error that the machine is at fault; None for any other.

    >>> stop_of(sqlite3.OperationalError("database or disk is full"), Path("a")).args[0][:16]
    'The disk is full'
    """
    if _name(error) in _FOR_MEMORY or isinstance(error, MemoryError):
        return environment_error(MemoryError())
    words = str(error)
    number = next((number for cause, number in _CAUSES.items() if cause in words), None)
    if number is None and _name(error).startswith("SQLITE_IOERR") and _is_full(path):
        number = errno.ENOSPC
    return None if number is None else environment_error(OSError(number, words, str(path)))


def _is_full(place: Path | Address) -> bool:
    """Whether there is no room where a file lies: not even for what SQLite shares in memory."""
    if isinstance(place, Address) or not place.parent.exists():
        return False
    return shutil.disk_usage(place.parent).free < _LEAST_ROOM


def _name(error: Exception) -> str:
    """Return what SQLite calls an error."""
    return str(getattr(error, "sqlite_errorname", ""))


def _run_script(connection: sqlite3.Connection, name: str) -> None:
    schema = files("izwi.store").joinpath(name).read_text(encoding="utf-8")
    for statement in _statements(schema):
        connection.execute(statement)


def _first_schema(connection: sqlite3.Connection) -> None:
    _run_script(connection, "schema.sql")


def _compact_frontier(connection: sqlite3.Connection) -> None:
    """Move the leads of version 1 into tables made for millions of them."""
    _run_script(connection, "schema-2.sql")
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
    # From these on leads and captures are counted while they come.
    partial(_run_script, name="schema-tallies.sql"),
    partial(_run_script, name="schema-captured.sql"),
    partial(_run_script, name="schema-facts.sql"),
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
