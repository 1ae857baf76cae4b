"""What kind of character each code point is, as tables that a scanner can look up."""

import unicodedata
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.kinds import DIGIT, LOWER, MARK, SPACE, SPACELESS, SYMBOL, UPPER

# Beyond the second plane nothing is a letter of a script with spaces.
_TABLE_SIZE = 0x20000
# Scripts written without spaces: each character is a token of its own.
_SPACELESS_RANGES = (
    (0x0E00, 0x0EFF),
    (0x1000, 0x109F),
    (0x1780, 0x17FF),
    (0x3040, 0x30FF),
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0x20000, 0x3FFFF),
)
# Joiners and variation selectors hold an emoji or a letter together with what it modifies.
_JOINERS = (0x200C, 0x200D, 0xFE0E, 0xFE0F)


def kind_of(code: int) -> int:
    """Return the kind of one code point.

    >>> [kind_of(ord(sign)) for sign in "aZ5 -"] == [LOWER, UPPER, DIGIT, SPACE, SYMBOL]
    True
    """
    sign = chr(code)
    if sign.isspace():
        return SPACE
    category = unicodedata.category(sign)
    if category[0] == "M" or code in _JOINERS:
        return MARK
    if any(first <= code <= last for first, last in _SPACELESS_RANGES):
        return SPACELESS
    if category in ("Lu", "Lt"):
        return UPPER
    if category[0] == "L":
        return LOWER
    return DIGIT if category[0] == "N" else SYMBOL


def lower_of(code: int) -> int:
    """Return the lower-case form of a code point, itself if that is longer than one."""
    small = chr(code).lower()
    return ord(small) if len(small) == 1 else code


def looked_up(text: str) -> tuple[NDArray[np.int32], NDArray[np.uint8]]:
    """Return the code points of a text in lower case, and the kind of each."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.int32)
    kinds, lower = _tables()
    if not len(codes) or codes.max() < _TABLE_SIZE:
        return lower[codes], kinds[codes]
    low = np.minimum(codes, _TABLE_SIZE - 1)
    far = codes >= _TABLE_SIZE
    far_kinds = np.where(codes <= _SPACELESS_RANGES[-1][1], SPACELESS, SYMBOL).astype(np.uint8)
    return np.where(far, codes, lower[low]), np.where(far, far_kinds, kinds[low])


@cache
def _tables() -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the kind and the lower-case form of every code point, as they were written."""
    with np.load(Path(__file__).with_name("characters.npz")) as found:
        return found["kinds"], np.arange(_TABLE_SIZE, dtype=np.int32) + found["lower"]


def made_tables() -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the same as this Python's knowledge of Unicode has it."""
    codes = range(_TABLE_SIZE)
    kinds = np.fromiter(map(kind_of, codes), np.uint8, _TABLE_SIZE)
    return kinds, np.fromiter(map(lower_of, codes), np.int32, _TABLE_SIZE)
