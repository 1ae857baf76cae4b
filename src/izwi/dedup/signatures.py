"""What a text is known by: a hash that case, punctuation and spacing do not change."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import xxhash

from izwi.model.document import Document

_NOT_LETTERS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class SignConfig:
    """Signatures have no settings yet."""


class Sign:
    """Writes the signature of each document's main text."""

    name: ClassVar[str] = "sign"
    version: ClassVar[int] = 1

    def __init__(self, config: SignConfig) -> None: ...

    def __call__(self, documents: Iterator[Document]) -> Iterator[Document]:
        """Yield the documents with their signatures; those without text have none."""
        for document in documents:
            text = document.text if document.verdict.is_kept else ""
            yield replace(document, signature=exact_signature(text)) if text else document


def exact_signature(text: str) -> int | None:
    """Return the hash of a text's letters and digits; None if it has none.

    >>> exact_signature("The robots are out!") == exact_signature("the  ROBOTS are out")
    True
    """
    letters = normalised(text)
    return xxhash.xxh3_64_intdigest(letters.encode("utf-8", "surrogatepass")) if letters else None


def normalised(text: str) -> str:
    """Return the letters and digits of a text, whatever their case and Unicode form."""
    return _NOT_LETTERS.sub("", unicodedata.normalize("NFKC", text).casefold())


def text_key(signature: int | None) -> int:
    """Return a signature as a key of a run: odd, and 0 for none."""
    if signature is None:
        return 0
    return xxhash.xxh3_64_intdigest(b"text\0" + signature.to_bytes(8, "big")) | 1
