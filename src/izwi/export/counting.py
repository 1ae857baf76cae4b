"""Documents on their way out: made writable, masked if wanted, and counted."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from izwi.export.characters import writable_document
from izwi.export.choice import Choice
from izwi.export.personal import mask_document
from izwi.model.document import Document


@dataclass
class Outgoing:
    """Lets through the documents of a choice and counts what passes."""

    choice: Choice
    is_masked: bool = False
    heard: Callable[[int], None] = lambda done: None
    documents: int = 0
    tokens: int = 0
    sentences: int = 0
    characters: int = 0
    replaced: int = 0
    masked: Counter[str] = field(default_factory=Counter)

    def over(self, documents: Iterable[Document]) -> Iterator[Document]:
        """Yield the wanted documents as formats may write them."""
        for document in documents:
            if self.choice.holds(document):
                yield self._prepared(document)

    def _prepared(self, document: Document) -> Document:
        clean, replaced = writable_document(document)
        if self.is_masked:
            clean = mask_document(clean, self.masked)
        self.documents += 1
        self.replaced += replaced
        self.characters += len(clean.text)
        if clean.annotation:
            self.tokens += len(clean.annotation.words)
            self.sentences += len(clean.annotation.sentences)
        self.heard(self.documents)
        return clean
