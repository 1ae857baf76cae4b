"""A document as a file of some collection has it: texts with metadata, JSON Lines or Parquet."""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from itertools import repeat
from pathlib import Path
from typing import IO, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from izwi.model.document import Annotation, Metadata, Paragraph, Precision, PublicationDate
from izwi.model.errors import SourceError

_PLAIN = (
    "title", "author", "section", "site", "language", "licence", "image", "page_type", "parent",
)  # fmt: skip
_PRECISION_BY_LENGTH: Mapping[int, Precision] = {4: "year", 7: "month", 10: "day"}
_FIRST_YEAR = 1000
# No line of a text collection comes near it; a gzip file of 1 MB may hold one of 1 GB.
MOST_LINE = 256 << 20
# What one marked-up text may have of letters, and of elements and attributes, which take more
# memory than letters; the longest sessions of parliaments, every word marked up, have a tenth.
_MOST_BYTES = 256 << 20
_MOST_MARKUP = 16 << 20


@dataclass(frozen=True, slots=True)
class Incoming:
    """A document that somebody else made; what is empty was not said."""

    paragraphs: tuple[Paragraph, ...]
    metadata: Metadata = field(default_factory=Metadata)
    id: str = ""
    url: str = ""
    source: str = ""
    captured: datetime | None = None
    # Its tokens, if the collection has them; offsets are into the paragraphs, a line each.
    given: Annotation | None = None


def files_of(path: Path, suffixes: tuple[str, ...], what: str) -> list[Path]:
    """Return a file, or all files of a folder with one of the suffixes; there must be some."""
    if not path.exists():
        raise SourceError(f"{path} does not exist.")
    if path.is_file():
        return [path]
    found = [each for each in sorted(path.rglob("*")) if each.name.lower().endswith(suffixes)]
    if not found:
        raise SourceError(f"{path} holds no {what} ({', '.join(suffixes)}).")
    return found


def opened(path: Path) -> IO[bytes]:
    """Return a file open for reading; gzip is understood."""
    if path.name.lower().endswith(".gz"):
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return path.open("rb")


def long_lines(file: IO[bytes], path: Path) -> Iterator[bytes]:
    """Yield the lines of a file; one that would fill the memory, as of a gzip bomb, is refused."""
    while line := file.readline(MOST_LINE + 1):
        if len(line) > MOST_LINE:
            raise SourceError(f"{path} has a line of more than {MOST_LINE >> 20} MiB; split it.")
        yield line


@dataclass
class Bounded:
    """A file of marked-up texts, read as long as none of them grows without end."""

    file: IO[bytes]
    path: Path
    size: int = 0
    markup: int = 0

    def begin(self) -> None:
        """Count anew: a text is over."""
        self.size = self.markup = 0

    def read(self, size: int) -> bytes:
        """Return what comes next."""
        found = self.file.read(size)
        self.size += len(found)
        self.markup += found.count(b"<") + found.count(b"=")
        if self.size > _MOST_BYTES or self.markup > _MOST_MARKUP:
            raise SourceError(
                f"{self.path} holds a text of more than {_MOST_BYTES >> 20} MiB, or of more than "
                f"{_MOST_MARKUP:,} elements; divide it."
            )
        return found


