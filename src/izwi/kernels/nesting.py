"""Lean markup written out well formed, as a parser writes it, where nothing in it needs a parser.

By the rules of the HTML standard for building trees, without a tree: what is open is a stack, and
what those rules close is closed in the output. Most pages need no more. Whatever moves what stands
already, or is seldom met, is refused: text in tables outside of cells, formatting that ends around
blocks, formulas, templates. A parser reads the page then.
"""

import cython
from cython.cimports.izwi.kernels.groups import (
    AFTER_BODY,
    AFTER_HEAD,
    AFTER_HTML,
    BEFORE_HEAD,
    BEFORE_HTML,
    E_END,
    E_GROUP,
    E_KNOWN,
    E_LISTED,
    E_NAME_END,
    E_START,
    ELEMENT_COLUMNS,
    F_END,
    F_NAME_END,
    F_PLACE,
    F_START,
    G_BLOCK,
    G_BODY,
    G_BREAK,
    G_BUTTON,
    G_CAPTION,
    G_CELL,
    G_COL,
    G_COLGROUP,
    G_FORM,
    G_FORMAT,
    G_FRAME,
    G_HEAD,
    G_HEADING,
    G_HTML,
    G_ITEM,
    G_LINK,
    G_META,
    G_NOSCRIPT,
    G_OBJECT,
    G_OPTGROUP,
    G_OPTION,
    G_OTHER,
    G_P,
    G_PRE,
    G_RAW,
    G_REFUSED,
    G_ROW,
    G_RULE,
    G_SECTION,
    G_SELECT,
    G_SVG,
    G_TABLE,
    G_TEMPLATE,
    G_TERM,
    G_TITLE,
    G_VOID,
    G_VOID_INLINE,
    IN_BODY,
    IN_HEAD,
    MOST_FORMATS,
    MOST_KEYS,
    MOST_OPEN,
    NAME_SLOTS,
    P_BREAKS_OUT,
    P_FORMAT,
    P_IMPLIED,
    P_LIST,
    P_PLAIN,
    P_SCOPE,
    P_SPECIAL,
    P_WEAK,
    REFERENCE_SLOTS,
)  # fmt: skip

START = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)
# What a byte is: white space, the end of a name, of a key, of a value; a letter; written otherwise.
SPACE = cython.declare(cython.int, 1)
AFTER_NAME = cython.declare(cython.int, 2)
AFTER_KEY = cython.declare(cython.int, 4)
AFTER_VALUE = cython.declare(cython.int, 8)
LETTER = cython.declare(cython.int, 16)
DIGIT = cython.declare(cython.int, 32)
ODD = cython.declare(cython.int, 64)
# What follows the head and still stands before the body may be so long.
MOST_AFTER_HEAD = cython.declare(cython.Py_ssize_t, 64)
# So many bytes make room for what is put before them, beside eight for each of the page.
LEAST_MOVED = cython.declare(cython.Py_ssize_t, 1 << 16)
# The longest name of a character that is known without a semicolon.
LONGEST_BARE = cython.declare(cython.Py_ssize_t, 6)


