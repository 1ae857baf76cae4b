"""Statistics that analyses share: groups, rates with intervals, slopes, changes of level.

Rates per million with an interval that knows that words come in clusters. Documents are the units
that were drawn, not tokens: a word that stands ten times in one document is less certain than one
in ten documents. The variance of a rate between documents (the ratio estimator, Cochran 1977, 6.3)
gives a design effect; the hits divided by it are what independent hits would be worth (Korn and
Graubard 1998), and those get the interval of a Poisson count (Garwood 1936, as Byar approximated
it; Breslow and Day 1987, 2.3).

Where a rate changes its level: the split into levels that explains counts best for its cost. Counts
are Poisson with more variance than that (the design effect); each further level has to gain more
than the modified Bayes criterion of Zhang and Siegmund (2007) asks. The best split is found by
dynamic programming (Jackson et al. 2005).
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
Floats = NDArray[np.float64]
# Up to this many codes are counted off instead of sorted.
_FEW = 1 << 16


def grouped(codes: Codes, size: int) -> tuple[Codes, Codes]:
    """Return codes numbered anew from 0 without gaps, and the codes that occur, ascending.

    >>> new, old = grouped(np.array([7, 3, 7]), 9)
    >>> new.tolist(), old.tolist()
    ([1, 0, 1], [3, 7])
    """
    if size > max(_FEW, 4 * len(codes)):
        old, new = np.unique(codes, return_inverse=True)
        return new.reshape(-1), old
    occurs = np.zeros(size, np.bool_)
    occurs[codes] = True
    old = np.flatnonzero(occurs)
    places = np.cumsum(occurs) - 1
    return places[codes], old


def largest(keys: tuple[Floats, ...], most: int) -> Codes:
    """Return the places of the so many largest by some keys, the largest first.

    Only what may be among them is sorted.

    >>> largest((np.array([1.0, 3.0, 3.0]), np.array([9.0, 1.0, 2.0])), 2).tolist()
    [2, 1]
    """
    first = keys[0]
    places = np.arange(len(first))
    if not most:
        return places[:0]
    if len(first) > 2 * most:
        places = np.flatnonzero(first >= np.partition(first, len(first) - most)[len(first) - most])
    order = np.lexsort([-key[places] for key in reversed(keys)])
    return places[order][:most]


def optional(number: float) -> float | None:
    """Return a number, or None for what is none: JSON knows no infinity.

    >>> optional(1.5), optional(float("nan"))
    (1.5, None)
    """
    return float(number) if math.isfinite(number) else None


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


_Z = 1.959963984540054
LEAST_POINTS = 4
# Beyond so many points, their pairs would fill the memory; a sample of pairs stands for them.
MOST_POINTS = 2000
_SAMPLE = MOST_POINTS * (MOST_POINTS - 1) // 2
_SEED = 1968


@dataclass(frozen=True, slots=True)
class Slope:
    """Theil and Sen's slope with its 95 % interval; Kendall's tau and its probability."""

    slope: float
    low: float
    high: float
    tau: float
    p: float


def slope_of(times: Floats, values: Floats) -> Slope | None:
    """Return the median of the slopes between all pairs, tested as Mann and Kendall do.

    The interval is Sen's (1968); ties count in the variance. None for fewer than four points.
    Of more than 2,000 points, the median and the interval are those of a sample of pairs.

    >>> found = slope_of(np.arange(6.0), np.array([1.0, 2, 3, 5, 4, 6]))
    >>> found.slope, round(found.tau, 2), round(found.p, 3)
    (1.0, 0.87, 0.024)
    """
    size = len(values)
    if size < LEAST_POINTS:
        return None
    is_sample = size > MOST_POINTS
    first, second = _some_pairs(size) if is_sample else _all_pairs(size)
    slopes = (values[second] - values[first]) / (times[second] - times[first])
    pairs = size * (size - 1) // 2
    score = float(_score(values) if is_sample else np.sign(slopes).sum())
    deviation = math.sqrt(_variance(values))
    # In a sample, places in the order lie as much closer together as there are fewer pairs.
    middle, low, high = _middle_and_limits(slopes, deviation * len(slopes) / pairs)
    # Continuity: the score moves in steps of two.
    z = (score - math.copysign(1, score)) / deviation if score and deviation else 0.0
    p = math.erfc(abs(z) / math.sqrt(2))
    return Slope(middle, low, high, score / pairs, p)


@lru_cache(maxsize=2)
def _all_pairs(size: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Return all pairs of places; the same periods are asked about again and again."""
    first, second = (places.astype(np.int32) for places in np.triu_indices(size, 1))
    # Others get the same arrays.
    first.flags.writeable = second.flags.writeable = False
    return first, second


