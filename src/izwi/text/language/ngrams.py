"""Our own identifier: hashed n-grams of words, summed; hundreds of languages in three steps.

The first step knows all languages by lists of what is telling (`world`). Where one of the languages
of the second is possible, which were learnt from far more text, its dense rows of weights are asked
too and both opinions are multiplied. Close languages are told apart last (`telling`). Temperatures
by length make probabilities of the sums, so that of the guesses with 0.9 about nine in ten are
right (docs/explanation/language.md).
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.ngrams import text_shares
from izwi.model.document import LanguageGuess
from izwi.text.language.expected import NOTHING, Expected, said_of, weigh
from izwi.text.language.letters import (
    MIXED_SCRIPT,
    Reading,
    by_script,
    read,
    reason_of,
    without_names,
)
from izwi.text.language.model import UND, NgramModel, shipped_model, text_sums, word_sums
from izwi.text.language.telling import Telling, TellingModel, shipped_telling
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


@dataclass(frozen=True, slots=True)
class _Judged:
    """What is said of a text: the best named class, all shares, the best unnamed one.

    The odds of the languages expected were multiplied by `times`.
    """

    best: int
    shares: NDArray[np.float64]
    other: float
    times: float


class Izwi:
    """Names the language of a text with the models that come along, or one a user trained."""

    depends_on: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self,
        model: NgramModel | None = None,
        world: WorldModel | None = None,
        expected: Expected = NOTHING,
        telling: TellingModel | None = None,
    ) -> None:
        self._model = model or shipped_model()
        self._expected = expected
        self._membership = self._model.membership()
        self._code_of = self._membership.argmax(axis=1)
        self._lengths = self._model.lengths.tolist()
        self._heats = self._model.temperatures.tolist()
        found = world or (shipped_world() if model is None else None)
        self._world = World(found, _SECOND) if found is not None else None
        close = telling or shipped_telling()
        self._telling = Telling(close, found.classes) if found and close else None

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
        code, score = self._world.model.classes[found.best], float(found.shares[found.best])
        # Where all are improbable, the best of the named ones may be the class of the others.
        if found.other > score or code == UND:
            return LanguageGuess(UND, self._world.unnamed(found.shares), "other-language")
        if found.times == 1.0:
            return LanguageGuess(code, score)
        by_name = self._world.by_name(found.shares)
        return LanguageGuess(code, score, self._because(code, by_name, found.times))

    def guesses(self, text: str) -> tuple[LanguageGuess, ...]:
        """Return all languages with their probabilities, best first."""
        told = self._shares(text)
        if isinstance(told, str):
            return (LanguageGuess(UND, 0.0, reason=told),)
        shares, times = told
        order = np.argsort(-shares, kind="stable").tolist()
        found = [LanguageGuess(self.codes[n], float(shares[n])) for n in order]
        first = found[0].code
        reason = "other-language" if first == UND else self._because(first, shares, times)
        return (LanguageGuess(first, found[0].score, reason), *found[1:])

    def _because(self, code: str, shares: NDArray[np.float64], times: float) -> str:
        """Return what it was to a text's language that it, or others, were expected."""
        if times == 1.0 or code in self._expected.languages:
            return said_of(times) if times > 1.0 else ""
        places = self._expected.places(self.codes)
        if not len(places):
            return ""
        nearest = places[shares[places].argmax()]
        return f"before {self.codes[nearest]} {shares[nearest]:.2f}, {said_of(times)}"

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

    def _shares(self, text: str) -> tuple[NDArray[np.float64], float] | str:
        """Return the probability of each language (`codes`), or why none can be told.

        With it what the odds of those expected were multiplied by.
        """
        if self._world is None:
            reading = read(text)
            times = self._expected.times(len(reading.text))
            shares = self._probabilities(reading)
            if times > 1.0:
                weigh(shares, self._expected.places(self.codes), times)
            return reading.reason or (shares, times)
        found = self._judged(self._world, text)
        return found if isinstance(found, str) else (self._world.by_name(found.shares), found.times)

    def _judged(self, world: World, text: str) -> _Judged | str:
        """Return what is said of a text's language, or why there is nothing to say."""
        plain = without_addresses(text)
        used, (_, latin, foreign, control) = world.read(plain)
        if latin + foreign < 2 or control or (latin and foreign):
            reason = reason_of(text, latin, foreign, control)
            if reason == MIXED_SCRIPT:
                return self._judged_by_script(world, plain)
            if reason:
                return reason
        found = self._weighed(world, plain, used)
        if found.shares[found.best] >= _UNSURE or len(plain) > _SHORT:
            return found
        running = without_names(plain)
        if running != plain:
            return self._weighed(world, running, world.read(running)[0])
        return found

    def _judged_by_script(self, world: World, plain: str) -> _Judged | str:
        """Return what is said of both scripts of a text, if it is the same."""
        latin, other = by_script(" ".join(_read_of(plain)))
        codes = world.model.classes
        first = codes[self._weighed(world, latin, world.read(latin)[0]).best] if latin else ""
        used, (_, *letters, _) = world.read(other)
        found = self._weighed(world, other, used)
        return found if sum(letters) > 1 and first in ("", codes[found.best]) else MIXED_SCRIPT

    def _weighed(self, world: World, plain: str, used: int) -> _Judged:
        """Return what is said of the letters read, with what is expected of them."""
        best, shares, other = self._told(world, plain, used)
        times = self._expected.times(used)
        if times > 1.0:
            best, other = world.expect(self._places, times)
        return _Judged(best, shares, other, times)

    def _told(self, world: World, plain: str, used: int) -> tuple[int, NDArray[np.float64], float]:
        """Return the best named class, all shares, the best unnamed one, of the letters read."""
        best, shares, other = self._asked(world, plain, used)
        if self._telling and self._telling.settle(world.letters, used, shares, best):
            best = world.best_named()
        return best, shares, other

    def _asked(self, world: World, plain: str, used: int) -> tuple[int, NDArray[np.float64], float]:
        """Return what the first step says, and the second where it may be one of its languages."""
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
    def _places(self) -> NDArray[np.int64]:
        """The classes of the first step that are expected."""
        assert self._world is not None
        return self._expected.places(self._world.model.classes)

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
