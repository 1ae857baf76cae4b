"""How strongly two words attract each other: the measures users know, from the same four counts.

Observed is how often they stand together, `node` and `collocate` how often each occurs, `tokens`
how long the text is. MI is equation 5.4 of Dwyer (2014), after Stubbs (1995):
log2(observed * tokens / (node * collocate)). What tests a hypothesis (z, log-likelihood,
chi-square, delta P, and the t-score) needs the chance that a collocate falls into a window, so it
expects `window * collocate / tokens`, where `window` is the places looked at (Evert 2008).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Pairs:
    """Counts of pairs: arrays of one length, and what they share."""

    observed: Floats
    collocate: Floats
    node: float
    tokens: float
    window: float

    @property
    def expected(self) -> Floats:
        """How often each would stand in the windows by chance."""
        return self.window * self.collocate / self.tokens


def mi(pairs: Pairs) -> Floats:
    """Return mutual information: how many times more often than by chance, as a power of two."""
    return np.log2(pairs.observed * pairs.tokens / (pairs.node * pairs.collocate))


def mi3(pairs: Pairs) -> Floats:
    """Return MI with the observed frequency cubed, which favours what is frequent (Daille 1994)."""
    return np.log2(pairs.observed**3 * pairs.tokens / (pairs.node * pairs.collocate))


def t(pairs: Pairs) -> Floats:
    """Return the t-score (Church et al. 1991)."""
    return (pairs.observed - pairs.expected) / np.sqrt(pairs.observed)


def z(pairs: Pairs) -> Floats:
    """Return the z-score (Berry-Rogghe 1973)."""
    return (pairs.observed - pairs.expected) / np.sqrt(pairs.expected)


def ll(pairs: Pairs) -> Floats:
    """Return the log-likelihood ratio (Dunning 1993)."""
    observed, expected = _tables(pairs)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(observed > 0, observed * np.log(observed / expected), 0.0)
    return np.asarray(2 * terms.sum(axis=0))


def chi2(pairs: Pairs) -> Floats:
    """Return Pearson's chi-square."""
    observed, expected = _tables(pairs)
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(expected > 0, (observed - expected) ** 2 / expected, 0.0)
    return np.asarray(terms.sum(axis=0))


def dice(pairs: Pairs) -> Floats:
    """Return the Dice coefficient."""
    return 2 * pairs.observed / (pairs.node + pairs.collocate)


def logdice(pairs: Pairs) -> Floats:
    """Return the logarithm of Dice, which does not depend on corpus size (Rychlý 2008)."""
    return 14 + np.log2(dice(pairs))


def minsens(pairs: Pairs) -> Floats:
    """Return minimum sensitivity (Pedersen 1998)."""
    return np.minimum(pairs.observed / pairs.node, pairs.observed / pairs.collocate)


def deltap(pairs: Pairs) -> Floats:
    """Return how much likelier the collocate is in the windows than outside (Gries 2013)."""
    outside = max(pairs.tokens - pairs.window, 1.0)
    rest = np.maximum(pairs.collocate - pairs.observed, 0.0)
    return pairs.observed / max(pairs.window, 1.0) - rest / outside


def deltap_back(pairs: Pairs) -> Floats:
    """Return how much likelier a window is at the collocate than at other words."""
    others = np.maximum(pairs.tokens - pairs.collocate, 1.0)
    rest = np.maximum(pairs.window - pairs.observed, 0.0)
    return pairs.observed / pairs.collocate - rest / others


def _tables(pairs: Pairs) -> tuple[Floats, Floats]:
    """Return the four observed and the four expected counts of each pair's table.

    Where windows overlap, a token is counted twice and a cell might fall below zero: it is zero.
    """
    window, tokens = pairs.window, pairs.tokens
    inside, outside = window / tokens, (tokens - window) / tokens
    c, o = pairs.collocate, pairs.observed
    observed = np.stack((o, window - o, c - o, tokens - window - c + o))
    expected = np.stack((inside * c, inside * (tokens - c), outside * c, outside * (tokens - c)))
    return np.maximum(observed, 0.0), np.maximum(expected, 0.0)


BY_NAME = {
    "mi": mi, "mi3": mi3, "t": t, "z": z, "ll": ll, "chi2": chi2, "dice": dice, "logdice": logdice,
    "minsens": minsens, "deltap": deltap, "deltap_back": deltap_back,
}  # fmt: skip

MEASURES = tuple(BY_NAME)
