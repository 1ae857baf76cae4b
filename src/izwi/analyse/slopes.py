"""Whether numbers in order rise or fall, by ranks alone: no shape of the change is assumed."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_Z = 1.959963984540054
LEAST_POINTS = 4


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

    >>> found = slope_of(np.arange(6.0), np.array([1.0, 2, 3, 5, 4, 6]))
    >>> found.slope, round(found.tau, 2), round(found.p, 3)
    (1.0, 0.87, 0.024)
    """
    size = len(values)
    if size < LEAST_POINTS:
        return None
    first, second = np.triu_indices(size, 1)
    rises = values[second] - values[first]
    slopes = np.sort(rises / (times[second] - times[first]))
    score = float(np.sign(rises).sum())
    deviation = math.sqrt(_variance(values))
    low, high = _limits(slopes, deviation)
    # Continuity: the score moves in steps of two.
    z = (score - math.copysign(1, score)) / deviation if score and deviation else 0.0
    p = math.erfc(abs(z) / math.sqrt(2))
    return Slope(float(np.median(slopes)), low, high, score / len(slopes), p)


def _variance(values: Floats) -> float:
    """Return the variance of Mann and Kendall's score if there is no trend."""
    size = len(values)
    ties = np.unique(values, return_counts=True)[1].astype(np.float64)
    tied = float((ties * (ties - 1) * (2 * ties + 5)).sum())
    return (size * (size - 1) * (2 * size + 5) - tied) / 18


def _limits(slopes: Floats, deviation: float) -> tuple[float, float]:
    """Return the slopes between which the true one lies in 95 of 100 cases."""
    count = len(slopes)
    low = int((count - _Z * deviation) / 2)
    high = math.ceil((count + _Z * deviation) / 2)
    return float(slopes[max(0, low)]), float(slopes[min(count - 1, high)])
