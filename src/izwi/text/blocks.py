"""A page as text blocks: one compiled pass gives their words, kind, links and place."""

import html as entities
import os
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from izwi.kernels import features as kernel
from izwi.kernels.columns import (
    B_BREAKS,
    B_END,
    B_HASH,
    B_INLINES,
    B_KIND,
    B_NODE,
    B_START,
    BLOCK_COLUMNS,
    DEEPEST,
    MOST_NODES,
    MOST_SPANS,
    N_DEPTH,
    N_FLAGS,
    N_PARENT,
    NODE_COLUMNS,
    OPEN_COLUMNS,
    SLOTS,
    SPAN_COLUMNS,
)  # fmt: skip
from izwi.kernels.columns import MOST_BLOCKS as MOST_BLOCKS
from izwi.kernels.letters import encoded
from izwi.kernels.scan import scan
from izwi.model.document import Mark
from izwi.model.records import dataclass
from izwi.text.characters import class_table, lower_table
from izwi.text.elements import FLAGS, KINDS, elements
from izwi.text.nesting import Written, written
from izwi.text.page_sorts import sorts_of
from izwi.text.stripped_html import lean as made_lean

# A soft hyphen, and two joiners without width.
_INVISIBLE = "\u00ad\ufeff\u2060"
_NO_WIDTH = "\u200b"
_SPACE_OF_NO_WIDTH = re.compile("(?<=[\x00-\x7f])\u200b|\u200b(?=[\x00-\x7f])")
# Which bits of a hash say where an element is looked for, as the pass does.
_SHIFT = 20


class Tables(NamedTuple):
    """What the pass fills: rows of blocks, elements and spans, the text, and hashed words."""

    blocks: NDArray[np.int64]
    nodes: NDArray[np.int64]
    spans: NDArray[np.int64]
    text: NDArray[np.uint8]
    names: NDArray[np.uint64]
    words: NDArray[np.uint64]
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
        at = (value >> _SHIFT) % SLOTS
        while slots[at] >= 0:
            at = (at + 1) % SLOTS
        slots[at] = place
    return slots


def tables_for(data: NDArray[np.uint8], tags: int) -> Tables:
    """Return tables large enough for markup with so many tags; the pass writes what it reads."""
    tags += 2
    half = len(data) // 2 + 64
    return Tables(
        np.empty((min(tags, MOST_BLOCKS + 2), BLOCK_COLUMNS), dtype=np.int64),
        np.empty((min(tags, MOST_NODES + 2), NODE_COLUMNS), dtype=np.int64),
        np.empty((min(2 * tags, MOST_SPANS + 2), SPAN_COLUMNS), dtype=np.int64),
        # Every tag may bring a space with it.
        np.empty(len(data) + tags, dtype=np.uint8),
        np.empty(half, dtype=np.uint64),
        np.empty(half, dtype=np.uint64),
        np.full(DEEPEST + 2, -1, dtype=np.int64),
        np.empty((DEEPEST + 2, OPEN_COLUMNS), dtype=np.int64),
    )


# A page with fewer characters may have its text where only readers without scripts find it.
_LITTLE = 500
# So much prose in an element for readers without scripts is no request to switch them on.
_MUCH = 300
_COMPARED = 60
_ANY_TAG = re.compile(r"<[^<>]*>")
# Numbers do not depend on it, only the time they take.
_ODD = int.from_bytes(os.urandom(8), "big") | 1
_HREF = b' href="'


class Link(NamedTuple):
    """A link inside a block: where its words begin and end, and its target."""

    start: int
    end: int
    target: str = ""


class Format(NamedTuple):
    """Words set apart inside a block (b, em, code, sub, ...): where they begin and end."""

    start: int
    end: int
    name: str


class Node(NamedTuple):
    """A block element: its parent's number, name, the rest of its tag, and what it lies in."""

    parent: int
    tag: str
    attributes: str
    flags: int
    depth: int


class Block(NamedTuple):
    """A run of text no block element interrupts: its words, kind, links and element."""

    text: str
    kind: str
    node: int
    links: tuple[Link, ...] = ()
    # Line breaks and inline elements inside it.
    breaks: int = 0
    inlines: int = 0
    formats: tuple[Format, ...] = ()


