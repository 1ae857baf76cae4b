"""A page as text blocks: one pass over the parsed page gives their words, kind, links and place."""

import html as entities
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from selectolax.lexbor import LexborHTMLParser

# What these hold is never text for readers; the parser drops them before the pass.
_UNREAD = (
    "head", "script", "style", "noscript", "template", "svg", "iframe", "object", "embed",
    "canvas", "audio", "video", "select", "textarea", "noembed", "noframes", "xmp", "map",
    "datalist",
)  # fmt: skip
_VOID = frozenset(
    [
        "area",
        "base",
        "br",
        "col",
        "embed",
        "hr",
        "img",
        "input",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
        "basefont",
        "bgsound",
        "frame",
        "keygen",
    ]
)
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "acronym",
        "b",
        "bdi",
        "bdo",
        "big",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "font",
        "i",
        "ins",
        "kbd",
        "label",
        "mark",
        "nobr",
        "q",
        "rp",
        "rt",
        "ruby",
        "s",
        "samp",
        "small",
        "span",
        "strike",
        "strong",
        "sub",
        "sup",
        "time",
        "tt",
        "u",
        "var",
        "picture",
        "center-inline",
    ]
)
_KINDS: Mapping[str, str] = {
    "h1": "h", "h2": "h", "h3": "h", "h4": "h", "h5": "h", "h6": "h",
    "li": "li", "dt": "li", "dd": "li",
    "blockquote": "quote", "td": "td", "th": "td", "caption": "caption", "figcaption": "caption",
    "pre": "pre", "p": "p",
}  # fmt: skip
# Names of elements that the features tell apart; 0 is any other.
TAGS: Mapping[str, int] = {
    name: number
    for number, name in enumerate(
        [
            "div",
            "p",
            "li",
            "td",
            "h1",
            "h2",
            "h3",
            "h4",
            "h5",
            "h6",
            "ul",
            "ol",
            "table",
            "tr",
            "section",
            "article",
            "main",
            "header",
            "footer",
            "nav",
            "aside",
            "form",
            "blockquote",
            "pre",
            "dl",
            "dt",
            "dd",
            "figure",
            "figcaption",
            "button",
            "body",
            "th",
            "caption",
            "fieldset",
            "center",
            "details",
            "summary",
            "address",
            "tbody",
            "hgroup",
        ],
        1,
    )
}
# One bit each: the block lies somewhere inside such an element.
FLAGS: Mapping[str, int] = {
    name: 1 << bit
    for bit, name in enumerate(
        [
            "nav",
            "header",
            "footer",
            "aside",
            "article",
            "main",
            "form",
            "table",
            "li",
            "hidden",
            "figure",
            "blockquote",
            "dl",
            "pre",
            "button",
            "section",
            "ul",
            "h",
            "p",
            "dialog",
        ]
    )
}
_FLAG_OF: Mapping[str, int] = {
    **FLAGS,
    "ol": FLAGS["ul"], "menu": FLAGS["nav"], "dt": FLAGS["dl"], "td": FLAGS["table"],
    **{f"h{level}": FLAGS["h"] for level in range(1, 7)},
}  # fmt: skip
# Marks of the sort of page it is, as publishing systems write them.
SORTS: Mapping[str, tuple[str, ...]] = {
    "article": ('"NewsArticle"', '"BlogPosting"', '"Article"', "article:published_time",
                "schema.org/BlogPosting", "schema.org/NewsArticle", "schema.org/Article"),
    "product": ('"Product"', 'content="product', "schema.org/Product", "product:price"),
    "forum": ('"DiscussionForumPosting"', '"QAPage"', "vBulletin", "phpBB", "XenForo", "iscourse",
              "schema.org/QAPage", "schema.org/DiscussionForumPosting", "vanilla-", "Invision"),
    "listing": ('"ItemList"', '"CollectionPage"', '"SearchResultsPage"'),
    "open_article": ('content="article"', "content='article'"),
}  # fmt: skip
_HIDING = re.compile(
    r'(?:^|\s)(?:hidden(?=[\s/=]|$)|aria-hidden="true"|style="[^"]*(?:display:\s*none|visibility:\s*hidden))',
    re.IGNORECASE,
)
_HIDDEN = FLAGS["hidden"]
_QUIET_ENDS = frozenset("/" + name for name in (_INLINE | _VOID) - {"a"})
_HREF = re.compile(r'(?:^|\s)href="([^"]*)"')
_COMMENTS = re.compile(r"<!--.*?-->", re.DOTALL)
# Deeper pages are cut there: nobody writes them, and every ancestor costs.
_DEEPEST = 400
# Links, elements and blocks are made by the thousand: named tuples take a third of the time.
# A page of more blocks is a list of something; the rest is not read.
MOST_BLOCKS = 20_000


class Link(NamedTuple):
    """A link inside a block: where its words begin and end, and its target."""

    start: int
    end: int
    target: str = ""


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


@dataclass(frozen=True, slots=True)
class Segmented:
    """The blocks of a page in order, and the elements they lie in; parents come before children."""

    blocks: tuple[Block, ...]
    nodes: tuple[Node, ...]
    title: str = ""
    # What the page's head and data say it is; one bit for each of SORTS.
    sorts: int = 0

    def path(self, block: Block) -> str:
        """Return the names of the elements round a block, outermost first."""
        names, number = [], block.node
        while number >= 0:
            names.append(self.nodes[number].tag)
            number = self.nodes[number].parent
        return ".".join(reversed(names))


