"""Counts of kinds of characters in many texts at once, the same for every script."""

import unicodedata
from collections.abc import Sequence
from functools import cache

import numpy as np
from numba import njit
from numpy.typing import NDArray

OTHER, SPACE, LOWER, UPPER, CASELESS, CJK, DIGIT, STOP, COMMA, FENCE = range(10)
_STOPS = ".!?…。！？｡؟۔।॥։።"
_COMMAS = ",;:、，；：،؛"
# Marks that stand between the items of menus, trails and footers.
_FENCES = "|»«›‹•·©®→←/\\▸►■●★✓+#@"
_TABLE = 1 << 16
_BY_CATEGORY = {
    "Lu": UPPER, "Lt": UPPER, "Ll": LOWER, "Lo": CASELESS, "Lm": CASELESS, "Mn": CASELESS,
    "Mc": CASELESS, "Nd": DIGIT,
}  # fmt: skip

# Columns of `count`.
COLUMNS = (
    "chars", "words", "letters", "capitals", "digits", "stops", "commas", "fences", "others",
    "is_ended", "is_capital",
)  # fmt: skip


@cache
def class_table() -> NDArray[np.uint8]:
    """Return the class of each character of the basic plane; others count as caseless letters."""
    table = np.zeros(_TABLE, dtype=np.uint8)
    for code in range(_TABLE):
        table[code] = _class_of(chr(code))
    return table


def _class_of(character: str) -> int:
    for marks, found in ((_STOPS, STOP), (_COMMAS, COMMA), (_FENCES, FENCE)):
        if character in marks:
            return found
    if character.isspace():
        return SPACE
    if "\u3040" <= character <= "\u9fff" or "\uf900" <= character <= "\ufaff":
        return CJK
    kind = unicodedata.category(character)
    return _BY_CATEGORY.get(kind, OTHER)


def count(texts: Sequence[str]) -> NDArray[np.float32]:
    """Return one row of COLUMNS for each text; ten CJK characters count as six words."""
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    ends = np.cumsum([len(text) for text in texts], dtype=np.int64)
    counted: NDArray[np.float32] = _count(codes, ends, class_table())
    return counted


@njit(cache=True)
def _count(codes, ends, table):  # type: ignore[no-untyped-def]
    rows = np.zeros((len(ends), 11), dtype=np.float32)
    start = 0
    for row in range(len(ends)):
        end = ends[row]
        before = 1
        ideographs = 0
        for place in range(start, end):
            code = codes[place]
            kind = table[code] if code < 65536 else 4
            if kind == 1:
                before = 1
                continue
            rows[row, 0] += 1
            if kind == 5:
                ideographs += 1
            elif before == 1 and 2 <= kind <= 6:
                rows[row, 1] += 1
                if kind == 3:
                    rows[row, 3] += 1
            if 2 <= kind <= 5:
                rows[row, 2] += 1
            elif kind == 6:
                rows[row, 4] += 1
            elif kind == 7:
                # A point inside a number or an address ends no sentence.
                is_last = place + 1 >= end
                after = (
                    1 if is_last else (table[codes[place + 1]] if codes[place + 1] < 65536 else 4)
                )
                if is_last or after == 1 or after == 5 or after == 0 or before == 5:
                    rows[row, 5] += 1
            elif kind == 8:
                rows[row, 6] += 1
            elif kind == 9:
                rows[row, 7] += 1
            elif kind == 0:
                rows[row, 8] += 1
            before = kind
        rows[row, 1] += 0.6 * ideographs
        _ends(rows, row, codes, table, start, end)
        start = end
    return rows


@njit(cache=True)
def _ends(rows, row, codes, table, start, end):  # type: ignore[no-untyped-def]
    """Note whether the text ends as a sentence does and begins with a capital."""
    if end <= start:
        return
    for place in range(end - 1, max(start - 1, end - 4), -1):
        kind = table[codes[place]] if codes[place] < 65536 else 4
        if kind == 7:
            rows[row, 9] = 1
        if kind != 0 and kind != 7:
            break
    first = codes[start]
    if first < 65536 and table[first] == 3:
        rows[row, 10] = 1
