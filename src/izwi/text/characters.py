"""Counts of kinds of characters in many texts at once, the same for every script."""

import unicodedata
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.kernels import letters as kernel
from izwi.kernels.columns import (
    CASELESS,
    CHARACTER_CLASSES,
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
from izwi.kernels.feature_columns import COUNTS

# Of the scripts in use today: Unicode's ends of sentences, and the strokes of Khmer and Tibetan.
_STOPS = ".!?…。！？｡؟۔।॥։።፧፨။។៕།༎܀܁܂߹᙮᠃᠉᥄᥅᭞᭟᱾᱿᰻᰼‼‽⁇⁈⁉꛳꛷꯫꣎꣏꧈꧉"
_COMMAS = ",;:、，；：،؛၊፣፤፥፦៖᠂᠈߸⸲꛵"
# Thai, Lao, Tibetan, Burmese and Khmer, first and last letter of each.
_JOINED = (("\u0e00", "\u0eff"), ("\u0f00", "\u0fff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"))
# Marks that stand between the items of menus, trails and footers.
_FENCES = "|»«›‹•·©®→←/\\▸►■●★✓+#@"
_TABLE = 1 << 16
_BY_CATEGORY = {
    "Lu": UPPER, "Lt": UPPER, "Ll": LOWER, "Lo": CASELESS, "Lm": CASELESS, "Mn": CASELESS,
    "Mc": CASELESS, "Nd": DIGIT,
}  # fmt: skip


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


def made_tables() -> tuple[NDArray[np.uint8], NDArray[np.uint16]]:
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
