"""Small things about numbers in groups."""

import math

import numpy as np
from numpy.typing import NDArray

Codes = NDArray[np.int64]
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


def optional(number: float) -> float | None:
    """Return a number, or None for what is none: JSON knows no infinity.

    >>> optional(1.5), optional(float("nan"))
    (1.5, None)
    """
    return float(number) if math.isfinite(number) else None
