"""A page without what its blocks are not made of: scripts, styles, comments, most attributes.

More than half of a page's bytes are such, and a parser reads, keeps and writes them all. One
compiled pass over the bytes leaves them out first, by the rules of the HTML standard for where
tags, values, comments and raw text end, so that the rest is parsed as it would be in the whole
page. The pass also sees what makes parsers slow, elements too deep inside each other and tags with
too many attributes, and can leave just that out.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from izwi.text.elements import hash_of

# Names, classes and what hides an element; where links lead; and those that parsers look at.
_KEPT = (
    "class", "id", "role", "itemprop", "hidden", "aria-hidden", "href", "style", "type", "color",
    "face", "size", "encoding",
)  # fmt: skip
# What follows these tags is text up to their own end tag. Nothing of it is read but for titles.
_RAW = ("script", "style", "iframe", "noembed", "noframes", "xmp", "textarea", "title")
# These have no end tag, or end by themselves where the next one begins.
_FLAT = (
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr", "colgroup", "dd", "dt", "li", "option", "p", "tbody", "td", "tfoot", "th",
    "thead", "tr",
)  # fmt: skip
# Inside these, in a drawing or a formula, markup is a page's own again.
_POINTS = ("foreignobject", "desc", "annotation-xml", "mi", "mo", "mn", "ms", "mtext")
# Browsers go no deeper than 512; parsers need the square of the depth.
DEEPEST = 1_000
# So many elements that are never closed are hostile: parsers overlook end tags that we follow.
_MOST_OPEN = 3_000
# More attributes are hostile: parsers compare each with all before it.
_MOST_ATTRIBUTES = 200
# How many open elements an end tag looks for its own.
_FARTHEST = 64
_LESS, _SLASH, _MORE, _BANG, _EQUALS, _DASH, _BLANK, _QUESTION = 60, 47, 62, 33, 61, 45, 32, 63
_DOUBLE, _SINGLE = 34, 39
_START, _PRIME = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
_SCRIPT, _STYLE = np.uint64(hash_of("script")), np.uint64(hash_of("style"))
_TITLE = np.uint64(hash_of("title"))
# What is known of a name, as bits.
_IS_KEPT, _IS_RAW, _IS_FLAT, _IS_FOREIGN, _IS_PLAIN, _IS_POINT = 1, 2, 4, 8, 16, 32
_SLOTS, _SHIFT = 256, np.uint64(20)
_LAST_SLOT = np.uint64(_SLOTS - 1)
# What a byte is, as bits, and which of them end a name, the key of an attribute and its value.
_SPACE, _IS_MORE, _IS_SLASH, _IS_EQUALS = 1, 2, 4, 8
_AFTER_NAME, _AFTER_KEY, _AFTER_VALUE = 1 | 2 | 4, 1 | 2 | 4 | 8, 1 | 2
# Places of the state.
_USED, _DEPTH, _EXCESS, _IS_HOSTILE, _FOREIGN, _OPEN, _INSIDE = range(7)

# Functions that only compiled code calls, as in text/scan.py.
inner = njit(  # type: ignore[call-overload]
    cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True
)
outer = njit(cache=True, _nrt=False)  # type: ignore[call-overload]


class Lean(NamedTuple):
    """Markup without what is not read, and whether the page would make a parser slow."""

    markup: bytes
    is_hostile: bool


class Known(NamedTuple):
    """What is known of bytes and names: the hash of each name, and its bits, in its own slot."""

    bytes: NDArray[np.uint8]
    hashes: NDArray[np.uint64]
    bits: NDArray[np.uint8]


def lean(utf8: bytes) -> Lean:
    """Return markup without what is not read; it parses to the same blocks.

    >>> lean(b'<p onclick="go()" class=a>Hi  there<!-- no --><script>x</script>').markup
    b'<p class=a>Hi there<!----><script></script>'
    """
    return Lean(*_passed(utf8, is_whole=False))


def without_hostility(utf8: bytes) -> bytes:
    """Return markup without the tags of elements that lie too deep and attributes beyond count.

    >>> without_hostility(b"<p title='as it is'>  <!-- is -->")
    b"<p title='as it is'>  <!-- is -->"
    """
    return _passed(utf8, is_whole=True)[0]


def _passed(utf8: bytes, *, is_whole: bool) -> tuple[bytes, bool]:
    data = np.frombuffer(utf8, dtype=np.uint8)
    # A kept attribute may be given a space before it, and a tag one before its slash.
    out = np.empty(len(data) + len(data) // 2 + 16, dtype=np.uint8)
    state = np.zeros(7, dtype=np.int64)
    _pass(data, out, state, np.empty(DEEPEST, dtype=np.uint64), _known(), is_whole)
    return out[: state[_USED]].tobytes(), bool(state[_IS_HOSTILE])


@cache
def _known() -> Known:
    bits = {"svg": _IS_FOREIGN, "math": _IS_FOREIGN, "plaintext": _IS_PLAIN}
    for names, bit in ((_KEPT, _IS_KEPT), (_RAW, _IS_RAW), (_FLAT, _IS_FLAT), (_POINTS, _IS_POINT)):
        for name in names:
            bits[name] = bits.get(name, 0) | bit
    found = Known(
        np.zeros(256, dtype=np.uint8),
        np.zeros(_SLOTS, dtype=np.uint64),
        np.zeros(_SLOTS, dtype=np.uint8),
    )
    for name, bit in bits.items():
        at = (hash_of(name) >> int(_SHIFT)) % _SLOTS
        while found.hashes[at]:
            at = (at + 1) % _SLOTS
        found.hashes[at], found.bits[at] = hash_of(name), bit
    found.bytes[list(b" \n\t\r\f")] = _SPACE
    for byte, bit in ((_MORE, _IS_MORE), (_SLASH, _IS_SLASH), (_EQUALS, _IS_EQUALS)):
        found.bytes[byte] = bit
    return found


@inner
def _is_letter(byte):  # type: ignore[no-untyped-def]
    return 97 <= (byte | 32) <= 122


@inner
def _hashed(data, start, end):  # type: ignore[no-untyped-def]
    """Return the hash of a name in small letters."""
    hashed = _START
    for i in range(start, end):
        byte = data[i] + 32 if 65 <= data[i] <= 90 else data[i]
        hashed = (hashed ^ np.uint64(byte)) * _PRIME
    return hashed


@inner
def _bits(hashed, known):  # type: ignore[no-untyped-def]
    """Return what is known of the name with this hash."""
    at = (hashed >> _SHIFT) & _LAST_SLOT
    while known.hashes[at]:
        if known.hashes[at] == hashed:
            return np.int64(known.bits[at])
        at = (at + np.uint64(1)) & _LAST_SLOT
    return np.int64(0)


@inner
def _copy(data, start, end, out, used):  # type: ignore[no-untyped-def]
    for i in range(start, end):
        out[used] = data[i]
        used += 1
    return used


@inner
def _write_text(data, i, out, used, known):  # type: ignore[no-untyped-def]
    """Write the text from i to the next tag, one space of each run; return both places."""
    before = np.int64(0)
    while i < len(data):
        byte = data[i]
        if byte == _LESS:
            break
        space = np.int64(known.bytes[byte]) & _SPACE
        # Written first and perhaps written over: that needs no guess of what comes.
        out[used] = byte
        used += 1 - (space & before)
        before = space
        i += 1
    return i, used


@inner
def _after_comment(data, i):  # type: ignore[no-untyped-def]
    """Return the place after the comment whose text begins at i."""
    end = len(data)
    # Both "<!-->" and "<!--->" are whole comments.
    if i < end and data[i] == _MORE:
        return i + 1
    if i + 1 < end and data[i] == _DASH and data[i + 1] == _MORE:
        return i + 2
    while i + 2 < end:
        if data[i] == _DASH and data[i + 1] == _DASH:
            if data[i + 2] == _MORE:
                return i + 3
            if data[i + 2] == _BANG and i + 3 < end and data[i + 3] == _MORE:
                return i + 4
        i += 1
    return end


@inner
def _names_tag(data, i, hashed, size, known):  # type: ignore[no-untyped-def]
    """Return whether the name at i is the one with this hash and size, and ends there."""
    stop = i + size
    if stop >= len(data) or not known.bytes[data[stop]] & _AFTER_NAME:
        return False
    return _hashed(data, i, stop) == hashed


@inner
def _raw_end(data, i, hashed, size, known):  # type: ignore[no-untyped-def]
    """Return where the end tag of a raw element begins."""
    while i + 1 < len(data):
        is_end = data[i] == _LESS and data[i + 1] == _SLASH
        if is_end and _names_tag(data, i + 2, hashed, size, known):
            return i
        i += 1
    return len(data)


@inner
def _script_end(data, i, known):  # type: ignore[no-untyped-def]
    """Return where the end tag of a script begins; one inside a comment may be text."""
    # 1 inside "<!--", 2 inside a script that is named there.
    level, end = 0, len(data)
    while i + 1 < end:
        # Most bytes mean nothing here.
        while not level and i + 1 < end and data[i] != _LESS:
            i += 1
        if data[i] == _LESS and i + 1 < end:
            if data[i + 1] == _SLASH and _names_tag(data, i + 2, _SCRIPT, 6, known):
                if level < 2:
                    return i
                level = 1
            elif level == 1 and _names_tag(data, i + 1, _SCRIPT, 6, known):
                level = 2
            elif level == 0 and i + 3 < end and data[i + 1] == _BANG and data[i + 2] == _DASH:
                level = int(data[i + 3] == _DASH)
        elif level and data[i] == _MORE and data[i - 1] == _DASH and data[i - 2] == _DASH:
            # The dashes that open the comment may be those that close it.
            level = 0
        i += 1
    return end


@inner
def _attribute(data, i, known):  # type: ignore[no-untyped-def]
    """Return where the key of the attribute at i ends, and where its value begins and ends.

    An attribute without a value has an empty one at the end of its key.
    """
    end, table = len(data), known.bytes
    # An equals sign at the beginning belongs to the key.
    i += 1
    while i < end and not table[data[i]] & _AFTER_KEY:
        i += 1
    stop = i
    while i < end and table[data[i]] & _SPACE:
        i += 1
    if i >= end or data[i] != _EQUALS:
        return stop, stop, stop
    i += 1
    while i < end and table[data[i]] & _SPACE:
        i += 1
    value = i
    if i < end and (data[i] == _DOUBLE or data[i] == _SINGLE):
        quote = data[i]
        i += 1
        while i < end and data[i] != quote:
            i += 1
        i = min(i + 1, end)
    else:
        while i < end and not table[data[i]] & _AFTER_VALUE:
            i += 1
    return stop, value, i


@inner
def _hides(data, start, end):  # type: ignore[no-untyped-def]
    """Return whether a style may hide its element: it says something like "none" or "hidden"."""
    for i in range(start, end - 2):
        first, second, third = data[i] | 32, data[i + 1] | 32, data[i + 2] | 32
        if first == 110 and second == 111 and third == 110:
            return True
        if first == 104 and second == 105 and third == 100:
            return True
    return False


@inner
def _is_read(data, start, stop, value, value_end, known):  # type: ignore[no-untyped-def]
    """Return whether an attribute counts for blocks or for parsers."""
    hashed = _hashed(data, start, stop)
    if not _bits(hashed, known) & _IS_KEPT:
        return False
    return hashed != _STYLE or _hides(data, value, value_end)


@inner
def _write_attributes(data, i, out, used, state, known, is_whole):  # type: ignore[no-untyped-def]
    """Write the attributes of a tag that count.

    Return where the tag ends, where its last value does, and the place written to.
    """
    count, end, last = 0, len(data), 0
    while i < end and data[i] != _MORE:
        if known.bytes[data[i]] & _AFTER_NAME:
            i += 1
            continue
        stop, value, value_end = _attribute(data, i, known)
        count += 1
        if count > _MOST_ATTRIBUTES:
            state[_IS_HOSTILE] = 1
        elif is_whole or _is_read(data, i, stop, value, value_end, known):
            out[used] = _BLANK
            used = _copy(data, i, stop, out, used + 1)
            if value > stop:
                out[used] = _EQUALS
                used = _copy(data, value, value_end, out, used + 1)
        i = last = value_end
    return i, last, used


@inner
def _nest(hashed, is_end, state, stack):  # type: ignore[no-untyped-def]
    """Open or close an element; return whether its tag may stay."""
    depth = state[_DEPTH]
    if not is_end:
        if depth == DEEPEST or state[_OPEN] == _MOST_OPEN:
            state[_IS_HOSTILE] = 1
            state[_EXCESS] += 1
            return False
        stack[depth] = hashed
        state[_DEPTH] += 1
        state[_OPEN] += 1
        return True
    if state[_EXCESS]:
        state[_EXCESS] -= 1
        return False
    for place in range(depth - 1, max(depth - 1 - _FARTHEST, -1), -1):
        if stack[place] == hashed:
            state[_DEPTH] = place
            # Of what lies above it, a parser may keep all but one open.
            state[_OPEN] -= 1
            break
    return True


@inner
def _write_tag(data, i, out, state, stack, known, is_whole):  # type: ignore[no-untyped-def]
    """Write the tag at i and the raw text after it; return the place after both."""
    used, end = state[_USED], len(data)
    is_end = data[i + 1] == _SLASH
    start = i + 1 + is_end
    stop = start
    while stop < end and not known.bytes[data[stop]] & _AFTER_NAME:
        stop += 1
    hashed = _hashed(data, start, stop)
    bits = _bits(hashed, known)
    used = _copy(data, i, stop, out, used)
    close, last, written = _write_attributes(data, stop, out, used, state, known, is_whole)
    if close >= end:
        # A tag that never ends is none.
        return end
    # A slash that ends a value without quotes closes nothing.
    is_empty = close > max(stop, last) and data[close - 1] == _SLASH
    if not is_end:
        used = written
        if is_empty:
            out[used] = _BLANK
            out[used + 1] = _SLASH
            used += 2
    out[used] = _MORE
    is_closed = is_empty and state[_FOREIGN] and not state[_INSIDE]
    if bits & _IS_FLAT or is_closed or _nest(hashed, is_end, state, stack):
        state[_USED] = used + 1
    if bits & _IS_FOREIGN:
        step = -1 if is_end else 1 - is_empty
        state[_FOREIGN] = max(0, state[_FOREIGN] + step)
    elif bits & _IS_POINT and state[_FOREIGN]:
        state[_INSIDE] = max(0, state[_INSIDE] + (-1 if is_end else 1 - is_empty))
    elif not is_end and bits & (_IS_RAW | _IS_PLAIN) and not (is_empty and state[_FOREIGN]):
        return _write_raw(data, close + 1, out, state, known, hashed, stop - start, is_whole)
    return close + 1


@inner
def _write_raw(data, i, out, state, known, hashed, size, is_whole):  # type: ignore[no-untyped-def]
    """Write what counts of the raw text from i; return where its end tag begins."""
    if hashed == _SCRIPT and not state[_FOREIGN]:
        stop = _script_end(data, i, known)
    elif _bits(hashed, known) & _IS_PLAIN:
        stop = len(data)
    else:
        stop = _raw_end(data, i, hashed, size, known)
    if is_whole or state[_FOREIGN] or hashed == _TITLE:
        state[_USED] = _copy(data, i, stop, out, state[_USED])
    return stop


@inner
def _write_other(data, i, out, state, is_whole):  # type: ignore[no-untyped-def]
    """Write a comment without its text, a declaration, or a sign that begins no tag."""
    end, used = len(data), state[_USED]
    after = data[i + 1] if i + 1 < end else 0
    stop = i + 1
    if after == _BANG and i + 3 < end and data[i + 2] == _DASH and data[i + 3] == _DASH:
        stop = _after_comment(data, i + 4)
        if not is_whole:
            used = _copy(data, i, i + 4, out, used)
            out[used], out[used + 1], out[used + 2] = _DASH, _DASH, _MORE
            state[_USED] = used + 3
            return stop
    elif after == _BANG and state[_FOREIGN]:
        # Here "<![CDATA[" holds text, and ends elsewhere.
        stop = i + 2
    elif after in (_BANG, _QUESTION, _SLASH):
        # Declarations, and what parsers take for comments: <!x>, <?x>, </3>.
        while stop < end and data[stop] != _MORE:
            stop += 1
        stop = min(stop + 1, end)
    state[_USED] = _copy(data, i, stop, out, used)
    return stop


@outer
def _pass(data, out, state, stack, known, is_whole):  # type: ignore[no-untyped-def]
    """Write the markup that is wanted; the state says how much it is."""
    i, end = 0, len(data)
    while i < end:
        if data[i] != _LESS:
            if is_whole:
                out[state[_USED]] = data[i]
                state[_USED] += 1
                i += 1
            else:
                i, state[_USED] = _write_text(data, i, out, state[_USED], known)
            continue
        is_tag = i + 1 < end and _is_letter(data[i + 1])
        if i + 2 < end and data[i + 1] == _SLASH:
            is_tag = _is_letter(data[i + 2])
        if is_tag:
            i = _write_tag(data, i, out, state, stack, known, is_whole)
        else:
            i = _write_other(data, i, out, state, is_whole)
