"""schema.org in JSON-LD: the corpus as a Dataset, its documents as Articles."""

import json
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from izwi.export.base import Edition
from izwi.export.release import OneFile
from izwi.export.rows import exact_date
from izwi.model.document import Document
from izwi.model.languages import iso639_1

CONTEXT = "https://schema.org"
# The type of a document that a reader wrote below a page.
COMMENT = "comment"


class JsonLd(OneFile):
    """Writes NAME.jsonld."""

    about: ClassVar[str] = "schema.org descriptions in JSON-LD, without the texts"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.jsonld"

    def opening(self) -> bytes:
        """Return one Dataset up to its parts, which are the documents."""
        opening = json.dumps(dataset(self._edition), ensure_ascii=False, indent=1)
        return (opening.removesuffix("\n}") + ',\n "hasPart": [').encode()

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield a description of each document."""
        for place, document in enumerate(documents, before):
            part = json.dumps(article(document), ensure_ascii=False)
            yield f"{',' if place else ''}\n  {part}".encode()

    def closing(self) -> bytes:
        """Return the end of the Dataset."""
        return b"\n ]\n}\n"


def dataset(edition: Edition) -> dict[str, Any]:
    """Return what schema.org says of a corpus."""
    return _known(
        {
            "@context": CONTEXT,
            "@type": "Dataset",
            "name": edition.name,
            "identifier": edition.corpus,
            "version": str(edition.version),
            "datePublished": edition.published,
            "inLanguage": list(edition.languages),
            "license": edition.licence,
        }
    )


def article(document: Document) -> dict[str, Any]:
    """Return what schema.org says of a document; what is not known is left out."""
    metadata, guess = document.metadata, document.language
    person = {"@type": "Person", "name": metadata.author} if metadata.author else None
    site = {"@type": "WebSite", "name": metadata.site} if metadata.site else None
    parent = {"@type": "WebPage", "url": metadata.parent} if metadata.parent else None
    return _known(
        {
            "@type": "Comment" if metadata.page_type == COMMENT else "Article",
            "identifier": document.id,
            "url": document.url,
            "headline": metadata.title,
            "author": person,
            "datePublished": exact_date(metadata.date),
            "dateModified": exact_date(metadata.modified),
            "articleSection": metadata.section,
            "keywords": list(metadata.keywords),
            "license": metadata.licence,
            "image": metadata.image,
            "isPartOf": site,
            "parentItem": parent,
            "inLanguage": iso639_1(guess.code) if guess else "",
        }
    )


def _known(row: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if value}
