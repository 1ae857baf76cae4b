"""Lines of `{"id": ..., "paras": [...]}` read straight into UTF-8 with separators (numba).

Only the usual shape is read here. Whatever else a line may be (other keys, unusual escapes, broken
text) is left to a real JSON reader, which also finds the words for what is wrong with it.
"""

from typing import Any

import numpy as np
from numba import njit

from izwi.dedup.words import BLOCK_END, DOCUMENT_END

_QUOTE, _ESCAPE, _LINE_END, _BLANK = 0x22, 0x5C, 0x0A, 0x20
# The bytes up to the id's value, and from its end to the first paragraph, blanks left out.
_BEFORE_ID = np.frombuffer(b'{"id":', np.uint8)
_BEFORE_PARAGRAPHS = np.frombuffer(b',"paras":[', np.uint8)
# What stands after a backslash, and for what.
_ESCAPES = np.zeros(256, np.uint8)
_ESCAPES[list(b'"\\/bfnrt')] = list(b'"\\/\x08\x0c\n\r\t')


@njit(cache=True, nogil=True)
def read_lines(raw: Any, i: int, text: Any, places: Any, out: Any) -> int:
    """Read lines into `text` from byte `i` on; return where an unusual line begins, or the end.

    `raw` ends with a line end. `places` takes, for each document, where its id begins and ends in
    `raw` and how many paragraphs it has; `out` counts bytes of text, documents and lines.
    """
    while i < len(raw):
        if raw[i] == _LINE_END:
            i += 1
            out[2] += 1
            continue
        following = _read_line(raw, i, text, places, out)
        if following < 0:
            return i
        i = following
    return i


@njit(cache=True, nogil=True)
def _read_line(raw: Any, i: int, text: Any, places: Any, out: Any) -> int:
    """Read one line; return where the next begins, or -1 and nothing is changed."""
    i = _after(raw, i, _BEFORE_ID)
    if i < 0:
        return -1
    first, last, i = _name(raw, _skipped(raw, i))
    i = _after(raw, i, _BEFORE_PARAGRAPHS) if i >= 0 else -1
    if i < 0:
        return -1
    count, size, i = _paragraphs(raw, _skipped(raw, i), text, out[0])
    i = _skipped(raw, i) if i >= 0 else -1
    if i < 0 or raw[i] != 0x7D:
        return -1
    i = _skipped(raw, i + 1)
    if raw[i] != _LINE_END:
        return -1
    text[size] = DOCUMENT_END
    document = out[1]
    places[document, 0], places[document, 1], places[document, 2] = first, last, count
    out[0], out[1], out[2] = size + 1, document + 1, out[2] + 1
    return i + 1


@njit(cache=True, nogil=True)
def _paragraphs(raw: Any, i: int, text: Any, size: int) -> Any:
    """Read texts up to a closing bracket; return how many, where text ends, and what follows."""
    count = 0
    if raw[i] == 0x5D:
        return count, size, i + 1
    while raw[i] == _QUOTE:
        if count:
            text[size] = BLOCK_END
            size += 1
        size, i = _string(raw, i + 1, text, size)
        if i < 0:
            return count, size, -1
        count += 1
        i = _skipped(raw, i)
        if raw[i] == 0x5D:
            return count, size, i + 1
        if raw[i] != 0x2C:
            return count, size, -1
        i = _skipped(raw, i + 1)
    return count, size, -1


@njit(cache=True, nogil=True)
def _string(raw: Any, i: int, text: Any, size: int) -> Any:
    """Copy a string whose opening quote was read; return where text ends and what follows."""
    while True:
        byte = raw[i]
        if byte == _QUOTE:
            return size, i + 1
        if byte < 0x80 and byte >= _BLANK and byte != _ESCAPE:
            text[size] = byte
            size += 1
            i += 1
            continue
        length = _sequence(raw, i) if byte >= 0x80 else 0
        if length:
            for k in range(length):
                text[size + k] = raw[i + k]
            size += length
            i += length
            continue
        if byte != _ESCAPE:
            return size, -1
        size, i = _escape(raw, i + 1, text, size)
        if i < 0:
            return size, -1


