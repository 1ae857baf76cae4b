"""Which documents are copies, and of what."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from izwi.dedup.ownership import Owner
from izwi.model.document import CopyOf, Document


@dataclass(frozen=True, slots=True)
class JudgeConfig:
    """Judging has no settings yet."""


class Judge:
    """Names the owner of each document's text, where that is another document."""

    name: ClassVar[str] = "judge"
    version: ClassVar[int] = 1

    def __init__(self, config: JudgeConfig, owner: Owner) -> None:
        self._owner = owner

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents, the copies marked."""
        for document in documents:
            owner = None if document.signature is None else self._owner(document.signature)
            is_copy = owner is not None and owner != document.id
            yield (
                replace(document, copy_of=CopyOf(owner, "exact", 1.0))
                if is_copy and owner
                else document
            )
