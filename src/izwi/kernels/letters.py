"""Characters in UTF-8: read one by one, classed, and counted in many texts at once."""

import cython
from cython.cimports.izwi.kernels.columns import (
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
from cython.cimports.izwi.kernels.feature_columns import (
    COUNT_CAPITALS,
    COUNT_CHARS,
    COUNT_COMMAS,
    COUNT_DIGITS,
    COUNT_FENCES,
    COUNT_IS_CAPITAL,
    COUNT_IS_ENDED,
    COUNT_LETTERS,
    COUNT_OTHERS,
    COUNT_STOPS,
    COUNT_WORDS,
)  # fmt: skip

# Of scripts that part no words, so many letters are a sentence, and one is so much of a word.
JOINED_SENTENCE = cython.declare(cython.longlong, 60)
JOINED_WORDS = cython.declare(cython.double, 0.2)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def decoded(
    data: cython.const[cython.uchar][::1], i: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """Return the code of the character at i, times 8, and how many bytes it takes."""
    first: cython.Py_ssize_t = data[i]
    second: cython.Py_ssize_t
    third: cython.Py_ssize_t
    if first < 0x80 or i + 1 >= end:
        return first << 3 | 1
    second = data[i + 1] & 0x3F
    if first < 0xE0 or i + 2 >= end:
        return ((first & 0x1F) << 6 | second) << 3 | 2
    third = data[i + 2] & 0x3F
    if first < 0xF0 or i + 3 >= end:
        return ((first & 0x0F) << 12 | second << 6 | third) << 3 | 3
    return ((first & 0x07) << 18 | second << 12 | third << 6 | (data[i + 3] & 0x3F)) << 3 | 4


# So many characters are looked at together.
TOGETHER = cython.declare(cython.Py_ssize_t, 32)


def encoded(text, errors: str = "strict") -> bytes:
    """Return a text in UTF-8, as its own method does, in a quarter of the time for most pages.

    Python keeps all of a page as numbers of 16 bits for one quotation mark beyond Latin-1, and
    encodes them one by one.
    """
    is_plain = type(text) is str and not text.isascii()  # a text of another's class may be anything
    if cython.compiled and is_plain and PyUnicode_KIND(text) == 2:  # noqa: F821
        made = _narrowed(text)
        if made is not None:
            return made
    return text.encode("utf-8", errors)


@cython.cfunc
@cython.inline
@cython.exceptval(check=False)
def _is_plain(
    codes: cython.pointer(cython.const[cython.ushort]),  # type: ignore[valid-type]
    left: cython.Py_ssize_t,
) -> cython.bint:
    """Return whether the next characters, so many as are looked at together, are ASCII."""
    step: cython.Py_ssize_t
    found: cython.ushort = 0
    if left < TOGETHER:
        return False
    for step in range(32):
        found |= codes[step]
    return found < 0x80


@cython.cfunc
def _narrowed(text: str):
    """Return a text of numbers of 16 bits in UTF-8, or None if it has surrogates.

    The one place with pointers: into the text, which does not change and has as many numbers as it
    says, and into bytes whose number has just been counted.
    """
    codes: cython.pointer(cython.const[cython.ushort]) = cython.cast(  # type: ignore[valid-type]
        cython.pointer(cython.const[cython.ushort]),
        PyUnicode_DATA(text),  # noqa: F821
    )
    count: cython.Py_ssize_t = len(text)
    size: cython.Py_ssize_t = count
    i: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    step: cython.Py_ssize_t
    code: cython.uint
    while i < count:
        if _is_plain(codes + i, count - i):
            i += TOGETHER
            continue
        end = min(i + TOGETHER, count)
        while i < end:
            size += (codes[i] > 0x7F) + (codes[i] > 0x7FF)
            if (codes[i] & 0xF800) == 0xD800:
                return None
            i += 1
    made: bytes = PyBytes_FromStringAndSize(cython.NULL, size)  # noqa: F821
    out: cython.p_uchar = cython.cast(cython.p_uchar, PyBytes_AS_STRING(made))  # noqa: F821
    i = 0
    while i < count:
        if _is_plain(codes + i, count - i):
            for step in range(32):
                out[step] = codes[i + step]
            out += TOGETHER
            i += TOGETHER
            continue
        end = min(i + TOGETHER, count)
        while i < end:
            code = codes[i]
            i += 1
            if code < 0x80:
                out[0] = code
                out += 1
            elif code < 0x800:
                out[0], out[1] = 0xC0 | code >> 6, 0x80 | (code & 0x3F)
                out += 2
            else:
                out[0], out[1] = 0xE0 | code >> 12, 0x80 | (code >> 6 & 0x3F)
                out[2] = 0x80 | (code & 0x3F)
                out += 3
    return made


def count(utf8, starts, ends, classes, rows, kinds):
    """Fill a row of counts for each stretch of a text; `kinds` is room for the classes."""
    Counter(utf8, classes, rows, kinds).run(starts, ends)


@cython.final
@cython.cclass
class Counter:
    """The text, the classes of its characters, and what has been counted in one stretch."""

    data: cython.const[cython.uchar][::1]
    classes: cython.const[cython.uchar][::1]
    rows: cython.float[:, ::1]
    kinds: cython.longlong[::1]
    words: cython.Py_ssize_t
    capitals: cython.Py_ssize_t
    stops: cython.Py_ssize_t
    is_ended: cython.bint

    def __init__(self, utf8, classes, rows, kinds):
        """Take the text and the table."""
        self.data, self.classes, self.rows, self.kinds = utf8, classes, rows, kinds

    def run(
        self, starts: cython.const[cython.longlong][::1], ends: cython.const[cython.longlong][::1]
    ):
        """Fill one row for each stretch."""
        row: cython.Py_ssize_t
        for row in range(len(ends)):
            self._tally(starts[row], ends[row])
            self._write(row)
            self.rows[row, COUNT_IS_CAPITAL] = self._begins_with_capital(starts[row], ends[row])

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _class_at(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the class of the character at i, times 8, and its bytes; SPACE at the end."""
        code: cython.Py_ssize_t
        if i >= end:
            return SPACE << 3 | 1
        code = decoded(self.data, i, end)
        return (self.classes[code >> 3] if code >> 3 < 65536 else CASELESS) << 3 | (code & 7)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _tally(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Count the characters of each class, words, capitalised words and ends of sentences."""
        kind: cython.Py_ssize_t
        after: cython.Py_ssize_t
        before: cython.Py_ssize_t = SPACE
        words: cython.Py_ssize_t = 0
        capitals: cython.Py_ssize_t = 0
        stops: cython.Py_ssize_t = 0
        # Whether what is read now could be the end of a sentence: a stop, then only other marks.
        is_ended: cython.bint = False
        data: cython.const[cython.uchar][::1] = self.data
        classes: cython.const[cython.uchar][::1] = self.classes
        kinds: cython.longlong[::1] = self.kinds
        for kind in range(CHARACTER_CLASSES):
            kinds[kind] = 0
        while i < end:
            if data[i] < 128:
                kind = classes[data[i]]
                i += 1
            else:
                kind = self._class_at(i, end)
                i += kind & 7
                kind >>= 3
            kinds[kind] += 1
            if LOWER <= kind <= DIGIT:
                if before == SPACE and not JOINED <= kind <= CJK:
                    words += 1
                    capitals += kind == UPPER
                is_ended = False
            elif kind == STOP:
                # A point inside a number or an address ends no sentence.
                after = self._class_at(i, end) >> 3
                stops += after in (OTHER, SPACE, CJK) or JOINED <= before <= CJK
                is_ended = True
            elif kind > STOP:
                is_ended = False
            before = kind
        self.words, self.capitals, self.stops, self.is_ended = words, capitals, stops, is_ended
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _begins_with_capital(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        kind: cython.Py_ssize_t
        while i < end:
            kind = self._class_at(i, end)
            if kind >> 3 != SPACE:
                return kind >> 3 == UPPER
            i += kind & 7
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _write(self, row: cython.Py_ssize_t) -> cython.int:
        # An ideograph says as much as three letters, and ten of them are about six words.
        kinds: cython.longlong[::1] = self.kinds
        out: cython.float[:, ::1] = self.rows
        ideographs: cython.longlong = kinds[CJK]
        joined: cython.longlong = kinds[JOINED]
        # Thai parts no words and marks no end of a sentence: both are guessed from its letters.
        sentences: cython.longlong = joined // JOINED_SENTENCE
        total: cython.longlong = 0
        kind: cython.Py_ssize_t
        for kind in range(CHARACTER_CLASSES):
            total += kinds[kind]
        out[row, COUNT_CHARS] = total - kinds[SPACE] + 2 * ideographs
        out[row, COUNT_WORDS] = self.words + 0.6 * ideographs + JOINED_WORDS * joined
        out[row, COUNT_LETTERS] = (
            kinds[LOWER] + kinds[UPPER] + kinds[CASELESS] + joined + 3 * ideographs
        )
        out[row, COUNT_CAPITALS] = self.capitals
        out[row, COUNT_DIGITS] = kinds[DIGIT]
        out[row, COUNT_STOPS] = max(self.stops, sentences)
        out[row, COUNT_COMMAS] = kinds[COMMA]
        out[row, COUNT_FENCES] = kinds[FENCE]
        out[row, COUNT_OTHERS] = kinds[OTHER]
        out[row, COUNT_IS_ENDED] = self.is_ended or sentences > 0
        return 0
