"""The pass over serialised markup: blocks, the elements round them, links and names.

The markup comes from a parser, so it is well formed: tags nest, attributes are quoted, and of the
character references only those of `&`, `<`, `>`, `"` and the fixed space are left.
"""

import cython
from cython.cimports.izwi.kernels.columns import (
    B_BREAKS,
    B_END,
    B_FIRST,
    B_HASH,
    B_INLINES,
    B_KIND,
    B_LAST,
    B_LINKED,
    B_LINKS,
    B_MARKUP,
    B_NODE,
    B_START,
    B_WORDS,
    B_WORDS_END,
    BLOCK,
    BREAK,
    CASELESS,
    CJK,
    DEEPEST,
    FORMAT,
    INLINE,
    LINK,
    LOWER,
    MOST_BLOCKS,
    MOST_NODES,
    N_ATTRIBUTES_END,
    N_DEPTH,
    N_FLAGS,
    N_HASH,
    N_KIND,
    N_NAME,
    N_NAME_END,
    N_PARENT,
    N_TAG,
    N_WORDS,
    N_WORDS_END,
    O_ATTRIBUTES_END,
    O_IS_LINK,
    O_START,
    O_TAG,
    O_TAG_END,
    RAW,
    RULE,
    S_ATTRIBUTES_END,
    S_BLOCK,
    S_END,
    S_IS_LINK,
    S_START,
    S_TAG,
    S_TAG_END,
    SHORT,
    SLOTS,
    SPACE,
    UNREAD,
    UPPER,
    VOID,
)  # fmt: skip
from cython.cimports.izwi.kernels.letters import decoded

# Longer lists of names come from style frameworks and say nothing.
MOST_NAMES = cython.declare(cython.Py_ssize_t, 24)
START = cython.declare(cython.ulonglong, 0xCBF29CE484222325)
PRIME = cython.declare(cython.ulonglong, 0x100000001B3)
ALL = cython.declare(cython.ulonglong, 0xFFFFFFFFFFFFFFFF)


