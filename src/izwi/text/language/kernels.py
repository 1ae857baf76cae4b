"""The inner loops of the identifier, compiled: letters of a text, n-grams of a word, sums of rows.

Imported only where text is scored, since compiling (or loading what was compiled) takes a moment.
"""

import numpy as np
from numba import njit
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]

SPACE = 32
_APOSTROPHE = 39
# The shortest and longest n-gram in bytes; word boundaries count as one byte each.
SHORTEST = 3
LONGEST = 6
# Longer "words" are addresses and noise: only so many bytes of them are read.
_WORD = 60
# Pairs of words tell in short texts; after so many words they would only cost time.
_PAIRS = 200
_SEED = np.uint64(14695981039346656037)
_WORD_SEED = np.uint64(88172645463325252)
_PRIME = np.uint64(1099511628211)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_TAG_SHIFT = np.uint64(24)
_TAG_MASK = np.uint64(0xFF)


@njit(cache=True)
def letters(raw: Bytes) -> tuple[Bytes, NDArray[np.int64]]:
    """Return lower-cased UTF-8 with all but letters made single spaces, and what was counted.

    The result begins and ends with a space. Apostrophes stay between letters. The counts are of
    words, Latin letters, other letters, and control characters.
    """
    counts = np.zeros(4, np.int64)
    out = np.empty(len(raw) + 2, np.uint8)
    out[0] = SPACE
    end, words, i, size = 1, 0, 0, len(raw)
    while i < size:
        byte = raw[i]
        width, kept = 1, False
        if byte < 128:
            kept = 97 <= byte <= 122
            counts[3] += byte < 9 or 13 < byte < 32 or byte == 127
            if byte == _APOSTROPHE:
                kept = out[end - 1] != SPACE and i + 1 < size and _is_letter(raw[i + 1])
        elif byte == 0xC2:
            width = 2
            counts[3] += i + 1 < size and raw[i + 1] < 0xA0
        elif byte == 0xE2:
            width = 3
            if i + 3 < size and raw[i + 1] == 0x80 and (raw[i + 2] == 0x99 or raw[i + 2] == 0x98):
                # A typographic apostrophe is an apostrophe.
                byte = np.uint8(_APOSTROPHE)
                kept = out[end - 1] != SPACE and _is_letter(raw[i + 3])
        elif byte == 0xF0:
            # Emoji, and scripts nobody has trained.
            width = 4
        elif byte == 0xEF or (byte == 0xE3 and i + 1 < size and raw[i + 1] == 0x80):
            width = 3
        else:
            kept = True
        if kept:
            words += out[end - 1] == SPACE
            # Continuation bytes lie below 0xC0; Latin letters begin with 0xC3 to 0xC9 or 0xE1.
            counts[1] += byte < 128 or 0xC3 <= byte <= 0xC9 or byte == 0xE1
            counts[2] += byte > 0xC9 and byte != 0xE1
            out[end] = byte
            end += 1
        elif out[end - 1] != SPACE:
            out[end] = SPACE
            end += 1
        i += width
    if out[end - 1] != SPACE:
        out[end] = SPACE
        end += 1
    counts[0] = words
    return out[:end], counts


@njit(cache=True)
def _is_letter(byte: int) -> bool:
    return 97 <= byte <= 122 or byte >= 0xC3


@njit(cache=True)
def word_end(text: Bytes, start: int) -> int:
    """Return where the word that begins at `start` ends: the place of the next space."""
    end = start
    while text[end] != SPACE:
        end += 1
    return end


@njit(cache=True)
def pair_hash(first: np.uint64, second: np.uint64) -> np.uint64:
    """Return the hash of two words that follow each other, from the hash of each."""
    return np.uint64(((first * _PRIME) ^ second) * _MIX)


@njit(cache=True)
def word_hash(text: Bytes, start: int, end: int) -> np.uint64:
    """Return the hash of a word alone."""
    whole = _WORD_SEED
    for i in range(start, end):
        whole = (whole ^ np.uint64(text[i])) * _PRIME
    return whole


