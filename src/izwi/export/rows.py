"""A document as one flat row: JSON Lines, CSV, plain text, JSON-LD; sentences in random order."""

import csv
import heapq
import io
import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

import orjson

from izwi.export.base import Edition, passages
from izwi.export.release import OneFile, Parted, Workplace
from izwi.model.document import Document, PublicationDate
from izwi.model.languages import iso639_1
from izwi.model.tabular import harmless

# Each column in words, in the order in which they are written; `text` and `id` are the names
# datatrove reads. Cards and metadata say the same.
FIELDS: Mapping[str, str] = {
    "id": "The document's id in the corpus.",
    "text": "Its text, a paragraph a line.",
    "url": "Where it was found.",
    "title": "Its title.",
    "author": "Who wrote it.",
    "date": "When it was published; see date_precision.",
    "date_precision": "How much of the date is known: day, month or year.",
    "date_evidence": "What says so.",
    "source": "The source of the corpus that brought it.",
    "site": "The site's name.",
    "section": "The section it stands in.",
    "language": "Its language (ISO 639-3).",
    "language_score": "How sure one is of the language, from 0 to 1.",
    "captured": "When the page was fetched.",
    "characters": "The length of the text.",
    "tokens": "Words and signs.",
    "words": "Tokens with a letter or a digit in them.",
    "modified": "When it was last changed, as the page says.",
    "keywords": "The page's own keywords.",
    "licence": "The licence that the page states.",
    "image": "The address of its picture.",
    "page_type": "What sort of page it is.",
    "parent": "The page that a comment belongs to.",
    "kinds": "The kind of each line of the text: p, h, li and so on.",
    "deviation": "How far it is from the running text of its language (connectedness).",
    "deviation_limit": "How far it may be.",
    "boilerplate": "The share of the page's text that is not part of the document, from 0 to 1.",
    "role": "original, or copy.",
    "cluster": "The same for a text and all its copies: the id of the original.",
    "copy_of": "The original of a copy.",
    "copy_similarity": "How much of a copy is in the original, from 0 to 1.",
}
# What is a list in a row; CSV joins them.
LISTS = ("keywords", "kinds")


def record(document: Document) -> dict[str, Any]:
    """Return the row of a document; its date is as exact as it is known (2014, 2014-03, ...)."""
    metadata, when, guess = document.metadata, document.metadata.date, document.language
    text = document.text
    return {
        "id": document.id,
        "text": text,
        "url": document.url,
        "title": metadata.title,
        "author": metadata.author,
        "date": exact_date(when),
        "date_precision": when.precision if when else "",
        "date_evidence": when.evidence if when else "",
        "source": document.source,
        "site": metadata.site,
        "section": metadata.section,
        "language": guess.code if guess else "",
        "language_score": guess.score if guess else 0.0,
        "captured": document.captured.isoformat(timespec="seconds"),
        "characters": len(text),
        "tokens": len(document.annotation.words) if document.annotation else 0,
        "words": _words(document),
        "modified": exact_date(metadata.modified),
        "keywords": list(metadata.keywords),
        "licence": metadata.licence,
        "image": metadata.image,
        "page_type": metadata.page_type,
        "parent": metadata.parent,
        # One for each line of the text: p, h, li, ...
        "kinds": [each.kind for each in document.paragraphs if each.is_main],
        **_quality(document),
    }


def _quality(document: Document) -> dict[str, Any]:
    """Return what speaks for or against a text; nothing where nothing was measured."""
    connected, copied = document.connected, document.copy_of
    sizes = [(len(each.text), each.is_main) for each in document.paragraphs]
    everything = sum(size for size, _ in sizes)
    aside = sum(size for size, is_main in sizes if not is_main)
    return {
        # How far it is from the running text of its language, and how far it may be.
        "deviation": connected.deviation if connected else None,
        "deviation_limit": connected.threshold if connected else None,
        # The share of the page's text that is not part of the document.
        "boilerplate": aside / everything if everything else None,
        "role": "copy" if copied else "original",
        # Copies of one text and the text share it.
        "cluster": copied.document if copied else document.id,
        "copy_of": copied.document if copied else "",
        "copy_similarity": copied.similarity if copied else None,
    }


def _words(document: Document) -> int:
    """Return how many tokens have a letter or a digit."""
    tokens = document.annotation.words if document.annotation else ()
    return sum(any(map(str.isalnum, token)) for token in tokens)


