"""Whole documents of a collection that are copies, by sentences or by shingles."""

from itertools import chain
from pathlib import Path
from typing import Any

import orjson

from izwi.dedup.documents import (
    Likeness,
    SentenceSettings,
    ShingleSettings,
    sentence_copies,
    shingle_copies,
)
from izwi.model.errors import QueryError
from izwi.model.results import CollectionReport
from izwi.service.collections import Item, read_batches
from izwi.store.files import disk_errors, replacing

METHODS = ("sentences", "shingles")


def deduplicate_documents(source: Path, target: Path, *, method: str) -> CollectionReport:
    """Write for each document of a collection whether it is a copy; the collection is in memory."""
    items = list(chain.from_iterable(read_batches(source)))
    found = _copies([item.paragraphs for item in items], method)
    with disk_errors(), replacing(target) as temporary, temporary.open("wb") as out:
        for place, item in enumerate(items):
            out.write(_line(item, items, found.get(place), method))
    copied = [items[place] for place in found]
    return CollectionReport(
        documents=len(items),
        blocks=sum(len(item.paragraphs) for item in items),
        tokens=_words(items),
        copied_blocks=sum(len(item.paragraphs) for item in copied),
        copied_tokens=_words(copied),
    )


def _copies(documents: list[list[str]], method: str) -> dict[int, Likeness]:
    if method == "sentences":
        return {each.document: each for each in sentence_copies(documents, SentenceSettings())}
    if method == "shingles":
        return {each.document: each for each in shingle_copies(documents, ShingleSettings())}
    raise QueryError(f"'{method}' is no method; write blocks, sentences or shingles.")


def _line(item: Item, items: list[Item], copy: Likeness | None, method: str) -> bytes:
    line: dict[str, Any] = {
        "id": item.id,
        "keep": [] if copy else list(range(len(item.paragraphs))),
        "copy_of": items[copy.original].id if copy else None,
    }
    if copy:
        line |= {"similarity": round(copy.similarity, 4), "method": method}
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)


def _words(items: list[Item]) -> int:
    return sum(len(text.split()) for item in items for text in item.paragraphs)
