"""Which files of the server curators may take in: those of the folders that its owner named."""

import os
import stat
from pathlib import Path

from izwi.model.errors import SourceError

# More than anybody puts into one import; a mount of a whole machine has more.
MOST_FILES = 200_000


def import_folders() -> tuple[Path, ...]:
    """Return the folders in IZWI_IMPORTS, as they really are; none if it is not set."""
    given = os.environ.get("IZWI_IMPORTS", "").split(os.pathsep)
    return tuple(Path(folder).resolve() for folder in given if folder)


def import_place(text: str, *, also: Path | None = None) -> Path:
    """Return a path that curators may take in, links followed; raise SourceError for others.

    `also` is a folder of the corpus itself, where what was sent lies.
    """
    folders = (*import_folders(), *([also.resolve()] if also else []))
    if not import_folders() and also is None:
        raise SourceError(
            "This server takes in no files of its own disk. Who runs it may name folders: "
            "IZWI_IMPORTS=/srv/imports izwi serve ..."
        )
    try:
        path = Path(text).resolve(strict=True)
    except (OSError, RuntimeError, ValueError):
        path = None
    # The same words for what is not there and for what is elsewhere: nobody looks around with it.
    if path is None or not any(path == each or each in path.parents for each in folders):
        raise SourceError(f"'{text[:200]}' is in none of the folders that this server takes in.")
    _check_kind(path, folders)
    return path


def _check_kind(path: Path, folders: tuple[Path, ...]) -> None:
    """Raise SourceError for devices, for links that lead out, and for more files than one takes."""
    if path.is_file():
        return
    if not path.is_dir():
        raise SourceError(f"{path.name} is neither a file nor a folder.")
    count = 0
    for folder, names, files in os.walk(path):
        for name in (*names, *files):
            each = Path(folder) / name
            count += 1
            if count > MOST_FILES:
                raise SourceError(f"{path.name} holds more than {MOST_FILES:,} files.")
            kind = each.lstat().st_mode
            if stat.S_ISLNK(kind):
                real = each.resolve()
                if not any(real == root or root in real.parents for root in folders):
                    raise SourceError(f"{path.name} has a link that leads out of it: {name}.")
            elif not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                raise SourceError(
                    f"{path.name} holds {name}, which is neither a file nor a folder."
                )
