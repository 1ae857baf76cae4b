"""Compiled looks at bytes: whether a text has anything to tidy, and what letters a page has."""

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import tidiness as kernel
from izwi.kernels.columns import COMPOSES as COMPOSES
from izwi.kernels.columns import CONTROL as CONTROL

_USUAL = frozenset("\t\n\r\x85")
_BMP = 1 << 16
# Second parts of Korean syllables.
_JAMO = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))


def suspects(utf8: bytes) -> int:
    """Return CONTROL if there are control characters or surrogates, COMPOSES if NFC may change it.

    >>> suspects(b"plain"), suspects(b"a\\x00b"), suspects("e\\u0301".encode())
    (0, 1, 2)
    """
    return kernel.suspects(utf8, _table())


def letters_outside_tags(body: bytes) -> tuple[int, int]:
    """Return how many letters of ASCII a page has, and how many bytes that are others in Latin-1.

    >>> letters_outside_tags(b"<p>ab<script>if (a<b) x()</script>c\xe9")
    (3, 1)
    """
    return kernel.letters(body)


@cache
def _table() -> NDArray[np.uint8]:
    """Return the bits of each character of the basic plane."""
    table = np.zeros(_BMP, dtype=np.uint8)
    for code in range(_BMP):
        character = chr(code)
        if unicodedata.category(character) in ("Cc", "Cs") and character not in _USUAL:
            table[code] |= CONTROL
        if unicodedata.combining(character):
            table[code] |= COMPOSES
        parts = unicodedata.decomposition(character)
        if parts and not parts.startswith("<"):
            rest = parts.split()[1:]
            if not rest or not unicodedata.is_normalized("NFC", character):
                table[code] |= COMPOSES
            for part in rest:
                table[int(part, 16) % _BMP] |= COMPOSES
    table[list(_JAMO)] |= COMPOSES
    return table