def lines_of(path: Path) -> Iterator[str]:
    """Yield the lines of a file in UTF-8, without their ends; only line feeds end a line."""
    number = 0
    try:
        with opened(path) as file:
            for line in long_lines(file, path):
                number += 1
                yield line.decode("utf-8").rstrip("\r\n")
    except UnicodeDecodeError as error:
        raise SourceError(f"{path}, line {number} is not UTF-8: {error.reason}.") from error
    except (OSError, EOFError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error


def metadata_of(row: Mapping[str, Any]) -> Metadata:
    """Return what a row says under the names our own exports use."""
    plain: dict[str, Any] = {name: _text(row.get(name)) for name in _PLAIN}
    keywords = row.get("keywords") or ()
    if isinstance(keywords, str):
        keywords = keywords.split(";")
    words = keywords if isinstance(keywords, (list, tuple)) else ()
    return Metadata(
        date=dated(_known(row, "date"), _text(row.get("date_evidence"))),
        modified=dated(_known(row, "modified"), ""),
        keywords=tuple(word.strip() for word in map(str, words) if word.strip()),
        **plain,
    )


def _known(row: Mapping[str, Any], name: str) -> str:
    """Return a date without the parts that its column of precision says nobody knows."""
    length = {"month": 7, "year": 4}.get(_text(row.get(f"{name}_precision")), 10)
    return _text(row.get(name)).strip()[:length]


def dated(text: str, evidence: str) -> PublicationDate | None:
    """Return a date as exact as it is written; None if it is none, or of no time of writing.

    Years such as 9999 stand for "unknown" in many collections.

    >>> dated("2014-03", "JSON-LD")
    PublicationDate(value=datetime.date(2014, 3, 1), precision='month', evidence='JSON-LD')
    """
    text = text.strip()[:10]
    precision = _PRECISION_BY_LENGTH.get(len(text))
    if precision is None:
        return None
    try:
        found = date.fromisoformat(f"{text}-01-01"[:10])
    except ValueError:
        return None
    if not _FIRST_YEAR <= found.year <= datetime.now(UTC).year + 1:
        return None
    return PublicationDate(found, precision, evidence)


def moment(text: str) -> datetime | None:
    """Return a moment in UTC, None if the text is none."""
    try:
        found = datetime.fromisoformat(text)
        return found.astimezone(UTC) if found.tzinfo else found.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def _text(value: Any) -> str:
    """Return a value as text; dates of Parquet files are written as ISO has them."""
    if value is None:
        return ""
    return value.isoformat() if isinstance(value, date) else str(value)


_SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson", ".parquet")
_ROWS = 200
_AT_ONCE = 32 << 20


def read_texts(path: Path) -> Iterator[Incoming]:
    """Yield the documents of a file, or of all such files in a folder."""
    for file in files_of(path, _SUFFIXES, "texts"):
        rows = _parquet_rows(file) if file.name.lower().endswith(".parquet") else _json_rows(file)
        for number, row in enumerate(rows, 1):
            yield document_of(row, f"{file}, row {number}")


def document_of(row: Mapping[str, Any], place: str) -> Incoming:
    """Return the document of a row; `text` is the one column it needs."""
    nested = row.get("metadata")
    said = {**nested, **row} if isinstance(nested, dict) else row
    text = said.get("text")
    if not isinstance(text, str):
        raise SourceError(f"{place} has no column `text`, so it is no text.")
    return Incoming(
        paragraphs=paragraphs_of(text, said.get("kinds")),
        metadata=metadata_of(said),
        id=str(said.get("id") or ""),
        url=str(said.get("url") or ""),
        source=str(said.get("source") or ""),
        captured=moment(str(said.get("captured") or "")),
    )


def paragraphs_of(text: str, kinds: Any) -> tuple[Paragraph, ...]:
    """Return the lines of a text as paragraphs; without kinds, empty lines only divide."""
    lines = text.split("\n")
    if isinstance(kinds, list) and (len(kinds) == len(lines) or not (kinds or text)):
        return tuple(Paragraph(line, str(kind)) for line, kind in zip(lines, kinds, strict=False))
    stripped = (line.strip() for line in lines)
    return tuple(Paragraph(line, kind) for line, kind in zip(stripped, repeat("p")) if line)


def _json_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    number = 0
    try:
        with opened(path) as file:
            for number, line in enumerate(long_lines(file, path), 1):
                if line.strip():
                    yield _object(orjson.loads(line), f"{path}, line {number}")
    except orjson.JSONDecodeError as error:
        raise SourceError(f"{path}, line {number} is no JSON: {error}.") from error
    except (OSError, EOFError) as error:
        raise SourceError(f"{path} cannot be read: {error}.") from error


def _object(found: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(found, dict):
        raise SourceError(f"{place} is not an object with names and values.")
    return found


def _rows_at_once(file: pq.ParquetFile) -> int:
    """Return how many rows are read together, so that they fit into memory unpacked."""
    groups = [file.metadata.row_group(n) for n in range(file.metadata.num_row_groups)]
    mean = max((each.total_byte_size // max(1, each.num_rows) for each in groups), default=0)
    if mean > MOST_LINE:
        raise SourceError(f"A row of the file has more than {MOST_LINE >> 20} MiB; split it.")
    return min(_ROWS, max(1, _AT_ONCE // max(1, mean)))


def _parquet_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        names = [each.name for each in pq.read_schema(path) if pa.types.is_string(each.type)]
        # A text that a dictionary has once may stand in a million rows: each is made in its turn.
        with pq.ParquetFile(path, read_dictionary=names) as file:
            batches = file.iter_batches(batch_size=_rows_at_once(file), use_threads=False)
            for batch in batches:
                for row in range(batch.num_rows):
                    yield batch.slice(row, 1).to_pylist()[0]
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{path} cannot be read as Parquet: {error}.") from error
