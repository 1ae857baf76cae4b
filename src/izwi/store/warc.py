"""Captures on disk: append, cut a torn tail, seal, read by offset; what owners said of them.

Three records make a capture, each its own gzip member: metadata (which source proposed the URL and
what it said), request, response. Provenance is in the file, so all else can be rebuilt.
"""

import base64
import gzip
import hashlib
import io
import json
import os
import uuid
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, Self

from izwi.model.capture import Capture, CaptureEntry, Headers, Hints, Lead, LeadKind
from izwi.model.errors import CorruptShard, unreadable
from izwi.store.files import make_durable, replacing
from izwi.store.objects import at_hand

_CHUNK = 1 << 16
_PIECE = 1 << 12
# What zlib calls a stream with a gzip header.
_GZIP = 31
# Sent for the connection, not part of what is kept: the body is stored without chunk marks.
_HOP_BY_HOP = {"transfer-encoding", "connection", "keep-alive", "proxy-connection"}
_NO_HINTS = Hints()
# How the standard calls a revisit that found the same payload.
_UNCHANGED = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
_KINDS: Mapping[str, LeadKind] = {
    "feed": "feed", "sitemap": "sitemap", "list": "list", "comments": "comments",
}  # fmt: skip


class OversizedBody(ValueError):
    """A body unpacks to more than is allowed."""


class WarcWriter:
    """Appends captures to one growing file; nothing counts until `commit`."""

    def __init__(self, path: Path, *, committed: int) -> None:
        self.path = path
        self._file = path.open("ab")
        self._file.truncate(committed)
        self._file.seek(0, os.SEEK_END)
        self.size = committed

    @classmethod
    def create(cls, path: Path, software: str) -> Self:
        """Start a new file with its warcinfo record."""
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        writer = cls(path, committed=0)
        make_durable(path.parent)
        name = path.name.removesuffix(".open")
        writer._append(_information(name, software, datetime.now(UTC), _new_id()))
        return writer

    def append(self, capture: Capture) -> CaptureEntry:
        """Write a capture at the end and return where it lies."""
        offset = self.size
        digest = payload_digest(capture.body)
        for record in _records(capture, digest):
            self._append(record)
        return CaptureEntry(
            url=capture.lead.url,
            time=capture.time,
            status=capture.status,
            media_type=media_type(capture.header("Content-Type")),
            digest=digest,
            kind=capture.lead.kind,
            source=capture.lead.source,
            offset=offset,
            length=self.size - offset,
        )

    def append_revisit(self, lead: Lead, before: CaptureEntry, headers: Headers) -> None:
        """Write that a server said, or showed, that it still has what was captured before."""
        fields = {
            "WARC-Target-URI": lead.url,
            "WARC-Date": _warc_date(datetime.now(UTC)),
            "WARC-Profile": _UNCHANGED,
            "WARC-Refers-To-Target-URI": before.url,
            "WARC-Refers-To-Date": _warc_date(before.time),
            "WARC-Payload-Digest": before.digest,
            "Content-Type": "application/http; msgtype=response",
        }
        kept = tuple(pair for pair in headers if pair[0].lower() not in _HOP_BY_HOP)
        block = _http_block("HTTP/1.1 304 Not Modified", kept, b"")
        self._append(_record("revisit", fields, block))

    def commit(self) -> int:
        """Put everything on the disk and return the size that is now safe."""
        self._file.flush()
        os.fsync(self._file.fileno())
        return self.size

    def seal(self, sealed: Path, listing: Path, entries: Iterable[CaptureEntry]) -> None:
        """Close the file for good: its list of captures first, then its final name."""
        self.commit()
        self._file.close()
        write_entries(listing, entries)
        self.path.replace(sealed)
        make_durable(sealed.parent)

    def close(self) -> None:
        """Let go of the file as it is; what a full disk refuses now was never committed."""
        with suppress(OSError):
            self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _append(self, record: bytes) -> None:
        member = _packed(record)
        self._file.write(member)
        self.size += len(member)


def read_capture(path: Path, entry: CaptureEntry) -> Capture:
    """Return the capture at an offset; raise CorruptShard if its bytes are not what was written."""
    try:
        with at_hand(path).open("rb") as file:
            file.seek(entry.offset)
            raw = file.read(entry.length)
    except OSError as error:
        raise unreadable(
            f"{path} cannot be read: {error.strerror or error}.", path, error
        ) from error
    if len(raw) < entry.length:
        raise CorruptShard(f"{path} ends before the capture of {entry.url}.", str(path))
    return _from_members(raw, path, entry)


# How the line begins that says how many captures a list has.
_LAST_LINE = '{"captures": '


def write_entries(path: Path, entries: Iterable[CaptureEntry]) -> None:
    """Write the list of a file's captures; its last line says how many there are."""
    count = 0
    with replacing(path) as temporary, temporary.open("w", encoding="utf-8") as file:
        for entry in entries:
            row = asdict(entry) | {"time": entry.time.isoformat()}
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
        file.write(json.dumps({"captures": count}) + "\n")


