"""The compiled pass over serialised markup: blocks, the elements round them, links and names.

The markup comes from a parser, so it is well formed: tags nest, attributes are quoted, and of the
character references only those of `&`, `<`, `>`, `"` and the fixed space are left.
"""

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from izwi.text.characters import CASELESS, CJK, LOWER, SPACE, UPPER, decoded
from izwi.text.elements import BLOCK, BREAK, FORMAT, INLINE, LINK, RAW, RULE, UNREAD, VOID

# Columns of the tables below.
(
    B_FIRST, B_LAST, B_START, B_END, B_NODE, B_KIND, B_BREAKS, B_INLINES, B_MARKUP, B_LINKED,
    B_LINKS, B_HASH, B_WORDS, B_WORDS_END,
) = range(14)  # fmt: skip
(
    N_PARENT, N_NAME, N_NAME_END, N_ATTRIBUTES_END, N_FLAGS, N_DEPTH, N_TAG, N_KIND, N_WORDS,
    N_WORDS_END, N_HASH,
) = range(11)  # fmt: skip
S_BLOCK, S_START, S_END, S_TAG, S_TAG_END, S_ATTRIBUTES_END, S_IS_LINK = range(7)
# Places of the running state.
(
    _OUT, _CHARS, _LENGTH, _BYTE0, _CHAR0, _SPACED, _BROKEN, _BREAKS, _INLINES, _LAST, _BLOCKS,
    _NODES, _SPANS, _DEPTH, _TOO_DEEP, _OPEN, _LINK_END, _MARKUP, _NWORDS, _BWORDS, _CODE, _LINKED,
    _LINKS, _HASH,
) = range(24)  # fmt: skip
# Deeper pages are cut there: nobody writes them, and every ancestor costs.
_DEEPEST = 400
_MOST_NODES = 100_000
_MOST_SPANS = 100_000
# A page of more blocks is a list of something; the rest is not read.
MOST_BLOCKS = 20_000
# Blocks of at most so many characters are judged by their words too.
SHORT = 100
# Longer lists of names come from style frameworks and say nothing.
_MOST_NAMES = 24
_START = np.uint64(0xCBF29CE484222325)
_PRIME = np.uint64(0x100000001B3)
# Far more slots than there are elements, so that most are found at once.
SLOTS = 1024
_SHIFT = np.uint64(20)
_LESS, _SLASH, _MORE, _BANG, _AMP, _QUOTE, _BLANK = 60, 47, 62, 33, 38, 34, 32


# Functions that only compiled code calls need no door for Python; that halves compilation.
# Nothing is made in here, so nothing need be counted; that takes half of the time away.
inner = njit(  # type: ignore[call-overload]
    cache=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False, forceinline=True
)
outer = njit(cache=True, _nrt=False)  # type: ignore[call-overload]


class Tables(NamedTuple):
    """What the pass fills: rows of blocks, elements and spans, the text, and hashed words."""

    blocks: NDArray[np.int64]
    nodes: NDArray[np.int64]
    spans: NDArray[np.int64]
    text: NDArray[np.uint8]
    names: NDArray[np.uint64]
    words: NDArray[np.uint64]
    state: NDArray[np.int64]
    open_nodes: NDArray[np.int64]
    open_spans: NDArray[np.int64]


class Known(NamedTuple):
    """What the pass looks up: classes and lower case of characters, elements, special names."""

    classes: NDArray[np.uint8]
    lower: NDArray[np.uint16]
    hashes: NDArray[np.uint64]
    roles: NDArray[np.int64]
    kinds: NDArray[np.int64]
    flags: NDArray[np.int64]
    tags: NDArray[np.int64]
    # Bits of hidden, comments and blockquote; kind numbers of p, pre and code.
    marks: NDArray[np.int64]
    # Where an element with a hash stands in the tables above: open addressing, -1 is free.
    slots: NDArray[np.int64]


