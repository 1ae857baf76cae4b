"""Small things about numbers in groups."""

import math

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
