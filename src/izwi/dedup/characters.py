"""What a character is to the tokeniser: part of a word, a word alone, nothing, or a separator."""

import unicodedata
from functools import cache

import numpy as np
from numpy.typing import NDArray

SEPARATOR, LETTER, ALONE, NOTHING, MARK = 0, 1, 2, 3, 4
# Part of a word, but perhaps not in the form that equal texts share: the text is normalised first.
COMPOSED = 5

# Beyond this there are only rare ideographs, which stand alone, and unassigned characters.
TABLE_SIZE = 0x20000
# Scripts written without spaces: every letter is a token of its own.
_UNSPACED = (
    (0x0E00, 0x0EFF),  # Thai, Lao
    (0x0F00, 0x0FFF),  # Tibetan
    (0x1000, 0x109F),  # Burmese
    (0x1780, 0x17FF),  # Khmer
    (0x3005, 0x3007),
    (0x3040, 0x30FF),  # Hiragana, Katakana
    (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF),  # ideographs
    (0xF900, 0xFAFF),
)
# All but ideographs, Hangul and rare planes, whose characters are letters and stand for themselves.
_LOOKED_UP = (
    (0x0000, 0x3400),
    (0xA000, 0xAC00),
    (0xD7A4, 0x12000),
    (0x16000, 0x17000),
    (0x1BC00, TABLE_SIZE),
)
_IGNORED = (0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF)

Kinds = NDArray[np.uint8]
Folded = NDArray[np.uint32]


@cache
def character_tables() -> tuple[Kinds, Folded]:
    """Return the kind of each character and the form under which it is hashed."""
    kinds = np.full(TABLE_SIZE, LETTER, np.uint8)
    folded = np.arange(TABLE_SIZE, dtype=np.uint32)
    for first, last in _LOOKED_UP:
        characters = [chr(code) for code in range(first, last)]
        kinds[first:last] = np.fromiter(map(_kind, characters), np.uint8, last - first)
        folded[first:last] = np.fromiter(map(_fold, characters), np.uint32, last - first)
    for first, last in _UNSPACED:
        span = kinds[first : last + 1]
        span[span == LETTER] = ALONE
    kinds[list(_IGNORED)] = NOTHING
    return kinds, folded


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if category == "Mn" and unicodedata.combining(character) and character < "\u0600":
        return COMPOSED
    if category[0] in "LNM":
        return LETTER if len(unicodedata.normalize("NFKC", character)) == 1 else COMPOSED
    return MARK if category[0] in "PS" else SEPARATOR


def _fold(character: str) -> int:
    """Return the code of the lower-case letter that stands for a character, where one does."""
    lower = unicodedata.normalize("NFKC", character).casefold()
    return ord(lower) if len(lower) == 1 else ord(character)
