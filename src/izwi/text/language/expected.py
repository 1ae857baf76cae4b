"""What whoever asks expects: the languages of a corpus are met in it more often than elsewhere.

By Bayes' rule the odds of an expected language are multiplied by how much more often it is met.
That decides about short texts, which could be in several languages. The longer a text, the more of
what is left of its doubt is the model's own (close languages, of which it is of two minds): there
the odds are left alone, so that no text is taken in for being alike.
"""

from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

# Five times: how much more of its language than of the nearest other one a corpus may meet. It is
# counted in full up to so many letters, not at all from so many on (docs/explanation/language.md).
PRIOR = 5.0
_FULL, _NONE = 70, 140


@dataclass(frozen=True, slots=True)
class Expected:
    """Languages (ISO 639-3), and how many times as often as elsewhere they are met."""

    languages: frozenset[str] = frozenset()
    prior: float = PRIOR

    def times(self, letters: int) -> float:
        """Return what the odds of these languages are multiplied by in a text of so many letters.

        >>> few, many = Expected(frozenset(["zul"]), 5.0), Expected()
        >>> few.times(30), few.times(140), many.times(30)
        (5.0, 1.0, 1.0)
        """
        if not self.languages or self.prior == 1 or letters >= _NONE:
            return 1.0
        counted = min(1.0, (_NONE - letters) / (_NONE - _FULL))
        return float(self.prior**counted)

    def places(self, codes: Collection[str]) -> NDArray[np.int64]:
        """Return where the expected languages stand among the codes of a model."""
        return np.flatnonzero([code in self.languages for code in codes])


NOTHING = Expected()


def weigh(shares: NDArray[np.float64], places: NDArray[np.int64], times: float) -> None:
    """Multiply the odds of some classes, so that the shares still add up to 1."""
    shares[places] *= times
    shares /= shares.sum()


def said_of(times: float) -> str:
    """Return in words that a language counted more for being expected."""
    return f"expected {times:.3g} times as often"
