"""CSV of the metadata, for a spreadsheet: everything but the text."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, ClassVar

from izwi.export.base import Edition
from izwi.export.parts import OneFile
from izwi.export.records import FIELDS, LISTS, record
from izwi.model.document import Document
from izwi.model.tabular import harmless

_COLUMNS = tuple(name for name in FIELDS if name not in ("text", "kinds"))


class Table(OneFile):
    """Writes NAME.csv."""

    about: ClassVar[str] = "CSV of the metadata, without the texts"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.csv"

    def opening(self) -> bytes:
        """Return the line of names."""
        return _line(_COLUMNS)

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield a line for each document."""
        for document in documents:
            row = record(document)
            row |= {name: "; ".join(row[name]) for name in LISTS}
            yield _line([row[name] for name in _COLUMNS])


def _line(values: Sequence[Any]) -> bytes:
    file = io.StringIO()
    csv.writer(file).writerow([harmless(value) for value in values])
    return file.getvalue().encode()
