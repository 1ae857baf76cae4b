"""A document as a file of some collection has it, and what rows of metadata say."""

import gzip
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import IO, Any

from izwi.model.document import Annotation, Metadata, Paragraph, Precision, PublicationDate
from izwi.model.errors import SourceError

_PLAIN = (
    "title", "author", "section", "site", "language", "licence", "image", "page_type", "parent",
)  # fmt: skip
_PRECISION_BY_LENGTH: Mapping[int, Precision] = {4: "year", 7: "month", 10: "day"}
_FIRST_YEAR = 1000
# No line of a text collection comes near it; a gzip file of 1 MB may hold one of 1 GB.
MOST_LINE = 256 << 20


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
