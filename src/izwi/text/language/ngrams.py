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

from izwi.kernels.ngrams import text_shares
from izwi.model.document import LanguageGuess
from izwi.text.language.letters import (
    MIXED_SCRIPT,
    Reading,
    by_script,
    read,
    reason_of,
    without_names,
)
from izwi.text.language.model import UND, NgramModel, shipped_model, text_sums, word_sums
from izwi.text.language.world import (
    LEAST_LIKENESS,
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
# A short text of which one is so unsure is read again without its names.
_UNSURE, _SHORT = 0.5, 150
# How much the second step counts.
_TRUST = 1.5


def _read_of(text: str) -> list[str]:
    """Return the stretches that are read of a text."""
    return [text[start:end] for start, end in stretches(len(text))]


class Izwi:
    """Names the language of a text with the models that come along, or one a user trained."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(self, model: NgramModel | None = None, world: WorldModel | None = None) -> None:
        self._model = model or shipped_model()
        self._membership = self._model.membership()
        self._code_of = self._membership.argmax(axis=1)
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
            if reason == MIXED_SCRIPT:
                return self._judged_by_script(world, plain)
            if reason:
                return reason
        best, shares, other = self._weighed(world, plain, used)
        if shares[best] >= _UNSURE or len(plain) > _SHORT:
            return best, shares, other
        running = without_names(plain)
        if running != plain:
            return self._weighed(world, running, world.read(running)[0])
        return best, shares, other

    def _judged_by_script(
        self, world: World, plain: str
    ) -> tuple[int, NDArray[np.float64], float] | str:
        """Return what is said of both scripts of a text, if it is the same."""
        latin, other = by_script(" ".join(_read_of(plain)))
        codes = world.model.classes
        first = codes[self._weighed(world, latin, world.read(latin)[0])[0]] if latin else ""
        used, (_, *letters, _) = world.read(other)
        found = self._weighed(world, other, used)
        return found if sum(letters) > 1 and first in ("", codes[found[0]]) else MIXED_SCRIPT

    def _weighed(
        self, world: World, plain: str, used: int
    ) -> tuple[int, NDArray[np.float64], float]:
        """Return the best named class, all shares, the best unnamed one, of the letters read."""
        is_whole = len(plain) <= MOST_LETTERS
        best, shares, (_, _, second, other) = world.judge(used, is_whole=is_whole)
        is_settled = world.model.classes[best] in _ALONE and shares[best] > _SURE
        if second < _POSSIBLE or is_settled:
            return best, shares, other
        # Which of its languages it is the second knows better: it learnt from far more text.
        again = self._probabilities(read(" ".join(_read_of(plain))))
        best, shares, (_, _, _, other) = world.agree(again, self._of_second, second, _TRUST)
        return best, shares, other

    def likeness(self, texts: Iterable[str]) -> float:
        """Return how much texts look to the second step like its own languages, on average."""
        numbers = [self._model.codes.index(code) for code in _SECOND]
        readings = [one for one in map(read, texts) if not one.reason]
        found = [self._probabilities(one)[numbers].sum() for one in readings]
        return max(LEAST_LIKENESS, float(np.mean(found))) if found else LEAST_LIKENESS

    @cached_property
    def _of_second(self) -> NDArray[np.int64]:
        """The numbers in the second step of those classes of the first that it knows."""
        assert self._world is not None
        classes = self._world.model.classes
        return np.array([self._model.codes.index(code) for code in classes if code in _SECOND])

    def _probabilities(self, reading: Reading) -> NDArray[np.float64]:
        model = self._model
        sums, count = text_sums(model, reading.text)
        band = min(bisect_left(self._lengths, count), len(self._heats) - 1)
        factor = model.scale / float(max(count, 1)) ** model.power
        found = np.zeros(self._membership.shape[1])
        text_shares(sums, factor, model.bias, self._heats[band], self._code_of, found)
        return found

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
