"""Whether numbers in order rise or fall, by ranks alone: no shape of the change is assumed."""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
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
