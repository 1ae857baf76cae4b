"""WACZ: the raw captures behind the documents, packed for replay (WACZ 1.1.1).

Captures are copied byte for byte, so what an archive shows is what the server sent.
"""

import hashlib
import json
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, ClassVar
from urllib.parse import urlsplit

from izwi.export.base import Edition
from izwi.export.release import Parted, Workplace, sha256
from izwi.export.rows import sort_lines
from izwi.model.capture import CaptureEntry
from izwi.model.document import Document
from izwi.model.errors import CorruptShard, unreadable
from izwi.store.layout import Layout
from izwi.store.warc import opening_record, read_entries

VERSION = "1.1.1"
_WARC, _INDEX, _PAGES = "archive/data.warc.gz", "indexes/index.cdx", "pages/pages.jsonl"
_ALL_PAGES = b'{"format": "json-pages-1.0", "id": "pages", "title": "All pages"}\n'
_GZIP = 31


@dataclass
class RawCaptures:
    """The captures of some shards, found for documents that come in the same order."""

    layout: Layout
    shards: tuple[str, ...]
    _place: int = -1
    _entries: dict[tuple[str, datetime], CaptureEntry] = field(default_factory=dict)

    def find(self, document: Document) -> tuple[CaptureEntry, bytes]:
        """Return the entry of a document's capture and its bytes in the WARC file."""
        key = (document.url, document.captured)
        while key not in self._entries:
            self._place += 1
            if self._place >= len(self.shards):
                raise CorruptShard(f"The capture of {document.url} is in no WARC file.")
            listing = self.layout.captures(self.shards[self._place])
            self._entries = {(each.url, each.time): each for each in read_entries(listing)}
        return self._entries[key], self._read(self._entries[key])

    def _read(self, entry: CaptureEntry) -> bytes:
        path = self.layout.warc(self.shards[self._place])
        try:
            with path.open("rb") as file:
                file.seek(entry.offset)
                raw = file.read(entry.length)
        except OSError as error:
            raise unreadable(f"{path} cannot be read: {error.strerror}.", path, error) from error
        if len(raw) < entry.length:
            raise CorruptShard(f"{path} ends before the capture of {entry.url}.", str(path))
        return raw