def _some_pairs(size: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return a sample of pairs of different places, the same for each size."""
    random = np.random.default_rng(_SEED)
    first = random.integers(0, size, _SAMPLE)
    return first, (first + random.integers(1, size, _SAMPLE)) % size


def _score(values: Floats) -> int:
    """Return how many more pairs rise than fall; row by row, so that no pair is kept."""
    score = 0
    for place, value in enumerate(values[:-1].tolist(), 1):
        later = values[place:]
        score += int(np.count_nonzero(later > value)) - int(np.count_nonzero(later < value))
    return score


def _variance(values: Floats) -> float:
    """Return the variance of Mann and Kendall's score if there is no trend."""
    size = len(values)
    ties = np.unique(values, return_counts=True)[1].astype(np.float64)
    tied = float((ties * (ties - 1) * (2 * ties + 5)).sum())
    return (size * (size - 1) * (2 * size + 5) - tied) / 18


def _middle_and_limits(slopes: Floats, deviation: float) -> tuple[float, float, float]:
    """Return the median slope, and those between which the true one lies in 95 of 100 cases."""
    count = len(slopes)
    low = max(0, int((count - _Z * deviation) / 2))
    high = min(count - 1, math.ceil((count + _Z * deviation) / 2))
    middle = ((count - 1) // 2, count // 2)
    # Only these places need to be in order.
    slopes = np.partition(slopes, sorted({low, high, *middle}))
    return float(slopes[[*middle]].mean()), float(slopes[low]), float(slopes[high])


# Fewer hits than this say nothing about levels.
LEAST_HITS = 30
# A level lasts at least so many periods: one high month is no change.
SHORTEST = 3
# The cost grows with the square of the periods: of more than these, neighbours count as one.
MOST_PERIODS = 2_000
# Ends whose costs are computed together.
_BLOCK = 256


def change_points(hits: Floats, tokens: Floats, design_effect: float) -> list[int]:
    """Return the places at which another level begins."""
    together = -(-len(hits) // MOST_PERIODS)
    if together > 1:
        starts = np.arange(0, len(hits), together)
        hits, tokens = (np.add.reduceat(each, starts) for each in (hits, tokens))
        return [together * place for place in change_points(hits, tokens, design_effect)]
    size = len(hits)
    if size < 2 * SHORTEST or hits.sum() < LEAST_HITS:
        return []
    sums = np.concatenate(([0.0], np.cumsum(hits))), np.concatenate(([0.0], np.cumsum(tokens)))
    penalty = 3 * np.log(size) * max(1.0, design_effect)
    best = np.full(size + 1, np.inf)
    best[0] = -penalty
    previous = np.zeros(size + 1, np.int64)
    for first in range(SHORTEST, size + 1, _BLOCK):
        last = min(first + _BLOCK, size + 1)
        for end, costs in zip(range(first, last), _costs(sums, first, last), strict=True):
            sizes = best[: end - SHORTEST + 1] + costs[: end - SHORTEST + 1]
            previous[end] = place = int(sizes.argmin())
            best[end] = sizes[place] + penalty
    return _traced(previous)


def _costs(sums: tuple[Floats, Floats], first: int, last: int) -> Floats:
    """Return minus twice the log-likelihood of one level, from each start (columns) to some ends.

    Constants are left out; what lies above the diagonal is nonsense and not looked at.
    """
    hits, tokens = (each[first:last, None] - each[None, :] for each in sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(hits > 0, -2 * hits * np.log(hits / tokens), 0.0)


def _traced(previous: NDArray[np.int64]) -> list[int]:
    found, at = [], len(previous) - 1
    while previous[at] > 0:
        at = int(previous[at])
        found.append(at)
    return found[::-1]
