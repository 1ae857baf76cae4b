"""Which documents of a corpus an export holds."""

from dataclasses import dataclass

from izwi.model.document import Document
from izwi.model.languages import iso639_3


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
