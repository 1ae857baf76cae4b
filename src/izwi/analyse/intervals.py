"""Rates per million with an interval that knows that words come in clusters.

Documents are the units that were drawn, not tokens: a word that stands ten times in one document
is less certain than one in ten documents. The variance of a rate between documents (the ratio
estimator, Cochran 1977, 6.3) gives a design effect; the hits divided by it are what independent
hits would be worth (Korn and Graubard 1998), and those get the interval of a Poisson count
(Garwood 1936, as Byar approximated it; Breslow and Day 1987, 2.3).
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Z = 1.959963984540054
MILLION = 1e6


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over documents, cell by cell: c is a document's hits, n its tokens."""

    documents: NDArray[np.int64]
    tokens: NDArray[np.int64]
    tokens_squared: Floats
    hits: NDArray[np.int64]
    hits_squared: Floats
    hits_by_tokens: Floats
    # Documents with hits.
    with_hits: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Rates:
    """Rates per million and the ends of their intervals; NaN where there is no text."""

    per_million: Floats
    low: Floats
    high: Floats
    design_effect: Floats


def rates(sums: Sums) -> Rates:
    """Return the rate of each cell with its interval by document."""
    with np.errstate(divide="ignore", invalid="ignore"):
        tokens = np.where(sums.tokens > 0, sums.tokens, np.nan).astype(np.float64)
        rate = sums.hits / tokens
        effect = _design_effect(sums, rate, tokens)
        low, high = poisson_interval(sums.hits / effect)
        scale = MILLION * effect / tokens
    # No rate is above one hit a token.
    return Rates(MILLION * rate, low * scale, np.minimum(high * scale, MILLION), effect)


def _design_effect(sums: Sums, rate: Floats, tokens: Floats) -> Floats:
    """Return how much more the rate varies between documents than independent hits would."""
    spread = sums.hits_squared - 2 * rate * sums.hits_by_tokens + rate**2 * sums.tokens_squared
    documents = sums.documents.astype(np.float64)
    between = np.where(documents > 1, documents / (documents - 1), 1.0) * spread
    effect = np.where(sums.hits > 0, between / np.maximum(sums.hits, 1), 1.0)
    # Fewer documents say less about how they vary: Student's t in place of the normal.
    effect = effect * (student(documents - 1) / Z) ** 2
    return np.maximum(effect, 1.0)


def student(freedom: Floats) -> Floats:
    """Return the 97.5 % point of Student's t, by its expansion about the normal.

    >>> [round(float(t), 2) for t in student(np.array([3.0, 10.0, 1e9]))]
    [3.18, 2.23, 1.96]
    """
    known = np.array([12.706, 12.706, 4.303, 3.182, 2.776])
    n = np.maximum(freedom, 1.0)
    g1 = (Z**3 + Z) / 4
    g2 = (5 * Z**5 + 16 * Z**3 + 3 * Z) / 96
    g3 = (3 * Z**7 + 19 * Z**5 + 17 * Z**3 - 15 * Z) / 384
    found = Z + g1 / n + g2 / n**2 + g3 / n**3
    few = np.clip(freedom, 0, 4).astype(np.int64)
    return np.where(freedom <= 4, known[few], found)


def poisson_interval(counts: Floats) -> tuple[Floats, Floats]:
    """Return the 95 % limits of the mean of a Poisson count (fractions allowed).

    >>> low, high = poisson_interval(np.array([0.0, 10.0]))
    >>> [round(float(x), 1) for x in (*low, *high)]
    [0.0, 4.8, 3.7, 18.4]
    """
    some = np.maximum(counts, 1e-9)
    low = some * (1 - 1 / (9 * some) - Z / (3 * np.sqrt(some))) ** 3
    more = counts + 1
    high = more * (1 - 1 / (9 * more) + Z / (3 * np.sqrt(more))) ** 3
    return np.where(counts > 0, np.maximum(low, 0.0), 0.0), high