@njit(cache=True)
def hashes(text: Bytes, start: int, end: int, out: NDArray[np.uint64]) -> int:
    """Write the hashes of a word's n-grams (spaces at its ends included) and of the word."""
    low, high = start - 1, min(end + 1, start + _WORD)
    count = 0
    whole = _WORD_SEED
    for i in range(low, high):
        whole = (whole ^ np.uint64(text[i])) * _PRIME
        value = _SEED
        for j in range(i, min(high, i + LONGEST)):
            value = (value ^ np.uint64(text[j])) * _PRIME
            if j - i + 1 >= SHORTEST:
                out[count] = value * _MIX
                count += 1
    out[count] = whole * _MIX
    return count + 1


@njit(cache=True)
def add_word(
    text: Bytes,
    start: int,
    end: int,
    shift: np.uint64,
    tags: Bytes,
    rows: NDArray[np.int8],
    room: NDArray[np.uint64],
    total: NDArray[np.int32],
) -> int:
    """Add the rows of a word's known n-grams to `total` and return how many n-grams it has."""
    count = hashes(text, start, end, room)
    for k in range(count):
        add_row(room[k], shift, tags, rows, total)
    return count


@njit(cache=True)
def add_row(
    value: np.uint64,
    shift: np.uint64,
    tags: Bytes,
    rows: NDArray[np.int8],
    total: NDArray[np.signedinteger],
) -> None:
    """Add the row of a hash to `total`, if it is known."""
    slot = value >> shift
    if tags[slot] == np.uint8((value >> _TAG_SHIFT) & _TAG_MASK):
        row = rows[slot]
        for c in range(len(total)):
            total[c] += row[c]


ROOM = (_WORD + 2) * (LONGEST - SHORTEST + 1) + 8


@njit(cache=True)
def text_scores(
    text: Bytes,
    shift: np.uint64,
    tags: Bytes,
    rows: NDArray[np.int8],
    keys: NDArray[np.uint64],
    sums: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> tuple[NDArray[np.int64], int]:
    """Return the summed rows of a text's n-grams and pairs of words, and how many there were.

    Sums of words are remembered in `keys`, `sums` and `counts` (as many places as a power of two):
    running text repeats its words, so most of them cost one lookup.
    """
    classes = rows.shape[1]
    total = np.zeros(classes, np.int64)
    one = np.zeros(classes, np.int32)
    room = np.empty(ROOM, np.uint64)
    mask = len(keys) - 1
    count, start = 0, 1
    before, pairs = np.uint64(0), 0
    while start < len(text):
        whole = _WORD_SEED
        end = start
        while text[end] != SPACE:
            whole = (whole ^ np.uint64(text[end])) * _PRIME
            end += 1
        place = np.int64((whole * _MIX) >> np.uint64(40)) & mask
        if keys[place] != whole:
            one[:] = 0
            counts[place] = add_word(text, start, end, shift, tags, rows, room, one)
            keys[place] = whole
            sums[place] = one
        held = sums[place]
        for c in range(classes):
            total[c] += held[c]
        count += counts[place]
        if before and pairs < _PAIRS:
            add_row(pair_hash(before, whole), shift, tags, rows, total)
            count += 1
            pairs += 1
        before = whole
        start = end + 1
    return total, count


@njit(cache=True)
def word_scores(
    text: Bytes, words: int, shift: np.uint64, tags: Bytes, rows: NDArray[np.int8]
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Return the summed rows of each word, and how many n-grams each has."""
    totals = np.zeros((words, rows.shape[1]), np.int32)
    counts = np.zeros(words, np.int64)
    room = np.empty(ROOM, np.uint64)
    start, number = 1, 0
    while start < len(text):
        end = word_end(text, start)
        counts[number] = add_word(text, start, end, shift, tags, rows, room, totals[number])
        number += 1
        start = end + 1
    return totals, counts
