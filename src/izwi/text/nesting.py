"""What parsers know of elements and characters by name, for the pass that needs no parser."""

import html as entities
from array import array
from collections.abc import Mapping
from functools import cache
from html.entities import html5
from typing import NamedTuple

from izwi.kernels import groups, nesting
from izwi.kernels.nesting import hash_of

_GROUPS: Mapping[int, tuple[str, ...]] = {
    groups.G_BLOCK: (
        "address", "article", "aside", "blockquote", "center", "details", "dialog", "dir", "div",
        "dl", "fieldset", "figcaption", "figure", "footer", "header", "hgroup", "main", "menu",
        "nav", "ol", "search", "section", "summary", "ul",
    ),
    groups.G_PRE: ("pre", "listing"),
    groups.G_HEADING: ("h1", "h2", "h3", "h4", "h5", "h6"),
    groups.G_FORM: ("form",),
    groups.G_ITEM: ("li",),
    groups.G_TERM: ("dd", "dt"),
    groups.G_P: ("p",),
    groups.G_BUTTON: ("button",),
    groups.G_LINK: ("a",),
    groups.G_FORMAT: (
        "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt",
        "u",
    ),
    groups.G_OBJECT: ("applet", "marquee", "object"),
    groups.G_VOID_INLINE: ("area", "embed", "img", "input", "keygen", "wbr"),
    groups.G_BREAK: ("br",),
    groups.G_VOID: ("param", "source", "track"),
    groups.G_RULE: ("hr",),
    groups.G_RAW: ("script", "style"),
    groups.G_FRAME: ("iframe", "noembed", "textarea"),
    groups.G_TITLE: ("title",),
    groups.G_META: ("base", "basefont", "bgsound", "link", "meta"),
    groups.G_HTML: ("html",),
    groups.G_HEAD: ("head",),
    groups.G_BODY: ("body",),
    groups.G_SELECT: ("select",),
    groups.G_OPTION: ("option",),
    groups.G_OPTGROUP: ("optgroup",),
    groups.G_SVG: ("svg",),
    groups.G_NOSCRIPT: ("noscript",),
    groups.G_REFUSED: (
        "frame", "frameset", "image", "math", "noframes", "plaintext", "rb", "rp", "rt", "rtc",
        "selectedcontent", "xmp",
    ),
    groups.G_TEMPLATE: ("template",),
    groups.G_TABLE: ("table",),
    groups.G_COLGROUP: ("colgroup",),
    groups.G_SECTION: ("tbody", "tfoot", "thead"),
    groups.G_ROW: ("tr",),
    groups.G_CAPTION: ("caption",),
    groups.G_COL: ("col",),
    groups.G_CELL: ("td", "th"),
}  # fmt: skip
# Neither of these is special, though nearly all elements with rules of their own are.
_PLAIN_GROUPS = (groups.G_LINK, groups.G_FORMAT, groups.G_OPTION, groups.G_OPTGROUP, groups.G_SVG)
_KNOWN: Mapping[int, tuple[str, ...]] = {
    groups.P_IMPLIED: ("dd", "dt", "li", "optgroup", "option", "p"),
    groups.P_SCOPE: (
        "html", "table", "td", "th", "caption", "marquee", "object", "applet", "template",
    ),
    groups.P_LIST: ("ol", "ul"),
    groups.P_WEAK: ("address", "div", "p"),
    groups.P_BREAKS_OUT: (
        "b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em",
        "embed", "font", "foreignobject", "h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i",
        "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre", "ruby", "s", "small",
        "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var",
    ),
    groups.P_FORMAT: _GROUPS[groups.G_FORMAT],
    groups.P_PLAIN: ("style", "script", "xmp", "iframe", "noembed", "noframes", "plaintext"),
}  # fmt: skip
# Elements of drawings that are written with capitals.
_CASED = (
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion", "animateTransform",
    "clipPath", "feBlend", "feColorMatrix", "feComponentTransfer", "feComposite",
    "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap", "feDistantLight", "feDropShadow",
    "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR", "feGaussianBlur", "feImage", "feMerge",
    "feMergeNode", "feMorphology", "feOffset", "fePointLight", "feSpecularLighting", "feSpotLight",
    "feTile", "feTurbulence", "glyphRef", "linearGradient", "radialGradient", "textPath",
)  # fmt: skip
_SHIFT, _LEGACY, _LONGEST = 20, 128, 7


