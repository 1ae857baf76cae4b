"""Looks at bytes: whether a text has anything to tidy, what letters and which words a page has."""

from array import array
from itertools import accumulate

import cython
from cython.cimports.izwi.kernels.columns import COMPOSES
from cython.cimports.izwi.kernels.letters import decoded

# Beyond the basic plane only pictures and ideographs are frequent, and these never compose.
PICTURES = cython.declare(cython.Py_ssize_t, 0x1F000)
COMPATIBLE = cython.declare(cython.Py_ssize_t, 0x2F800)
SCRIPT = cython.declare(cython.const[cython.uchar][::1], b"script")
STYLE = cython.declare(cython.const[cython.uchar][::1], b"style")


def suspects(
    data: cython.const[cython.uchar][::1], table: cython.const[cython.uchar][::1]
) -> cython.int:
    """Return the bits of all characters of a text together."""
    found: cython.int = 0
    code: cython.Py_ssize_t
    i: cython.Py_ssize_t
    for i in range(len(data)):
        code = data[i]
        if code >= 0xC0:
            code = decoded(data, i, len(data)) >> 3
        elif code >= 0x80:
            # Inside a character that was read already.
            continue
        if code < 65536:
            found |= table[code]
        elif code < PICTURES or code >= COMPATIBLE:
            found |= COMPOSES
    return found


def letters(data: cython.const[cython.uchar][::1]):
    """Return how many letters of ASCII stand outside tags, and bytes that are others in Latin-1."""
    i: cython.Py_ssize_t = 0
    stop: cython.Py_ssize_t
    plain: cython.Py_ssize_t = 0
    others: cython.Py_ssize_t = 0
    # What was looked for to the end once and not found is not looked for again.
    has_marks: cython.bint = True
    has_ends: cython.bint = True
    while i < len(data):
        if data[i] == ord("<") and has_ends and _begins_raw(data, i + 1):
            stop = _after_raw(data, i + 1)
            has_ends = stop > 0
            if has_ends:
                i = stop
                continue
        if data[i] == ord("<") and has_marks:
            stop = _after_mark(data, i + 1)
            has_marks = stop > 0
            if has_marks:
                i = stop
                continue
        plain += 97 <= (data[i] | 32) <= 122
        others += data[i] >= 0xC0
        i += 1
    return plain, others


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _begins_raw(data: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.int:
    return _is_word(data, i, SCRIPT) or _is_word(data, i, STYLE)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _after_raw(data: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the place after the name in the next end tag of a script or style, or 0."""
    stop: cython.Py_ssize_t
    for stop in range(i, len(data) - 1):
        if data[stop] == ord("<") and data[stop + 1] == ord("/") and _begins_raw(data, stop + 2):
            return stop + 7 + _is_word(data, stop + 2, SCRIPT)
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _after_mark(data: cython.const[cython.uchar][::1], i: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return the place after the next ">", or 0."""
    stop: cython.Py_ssize_t
    for stop in range(i, len(data)):
        if data[stop] == ord(">"):
            return stop + 1
    return 0


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _is_word(
    data: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    word: cython.const[cython.uchar][::1],
) -> cython.int:
    step: cython.Py_ssize_t
    if i + len(word) > len(data):
        return 0
    for step in range(len(word)):
        if data[i + step] | 32 != word[step]:
            return 0
    return 1


# Every second place is looked at, so that of a word at least one of its first two triples of bytes
# is seen; each triple has one of so many keys.
SHORTEST = cython.declare(cython.Py_ssize_t, 4)
KEYS = cython.declare(cython.Py_ssize_t, 1 << 14)


@cython.final
@cython.cclass
class Words:
    """Words of four bytes or more that are looked for together.

    Where three bytes begin no word and stand second in none, none is there or one byte before: most
    of a text is stepped over, and no step waits for the last one.
    """

    text: cython.const[cython.uchar][::1]
    starts: cython.longlong[::1]
    # For each key whether some word begins so, or goes on so after its first byte.
    places: cython.uchar[::1]
    # The first word that begins with this key, and the next such word.
    firsts: cython.longlong[::1]
    following: cython.longlong[::1]

    def __init__(self, words):
        """Take the words, as bytes."""
        if min(map(len, words)) < SHORTEST:
            raise ValueError("a word that is too short")
        self.text = b"".join(words)
        self.starts = array("q", [0, *accumulate(map(len, words))])
        self.places = bytearray(KEYS)
        self.firsts, self.following = array("q", [-1]) * KEYS, array("q", [-1]) * len(words)
        number: cython.Py_ssize_t
        key: cython.Py_ssize_t
        for number in range(len(words)):
            key = _key(self.text, self.starts[number])
            self.places[key] = 1
            self.following[number] = self.firsts[key]
            self.firsts[key] = number
            self.places[_key(self.text, self.starts[number] + 1)] = 1

    def inside(self, data: cython.const[cython.uchar][::1]):
        """Return for each word whether it stands in some bytes."""
        found: bytearray = bytearray(len(self.following))
        seen: cython.uchar[::1] = found
        at: cython.Py_ssize_t = self._next(data, 0)
        while at < len(data) - 2:
            self._mark(data, at, seen)
            if at:
                self._mark(data, at - 1, seen)
            at = self._next(data, at + 2)
        return found

    @cython.cfunc
    @cython.nogil
    @cython.boundscheck(False)
    @cython.exceptval(-1)
    def _next(
        self, data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return the next place, two by two, at which a word may stand; bounds are checked once."""
        last: cython.Py_ssize_t = len(data) - 2
        if at < 0 or len(self.places) < KEYS:
            raise IndexError("a place that there is not")
        while at < last and not self.places[_key(data, at)]:
            at += 2
        return at

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _mark(
        self,
        data: cython.const[cython.uchar][::1],
        at: cython.Py_ssize_t,
        seen: cython.uchar[::1],
    ) -> cython.int:
        """Mark the words that stand at a place."""
        number: cython.Py_ssize_t = self.firsts[_key(data, at)]
        while number >= 0:
            if not seen[number]:
                seen[number] = self._stands(data, at, number)
            number = self.following[number]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _stands(
        self,
        data: cython.const[cython.uchar][::1],
        at: cython.Py_ssize_t,
        number: cython.Py_ssize_t,
    ) -> cython.int:
        start: cython.Py_ssize_t = self.starts[number]
        step: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.starts[number + 1] - start
        if at + size > len(data):
            return 0
        for step in range(size):
            if data[at + step] != self.text[start + step]:
                return 0
        return 1


@cython.cfunc
@cython.nogil
@cython.inline
@cython.boundscheck(False)
@cython.exceptval(check=False)
def _key(data: cython.const[cython.uchar][::1], at: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Return a number below KEYS that three bytes from here on have; who asks knows of three."""
    first: cython.Py_ssize_t = data[at]
    second: cython.Py_ssize_t = data[at + 1]
    last: cython.Py_ssize_t = data[at + 2]
    return ((first << 16 | second << 8 | last) * 0x1E3779B1 >> 18) & 0x3FFF
