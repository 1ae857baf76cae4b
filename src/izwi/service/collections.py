"""Collections without a corpus: lines of `{"id", "paras": [...]}`, read in batches."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from izwi.dedup.batch import Bytes, as_bytes, joined
from izwi.model.errors import SourceError
from izwi.model.json_text import read_json

# Text judged at a time: large enough for the loops to pay, small enough for the memory.
_BATCH_BYTES = 6_000_000


@dataclass(frozen=True, slots=True)
class Item:
    """A document of a collection."""

    id: str
    paragraphs: list[str]


def read_batches(path: Path) -> Iterator[list[Item]]:
    """Yield the documents of a file, some megabytes at a time."""
    batch: list[Item] = []
    size = 0
    try:
        with path.open("rb") as lines:
            for number, line in enumerate(lines, 1):
                if not line.strip():
                    continue
                batch.append(_item(line, f"{path.name}, line {number}"))
                size += len(line)
                if size >= _BATCH_BYTES:
                    yield batch
                    batch, size = [], 0
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error
    if batch:
        yield batch


@dataclass(frozen=True, slots=True)
class Piece:
    """Some documents of a collection: their ids, how many paragraphs each has, and all text."""

    ids: list[str]
    paragraphs: list[int]
    text: Bytes


def read_pieces(path: Path) -> Iterator[Piece]:
    """Yield the documents of a file as bytes for the engine, some megabytes at a time."""
    done = 0
    try:
        with path.open("rb") as file:
            while raw := file.read(_BATCH_BYTES):
                raw += file.readline()
                lines, piece = _piece(raw, path.name, done)
                done += lines
                if piece.ids:
                    yield piece
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror or error}.") from error


def _piece(raw: bytes, name: str, done: int) -> tuple[int, Piece]:
    """Return the documents of some whole lines, and how many lines these are."""
    lines = raw.removesuffix(b"\n").split(b"\n")
    items = [
        _item(line, f"{name}, line {number}")
        for number, line in enumerate(lines, done + 1)
        if line and not line.isspace()
    ]
    text = as_bytes("".join([joined(item.paragraphs) for item in items]))
    ids, counts = [item.id for item in items], [len(item.paragraphs) for item in items]
    return len(lines), Piece(ids, counts, text)


def _item(line: bytes, place: str) -> Item:
    found = _parsed(line, place)
    if not isinstance(found, dict) or not isinstance(found.get("id"), str | int):
        raise SourceError(f'{place} has no "id"; each line is {{"id": ..., "paras": [...]}}.')
    paragraphs = found.get("paras")
    if not isinstance(paragraphs, list) or not all(type(each) is str for each in paragraphs):
        raise SourceError(f'{place}: "paras" is not a list of texts.')
    return Item(str(found["id"]), paragraphs)


def _parsed(line: bytes, place: str) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError:
        pass
    # The standard reader is slower but takes half surrogates, which broken crawlers write.
    try:
        return read_json(line.decode("utf-8", "replace"))
    except ValueError as error:
        raise SourceError(f"{place} is not JSON ({error}).") from None
