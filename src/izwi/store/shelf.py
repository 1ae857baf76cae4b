"""Small things readers keep: one JSON file each, under a name nobody can guess."""

import json
import re
import secrets
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from izwi.model.errors import NotFound, QueryError, StoreError
from izwi.store.files import disk_errors, write_text

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
