"""One pass over a page's bytes that leaves out what its blocks are not made of.

By the rules of the HTML standard for where tags, values, comments and raw text end, so that the
rest is parsed as it would be in the whole page. The pass also sees what makes parsers slow.
"""

from array import array

import cython

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
# Of these no attribute is read: they make no block, no parser looks at theirs, and they are none of
# the elements that a parser opens again by their names and attributes (b, font, i, ...).
_BARE = (
    "area", "base", "br", "col", "embed", "hr", "img", "link", "meta", "param", "source", "track",
    "wbr", "abbr", "acronym", "bdi", "bdo", "cite", "data", "del", "dfn", "ins", "kbd", "label",
    "mark", "picture", "q", "rp", "rt", "ruby", "samp", "select", "span", "sub", "sup", "time",
    "var",
)  # fmt: skip

# Browsers go no deeper than 512; parsers need the square of the depth.
DEEPEST = cython.declare(cython.Py_ssize_t, 1_000)
# So many elements that are never closed are hostile: parsers overlook end tags that we follow.
MOST_OPEN = cython.declare(cython.Py_ssize_t, 3_000)
# More attributes are hostile: parsers compare each with all before it.
MOST_ATTRIBUTES = cython.declare(cython.Py_ssize_t, 200)
# More choices in forms are hostile: parsers look at all of a list again for each of them.
MOST_OPTIONS = cython.declare(cython.Py_ssize_t, 1_000)
# How many open elements an end tag looks for its own.
FARTHEST = cython.declare(cython.Py_ssize_t, 64)
START = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
# Compiled code wraps round at 64 bits by itself; the interpreter needs to be told.
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# What is known of a name, as bits.
IS_KEPT = cython.declare(cython.int, 1)
IS_RAW = cython.declare(cython.int, 2)
IS_FLAT = cython.declare(cython.int, 4)
IS_FOREIGN = cython.declare(cython.int, 8)
IS_PLAIN = cython.declare(cython.int, 16)
IS_POINT = cython.declare(cython.int, 32)
IS_BARE = cython.declare(cython.int, 64)
# Of a link only where it leads is read.
IS_LINK = cython.declare(cython.int, 128)
# What a byte is, as bits, and which of them end a name, the key of an attribute and its value.
SPACE = cython.declare(cython.int, 1)
AFTER_NAME = cython.declare(cython.int, 1 | 2 | 4)
AFTER_KEY = cython.declare(cython.int, 1 | 2 | 4 | 8)
AFTER_VALUE = cython.declare(cython.int, 1 | 2)
# No attribute that counts begins with another letter.
BEGINS_KEPT = cython.declare(cython.int, 16)


