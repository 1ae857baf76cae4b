"""Our own identifier: hashed n-grams of words, summed; hundreds of languages in two steps.

The first step knows all languages by lists of what is telling (`world`). Where one of the languages
of the second is possible, which were learnt from far more text, its dense rows of weights are asked
too and both opinions are multiplied. Temperatures by length make probabilities of the sums, so
that of the guesses with 0.9 about nine in ten are right (docs/explanation/language.md).
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.model.document import LanguageGuess
from izwi.text.language.learning import text_sums, word_sums
from izwi.text.language.letters import Reading, read, reason_of
from izwi.text.language.model import UND, NgramModel, shipped_model
from izwi.text.language.world import (
    MOST_LETTERS,
    World,
    WorldModel,
    shipped_world,
    stretches,
    without_addresses,
)

# The languages of the second step: asked about when they are possible together, and not when a
# language that resembles no other of them is sure already.
_SECOND = ("afr", "eng", "nbl", "nso", "sot", "ssw", "tsn", "tso", "ven", "xho", "zul")
_ALONE = frozenset(("afr", "eng"))
_POSSIBLE, _SURE = 0.01, 0.999
# How often those languages are rather met than others, and how much the second step counts.
_PRIOR, _TRUST = 2.0, 1.3


class Izwi:
    """Names the language of a text with the models that come along, or one a user trained."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: NgramModel | None = None, world: WorldModel | None = None) -> None:
        self._model = model or shipped_model()
        self._membership = self._model.membership()
        self._lengths = self._model.lengths.tolist()
        self._heats = self._model.temperatures.tolist()
        found = world or (shipped_world() if model is None else None)
        self._world = World(found, _SECOND) if found is not None else None

    @cached_property
    def codes(self) -> tuple[str, ...]:
        """The languages it can name, `und` last."""
        return (*self._world.named, UND) if self._world else self._model.codes

    @property
    def word_codes(self) -> tuple[str, ...]:
        """The languages of single words, `und` last: those learnt from much text."""
        return self._model.codes

    def __call__(self, text: str) -> LanguageGuess:
        """Return the most probable language; `und` says why it is not named."""
        if self._world is None:
            return self.guesses(text)[0]
        found = self._judged(self._world, text)
        if isinstance(found, str):
            return LanguageGuess(UND, 0.0, reason=found)
        best, shares, other = found
        # Where all are improbable, the best of the named ones may be the class of the others.
        if other > shares[best] or self._world.model.classes[best] == UND:
            return LanguageGuess(UND, self._world.unnamed(shares), "other-language")
        return LanguageGuess(self._world.model.classes[best], float(shares[best]))

    def guesses(self, text: str) -> tuple[LanguageGuess, ...]:
        """Return all languages with their probabilities, best first."""
        shares = self._shares(text)
        if isinstance(shares, str):
            return (LanguageGuess(UND, 0.0, reason=shares),)
        order = np.argsort(-shares, kind="stable").tolist()
        found = [LanguageGuess(self.codes[n], float(shares[n])) for n in order]
        if found[0].code == UND:
            found[0] = LanguageGuess(UND, found[0].score, reason="other-language")
        return tuple(found)

    def many(self, texts: Iterable[str]) -> list[LanguageGuess]:
        """Return the most probable language of each text."""
        return [self(text) for text in texts]

    def word_probabilities(self, words: Sequence[str]) -> NDArray[np.float64]:
        """Return the log-probability of each language (`word_codes`) for each word."""
        reading = read(" ".join(words))
        if reading.words != len(words):
            # Some word has no letter the reader knows, or two: each is asked alone.
            return np.vstack([self._word(word) for word in words])
        sums, counts = word_sums(self._model, reading.text, reading.words)
        logs: NDArray[np.float64] = np.log(self._softmax(sums, counts) + 1e-9)
        return logs

    def _word(self, word: str) -> NDArray[np.float64]:
        logs: NDArray[np.float64] = np.log(self._probabilities(read(word)) + 1e-9)
        return logs

    def _shares(self, text: str) -> NDArray[np.float64] | str:
        """Return the probability of each language (`codes`), or why none can be told."""
        if self._world is None:
            reading = read(text)
            return reading.reason or self._probabilities(reading)
        found = self._judged(self._world, text)
        return found if isinstance(found, str) else self._world.by_name(found[1])

    def _judged(self, world: World, text: str) -> tuple[int, NDArray[np.float64], float] | str:
        """Return the best named class, all shares, the best unnamed one; or why there is none."""
        plain = without_addresses(text)
        used, (_, latin, foreign, control) = world.read(plain)
        if latin + foreign < 2 or control or (latin and foreign):
            reason = reason_of(text, latin, foreign, control)
            if reason:
                return reason
        is_whole = len(plain) <= MOST_LETTERS
        best, shares, (_, _, second, other) = world.judge(used, is_whole=is_whole)
        is_settled = world.model.classes[best] in _ALONE and shares[best] > _SURE
        if second < _POSSIBLE or is_settled:
            return best, shares, other
        parts = [plain[start:end] for start, end in stretches(len(plain))]
        shares = self._agreed(shares, self._probabilities(read(" ".join(parts))))
        named = np.where(world.model.named, shares, 0.0)
        other = float(np.where(world.model.named, 0.0, shares).max())
        return int(named.argmax()), shares, other

    def _agreed(
        self, first: NDArray[np.float64], second: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Return both opinions multiplied: the second says which of its languages, or none."""
        own = (_PRIOR * second**_TRUST)[self._of_second]
        product = first * np.where(self._is_second, own, max(0.0, 1.0 - self._sum(second)) + 1e-4)
        shares: NDArray[np.float64] = product / product.sum()
        return shares

    def _sum(self, second: NDArray[np.float64]) -> float:
        return float(second[self._numbers].sum())

    @cached_property
    def _numbers(self) -> NDArray[np.int64]:
        """The places of the languages of the second step among its own."""
        return np.array([self._model.codes.index(code) for code in _SECOND])

    @cached_property
    def _of_second(self) -> NDArray[np.int64]:
        """The number in the second step of each class of the first, 0 where it has none."""
        assert self._world is not None
        place = {code: number for number, code in enumerate(self._model.codes)}
        classes = self._world.model.classes
        return np.array([place[code] if code in _SECOND else 0 for code in classes])

    @cached_property
    def _is_second(self) -> NDArray[np.bool_]:
        assert self._world is not None
        return np.isin(self._world.model.classes, _SECOND)

    def _probabilities(self, reading: Reading) -> NDArray[np.float64]:
        model = self._model
        sums, count = text_sums(model, reading.text)
        scores = sums * model.scale / float(max(count, 1)) ** model.power + model.bias
        band = min(bisect_left(self._lengths, count), len(self._heats) - 1)
        scores /= self._heats[band]
        scores = np.exp(scores - scores.max())
        together: NDArray[np.float64] = (scores / scores.sum()) @ self._membership
        return together

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