@dataclass(frozen=True)
class Segmented:
    """The blocks of a page in order, and the elements they lie in; parents come before children.

    Kept as arrays (columns in kernels/columns.py), because pages have thousands of each; `blocks`
    and `nodes` show them one by one.
    """

    text: str
    utf8: NDArray[np.uint8]
    markup: bytes
    table: NDArray[np.int64]
    elements: NDArray[np.int64]
    spans: NDArray[np.int64]
    names: NDArray[np.uint64]
    words: NDArray[np.uint64]
    title: str = ""
    # What the page's head, data and address say it is; one bit for each of SORT_NAMES.
    sorts: int = 0
    # What its text was read from beside plain markup, in words.
    origin: str = ""

    def __len__(self) -> int:
        return len(self.table)

    @property
    def is_cut(self) -> bool:
        """Whether the page goes on after the last block that is read."""
        return len(self.table) >= MOST_BLOCKS

    @cached_property
    def texts(self) -> list[str]:
        """The words of each block."""
        text = self.text
        rows = self.table[:, B_START : B_END + 1].tolist()
        return [text[start:end] for start, end in rows]

    @cached_property
    def kinds(self) -> list[str]:
        """The kind of each block."""
        return [KINDS[kind] for kind in self.table[:, B_KIND].tolist()]

    @cached_property
    def sizes(self) -> NDArray[np.int64]:
        """The number of characters of each block."""
        sizes: NDArray[np.int64] = self.table[:, B_END] - self.table[:, B_START]
        return sizes

    @cached_property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks one by one."""
        links, formats = self._spans()
        columns = self.table[:, [B_NODE, B_BREAKS, B_INLINES]].tolist()
        return tuple(
            Block(text, kind, node, tuple(links[place]), breaks, inlines, tuple(formats[place]))
            for place, (text, kind, (node, breaks, inlines)) in enumerate(
                zip(self.texts, self.kinds, columns, strict=True)
            )
        )

    @cached_property
    def nodes(self) -> tuple[Node, ...]:
        """The elements one by one."""
        return tuple(
            Node(row[N_PARENT], *self._tag(*row[1:4]), row[N_FLAGS], row[N_DEPTH])
            for row in self.elements.tolist()
        )

    @cached_property
    def alike(self) -> NDArray[np.int64]:
        """The number of each block's place in the template: its element and the parent."""
        keys = np.empty(len(self.table), dtype=np.uint64)
        kernel.template_keys(self.table, self.elements, keys)
        return numbered(keys)

    @cached_property
    def said(self) -> NDArray[np.int64]:
        """The number of each block's text: the same for blocks that say the same."""
        return numbered(self.table[:, B_HASH].astype(np.uint64))

    def path(self, block: Block) -> str:
        """Return the names of the elements round a block, outermost first."""
        names, number = [], block.node
        while number >= 0:
            names.append(self.nodes[number].tag)
            number = self.nodes[number].parent
        return ".".join(reversed(names))

    @cached_property
    def flags(self) -> NDArray[np.int64]:
        """For each block the bits of FLAGS of the elements it lies in."""
        if not len(self.elements):
            return np.zeros(len(self.table), dtype=np.int64)
        places = self.table[:, B_NODE]
        return np.where(places >= 0, self.elements[places, N_FLAGS], 0)

    def _tag(self, start: int, name_end: int, end: int) -> tuple[str, str]:
        name = self.markup[start:name_end].decode("utf-8", "replace")
        return name, self.markup[name_end:end].decode("utf-8", "replace").strip()

    def marks(self, wanted: NDArray[np.bool_]) -> dict[int, tuple[Mark, ...]]:
        """Return what is set apart or linked in the blocks that are wanted, by their number."""
        found: dict[int, list[Mark]] = {}
        spans = self.spans[wanted[self.spans[:, 0]]] if len(self.spans) else self.spans
        markup = self.markup
        for block, start, end, tag, tag_end, attributes_end, is_link in spans.tolist():
            # What a parser wrote out is cut only where a tag or a name ends: it is whole.
            name = markup[tag:tag_end].decode()
            target = _target(markup, tag_end, attributes_end) if is_link else ""
            found.setdefault(block, []).append(Mark(start, end, name, target))
        return {block: tuple(marks) for block, marks in found.items()}

    def _spans(self) -> tuple[list[list[Link]], list[list[Format]]]:
        links: list[list[Link]] = [[] for _ in range(len(self.table))]
        formats: list[list[Format]] = [[] for _ in range(len(self.table))]
        for block, start, end, tag, tag_end, attributes_end, is_link in self.spans.tolist():
            if is_link:
                target = _target(self.markup, tag_end, attributes_end)
                links[block].append(Link(start, end, target))
            else:
                name = self.markup[tag:tag_end].decode("utf-8", "replace")
                formats[block].append(Format(start, end, name))
        return links, formats


