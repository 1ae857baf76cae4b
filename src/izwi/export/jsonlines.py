"""JSON Lines: a document a line."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

import orjson

from izwi.export.base import Edition
from izwi.export.parts import OneFile
from izwi.export.records import record
from izwi.model.document import Document


class JsonLines(OneFile):
    """Writes NAME.jsonl."""

    about: ClassVar[str] = "JSON Lines: text and metadata, a document a line"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.jsonl"

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield one object for each document."""
        for document in documents:
            yield orjson.dumps(record(document), option=orjson.OPT_APPEND_NEWLINE)
