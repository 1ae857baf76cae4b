"""Compiled passes over a page's bytes: without what no block is made of; what is to be tidied.

A page without what its blocks are not made of: scripts, styles, comments, most attributes. More
than half of a page's bytes are such, and a parser reads, keeps and writes them all. One compiled
pass over the bytes leaves them out first, so that the rest is parsed as it would be in the whole
page. The pass also sees what makes parsers slow, elements too deep inside each other and tags with
too many attributes, and can leave just that out.
"""

import unicodedata
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import lean as kernel
from izwi.kernels import tidiness as tidiness_kernel
from izwi.kernels.columns import COMPOSES as COMPOSES
from izwi.kernels.columns import CONTROL as CONTROL


class Lean(NamedTuple):
    """Markup without what is not read, and whether the page would make a parser slow."""

    markup: bytes
    is_hostile: bool


def lean(utf8: bytes) -> Lean:
    """Return markup without what is not read; it parses to the same blocks.

    >>> lean(b'<p onclick="go()" class=a>Hi  there<!-- no --><script>x</script>').markup
    b'<p class=a>Hi there<!----><script></script>'
    """
    return Lean(*kernel.lean(utf8))


def without_hostility(utf8: bytes) -> bytes:
    """Return markup without the tags of elements that lie too deep and attributes beyond count.

    >>> without_hostility(b"<p title='as it is'>  <!-- is -->")
    b"<p title='as it is'>  <!-- is -->"
    """
    return kernel.lean(utf8, is_whole=True)[0]


_USUAL = frozenset("\t\n\r\x85")
_BMP = 1 << 16
# Second parts of Korean syllables.
_JAMO = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))


def suspects(utf8: bytes) -> int:
    """Return CONTROL if there are control characters or surrogates, COMPOSES if NFC may change it.

    >>> suspects(b"plain"), suspects(b"a\\x00b"), suspects("e\\u0301".encode())
    (0, 1, 2)
    """
    return tidiness_kernel.suspects(utf8, _table())


def letters_outside_tags(body: bytes) -> tuple[int, int]:
    """Return how many letters of ASCII a page has, and how many bytes that are others in Latin-1.

    >>> letters_outside_tags(b"<p>ab<script>if (a<b) x()</script>c\xe9")
    (3, 1)
    """
    return tidiness_kernel.letters(body)


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