def read_entries(path: Path, holding: str = "") -> Iterator[CaptureEntry]:
    """Yield the captures of a sealed file in order; raise CorruptShard if the list is not whole.

    Of a long list only those may be wanted in which a text stands, in letters of any size.
    """
    count, is_whole = 0, False
    needle = json.dumps(holding, ensure_ascii=False)[1:-1].lower()
    try:
        with at_hand(path).open(encoding="utf-8") as file:
            for line in file:
                if needle not in line.lower() and not line.startswith(_LAST_LINE):
                    count += 1
                    continue
                row = json.loads(line)
                if "captures" in row:
                    is_whole = row["captures"] == count
                    break
                yield CaptureEntry(**row | {"time": datetime.fromisoformat(row["time"])})
                count += 1
        if not is_whole:
            raise ValueError("it ends too early")
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise unreadable(f"{path} is damaged or missing ({error}).", path, error) from error


def is_whole_list(path: Path) -> bool:
    """Return whether a list of captures is there and ends as it should."""
    try:
        with path.open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - 100))
            return _LAST_LINE.encode() in file.read()
    except OSError:
        return False


def unreadable_captures(path: Path, listing: Path) -> tuple[int, int]:
    """Return how many of a file's captures cannot be read, and how many there are."""
    unread = total = 0
    for entry in read_entries(listing):
        total += 1
        try:
            read_capture(path, entry)
        except CorruptShard:
            unread += 1
    return unread, total


def decoded_body(capture: Capture, limit: int) -> bytes:
    """Return the body without its content encodings, refusing to unpack more than `limit` bytes."""
    body = capture.body
    encodings = [part.strip().lower() for part in capture.header("Content-Encoding").split(",")]
    for encoding in reversed(encodings):
        if encoding in ("gzip", "x-gzip"):
            body = _inflate(body, _GZIP, limit)
        elif encoding == "deflate":
            body = _inflate(body, 15 if _has_zlib_header(body) else -15, limit)
        elif encoding == "br":
            body = _unbrotli(body, limit)
        elif encoding not in ("", "identity"):
            raise ValueError(f"unknown content encoding '{encoding}'")
    if len(body) > limit:
        raise OversizedBody(f"the body has more than {limit} bytes")
    return body


def media_type(header: str) -> str:
    """Return the bare type of a Content-Type header.

    >>> media_type("Text/HTML; charset=utf-8")
    'text/html'
    """
    return header.split(";")[0].strip().lower()


def payload_digest(body: bytes) -> str:
    """Return the digest under which the WARC standard names a payload."""
    return "sha1:" + base64.b32encode(hashlib.sha1(body, usedforsecurity=False).digest()).decode()


def _has_zlib_header(body: bytes) -> bool:
    """Return whether a deflated body begins as RFC 1950 asks; some servers leave that out."""
    return len(body) > 1 and body[0] & 0x0F == 8 and int.from_bytes(body[:2], "big") % 31 == 0


def _inflate(body: bytes, window: int, limit: int) -> bytes:
    # In small pieces: what is left behind the end of a member is copied, and a body may be made of
    # half a million members.
    unpacker, plain, place = zlib.decompressobj(window), bytearray(), 0
    while place < len(body):
        piece = body[place : place + _PIECE]
        try:
            plain += unpacker.decompress(piece, limit + 1 - len(plain))
        except zlib.error as error:
            raise ValueError(f"the compressed body is broken ({error})") from error
        if len(plain) > limit:
            raise OversizedBody(f"the body unpacks to more than {limit} bytes")
        place += len(piece) - len(unpacker.unused_data)
        if unpacker.eof:
            # A gzip body may be several members, one after another; anything else is noise.
            if window != _GZIP or not body.startswith(b"\x1f\x8b", place):
                break
            unpacker = zlib.decompressobj(window)
    if body and not unpacker.eof:
        raise ValueError("the compressed body is cut short")
    return bytes(plain)


def _unbrotli(body: bytes, limit: int) -> bytes:
    import brotli

    unpacker, plain = brotli.Decompressor(), bytearray()
    try:
        for start in range(0, len(body), _CHUNK):
            plain += unpacker.process(body[start : start + _CHUNK], output_buffer_limit=limit + 1)
            while not unpacker.can_accept_more_data() and len(plain) <= limit:
                plain += unpacker.process(b"", output_buffer_limit=limit + 1)
            if len(plain) > limit:
                raise OversizedBody(f"the body unpacks to more than {limit} bytes")
    except brotli.error as error:
        raise ValueError(f"the compressed body is broken ({error})") from error
    if body and not unpacker.is_finished():
        raise ValueError("the compressed body is cut short")
    return bytes(plain)


