"""Which counts over all documents of a version are kept beside its index for whoever asks next.

Only numbers are kept, never words: what is taken down stands nowhere else. A version never
changes, so what was counted of it stays true; files asked for longest ago make room for others.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from izwi.analyse.selection import Selection
from izwi.query.documents import Filter
from izwi.store.files import file_state, replacing

FOLDER = "kept"
# Of less text everything is counted at once.
LEAST_TOKENS = 1_000_000
MOST_BYTES = 256 << 20
# Counted otherwise, what an older izwi kept is passed over.
_FORMAT = 1
Arrays = tuple[NDArray[Any], ...]


def kept(selection: Selection, question: tuple[object, ...], make: Callable[[], Arrays]) -> Arrays:
    """Return what was counted for a question before, or count it now and keep it."""
    if not _is_worth_keeping(selection):
        return make()
    folder = selection.segments[0].folder.parent.parent / FOLDER
    path = folder / f"{_digest(selection, question)}.npz"
    found = _read(path)
    if found is None:
        found = make()
        # A corpus that can only be read is searched all the same.
        with suppress(OSError):
            _write(path, found)
    return found


def _is_worth_keeping(selection: Selection) -> bool:
    is_all = selection.only is None and selection.chosen == Filter()
    return is_all and selection.tokens >= LEAST_TOKENS


def _digest(selection: Selection, question: tuple[object, ...]) -> str:
    """Return a name for a question to some segments as they are."""
    texts = [
        (each.folder.name, file_state(each.folder / "segment.json"), each.gone)
        for each in selection.segments
    ]
    said = repr((_FORMAT, texts, question)).encode()
    return hashlib.blake2b(said, digest_size=16).hexdigest()


def _read(path: Path) -> Arrays | None:
    """Return what was kept, or nothing if it is not there or damaged."""
    try:
        # Opened here: NumPy leaves a damaged file open.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            found = tuple(stored[f"arr_{place}"] for place in range(len(stored.files)))
        os.utime(path)
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        return None
    return found


def _write(path: Path, arrays: Arrays) -> None:
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez(file, *arrays)
    files = sorted(path.parent.glob("*.npz"), key=lambda each: each.stat().st_mtime, reverse=True)
    taken = np.cumsum([each.stat().st_size for each in files])
    for old in np.flatnonzero(taken > MOST_BYTES).tolist():
        if files[old] != path:
            files[old].unlink(missing_ok=True)
