"""Whole files or none: written under a temporary name, made durable, then renamed."""

import errno
import os
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from izwi.model.errors import StoreError, environment_error

TEMPORARY = ".part"
# Size and time of the last change; nothing of a file that is not there.
FileState = tuple[int, int]


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Give a temporary name beside `path`; what is written there takes its place at the end."""
    _refuse_what_is_no_file(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex[:8]}{TEMPORARY}")
    try:
        yield temporary
        make_durable(temporary)
        temporary.replace(path)
        make_durable(path.parent)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def link(old: str | Path, new: str | Path) -> None:
    """Give a file a second name; where the disk has no such names, a copy.

    Files of layers are replaced and never changed, so neither name sees what the other becomes.
    """
    try:
        os.link(old, new)
    except FileExistsError:
        raise
    except OSError:
        shutil.copy2(old, new)


def is_device(path: Path) -> bool:
    """Return whether a path is there and neither a file nor a folder: /dev/null, a pipe."""
    return path.exists() and not path.is_file() and not path.is_dir()


def _refuse_what_is_no_file(path: Path) -> None:
    """Raise OSError for a place that a file must not take: a rename would do away with a device."""
    if not path.name or path.is_dir():  # no name: "/", or nothing given
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if is_device(path):
        raise FileExistsError(errno.EEXIST, "it is a device, not a file", str(path))


def write_bytes(path: Path, content: bytes) -> None:
    """Replace a file in one step."""
    with replacing(path) as temporary:
        temporary.write_bytes(content)


def write_text(path: Path, text: str) -> None:
    """Replace a text file in one step; it is UTF-8, with its line ends as they are."""
    write_bytes(path, text.encode())


def file_state(path: Path) -> FileState | None:
    """Return what tells whether a file was changed since one last looked."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_size, found.st_mtime_ns


def make_durable(path: Path) -> None:
    """Ask the operating system to put a file or folder on the disk now."""
    if path.is_dir() and os.name == "nt":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def remove_leftovers(folder: Path) -> None:
    """Delete the temporary files and folders of writers that were killed."""
    for path in list(folder.rglob(f".*{TEMPORARY}")):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


@contextmanager
def disk_errors() -> Iterator[None]:
    """Turn a full or read-only disk into the one sentence a user can act on."""
    try:
        yield
    except OSError as error:
        raise environment_error(error) or StoreError(
            f"{error.filename or 'A file'} cannot be used: {error.strerror or error}."
        ) from error
