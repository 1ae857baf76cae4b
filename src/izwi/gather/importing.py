"""Captures that others made: WARC, ARC and WACZ files, folders and archives of pages.

ARC files, the form in which web archives were kept before WARC: a line, a block, a line ... See
https://archive.org/web/researcher/ArcFileFormat.php; both versions end their lines with the length
of the block that follows.
"""

import gzip
import io
import mimetypes
import re
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast
from urllib.parse import quote, urlsplit

from fastwarc.warc import ArchiveIterator, WarcRecordType

from izwi.gather.urls import canonical
from izwi.model.capture import OFFICE_BY_ENDING, Capture, Headers, Lead
from izwi.model.document import Verdict, dropped
from izwi.model.errors import SourceError

_PAGES = {".html", ".htm", ".xhtml", ".txt", *OFFICE_BY_ENDING}
_TYPES = ("text/html", "application/xhtml", "text/plain", *OFFICE_BY_ENDING.values())
_ANSWERS = WarcRecordType.response | WarcRecordType.resource
# What stands for an answer that is elsewhere, or was made of one.
_OTHERS = WarcRecordType.revisit | WarcRecordType.conversion | WarcRecordType.continuation
_WEB_ARCHIVES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz")
_CUT = "the archive ends inside this record"
# What the readers of zip and tar archives raise: cut off, locked by a password, packed unknown.
_DAMAGES = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError, ValueError)


@dataclass(frozen=True, slots=True)
class PassedOver:
    """A record that is no page to be taken, and why."""

    lead: Lead
    verdict: Verdict


Record = Capture | PassedOver


def captures_of_web_archive(path: Path, source: str, *, largest: int) -> Iterator[Record]:
    """Yield the records of a WARC, ARC or WACZ file, or of all such files in a folder.

    Every answer comes as a capture, or with the reason for which it is none.
    """
    for file in _web_archives(path):
        if file.name.lower().endswith(".wacz"):
            yield from _from_wacz(file, source, largest)
        elif file.name.lower().endswith((".arc", ".arc.gz")):
            yield from _from_arc(file, source, largest)
        else:
            with file.open("rb") as stream:
                yield from _from_stream(stream, file, source, largest)


def captures_of_files(path: Path, source: str, *, address: str, largest: int) -> Iterator[Record]:
    """Yield HTML, text, PDF, DOCX, ODT and EPUB files of a folder or an archive as captures.

    They have no URL of their own: each gets `address` with its path behind it. What is larger
    than a page may be comes with that as the reason for which it is none.
    """
    for found in _unpacked(path, largest):
        # The bytes of a name that is no text stay what they are.
        url = canonical(f"{address.rstrip('/')}/{quote(found.name, errors='surrogateescape')}")
        if url is None:
            continue
        lead = Lead(url, source, referrer=_printable(str(path)))
        if found.size > largest:
            verdict = dropped("fetch", "too-large", value=found.size, threshold=largest)
            yield PassedOver(lead, verdict)
            continue
        ending = Path(found.name).suffix.lower()
        kind = OFFICE_BY_ENDING.get(ending) or mimetypes.guess_type(found.name)[0] or "text/html"
        headers = (("Content-Type", kind), ("Content-Length", str(len(found.body))))
        yield Capture(lead, found.moment, 200, "OK", headers, found.body)


def _printable(name: str) -> str:
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _web_archives(path: Path) -> list[Path]:
    if not path.exists():
        raise SourceError(f"{path} does not exist.")
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    wanted = [each for each in found if each.name.lower().endswith(_WEB_ARCHIVES)]
    if not wanted:
        raise SourceError(f"{path} holds no WARC, ARC or WACZ file.")
    if not any(each.stat().st_size for each in wanted):
        raise SourceError(f"{path} is empty: it holds no record.")
    return wanted


