"""Our own identifier: hashed n-grams of words, one row of weights each, summed.

The sums become probabilities by a softmax whose temperature depends on the length of the text, so
that of the guesses with 0.9 about nine in ten are right (docs/explanation/language.md).
"""

from collections.abc import Iterable, Sequence
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.model.document import LanguageGuess
from izwi.text.language.letters import Reading, read
from izwi.text.language.model import UND, NgramModel, shipped_model

# How many words' sums an identifier remembers; a power of two. 16,384 take two megabytes.
_REMEMBERED = 1 << 14


class Izwi:
    """Names the language of a text with the model that comes along, or one a user trained."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: NgramModel | None = None) -> None:
        self._model = model or shipped_model()
        self._codes = self._model.codes
        self._membership = self._model.membership()
        self._memory = (
            np.zeros(_REMEMBERED, np.uint64),
            np.zeros((_REMEMBERED, len(self._model.classes)), np.int32),
            np.zeros(_REMEMBERED, np.int64),
        )

    @property
    def codes(self) -> tuple[str, ...]:
        """The languages it can name, `und` last."""
        return self._codes

    def __call__(self, text: str) -> LanguageGuess:
        """Return the most probable language; `und` says why it is not named."""
        return self.guesses(text)[0]

    def guesses(self, text: str) -> tuple[LanguageGuess, ...]:
        """Return all languages with their probabilities, best first."""
        reading = read(text)
        if reading.reason:
            return (LanguageGuess(UND, 0.0, reason=reading.reason),)
        probabilities = self._probabilities(reading)
        order = np.argsort(-probabilities, kind="stable")
        found = [LanguageGuess(self._codes[n], float(probabilities[n])) for n in order]
        if found[0].code == UND:
            found[0] = LanguageGuess(UND, found[0].score, reason="other-language")
        return tuple(found)

    def many(self, texts: Iterable[str]) -> list[LanguageGuess]:
        """Return the most probable language of each text."""
        return [self(text) for text in texts]

    def word_probabilities(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the log-probability of each language (columns as `codes`) for each word."""
        from izwi.text.language.kernels import word_scores

        model = self._model
        reading = read(" ".join(words))
        if reading.words != len(words):
            # Some word has no letter the reader knows, or two: each is asked alone.
            return np.vstack([self._word(word) for word in words])
        sums, counts = word_scores(reading.text, reading.words, model.shift, model.tags, model.rows)
        logs: NDArray[np.float64] = np.log(self._softmax(sums, counts) + 1e-9)
        return logs

    def _word(self, word: str) -> NDArray[np.float64]:
        logs: NDArray[np.float64] = np.log(self._probabilities(read(word)) + 1e-9)
        return logs

    def _probabilities(self, reading: Reading) -> NDArray[np.float64]:
        from izwi.text.language.kernels import text_scores

        model = self._model
        sums, count = text_scores(reading.text, model.shift, model.tags, model.rows, *self._memory)
        return self._softmax(sums[None, :], np.array([count])).ravel()

    def _softmax(self, sums: NDArray[np.integer], counts: NDArray[np.int64]) -> NDArray[np.float64]:
        model = self._model
        sizes = np.maximum(counts, 1)[:, None].astype(np.float64)
        scores = sums * model.scale / sizes**model.power + model.bias
        band = np.minimum(np.searchsorted(model.lengths, counts), len(model.temperatures) - 1)
        scores /= model.temperatures[band][:, None]
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        shares: NDArray[np.float64] = scores / scores.sum(axis=1, keepdims=True)
        together: NDArray[np.float64] = shares @ self._membership
        return together
