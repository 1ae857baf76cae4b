"""Profile distance (Cavnar & Trenkle 1994): the 300 most frequent n-grams, compared by rank.

A language is the ranking of its n-grams; a text belongs to the language whose ranking its own is
least out of place with. Good on long texts of one language, weak on short ones: it is here to be
compared with, and because it needs no more than a page of text of a new language.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import ClassVar

from izwi.model.document import LanguageGuess
from izwi.text.language.alternative_models import shipped_alternatives
from izwi.text.language.letters import words

# Length of a ranking, and of the longest n-gram; both as in the source.
RANKS = 300
_LONGEST = 5
_READ = 20_000

Ranking = Mapping[str, int]


def ranking(text: str) -> dict[str, int]:
    """Return the places of a text's most frequent n-grams, 0 for the first."""
    counts = Counter[str]()
    for word in words(text[:_READ]):
        padded = f"_{word}_"
        for size in range(1, _LONGEST + 1):
            counts.update(padded[i : i + size] for i in range(len(padded) - size + 1))
    ordered = sorted(counts, key=lambda ngram: (-counts[ngram], ngram))
    return {ngram: place for place, ngram in enumerate(ordered[:RANKS])}


def out_of_place(text: Ranking, language: Ranking) -> float:
    """Return the mean distance of a text's n-grams from their places in a language, 0 to 1."""
    if not text:
        return 1.0
    away = sum(
        abs(place - language[ngram]) if ngram in language else RANKS
        for ngram, place in text.items()
    )
    return away / (RANKS * len(text))


class ProfileDistance:
    """Names the language whose ranking of n-grams is nearest."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, rankings: Mapping[str, Sequence[str]] | None = None) -> None:
        given = shipped_alternatives().rankings if rankings is None else rankings
        self._rankings = {
            code: {ngram: place for place, ngram in enumerate(ngrams)}
            for code, ngrams in given.items()
        }

    def __call__(self, text: str) -> LanguageGuess:
        """Return the nearest language; the score says how much nearer than the next."""
        own = ranking(text)
        if len(own) < 3:
            return LanguageGuess("und", 0.0, reason="no-letters")
        ordered = sorted((out_of_place(own, one), code) for code, one in self._rankings.items())
        (nearest, code), (next_one, _) = ordered[0], (*ordered, (1.0, ""))[1]
        return LanguageGuess(code, min(1.0, max(0.0, 1 - nearest / max(next_one, 1e-9)) * 5))