class Wacz(Parted):
    """Writes NAME.wacz."""

    about: ClassVar[str] = "WACZ: the raw captures behind the documents"

    def __init__(self, edition: Edition, captures: RawCaptures) -> None:
        self._edition = edition
        self._captures = captures

    def begin(self, place: Workplace) -> None:
        """Begin the three files that grow: captures, where they lie, and pages."""
        opening = opening_record(Path(_WARC).name, self._software, self._moment)
        _rough(place, _WARC).write_bytes(opening)
        _rough(place, _INDEX).touch()
        _rough(place, _PAGES).write_bytes(_ALL_PAGES)

    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Copy the captures of documents and list them."""
        paths = [_rough(place, name) for name in (_WARC, _INDEX, _PAGES)]
        with ExitStack() as stack:
            warc, index, pages = (stack.enter_context(path.open("ab")) for path in paths)
            for document in documents:
                if document.metadata.parent:
                    continue  # a comment has no page of its own; that of its parent is replayed
                index.write(self._copy(document, warc).encode())
                pages.write(f"{json.dumps(_page(document), ensure_ascii=False)}\n".encode())
        return paths

    def finish(self, place: Workplace) -> None:
        """Put the list in order and pack all into one file."""
        listed = place.rough / "sorted.cdx"
        sort_lines(_rough(place, _INDEX), listed)
        parts = {_WARC: _rough(place, _WARC), _INDEX: listed, _PAGES: _rough(place, _PAGES)}
        with zipfile.ZipFile(place.whole / f"{self._edition.corpus}.wacz", "w") as packed:
            for name, path in parts.items():
                _pack(packed, name, path)
            package = _json(self._package(parts))
            packed.writestr(_entry("datapackage.json"), package)
            packed.writestr(_entry("datapackage-digest.json"), _json(_digest(package)))

    @property
    def _software(self) -> str:
        return f"izwi {self._edition.tools.get('izwi', '')}".strip()

    @property
    def _moment(self) -> datetime:
        """When the version was published: the same version gives the same file."""
        edition = self._edition
        return datetime.fromisoformat(edition.published or edition.made).astimezone(UTC)

    def _copy(self, document: Document, warc: IO[bytes]) -> str:
        """Copy a capture and return the line of the index that says where its response lies."""
        entry, raw = self._captures.find(document)
        offset = warc.tell()
        warc.write(raw)
        begin = list(members(raw))[-1]
        return cdx_line(entry, offset + begin, len(raw) - begin)

    def _package(self, parts: dict[str, Path]) -> dict[str, Any]:
        resources = [
            {
                "name": Path(name).name,
                "path": name,
                "hash": f"sha256:{sha256(path)}",
                "bytes": path.stat().st_size,
            }
            for name, path in parts.items()
        ]
        return {
            "profile": "data-package",
            "wacz_version": VERSION,
            "title": self._edition.name,
            "software": self._software,
            "created": self._edition.published or self._edition.made,
            "resources": resources,
        }


def _rough(place: Workplace, name: str) -> Path:
    return place.rough / Path(name).name


def _entry(name: str) -> zipfile.ZipInfo:
    """Return an entry without a time, so that the same files give the same archive."""
    return zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))


def _pack(packed: zipfile.ZipFile, name: str, path: Path) -> None:
    entry = _entry(name)
    # The size decides beforehand whether the entry needs the form for more than 4 GB.
    entry.file_size = path.stat().st_size
    with path.open("rb") as file, packed.open(entry, "w") as copy:
        shutil.copyfileobj(file, copy)


def members(raw: bytes) -> Iterator[int]:
    """Yield where each gzip member begins."""
    place = 0
    while place < len(raw):
        yield place
        unpack = zlib.decompressobj(_GZIP)
        unpack.decompress(raw[place:])
        place = len(raw) - len(unpack.unused_data)


def cdx_line(entry: CaptureEntry, offset: int, length: int) -> str:
    """Return a line of CDXJ: the sort key, the moment, and where the response is."""
    row = {
        "url": entry.url,
        "mime": entry.media_type,
        "status": str(entry.status),
        "digest": entry.digest,
        "length": str(length),
        "offset": str(offset),
        "filename": Path(_WARC).name,
    }
    moment = f"{entry.time.astimezone(UTC):%Y%m%d%H%M%S}"
    return f"{sort_key(entry.url)} {moment} {json.dumps(row, ensure_ascii=False)}\n"


def sort_key(url: str) -> str:
    """Return the form of a URL that puts pages of one site side by side.

    >>> sort_key("https://www.News.example:8080/A?b=1")
    'example,news:8080)/a?b=1'
    """
    parts = urlsplit(url.lower())
    host = ",".join(reversed((parts.hostname or "").removeprefix("www.").split(".")))
    port = f":{parts.port}" if parts.port else ""
    query = f"?{parts.query}" if parts.query else ""
    return f"{host}{port}){parts.path or '/'}{query}".replace(" ", "%20")


def _page(document: Document) -> dict[str, str]:
    moment = document.captured.astimezone(UTC).isoformat(timespec="seconds")
    return {
        "id": document.id,
        "url": document.url,
        "ts": moment.replace("+00:00", "Z"),
        "title": document.metadata.title,
    }


def _json(row: dict[str, Any]) -> str:
    return json.dumps(row, ensure_ascii=False, indent=1) + "\n"


def _digest(package: str) -> dict[str, str]:
    digest = hashlib.sha256(package.encode()).hexdigest()
    return {"path": "datapackage.json", "hash": f"sha256:{digest}"}