@njit(cache=True, nogil=True)
def _escape(raw: Any, i: int, text: Any, size: int) -> Any:
    """Copy what stands after a backslash; return where text ends and what follows, -1 if odd."""
    if raw[i] != 0x75:
        text[size] = _ESCAPES[raw[i]]
        return size + 1, i + 1 if _ESCAPES[raw[i]] else -1
    code = _hexadecimal(raw, i + 1)
    i += 5
    if code < 0 or 0xDC00 <= code < 0xE000:
        return size, -1
    if 0xD800 <= code < 0xDC00:
        if raw[i] != _ESCAPE or raw[i + 1] != 0x75:
            return size, -1
        low = _hexadecimal(raw, i + 2)
        if low < 0xDC00 or low >= 0xE000:
            return size, -1
        code = 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00
        i += 6
    # The separators themselves are no text.
    if code in (BLOCK_END, DOCUMENT_END):
        code = _BLANK
    return _put(text, size, code), i


@njit(cache=True, nogil=True)
def _put(text: Any, size: int, code: int) -> int:
    """Write a character as UTF-8; return where text ends."""
    if code < 0x80:
        text[size] = code
        return size + 1
    if code < 0x800:
        text[size] = 0xC0 | code >> 6
        text[size + 1] = 0x80 | code & 0x3F
        return size + 2
    if code < 0x10000:
        text[size] = 0xE0 | code >> 12
        text[size + 1] = 0x80 | code >> 6 & 0x3F
        text[size + 2] = 0x80 | code & 0x3F
        return size + 3
    text[size] = 0xF0 | code >> 18
    text[size + 1] = 0x80 | code >> 12 & 0x3F
    text[size + 2] = 0x80 | code >> 6 & 0x3F
    text[size + 3] = 0x80 | code & 0x3F
    return size + 4


@njit(cache=True, nogil=True)
def _sequence(raw: Any, i: int) -> int:
    """Return the length of the UTF-8 character at `i`; 0 if it is none."""
    lead = raw[i]
    if lead < 0xC2 or lead > 0xF4:
        return 0
    length = 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
    for k in range(1, length):
        # A line end is no continuation, so this never runs beyond the line.
        if raw[i + k] & 0xC0 != 0x80:
            return 0
    second = raw[i + 1]
    is_wrong = (
        (lead == 0xE0 and second < 0xA0)
        or (lead == 0xED and second >= 0xA0)
        or (lead == 0xF0 and second < 0x90)
        or (lead == 0xF4 and second >= 0x90)
    )
    return 0 if is_wrong else length


@njit(cache=True, nogil=True)
def _hexadecimal(raw: Any, i: int) -> int:
    """Return the number that four digits write; -1 if they are none."""
    value = 0
    for k in range(4):
        digit = raw[i + k]
        if 0x30 <= digit <= 0x39:
            value = value << 4 | digit - 0x30
        elif 0x61 <= digit | 0x20 <= 0x66:
            value = value << 4 | (digit | 0x20) - 0x57
        else:
            return -1
    return value


@njit(cache=True, nogil=True)
def _name(raw: Any, i: int) -> Any:
    """Return where a plain id begins and ends, and what follows it; -1 if it is not plain."""
    first = i
    if raw[i] != _QUOTE:
        while 0x30 <= raw[i] <= 0x39:
            i += 1
        is_number = first < i and (raw[first] != 0x30 or i == first + 1)
        return first, i, i if is_number else -1
    i += 1
    while _BLANK <= raw[i] < 0x80 and raw[i] != _QUOTE and raw[i] != _ESCAPE:
        i += 1
    return first + 1, i, i + 1 if raw[i] == _QUOTE else -1


@njit(cache=True, nogil=True)
def _after(raw: Any, i: int, expected: Any) -> int:
    """Return what follows the expected bytes, blanks between them passed over; -1 if not there."""
    for k in range(len(expected)):
        is_inside = k > 0 and 0x61 <= expected[k - 1] <= 0x7A
        if not is_inside and expected[k] < 0x61:
            i = _skipped(raw, i)
        if raw[i] != expected[k]:
            return -1
        i += 1
    return i


@njit(cache=True, nogil=True)
def _skipped(raw: Any, i: int) -> int:
    """Return the place of the next byte that is no blank; the line end is one to stop at."""
    while raw[i] == _BLANK or raw[i] == 0x09 or raw[i] == 0x0D:
        i += 1
    return i
