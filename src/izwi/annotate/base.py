"""What an annotator is, and the stage that runs one over the documents that were kept."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import ClassVar, Protocol

from izwi import plugins
from izwi.model.document import TOKEN_COLUMNS, Annotation, Document
from izwi.model.records import dataclass

# What can be found out about a token beside its place.
COLUMNS = TOKEN_COLUMNS


@dataclass(frozen=True, slots=True)
class AnnotatorSettings:
    """What an annotator is made for: a language, a model, the user's lexicon, some columns."""

    language: str = "und"
    model: str = ""
    # Lines of the user's lexicon: word, tag, lemma, with tabs between.
    lexicon: tuple[str, ...] = ()
    columns: tuple[str, ...] = COLUMNS
    # A file of learnt segments; stems are then pieces of it.
    segments: str = ""
    # Words whose full stop is their own, beside those every language has.
    abbreviations: tuple[str, ...] = ()
    # Words that lean on the next one, with their apostrophe.
    clitics: tuple[str, ...] = ()


class Annotator(Protocol):
    """Cuts paragraphs into sentences and tokens, and says what it knows of them.

    An annotator class is made with AnnotatorSettings, or with nothing for any language.
    """

    depends_on: ClassVar[tuple[str, ...]]

    def __call__(self, paragraphs: Sequence[str]) -> Annotation:
        """Return the tokens, with offsets into the paragraphs joined by line breaks."""


@dataclass(frozen=True, slots=True)
class LanguageChoice:
    """How the texts of one language are annotated."""

    method: str = ""
    model: str = ""
    lexicon: tuple[str, ...] = ()
    segments: str = ""
    abbreviations: tuple[str, ...] = ()
    clitics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnnotateConfig:
    """Which annotator is used, in general and for single languages (ISO 639-3)."""

    method: str = "izwi"
    languages: Mapping[str, LanguageChoice] = field(default_factory=dict)
    columns: tuple[str, ...] = ()


class Annotate:
    """Adds the tokens of every kept document.

    `earlier` holds what the same annotator made of texts before, by `text_digest`: those are not
    annotated again.
    """

    name: ClassVar[str] = "annotate"
    version: ClassVar[int] = 5

    def __init__(
        self, config: AnnotateConfig, earlier: Mapping[str, Annotation] | None = None
    ) -> None:
        self._config = config
        self._earlier = earlier or {}
        self._annotators: dict[str, Annotator] = {}
        plugins.load("izwi.annotators", config.method)

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents, those kept and the copies folded into them with their tokens."""
        for document in documents:
            if not document.verdict.is_kept and not document.is_folded:
                yield document
                continue
            yield replace(document, annotation=self._tokens(document))

    def _tokens(self, document: Document) -> Annotation:
        known = document.given or self._earlier.get(text_digest(document))
        return known or self._annotated(document)

    def _annotated(self, document: Document) -> Annotation:
        language = document.language.code if document.language else "und"
        texts = [paragraph.text for paragraph in document.paragraphs if paragraph.is_main]
        return self._annotator(language)(texts)

    def _annotator(self, language: str) -> Annotator:
        if language not in self._annotators:
            choice = self._config.languages.get(language, LanguageChoice())
            kind = plugins.load("izwi.annotators", choice.method or self._config.method)
            self._annotators[language] = kind(
                AnnotatorSettings(
                    language,
                    choice.model,
                    choice.lexicon,
                    self._config.columns,
                    choice.segments,
                    choice.abbreviations,
                    choice.clitics,
                )
            )
        return self._annotators[language]


def text_digest(document: Document) -> str:
    """Return what a document's annotation depends on, its language and main text, as a hash."""
    language = document.language.code if document.language else "und"
    text = f"{language}\n{document.text}".encode("utf-8", "surrogatepass")
    return hashlib.blake2b(text, digest_size=12).hexdigest()
