"""CSV of the metadata, for a spreadsheet: everything but the text."""

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from izwi.export.base import Edition
from izwi.export.records import FIELDS, LISTS, record
from izwi.model.document import Document

_COLUMNS = tuple(name for name in FIELDS if name not in ("text", "kinds"))


class Table:
    """Writes NAME.csv."""

    about: ClassVar[str] = "CSV of the metadata, without the texts"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write a line of names, then one for each document."""
        path = target / f"{self._edition.corpus}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, _COLUMNS, extrasaction="ignore")
            writer.writeheader()
            for document in documents:
                row = record(document)
                writer.writerow(row | {name: "; ".join(row[name]) for name in LISTS})