def _from_wacz(path: Path, source: str, largest: int) -> Iterator[Record]:
    try:
        with zipfile.ZipFile(path) as packed:
            for name in packed.namelist():
                if name.lower().endswith((".warc", ".warc.gz")):
                    with packed.open(name) as stream:
                        yield from _from_stream(stream, path, source, largest)
    except _DAMAGES as error:
        raise SourceError(f"{path} is no WACZ file that can be read: {error}.") from error


def _from_arc(path: Path, source: str, largest: int) -> Iterator[Record]:
    try:
        with path.open("rb") as stream:
            for number, record in enumerate(arc_records(stream, largest=largest)):
                lead = _lead(record.url, source, path, number)
                headers = record.headers or (("Content-Type", record.media_type),)
                size = record.unread or len(record.body)
                verdict = _refusal(lead, record.url, record.status, headers, size, largest)
                if verdict is not None:
                    yield PassedOver(lead, verdict)
                else:
                    yield Capture(lead, record.time, 200, "OK", headers, record.body)
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{path} is damaged: {error}.") from error


def _lead(address: str, source: str, path: Path, number: int) -> Lead:
    """Return the lead of a record; one whose address is none gets its place in the file."""
    # wget writes addresses in angle brackets, as the grammar of WARC 1.0 had them.
    url = canonical(address.strip().removeprefix("<").removesuffix(">"))
    nowhere = f"http://{quote(path.name.lower())}.records.invalid/{number}"
    return Lead(url or canonical(nowhere) or nowhere, source, referrer=path.name)


def _refusal(
    lead: Lead, address: str, status: int, headers: Headers, size: int, largest: int
) -> Verdict | None:
    """Return why an answer is no page to be taken; None if it is one."""
    if urlsplit(lead.url).netloc.endswith(".records.invalid"):
        return dropped("fetch", "bad-address", detail=address[:200])
    if size > largest:
        return dropped("fetch", "too-large", value=size, threshold=largest)
    if status != 200:
        return dropped("fetch", f"http-{status}" if status else "broken-response")
    if not _is_page(headers):
        kind = next((value for name, value in headers if name.lower() == "content-type"), "")
        return dropped("fetch", "media-type", detail=kind[:100])
    return None


def _is_page(headers: Headers) -> bool:
    """Return whether an answer is HTML or text, or does not say."""
    kind = next((value for name, value in headers if name.lower() == "content-type"), "")
    return not kind or kind.lower().startswith(_TYPES)


def _from_stream(stream: IO[bytes], path: Path, source: str, largest: int) -> Iterator[Record]:
    try:
        records = ArchiveIterator(stream, record_types=_ANSWERS | _OTHERS, parse_http=True)
        for number, record in enumerate(records):
            yield _record(record, path, source, largest, number)
    except (SourceError, MemoryError):
        raise
    except Exception as error:  # fastwarc raises several kinds on damaged bytes
        raise SourceError(f"{path} is damaged: {str(error).rstrip('.')}.") from error


def _record(record: Any, path: Path, source: str, largest: int, number: int) -> Record:
    """Return a record as a capture, or why it is none."""
    address = str(record.headers.get("WARC-Target-URI") or "")
    lead = _lead(address, source, path, number)
    if record.record_type & _OTHERS:
        kind = str(record.headers.get("WARC-Type"))
        return PassedOver(lead, dropped("fetch", "no-answer", detail=kind))
    http = record.http_headers
    is_resource = record.record_type == WarcRecordType.resource
    status = _status(http) if http else 200 * is_resource
    headers: Headers = (
        tuple((str(name), str(value)) for name, value in http)
        if http
        else (("Content-Type", str(record.headers.get("Content-Type") or "")),)
    )
    length = record.content_length
    verdict = _refusal(lead, address, status, headers, length, largest)
    if verdict is not None:
        return PassedOver(lead, verdict)
    body = record.reader.read()
    if len(body) < length:
        return PassedOver(lead, dropped("fetch", "broken-response", detail=_CUT))
    if "chunked" in next((v.lower() for n, v in headers if n.lower() == "transfer-encoding"), ""):
        body = joined_chunks(body)
    moment = record.record_date or datetime.now(UTC)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return Capture(lead, aware, status, "OK", headers, body)