def slots_of(hashes: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the table by which hashes are found: the place of each in a slot of its own."""
    slots = np.full(SLOTS, -1, dtype=np.int64)
    for place, value in enumerate(hashes.tolist()):
        at = (value >> int(_SHIFT)) % SLOTS
        while slots[at] >= 0:
            at = (at + 1) % SLOTS
        slots[at] = place
    return slots


def tables_for(data: NDArray[np.uint8], tags: int) -> Tables:
    """Return empty tables large enough for markup with so many tags."""
    tags += 2
    half = len(data) // 2 + 64
    return Tables(
        np.zeros((min(tags, MOST_BLOCKS + 2), 14), dtype=np.int64),
        np.zeros((min(tags, _MOST_NODES + 2), 11), dtype=np.int64),
        np.zeros((min(2 * tags, _MOST_SPANS + 2), 7), dtype=np.int64),
        # Every tag may bring a space with it.
        np.empty(len(data) + tags, dtype=np.uint8),
        np.empty(half, dtype=np.uint64),
        np.empty(half, dtype=np.uint64),
        np.zeros(24, dtype=np.int64),
        np.full(_DEEPEST + 2, -1, dtype=np.int64),
        np.zeros((_DEEPEST + 2, 5), dtype=np.int64),
    )


@inner
def _reference(data, i, end):  # type: ignore[no-untyped-def]
    """Return the character that a reference stands for and its length."""
    first = data[i + 1] if i + 1 < end else 0
    third = data[i + 2] if i + 2 < end else 0
    if first == 97 and i + 4 < end:  # &amp;
        return 38, 5
    if first == 108 and i + 3 < end:  # &lt;
        return 60, 4
    if first == 103 and i + 3 < end:  # &gt;
        return 62, 4
    if first == 110 and third == 98 and i + 5 < end:  # &nbsp;
        return 160, 6
    if first == 113 and i + 5 < end:  # &quot;
        return 34, 6
    return 38, 1


@inner
def _character(data, i, end):  # type: ignore[no-untyped-def]
    """Return the code of the character at i, or that its reference stands for, and its length."""
    first = data[i]
    if first == _AMP:
        return _reference(data, i, end)
    if first < 128:
        return np.int64(first), 1
    return decoded(data, i, end)


@inner
def _move_spans(tables, length):  # type: ignore[no-untyped-def]
    """Let what was opened just here begin after the space that is written now."""
    spans = tables.open_spans
    place = tables.state[_OPEN] - 1
    while place >= 0 and spans[place, 0] == length:
        spans[place, 0] += 1
        place -= 1


@inner
def _take_text(data, i, end, tables, known):  # type: ignore[no-untyped-def]
    """Take in the text between two tags, white space as single spaces."""
    s, out = tables.state, tables.text
    # White space between tags is most of what there is: it needs no more than this.
    while i < end and (data[i] == _BLANK or 9 <= data[i] <= 13):
        s[_SPACED] = 1
        i += 1
    if i >= end:
        return
    hashed = np.uint64(s[_HASH])
    is_first, spaced = True, s[_SPACED]
    last, length, place = s[_LAST], s[_LENGTH], s[_OUT]
    while i < end:
        code, size = _character(data, i, end)
        kind = known.classes[np.uint64(code)] if code < 65536 else CASELESS
        if kind == SPACE:
            spaced = 1
            i += size
            continue
        # A capital after a tag begins a word anew though no space is written before it.
        if length and (spaced or (is_first and kind == UPPER and last == LOWER)):
            if is_first:
                _move_spans(tables, length)
            out[place] = _BLANK
            place += 1
            length += 1
        if data[i] == _AMP:
            out[place] = code
            place += 1
        else:
            for step in range(size):
                out[place + step] = data[i + step]
            place += size
        hashed = (hashed ^ np.uint64(code)) * _PRIME
        length += 1
        last, spaced, is_first = kind, 0, False
        i += size
    if not is_first:
        s[_BROKEN] = 0
    s[_HASH], s[_SPACED], s[_LAST] = np.int64(hashed), spaced, last
    s[_LENGTH], s[_OUT] = length, place


@inner
def _end_span(tables, place):  # type: ignore[no-untyped-def]
    """Write down the span that was opened at a place of the stack, up to here."""
    s, opened = tables.state, tables.open_spans
    start, end = opened[place, 0], s[_LENGTH]
    if end <= start or s[_SPANS] >= len(tables.spans):
        return
    row = tables.spans[s[_SPANS]]
    row[S_BLOCK], row[S_START], row[S_END] = s[_BLOCKS], start, end
    row[S_TAG], row[S_TAG_END], row[S_ATTRIBUTES_END] = (
        opened[place, 1],
        opened[place, 2],
        opened[place, 3],
    )
    row[S_IS_LINK] = opened[place, 4]
    if opened[place, 4]:
        s[_LINKED] += end - start
        s[_LINKS] += 1
        s[_LINK_END] = end
    s[_SPANS] += 1


@inner
def _kind_of(tables, known, node):  # type: ignore[no-untyped-def]
    """Return the kind of a block from the innermost telling element round it."""
    paragraph = known.marks[3]
    for _ in range(4):
        if node < 0:
            break
        kind = tables.nodes[node, N_KIND]
        is_quoted = kind == paragraph and tables.nodes[node, N_FLAGS] & known.marks[2]
        if kind >= 0 and not is_quoted:
            if kind == known.marks[4] and tables.state[_CODE]:
                return known.marks[5]
            return kind
        node = tables.nodes[node, N_PARENT]
    return paragraph


@inner
def _end_block(tables, known):  # type: ignore[no-untyped-def]
    """Close the current block, if it has any text; what is open goes on in the next."""
    s = tables.state
    if s[_LENGTH] == 0:
        s[_SPACED] = s[_BROKEN] = 0
        return
    for place in range(s[_OPEN] - 1, -1, -1):
        _end_span(tables, place)
    node = tables.open_nodes[s[_DEPTH]]
    row = tables.blocks[s[_BLOCKS]]
    row[B_FIRST], row[B_LAST] = s[_BYTE0], s[_OUT]
    row[B_START], row[B_END] = s[_CHAR0], s[_CHAR0] + s[_LENGTH]
    row[B_NODE], row[B_KIND] = node, _kind_of(tables, known, node)
    row[B_BREAKS], row[B_INLINES], row[B_MARKUP] = s[_BREAKS], s[_INLINES], s[_MARKUP]
    row[B_LINKED], row[B_LINKS], row[B_HASH] = s[_LINKED], s[_LINKS], s[_HASH]
    row[B_WORDS] = s[_BWORDS]
    if s[_LENGTH] <= SHORT:
        s[_BWORDS] = hash_words(
            tables.text, s[_BYTE0], s[_OUT], tables.words, s[_BWORDS], known.classes, known.lower
        )
    row[B_WORDS_END] = s[_BWORDS]
    s[_BLOCKS] += 1
    _begin_block(tables)


@inner
def _begin_block(tables):  # type: ignore[no-untyped-def]
    s = tables.state
    s[_CHAR0] += s[_LENGTH]
    s[_BYTE0] = s[_OUT]
    s[_LENGTH] = s[_SPACED] = s[_BROKEN] = s[_BREAKS] = s[_INLINES] = s[_LAST] = 0
    s[_MARKUP] = s[_LINKED] = s[_LINKS] = s[_CODE] = 0
    s[_LINK_END] = -1
    s[_HASH] = np.int64(_START)
    for place in range(s[_OPEN]):
        tables.open_spans[place, 0] = 0


@outer
def hash_words(text, start, end, out, used, classes, lower):  # type: ignore[no-untyped-def]
    """Write the hashes of a text's words of letters, in lower case; return how many are out."""
    i = start
    hashed, length = _START, 0
    while i <= end:
        is_letter = False
        if i < end:
            code, size = decoded(text, i, end)
            kind = classes[code] if code < 65536 else CASELESS
            is_letter = LOWER <= kind <= CJK
        else:
            size = 1
        if is_letter:
            if code < 65536:
                code = np.int64(lower[code])
            hashed = (hashed ^ np.uint64(code)) * _PRIME
            length += 1
        elif length:
            if used < len(out):
                out[used] = hashed
                used += 1
            hashed, length = _START, 0
        i += size
    return used


@inner
def _lookup(known, wanted):  # type: ignore[no-untyped-def]
    """Return the place of an element's hash in the tables, or -1."""
    at = (wanted >> _SHIFT) & np.uint64(SLOTS - 1)
    while known.slots[at] >= 0:
        if known.hashes[np.uint64(known.slots[at])] == wanted:
            return known.slots[at]
        at = (at + np.uint64(1)) & np.uint64(SLOTS - 1)
    return np.int64(-1)


@inner
def _has(data, start, end, wanted):  # type: ignore[no-untyped-def]
    """Return whether bytes, spaces left out and in lower case, hold the wanted ones."""
    matched = 0
    for i in range(start, end):
        byte = data[i]
        if byte == _BLANK:
            continue
        if 65 <= byte <= 90:
            byte += 32
        matched = matched + 1 if byte == wanted[matched] else int(byte == wanted[0])
        if matched == len(wanted):
            return True
    return False


@inner
def _is(data, start, end, wanted):  # type: ignore[no-untyped-def]
    if end - start != len(wanted):
        return False
    for step in range(len(wanted)):  # noqa: SIM110 -- compiled code has no all()
        if data[start + step] != wanted[step]:
            return False
    return True


@inner
def _take_names(data, i, end, prefix, tables, node, comments):  # type: ignore[no-untyped-def]
    """Hash the words in a class, id or role: entry-content and postBody have two each."""
    s, names = tables.state, tables.names
    count = 0
    while i < end and count < _MOST_NAMES:
        if not (97 <= data[i] <= 122 or 65 <= data[i] <= 90):
            i += 1
            continue
        start = i
        i += 1
        if 65 <= data[start] <= 90:
            while i < end and 65 <= data[i] <= 90:
                i += 1
            # The last capital of a run begins the next word if small letters follow.
            if i < end and 97 <= data[i] <= 122 and i - start > 1:
                i -= 1
        if i - start == 1 or 97 <= data[start] <= 122:
            while i < end and 97 <= data[i] <= 122:
                i += 1
        if i - start > 1:
            count += 1
            _add_name(data, start, i, prefix, names, s, node)
            if _names_comments(data, start, i):
                node[N_FLAGS] |= comments


@inner
def _names_comments(data, start, end):  # type: ignore[no-untyped-def]
    """Return whether a word of a name says that readers' comments are inside, in some languages."""
    if data[start] | 32 not in (99, 100, 107, 114):
        return False
    return (
        (_begins(data, start, end, b"comment") and not _begins(data, start, end, b"commenta"))
        or _begins(data, start, end, b"kommentar")
        or _begins(data, start, end, b"comentario")
        or _begins(data, start, end, b"commenti")
        or _begins(data, start, end, b"commentaire")
        or _begins(data, start, end, b"reactie")
        or _begins(data, start, end, b"disqus")
    )


@inner
def _begins(data, start, end, wanted):  # type: ignore[no-untyped-def]
    if end - start < len(wanted):
        return False
    for step in range(len(wanted)):  # noqa: SIM110
        if data[start + step] | 32 != wanted[step]:
            return False
    return True


@inner
def _add_name(data, start, end, prefix, names, s, node):  # type: ignore[no-untyped-def]
    hashed = _START
    if prefix:
        hashed = (hashed ^ np.uint64(64)) * _PRIME
    for i in range(start, end):
        byte = data[i] + 32 if 65 <= data[i] <= 90 else data[i]
        hashed = (hashed ^ np.uint64(byte)) * _PRIME
    for place in range(node[N_WORDS], s[_NWORDS]):
        if names[place] == hashed:
            return
    if s[_NWORDS] < len(names):
        names[s[_NWORDS]] = hashed
        s[_NWORDS] += 1


@inner
def _take_attributes(data, i, end, tables, known, node):  # type: ignore[no-untyped-def]
    """Read an element's attributes: the words of its names, and whether it is hidden."""
    node[N_WORDS] = tables.state[_NWORDS]
    while i < end:
        while i < end and data[i] == _BLANK:
            i += 1
        start = i
        while i < end and data[i] != 61 and data[i] != _BLANK:
            i += 1
        stop = i
        value, value_end = i, i
        if i + 1 < end and data[i] == 61 and data[i + 1] == _QUOTE:
            value = i + 2
            i = value
            while i < end and data[i] != _QUOTE:
                i += 1
            value_end = i
            i += 1
        _take_attribute(data, start, stop, value, value_end, tables, known, node)
        if stop == start and value == value_end:
            i += 1
    node[N_WORDS_END] = tables.state[_NWORDS]


@inner
def _take_attribute(  # type: ignore[no-untyped-def]
    data, start, stop, value, value_end, tables, known, node
):
    first = data[start] if start < stop else 0
    if (first == 99 and _is(data, start, stop, b"class")) or (
        first == 105 and _is(data, start, stop, b"id")
    ):
        _take_names(data, value, value_end, False, tables, node, known.marks[1])
    elif (first == 114 and _is(data, start, stop, b"role")) or (
        first == 105 and _is(data, start, stop, b"itemprop")
    ):
        _take_names(data, value, value_end, True, tables, node, known.marks[1])
    elif first == 104 and _is(data, start, stop, b"hidden"):
        node[N_FLAGS] |= known.marks[0]
    elif first == 97 and _is(data, start, stop, b"aria-hidden"):
        if _is(data, value, value_end, b"true"):
            node[N_FLAGS] |= known.marks[0]
    elif first == 115 and _is(data, start, stop, b"style"):
        is_hidden = _has(data, value, value_end, b"display:none")
        if is_hidden or _has(data, value, value_end, b"visibility:hidden"):
            node[N_FLAGS] |= known.marks[0]


@inner
def _open_node(data, start, name_end, end, tables, known, place):  # type: ignore[no-untyped-def]
    s = tables.state
    if s[_DEPTH] >= _DEEPEST or s[_NODES] >= _MOST_NODES:
        s[_TOO_DEEP] += 1
        return
    parent = tables.open_nodes[s[_DEPTH]]
    node = tables.nodes[s[_NODES]]
    node[N_PARENT], node[N_NAME], node[N_NAME_END], node[N_ATTRIBUTES_END] = (
        parent,
        start,
        name_end,
        end,
    )
    node[N_FLAGS] = tables.nodes[parent, N_FLAGS] if parent >= 0 else 0
    node[N_KIND] = -1
    if place >= 0:
        node[N_FLAGS] |= known.flags[place]
        node[N_KIND], node[N_TAG] = known.kinds[place], known.tags[place]
    _take_attributes(data, name_end, end, tables, known, node)
    s[_DEPTH] += 1
    node[N_DEPTH] = s[_DEPTH]
    hashed = (_START ^ np.uint64(node[N_TAG])) * _PRIME
    for word in range(node[N_WORDS], node[N_WORDS_END]):
        hashed = (hashed ^ tables.names[word]) * _PRIME
    node[N_HASH] = np.int64(hashed)
    tables.open_nodes[s[_DEPTH]] = s[_NODES]
    s[_NODES] += 1


@inner
def _open_span(tables, start, name_end, end, is_link):  # type: ignore[no-untyped-def]
    s = tables.state
    if s[_OPEN] < _DEEPEST:
        row = tables.open_spans[s[_OPEN]]
        row[0], row[1], row[2], row[3], row[4] = s[_LENGTH], start, name_end, end, is_link
    s[_OPEN] += 1


@inner
def _start_tag(data, start, name_end, end, tables, known, place, role):  # type: ignore[no-untyped-def]
    s = tables.state
    if role == BLOCK:
        _end_block(tables, known)
        _open_node(data, start, name_end, end, tables, known, place)
        return
    if role in (INLINE, FORMAT, LINK):
        s[_INLINES] += 1
        if role == LINK and s[_LINK_END] == s[_LENGTH]:
            # Neighbouring links are words of their own even where no space stands between them.
            s[_SPACED] = 1
        if role != INLINE:
            _open_span(tables, start, name_end, end, role == LINK)
            if name_end - start == 4 and data[start] == 99 and data[start + 1] == 111:
                s[_CODE] = 1
    elif role == BREAK:
        # Two breaks in a row are what old pages write between paragraphs.
        if s[_BROKEN] and s[_LENGTH]:
            _end_block(tables, known)
        else:
            s[_BREAKS] += 1
            s[_SPACED] = s[_BROKEN] = 1
    elif role == RULE:
        _end_block(tables, known)


@inner
def _end_tag(tables, known, role):  # type: ignore[no-untyped-def]
    s = tables.state
    if role == BLOCK:
        _end_block(tables, known)
        if s[_TOO_DEEP]:
            s[_TOO_DEEP] -= 1
        elif s[_DEPTH] > 0:
            s[_DEPTH] -= 1
    elif role in (FORMAT, LINK) and s[_OPEN] > 0:
        s[_OPEN] -= 1
        if s[_OPEN] < _DEEPEST:
            _end_span(tables, s[_OPEN])


@inner
def _tag_end(data, i):  # type: ignore[no-untyped-def]
    """Return where the tag that begins at i ends; in values the parser writes the mark as &gt;."""
    while i < len(data) and data[i] != _MORE:
        i += 1
    return i


@inner
def _after_comment(data, i):  # type: ignore[no-untyped-def]
    """Return the place after a comment or a declaration that begins at i."""
    if i + 3 >= len(data) or data[i + 2] != 45 or data[i + 3] != 45:
        return _tag_end(data, i) + 1
    i += 4
    while i + 2 < len(data):
        if data[i] == 45 and data[i + 1] == 45 and data[i + 2] == _MORE:
            return i + 3
        i += 1
    return len(data)


@inner
def _after_raw(data, i, start, name_end):  # type: ignore[no-untyped-def]
    """Return where the end tag of a raw element, whose name stands at start, begins."""
    size = name_end - start
    while i + size + 1 < len(data):
        if data[i] == _LESS and data[i + 1] == _SLASH:
            step = 0
            while step < size and data[i + 2 + step] == data[start + step]:
                step += 1
            if step == size:
                return i
        i += 1
    return len(data)


@inner
def _name_end(data, start, end):  # type: ignore[no-untyped-def]
    i = start
    hashed = _START
    while i < end and data[i] != _BLANK:
        hashed = (hashed ^ np.uint64(data[i])) * _PRIME
        i += 1
    return i, hashed


@outer
def scan(data, tables, known):  # type: ignore[no-untyped-def]
    """Fill the tables from markup; return how many blocks, elements and spans there are."""
    s = tables.state
    _begin_block(tables)
    i, size = 0, len(data)
    # While an unread element is open only tags of its own name count.
    unread, depth = np.uint64(0), 0
    while i < size and s[_BLOCKS] < MOST_BLOCKS:
        if data[i] != _LESS:
            start = i
            while i < size and data[i] != _LESS:
                i += 1
            if not depth:
                _take_text(data, start, i, tables, known)
            continue
        if i + 1 < size and data[i + 1] == _BANG:
            i = _after_comment(data, i)
            continue
        is_end = i + 1 < size and data[i + 1] == _SLASH
        start, end = i + 1 + is_end, _tag_end(data, i + 1)
        name_end, hashed = _name_end(data, start, end)
        place = _lookup(known, hashed)
        role = known.roles[place] if place >= 0 else BLOCK
        i = end + 1
        s[_MARKUP] += end - start + 2
        if depth:
            if hashed == unread:
                depth += -1 if is_end else 1
            if role == RAW and not is_end:
                i = _after_raw(data, i, start, name_end)
        elif role == RAW:
            if not is_end:
                i = _after_raw(data, i, start, name_end)
        elif role == UNREAD:
            if not is_end:
                unread, depth = hashed, 1
        elif is_end:
            _end_tag(tables, known, role)
        elif role != VOID:
            _start_tag(data, start, name_end, end, tables, known, place, role)
    _end_block(tables, known)
    return s[_BLOCKS], s[_NODES], s[_SPANS], s[_NWORDS], s[_BWORDS], s[_OUT]
