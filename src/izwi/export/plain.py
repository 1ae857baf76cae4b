"""Plain text: a paragraph a line, an empty line between documents."""

from collections.abc import Iterable, Iterator
from typing import ClassVar

from izwi.export.base import Edition
from izwi.export.parts import OneFile
from izwi.export.passages import passages
from izwi.model.document import Document


class Plain(OneFile):
    """Writes NAME.txt."""

    about: ClassVar[str] = "plain text, a paragraph a line, an empty line between documents"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.txt"

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield the texts; paragraphs of nothing but space are left out."""
        for document in documents:
            lines = [f"{passage.text}\n" for passage in passages(document)]
            if lines:
                yield "".join((*lines, "\n")).encode()