def hash_of(name: bytes) -> int:
    """Return the FNV-1a hash of a name."""
    found: object = 0xCBF29CE484222325
    for byte in name:
        found = ((found ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return found


STYLE = cython.declare(cython.ulonglong, hash_of(b"style"))
TITLE = cython.declare(cython.ulonglong, hash_of(b"title"))
DESC = cython.declare(cython.ulonglong, hash_of(b"desc"))
BASE = cython.declare(cython.ulonglong, hash_of(b"base"))
COL = cython.declare(cython.ulonglong, hash_of(b"col"))
P = cython.declare(cython.ulonglong, hash_of(b"p"))
HTML = cython.declare(cython.ulonglong, hash_of(b"html"))
HEAD = cython.declare(cython.ulonglong, hash_of(b"head"))
BODY = cython.declare(cython.ulonglong, hash_of(b"body"))
COLGROUP = cython.declare(cython.ulonglong, hash_of(b"colgroup"))
TBODY = cython.declare(cython.ulonglong, hash_of(b"tbody"))
TR = cython.declare(cython.ulonglong, hash_of(b"tr"))
INPUT = cython.declare(cython.ulonglong, hash_of(b"input"))
NOBR = cython.declare(cython.ulonglong, hash_of(b"nobr"))
XML = cython.declare(cython.ulonglong, hash_of(b"xml"))
OPTGROUP = cython.declare(cython.ulonglong, hash_of(b"optgroup"))
_TAG_TEXT = cython.declare(
    cython.const[cython.uchar][::1], b"<html><head><body><colgroup><tbody><tr>"
)
_COMMENT = cython.declare(cython.const[cython.uchar][::1], b"<!---->")
_DOCTYPE = cython.declare(cython.const[cython.uchar][::1], b"<!DOCTYPE html>")
_EMPTY_P = cython.declare(cython.const[cython.uchar][::1], b"<p></p>")
_BREAK = cython.declare(cython.const[cython.uchar][::1], b"<br>")
_HIDDEN = cython.declare(cython.const[cython.uchar][::1], b' type="hidden"')
_NO_VALUE = cython.declare(cython.const[cython.uchar][::1], b'=""')
_AMP = cython.declare(cython.const[cython.uchar][::1], b"&amp;")
_LESS = cython.declare(cython.const[cython.uchar][::1], b"&lt;")
_MORE = cython.declare(cython.const[cython.uchar][::1], b"&gt;")
_QUOTE = cython.declare(cython.const[cython.uchar][::1], b"&quot;")
_FIXED = cython.declare(cython.const[cython.uchar][::1], b"&nbsp;")


def _classes():
    classes = bytearray(256)
    for byte in b" \t\n\f\r":
        classes[byte] = 1 | 2 | 4 | 8
    classes[ord(">")] = 2 | 4 | 8
    classes[ord("/")] = 2 | 4
    classes[ord("=")] = 4
    for place in range(26):
        classes[65 + place] = classes[97 + place] = 16
    for byte in b"0123456789":
        classes[byte] = 32
    # The last three begin a fixed space in UTF-8, and what nobody sees.
    for byte in b'\x00\r&<>"\xc2\xe2\xef':
        classes[byte] |= 64
    return bytes(classes)


_CLASSES = cython.declare(cython.const[cython.uchar][::1], _classes())


def nested(markup, out, names, references, stack, hashes, formats):
    """Write markup well formed; return how much is written and where a title begins in it.

    Nothing (-1) is written of a page that needs a parser, and there may be no title (-1). The third
    is whether there may be characters that nobody sees: soft hyphens, joiners; the fourth how many
    bytes at most an element for readers without scripts holds, -1 if there is none. `names`
    and `references` are tables by hash of elements and of named characters, the last three are room
    for what is open.
    """
    return Nesting(markup, out, names, references, stack, hashes, formats).run()


@cython.final
@cython.cclass
class Nesting:
    """A page being written: what it reads and writes, what is open, and where it stands."""

    data: cython.const[cython.uchar][::1]
    out: cython.uchar[::1]
    classes: cython.const[cython.uchar][::1]
    name_hashes: cython.const[cython.ulonglong][::1]
    groups: cython.const[cython.int][::1]
    known: cython.const[cython.int][::1]
    capitals: cython.const[cython.uint][::1]
    references: cython.const[cython.ulonglong][::1]
    characters: cython.const[cython.ulonglong][::1]
    codes: cython.const[cython.ulonglong][::1]
    stack: cython.longlong[:, ::1]
    hashes: cython.ulonglong[::1]
    formats: cython.longlong[:, ::1]
    end: cython.Py_ssize_t
    used: cython.Py_ssize_t
    room: cython.Py_ssize_t
    depth: cython.Py_ssize_t
    listed: cython.Py_ssize_t
    # How many of what is open are paragraphs, selects, parts of a drawing.
    paragraphs: cython.Py_ssize_t
    templates: cython.Py_ssize_t
    moved: cython.Py_ssize_t
    selects: cython.Py_ssize_t
    foreign: cython.Py_ssize_t
    # Where on the stack the form is: 0 none, -1 one that is closed already, as tables have them.
    form: cython.Py_ssize_t
    mode: cython.int
    # The same outside of a template.
    outside: cython.int
    refused: cython.bint
    may_hide: cython.bint
    has_doctype: cython.bint
    # Whether an end tag stood before all.
    has_begun: cython.bint
    is_standard: cython.bint
    in_noscript: cython.bint
    head_end: cython.Py_ssize_t
    # Where a line break counts for nothing.
    fresh: cython.Py_ssize_t
    title: cython.Py_ssize_t
    unscripted: cython.Py_ssize_t
    # Comments after the body and after all.
    after_body: cython.Py_ssize_t
    after_html: cython.Py_ssize_t
    # The tag that is being read: its name's end and hash, its group, and where it ends.
    name_end: cython.Py_ssize_t
    hashed: cython.ulonglong
    group: cython.int
    bits: cython.int
    casing: cython.uint
    close: cython.Py_ssize_t

    def __init__(self, markup, out, names, references, stack, hashes, formats):
        """Begin before the first byte."""
        self.data, self.out, self.end, self.room = markup, out, len(markup), len(out)
        self.classes = _CLASSES
        self.name_hashes, self.groups, self.known, self.capitals = names
        self.references, self.characters, self.codes = references
        self.stack, self.hashes, self.formats = stack, hashes, formats
        if len(stack) < MOST_OPEN or len(hashes) < MOST_OPEN or len(formats) < MOST_FORMATS:
            raise IndexError("no room for what is open")
        if len(self.name_hashes) < NAME_SLOTS or len(self.references) < REFERENCE_SLOTS:
            raise IndexError("tables of another size")
        self.used = self.depth = self.listed = self.paragraphs = self.selects = self.foreign = 0
        self.templates = self.moved = 0
        self.form = self.head_end = self.after_body = self.after_html = 0
        self.fresh = self.title = self.unscripted = -1
        self.mode = self.outside = BEFORE_HTML
        self.hashed = self.group = self.bits = self.casing = self.name_end = self.close = 0
        self.has_begun = self.refused = self.may_hide = self.has_doctype = self.is_standard = (
            self.in_noscript
        ) = False

    def run(self):
        """Return what is written, as `nested` does."""
        self._read()
        size: cython.Py_ssize_t = -1 if self.refused else self.used
        return size, self.title, bool(self.may_hide), self.unscripted

    @cython.cfunc
    @cython.exceptval(-1)
    def _read(self) -> cython.int:
        i: cython.Py_ssize_t = 0
        after: cython.int
        while i < self.end and not self.refused:
            if not self._begins_markup(i):
                i = self._take_text(i)
                continue
            after = self.data[i + 1]
            if after == ord("!") or after == ord("?"):
                i = self._take_declaration(i)
            elif after == ord("/"):
                i = self._take_end(i)
            else:
                i = self._take_start(i)
        if self.templates:
            self.refused = True
        if not self.refused:
            self._enter_body()
            self._finish()
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _refuse(self) -> cython.Py_ssize_t:
        self.refused = True
        return self.end

    @cython.cfunc
    @cython.exceptval(-1)
    def _begins_markup(self, i: cython.Py_ssize_t) -> cython.int:
        """Return whether a tag or declaration begins at i, not text."""
        after: cython.int
        if self.data[i] != ord("<") or i + 1 >= self.end:
            return 0
        after = self.data[i + 1]
        if after == ord("/"):
            return i + 2 < self.end
        return after == ord("!") or after == ord("?") or (self.classes[after] & LETTER) != 0

    # What is written.

    @cython.cfunc
    @cython.boundscheck(False)
    @cython.exceptval(-1)
    def _find(self, byte: cython.uchar, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where a byte comes next from i on, or the end; bounds are checked once for all."""
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
    @cython.exceptval(-1)
    def _has_room(self, size: cython.Py_ssize_t) -> cython.int:
        """Return whether so much more can be written; a page that grows so is refused."""
        if self.used + size > self.room:
            self.refused = True
        return not self.refused

    @cython.cfunc
    @cython.boundscheck(False)
    @cython.exceptval(-1)
    def _put(
        self,
        source: cython.const[cython.uchar][::1],
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
    ) -> cython.int:
        """Write bytes from a place to another; bounds are checked once for all."""
        i: cython.Py_ssize_t
        used: cython.Py_ssize_t = self.used
        if start < 0 or end > len(source) or used < 0 or self.room > len(self.out):
            raise IndexError("bytes that there are not, or no room for them")
        if not self._has_room(end - start):
            return 0
        for i in range(start, end):
            self.out[used] = source[i]
            used += 1
        self.used = used
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_again(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Write once more what is written already."""
        i: cython.Py_ssize_t
        if not self._has_room(end - start):
            return 0
        for i in range(start, end):
            self.out[self.used] = self.out[i]
            self.used += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_byte(self, byte: cython.uchar) -> cython.int:
        if self._has_room(1):
            self.out[self.used] = byte
            self.used += 1
        return 0

    @cython.cfunc
    @cython.boundscheck(False)
    @cython.exceptval(-1)
    def _plain_end(self, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return up to where bytes are written as they are; bounds are checked once for all."""
        data: cython.const[cython.uchar][::1] = self.data
        classes: cython.const[cython.uchar][::1] = self.classes
        if i < 0 or stop > len(data) or len(classes) < 256:
            raise IndexError("bytes that there are not")
        while i < stop and not classes[data[i]] & ODD:
            i += 1
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_text(
        self, i: cython.Py_ssize_t, stop: cython.Py_ssize_t, is_value: cython.bint
    ) -> cython.int:
        """Write text or a value with its references read and its signs spelled as a parser does."""
        byte: cython.int
        plain: cython.Py_ssize_t
        while i < stop and not self.refused:
            plain = i
            i = self._plain_end(i, stop)
            self._put(self.data, plain, i)
            if i >= stop:
                break
            byte = self.data[i]
            if byte == ord("&"):
                i = self._put_reference(i, stop, is_value)
                continue
            if byte >= 0x80 and i + 1 < stop:
                self._look(byte, self.data[i + 1], self.data[i + 2] if i + 2 < stop else 0)
            if byte == 0:
                self.refused = True
            elif byte == 0xC2 and i + 1 < stop and self.data[i + 1] == 0xA0:
                self._put(_FIXED, 0, 6)
                i += 1
            elif byte != ord("\r"):
                self._put_sign(byte, is_value)
            elif i + 1 >= self.end or self.data[i + 1] != ord("\n"):
                self._put_byte(ord("\n"))
            i += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _look(self, first: cython.int, second: cython.int, third: cython.int) -> cython.int:
        """Note if a character is one that nobody sees."""
        if first == 0xC2:
            self.may_hide |= second == 0xAD
        elif first == 0xE2:
            self.may_hide |= second == 0x80 and third == 0x8B
            self.may_hide |= second == 0x81 and third == 0xA0
        elif first == 0xEF:
            self.may_hide |= second == 0xBB and third == 0xBF
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_sign(self, byte: cython.int, is_value: cython.bint) -> cython.int:
        """Write a byte, spelled out where it would be markup."""
        if byte == ord("&"):
            return self._put(_AMP, 0, 5)
        if byte == ord("<"):
            return self._put(_LESS, 0, 4)
        if byte == ord(">"):
            return self._put(_MORE, 0, 4)
        if byte == ord('"') and is_value:
            return self._put(_QUOTE, 0, 6)
        return self._put_byte(byte)

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_packed(self, packed: cython.ulonglong, is_value: cython.bint) -> cython.int:
        """Write characters of which a number holds the size and the bytes."""
        size: cython.int = packed & 15
        if size > 1:
            self._look(packed >> 8 & 255, packed >> 16 & 255, packed >> 24 & 255)
        packed >>= 8
        if packed == 0xA0C2:
            return self._put(_FIXED, 0, 6)
        while size:
            self._put_sign(packed & 255, is_value)
            packed >>= 8
            size -= 1
        return 0

    @cython.cfunc
    @cython.exceptval(0)
    def _reference(self, hashed: cython.ulonglong, is_bare: cython.bint) -> cython.ulonglong:
        """Return the characters with a name, packed; 1 if there are none."""
        at: cython.Py_ssize_t = (hashed >> 20) & (REFERENCE_SLOTS - 1)
        while self.references[at]:
            if self.references[at] == hashed:
                return 1 if is_bare and not self.characters[at] & 128 else self.characters[at]
            at = (at + 1) & (REFERENCE_SLOTS - 1)
        return 1

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_reference(
        self, i: cython.Py_ssize_t, stop: cython.Py_ssize_t, is_value: cython.bint
    ) -> cython.Py_ssize_t:
        """Write what the reference at i stands for; return the place after it."""
        start: cython.Py_ssize_t = i + 1
        at: cython.Py_ssize_t = start
        bare_end: cython.Py_ssize_t = start
        hashed: cython.ulonglong = START
        found: cython.ulonglong
        bare: cython.ulonglong = 1
        if start < stop and self.data[start] == ord("#"):
            return self._put_number(start + 1, stop, is_value)
        while at < stop and self.classes[self.data[at]] & (LETTER | DIGIT):
            hashed = ((hashed ^ self.data[at]) * PRIME) & ALL
            at += 1
            if at - start <= LONGEST_BARE:
                found = self._reference(hashed, True)
                if found > 1:
                    bare, bare_end = found, at
        if at > start and at < stop and self.data[at] == ord(";"):
            found = self._reference(hashed, False)
            if found > 1:
                self._put_packed(found, is_value)
                return at + 1
        # In a value a name is none if it goes on: addresses have "&copy=1".
        if bare > 1 and is_value and (bare_end < at or (at < stop and self.data[at] == ord("="))):
            bare = 1
        if bare > 1:
            self._put_packed(bare, is_value)
            return bare_end
        self._put(_AMP, 0, 5)
        return start

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_number(
        self, i: cython.Py_ssize_t, stop: cython.Py_ssize_t, is_value: cython.bint
    ) -> cython.Py_ssize_t:
        """Write the character whose number stands at i; odd ones are left to a parser."""
        code: cython.longlong = 0
        is_hex: cython.bint = i < stop and (self.data[i] | 32) == ord("x")
        start: cython.Py_ssize_t
        digit: cython.int
        i += is_hex
        start = i
        while i < stop and code < 0x110000:
            digit = self.data[i]
            if 48 <= digit <= 57:
                digit -= 48
            elif is_hex and 97 <= (digit | 32) <= 102:
                digit = (digit | 32) - 87
            else:
                break
            code = code * (16 if is_hex else 10) + digit
            i += 1
        if i == start or code < 32 or code >= 0x110000 or code & 0x1FF800 == 0xD800:
            self.refused = True
            return stop
        if code < 256:
            self._put_packed(self.codes[code], is_value)
        elif code < 0x800:
            self._put_byte(0xC0 | code >> 6)
        elif code < 0x10000:
            self._look(0xE0 | code >> 12, 0x80 | (code >> 6 & 63), 0x80 | (code & 63))
            self._put_byte(0xE0 | code >> 12)
            self._put_byte(0x80 | (code >> 6 & 63))
        else:
            self._put_byte(0xF0 | code >> 18)
            self._put_byte(0x80 | (code >> 12 & 63))
            self._put_byte(0x80 | (code >> 6 & 63))
        if code >= 256:
            self._put_byte(0x80 | (code & 63))
        return i + (i < stop and self.data[i] == ord(";"))

    # Tags.

    @cython.cfunc
    @cython.exceptval(-1)
    def _read_name(self, i: cython.Py_ssize_t) -> cython.int:
        """Read the name of a tag: where it ends, its hash, and what is known of it."""
        hashed: cython.ulonglong = START
        byte: cython.int
        at: cython.Py_ssize_t
        while i < self.end and not self.classes[self.data[i]] & AFTER_NAME:
            byte = self.data[i]
            if 65 <= byte <= 90:
                byte += 32
            elif not byte:
                self.refused = True
            elif byte >= 0x80:
                self.may_hide = True
            hashed = ((hashed ^ cython.cast(cython.ulonglong, byte)) * PRIME) & ALL
            i += 1
        self.name_end, self.hashed = i, hashed
        self.group, self.bits, self.casing = G_OTHER, 0, 0
        at = (hashed >> 20) & (NAME_SLOTS - 1)
        while self.name_hashes[at]:
            if self.name_hashes[at] == hashed:
                self.group, self.bits = self.groups[at], self.known[at]
                self.casing = self.capitals[at]
                break
            at = (at + 1) & (NAME_SLOTS - 1)
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_lower(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Write a name in small letters."""
        byte: cython.int
        i: cython.Py_ssize_t
        if not self._has_room(end - start):
            return 0
        for i in range(start, end):
            byte = self.data[i]
            if 65 <= byte <= 90:
                byte += 32
            elif byte >= 0x80:
                self.may_hide = True
            self.out[self.used] = byte
            self.used += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_tag(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the start tag at i; return the place after it."""
        step: cython.Py_ssize_t
        name: cython.Py_ssize_t = self.used + 1
        self._put_byte(ord("<"))
        self._put_lower(i + 1, self.name_end)
        if self.foreign and self.casing and not self.refused:
            for step in range(self.name_end - i - 1):
                if self.casing >> step & 1:
                    self.out[name + step] -= 32
        self._put_attributes(self.name_end)
        self._put_byte(ord(">"))
        return self.close + 1

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_attributes(self, i: cython.Py_ssize_t) -> cython.int:
        """Write the attributes from i on, each once, and find where the tag ends."""
        first: cython.Py_ssize_t = self.used
        count: cython.int = 0
        before: cython.Py_ssize_t
        start: cython.Py_ssize_t
        key_end: cython.Py_ssize_t
        quote: cython.int
        while i < self.end and self.data[i] != ord(">") and not self.refused:
            if self.classes[self.data[i]] & AFTER_NAME:
                i += 1
                continue
            start, before = i, self.used
            i += 1
            while i < self.end and not self.classes[self.data[i]] & AFTER_KEY:
                i += 1
            self._put_byte(ord(" "))
            self._put_lower(start, i)
            key_end, quote = self.used, 0
            self._put(_NO_VALUE, 0, 2)
            if i < self.end and self.data[i] == ord("="):
                i += 1
                start = i
                quote = self.data[i] if i < self.end else 0
                if quote == ord('"') or quote == ord("'"):
                    start = i + 1
                    i = self._find(quote, start)
                    self._put_text(start, i, True)
                    i += 1
                else:
                    while i < self.end and not self.classes[self.data[i]] & AFTER_VALUE:
                        i += 1
                    self._put_text(start, i, True)
            self._put_byte(ord('"'))
            count += 1
            if count > MOST_KEYS:
                self.refused = True
            elif count > 1 and not self.refused and self._is_said(first, before, key_end):
                self.used = before
        self.close = i
        if i >= self.end:
            self.refused = True
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _is_said(
        self, first: cython.Py_ssize_t, last: cython.Py_ssize_t, end: cython.Py_ssize_t
    ) -> cython.int:
        """Return whether a key stands among the attributes that are written already."""
        size: cython.Py_ssize_t = end - last
        at: cython.Py_ssize_t = first
        step: cython.Py_ssize_t
        while at < last:
            step = 0
            while step < size and self.out[at + step] == self.out[last + step]:
                step += 1
            if step == size and self.out[at + step] == ord("="):
                return 1
            # The value is between the next two quotation marks: those in it are spelled out.
            step = 2
            while step and at < last:
                step -= self.out[at] == ord('"')
                at += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _pass_by(self) -> cython.Py_ssize_t:
        """Leave out a start tag; return the place after it."""
        used: cython.Py_ssize_t = self.used
        self._put_attributes(self.name_end)
        self.used = used
        return self.close + 1

    # What is open.

    @cython.cfunc
    @cython.exceptval(-1)
    def _note_open(
        self, start: cython.Py_ssize_t, name_end: cython.Py_ssize_t, group: cython.int
    ) -> cython.int:
        """Put an element on the stack whose start tag was written last."""
        depth: cython.Py_ssize_t = self.depth
        if depth >= MOST_OPEN - 1 or self.refused:
            self.refused = True
            return 0
        self.stack[depth, E_GROUP] = group
        self.stack[depth, E_KNOWN] = self.bits
        self.stack[depth, E_START] = start
        self.stack[depth, E_NAME_END] = name_end
        self.stack[depth, E_END] = self.used
        self.stack[depth, E_LISTED] = -1
        self.hashes[depth] = self.hashed
        self.depth += 1
        self.paragraphs += group == G_P
        self.selects += group == G_SELECT
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _open(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the start tag at i and put its element on the stack; return the place after it."""
        start: cython.Py_ssize_t = self.used
        after: cython.Py_ssize_t = self._put_tag(i)
        self._note_open(start, start + self.name_end - i, self.group)
        return after

    @cython.cfunc
    @cython.exceptval(-1)
    def _imply(
        self,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        hashed: cython.ulonglong,
        group: cython.int,
        bits: cython.int,
    ) -> cython.int:
        """Open an element whose tag is not written; the one that is being read stays as it is."""
        at: cython.Py_ssize_t = self.used
        own: cython.ulonglong = self.hashed
        own_bits: cython.int = self.bits
        self._put(_TAG_TEXT, start, end)
        self.hashed, self.bits = hashed, bits
        self._note_open(at, at + end - start - 1, group)
        self.hashed, self.bits = own, own_bits
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _top(self) -> cython.int:
        """Return the group of the innermost open element."""
        return self.stack[self.depth - 1, E_GROUP] if self.depth else 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_end_tag(self, place: cython.Py_ssize_t) -> cython.int:
        """Write the end tag of an element of the stack."""
        start: cython.Py_ssize_t = self.stack[place, E_START]
        end: cython.Py_ssize_t = self.stack[place, E_NAME_END]
        used: cython.Py_ssize_t = self.used
        i: cython.Py_ssize_t
        if not self._has_room(end - start + 2):
            return 0
        self.out[used] = ord("<")
        self.out[used + 1] = ord("/")
        used += 2
        for i in range(start + 1, end):
            self.out[used] = self.out[i]
            used += 1
        self.out[used] = ord(">")
        self.used = used + 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _close_last(self) -> cython.int:
        """Close the innermost open element."""
        place: cython.Py_ssize_t = self.depth - 1
        group: cython.int = self.stack[place, E_GROUP]
        listed: cython.Py_ssize_t = self.stack[place, E_LISTED]
        if group == G_NOSCRIPT:
            self.unscripted = max(self.unscripted, self.used - self.stack[place, E_END])
        self._put_end_tag(place)
        self.depth = place
        self.paragraphs -= group == G_P
        self.selects -= group == G_SELECT
        self.foreign -= self.foreign > 0
        if listed >= 0:
            self.formats[listed, F_PLACE] = -1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _close_to(self, place: cython.Py_ssize_t) -> cython.int:
        """Close all up to an element of the stack and with it."""
        while self.depth > place and not self.refused:
            self._close_last()
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _close_implied(self, but: cython.ulonglong) -> cython.int:
        """Close elements that end by themselves, but none of a name."""
        while (
            self.depth
            and self.stack[self.depth - 1, E_KNOWN] & P_IMPLIED
            and self.hashes[self.depth - 1] != but
            and not self.refused
        ):
            self._close_last()
        return 0

    @cython.cfunc
    @cython.exceptval(-2)
    def _open_place(self, hashed: cython.ulonglong, hides: cython.int) -> cython.Py_ssize_t:
        """Return where an element of a name is open, unless something round us hides it; else -1.

        `hides` is a group that does, beside those that always do, or P_LIST for lists.
        """
        place: cython.Py_ssize_t = self.depth - 1
        while place >= 0:
            if self.hashes[place] == hashed:
                return place
            if self.stack[place, E_KNOWN] & P_SCOPE:
                return -1
            if hides == G_BUTTON and self.stack[place, E_GROUP] == G_BUTTON:
                return -1
            if hides == P_LIST and self.stack[place, E_KNOWN] & P_LIST:
                return -1
            place -= 1
        return -1

    @cython.cfunc
    @cython.exceptval(-1)
    def _close_p(self) -> cython.int:
        """Close an open paragraph, as blocks do that begin."""
        place: cython.Py_ssize_t
        if self.paragraphs:
            place = self._open_place(P, G_BUTTON)
            if place >= 0:
                self._close_implied(P)
                self._close_to(place)
        return 0

    # Formatting that runs on.

    @cython.cfunc
    @cython.exceptval(-1)
    def _list_last(self) -> cython.int:
        """Put the element that was opened last among the open formatting."""
        place: cython.Py_ssize_t
        same: cython.int = 0
        top: cython.Py_ssize_t = self.depth - 1
        for place in range(self.listed - 1, -1, -1):
            if self.formats[place, F_PLACE] == -2:
                break
            same += self._named(place) == self.hashed
        # Of the fourth one parsers look at the attributes.
        if same > 2 or self.listed >= MOST_FORMATS or self.refused:
            self.refused = True
            return 0
        self._fill_format(self.listed, top)
        self.listed += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _fill_format(self, row: cython.Py_ssize_t, top: cython.Py_ssize_t) -> cython.int:
        self.formats[row, F_PLACE] = top
        self.formats[row, F_START] = self.stack[top, E_START]
        self.formats[row, F_NAME_END] = self.stack[top, E_NAME_END]
        self.formats[row, F_END] = self.stack[top, E_END]
        self.stack[top, E_LISTED] = row
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_border(self) -> cython.int:
        """Let formatting outside not run on inside what was opened last."""
        if self.listed >= MOST_FORMATS:
            self.refused = True
            return 0
        self.formats[self.listed, F_PLACE] = -2
        self.listed += 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _clear_to_border(self) -> cython.int:
        while self.listed:
            self.listed -= 1
            if self.formats[self.listed, F_PLACE] == -2:
                break
        return 0

    @cython.cfunc
    @cython.exceptval(0)
    def _named(self, row: cython.Py_ssize_t) -> cython.ulonglong:
        """Return the hash of the name of some open formatting."""
        hashed: cython.ulonglong = START
        i: cython.Py_ssize_t
        for i in range(self.formats[row, F_START] + 1, self.formats[row, F_NAME_END]):
            hashed = ((hashed ^ self.out[i]) * PRIME) & ALL
        return hashed

    @cython.cfunc
    @cython.exceptval(-1)
    def _run_on(self) -> cython.int:
        """Open again the formatting that was closed with what is round it."""
        row: cython.Py_ssize_t = self.listed
        start: cython.Py_ssize_t
        size: cython.Py_ssize_t
        own: cython.ulonglong = self.hashed
        own_bits: cython.int = self.bits
        while row and self.formats[row - 1, F_PLACE] == -1:
            row -= 1
        while row < self.listed and not self.refused:
            start = self.used
            self._put_again(self.formats[row, F_START], self.formats[row, F_END])
            size = self.formats[row, F_NAME_END] - self.formats[row, F_START]
            self.hashed, self.bits = self._named(row), P_FORMAT
            self._note_open(start, start + size, G_FORMAT)
            self._fill_format(row, self.depth - 1)
            row += 1
        self.hashed, self.bits = own, own_bits
        return 0

    @cython.cfunc
    @cython.exceptval(-2)
    def _listed_at(self, hashed: cython.ulonglong) -> cython.Py_ssize_t:
        """Return where formatting of a name is listed inside the last border; else -1."""
        row: cython.Py_ssize_t
        for row in range(self.listed - 1, -1, -1):
            if self.formats[row, F_PLACE] == -2:
                return -1
            if self._named(row) == hashed:
                return row
        return -1

    @cython.cfunc
    @cython.exceptval(-1)
    def _unlist(self, row: cython.Py_ssize_t) -> cython.int:
        column: cython.Py_ssize_t
        while row + 1 < self.listed:
            for column in range(4):
                self.formats[row, column] = self.formats[row + 1, column]
            if self.formats[row, F_PLACE] >= 0:
                self.stack[self.formats[row, F_PLACE], E_LISTED] = row
            row += 1
        self.listed -= 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_format(self) -> cython.int:
        """Close formatting of the tag's name; it runs on inside of blocks that began in it."""
        row: cython.Py_ssize_t = self._listed_at(self.hashed)
        place: cython.Py_ssize_t
        block: cython.Py_ssize_t
        above: cython.Py_ssize_t
        _step: cython.int
        if row < 0:
            return self._end_other()
        # Parsers do no more than eight for one tag.
        for _step in range(8):
            place = self.formats[row, F_PLACE]
            if place < 0:
                return self._unlist(row)
            block = 0
            for above in range(self.depth - 1, place, -1):
                if self.stack[above, E_KNOWN] & P_SCOPE:
                    return 0
                if self.stack[above, E_KNOWN] & P_SPECIAL:
                    block = above
            if not block:
                self._close_to(place)
                return self._unlist(row)
            if block != place + 1 or G_TABLE <= self.stack[place - 1, E_GROUP] <= G_ROW:
                self.refused = True
                return 0
            self._swap(row, place)
            if self.refused:
                return 0
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _swap(self, row: cython.Py_ssize_t, place: cython.Py_ssize_t) -> cython.int:
        """Let formatting end before the block that began in it, and begin again inside of it."""
        block: cython.Py_ssize_t = place + 1
        size: cython.Py_ssize_t = self.formats[row, F_END] - self.formats[row, F_START]
        name_size: cython.Py_ssize_t = self.formats[row, F_NAME_END] - self.formats[row, F_START]
        end: cython.Py_ssize_t = self.used
        at: cython.Py_ssize_t
        column: cython.Py_ssize_t
        hashed: cython.ulonglong = self.hashes[place]
        self._put_again(self.formats[row, F_START], self.formats[row, F_END])
        self._move_back(self.stack[block, E_END], end)
        end = self.used
        self._put_end_tag(place)
        self._move_back(self.stack[block, E_START], end)
        if self.refused:
            return 0
        for column in range(ELEMENT_COLUMNS):
            self.stack[place, column], self.stack[block, column] = (
                self.stack[block, column],
                self.stack[place, column],
            )
        self.hashes[place], self.hashes[block] = self.hashes[block], hashed
        at = self.stack[place, E_END]
        self.stack[block, E_START] = at
        self.stack[block, E_NAME_END] = at + name_size
        self.stack[block, E_END] = at + size
        self._fill_format(row, block)
        if self.form == block:
            self.form = place
        return 0

    # Text and declarations.

    @cython.cfunc
    @cython.exceptval(-1)
    def _take_text(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the text at i; return where it ends."""
        stop: cython.Py_ssize_t = self._find(ord("<"), i)
        blank: cython.Py_ssize_t = i
        while stop < self.end and not self._begins_markup(stop):
            stop = self._find(ord("<"), stop + 1)
        if i == self.fresh:
            i = self._after_break(i)
        if self.mode == IN_BODY and not G_TABLE <= self._top() <= G_ROW:
            return self._put_inside(i, stop)
        while blank < stop and self.classes[self.data[blank]] & SPACE:
            blank += 1
        if self.mode >= IN_BODY:
            if blank < stop:
                self.mode = IN_BODY
            if not G_TABLE <= self._top() <= G_ROW:
                return self._put_inside(i, stop)
            if blank < stop:
                return self._refuse()
            self._put_text(i, stop, False)
            return stop
        if self.mode >= IN_HEAD:
            self._put_text(i, blank, False)
        if blank < stop:
            self._enter_body()
            self._put_inside(blank, stop)
        return stop

    @cython.cfunc
    @cython.exceptval(-1)
    def _after_break(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place after a line break at i: the first of preformatted text is not shown."""
        if self.data[i] == ord("&"):
            self.refused = True
        if self.data[i] == ord("\r"):
            i += 1
            if i < self.end and self.data[i] != ord("\n"):
                return i
        return i + (i < self.end and self.data[i] == ord("\n"))

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_inside(self, i: cython.Py_ssize_t, stop: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write text where it may stand."""
        at: cython.Py_ssize_t
        if i >= stop:
            return stop
        if not self.foreign:
            if self.listed:
                self._run_on()
        elif self.stack[self.depth - 1, E_KNOWN] & P_PLAIN:
            for at in range(i, stop):
                if self.classes[self.data[at]] & ODD:
                    self.refused = True
        self._put_text(i, stop, False)
        return stop

    @cython.cfunc
    @cython.exceptval(-1)
    def _take_declaration(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write a comment or a declaration; return the place after it."""
        if i + 3 < self.end and self.data[i + 2] == ord("-") and self.data[i + 3] == ord("-"):
            # Lean pages have empty comments alone.
            if i + 7 > self.end or self.data[i + 6] != ord(">"):
                return self._refuse()
            if self.data[i + 4] != ord("-") or self.data[i + 5] != ord("-"):
                return self._refuse()
            self.after_body += self.mode == AFTER_BODY
            self.after_html += self.mode == AFTER_HTML
            if self.mode < AFTER_BODY:
                self._put(_COMMENT, 0, 7)
            return i + 7
        if (
            self.data[i + 1] == ord("!")
            and (self.data[i + 2] | 32 if i + 2 < self.end else 0) == 100
        ):
            return self._take_doctype(i)
        if self.foreign or (self.data[i + 1] == ord("?") and not self._is_of_xml(i + 2)):
            return self._refuse()
        return self._put_odd(i, i + 1 + (self.data[i + 1] == ord("!")))

    @cython.cfunc
    @cython.exceptval(-1)
    def _is_of_xml(self, i: cython.Py_ssize_t) -> cython.int:
        """Return whether a declaration is that of XML: other instructions parsers keep apart."""
        self._read_name(i)
        return self.hashed == XML

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_odd(self, i: cython.Py_ssize_t, start: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write what parsers take for a comment: <!x>, <?x>, </3>."""
        stop: cython.Py_ssize_t = self._find(ord(">"), i)
        at: cython.Py_ssize_t
        if self.mode >= AFTER_BODY or stop >= self.end:
            return self._refuse()
        for at in range(start, stop):
            if self.data[at] == 0 or self.data[at] == ord("\r"):
                return self._refuse()
            self.may_hide |= self.data[at] >= 0x80
        self._put(_COMMENT, 0, 4)
        self._put(self.data, start, stop)
        self._put(_COMMENT, 4, 7)
        return stop + 1

    @cython.cfunc
    @cython.exceptval(-1)
    def _take_doctype(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write the type of the document, if it stands at its beginning."""
        stop: cython.Py_ssize_t = self._find(ord(">"), i)
        if self.foreign or stop >= self.end or stop < i + 14:
            return self._refuse()
        self._read_name(i + 2)
        self._read_name(self.name_end + 1)
        if self.hashed != HTML:
            return self._refuse()
        if self.mode == BEFORE_HTML and not self.has_doctype and not self.has_begun:
            self.is_standard = self.name_end == stop
            self._put(_DOCTYPE, 0, 15)
            self.has_doctype = True
        return stop + 1

    # From the beginning to the body, and the end.

    @cython.cfunc
    @cython.exceptval(-1)
    def _enter_head(self) -> cython.int:
        """Open the elements up to the head, as far as they are not."""
        if self.mode == BEFORE_HTML:
            self._imply(0, 6, HTML, G_HTML, P_SPECIAL | P_SCOPE)
            self.mode = BEFORE_HEAD
        if self.mode == BEFORE_HEAD:
            self._imply(6, 12, HEAD, G_HEAD, P_SPECIAL)
            self.mode = IN_HEAD
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _leave_head(self) -> cython.int:
        """Close the head, after opening it if need be."""
        self._enter_head()
        if self.mode == IN_HEAD and not self.refused:
            if self.in_noscript:
                self._leave_noscript()
            self.head_end = self.used
            self._close_last()
            self.mode = AFTER_HEAD
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _enter_body(self) -> cython.int:
        """Open the body, if it is not yet."""
        if self.mode < IN_BODY:
            self._leave_head()
            self._imply(12, 18, BODY, G_BODY, P_SPECIAL)
            self.mode = IN_BODY
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _leave_noscript(self) -> cython.int:
        self._close_last()
        self.in_noscript = False
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _finish(self) -> cython.int:
        """Close what is open, and write what stands after the body."""
        self._close_to(1)
        while self.after_body and not self.refused:
            self._put(_COMMENT, 0, 7)
            self.after_body -= 1
        self._close_to(0)
        while self.after_html and not self.refused:
            self._put(_COMMENT, 0, 7)
            self.after_html -= 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _start_before_body(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Take a start tag before the body; return the place after it, i if it opens the body."""
        group: cython.int = self.group
        if self.mode == BEFORE_HTML and group == G_HTML:
            self.mode = BEFORE_HEAD
            return self._open(i)
        if group == G_HTML:
            return self._give(0)
        if self.mode <= BEFORE_HEAD:
            if group == G_HEAD:
                if self.mode == BEFORE_HTML:
                    self._imply(0, 6, HTML, G_HTML, P_SPECIAL | P_SCOPE)
                self.mode = IN_HEAD
                return self._open(i)
            self._enter_head()
        if self.in_noscript:
            if group == G_META and self.hashed != BASE:
                return self._put_tag(i)
            if self.hashed == STYLE:
                return self._put_raw(i)
            if group in (G_NOSCRIPT, G_HEAD):
                return self._pass_by()
            self._leave_noscript()
        if group == G_HEAD:
            return self._pass_by()
        if group in (G_META, G_RAW, G_TITLE):
            return self._put_in_head(i)
        if group == G_TEMPLATE:
            return self._open_template(i) if self.mode == IN_HEAD else self._refuse()
        if self.mode == IN_HEAD and group == G_NOSCRIPT:
            self.in_noscript = True
            return self._open(i)
        self._leave_head()
        if group == G_BODY:
            self.mode = IN_BODY
            return self._open(i)
        self._enter_body()
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_in_head(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write an element of the head; what stands behind the head already moves behind it."""
        size: cython.Py_ssize_t = self.used - self.head_end
        end: cython.Py_ssize_t = self.used
        step: cython.Py_ssize_t
        if self.mode == IN_HEAD:
            return self._put_head_element(i)
        # A copy behind the element is what stays: the room before it is closed up afterwards.
        if size > MOST_AFTER_HEAD:
            return self._refuse()
        i = self._put_head_element(i)
        self._put_again(self.head_end, end)
        if self.refused:
            return i
        if self.title >= end:
            self.title -= size
        for step in range(end, self.used):
            self.out[step - size] = self.out[step]
        self.used -= size
        self.head_end = self.used - size
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_head_element(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        return self._put_tag(i) if self.group == G_META else self._put_raw(i)

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_raw(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write an element whose text is no markup; only that of a title is left in a lean page."""
        name: cython.Py_ssize_t = self.used + 1
        size: cython.Py_ssize_t = self.name_end - i - 1
        stop: cython.Py_ssize_t
        if self.group == G_TITLE and self.title < 0:
            if self.templates:
                return self._refuse()
            self.title = self.used
        i = self._put_tag(i)
        stop = i
        if self.group == G_TITLE:
            stop = self._find(ord("<"), i)
            while stop < self.end and not self._ends_raw(stop, name, size):
                stop = self._find(ord("<"), stop + 1)
            self._put_text(i, stop, False)
        if not self._ends_raw(stop, name, size):
            return self._refuse()
        self._put_byte(ord("<"))
        self._put_byte(ord("/"))
        self._put_again(name, name + size)
        self._put_byte(ord(">"))
        return self._find(ord(">"), stop) + 1

    @cython.cfunc
    @cython.exceptval(-1)
    def _ends_raw(
        self, i: cython.Py_ssize_t, name: cython.Py_ssize_t, size: cython.Py_ssize_t
    ) -> cython.int:
        """Return whether the end tag of a name that was written stands at i."""
        byte: cython.int
        step: cython.Py_ssize_t
        if self.refused or i + 2 + size >= self.end:
            return 0
        if self.data[i] != ord("<") or self.data[i + 1] != ord("/"):
            return 0
        for step in range(size):
            byte = self.data[i + 2 + step]
            if 65 <= byte <= 90:
                byte += 32
            if byte != self.out[name + step]:
                return 0
        return (self.classes[self.data[i + 2 + size]] & AFTER_NAME) != 0

    # Start tags.

    @cython.cfunc
    @cython.exceptval(-1)
    def _take_start(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Take the start tag at i; return the place after it."""
        after: cython.Py_ssize_t
        group: cython.int
        self._read_name(i + 1)
        group = self.group
        if not self.foreign and (group == G_REFUSED or (group == G_HTML and self.mode > IN_BODY)):
            return self._refuse()
        if self.mode < IN_BODY:
            after = self._start_before_body(i)
            if after != i:
                return after
        self.mode = IN_BODY
        if self.foreign:
            return self._start_foreign(i)
        if self.selects and group != G_OPTION and group != G_OPTGROUP:
            return self._refuse()
        if group > G_TABLE and self._top() == G_TEMPLATE:
            return self._refuse()
        if group > G_TABLE and not G_TABLE <= self._top() <= G_ROW and not self._close_cell():
            return self._pass_by()
        if G_TABLE <= self._top() <= G_ROW:
            return self._start_in_table(i)
        return self._start_in_body(i)

    @cython.cfunc
    @cython.exceptval(-1)
    def _start_in_body(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        group: cython.int = self.group
        if group in (G_OTHER, G_NOSCRIPT):
            self._run_on()
            return self._open(i)
        if group in (G_LINK, G_FORMAT):
            return self._start_format(i)
        if group in (G_VOID_INLINE, G_BREAK):
            self._run_on()
            return self._put_tag(i)
        if group <= G_BUTTON:
            return self._start_block(i)
        if group == G_TABLE:
            # Old pages have tables in paragraphs; whether a page is one is a long list of types.
            if self.paragraphs and self.has_doctype and not self.is_standard:
                return self._refuse()
            if self.has_doctype:
                self._close_p()
            return self._open(i)
        if group in (G_VOID, G_META):
            return self._put_tag(i)
        if group == G_RULE:
            self._close_p()
            return self._put_tag(i)
        if group in (G_RAW, G_TITLE, G_FRAME):
            return self._put_raw(i)
        if group in (G_HTML, G_BODY):
            return self._give(group == G_BODY)
        if group == G_HEAD:
            return self._pass_by()
        if group == G_TEMPLATE:
            return self._open_template(i)
        return self._start_special(i)

    @cython.cfunc
    @cython.exceptval(-1)
    def _give(self, place: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Give an open element the attributes of the tag: a head may end too early for its own."""
        at: cython.Py_ssize_t = self.stack[place, E_END] - 1
        end: cython.Py_ssize_t = self.used
        if self.data[self.name_end] == ord(">"):
            return self._pass_by()
        if self.templates or at != self.stack[place, E_NAME_END]:
            # It has some already.
            return self._refuse()
        self._put_attributes(self.name_end)
        self._move_back(at, end)
        return self.close + 1

    @cython.cfunc
    @cython.exceptval(-1)
    def _move_back(self, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Let what was written from `end` on stand at an earlier place instead."""
        size: cython.Py_ssize_t = self.used - end
        row: cython.Py_ssize_t
        column: cython.Py_ssize_t
        step: cython.Py_ssize_t
        self.moved += end - at
        if self.moved > 8 * self.end + LEAST_MOVED or not self._has_room(size):
            self.refused = True
            return 0
        self._put_again(end, end + size)
        for step in range(end - 1, at - 1, -1):
            self.out[step + size] = self.out[step]
        for step in range(size):
            self.out[at + step] = self.out[end + size + step]
        self.used -= size
        for row in range(self.depth):
            if self.stack[row, E_START] >= at:
                self.stack[row, E_START] += size
            for column in range(E_NAME_END, E_END + 1):
                if self.stack[row, column] > at:
                    self.stack[row, column] += size
        for row in range(self.listed):
            if self.formats[row, F_START] >= at:
                self.formats[row, F_START] += size
            for column in range(F_NAME_END, F_END + 1):
                if self.formats[row, column] > at:
                    self.formats[row, column] += size
        if self.title >= at:
            self.title += size
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _start_special(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Open a drawing, a choice in a form, or an object."""
        if self.group == G_OPTION or self.group == G_OPTGROUP:
            if self.selects:
                self._close_implied(OPTGROUP if self.group == G_OPTION else 0)
            elif self._top() == G_OPTION:
                self._close_last()
        self._run_on()
        if self.group == G_SVG:
            return self._open_foreign(i)
        i = self._open(i)
        if self.group == G_OBJECT:
            self._put_border()
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _start_block(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Open a block: what cannot be round it is closed."""
        group: cython.int = self.group
        place: cython.Py_ssize_t
        if group == G_BUTTON:
            place = self._open_place(self.hashed, 0)
            if place >= 0:
                self._close_implied(0)
                self._close_to(place)
            self._run_on()
            return self._open(i)
        if group == G_FORM and (self.form or self.templates):
            return self._refuse() if self.templates else self._pass_by()
        if group in (G_ITEM, G_TERM):
            self._close_item()
        self._close_p()
        if group == G_HEADING and self._top() == G_HEADING:
            self._close_last()
        i = self._open(i)
        if group == G_FORM:
            self.form = self.depth - 1
        elif group == G_PRE:
            self.fresh = i
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _open_template(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Open a template, which holds what a body may hold, even in the head."""
        if self.templates:
            return self._refuse()
        self.templates, self.outside, self.mode = 1, self.mode, IN_BODY
        i = self._open(i)
        self._put_border()
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_template(self) -> cython.int:
        """Close the template that is open."""
        place: cython.Py_ssize_t = self.depth - 1
        if self.templates:
            while place > 0 and self.stack[place, E_GROUP] != G_TEMPLATE:
                place -= 1
            self._close_to(place)
            self._clear_to_border()
            self.templates, self.mode = 0, self.outside
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _close_item(self) -> cython.int:
        """Close the item of a list before the one that begins."""
        place: cython.Py_ssize_t
        known: cython.int
        for place in range(self.depth - 1, -1, -1):
            if self.stack[place, E_GROUP] == self.group:
                self._close_implied(self.hashes[place])
                return self._close_to(place)
            known = self.stack[place, E_KNOWN]
            if known & P_SPECIAL and not known & P_WEAK:
                return 0
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _start_format(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        if self.group == G_LINK and self._listed_at(self.hashed) >= 0:
            # A link ends where the next one begins.
            self._end_format()
            if self._listed_at(self.hashed) >= 0:
                return self._refuse()
        self._run_on()
        if self.hashed == NOBR and self._open_place(NOBR, 0) >= 0:
            return self._refuse()
        i = self._open(i)
        self._list_last()
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _start_foreign(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Open a part of a drawing; a page inside it is refused."""
        inside: cython.ulonglong = self.hashes[self.depth - 1]
        if self.bits & P_BREAKS_OUT or inside in (TITLE, DESC):
            return self._refuse()
        if self.hashed == TITLE and self.title < 0:
            if self.templates:
                return self._refuse()
            self.title = self.used
        return self._open_foreign(i)

    @cython.cfunc
    @cython.exceptval(-1)
    def _open_foreign(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        group: cython.int = self.group
        self.group = G_OTHER
        i = self._open(i)
        self.group = group
        self.foreign += 1
        if self.data[self.close - 1] == ord("/") and self.data[self.close - 2] == ord(" "):
            self._close_last()
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _start_in_table(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Open a part of a table; what may not stand between its cells is refused."""
        group: cython.int = self.group
        top: cython.int = self._top()
        while not self.refused:
            if top == G_COLGROUP and group == G_COL:
                return self._put_tag(i)
            if top == G_TABLE and group == G_COL:
                self._imply(18, 28, COLGROUP, G_COLGROUP, P_SPECIAL)
            elif top == G_TABLE and (group in (G_ROW, G_CELL)):
                self._imply(28, 35, TBODY, G_SECTION, P_SPECIAL)
            elif top == G_SECTION and group == G_CELL:
                self._imply(35, 39, TR, G_ROW, P_SPECIAL)
            elif self._may_hold(top, group):
                break
            elif (top != G_TABLE and group >= G_COLGROUP) or top == G_COLGROUP:
                self._close_last()
            elif group == G_RAW:
                return self._put_raw(i)
            elif group == G_FORM:
                if self.form or self.templates:
                    return self._refuse() if self.templates else self._pass_by()
                i = self._open(i)
                self._close_last()
                self.form = -1
                return i
            elif self.hashed == INPUT:
                return self._put_hidden(i)
            else:
                return self._refuse()
            top = self._top()
        i = self._open(i)
        if group in (G_CELL, G_CAPTION):
            self._put_border()
        return i

    @cython.cfunc
    @cython.exceptval(-1)
    def _may_hold(self, outer: cython.int, group: cython.int) -> cython.int:
        """Return whether a part of a table stands in another as it is."""
        if outer == G_TABLE:
            return G_COLGROUP <= group <= G_CAPTION and group != G_ROW
        return (outer == G_SECTION and group == G_ROW) or (outer == G_ROW and group == G_CELL)

    @cython.cfunc
    @cython.exceptval(-1)
    def _put_hidden(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Write a field that is not shown; others may not stand in tables."""
        at: cython.Py_ssize_t = self.used
        step: cython.Py_ssize_t
        i = self._put_tag(i)
        while at + len(_HIDDEN) < self.used:
            step = 0
            while step < len(_HIDDEN) and self.out[at + step] | 32 == _HIDDEN[step] | 32:
                step += 1
            if step == len(_HIDDEN):
                return i
            at += 1
        return self._refuse()

    @cython.cfunc
    @cython.exceptval(-2)
    def _cell_place(self) -> cython.Py_ssize_t:
        """Return where the cell or caption round us is on the stack; -1 outside of tables."""
        place: cython.Py_ssize_t
        group: cython.int
        for place in range(self.depth - 1, -1, -1):
            group = self.stack[place, E_GROUP]
            if group in (G_CELL, G_CAPTION):
                return place
            if group == G_TEMPLATE:
                return -1
            if group == G_TABLE:
                self.refused = True
                return -1
        return -1

    @cython.cfunc
    @cython.exceptval(-1)
    def _close_cell(self) -> cython.int:
        """Close the cell or caption round us; return whether there is one."""
        place: cython.Py_ssize_t = self._cell_place()
        if place < 0:
            return 0
        self._close_implied(0)
        self._close_to(place)
        self._clear_to_border()
        return 1

    # End tags.

    @cython.cfunc
    @cython.exceptval(-1)
    def _take_end(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Take the end tag at i; return the place after it."""
        after: cython.Py_ssize_t
        if not self.classes[self.data[i + 2]] & LETTER:
            if self.data[i + 2] == ord(">"):
                return i + 3
            return self._refuse() if self.foreign else self._put_odd(i, i + 2)
        self._read_name(i + 2)
        after = self._find(ord(">"), self.name_end) + 1
        if (self.group == G_REFUSED and not self.foreign) or after > self.end:
            return self._refuse()
        self.has_begun = True
        if self.mode < IN_BODY and not self._end_before_body():
            return after
        if self.mode == AFTER_BODY and self.group == G_HTML:
            self.mode = AFTER_HTML
            return after
        self.mode = IN_BODY
        if self.foreign:
            if self.hashes[self.depth - 1] != self.hashed:
                return self._refuse()
            self._close_last()
        elif self.selects and not (G_SELECT <= self.group <= G_OPTGROUP):
            return self._refuse()
        elif G_TABLE <= self._top() <= G_ROW:
            self._end_in_table()
        elif self.group >= G_TABLE:
            self._end_in_cell()
        else:
            self._end_in_body()
        return after

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_before_body(self) -> cython.int:
        """Take an end tag before the body; return whether it opens the body and is read again."""
        group: cython.int = self.group
        if self.in_noscript:
            if group != G_BREAK:
                if group == G_NOSCRIPT:
                    self._leave_noscript()
                return 0
            self._leave_noscript()
        if group == G_HEAD:
            if self.mode < AFTER_HEAD:
                self._leave_head()
            return 0
        if group in (G_BODY, G_HTML, G_BREAK):
            self._enter_body()
            return 1
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_in_body(self) -> cython.int:
        group: cython.int = self.group
        place: cython.Py_ssize_t
        if group in (G_LINK, G_FORMAT):
            return self._end_format()
        if group in (G_BLOCK, G_PRE, G_BUTTON, G_SELECT):
            return self._end_block(0, 0)
        if self.templates and (group in (G_BREAK, G_FORM)):
            self.refused = True
            return 0
        if group == G_P:
            place = self._open_place(P, G_BUTTON) if self.paragraphs else -1
            if place < 0 and self._top() == G_TEMPLATE:
                self.refused = True
                return 0
            if place < 0:
                return self._put(_EMPTY_P, 0, 7)
            self._close_implied(P)
            return self._close_to(place)
        if group == G_ITEM:
            return self._end_block(P_LIST, self.hashed)
        if group == G_TERM:
            return self._end_block(0, self.hashed)
        if group == G_HEADING:
            return self._end_heading()
        if group == G_FORM:
            return self._end_form()
        if group == G_TEMPLATE:
            return self._end_template()
        if group == G_OBJECT:
            if self._open_place(self.hashed, 0) >= 0:
                self._end_block(0, 0)
                self._clear_to_border()
            return 0
        if group == G_BREAK:
            self._run_on()
            return self._put(_BREAK, 0, 4)
        if group in (G_BODY, G_HTML):
            if self._open_place(BODY, 0) >= 0:
                self.mode = AFTER_BODY if group == G_BODY else AFTER_HTML
            return 0
        return self._end_other()

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_block(self, hides: cython.int, but: cython.ulonglong) -> cython.int:
        """Close the element of the tag's name with all inside it, if it is open."""
        place: cython.Py_ssize_t = self._open_place(self.hashed, hides)
        if place >= 0:
            self._close_implied(but)
            self._close_to(place)
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_heading(self) -> cython.int:
        """Close the heading that is open, of whatever level."""
        place: cython.Py_ssize_t
        for place in range(self.depth - 1, -1, -1):
            if self.stack[place, E_GROUP] == G_HEADING:
                self._close_implied(0)
                return self._close_to(place)
            if self.stack[place, E_KNOWN] & P_SCOPE:
                return 0
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_form(self) -> cython.int:
        """Close the form; one that ends inside of something is refused."""
        place: cython.Py_ssize_t = self.form
        self.form = 0
        # One that was closed with what is round it is on the stack no more.
        if place <= 0 or place >= self.depth or self.stack[place, E_GROUP] != G_FORM:
            return 0
        if self._open_place(self.hashed, 0) != place:
            return 0
        self._close_implied(0)
        if place == self.depth - 1:
            return self._close_last()
        self.refused = True
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_other(self) -> cython.int:
        """Close the nearest element of the tag's name, if no block lies between."""
        place: cython.Py_ssize_t
        for place in range(self.depth - 1, -1, -1):
            if self.hashes[place] == self.hashed:
                self._close_implied(self.hashed)
                return self._close_to(place)
            if self.stack[place, E_KNOWN] & P_SPECIAL:
                return 0
        return 0

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_in_table(self) -> cython.int:
        """Take an end tag between the cells of a table."""
        group: cython.int = self.group
        top: cython.int = self._top()
        if top == G_COLGROUP:
            if group == G_COL:
                return 0
            self._close_last()
            if group == G_COLGROUP:
                return 0
            top = self._top()
        if top == G_ROW and group == G_ROW:
            return self._close_last()
        if top == G_ROW and (group in (G_TABLE, G_SECTION)):
            if group == G_SECTION and self.hashes[self.depth - 2] != self.hashed:
                return 0
            self._close_last()
            top = self._top()
        if top == G_SECTION and group == G_SECTION:
            if self.hashes[self.depth - 1] == self.hashed:
                self._close_last()
            return 0
        if top == G_SECTION and group == G_TABLE:
            self._close_last()
            top = self._top()
        if top == G_TABLE and group == G_TABLE:
            return self._close_last()
        if group >= G_TABLE or group in (G_BODY, G_HTML):
            return 0
        if group in (G_P, G_BREAK):
            self.refused = True
            return 0
        return self._end_in_body()

    @cython.cfunc
    @cython.exceptval(-1)
    def _end_in_cell(self) -> cython.int:
        """Take the end tag of a part of a table inside of a cell or a caption."""
        place: cython.Py_ssize_t = self._cell_place()
        group: cython.int = self.group
        if place < 0 or group in (G_COL, G_COLGROUP):
            return 0
        if self.stack[place, E_GROUP] == G_CAPTION:
            if group == G_CAPTION:
                self._close_cell()
            elif group == G_TABLE:
                self._close_cell()
                self._end_in_table()
            return 0
        if group == G_CELL:
            if self.hashes[place] == self.hashed:
                self._close_cell()
            return 0
        if group == G_CAPTION:
            return 0
        while place >= 0 and self.hashes[place] != self.hashed:
            if self.stack[place, E_GROUP] == G_TABLE:
                return 0
            place -= 1
        if place >= 0:
            self._close_cell()
            self._end_in_table()
        return 0
