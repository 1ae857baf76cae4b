"""Character trigrams with Kneser-Ney smoothing and word lists, as in AfriWeb (Moukangwe 2014).

The probability of a text is the product of those of its letters after the two before; a word of a
language's list counts as if its letters were certain in that language. Texts that no language
makes likely are `und`, which the source lacked: it accepted 12.4 % of Italian as Zulu or English.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar

from izwi.model.document import LanguageGuess
from izwi.text.language.alternative_models import CharacterCounts, shipped_alternatives
from izwi.text.language.letters import words

_DISCOUNT = 0.75
_READ = 3_000
# A letter costs at most so much (nats), and a word of the list only so little a letter.
_NEVER = 12.0
_LISTED = 0.7
# Texts costlier than this many nats a letter in every language are in none of them.
_UNLIKELY = 3.2


def count_characters(
    texts: Iterable[str], *, trigrams: int = 6_000, listed: int = 3_000
) -> CharacterCounts:
    """Return the counts a model is made of: frequent trigrams and the word list."""
    counts, vocabulary = Counter[str](), Counter[str]()
    for text in texts:
        for word in words(text):
            vocabulary[word] += 1
            padded = f"  {word} "
            counts.update(padded[i : i + 3] for i in range(len(padded) - 2))
    return CharacterCounts(
        dict(counts.most_common(trigrams)),
        tuple(word for word, _ in vocabulary.most_common(listed)),
    )


@dataclass(frozen=True, slots=True)
class CharacterModel:
    """Costs of letters in one language: trigrams, else bigrams, else letters."""

    costs: Mapping[str, float]
    backing: Mapping[str, float]
    words: frozenset[str]

    def cost(self, word: str) -> float:
        """Return the cost of a word in nats, its end included."""
        padded = f"  {word} "
        spelt = sum(self._letter(padded[i - 2 : i], padded[i]) for i in range(2, len(padded)))
        return min(spelt, _LISTED * len(word)) if word in self.words else spelt

    def _letter(self, before: str, letter: str) -> float:
        found = self.costs.get(before + letter)
        if found is not None:
            return found
        shorter = self.costs.get(before[1:] + letter)
        if shorter is None:
            shorter = self.costs.get(letter, _NEVER) + self.backing.get(before[1:], 0.0)
        return min(_NEVER, shorter + self.backing.get(before, 0.0))


def character_model(counts: CharacterCounts) -> CharacterModel:
    """Return the smoothed model: absolute discounting, lower orders by how many they follow."""
    trigrams = counts.trigrams
    bigrams = Counter(ngram[1:] for ngram in trigrams)
    letters = Counter(ngram[1:] for ngram in bigrams)
    everything = sum(letters.values())
    single = {letter: count / everything for letter, count in letters.items()}
    double, backing_one = _discounted(bigrams, single)
    triple, backing_two = _discounted(trigrams, double)
    costs = {
        ngram: -math.log(p) for level in (single, double, triple) for ngram, p in level.items()
    }
    backing = {c: -math.log(p) for level in (backing_one, backing_two) for c, p in level.items()}
    return CharacterModel(costs, backing, frozenset(counts.words))


def _discounted(
    counts: Mapping[str, int], lower: Mapping[str, float]
) -> tuple[dict[str, float], dict[str, float]]:
    """Return probabilities of n-grams and the weight each context leaves to the order below."""
    totals, kinds = defaultdict[str, int](int), Counter[str]()
    for ngram, count in counts.items():
        totals[ngram[:-1]] += count
        kinds[ngram[:-1]] += 1
    left = {context: _DISCOUNT * kinds[context] / totals[context] for context in totals}
    found = {
        ngram: (count - _DISCOUNT) / totals[ngram[:-1]]
        + left[ngram[:-1]] * lower.get(ngram[1:], 1e-6)
        for ngram, count in counts.items()
    }
    return found, left


class KneserNey:
    """Names the language whose model makes the letters of a text likeliest."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, counts: Mapping[str, CharacterCounts] | None = None) -> None:
        given = shipped_alternatives().characters if counts is None else counts
        self._models = {code: character_model(one) for code, one in given.items()}

    def __call__(self, text: str) -> LanguageGuess:
        """Return the likeliest language (Bayes, all alike beforehand) and its probability."""
        found = words(text[:_READ])
        letters = sum(map(len, found)) + len(found)
        if letters < 3:
            return LanguageGuess("und", 0.0, reason="no-letters")
        costs = {code: sum(map(model.cost, found)) for code, model in self._models.items()}
        best = min(costs, key=lambda code: costs[code])
        if costs[best] > _UNLIKELY * letters:
            return LanguageGuess("und", 0.0, reason="other-language")
        whole = sum(math.exp(max(-700.0, costs[best] - cost)) for cost in costs.values())
        return LanguageGuess(best, 1 / whole)
