"""Which language a document is in."""

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar, Protocol

import pycld2

from izwi import plugins
from izwi.model.document import Document, LanguageGuess
from izwi.model.languages import iso639_3

UNKNOWN = LanguageGuess("und", 0.0)
# Enough to be sure, and bounds the time a page of many megabytes takes.
_LONGEST = 20_000


class Identifier(Protocol):
    """Names the language of a text in ISO 639-3, `und` if it cannot."""

    depends_on: ClassVar[tuple[str, ...]]

    def __call__(self, text: str) -> LanguageGuess:
        """Return the language and how sure one is, 0 to 1."""


@dataclass(frozen=True, slots=True)
class LanguageConfig:
    """Which identifier is used."""

    method: str = "pycld2"


class Language:
    """Writes the language of each document's main text."""

    name: ClassVar[str] = "language"
    version: ClassVar[int] = 1

    def __init__(self, config: LanguageConfig) -> None:
        self._identify: Identifier = plugins.load("izwi.languages", config.method)()

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their language; those without text have none."""
        for document in documents:
            text = document.text if document.verdict.is_kept else ""
            yield replace(document, language=self._identify(text)) if text else document


class Pycld2:
    """Google's Compact Language Detector 2 through the pycld2 package."""

    depends_on: ClassVar[tuple[str, ...]] = ("pycld2",)

    def __call__(self, text: str) -> LanguageGuess:
        """Return the language with the largest share of the text, and that share."""
        printable = "".join(map(_printable, text[:_LONGEST]))
        try:
            is_reliable, _, details = pycld2.detect(printable, isPlainText=True)
        except pycld2.error:
            return UNKNOWN
        _, code, percent, _ = details[0]
        # "xx-Runr" names a script, not a language.
        if not is_reliable or code == "un" or code.startswith("xx-"):
            return UNKNOWN
        return LanguageGuess(iso639_3(code), percent / 100)


def _printable(character: str) -> str:
    # pycld2 refuses control characters and unpaired surrogates.
    return " " if unicodedata.category(character) in ("Cc", "Cs", "Cn", "Co") else character
