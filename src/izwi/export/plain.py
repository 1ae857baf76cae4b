"""Plain text: a paragraph a line, an empty line between documents."""

from collections.abc import Iterable
from pathlib import Path
from typing import ClassVar

from izwi.export.base import Edition
from izwi.export.passages import passages
from izwi.model.document import Document


class Plain:
    """Writes NAME.txt."""

    about: ClassVar[str] = "plain text, a paragraph a line, an empty line between documents"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write the texts one after another; paragraphs of nothing but space are left out."""
        path = target / f"{self._edition.corpus}.txt"
        with path.open("w", encoding="utf-8", newline="\n") as file:
            for document in documents:
                lines = [f"{passage.text}\n" for passage in passages(document)]
                if lines:
                    file.writelines((*lines, "\n"))