def segment(html: str) -> Segmented:
    """Return the text blocks of a page; a page that holds none gives none."""
    page = LexborHTMLParser(html)
    node = page.css_first("title")
    title = " ".join(node.text().split()) if node else ""
    page.strip_tags(list(_UNREAD))
    reader = _Reader()
    for chunk in _COMMENTS.sub("", page.html or "").split("<")[1:]:
        reader.read(chunk)
        if len(reader.blocks) >= MOST_BLOCKS:
            break
    reader.end_block()
    return Segmented(tuple(reader.blocks), tuple(reader.nodes), title, _sorts(html))


def _sorts(html: str) -> int:
    return sum(
        1 << bit for bit, marks in enumerate(SORTS.values()) if any(mark in html for mark in marks)
    )


@lru_cache(maxsize=8192)
def _is_hiding(attributes: str) -> bool:
    return bool(_HIDING.search(attributes))


class _Reader:
    """Reads serialised (well formed) markup chunk by chunk: a tag and the text after it."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.nodes: list[Node] = []
        self._open: list[int] = [-1]
        self._too_deep = 0
        self._begin()

    def _begin(self) -> None:
        self._pieces: list[str] = []
        self._length = 0
        self._links: list[Link] = []
        self._link: tuple[int, str] | None = None
        self._is_spaced = False
        self._is_broken = False
        self._breaks = self._inlines = 0

    def read(self, chunk: str) -> None:
        """Take in one tag and the text that follows it."""
        tag, _, text = chunk.partition(">")
        if tag[:1] == "/":
            # Most tags end an inline element and need nothing done.
            if tag not in _QUIET_ENDS:
                self._end_tag(tag[1:])
        else:
            name, _, attributes = tag.partition(" ")
            self._start_tag(name, attributes)
        if text:
            self._text(text)

    def _start_tag(self, name: str, attributes: str) -> None:
        if name in _INLINE:
            self._inlines += 1
            if name == "a":
                self._start_link(attributes)
        elif name == "br":
            self._line_break()
        elif name == "hr":
            self.end_block()
        elif name not in _VOID and name[:1] != "!":
            self.end_block()
            self._open_node(name, attributes)

    def _end_tag(self, name: str) -> None:
        if name == "a":
            self._end_link()
        elif name not in _INLINE and name not in _VOID:
            self.end_block()
            if self._too_deep:
                self._too_deep -= 1
            elif len(self._open) > 1:
                self._open.pop()

    def _open_node(self, name: str, attributes: str) -> None:
        if len(self._open) > _DEEPEST:
            self._too_deep += 1
            return
        parent = self._open[-1]
        flags = self.nodes[parent].flags if parent >= 0 else 0
        flags |= _FLAG_OF.get(name, 0)
        if attributes and _is_hiding(attributes):
            flags |= _HIDDEN
        self.nodes.append(Node(parent, name, attributes, flags, len(self._open)))
        self._open.append(len(self.nodes) - 1)

    def _start_link(self, attributes: str) -> None:
        # Neighbouring links are words of their own even where no space is written between them.
        if self._links and self._links[-1].end == self._length:
            self._is_spaced = True
        target = _HREF.search(attributes)
        self._link = (self._length, target[1] if target else "")

    def _end_link(self) -> None:
        if self._link is not None and self._length > self._link[0]:
            start = self._link[0]
            # The space before the link's first word is not part of it.
            is_after_space = start > 0 and self._starts_with_space(start)
            self._links.append(Link(start + is_after_space, self._length, self._link[1]))
        self._link = None

    def _starts_with_space(self, offset: int) -> bool:
        position = 0
        for piece in self._pieces:
            if position == offset:
                return piece == " "
            position += len(piece)
        return False

    def _line_break(self) -> None:
        # Two breaks in a row are what old pages write between paragraphs.
        if self._is_broken and self._pieces:
            self.end_block()
            return
        self._breaks += 1
        self._is_spaced = self._is_broken = True

    def _text(self, text: str) -> None:
        if "&" in text:
            text = entities.unescape(text)
        words = text.split()
        if not words:
            self._is_spaced = True
            return
        if self._pieces and (self._is_spaced or text[0].isspace() or self._runs_on(words[0])):
            self._pieces.append(" ")
            self._length += 1
        piece = " ".join(words)
        self._pieces.append(piece)
        self._length += len(piece)
        self._is_spaced = text[-1].isspace()
        self._is_broken = False

    def _runs_on(self, word: str) -> bool:
        """Return whether a word after a tag begins anew though no space is written before it."""
        return word[0].isupper() and self._pieces[-1][-1].islower()

    def end_block(self) -> None:
        """Close the current block, if it has any text."""
        if self._pieces:
            link = self._link
            self._end_link()
            node = self._open[-1]
            text = "".join(self._pieces)
            kind = self._kind(node)
            self.blocks.append(
                Block(text, kind, node, tuple(self._links), self._breaks, self._inlines)
            )
            self._begin()
            # A link round several blocks goes on in the next.
            self._link = (0, link[1]) if link else None
        else:
            self._is_broken = self._is_spaced = False

    def _kind(self, node: int) -> str:
        """Return the kind of a block from the innermost telling element round it."""
        for _ in range(4):
            if node < 0:
                break
            kind = _KINDS.get(self.nodes[node].tag)
            if kind and (kind != "p" or not self.nodes[node].flags & FLAGS["blockquote"]):
                return kind
            node = self.nodes[node].parent
        return "p"
