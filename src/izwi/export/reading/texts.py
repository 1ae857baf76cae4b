"""Texts with metadata as JSON Lines or Parquet: our own, those of datatrove and `datasets`."""

from collections.abc import Iterator, Mapping
from itertools import chain, repeat
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from izwi.export.reading.incoming import (
    Incoming,
    files_of,
    long_lines,
    metadata_of,
    moment,
    opened,
)
from izwi.model.document import Paragraph
from izwi.model.errors import SourceError

_SUFFIXES = (".jsonl", ".jsonl.gz", ".ndjson", ".parquet")
_ROWS = 200


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


def _parquet_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    try:
        with pq.ParquetFile(path) as file:
            batches = file.iter_batches(batch_size=_ROWS)
            yield from chain.from_iterable(batch.to_pylist() for batch in batches)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{path} cannot be read as Parquet: {error}.") from error
