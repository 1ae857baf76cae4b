"""Forms with a file in them, read in one piece and no further than they may go."""

import re
from dataclasses import dataclass

from starlette.exceptions import HTTPException

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
        raise HTTPException(400, "This form cannot be read.")
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