def _status(http: Any) -> int:
    try:
        return int(http.status_code or 0)
    except (TypeError, ValueError):
        return 0


@dataclass(frozen=True, slots=True)
class _File:
    """A file of a folder or an archive; one that is too large has a size and no bytes."""

    name: str
    moment: datetime
    size: int
    body: bytes = b""


def _unpacked(path: Path, largest: int) -> Iterator[_File]:
    """Yield the files of a folder or archive; whatever an archive has wrong is one sentence."""
    try:
        yield from _files(path, largest)
    except _DAMAGES as error:
        raise SourceError(f"{path} is damaged or locked: {error}.") from error


def _files(path: Path, largest: int) -> Iterator[_File]:
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix.lower() in _PAGES and file.is_file():
                yield _on_disk(file, file.relative_to(path).as_posix(), largest)
    elif zipfile.is_zipfile(path) and path.suffix.lower() not in _PAGES:
        yield from _zip(path, largest)
    elif path.is_file() and tarfile.is_tarfile(path):
        yield from _tar(path, largest)
    elif path.is_file() and path.suffix.lower() in _PAGES:
        yield _on_disk(path, path.name, largest)
    else:
        raise SourceError(f"{path} is neither a folder, a zip or tar archive, nor a page.")


def _on_disk(file: Path, name: str, largest: int) -> _File:
    state = file.stat()
    body = file.read_bytes() if state.st_size <= largest else b""
    return _File(name, _moment(state.st_mtime), state.st_size, body)


def _zip(path: Path, largest: int) -> Iterator[_File]:
    with zipfile.ZipFile(path) as packed:
        for entry in packed.infolist():
            if Path(entry.filename).suffix.lower() in _PAGES:
                body = packed.read(entry) if entry.file_size <= largest else b""
                yield _File(entry.filename, _packed_at(entry), entry.file_size, body)


def _tar(path: Path, largest: int) -> Iterator[_File]:
    with tarfile.open(path) as packed:
        for entry in packed:
            target = _packed_file(packed, entry)
            if Path(entry.name).suffix.lower() in _PAGES and target is not None:
                file = packed.extractfile(target) if target.size <= largest else None
                body = file.read() if file else b""
                yield _File(entry.name, _moment(entry.mtime), target.size, body)


def _packed_file(packed: tarfile.TarFile, entry: tarfile.TarInfo) -> tarfile.TarInfo | None:
    """Return where the bytes of an entry lie; None for links to names, which may lead in a ring."""
    try:
        target = packed.getmember(entry.linkname) if entry.islnk() else entry
    except KeyError:
        return None
    return target if target.isreg() else None


def _packed_at(entry: zipfile.ZipInfo) -> datetime:
    """Return when an entry was packed; programs that do not know write month and day 0."""
    try:
        return datetime(*entry.date_time, tzinfo=UTC)
    except ValueError:
        return _moment(0)


def _moment(seconds: float) -> datetime:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):  # a year that no calendar has
        return datetime.fromtimestamp(0, UTC)


_LONGEST_LINE = 20_000
_DATE = re.compile(r"\d{8,17}")
_SERVER = re.compile(r"[\d.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*|-")
_GZIP = b"\x1f\x8b"


@dataclass(frozen=True, slots=True)
class ArcRecord:
    """One exchange; a block that is no HTTP answer has status 0."""

    url: str
    time: datetime
    media_type: str
    status: int
    headers: Headers
    body: bytes
    # How long a block is that was too large to be read; 0 for all others.
    unread: int = 0


