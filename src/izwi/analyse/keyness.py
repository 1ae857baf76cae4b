"""How much more frequent words are in one text than in another."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
MILLION = 1e6
# What stands for no occurrence in a ratio (Hardie 2014).
_HALF = 0.5


@dataclass(frozen=True, slots=True)
class Frequencies:
    """How often words occur in two texts, and how long those are."""

    focus: Floats
    reference: Floats
    focus_tokens: float
    reference_tokens: float

    def of(self, places: NDArray[np.int64]) -> "Frequencies":
        """Return those of some words."""
        return Frequencies(
            self.focus[places],
            self.reference[places],
            self.focus_tokens,
            self.reference_tokens,
        )

    @property
    def per_million(self) -> tuple[Floats, Floats]:
        """The rates in both; 0 in a text without tokens."""
        return (
            MILLION * self.focus / max(self.focus_tokens, 1.0),
            MILLION * self.reference / max(self.reference_tokens, 1.0),
        )


def simple(found: Frequencies, smoothing: float = 1.0) -> Floats:
    """Return the ratio of rates, both raised by a constant (simple maths, Kilgarriff 2009)."""
    focus, reference = found.per_million
    return (focus + smoothing) / (reference + smoothing)


def logratio(found: Frequencies) -> Floats:
    """Return log2 of the ratio of rates (Hardie 2014); none counts as half an occurrence."""
    focus = np.maximum(found.focus, _HALF) / max(found.focus_tokens, 1.0)
    reference = np.maximum(found.reference, _HALF) / max(found.reference_tokens, 1.0)
    return np.log2(focus / reference)


def ll(found: Frequencies) -> Floats:
    """Return the log-likelihood of a difference (Rayson and Garside 2000).

    Below zero where the word is rarer in the focus.
    """
    both = found.focus + found.reference
    tokens = max(found.focus_tokens + found.reference_tokens, 1.0)
    total = np.zeros(len(both))
    for own, size in (
        (found.focus, found.focus_tokens),
        (found.reference, found.reference_tokens),
    ):
        with np.errstate(divide="ignore", invalid="ignore"):
            total += np.where(own > 0, own * np.log(own * tokens / (size * both)), 0.0)
    focus, reference = found.per_million
    return np.where(focus >= reference, 2, -2) * np.maximum(total, 0.0)


def diff(found: Frequencies) -> Floats:
    """Return the difference of rates in per cent of the reference's (Gabrielatos 2018).

    Infinite where the reference has none.
    """
    focus, reference = found.per_million
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(reference > 0, 100 * (focus - reference) / reference, np.inf)


MEASURES = ("simple", "logratio", "ll", "diff")


def scores(found: Frequencies, measure: str, smoothing: float) -> Floats:
    """Return one measure of all words."""
    match measure:
        case "simple":
            return simple(found, smoothing)
        case "logratio":
            return logratio(found)
        case "ll":
            return ll(found)
    return diff(found)
