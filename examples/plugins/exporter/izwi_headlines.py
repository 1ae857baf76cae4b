"""A format of `izwi export`: a line a document with its date, its title and its address."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from izwi.export.base import Edition
from izwi.model.document import Document


class Headlines:
    """Made with the edition: the name of the corpus, its version, what the user asked for."""

    about: ClassVar[str] = "dates, titles and addresses, a line a document"

    def __init__(self, edition: Edition) -> None:
        self._name = f"{edition.corpus}-headlines.tsv"

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write all files into an empty folder; documents come one by one and are not kept."""
        with (target / self._name).open("w", encoding="utf-8") as file:
            for document in documents:
                said = document.metadata
                title = " ".join(said.title.split())
                day = said.date.value.isoformat() if said.date else ""
                file.write(f"{day}\t{title}\t{document.url}\n")
