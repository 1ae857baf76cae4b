"""What a format is, what exports say of their corpus, and which documents they hold."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar, Protocol

from izwi.model.document import COLUMN_BY_ATTRIBUTE, Document
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
    """Documents of some sources, languages and years, or named by id; empty chooses all.

    A document without a date is in no year, so naming a year leaves it out.
    """

    sources: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    since: int | None = None
    until: int | None = None
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
            and self._is_in_years(document)
        )

    def _is_in_language(self, document: Document) -> bool:
        guess = document.language
        return guess is not None and guess.code in {iso639_3(code) for code in self.languages}

    def _is_in_years(self, document: Document) -> bool:
        if self.since is None and self.until is None:
            return True
        date = document.metadata.date
        if date is None:
            return False
        year = date.value.year
        return (self.since or year) <= year <= (self.until or year)
