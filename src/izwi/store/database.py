"""One SQLite file: what lies between two commits is in it whole, or not at all."""

import errno
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from izwi.model.errors import StoreError, environment_error
from izwi.store.files import file_state
from izwi.store.migrations import MIGRATIONS, migrate, schema_version

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
            return "" if row[0] == "ok" else str(row[0])
    except (sqlite3.Error, StoreError) as error:
        return str(error)


class Database:
    """An open file; its errors say what to do."""

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        connection.row_factory = sqlite3.Row
        self._connection = connection
        self._path = path

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
                    if _version_in_a_moment(connection, path) != len(MIGRATIONS):
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


def _store_error(error: Exception, path: Path) -> StoreError:
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
# The part of a file that is shared in memory could not be had, or nothing could.
_FOR_MEMORY = ("SQLITE_NOMEM", "SQLITE_IOERR_NOMEM", "SQLITE_IOERR_SHMMAP")


def stop_of(error: Exception, path: Path) -> StoreError | None:
    """Return the error that the machine is at fault; None for any other.

    >>> stop_of(sqlite3.OperationalError("database or disk is full"), Path("a")).args[0][:16]
    'The disk is full'
    """
    if _name(error) in _FOR_MEMORY or isinstance(error, MemoryError):
        return environment_error(MemoryError())
    words = str(error)
    number = next((number for cause, number in _CAUSES.items() if cause in words), None)
    return None if number is None else environment_error(OSError(number, words, str(path)))


def _name(error: Exception) -> str:
    """Return what SQLite calls an error."""
    return str(getattr(error, "sqlite_errorname", ""))
