"""Collections without a corpus: lines of `{"id", "paras": [...]}`, read in batches."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from izwi.model.errors import SourceError

# Text judged at a time: large enough for the loops to pay, small enough for the memory.
_BATCH_BYTES = 3_000_000


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
        return json.loads(line.decode("utf-8", "replace"))
    except ValueError as error:
        raise SourceError(f"{place} is not JSON ({error}).") from None
