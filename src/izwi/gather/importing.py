"""Captures that others made: WARC, ARC and WACZ files, folders and archives of pages."""

import io
import mimetypes
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from fastwarc.warc import ArchiveIterator, WarcRecordType

from izwi.gather.arc import arc_records, joined_chunks
from izwi.gather.urls import canonical
from izwi.model.capture import Capture, Headers, Lead
from izwi.model.errors import MissingExtra, SourceError

_PAGES = {".html", ".htm", ".xhtml", ".txt", ".pdf"}
_TYPES = ("text/html", "application/xhtml", "text/plain")
_WEB_ARCHIVES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz")


def captures_of_web_archive(path: Path, source: str, *, largest: int) -> Iterator[Capture]:
    """Yield the pages of a WARC, ARC or WACZ file, or of all such files in a folder."""
    for file in _web_archives(path):
        if file.name.lower().endswith(".wacz"):
            yield from _from_wacz(file, source, largest)
        elif file.name.lower().endswith((".arc", ".arc.gz")):
            yield from _from_arc(file, source, largest)
        else:
            with file.open("rb") as stream:
                yield from _from_stream(stream, file, source, largest)


def captures_of_files(
    path: Path, source: str, *, address: str, largest: int, tell: Callable[[str], None]
) -> Iterator[Capture]:
    """Yield HTML, text and PDF files of a folder, a zip or a tar archive as captures.

    They have no URL of their own: each gets `address` with its path behind it. A file that cannot
    be read is told, and the others go on.
    """
    for name, body, moment in _files(path, largest):
        url = canonical(f"{address.rstrip('/')}/{quote(name)}")
        if url is None:
            continue
        kind = mimetypes.guess_type(name)[0] or "text/html"
        try:
            if kind == "application/pdf":
                kind, body = "text/html; charset=utf-8", pdf_as_html(body, name)
        except SourceError as error:
            tell(str(error))
            continue
        headers = (("Content-Type", kind), ("Content-Length", str(len(body))))
        yield Capture(Lead(url, source, referrer=str(path)), moment, 200, "OK", headers, body)


def pdf_as_html(body: bytes, name: str) -> bytes:
    """Return the text of a PDF as a plain page, a paragraph for every block of lines."""
    try:
        from pypdf import PdfReader
        from pypdf.errors import PyPdfError
    except ImportError:
        raise MissingExtra(
            "PDF files need the package pypdf. Install it with: pip install 'izwi[pdf]'"
        ) from None
    from html import escape

    try:
        reader = PdfReader(io.BytesIO(body))
        texts = [page.extract_text() for page in reader.pages]
        title = (reader.metadata.title if reader.metadata else "") or name
    except (PyPdfError, ValueError, KeyError, TypeError, OSError) as error:
        raise SourceError(f"{name} cannot be read as PDF: {error}.") from error
    blocks = (block for text in texts for block in text.split("\n\n"))
    paragraphs = "".join(f"<p>{escape(' '.join(b.split()))}</p>\n" for b in blocks if b.strip())
    head = f'<meta charset="utf-8"><title>{escape(title)}</title>'
    return f"<!doctype html><html><head>{head}</head><body>{paragraphs}</body></html>".encode()


def _web_archives(path: Path) -> list[Path]:
    if not path.exists():
        raise SourceError(f"{path} does not exist.")
    found = sorted(path.rglob("*")) if path.is_dir() else [path]
    wanted = [each for each in found if each.name.lower().endswith(_WEB_ARCHIVES)]
    if not wanted:
        raise SourceError(f"{path} holds no WARC, ARC or WACZ file.")
    return wanted


def _from_wacz(path: Path, source: str, largest: int) -> Iterator[Capture]:
    try:
        with zipfile.ZipFile(path) as packed:
            for name in packed.namelist():
                if name.lower().endswith((".warc", ".warc.gz")):
                    with packed.open(name) as stream:
                        yield from _from_stream(stream, path, source, largest)
    except zipfile.BadZipFile as error:
        raise SourceError(f"{path} is no WACZ file: {error}.") from error