def numbered(keys: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return for each key a number, the same for equal keys, from 0 without gaps."""
    numbers = np.empty(len(keys), dtype=np.int64)
    slots = np.full(2 << len(keys).bit_length(), -1, dtype=np.int64)
    kernel.numbered(keys, _ODD, slots, numbers)
    return numbers


def _target(markup: bytes, start: int, stop: int) -> str:
    """Return where a link leads whose attributes stand there."""
    start = markup.find(_HREF, start, stop) + len(_HREF)
    end = markup.find(b'"', start, stop) if start >= len(_HREF) else -1
    return entities.unescape(markup[start:end].decode()) if end >= 0 else ""


def segment(html: str) -> Segmented:
    """Return the text blocks of a page; a page that holds none gives none."""
    return _parsed(LexborHTMLParser(html), html)


def segment_lean(html: str, lean: bytes = b"") -> Segmented:
    """Return the same blocks, more quickly, their elements without attributes that tell nothing.

    Who has the page without what is not read already may give that, too.
    """
    markup = lean or made_lean(encoded(html, "replace")).markup
    found = written(markup)
    if not found:
        return _parsed(LexborHTMLParser(markup), html)
    seen = _visible(found.markup) if found.may_hide else found.markup
    return _segmented(seen, found, html)


def _parsed(page: LexborHTMLParser, html: str) -> Segmented:
    markup = encoded(page.html or "", "replace")
    unscripted = len(markup) if b"<noscript" in markup else -1
    return _segmented(_visible(markup), Written(markup, _title(page), True, unscripted), html)


def _visible(markup: bytes) -> bytes:
    return encoded(_without_invisible(markup.decode("utf-8", "replace")), "replace")


def _segmented(markup: bytes, page: Written, html: str) -> Segmented:
    """Return the blocks of markup, that of the page without what nobody sees."""
    title, sorts = page.title, sorts_of(html)
    found = segment_markup(markup, title, sorts)
    has_little = len(found.text) < _LITTLE
    tells_more = page.unscripted >= _MUCH and _tells_without_scripts(page.markup, found.text)
    if page.unscripted < 0 or not (has_little or tells_more):
        return found
    # Forums made by scripts give those who run none all their text in this element.
    without_scripts = segment_markup(markup, title, sorts, is_noscript_read=True)
    is_better = not has_little or len(without_scripts.text) > 2 * len(found.text)
    return replace(without_scripts, origin="noscript") if is_better else found


def _title(page: LexborHTMLParser) -> str:
    """Return the page's title: of its head, where no selector has to be made to find it."""
    node = page.head and page.head.first_child
    while node and node.tag != "title":
        node = node.next
    node = node or page.css_first("title")
    return " ".join(node.text().split()) if node else ""


def _tells_without_scripts(markup: bytes, shown: str) -> bool:
    """Return whether readers without scripts are given prose that the page does not show anyway."""
    for piece in _noscripts(markup):
        text = " ".join(_ANY_TAG.sub(" ", piece).split()) if len(piece) >= _MUCH else ""
        if len(text) >= _MUCH and text[:_COMPARED] not in " ".join(shown.split()):
            return True
    return False


def _noscripts(markup: bytes) -> Iterator[str]:
    """Yield what stands in the elements for readers without scripts."""
    place = 0
    while (tag := markup.find(b"<noscript", place)) >= 0:
        start = markup.find(b">", tag) + 1
        place = markup.find(b"</noscript>", start)
        if not start or place < 0:
            return
        yield markup[start:place].decode("utf-8", "replace")


def segment_markup(
    markup: bytes, title: str = "", sorts: int = 0, *, is_noscript_read: bool = False
) -> Segmented:
    """Return the text blocks of markup that a parser wrote out."""
    seen = np.frombuffer(markup, dtype=np.uint8)
    # Counted so in a quarter of the time that the method of bytes takes.
    tables = tables_for(seen, int(np.count_nonzero(seen == ord("<"))))
    blocks, nodes, spans, names, words, size = scan(seen, tables, _known(is_noscript_read))
    utf8 = tables.text[:size]
    return Segmented(
        utf8.tobytes().decode("utf-8", "replace"),
        utf8,
        markup,
        tables.blocks[:blocks],
        tables.nodes[:nodes],
        tables.spans[:spans],
        tables.names[:names],
        tables.words[:words],
        title,
        sorts,
    )


def _without_invisible(markup: str) -> str:
    """Return markup whose words are not parted by characters that nobody sees.

    They say where a line may break, and would keep a word from being found as it is spelt. Between
    letters of scripts without spaces such a space parts words, and stays.

    >>> _without_invisible("So\\u00adba\\u00adka, <b>her/\\u200bhis</b>")
    'Sobaka, <b>her/his</b>'
    """
    for mark in _INVISIBLE:
        if mark in markup:
            markup = markup.replace(mark, "")
    return _SPACE_OF_NO_WIDTH.sub("", markup) if _NO_WIDTH in markup else markup


@cache
def _known(is_noscript_read: bool = False) -> Known:
    marks = [FLAGS["hidden"], FLAGS["comments"], FLAGS["blockquote"]]
    marks += [KINDS.index("p"), KINDS.index("pre"), KINDS.index("code")]
    known = elements(is_noscript_read)
    return Known(
        class_table(),
        lower_table(),
        *known,
        np.array(marks, dtype=np.int64),
        slots_of(known.hashes),
    )