def _records(capture: Capture, digest: str) -> Iterator[bytes]:
    response_id = _new_id()
    common = {"WARC-Target-URI": capture.lead.url, "WARC-Date": _warc_date(capture.time)}
    beside = common | {"WARC-Concurrent-To": response_id}
    yield _record(
        "metadata", beside | {"Content-Type": "application/warc-fields"}, _provenance(capture)
    )
    yield _record(
        "request",
        beside | {"Content-Type": "application/http; msgtype=request"},
        _http_block(f"GET {capture.lead.url} HTTP/1.1", capture.request_headers, b""),
    )
    kept = tuple(pair for pair in capture.headers if pair[0].lower() not in _HOP_BY_HOP)
    yield _record(
        "response",
        common
        | {
            "WARC-Record-ID": response_id,
            "WARC-Payload-Digest": digest,
            "Content-Type": "application/http; msgtype=response",
        },
        _http_block(f"HTTP/1.1 {capture.status} {capture.reason}", kept, capture.body),
    )


def opening_record(name: str, software: str, moment: datetime) -> bytes:
    """Return the first record of a file, packed; the same words give the same bytes."""
    identity = uuid.uuid5(uuid.NAMESPACE_URL, f"{name} {software} {moment.isoformat()}")
    return _packed(_information(name, software, moment, f"<urn:uuid:{identity}>"))


def _packed(record: bytes) -> bytes:
    return gzip.compress(record, compresslevel=6, mtime=0)


def _information(name: str, software: str, moment: datetime, identity: str) -> bytes:
    fields = f"software: {software}\r\nformat: WARC File Format 1.1\r\n"
    info = {
        "WARC-Record-ID": identity,
        "WARC-Filename": name,
        "WARC-Date": _warc_date(moment),
        "Content-Type": "application/warc-fields",
    }
    return _record("warcinfo", info, fields.encode())


def _record(kind: str, headers: Mapping[str, str], block: bytes) -> bytes:
    """Return one record as the WARC standard writes it."""
    fields = {
        "WARC-Type": kind,
        "WARC-Record-ID": _new_id(),
        "WARC-Block-Digest": payload_digest(block),
        **headers,
        "Content-Length": str(len(block)),
    }
    lines = "".join(f"{name}: {_one_line(value)}\r\n" for name, value in fields.items())
    return f"WARC/1.1\r\n{lines}\r\n".encode() + block + b"\r\n\r\n"


def _new_id() -> str:
    return f"<urn:uuid:{uuid.uuid4()}>"


def _warc_date(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _http_block(first_line: str, headers: Iterable[tuple[str, str]], body: bytes) -> bytes:
    lines = [first_line, *(f"{name}: {_one_line(value)}" for name, value in headers)]
    return "\r\n".join(lines).encode("latin-1", "replace") + b"\r\n\r\n" + body


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")


def _provenance(capture: Capture) -> bytes:
    """Return a lead as WARC fields: `via` is the standard's name, the others are ours."""
    lead = capture.lead
    fields = {
        "via": lead.referrer,
        "izwi-source": lead.source,
        "izwi-kind": lead.kind,
        "izwi-depth": str(lead.depth),
        "izwi-redirects": str(lead.redirects),
        "izwi-hints": json.dumps(asdict(lead.hints)) if lead.hints != _NO_HINTS else "",
        "izwi-rights": capture.rights,
    }
    lines = (f"{name}: {_one_line(value)}\r\n" for name, value in fields.items() if value)
    return "".join(lines).encode()


def _from_members(raw: bytes, path: Path, entry: CaptureEntry) -> Capture:
    # Commands that read no capture load no reader of archives.
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    fields: dict[str, str] = {}
    try:
        for record in ArchiveIterator(io.BytesIO(raw), parse_http=False):
            if not record.verify_block_digest():
                break
            if record.record_type == WarcRecordType.metadata:
                fields = _fields(record.reader.read())
            elif record.record_type == WarcRecordType.response:
                return _capture(record, fields, entry)
    except Exception as error:  # fastwarc raises several kinds on damaged bytes
        raise unreadable(f"{path} is damaged at {entry.url} ({error}).", path, error) from error
    raise CorruptShard(f"{path} is damaged at the capture of {entry.url}.", str(path))


def _fields(block: bytes) -> dict[str, str]:
    pairs = (line.partition(": ") for line in block.decode("utf-8", "replace").splitlines())
    return {name: value for name, _, value in pairs if name}


def _capture(record: Any, fields: dict[str, str], entry: CaptureEntry) -> Capture:
    record.parse_http()
    headers = tuple((str(name), str(value)) for name, value in record.http_headers)
    lead = Lead(
        url=entry.url,
        source=fields.get("izwi-source", entry.source),
        kind=_KINDS.get(fields.get("izwi-kind", ""), "page"),
        referrer=fields.get("via", ""),
        depth=int(fields.get("izwi-depth", 0)),
        redirects=int(fields.get("izwi-redirects", 0)),
        hints=Hints(**json.loads(fields.get("izwi-hints", "{}"))),
    )
    body = record.reader.read()
    reason = record.http_headers.reason_phrase or ""
    rights = fields.get("izwi-rights", "")
    return Capture(lead, entry.time, entry.status, reason, headers, body, rights=rights)


# The record of where a capture comes from is small; its gzip member nearly always fits.
_FIRST = 1 << 12

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
