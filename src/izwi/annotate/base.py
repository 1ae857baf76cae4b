"""What an annotator is, and the stage that runs one over the documents that were kept."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

from izwi import plugins
from izwi.model.document import Annotation, Document


class Annotator(Protocol):
    """Cuts paragraphs into sentences and tokens."""

    depends_on: ClassVar[tuple[str, ...]]

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens, with offsets into the paragraphs joined by line breaks."""


@dataclass(frozen=True, slots=True)
class AnnotateConfig:
    """Which annotator is used."""

    method: str = "tokens"


class Annotate:
    """Adds the tokens of every kept document."""

    name: ClassVar[str] = "annotate"
    version: ClassVar[int] = 1

    def __init__(self, config: AnnotateConfig) -> None:
        self._annotator: Annotator = plugins.load("izwi.annotators", config.method)()

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents, those kept with their tokens."""
        for document in documents:
            if not document.verdict.is_kept:
                yield document
                continue
            texts = [paragraph.text for paragraph in document.paragraphs if paragraph.is_main]
            yield replace(document, annotation=self._annotator(texts))