def arc_records(packed: io.BufferedReader, *, largest: int) -> Iterator[ArcRecord]:
    """Yield the records of an ARC file, packed or not; those that are too large without a body.

    Raises ValueError where the file is damaged.
    """
    file = _unpacked_arc(packed)
    while line := _next_line(file):
        fields = line.decode("utf-8", "replace").split(" ")
        date = _place_of_date(fields)
        if len(fields) < 5 or not fields[-1].isdecimal():
            raise ValueError(f"'{line[:60].decode('latin-1')}' does not begin a record")
        length = int(fields[-1])
        block = _read(file, length, is_wanted=length <= largest)
        if not fields[0].startswith("filedesc:"):
            yield _arc_record(fields, date, block, length)


def _unpacked_arc(file: io.BufferedReader) -> IO[bytes]:
    return cast(IO[bytes], gzip.GzipFile(fileobj=file)) if file.peek(2)[:2] == _GZIP else file


def _next_line(file: IO[bytes]) -> bytes:
    """Return the next line that is not empty; nothing at the end."""
    while line := file.readline(_LONGEST_LINE):
        if line.strip():
            return line.strip()
    return b""


def _read(file: IO[bytes], length: int, *, is_wanted: bool) -> bytes | None:
    """Return a block, or pass over one that is not wanted."""
    if is_wanted:
        block = file.read(length)
        if len(block) < length:
            raise ValueError("it ends inside a record")
        return block
    while length > 0:
        piece = file.read(min(length, 1 << 20))
        if not piece:
            raise ValueError("it ends inside a record")
        length -= len(piece)
    return None


def _place_of_date(fields: list[str]) -> int:
    """Return where the date stands: after the server's address; a URL may have spaces.

    >>> _place_of_date("http://a.example/a b 127.0.0.1 20140216050221 text/html 5".split(" "))
    3
    """
    return next(
        (
            place
            for place in range(2, len(fields))
            if _DATE.fullmatch(fields[place]) and _SERVER.fullmatch(fields[place - 1])
        ),
        2,
    )


def _arc_record(fields: list[str], date: int, block: bytes | None, length: int) -> ArcRecord:
    url, kind = " ".join(fields[: date - 1]), fields[date + 1]
    when = _arc_moment(fields[date])
    if block is None:
        return ArcRecord(url, when, kind, 0, (), b"", length)
    status, headers, body = _answer(block)
    return ArcRecord(url, when, kind, status, headers, body)


def _answer(block: bytes) -> tuple[int, Headers, bytes]:
    """Return status, headers and body of an HTTP answer, its chunks put together."""
    if not block.startswith(b"HTTP/"):
        return 0, (), block
    end = b"\r\n\r\n" if b"\r\n\r\n" in block else b"\n\n"
    head, _, body = block.partition(end)
    first, *lines = head.decode("latin-1").splitlines()
    words = first.split(" ")
    status = int(words[1]) if len(words) > 1 and words[1].isdecimal() else 0
    pairs = (line.partition(":") for line in lines)
    headers = tuple((name.strip(), value.strip()) for name, _, value in pairs if name.strip())
    is_chunked = any(
        name.lower() == "transfer-encoding" and "chunked" in value.lower()
        for name, value in headers
    )
    return status, headers, joined_chunks(body) if is_chunked else body


def joined_chunks(body: bytes) -> bytes:
    """Return a chunked body as one piece; one that is not chunked after all as it is.

    >>> joined_chunks(b"3\\r\\nabc\\r\\n2;x=y\\r\\nde\\r\\n0\\r\\n\\r\\n")
    b'abcde'
    """
    pieces: list[bytes] = []
    place = 0
    while True:
        end = body.find(b"\r\n", place)
        size = body[place:end].partition(b";")[0].strip() if end >= 0 else b""
        try:
            length = int(size, 16)
        except ValueError:
            return b"".join(pieces) if pieces else body
        if length <= 0:
            return b"".join(pieces)
        pieces.append(body[end + 2 : end + 2 + length])
        place = end + 2 + length + 2


def _arc_moment(date: str) -> datetime:
    try:
        return datetime.strptime(date[:14].ljust(14, "0"), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return datetime.now(UTC)
