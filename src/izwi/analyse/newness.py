"""What speaks for a new word: where it occurs, and the factors of its score with their reasons."""

import math
from dataclasses import dataclass

from izwi.analyse.attestations import FAIR, STRONG
from izwi.model.lexicography import Attestation, Factor, Variant

_LASTING_MONTHS = 3


@dataclass(frozen=True, slots=True)
class Spread:
    """Where a form, or all spellings of a word, occur in the period."""

    words: tuple[str, ...]
    hits: int
    documents: int
    sites: frozenset[str]
    months: frozenset[int]
    capitals: int
    undated: int
    # How many are written small.
    small: int = 0

    def __add__(self, other: "Spread") -> "Spread":
        return Spread(
            self.words + other.words,
            self.hits + other.hits,
            self.documents + other.documents,
            self.sites | other.sites,
            self.months | other.months,
            self.capitals + other.capitals,
            self.undated + other.undated,
            self.small + other.small,
        )


def factors_of(spread: Spread, older: Variant | None) -> tuple[Factor, ...]:
    """Return what speaks for a new word, each part from 0 to 1."""
    sites, months = len(spread.sites), len(spread.months)
    documents, hits = spread.documents, spread.hits
    lasting = min(1.0, months / _LASTING_MONTHS)
    names = spread.capitals / max(1, hits + spread.undated)
    return (
        Factor("spread", 1 - 1 / (1 + sites), 3.0, f"on {many(sites, 'publication')}"),
        Factor("documents", 1 - 1 / (1 + documents), 2.0, many(documents, "document")),
        Factor("frequency", min(1.0, math.log2(1 + hits) / 7), 1.0, many(hits, "hit")),
        Factor("lasting", lasting, 2.0, f"seen in {many(months, 'month')}"),
        Factor("no name", 1 - min(1.0, names), 3.0, _about_names(spread)),
        _spelling(older, hits),
    )


def many(number: int, noun: str) -> str:
    """Return a number of things in words.

    >>> many(1, "site"), many(1200, "site")
    ('1 site', '1,200 sites')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _about_names(spread: Spread) -> str:
    if not spread.capitals:
        return "written small"
    return f"{many(spread.capitals, 'time')} with a capital: perhaps a name"


def _spelling(older: Variant | None, hits: int) -> Factor:
    if older is None:
        return Factor("no slip", 1.0, 2.0, "like no older word")
    # The commoner the older word beside it, the likelier a slip of the hand.
    value = min(1.0, hits / (hits + older.hits))
    words = f"differs from the older '{older.word}' ({older.hits} hits) by {older.reason}"
    return Factor("no slip", value, 2.0, words)


def date_factor(first: Attestation, undated: int) -> Factor:
    """Return how sure the first date of a word is, which is worth less if some hits have none."""
    value = {STRONG: 1.0, FAIR: 0.6}.get(first.certainty, 0.2)
    words = f"first on {first.date}, by {first.evidence or 'nothing that is known'}"
    if undated:
        value /= 2
        words += f"; {many(undated, 'hit')} without a date"
    return Factor("date", value, 1.0, words)
