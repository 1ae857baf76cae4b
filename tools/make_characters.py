"""Write what stages look up of each character: a characters.npz in text, dedup and annotate.

    python tools/make_characters.py

The tables are made once, not at every start (which cost an extraction 60 ms), and for all versions
of Python alike: what was made under one stays true under the next, whatever Unicode each knows.
"""

import unicodedata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.annotate.tokens import TABLE_SIZE as TOKEN_CODES
from izwi.annotate.tokens import kind_of, lower_of
from izwi.dedup.batch import (
    ALONE,
    COMBINING,
    EXPANDED,
    LETTER,
    MARK,
    NOTHING,
    SEPARATOR,
    TABLE_SIZE,
    Characters,
)  # fmt: skip
from izwi.kernels.columns import (
    CASELESS,
    CJK,
    COMMA,
    DIGIT,
    FENCE,
    JOINED,
    LOWER,
    OTHER,
    SPACE,
    STOP,
    UPPER,
)  # fmt: skip

# Code points of the basic plane.
_TABLE = 1 << 16
# Of the scripts in use today: Unicode's ends of sentences, and the strokes of Khmer and Tibetan.
_STOPS = ".!?…。！？｡؟۔।॥։።፧፨။។៕།༎܀܁܂߹᙮᠃᠉᥄᥅᭞᭟᱾᱿᰻᰼‼‽⁇⁈⁉꛳꛷꯫꣎꣏꧈꧉"
_COMMAS = ",;:、，；：،؛၊፣፤፥፦៖᠂᠈߸⸲꛵"
# Thai, Lao, Tibetan, Burmese and Khmer, first and last letter of each.
_JOINED = (("\u0e00", "\u0eff"), ("\u0f00", "\u0fff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"))
# Marks that stand between the items of menus, trails and footers.
_FENCES = "|»«›‹•·©®→←/\\▸►■●★✓+#@"
_BY_CATEGORY = {
    "Lu": UPPER, "Lt": UPPER, "Ll": LOWER, "Lo": CASELESS, "Lm": CASELESS, "Mn": CASELESS,
    "Mc": CASELESS, "Nd": DIGIT,
}  # fmt: skip
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
PACKAGE = Path(__file__).parents[1] / "src" / "izwi"


def main() -> None:
    copies = tables_of_copies()
    _write(
        "dedup",
        kinds=copies.kinds,
        folded=_offsets(copies.folded),
        expansions=copies.expansions,
        plain=copies.plain,
    )
    classes, small = tables_of_blocks()
    _write("text", classes=classes, lower=_offsets(small))
    kinds, lower = tables_of_tokens()
    _write("annotate", kinds=kinds, lower=_offsets(lower))


def tables_of_copies() -> Characters:
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


def tables_of_blocks() -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
    """Return both tables as this Python's knowledge of Unicode has them."""
    signs = list(map(chr, range(_TABLE)))
    lowered = [small if len(small) == 1 else sign for sign in signs for small in (sign.lower(),)]
    classes = np.fromiter(map(_class_of, signs), np.uint8, _TABLE)
    return classes, np.fromiter(map(ord, lowered), np.uint16, _TABLE)


def _class_of(character: str) -> int:
    for marks, found in ((_STOPS, STOP), (_COMMAS, COMMA), (_FENCES, FENCE)):
        if character in marks:
            return found
    if character.isspace():
        return SPACE
    if "\u3040" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff":
        return CJK
    kind = unicodedata.category(character)
    found = _BY_CATEGORY.get(kind, OTHER)
    is_joined = any(first <= character <= last for first, last in _JOINED)
    return JOINED if found == CASELESS and is_joined else found


def tables_of_tokens() -> tuple[NDArray[np.uint8], NDArray[np.int32]]:
    """Return the same as this Python's knowledge of Unicode has it."""
    codes = range(TOKEN_CODES)
    kinds = np.fromiter(map(kind_of, codes), np.uint8, TOKEN_CODES)
    return kinds, np.fromiter(map(lower_of, codes), np.int32, TOKEN_CODES)


def _offsets(table: NDArray[np.integer]) -> NDArray[np.integer]:
    """Return how far each is from its place: most characters stand for themselves."""
    return table - np.arange(len(table), dtype=table.dtype)


def _write(room: str, **tables: NDArray[np.integer]) -> None:
    np.savez_compressed(PACKAGE / room / "characters.npz", **tables)


if __name__ == "__main__":
    main()
