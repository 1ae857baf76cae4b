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


@cache
def lower_table() -> NDArray[np.uint16]:
    """Return the small letter of each character of the basic plane."""
    lowered = (chr(code).lower() for code in range(_TABLE))
    return np.array(
        [ord(small) if len(small) == 1 else code for code, small in enumerate(lowered)],
        dtype=np.uint16,
    )


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
    """Return one row of COLUMNS for each text; ten ideographs are six words of five letters."""
    utf8 = [text.encode("utf-8", "replace") for text in texts]
    ends = np.cumsum([0, *map(len, utf8)], dtype=np.int64)
    return count_in(np.frombuffer(b"".join(utf8), dtype=np.uint8), ends[:-1], ends[1:])


def count_in(
    utf8: NDArray[np.uint8], starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.float32]:
    """Return one row of COLUMNS for each stretch of a text in UTF-8."""
    counted: NDArray[np.float32] = _count(utf8, starts, ends, class_table())
    return counted


@njit(cache=True)
def decoded(data, i, end):  # type: ignore[no-untyped-def]
    """Return the code of the character at i and how many bytes it takes."""
    first = np.int64(data[i])
    if first < 0x80 or i + 1 >= end:
        return first, 1
    second = np.int64(data[i + 1]) & 0x3F
    if first < 0xE0 or i + 2 >= end:
        return (first & 0x1F) << 6 | second, 2
    third = np.int64(data[i + 2]) & 0x3F
    if first < 0xF0 or i + 3 >= end:
        return (first & 0x0F) << 12 | second << 6 | third, 3
    return (first & 0x07) << 18 | second << 12 | third << 6 | (np.int64(data[i + 3]) & 0x3F), 4


@njit(cache=True)
def class_at(data, i, end, table):  # type: ignore[no-untyped-def]
    """Return the class of the character at i and how many bytes it takes; SPACE at the end."""
    if i >= end:
        return 1, 1
    code, size = decoded(data, i, end)
    return (np.int64(table[code]) if code < 65536 else 4), size


@njit(cache=True)
def _count(data, starts, ends, table):  # type: ignore[no-untyped-def]
    rows = np.zeros((len(ends), 11), dtype=np.float32)
    kinds = np.zeros(10, dtype=np.int64)
    for row in range(len(ends)):
        kinds[:] = 0
        words, capitals, stops, is_ended = _tally(data, starts[row], ends[row], table, kinds)
        _write(rows[row], kinds, words, capitals, stops, is_ended)
        rows[row, 10] = _begins_with_capital(data, starts[row], ends[row], table)
    return rows


@njit(cache=True)
def _tally(data, i, end, table, kinds):  # type: ignore[no-untyped-def]
    """Count the characters of each class, words, capitalised words and ends of sentences."""
    before = 1
    words, capitals, stops = 0, 0, 0
    # Whether what is read now could be the end of a sentence: a stop, then only other marks.
    is_ended = 0
    while i < end:
        if data[i] < 128:
            kind, size = int(table[np.uint64(data[i])]), 1
        else:
            kind, size = class_at(data, i, end, table)
        i += size
        kinds[np.uint64(kind)] += 1
        if 2 <= kind <= 6:
            if before == 1 and kind != 5:
                words += 1
                capitals += kind == 3
            is_ended = 0
        elif kind == 7:
            # A point inside a number or an address ends no sentence.
            after, _ = class_at(data, i, end, table)
            stops += after in (0, 1, 5) or before == 5
            is_ended = 1
        elif kind > 7:
            is_ended = 0
        before = kind
    return words, capitals, stops, is_ended


@njit(cache=True)
def _begins_with_capital(data, i, end, table):  # type: ignore[no-untyped-def]
    while i < end:
        kind, size = class_at(data, i, end, table)
        if kind != 1:
            return kind == 3
        i += size
    return False


@njit(cache=True)
def _write(out, kinds, words, capitals, stops, is_ended):  # type: ignore[no-untyped-def]
    # An ideograph says as much as three letters, and ten of them are about six words.
    out[0] = kinds.sum() - kinds[1] + 2 * kinds[5]
    out[1] = words + 0.6 * kinds[5]
    out[2] = kinds[2] + kinds[3] + kinds[4] + 3 * kinds[5]
    out[3], out[4], out[5] = capitals, kinds[6], stops
    out[6], out[7], out[8] = kinds[8], kinds[9], kinds[0]
    out[9] = is_ended