def hash_of(name):
    """Return the FNV-1a hash of a name."""
    found: object = 0xCBF29CE484222325
    for byte in name.encode():
        found = ((found ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return found


SCRIPT = cython.declare(cython.ulonglong, hash_of("script"))
STYLE = cython.declare(cython.ulonglong, hash_of("style"))
HREF = cython.declare(cython.ulonglong, hash_of("href"))
TITLE = cython.declare(cython.ulonglong, hash_of("title"))
OPTION = cython.declare(cython.ulonglong, hash_of("option"))
OPTGROUP = cython.declare(cython.ulonglong, hash_of("optgroup"))


def _known():
    """Return the class of each byte, and the hash and bits of each known name in a slot."""
    bits = {"svg": 8, "math": 8, "plaintext": 16, "a": 128}
    for names, bit in ((_KEPT, 1), (_RAW, 2), (_FLAT, 4), (_POINTS, 32), (_BARE, 64)):
        for name in names:
            bits[name] = bits.get(name, 0) | bit
    classes, slots, known = bytearray(256), array("Q", bytes(8 * 256)), bytearray(256)
    for name, bit in bits.items():
        at = (hash_of(name) >> 20) % 256
        while slots[at]:
            at = (at + 1) % 256
        slots[at], known[at] = hash_of(name), bit
    for byte in b" \n\t\r\f":
        classes[byte] = 1
    for byte, bit in ((62, 2), (47, 4), (61, 8)):
        classes[byte] = bit
    for name in _KEPT:
        classes[ord(name[0])] = classes[ord(name[0].upper())] = 16
    return classes, slots, known


_TABLES = _known()


def lean(utf8: bytes, is_whole: bool = False) -> tuple[bytes, bool]:
    """Return markup without what is not read, and whether the page would make a parser slow.

    Whole markup loses only what would make it slow.
    """
    # A kept attribute may be given a space before it, and a tag one before its slash.
    out = bytearray(len(utf8) + len(utf8) // 2 + 16)
    task = Pass(utf8, out, is_whole)
    used = task.run()
    return bytes(memoryview(out)[:used]), task.is_hostile()


@cython.final
@cython.cclass
class Pass:
    """One pass over a page: what it reads, what it writes, and what is open."""

    data: cython.const[cython.uchar][::1]
    out: cython.uchar[::1]
    classes: cython.uchar[::1]
    hashes: cython.ulonglong[::1]
    bits: cython.uchar[::1]
    stack: cython.ulonglong[::1]
    is_whole: cython.bint
    end: cython.Py_ssize_t
    used: cython.Py_ssize_t
    depth: cython.Py_ssize_t
    excess: cython.Py_ssize_t
    opened: cython.Py_ssize_t
    foreign: cython.Py_ssize_t
    inside: cython.Py_ssize_t
    options: cython.Py_ssize_t
    hostile: cython.bint
    # What the last attribute was: where its key ends, where its value begins and ends.
    key_end: cython.Py_ssize_t
    value: cython.Py_ssize_t
    value_end: cython.Py_ssize_t

    def __init__(self, utf8, out, is_whole):
        """Begin before the first byte."""
        self.data, self.out, self.end = utf8, out, len(utf8)
        self.classes, self.hashes, self.bits = _TABLES
        self.stack = array("Q", bytes(8 * DEEPEST))
        self.is_whole, self.hostile = is_whole, False
        self.used = self.depth = self.excess = self.opened = self.foreign = self.inside = 0
        self.options = 0
        self.key_end = self.value = self.value_end = 0

    def is_hostile(self):
        """Return whether something was seen that makes parsers slow."""
        return bool(self.hostile)

    def run(self):
        """Write the markup that is wanted; return how many bytes it is."""
        with cython.nogil:
            self._pass()
        return self.used

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _pass(self) -> cython.int:
        i: cython.Py_ssize_t = 0
        end: cython.Py_ssize_t = self.end
        is_tag: cython.bint
        while i < end:
            if self.data[i] != ord("<"):
                if self.is_whole:
                    self.out[self.used] = self.data[i]
                    self.used += 1
                    i += 1
                else:
                    i = self._write_text(i)
                continue
            is_tag = i + 1 < end and 97 <= self.data[i + 1] | 32 <= 122
            if i + 2 < end and self.data[i + 1] == ord("/"):
                is_tag = 97 <= self.data[i + 2] | 32 <= 122
            i = self._write_tag(i) if is_tag else self._write_other(i)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _write_text(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the text from i to the next tag, one space of each run; return where it ends."""
        before: cython.int = 0
        space: cython.int
        byte: cython.uchar
        used: cython.Py_ssize_t
        # Half of all text is the white space between two tags: it is stepped over at once.
        if self.classes[self.data[i]] & SPACE:
            self._put(self.data[i])
            i += 1
            while i < self.end and self.classes[self.data[i]] & SPACE:
                i += 1
        used = self.used
        while i < self.end:
            byte = self.data[i]
            if byte == ord("<"):
                break
            space = self.classes[byte] & SPACE
            # Written first and perhaps written over: that needs no guess of what comes.
            self.out[used] = byte
            used += 1 - (space & before)
            before = space
            i += 1
        self.used = used
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(0)
    def _hashed(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.ulonglong:
        """Return the hash of a name in small letters."""
        hashed: cython.ulonglong = START
        byte: cython.int
        i: cython.Py_ssize_t
        for i in range(start, end):
            byte = self.data[i]
            if 65 <= byte <= 90:
                byte += 32
            hashed = ((hashed ^ cython.cast(cython.ulonglong, byte)) * PRIME) & ALL
        return hashed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _bits(self, hashed: cython.ulonglong) -> cython.int:
        """Return what is known of the name with this hash."""
        at: cython.Py_ssize_t = (hashed >> 20) & 255
        while self.hashes[at]:
            if self.hashes[at] == hashed:
                return self.bits[at]
            at = (at + 1) & 255
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.boundscheck(False)
    @cython.exceptval(-1)
    def _find(self, byte: cython.uchar, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where a byte comes next from i on, or the end; bounds are checked once for all.

        Sixteen bytes are looked at together: most of a page is scripts and values, stepped over.
        """
        step: cython.Py_ssize_t
        found: cython.uchar
        if i < 0 or self.end > len(self.data):
            raise IndexError("a byte that there is not")
        while i + 16 <= self.end:
            found = 0
            for step in range(16):
                found |= self.data[i + step] == byte
            if found:
                break
            i += 16
        while i < self.end and self.data[i] != byte:
            i += 1
        return i

    @cython.cfunc
    @cython.nogil
    @cython.boundscheck(False)
    @cython.exceptval(-1)
    def _copy(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Write what stands from start to end; bounds are checked once for all."""
        i: cython.Py_ssize_t
        used: cython.Py_ssize_t = self.used
        if start < 0 or end > len(self.data) or used < 0 or used + end - start > len(self.out):
            raise IndexError("bytes that there are not, or no room for them")
        for i in range(start, end):
            self.out[used] = self.data[i]
            used += 1
        self.used = used
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _put(self, byte: cython.uchar) -> cython.int:
        self.out[self.used] = byte
        self.used += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _after_comment(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place after the comment whose text begins at i."""
        end: cython.Py_ssize_t = self.end
        # Both "<!-->" and "<!--->" are whole comments.
        if i < end and self.data[i] == ord(">"):
            return i + 1
        if i + 1 < end and self.data[i] == ord("-") and self.data[i + 1] == ord(">"):
            return i + 2
        i = self._find(ord("-"), i)
        while i + 2 < end:
            if self.data[i + 1] == ord("-"):
                if self.data[i + 2] == ord(">"):
                    return i + 3
                if self.data[i + 2] == ord("!") and i + 3 < end and self.data[i + 3] == ord(">"):
                    return i + 4
            i = self._find(ord("-"), i + 1)
        return end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _names_tag(
        self, i: cython.Py_ssize_t, hashed: cython.ulonglong, size: cython.Py_ssize_t
    ) -> cython.int:
        """Return whether the name at i is the one with this hash and size, and ends there."""
        stop: cython.Py_ssize_t = i + size
        if stop >= self.end or not self.classes[self.data[stop]] & AFTER_NAME:
            return 0
        return self._hashed(i, stop) == hashed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _raw_end(
        self, i: cython.Py_ssize_t, hashed: cython.ulonglong, size: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return where the end tag of a raw element begins."""
        i = self._find(ord("<"), i)
        while i + 1 < self.end:
            if self.data[i + 1] == ord("/") and self._names_tag(i + 2, hashed, size):
                return i
            i = self._find(ord("<"), i + 1)
        return self.end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _script_end(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where the end tag of a script begins; one inside a comment may be text."""
        # 1 inside "<!--", 2 inside a script that is named there.
        level: cython.int = 0
        end: cython.Py_ssize_t = self.end
        while i + 1 < end:
            if not level:
                # Most bytes mean nothing here.
                i = self._find(ord("<"), i)
                if i + 1 >= end:
                    return end
            if self.data[i] == ord("<"):
                if self.data[i + 1] == ord("/") and self._names_tag(i + 2, SCRIPT, 6):
                    if level < 2:
                        return i
                    level = 1
                elif level == 1 and self._names_tag(i + 1, SCRIPT, 6):
                    level = 2
                elif (
                    level == 0
                    and i + 3 < end
                    and self.data[i + 1] == ord("!")
                    and self.data[i + 2] == ord("-")
                ):
                    level = self.data[i + 3] == ord("-")
            elif (
                level
                and self.data[i] == ord(">")
                and self.data[i - 1] == ord("-")
                and self.data[i - 2] == ord("-")
            ):
                # The dashes that open the comment may be those that close it.
                level = 0
            i += 1
        return end

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _attribute(self, i: cython.Py_ssize_t) -> cython.int:
        """Find where the key of the attribute at i ends, and where its value begins and ends.

        An attribute without a value has an empty one at the end of its key.
        """
        end: cython.Py_ssize_t = self.end
        # An equals sign at the beginning belongs to the key.
        i += 1
        while i < end and not self.classes[self.data[i]] & AFTER_KEY:
            i += 1
        self.key_end = self.value = self.value_end = i
        while i < end and self.classes[self.data[i]] & SPACE:
            i += 1
        if i >= end or self.data[i] != ord("="):
            return 0
        i += 1
        while i < end and self.classes[self.data[i]] & SPACE:
            i += 1
        self.value = i
        if i < end and (self.data[i] == ord('"') or self.data[i] == ord("'")):
            i = min(self._find(self.data[i], i + 1) + 1, end)
        else:
            while i < end and not self.classes[self.data[i]] & AFTER_VALUE:
                i += 1
        self.value_end = i
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _hides(self) -> cython.int:
        """Return whether a style may hide its element: it says something like none or hidden."""
        i: cython.Py_ssize_t
        one: cython.int
        two: cython.int
        three: cython.int
        for i in range(self.value, self.value_end - 2):
            one, two = self.data[i] | 32, self.data[i + 1] | 32
            three = self.data[i + 2] | 32
            if one == ord("n") and two == ord("o") and three == ord("n"):
                return 1
            if one == ord("h") and two == ord("i") and three == ord("d"):
                return 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _is_read(self, start: cython.Py_ssize_t, tag: cython.int) -> cython.int:
        """Return whether the attribute found last counts for blocks or for parsers."""
        hashed: cython.ulonglong
        if tag & IS_BARE or not self.classes[self.data[start]] & BEGINS_KEPT:
            return 0
        hashed = self._hashed(start, self.key_end)
        if tag & IS_LINK:
            return hashed == HREF
        if not self._bits(hashed) & IS_KEPT:
            return 0
        if hashed != STYLE:
            return 1
        return self._hides()

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _write_attributes(self, i: cython.Py_ssize_t, tag: cython.int) -> cython.Py_ssize_t:
        """Write the attributes that count of a tag with such bits; return where it ends."""
        count: cython.Py_ssize_t = 0
        self.value_end = 0
        while i < self.end and self.data[i] != ord(">"):
            if self.classes[self.data[i]] & AFTER_NAME:
                i += 1
                continue
            self._attribute(i)
            count += 1
            if count > MOST_ATTRIBUTES:
                self.hostile = True
            elif self.is_whole or self._is_read(i, tag):
                self._put(ord(" "))
                self._copy(i, self.key_end)
                if self.value > self.key_end:
                    self._put(ord("="))
                    self._copy(self.value, self.value_end)
            i = self.value_end
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _nest(self, hashed: cython.ulonglong, is_end: cython.bint) -> cython.int:
        """Open or close an element; return whether its tag may stay."""
        place: cython.Py_ssize_t
        depth: cython.Py_ssize_t = self.depth
        if not is_end:
            if depth == DEEPEST or self.opened == MOST_OPEN:
                self.hostile = True
                self.excess += 1
                return 0
            self.stack[depth] = hashed
            self.depth += 1
            self.opened += 1
            return 1
        if self.excess:
            self.excess -= 1
            return 0
        for place in range(depth - 1, max(depth - 1 - FARTHEST, -1), -1):
            if self.stack[place] == hashed:
                self.depth = place
                # Of what lies above it, a parser may keep all but one open.
                self.opened -= 1
                break
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _is_beyond_choice(self, hashed: cython.ulonglong, is_end: cython.bint) -> cython.int:
        """Return whether a tag is that of a choice in a form, after all that anybody offers."""
        if hashed not in (OPTION, OPTGROUP):
            return 0
        self.options += not is_end
        if self.options > MOST_OPTIONS:
            self.hostile = True
            return 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _write_tag(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the tag at i and the raw text after it; return the place after both."""
        end: cython.Py_ssize_t = self.end
        is_end: cython.bint = self.data[i + 1] == ord("/")
        start: cython.Py_ssize_t = i + 2 if is_end else i + 1
        stop: cython.Py_ssize_t = start
        before: cython.Py_ssize_t = self.used
        named: cython.Py_ssize_t
        close: cython.Py_ssize_t
        step: cython.Py_ssize_t
        hashed: cython.ulonglong
        bits: cython.int
        is_empty: cython.bint
        while stop < end and not self.classes[self.data[stop]] & AFTER_NAME:
            stop += 1
        hashed = self._hashed(start, stop)
        bits = self._bits(hashed)
        self._copy(i, stop)
        named = self.used
        close = self._write_attributes(stop, bits)
        if close >= end:
            # A tag that never ends is none.
            self.used = before
            return end
        # A slash that ends a value without quotes closes nothing.
        is_empty = close > max(stop, self.value_end) and self.data[close - 1] == ord("/")
        if is_end:
            self.used = named
        elif is_empty:
            self._put(ord(" "))
            self._put(ord("/"))
        self._put(ord(">"))
        if self._is_beyond_choice(hashed, is_end) or (
            not (bits & IS_FLAT or (is_empty and self.foreign and not self.inside))
            and not self._nest(hashed, is_end)
        ):
            self.used = before
        step = -1 if is_end else 1 - is_empty
        if bits & IS_FOREIGN:
            self.foreign = max(0, self.foreign + step)
        elif bits & IS_POINT and self.foreign:
            self.inside = max(0, self.inside + step)
        elif not is_end and bits & (IS_RAW | IS_PLAIN) and not (is_empty and self.foreign):
            return self._write_raw(close + 1, hashed, stop - start)
        return close + 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _write_raw(
        self, i: cython.Py_ssize_t, hashed: cython.ulonglong, size: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Write what counts of the raw text from i; return where its end tag begins."""
        stop: cython.Py_ssize_t
        if hashed == SCRIPT and not self.foreign:
            stop = self._script_end(i)
        elif self._bits(hashed) & IS_PLAIN:
            stop = self.end
        else:
            stop = self._raw_end(i, hashed, size)
        if self.is_whole or self.foreign or hashed == TITLE:
            self._copy(i, stop)
        return stop

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _write_other(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write a comment without its text, a declaration, or a sign that begins no tag."""
        end: cython.Py_ssize_t = self.end
        after: cython.int = self.data[i + 1] if i + 1 < end else 0
        stop: cython.Py_ssize_t = i + 1
        if (
            after == ord("!")
            and i + 3 < end
            and self.data[i + 2] == ord("-")
            and self.data[i + 3] == ord("-")
        ):
            stop = self._after_comment(i + 4)
            if not self.is_whole:
                self._copy(i, i + 4)
                self._put(ord("-"))
                self._put(ord("-"))
                self._put(ord(">"))
                return stop
        elif after == ord("!") and self.foreign:
            # Here "<![CDATA[" holds text, and ends elsewhere.
            stop = i + 2
        elif after == ord("!") or after == ord("?") or after == ord("/"):
            # Declarations, and what parsers take for comments: <!x>, <?x>, </3>.
            stop = min(self._find(ord(">"), stop) + 1, end)
        self._copy(i, stop)
        return stop
