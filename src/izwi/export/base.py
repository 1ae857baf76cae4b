"""What a format is, what exports say of their corpus, which documents and passages they hold."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Protocol

from izwi.model.document import COLUMN_BY_ATTRIBUTE, Annotation, Document, Mark, Paragraph
from izwi.model.languages import iso639_3


@dataclass(frozen=True, slots=True)
class Edition:
    """Which state of which corpus is exported, and how the user wants it."""

    corpus: str
    title: str = ""
    # The number of the version, and when it was published.
    version: int = 0
    published: str = ""
    # The fingerprint of the settings and tools that made it.
    settings: str = ""
    languages: tuple[str, ...] = ()
    contact: str = ""
    # What may be done with the texts, in the user's words.
    licence: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    # The day of the export, YYYY-MM-DD.
    made: str = ""
    # What is written of each token beside the word: lemma, pos, upos, feats, stem.
    attributes: tuple[str, ...] = ("pos", "lemma")
    # Whether formats that can do without tokens write them.
    has_tokens: bool = False
    # Whether TEI has the readers' comments, as posts after the text.
    has_comments: bool = False
    # For formats that mix what they write.
    seed: int = 1

    @property
    def name(self) -> str:
        """The name people read."""
        return self.title or self.corpus


class Format(Protocol):
    """Writes documents into a folder; made with the edition it writes."""

    # What it is, in a few words for the list of formats.
    about: ClassVar[str]

    def write(self, documents: Iterable[Document], target: Path) -> None:
        """Write all files of the export into an existing, empty folder.

        The documents come one by one and are not to be kept: a corpus does not fit into memory.
        Their text holds no character that XML or UTF-8 forbids (see `characters`).
        """


def attribute_values(document: Document, attribute: str) -> tuple[str, ...]:
    """Return one value for each token; what is not known is the word for lemmas, else `_`."""
    found = document.annotation
    if found is None:
        return ()
    values: tuple[str, ...] = getattr(found, _COLUMN[attribute])
    if attribute == "lemma":
        if not values:
            return found.words
        return tuple(v or w for v, w in zip(values, found.words, strict=True))
    if not values:
        return ("_",) * len(found.words)
    return values if all(values) else tuple(value or "_" for value in values)


_COLUMN: Mapping[str, str] = {"word": "words", **COLUMN_BY_ATTRIBUTE}
ATTRIBUTES = tuple(COLUMN_BY_ATTRIBUTE)


@dataclass(frozen=True, slots=True)
class Choice:
    """Documents of some sources, languages and times, or named by id; empty chooses all.

    A document without a date is of no time, so naming a time leaves it out.
    """

    sources: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    ids: frozenset[str] = frozenset()
    # Whether copies that were folded into their originals are written too.
    has_copies: bool = False

    def holds(self, document: Document) -> bool:
        """Whether a document is wanted; what the corpus dropped never is."""
        return (
            (document.verdict.is_kept or (self.has_copies and document.is_folded))
            and (not self.ids or document.id in self.ids)
            and (not self.sources or document.source in self.sources)
            and (not self.languages or self._is_in_language(document))
            and self._is_in_time(document)
        )

    def described(self) -> dict[str, Any]:
        """Return it as a manifest has it."""
        days = {"since": self.since, "until": self.until}
        told = {name: day.isoformat() if day else None for name, day in days.items()}
        return asdict(self) | told | {"ids": sorted(self.ids)}

    def _is_in_language(self, document: Document) -> bool:
        guess = document.language
        return guess is not None and guess.code in {iso639_3(code) for code in self.languages}

    def _is_in_time(self, document: Document) -> bool:
        if self.since is None and self.until is None:
            return True
        dated = document.metadata.date
        return dated is not None and (
            (self.since or dated.value) <= dated.value <= (self.until or dated.value)
        )


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph of the main text, and its sentences as ranges of token numbers."""

    kind: str
    text: str
    # Where it begins in the document's text.
    start: int
    sentences: tuple[range, ...] = ()
    marks: tuple[Mark, ...] = ()


def passages(document: Document) -> Iterator[Passage]:
    """Yield the paragraphs of the main text; those that hold nothing but space are left out."""
    found, start = document.annotation, 0
    for paragraph in document.paragraphs:
        if not paragraph.is_main:
            continue
        end = start + len(paragraph.text)
        if paragraph.text.strip():
            sentences = _sentences(found, start, end) if found else ()
            yield Passage(paragraph.kind, paragraph.text, start, sentences, paragraph.marks)
        start = end + 1


def is_comment(paragraph: Paragraph) -> bool:
    """Whether an extractor found that a paragraph is what a reader wrote below the text."""
    return not paragraph.is_main and paragraph.reason.startswith("comment")


def glue(found: Annotation, tokens: range) -> list[bool]:
    """Return for each token of a sentence whether it follows the one before without a space."""
    starts, ends = found.starts, found.ends
    return [place > tokens.start and starts[place] == ends[place - 1] for place in tokens]


def _sentences(found: Annotation, start: int, end: int) -> tuple[range, ...]:
    first, last = bisect_left(found.starts, start), bisect_left(found.starts, end)
    if first == last:
        return ()
    inner = found.sentences[
        bisect_left(found.sentences, first + 1) : bisect_left(found.sentences, last)
    ]
    edges = (first, *inner, last)
    return tuple(range(a, b) for a, b in pairwise(edges))
