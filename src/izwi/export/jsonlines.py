"""JSON Lines: a document a line."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

import orjson

from izwi.export.base import Edition
from izwi.export.records import record
from izwi.model.document import Document


class JsonLines:
    """Writes NAME.jsonl."""

    about: ClassVar[str] = "JSON Lines: text and metadata, a document a line"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write one object for each document."""
        with (target / f"{self._edition.corpus}.jsonl").open("wb") as file:
            for document in documents:
                file.write(orjson.dumps(record(document), option=orjson.OPT_APPEND_NEWLINE))
