"""Documents on their way out: made writable, masked if wanted, and counted."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from izwi.export.characters import writable_document
from izwi.export.choice import Choice
from izwi.export.personal import mask_document
from izwi.model.document import Document


@dataclass
class Counts:
    """What has passed; `masked` counts by kind."""

    documents: int = 0
    tokens: int = 0
    sentences: int = 0
    characters: int = 0
    replaced: int = 0
    masked: dict[str, int] = field(default_factory=dict)


@dataclass
class Outgoing:
    """Lets through the documents of a choice and counts what passes."""

    choice: Choice
    is_masked: bool = False
    heard: Callable[[int], None] = lambda done: None
    counts: Counts = field(default_factory=Counts)

    def over(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the wanted documents as formats may write them."""
        for document in documents:
            if self.choice.holds(document):
                yield self._prepared(document)

    def _prepared(self, document: Document) -> Document:
        counts = self.counts
        clean, replaced = writable_document(document)
        if self.is_masked:
            clean = mask_document(clean, counts.masked)
        counts.documents += 1
        counts.replaced += replaced
        counts.characters += len(clean.text)
        if clean.annotation:
            counts.tokens += len(clean.annotation.words)
            counts.sentences += len(clean.annotation.sentences)
        self.heard(counts.documents)
        return clean