class Written(NamedTuple):
    """Markup as a parser writes it, and the text of the first title in it."""

    markup: bytes
    title: str
    # Whether there may be characters that nobody sees.
    may_hide: bool
    # How many bytes at most an element for readers without scripts holds; -1 if there is none.
    unscripted: int


def written(lean: bytes) -> Written | None:
    """Return a lean page as a parser writes it, or nothing if it takes a parser to read it.

    >>> written(b"<title>A</title><p class=a>One<p>two").markup.decode()
    '<html><head><title>A</title></head><body><p class="a">One</p><p>two</p></body></html>'
    """
    # Tags that are not written, and what is opened again, may make a page longer.
    room = bytearray(len(lean) + len(lean) // 2 + 1024)
    size, title, may_hide, unscripted = nesting.nested(
        lean, room, _names(), _references(), *_stacks()
    )
    if size < 0:
        return None
    markup = bytes(memoryview(room)[:size])
    return Written(markup, _title(markup, title) if title >= 0 else "", may_hide, unscripted)


def _title(markup: bytes, start: int) -> str:
    start = markup.find(b">", start) + 1
    text = markup[start : markup.find(b"</", start)].decode("utf-8", "replace")
    return " ".join(entities.unescape(text).split())


def _stacks() -> tuple[memoryview, memoryview, memoryview]:
    """Return room for what is open."""
    stack = memoryview(bytearray(8 * groups.MOST_OPEN * groups.ELEMENT_COLUMNS))
    formats = memoryview(bytearray(8 * groups.MOST_FORMATS * groups.FORMAT_PLACES))
    return (
        stack.cast("q", (groups.MOST_OPEN, groups.ELEMENT_COLUMNS)),
        memoryview(bytearray(8 * groups.MOST_OPEN)).cast("Q"),
        formats.cast("q", (groups.MOST_FORMATS, groups.FORMAT_PLACES)),
    )


@cache
def _names() -> tuple["array[int]", "array[int]", "array[int]", "array[int]"]:
    """Return the table of elements: hashes of names, groups, what is known, and capitals."""
    group_of = {name: group for group, names in _GROUPS.items() for name in names}
    size = groups.NAME_SLOTS
    hashes, own = array("Q", bytes(8 * size)), array("i", bytes(4 * size))
    known, capitals = array("i", bytes(4 * size)), array("I", bytes(4 * size))
    cased = {name.lower(): name for name in _CASED}
    for name in {*group_of, *cased, *(name for names in _KNOWN.values() for name in names)}:
        at = _free_slot(hashes, name.encode())
        own[at] = group_of.get(name, groups.G_OTHER)
        is_special = name in group_of and own[at] not in _PLAIN_GROUPS
        known[at] = is_special * groups.P_SPECIAL
        known[at] |= sum(bit for bit, names in _KNOWN.items() if name in names)
        letters = cased.get(name, "")
        capitals[at] = sum(1 << place for place, one in enumerate(letters) if one.isupper())
    return hashes, own, known, capitals


@cache
def _references() -> tuple["array[int]", "array[int]", "array[int]"]:
    """Return the table of named characters: hashes of names, characters; those of small numbers."""
    hashes = array("Q", bytes(8 * groups.REFERENCE_SLOTS))
    characters = array("Q", bytes(8 * groups.REFERENCE_SLOTS))
    for name, text in html5.items():
        if name.endswith(";"):
            legacy = _LEGACY if name[:-1] in html5 else 0
            characters[_free_slot(hashes, name[:-1].encode())] = _packed(text) | legacy
    return hashes, characters, array("Q", [_packed(_numbered(code)) for code in range(256)])


def _free_slot(hashes: "array[int]", name: bytes) -> int:
    """Return where a name is put into a table, and put its hash there."""
    hashed = hash_of(name)
    at = (hashed >> _SHIFT) % len(hashes)
    while hashes[at]:
        at = (at + 1) % len(hashes)
    hashes[at] = hashed
    return at


def _packed(text: str) -> int:
    """Return a number that holds a short text in UTF-8: its size, then its bytes."""
    utf8 = text.encode()
    if len(utf8) > _LONGEST:
        raise ValueError(f"{text!r} is too long")
    return int.from_bytes(bytes([len(utf8)]) + utf8, "little")


def _numbered(code: int) -> str:
    """Return the character that pages mean by a small number: that of Windows if it differs."""
    if 0x80 <= code < 0xA0:
        return bytes([code]).decode("cp1252", "ignore") or chr(code)
    return chr(code)