def _hash_of(name):
    found: object = 0xCBF29CE484222325
    for byte in name:
        found = ((found ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    return found


CLASS = cython.declare(cython.ulonglong, _hash_of(b"class"))
ID = cython.declare(cython.ulonglong, _hash_of(b"id"))
ROLE = cython.declare(cython.ulonglong, _hash_of(b"role"))
ITEMPROP = cython.declare(cython.ulonglong, _hash_of(b"itemprop"))
HIDDEN = cython.declare(cython.ulonglong, _hash_of(b"hidden"))
ARIA_HIDDEN = cython.declare(cython.ulonglong, _hash_of(b"aria-hidden"))
STYLE = cython.declare(cython.ulonglong, _hash_of(b"style"))
TRUE = cython.declare(cython.ulonglong, _hash_of(b"true"))
NO_DISPLAY = cython.declare(cython.const[cython.uchar][::1], b"display:none")
NOT_VISIBLE = cython.declare(cython.const[cython.uchar][::1], b"visibility:hidden")
HREF = cython.declare(cython.const[cython.uchar][::1], b"href=")
COMMENT = cython.declare(cython.const[cython.uchar][::1], b"comment")
COMMENTA = cython.declare(cython.const[cython.uchar][::1], b"commenta")
KOMMENTAR = cython.declare(cython.const[cython.uchar][::1], b"kommentar")
COMENTARIO = cython.declare(cython.const[cython.uchar][::1], b"comentario")
COMMENTAIRE = cython.declare(cython.const[cython.uchar][::1], b"commentaire")
REACTIE = cython.declare(cython.const[cython.uchar][::1], b"reactie")
DISQUS = cython.declare(cython.const[cython.uchar][::1], b"disqus")


def scan(data, tables, known):
    """Fill the tables from markup; return how much of each is filled."""
    return Scanner(data, tables, known).run()


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _signed(value: cython.ulonglong) -> cython.longlong:
    """Return the same 64 bits as a number with a sign."""
    if cython.compiled:
        return cython.cast(cython.longlong, value)
    return value - (1 << 64) if value >> 63 else value


@cython.cfunc
@cython.nogil
@cython.inline
@cython.exceptval(check=False)
def _more(hashed: cython.ulonglong, value: cython.Py_ssize_t) -> cython.ulonglong:
    """Return a hash with one more value in it."""
    return ((hashed ^ cython.cast(cython.ulonglong, value)) * PRIME) & ALL


def hash_words(text, words, classes, lower):
    """Write the hashes of a text's words of letters, in lower case; return how many there are."""
    return _hash_words(text, 0, len(text), words, 0, classes, lower)


@cython.cfunc
@cython.nogil
@cython.exceptval(-1)
def _hash_words(
    text: cython.const[cython.uchar][::1],
    i: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    words: cython.ulonglong[::1],
    used: cython.Py_ssize_t,
    classes: cython.const[cython.uchar][::1],
    lower: cython.const[cython.ushort][::1],
) -> cython.Py_ssize_t:
    """Write the hashes of the words from i to the end; return how many are written in all."""
    hashed: cython.ulonglong = START
    length: cython.Py_ssize_t = 0
    code: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t
    kind: cython.Py_ssize_t
    is_letter: cython.bint
    while i <= end:
        is_letter, size = False, 1
        if i < end:
            code = text[i]
            if code >= 128:
                code = decoded(text, i, end)
                size = code & 7
                code >>= 3
            kind = classes[code] if code < 65536 else CASELESS
            is_letter = LOWER <= kind <= CJK
        if is_letter:
            if code < 65536:
                code = lower[code]
            hashed = _more(hashed, code)
            length += 1
        elif length:
            if used < len(words):
                words[used] = hashed
                used += 1
            hashed, length = START, 0
        i += size
    return used


@cython.final
@cython.cclass
class Scanner:
    """One pass: the markup, the tables it fills, what it looks up, and where it stands."""

    data: cython.const[cython.uchar][::1]
    blocks: cython.longlong[:, ::1]
    nodes: cython.longlong[:, ::1]
    spans: cython.longlong[:, ::1]
    text: cython.uchar[::1]
    # The same text, to be read.
    seen: cython.const[cython.uchar][::1]
    names: cython.ulonglong[::1]
    words: cython.ulonglong[::1]
    open_nodes: cython.longlong[::1]
    open_spans: cython.longlong[:, ::1]
    classes: cython.const[cython.uchar][::1]
    lower: cython.const[cython.ushort][::1]
    hashes: cython.const[cython.ulonglong][::1]
    roles: cython.const[cython.longlong][::1]
    kinds: cython.const[cython.longlong][::1]
    flags: cython.const[cython.longlong][::1]
    tags: cython.const[cython.longlong][::1]
    marks: cython.const[cython.longlong][::1]
    slots: cython.const[cython.longlong][::1]
    size: cython.Py_ssize_t
    # Bytes and characters written, of this block and before it.
    out: cython.Py_ssize_t
    length: cython.Py_ssize_t
    byte0: cython.Py_ssize_t
    char0: cython.Py_ssize_t
    spaced: cython.bint
    broken: cython.bint
    code: cython.bint
    breaks: cython.Py_ssize_t
    inlines: cython.Py_ssize_t
    last: cython.Py_ssize_t
    markup: cython.Py_ssize_t
    linked: cython.Py_ssize_t
    links: cython.Py_ssize_t
    link_end: cython.Py_ssize_t
    hashed: cython.ulonglong
    # How many rows of each table are filled, and what is open.
    block: cython.Py_ssize_t
    node: cython.Py_ssize_t
    span: cython.Py_ssize_t
    name: cython.Py_ssize_t
    word: cython.Py_ssize_t
    depth: cython.Py_ssize_t
    too_deep: cython.Py_ssize_t
    opened: cython.Py_ssize_t

    def __init__(self, data, tables, known):
        """Begin before the first byte."""
        self.data, self.size = data, len(data)
        self.blocks, self.nodes, self.spans = tables[:3]
        self.text = self.seen = tables[3]
        self.names, self.words, self.open_nodes, self.open_spans = tables[4:]
        self.classes, self.lower, self.hashes, self.roles, self.kinds = known[:5]
        self.flags, self.tags, self.marks, self.slots = known[5:]
        self.out = self.length = self.char0 = self.block = self.node = self.span = 0
        self.name = self.word = self.depth = self.too_deep = self.opened = 0

    def run(self):
        """Return how many blocks, elements, spans, names, words and bytes of text there are."""
        with cython.nogil:
            self._scan()
        return self.block, self.node, self.span, self.name, self.word, self.out

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _scan(self) -> cython.int:
        i: cython.Py_ssize_t = 0
        start: cython.Py_ssize_t
        end: cython.Py_ssize_t
        name_end: cython.Py_ssize_t
        place: cython.Py_ssize_t
        role: cython.Py_ssize_t
        is_end: cython.bint
        # While an unread element is open only tags of its own name count.
        depth: cython.Py_ssize_t = 0
        unread: cython.ulonglong = 0
        hashed: cython.ulonglong
        self._begin_block()
        while i < self.size and self.block < MOST_BLOCKS:
            if self.data[i] != ord("<"):
                start = i
                while i < self.size and self.data[i] != ord("<"):
                    i += 1
                if not depth:
                    self._take_text(start, i)
                continue
            if i + 1 < self.size and self.data[i + 1] == ord("!"):
                i = self._after_comment(i)
                continue
            is_end = i + 1 < self.size and self.data[i + 1] == ord("/")
            start = i + 2 if is_end else i + 1
            end = self._tag_end(i + 1)
            name_end, hashed = start, START
            while name_end < end and self.data[name_end] != ord(" "):
                hashed = _more(hashed, self.data[name_end])
                name_end += 1
            place = self._lookup(hashed)
            role = self.roles[place] if place >= 0 else BLOCK
            i = end + 1
            self.markup += end - start + 2
            if depth:
                if hashed == unread:
                    depth += -1 if is_end else 1
                if role == RAW and not is_end:
                    i = self._after_raw(i, start, name_end)
            elif role == RAW:
                if not is_end:
                    i = self._after_raw(i, start, name_end)
            elif role == UNREAD:
                if not is_end:
                    unread, depth = hashed, 1
            elif is_end:
                self._end_tag(role)
            elif role != VOID:
                self._start_tag(start, name_end, end, place, role)
        self._end_block()
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _character(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the character at i, or that its reference stands for, as decoded does."""
        first: cython.Py_ssize_t = self.data[i]
        second: cython.Py_ssize_t
        third: cython.Py_ssize_t
        if first != ord("&"):
            return first << 3 | 1 if first < 128 else decoded(self.data, i, end)
        second = self.data[i + 1] if i + 1 < end else 0
        third = self.data[i + 2] if i + 2 < end else 0
        if second == ord("a") and i + 4 < end:  # &amp;
            return 38 << 3 | 5
        if second == ord("l") and i + 3 < end:  # &lt;
            return 60 << 3 | 4
        if second == ord("g") and i + 3 < end:  # &gt;
            return 62 << 3 | 4
        if second == ord("n") and third == ord("b") and i + 5 < end:  # &nbsp;
            return 160 << 3 | 6
        if second == ord("q") and i + 5 < end:  # &quot;
            return 34 << 3 | 6
        return 38 << 3 | 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _move_spans(self, length: cython.Py_ssize_t) -> cython.int:
        """Let what was opened just here begin after the space that is written now."""
        place: cython.Py_ssize_t = min(self.opened, DEEPEST) - 1
        while place >= 0 and self.open_spans[place, O_START] == length:
            self.open_spans[place, O_START] += 1
            place -= 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _take_text(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Take in the text between two tags, white space as single spaces."""
        hashed: cython.ulonglong
        is_first: cython.bint = True
        spaced: cython.bint
        last: cython.Py_ssize_t
        length: cython.Py_ssize_t
        place: cython.Py_ssize_t
        code: cython.Py_ssize_t
        size: cython.Py_ssize_t
        kind: cython.Py_ssize_t
        step: cython.Py_ssize_t
        data: cython.const[cython.uchar][::1]
        classes: cython.const[cython.uchar][::1]
        text: cython.uchar[::1]
        # White space between tags is most of what there is: it needs no more than this.
        while i < end and (self.data[i] == ord(" ") or 9 <= self.data[i] <= 13):
            self.spaced = True
            i += 1
        if i >= end:
            return 0
        # Views in local variables stay in registers.
        data, text, classes = self.data, self.text, self.classes
        hashed, spaced = self.hashed, self.spaced
        last, length, place = self.last, self.length, self.out
        while i < end:
            code, size = data[i], 1
            if code >= 128 or code == ord("&"):
                code = self._character(i, end)
                size = code & 7
                code >>= 3
            kind = classes[code] if code < 65536 else CASELESS
            if kind == SPACE:
                spaced = True
                i += size
                continue
            # A capital after a tag begins a word anew though no space is written before it.
            if length and (spaced or (is_first and kind == UPPER and last == LOWER)):
                if is_first:
                    self._move_spans(length)
                text[place] = ord(" ")
                place += 1
                length += 1
            if code < 128 or data[i] == ord("&"):
                text[place] = code
                place += 1
            else:
                for step in range(size):
                    text[place + step] = data[i + step]
                place += size
            hashed = _more(hashed, code)
            length += 1
            last, spaced, is_first = kind, False, False
            i += size
        if not is_first:
            self.broken = False
        self.hashed, self.spaced, self.last = hashed, spaced, last
        self.length, self.out = length, place
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _end_span(self, place: cython.Py_ssize_t) -> cython.int:
        """Write down the span that was opened at a place of the stack, up to here."""
        start: cython.Py_ssize_t = self.open_spans[place, O_START]
        end: cython.Py_ssize_t = self.length
        row: cython.Py_ssize_t = self.span
        if end <= start or row >= len(self.spans):
            return 0
        self.spans[row, S_BLOCK] = self.block
        self.spans[row, S_START] = start
        self.spans[row, S_END] = end
        self.spans[row, S_TAG] = self.open_spans[place, O_TAG]
        self.spans[row, S_TAG_END] = self.open_spans[place, O_TAG_END]
        self.spans[row, S_ATTRIBUTES_END] = self.open_spans[place, O_ATTRIBUTES_END]
        self.spans[row, S_IS_LINK] = self.open_spans[place, O_IS_LINK]
        if self.open_spans[place, O_IS_LINK]:
            self.linked += end - start
            self.links += 1
            self.link_end = end
        self.span += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _kind_of(self, node: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the kind of a block from the innermost telling element round it."""
        _step: cython.Py_ssize_t
        kind: cython.Py_ssize_t
        paragraph: cython.Py_ssize_t = self.marks[3]
        for _step in range(4):
            if node < 0:
                break
            kind = self.nodes[node, N_KIND]
            if kind >= 0 and not (kind == paragraph and self.nodes[node, N_FLAGS] & self.marks[2]):
                return self.marks[5] if kind == self.marks[4] and self.code else kind
            node = self.nodes[node, N_PARENT]
        return paragraph

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _end_block(self) -> cython.int:
        """Close the current block, if it has any text; what is open goes on in the next."""
        place: cython.Py_ssize_t
        node: cython.Py_ssize_t
        row: cython.Py_ssize_t = self.block
        if self.length == 0:
            self.spaced = self.broken = False
            return 0
        for place in range(min(self.opened, DEEPEST) - 1, -1, -1):
            self._end_span(place)
        node = self.open_nodes[self.depth]
        self.blocks[row, B_FIRST] = self.byte0
        self.blocks[row, B_LAST] = self.out
        self.blocks[row, B_START] = self.char0
        self.blocks[row, B_END] = self.char0 + self.length
        self.blocks[row, B_NODE] = node
        self.blocks[row, B_KIND] = self._kind_of(node)
        self.blocks[row, B_BREAKS] = self.breaks
        self.blocks[row, B_INLINES] = self.inlines
        self.blocks[row, B_MARKUP] = self.markup
        self.blocks[row, B_LINKED] = self.linked
        self.blocks[row, B_LINKS] = self.links
        self.blocks[row, B_HASH] = _signed(self.hashed)
        self.blocks[row, B_WORDS] = self.word
        if self.length <= SHORT:
            self.word = _hash_words(
                self.seen, self.byte0, self.out, self.words, self.word, self.classes, self.lower
            )
        self.blocks[row, B_WORDS_END] = self.word
        self.block += 1
        self._begin_block()
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _begin_block(self) -> cython.int:
        place: cython.Py_ssize_t
        self.char0 += self.length
        self.byte0 = self.out
        self.length = self.breaks = self.inlines = self.last = 0
        self.spaced = self.broken = self.code = False
        self.markup = self.linked = self.links = 0
        self.link_end = -1
        self.hashed = START
        for place in range(min(self.opened, DEEPEST)):
            self.open_spans[place, O_START] = 0
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-2)
    def _lookup(self, wanted: cython.ulonglong) -> cython.Py_ssize_t:
        """Return the place of an element's hash in the tables, or -1."""
        at: cython.Py_ssize_t = (wanted >> 20) & (SLOTS - 1)
        while self.slots[at] >= 0:
            if self.hashes[self.slots[at]] == wanted:
                return self.slots[at]
            at = (at + 1) & (SLOTS - 1)
        return -1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(0)
    def _hash(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.ulonglong:
        """Return the hash of bytes as they are."""
        i: cython.Py_ssize_t
        hashed: cython.ulonglong = START
        for i in range(start, end):
            hashed = _more(hashed, self.data[i])
        return hashed

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _has(
        self,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        wanted: cython.const[cython.uchar][::1],
    ) -> cython.int:
        """Return whether bytes, spaces left out and in lower case, hold the wanted ones."""
        i: cython.Py_ssize_t
        matched: cython.Py_ssize_t = 0
        byte: cython.int
        for i in range(start, end):
            byte = self.data[i]
            if byte == ord(" "):
                continue
            if 65 <= byte <= 90:
                byte += 32
            if byte == wanted[matched]:
                matched += 1
            else:
                matched = 1 if byte == wanted[0] else 0
            if matched == len(wanted):
                return 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _begins(
        self,
        start: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        wanted: cython.const[cython.uchar][::1],
    ) -> cython.int:
        step: cython.Py_ssize_t
        if end - start < len(wanted):
            return 0
        for step in range(len(wanted)):
            if self.data[start + step] | 32 != wanted[step]:
                return 0
        return 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _names_comments(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Return whether a word of a name says that readers' comments are inside."""
        first: cython.int = self.data[start] | 32
        # Most names are told by a letter or two.
        if end - start < len(DISQUS):
            return 0
        if first == ord("c"):
            if self.data[start + 2] | 32 != ord("m"):
                return 0
            if self._begins(start, end, COMMENT) and not self._begins(start, end, COMMENTA):
                return 1
            return self._begins(start, end, COMENTARIO) or self._begins(start, end, COMMENTAIRE)
        if first == ord("k"):
            return self._begins(start, end, KOMMENTAR)
        if first == ord("r"):
            return self._begins(start, end, REACTIE)
        return first == ord("d") and self._begins(start, end, DISQUS)

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _take_names(
        self, i: cython.Py_ssize_t, end: cython.Py_ssize_t, prefix: cython.bint
    ) -> cython.int:
        """Hash the words in a class, id or role: entry-content and postBody have two each."""
        count: cython.Py_ssize_t = 0
        start: cython.Py_ssize_t
        first: cython.int
        while i < end and count < MOST_NAMES:
            first = self.data[i]
            if not (97 <= first <= 122 or 65 <= first <= 90):
                i += 1
                continue
            start = i
            i += 1
            if first <= 90:
                while i < end and 65 <= self.data[i] <= 90:
                    i += 1
                # The last capital of a run begins the next word if small letters follow.
                if i < end and 97 <= self.data[i] <= 122 and i - start > 1:
                    i -= 1
            if i - start == 1 or first >= 97:
                while i < end and 97 <= self.data[i] <= 122:
                    i += 1
            if i - start > 1:
                count += 1
                self._add_name(start, i, prefix)
                if self._names_comments(start, i):
                    self.nodes[self.node, N_FLAGS] |= self.marks[1]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _add_name(
        self, start: cython.Py_ssize_t, end: cython.Py_ssize_t, prefix: cython.bint
    ) -> cython.int:
        hashed: cython.ulonglong = START
        i: cython.Py_ssize_t
        byte: cython.int
        if prefix:
            hashed = _more(hashed, 64)
        for i in range(start, end):
            byte = self.data[i]
            if 65 <= byte <= 90:
                byte += 32
            hashed = _more(hashed, byte)
        for i in range(self.nodes[self.node, N_WORDS], self.name):
            if self.names[i] == hashed:
                return 0
        if self.name < len(self.names):
            self.names[self.name] = hashed
            self.name += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _take_attributes(self, i: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """Read an element's attributes: the words of its names, and whether it is hidden."""
        start: cython.Py_ssize_t
        stop: cython.Py_ssize_t
        value: cython.Py_ssize_t
        value_end: cython.Py_ssize_t
        self.nodes[self.node, N_WORDS] = self.name
        while i < end:
            while i < end and self.data[i] == ord(" "):
                i += 1
            start = i
            while i < end and self.data[i] != ord("=") and self.data[i] != ord(" "):
                i += 1
            stop = value = value_end = i
            if i + 1 < end and self.data[i] == ord("=") and self.data[i + 1] == ord('"'):
                value = i + 2
                i = value
                while i < end and self.data[i] != ord('"'):
                    i += 1
                value_end = i
                i += 1
            self._take_attribute(start, stop, value, value_end)
            if stop == start and value == value_end:
                i += 1
        self.nodes[self.node, N_WORDS_END] = self.name
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _take_attribute(
        self,
        start: cython.Py_ssize_t,
        stop: cython.Py_ssize_t,
        value: cython.Py_ssize_t,
        value_end: cython.Py_ssize_t,
    ) -> cython.int:
        key: cython.ulonglong = self._hash(start, stop)
        if key in (CLASS, ID):
            self._take_names(value, value_end, False)
        elif key in (ROLE, ITEMPROP):
            self._take_names(value, value_end, True)
        elif (
            key == HIDDEN
            or (key == ARIA_HIDDEN and self._hash(value, value_end) == TRUE)
            or (
                key == STYLE
                and (
                    self._has(value, value_end, NO_DISPLAY)
                    or self._has(value, value_end, NOT_VISIBLE)
                )
            )
        ):
            self.nodes[self.node, N_FLAGS] |= self.marks[0]
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _open_node(
        self,
        start: cython.Py_ssize_t,
        name_end: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        place: cython.Py_ssize_t,
    ) -> cython.int:
        parent: cython.Py_ssize_t
        word: cython.Py_ssize_t
        hashed: cython.ulonglong
        row: cython.Py_ssize_t = self.node
        if self.depth >= DEEPEST or row >= MOST_NODES:
            self.too_deep += 1
            return 0
        parent = self.open_nodes[self.depth]
        self.nodes[row, N_PARENT] = parent
        self.nodes[row, N_NAME] = start
        self.nodes[row, N_NAME_END] = name_end
        self.nodes[row, N_ATTRIBUTES_END] = end
        self.nodes[row, N_FLAGS] = self.nodes[parent, N_FLAGS] if parent >= 0 else 0
        self.nodes[row, N_KIND] = -1
        self.nodes[row, N_TAG] = 0
        if place >= 0:
            self.nodes[row, N_FLAGS] |= self.flags[place]
            self.nodes[row, N_KIND] = self.kinds[place]
            self.nodes[row, N_TAG] = self.tags[place]
        self._take_attributes(name_end, end)
        self.depth += 1
        self.nodes[row, N_DEPTH] = self.depth
        hashed = _more(START, self.nodes[row, N_TAG])
        for word in range(self.nodes[row, N_WORDS], self.nodes[row, N_WORDS_END]):
            hashed = ((hashed ^ self.names[word]) * PRIME) & ALL
        self.nodes[row, N_HASH] = _signed(hashed)
        self.open_nodes[self.depth] = row
        self.node += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _open_span(
        self,
        start: cython.Py_ssize_t,
        name_end: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        is_link: cython.bint,
    ) -> cython.int:
        row: cython.Py_ssize_t = self.opened
        if row < DEEPEST:
            self.open_spans[row, O_START] = self.length
            self.open_spans[row, O_TAG] = start
            self.open_spans[row, O_TAG_END] = name_end
            self.open_spans[row, O_ATTRIBUTES_END] = end
            self.open_spans[row, O_IS_LINK] = is_link
        self.opened += 1
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _start_tag(
        self,
        start: cython.Py_ssize_t,
        name_end: cython.Py_ssize_t,
        end: cython.Py_ssize_t,
        place: cython.Py_ssize_t,
        role: cython.Py_ssize_t,
    ) -> cython.int:
        leads: cython.bint
        if role == BLOCK:
            self._end_block()
            self._open_node(start, name_end, end, place)
        elif role in (INLINE, FORMAT, LINK):
            self.inlines += 1
            if role == LINK and self.link_end == self.length:
                # Neighbouring links are words of their own even where no space stands between.
                self.spaced = True
            if role != INLINE:
                # <a name="..."> is a place to be led to; left open, as XHTML read as HTML leaves
                # it, it holds the whole text.
                leads = role == LINK and self._has(name_end, end, HREF) != 0
                self._open_span(start, name_end, end, leads)
                if (
                    name_end - start == 4
                    and self.data[start] == ord("c")
                    and self.data[start + 1] == ord("o")
                ):
                    self.code = True
        elif role == BREAK:
            # Two breaks in a row are what old pages write between paragraphs.
            if self.broken and self.length:
                self._end_block()
            else:
                self.breaks += 1
                self.spaced = self.broken = True
        elif role == RULE:
            self._end_block()
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _end_tag(self, role: cython.Py_ssize_t) -> cython.int:
        if role == BLOCK:
            self._end_block()
            if self.too_deep:
                self.too_deep -= 1
            elif self.depth > 0:
                self.depth -= 1
        elif (role in (FORMAT, LINK)) and self.opened > 0:
            self.opened -= 1
            if self.opened < DEEPEST:
                self._end_span(self.opened)
        return 0

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _tag_end(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return where the tag that begins at i ends."""
        while i < self.size and self.data[i] != ord(">"):
            i += 1
        return i

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _after_comment(self, i: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """Return the place after a comment or a declaration that begins at i."""
        if i + 3 >= self.size or self.data[i + 2] != ord("-") or self.data[i + 3] != ord("-"):
            return self._tag_end(i) + 1
        i += 4
        while i + 2 < self.size:
            if (
                self.data[i] == ord("-")
                and self.data[i + 1] == ord("-")
                and self.data[i + 2] == ord(">")
            ):
                return i + 3
            i += 1
        return self.size

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(-1)
    def _after_raw(
        self, i: cython.Py_ssize_t, start: cython.Py_ssize_t, name_end: cython.Py_ssize_t
    ) -> cython.Py_ssize_t:
        """Return where the end tag of a raw element, whose name stands at start, begins."""
        step: cython.Py_ssize_t
        size: cython.Py_ssize_t = name_end - start
        while i + size + 1 < self.size:
            if self.data[i] == ord("<") and self.data[i + 1] == ord("/"):
                step = 0
                while step < size and self.data[i + 2 + step] == self.data[start + step]:
                    step += 1
                if step == size:
                    return i
            i += 1
        return self.size
