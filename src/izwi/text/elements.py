"""What the names of HTML elements, and those that authors gave them, mean for the text inside."""

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from izwi.kernels.columns import BLOCK, BREAK, FORMAT, INLINE, LINK, RAW, RULE, UNREAD, VOID

_FNV_START, _FNV_PRIME = 0xCBF29CE484222325, 0x100000001B3
_ALL_BITS = (1 << 64) - 1

# What these hold is never text for readers; in the raw ones no tag but their own end counts.
_UNREAD = (
    "head", "noscript", "template", "svg", "object", "canvas", "audio", "video", "select",
    "textarea", "map", "datalist", "title",
    # How characters are read aloud, written small beside them: no part of the sentence.
    "rp", "rt", "rtc",
)  # fmt: skip
_RAW = ("script", "style", "iframe", "noembed", "noframes", "xmp", "plaintext")
_VOID = (
    "area", "base", "basefont", "bgsound", "col", "embed", "frame", "img", "input", "keygen",
    "link", "meta", "param", "source", "track", "wbr",
)  # fmt: skip
_INLINE = (
    "abbr", "acronym", "bdi", "bdo", "big", "data", "dfn", "font", "kbd", "label", "nobr",
    "picture", "rb", "ruby", "samp", "span", "time", "var",
)  # fmt: skip
_FORMAT = (
    "b", "cite", "code", "del", "em", "i", "ins", "mark", "q", "s", "small", "strike", "strong",
    "sub", "sup", "tt", "u",
)  # fmt: skip
KINDS = ("p", "li", "h", "td", "quote", "caption", "pre", "code")
_KIND_OF = {
    "h1": "h", "h2": "h", "h3": "h", "h4": "h", "h5": "h", "h6": "h",
    "li": "li", "dt": "li", "dd": "li",
    "blockquote": "quote", "td": "td", "th": "td", "caption": "caption", "figcaption": "caption",
    "pre": "pre", "p": "p",
}  # fmt: skip
# Names of elements that the features tell apart; 0 is any other.
_TAG_NAMES = (
    "div", "p", "li", "td", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "table", "tr",
    "section", "article", "main", "header", "footer", "nav", "aside", "form", "blockquote",
    "pre", "dl", "dt", "dd", "figure", "figcaption", "button", "body", "th", "caption",
    "fieldset", "center", "details", "summary", "address", "tbody", "hgroup",
)  # fmt: skip
TAGS: Mapping[str, int] = {name: number for number, name in enumerate(_TAG_NAMES, 1)}
# One bit each: the block lies somewhere inside such an element.
_FLAG_NAMES = (
    "nav", "header", "footer", "aside", "article", "main", "form", "table", "li", "hidden",
    "figure", "blockquote", "dl", "pre", "button", "section", "ul", "h", "p", "dialog",
    "comments",
)  # fmt: skip
FLAGS: Mapping[str, int] = {name: 1 << bit for bit, name in enumerate(_FLAG_NAMES)}
_FLAG_OF: Mapping[str, int] = {
    **{name: bit for name, bit in FLAGS.items() if name not in ("h", "hidden", "comments")},
    "ol": FLAGS["ul"], "menu": FLAGS["nav"], "dt": FLAGS["dl"], "td": FLAGS["table"],
    **{f"h{level}": FLAGS["h"] for level in range(1, 7)},
}  # fmt: skip


class Elements(NamedTuple):
    """Properties of the known elements, sorted by the hash of their name."""

    hashes: NDArray[np.uint64]
    roles: NDArray[np.int64]
    # Number in KINDS, or -1.
    kinds: NDArray[np.int64]
    flags: NDArray[np.int64]
    # Number in TAGS.
    tags: NDArray[np.int64]


def hash_of(name: str) -> int:
    """Return the hash under which a word is known in compiled code (FNV-1a, 64 bits).

    >>> hash_of("")
    14695981039346656037
    """
    found = _FNV_START
    for byte in name.encode("utf-8", "surrogatepass"):
        found = ((found ^ byte) * _FNV_PRIME) & _ALL_BITS
    return found


@cache
def elements(is_noscript_read: bool = False) -> Elements:
    """Return the table of the known elements."""
    roles = _roles()
    if is_noscript_read:
        roles["noscript"] = BLOCK
    names = sorted({*roles, *TAGS, *_FLAG_OF, *_KIND_OF}, key=hash_of)
    kinds = [KINDS.index(_KIND_OF[name]) if name in _KIND_OF else -1 for name in names]
    return Elements(
        np.array([hash_of(name) for name in names], dtype=np.uint64),
        np.array([roles.get(name, BLOCK) for name in names], dtype=np.int64),
        np.array(kinds, dtype=np.int64),
        np.array([_FLAG_OF.get(name, 0) for name in names], dtype=np.int64),
        np.array([TAGS.get(name, 0) for name in names], dtype=np.int64),
    )


def _roles() -> dict[str, int]:
    listed = {UNREAD: _UNREAD, RAW: _RAW, VOID: _VOID, INLINE: _INLINE, FORMAT: _FORMAT}
    found = {name: role for role, names in listed.items() for name in names}
    return found | {"a": LINK, "br": BREAK, "hr": RULE}


_NAMED = re.compile(r'(?:^|\s)(class|id|role|itemprop)="([^"]*)"')
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
# Longer lists of names come from style frameworks and say nothing.
_MOST_WORDS = 24


@lru_cache(maxsize=8192)
def hint_words(attributes: str) -> tuple[str, ...]:
    """Return the distinct words of an element's names, in order.

    >>> hint_words('class="entry-content postBody" id="main"')
    ('entry', 'content', 'post', 'body', 'main')
    """
    found: dict[str, None] = {}
    for kind, names in _NAMED.findall(attributes):
        prefix = "@" if kind in ("role", "itemprop") else ""
        for word in _WORDS.findall(names)[:_MOST_WORDS]:
            if len(word) > 1:
                found[prefix + word.lower()] = None
    return tuple(found)
