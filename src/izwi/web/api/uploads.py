"""Files that curators bring: sent with a form, or lying in folders that the owner named."""

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from starlette.exceptions import HTTPException

from izwi.model.errors import SourceError

MULTIPART = "multipart/form-data"
MOST_UPLOAD_BYTES = 64 << 20
# A short boundary would make millions of parts of a file.
_MOST_PARTS = 1000
_BOUNDARY = re.compile(r'boundary="?([^";,]{1,200})"?')
_PART_NAME = re.compile(r'[; ]name="([^"]*)"')
_FILE_NAME = re.compile(r'[; ]filename="([^"]*)"')
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that a browser sent, under a name that can do no harm."""

    name: str
    body: bytes


def parts_of(body: bytes, content_type: str) -> tuple[list[tuple[str, str]], dict[str, Upload]]:
    """Return the fields and the files of a form."""
    found = _BOUNDARY.search(content_type)
    if found is None:
        raise HTTPException(400, "This form could not be read.")
    fields: list[tuple[str, str]] = []
    files: dict[str, Upload] = {}
    # A boundary begins a line; before the first one there may be no other line.
    pieces = (b"\r\n" + body).split(b"\r\n--" + found[1].encode(), _MOST_PARTS + 1)
    if len(pieces) > _MOST_PARTS + 1:
        raise HTTPException(413, f"A form with a file may have {_MOST_PARTS} fields at most.")
    # What stands before the first boundary and after the last belongs to nobody.
    for part in pieces[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        words = head.decode("utf-8", "replace")
        name, file = _PART_NAME.search(words), _FILE_NAME.search(words)
        if name is not None and file is None:
            fields.append((name[1], content.decode("utf-8", "replace")))
        elif name is not None and file is not None and file[1]:
            files[name[1]] = Upload(safe_name(file[1]), content)
    return fields, files


def safe_name(name: str) -> str:
    """Return the last part of a file's name, of harmless characters.

    >>> safe_name("../../etc/pass wd.warc.gz")
    'pass-wd.warc.gz'
    """
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    return _UNSAFE.sub("-", last).strip(".-")[-100:] or "file"


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
            "This server imports no files from its own disk. Whoever runs it can allow folders: "
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
