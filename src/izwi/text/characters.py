"""Counts of kinds of characters in many texts at once, the same for every script."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import letters as kernel
from izwi.kernels.columns import CHARACTER_CLASSES
from izwi.kernels.feature_columns import COUNTS

_TABLE = 1 << 16


def class_table() -> NDArray[np.uint8]:
    """Return the class of each character of the basic plane; others count as caseless letters."""
    return _tables()[0]


def lower_table() -> NDArray[np.uint16]:
    """Return the small letter of each character of the basic plane."""
    return _tables()[1]


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Return both tables, as tools/make_characters.py wrote them."""
    with np.load(Path(__file__).with_name("characters.npz")) as found:
        return found["classes"], np.arange(_TABLE, dtype=np.uint16) + found["lower"]


def count(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return one row of COUNTS for each text; ten ideographs are six words of five letters.

    >>> count(["เรือข้ามฟากมาสายอีกแล้ว"])[0, :2].astype(int).tolist()
    [23, 4]
    """
    utf8 = [text.encode("utf-8", "replace") for text in texts]
    ends = np.cumsum([0, *map(len, utf8)], dtype=np.int64)
    return count_in(np.frombuffer(b"".join(utf8), dtype=np.uint8), ends[:-1], ends[1:])


def count_in(
    utf8: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return one row of COUNTS for each stretch of a text in UTF-8."""
    rows = np.zeros((len(ends), len(COUNTS)), dtype=np.float32)
    kinds = np.zeros(CHARACTER_CLASSES, dtype=np.int64)
    kernel.count(utf8, starts, ends, class_table(), rows, kinds)
    return rows
