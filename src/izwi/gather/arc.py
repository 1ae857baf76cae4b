"""ARC files, the form in which web archives were kept before WARC: a line, a block, a line ...

See https://archive.org/web/researcher/ArcFileFormat.php; both versions end their lines with the
length of the block that follows.
"""

import gzip
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import IO, cast

from izwi.model.capture import Headers

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
    file = _unpacked(packed)
    while line := _next_line(file):
        fields = line.decode("utf-8", "replace").split(" ")
        date = _place_of_date(fields)
        if len(fields) < 5 or not fields[-1].isdecimal():
            raise ValueError(f"'{line[:60].decode('latin-1')}' does not begin a record")
        length = int(fields[-1])
        block = _read(file, length, is_wanted=length <= largest)
        if not fields[0].startswith("filedesc:"):
            yield _record(fields, date, block, length)


def _unpacked(file: io.BufferedReader) -> IO[bytes]:
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


def _record(fields: list[str], date: int, block: bytes | None, length: int) -> ArcRecord:
    url, kind = " ".join(fields[: date - 1]), fields[date + 1]
    when = _moment(fields[date])
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


def _moment(date: str) -> datetime:
    try:
        return datetime.strptime(date[:14].ljust(14, "0"), "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    except ValueError:
        return datetime.now(UTC)
