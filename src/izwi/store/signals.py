"""What owners said of captures, read from the first record of each and nothing else."""

import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from izwi.model.errors import unreadable
from izwi.store.warc import read_entries

# The record of where a capture comes from is small; its gzip member nearly always fits.
_FIRST = 1 << 12
_GZIP = 31
_FIELD = b"izwi-rights: "
Key = tuple[str, str]


def rights_in(warc: Path, listing: Path) -> Mapping[Key, str]:
    """Return the signals of a shard's captures by URL and moment; those without any are left out.

    Not remembered: of millions of captures that would be much, and a card keeps what it counted.
    """
    try:
        return _rights_in(warc, listing)
    except (OSError, zlib.error) as error:
        raise unreadable(f"{warc} cannot be read ({error}).", warc, error) from error


def _rights_in(warc: Path, listing: Path) -> Mapping[Key, str]:
    found = {}
    with warc.open("rb") as file:
        for entry in read_entries(listing):
            if said := _signals(file, entry.offset):
                found[entry.url, entry.time.isoformat(timespec="seconds")] = said
    return found


def _signals(file: IO[bytes], offset: int) -> str:
    file.seek(offset)
    unpack = zlib.decompressobj(_GZIP)
    record = unpack.decompress(file.read(_FIRST))
    while not unpack.eof and (more := file.read(_FIRST)):
        record += unpack.decompress(more)
    lines = record.split(b"\r\n")
    said = next((line for line in lines if line.startswith(_FIELD)), b"")
    return said.removeprefix(_FIELD).decode("utf-8", "replace")
