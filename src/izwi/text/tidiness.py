"""Compiled looks at bytes: whether a text has anything to tidy, and what letters a page has."""

import unicodedata
from functools import cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

from izwi.text.characters import decoded

CONTROL, COMPOSES = 1, 2
_USUAL = frozenset("\t\n\r\x85")
_BMP = 1 << 16
# Second parts of Korean syllables.
_JAMO = (*range(0x1161, 0x1176), *range(0x11A8, 0x11C3))
# Beyond the basic plane only pictures and ideographs are frequent, and these never compose.
_PICTURES, _COMPATIBLE = 0x1F000, 0x2F800
_HIGH = np.uint64(0x8080808080808080)
_BLANKS = np.uint64(0x2020202020202020)
_DELETES = np.uint64(0x7F7F7F7F7F7F7F7F)
_ONES = np.uint64(0x0101010101010101)


def suspects(utf8: bytes) -> int:
    """Return CONTROL if there are control characters or surrogates, COMPOSES if NFC may change it.

    >>> suspects(b"plain"), suspects(b"a\\x00b"), suspects("e\\u0301".encode())
    (0, 1, 2)
    """
    data = np.frombuffer(utf8, dtype=np.uint8)
    whole = len(data) // 8 * 8
    found: int = _suspects(data, data[:whole].view(np.uint64), _table())
    return found


def letters_outside_tags(body: bytes) -> tuple[int, int]:
    """Return how many letters of ASCII a page has, and how many bytes that are others in Latin-1.

    >>> letters_outside_tags(b"<p>ab<script>if (a<b) x()</script>c\xe9")
    (3, 1)
    """
    plain, others = _letters(np.frombuffer(body, dtype=np.uint8))
    return int(plain), int(others)


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


@njit(cache=True)
def _suspects(data, words, table):  # type: ignore[no-untyped-def]
    found = 0
    for place in range(len(words)):
        word = words[place]
        deletes = word ^ _DELETES
        odd = word | ((word - _BLANKS) & ~word) | ((deletes - _ONES) & ~deletes)
        # Eight printable characters of ASCII need no second look.
        if odd & _HIGH:
            found |= _look(data, 8 * place, 8 * place + 8, table)
    return found | _look(data, 8 * len(words), len(data), table)


@njit(cache=True)
def _look(data, i, end, table):  # type: ignore[no-untyped-def]
    """Return the bits of the characters that begin between two places."""
    found = 0
    while i < end:
        if data[i] < 128:
            found |= table[data[i]]
        elif data[i] >= 0xC0:
            code, _ = decoded(data, i, len(data))
            if code < 65536:
                found |= table[code]
            elif code < _PICTURES or code >= _COMPATIBLE:
                found |= COMPOSES
        i += 1
    return found


@njit(cache=True)
def _letters(data):  # type: ignore[no-untyped-def]
    i, plain, others = 0, 0, 0
    # What was looked for to the end once and not found is not looked for again.
    has_marks, has_ends = True, True
    while i < len(data):
        byte = data[i]
        if byte == 60 and has_ends and _begins_raw(data, i + 1):
            stop = _after_raw(data, i + 1)
            has_ends = stop > 0
            if has_ends:
                i = stop
                continue
        if byte == 60 and has_marks:
            stop = _after_mark(data, i + 1)
            has_marks = stop > 0
            if has_marks:
                i = stop
                continue
        plain += 97 <= (byte | 32) <= 122
        others += byte >= 0xC0
        i += 1
    return plain, others


@njit(cache=True)
def _begins_raw(data, i):  # type: ignore[no-untyped-def]
    return _is_word(data, i, b"script") or _is_word(data, i, b"style")


@njit(cache=True)
def _after_raw(data, i):  # type: ignore[no-untyped-def]
    """Return the place after the name in the next end tag of a script or style, or 0."""
    for stop in range(i, len(data) - 1):
        if data[stop] == 60 and data[stop + 1] == 47 and _begins_raw(data, stop + 2):
            return stop + 7 + _is_word(data, stop + 2, b"script")
    return 0


@njit(cache=True)
def _after_mark(data, i):  # type: ignore[no-untyped-def]
    """Return the place after the next ">", or 0."""
    for stop in range(i, len(data)):
        if data[stop] == 62:
            return stop + 1
    return 0


@njit(cache=True)
def _is_word(data, i, word):  # type: ignore[no-untyped-def]
    if i + len(word) > len(data):
        return False
    for step in range(len(word)):  # noqa: SIM110
        if data[i + step] | 32 != word[step]:
            return False
    return True
