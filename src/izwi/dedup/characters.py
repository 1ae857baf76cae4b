"""What a character is to the tokeniser: part of a word, a word alone, nothing, or a separator."""

import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

SEPARATOR, LETTER, ALONE, NOTHING, MARK = 0, 1, 2, 3, 4
# It stands for several others, which are hashed in its place.
EXPANDED = 5
# It belongs to the letter before it; the order of several makes no difference.
COMBINING = 6

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
# All but ideographs and rare planes, whose characters are letters and stand for themselves.
_LOOKED_UP = (
    (0x0000, 0x3400),
    (0xA000, 0x12000),
    (0x16000, 0x17000),
    (0x1BC00, TABLE_SIZE),
)
_IGNORED = (0x00AD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF)


@dataclass(frozen=True, slots=True)
class Characters:
    """The kind of each character, and the form under which it is hashed.

    Of an expanded character `folded` is the place in `expansions` where the number of characters
    it stands for is given, and after it those characters. They are in their small, decomposed form.
    """

    kinds: NDArray[np.uint8]
    folded: NDArray[np.uint32]
    expansions: NDArray[np.uint32]
    # Of a byte that is a letter by itself, the number it is hashed as; 0 for the others.
    plain: NDArray[np.uint8]


@cache
def character_tables() -> Characters:
    """Return the tables for all characters, as tools/make_characters.py wrote them."""
    with np.load(Path(__file__).with_name("characters.npz")) as found:
        # Most characters stand for themselves; what was stored is how far off the others are.
        folded = found["folded"] + np.arange(TABLE_SIZE, dtype=np.uint32)
        return Characters(found["kinds"], folded, found["expansions"], found["plain"])


def made_tables() -> Characters:
    """Return the tables as this Python's knowledge of Unicode has them."""
    kinds = np.full(TABLE_SIZE, LETTER, np.uint8)
    folded = np.arange(TABLE_SIZE, dtype=np.uint32)
    expansions: list[int] = []
    for first, last in _LOOKED_UP:
        for code in range(first, last):
            _enter(code, kinds, folded, expansions)
    for first, last in _UNSPACED:
        span = kinds[first : last + 1]
        span[(span == LETTER) | (span == COMBINING)] = ALONE
    # Half-width and circled forms are what they stand for.
    kinds[(kinds == LETTER) & (kinds[folded % TABLE_SIZE] == ALONE)] = ALONE
    kinds[list(_IGNORED)] = NOTHING
    plain = np.where(kinds[:256] == LETTER, folded[:256] + 1, 0).astype(np.uint8)
    plain[128:] = 0
    return Characters(kinds, folded, np.array(expansions, np.uint32), plain)


def _enter(
    code: int, kinds: NDArray[np.uint8], folded: NDArray[np.uint32], expansions: list[int]
) -> None:
    character = chr(code)
    kinds[code] = _kind(character)
    form = _form(character)
    # A sign that stands for letters (the one for degrees Celsius) is hashed as these letters.
    if kinds[code] not in (LETTER, COMBINING) and LETTER not in map(_kind, form):
        return
    if len(form) == 1 and kinds[code] == _kind(form):
        folded[code] = ord(form)
        return
    kinds[code] = EXPANDED
    folded[code] = len(expansions)
    expansions += [len(form), *map(ord, form)]


def _kind(character: str) -> int:
    category = unicodedata.category(character)
    if category == "Mn" and unicodedata.combining(character):
        return COMBINING
    if category[0] in "LNM":
        return LETTER
    return MARK if category[0] in "PS" else SEPARATOR


def _form(character: str) -> str:
    """Return the small letters and signs that stand for a character in all Unicode forms."""
    if character.isascii():
        return character.lower()
    small = unicodedata.normalize("NFKD", character).casefold()
    return unicodedata.normalize("NFKD", small) or character