def _from_arc(path: Path, source: str, largest: int) -> Iterator[Capture]:
    try:
        with path.open("rb") as stream:
            for record in arc_records(stream, largest=largest):
                url = canonical(record.url)
                headers = record.headers or (("Content-Type", record.media_type),)
                if url and record.status == 200 and _is_page(headers):
                    lead = Lead(url, source, referrer=path.name)
                    yield Capture(lead, record.time, 200, "OK", headers, record.body)
    except (ValueError, OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{path} is damaged: {error}.") from error


def _is_page(headers: Headers) -> bool:
    """Return whether an answer is HTML or text, or does not say."""
    kind = next((value for name, value in headers if name.lower() == "content-type"), "")
    return not kind or kind.lower().startswith(_TYPES)


def _from_stream(stream: IO[bytes], path: Path, source: str, largest: int) -> Iterator[Capture]:
    kinds = WarcRecordType.response | WarcRecordType.resource
    try:
        for record in ArchiveIterator(stream, record_types=kinds, parse_http=True):
            capture = _capture(record, path, source, largest)
            if capture is not None:
                yield capture
    except SourceError:
        raise
    except Exception as error:  # fastwarc raises several kinds on damaged bytes
        raise SourceError(f"{path} is damaged: {type(error).__name__}: {error}.") from error


def _capture(record: Any, path: Path, source: str, largest: int) -> Capture | None:
    """Return a record as a capture; None if it is no page, or too large."""
    url = canonical(str(record.headers.get("WARC-Target-URI") or ""))
    http = record.http_headers
    status = int(http.status_code or 0) if http else 200
    if url is None or status != 200 or record.content_length > largest:
        return None
    headers: Headers = (
        tuple((str(name), str(value)) for name, value in http)
        if http
        else (("Content-Type", str(record.headers.get("Content-Type") or "")),)
    )
    if not _is_page(headers):
        return None
    body = record.reader.read()
    if "chunked" in next((v.lower() for n, v in headers if n.lower() == "transfer-encoding"), ""):
        body = joined_chunks(body)
    moment = record.record_date or datetime.now(UTC)
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return Capture(Lead(url, source, referrer=path.name), aware, status, "OK", headers, body)


def _files(path: Path, largest: int) -> Iterator[tuple[str, bytes, datetime]]:
    if path.is_dir():
        yield from _folder(path, largest)
    elif zipfile.is_zipfile(path):
        yield from _zip(path, largest)
    elif path.is_file() and tarfile.is_tarfile(path):
        yield from _tar(path, largest)
    elif path.is_file() and path.suffix.lower() in _PAGES:
        yield path.name, path.read_bytes(), _moment(path.stat().st_mtime)
    else:
        raise SourceError(f"{path} is neither a folder, a zip or tar archive, nor a page.")


def _folder(path: Path, largest: int) -> Iterator[tuple[str, bytes, datetime]]:
    for file in sorted(path.rglob("*")):
        if file.suffix.lower() in _PAGES and file.is_file() and file.stat().st_size <= largest:
            name = file.relative_to(path).as_posix()
            yield name, file.read_bytes(), _moment(file.stat().st_mtime)


def _zip(path: Path, largest: int) -> Iterator[tuple[str, bytes, datetime]]:
    with zipfile.ZipFile(path) as packed:
        for entry in packed.infolist():
            if Path(entry.filename).suffix.lower() in _PAGES and entry.file_size <= largest:
                moment = datetime(*entry.date_time, tzinfo=UTC)
                yield entry.filename, packed.read(entry), moment


def _tar(path: Path, largest: int) -> Iterator[tuple[str, bytes, datetime]]:
    with tarfile.open(path) as packed:
        for entry in packed:
            if Path(entry.name).suffix.lower() in _PAGES and entry.size <= largest:
                file = packed.extractfile(entry)
                if file is not None:
                    yield entry.name, file.read(), _moment(entry.mtime)


def _moment(seconds: float) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
