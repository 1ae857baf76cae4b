"""Two corpora, or two versions of one, side by side."""

from dataclasses import dataclass

from izwi.model.card import CorpusCard


@dataclass(frozen=True, slots=True)
class SideBySide:
    """One thing both cards speak of: documents and tokens in the first and in the second."""

    name: str
    first_documents: int
    first_tokens: int
    second_documents: int
    second_tokens: int


@dataclass(frozen=True, slots=True)
class TellingWord:
    """A word that is more frequent on one side: how often in each, and by what factor.

    The factor is Kilgarriff's (2009): frequencies per million, a hundred added to both.
    """

    word: str
    first_hits: int
    second_hits: int
    first_per_million: float
    second_per_million: float
    factor: float


@dataclass(frozen=True, slots=True)
class CorpusComparison:
    """Two cards, what they have in common, and the words that set them apart."""

    first: CorpusCard
    second: CorpusCard
    # Documents with the same address on both sides, and of these with the same text unit (id).
    shared_addresses: int
    shared_documents: int
    languages: tuple[SideBySide, ...]
    years: tuple[SideBySide, ...]
    sources: tuple[SideBySide, ...]
    hosts: tuple[SideBySide, ...]
    date_evidence: tuple[SideBySide, ...]
    first_words: tuple[TellingWord, ...]
    second_words: tuple[TellingWord, ...]