_LENGTH_BY_PRECISION: Mapping[str, int] = {"day": 10, "month": 7, "year": 4}


def exact_date(when: PublicationDate | None) -> str:
    """Return a date without the parts nobody knows; empty if there is none."""
    return when.value.isoformat()[: _LENGTH_BY_PRECISION[when.precision]] if when else ""


_COLUMNS = tuple(name for name in FIELDS if name not in ("text", "kinds"))


class Table(OneFile):
    """Writes NAME.csv."""

    about: ClassVar[str] = "CSV of the metadata, without the texts"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.csv"

    def opening(self) -> bytes:
        """Return the line of names."""
        return _line(_COLUMNS)

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield a line for each document."""
        for document in documents:
            row = record(document)
            row |= {name: "; ".join(row[name]) for name in LISTS}
            yield _line([row[name] for name in _COLUMNS])


def _line(values: Sequence[Any]) -> bytes:
    file = io.StringIO()
    csv.writer(file).writerow([harmless(value) for value in values])
    return file.getvalue().encode()


class JsonLines(OneFile):
    """Writes NAME.jsonl."""

    about: ClassVar[str] = "JSON Lines: text and metadata, a document a line"

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    @property
    def name(self) -> str:
        """The name of the file."""
        return f"{self._edition.corpus}.jsonl"

    def pieces(self, documents: Iterable[Document], before: int) -> Iterator[bytes]:
        """Yield one object for each document."""
        for document in documents:
            yield orjson.dumps(record(document), option=orjson.OPT_APPEND_NEWLINE)


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


# A corpus of 10 GB is mixed 80 MB at a time.
_HEAPS = 128


class Shuffled(Parted):
    """Writes NAME.sentences.txt."""

    about: ClassVar[str] = "sentences in random order, one a line, without metadata"
    # Each part touches every heap; a document is dealt alike in whatever part it is.
    span: ClassVar[int] = 16

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def begin(self, place: Workplace) -> None:
        """Make the heaps."""
        for heap in _heaps(place):
            heap.touch()

    def add(
        self, documents: Iterable[Document], place: Workplace, *, before: int
    ) -> Sequence[Path]:
        """Deal the sentences of documents onto the heaps."""
        heaps = _heaps(place)
        with ExitStack() as stack:
            files = [stack.enter_context(heap.open("ab")) for heap in heaps]
            for number, document in enumerate(documents, before):
                # A chance of its own for each document, whatever part it is in.
                chance = random.Random(f"{self._edition.seed} {number}")
                for sentence in sentences(document):
                    chance.choice(files).write(f"{sentence}\n".encode())
        return heaps

    def finish(self, place: Workplace) -> None:
        """Mix heap after heap."""
        chance = random.Random(self._edition.seed)
        with (place.whole / f"{self._edition.corpus}.sentences.txt").open("wb") as file:
            for heap in _heaps(place):
                lines = heap.read_bytes().split(b"\n")[:-1]
                chance.shuffle(lines)
                file.writelines(line + b"\n" for line in lines)


def _heaps(place: Workplace) -> list[Path]:
    return [place.rough / f"heap-{number}" for number in range(_HEAPS)]


def sentences(document: Document) -> Iterator[str]:
    """Yield the sentences of a document as they stand in its text."""
    found, text = document.annotation, document.text
    if found is None:
        return
    for passage in passages(document):
        for tokens in passage.sentences:
            yield text[found.starts[tokens.start] : found.ends[tokens.stop - 1]]


_LINES = 200_000


def sort_lines(path: Path, target: Path, most: int = _LINES) -> None:
    """Write the lines of a file in order, holding at most so many of them in memory."""
    pieces = list(_sorted_pieces(path, most))
    with ExitStack() as stack:
        files = [
            stack.enter_context(piece.open(encoding="utf-8", newline="\n")) for piece in pieces
        ]
        with target.open("w", encoding="utf-8", newline="\n") as out:
            out.writelines(heapq.merge(*files))
    for piece in pieces:
        piece.unlink()


def _sorted_pieces(path: Path, most: int) -> Iterator[Path]:
    with path.open(encoding="utf-8", newline="\n") as file:
        number = 0
        while lines := sorted(islice(file, most)):
            piece = path.with_name(f"{path.name}.{number}")
            piece.write_text("".join(lines), encoding="utf-8", newline="\n")
            number += 1
            yield piece
