"""One writer per corpus: a lock that the system releases when its holder dies, signed by name."""

import os
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from izwi.model.accounts import user_here
from izwi.model.errors import CorpusLocked
from izwi.store.files import disk_errors

# Looking who holds the lock takes it for a moment; a writer waits that long before it gives up.
_LOOKS = 10
_LOOK_SECONDS = 0.03


@contextmanager
def writing(path: Path, purpose: str) -> Iterator[None]:
    """Hold the lock file at `path`, or raise CorpusLocked with the name of who does."""
    with _holding(path, purpose, take):
        yield


@contextmanager
def writing_together(path: Path, purpose: str) -> Iterator[None]:
    """Hold the lock file with others who do the same, but with nobody who writes alone."""
    with _holding(path, purpose, take_together):
        yield


@contextmanager
def _holding(path: Path, purpose: str, by: Callable[[IO[Any]], bool]) -> Iterator[None]:
    with disk_errors():
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = path.open("a+", encoding="utf-8")
    with handle:
        if not _take_patiently(handle, by):
            raise CorpusLocked(
                f"{path.parent} is being written by {holder(path) or 'another process'}. "
                "Wait until it ends, or stop it; reading and searching work meanwhile."
            )
        with disk_errors():
            _sign(handle, purpose)
        try:
            yield
        finally:
            if take(handle):  # the last of several
                _clear(handle)


def holder(path: Path) -> str:
    """Return who holds the lock, in words; empty if nobody does."""
    try:
        with path.open("r+", encoding="utf-8") as handle:
            if take(handle):
                return ""
            handle.seek(0)
            return handle.read().strip()
    except OSError:
        return ""


def _take_patiently(handle: IO[str], by: Callable[[IO[Any]], bool]) -> bool:
    """Take the lock, waiting out those who only look who holds it."""
    for _ in range(_LOOKS):
        if by(handle):
            return True
        time.sleep(_LOOK_SECONDS)
    return by(handle)


def _sign(handle: IO[str], purpose: str) -> None:
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    _clear(handle)
    user, host = user_here() or "an unnamed user", socket.gethostname()
    handle.write(f"'{purpose}' of {user} on {host} (process {os.getpid()}, since {since})")
    handle.flush()


def _clear(handle: IO[str]) -> None:
    handle.seek(0)
    handle.truncate()


if sys.platform == "win32":
    import msvcrt

    def take(handle: IO[Any]) -> bool:
        """Hold a file until it is closed; return whether nobody else does."""
        try:
            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    # There are no shared locks: one gatherer at a time.
    take_together = take

else:
    import fcntl

    def take(handle: IO[Any]) -> bool:
        """Hold a file until it is closed; return whether nobody else does."""
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True

    def take_together(handle: IO[Any]) -> bool:
        """Hold a file as others may, too; return whether nobody holds it alone."""
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
