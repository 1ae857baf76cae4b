"""What readers without scripts see beside a page's plain markup, and what scripts would show them.

Shadow roots and frames are written into the markup before it is read. Where the markup has little
text of its own, the page's data may hold it: the article's body for search engines (JSON-LD), or
the state a script would draw the page from.
"""

import json
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from izwi.model.records import dataclass

# Names under which the origin of a text is said.
JSON_LD, STATE = "JSON-LD articleBody", "embedded state"
_BODY = "articleBody"
_TEMPLATE = re.compile(r"<template\b([^>]{0,2000})>|</template\s*>", re.IGNORECASE)
_SHADOW = re.compile(r"\bshadowroot(?:mode)?\s*=", re.IGNORECASE)
_FRAMESET = re.compile(r"</?frameset\b[^>]{0,2000}>|<frame\b[^>]{0,2000}>", re.IGNORECASE)
_NOFRAMES = re.compile(r"<(/?)noframes\b[^>]{0,200}>", re.IGNORECASE)
_SCRIPT = re.compile(r"<script\b([^>]{0,2000})>", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</script\s*>", re.IGNORECASE)
_DATA_TYPE = re.compile(r"application/(?:ld\+)?json|text/x-json", re.IGNORECASE)
_STATE = re.compile(
    r"(?:window\.|self\.|var\s+|let\s+|const\s+)\s*"
    r"(?:__)?[A-Za-z_]*(?:STATE|DATA|NUXT|PRELOADED|APOLLO|props)[A-Za-z_]*\s*=\s*(?=[{\[])",
    re.IGNORECASE,
)
_STATE_ATTRIBUTE = re.compile(
    r'\sdata-(?:preloaded|page|props|state|react-props|initial-state)="([^"]{250,})"', re.IGNORECASE
)
# Where scripts draw a page, and what is said to readers without them.
_MOUNT = re.compile(
    r"""<[a-z-]{1,30}\s[^>]{0,300}\b(?:id|class)=["']?(?:root|app|__next|__nuxt|___gatsby|main-app"""
    r"""|ember-application|react-root|svelte|mount)\b|<app-root\b|\bdata-reactroot\b|\bng-app\b""",
    re.IGNORECASE,
)
_ASKS_FOR_SCRIPTS = re.compile(
    r"(?:enable|turn on|activate|requires?|needs?|without) (?:\w+ ){0,3}javascript"
    r"|javascript (?:\w+ ){0,3}(?:enabled|required|disabled|to run)",
    re.IGNORECASE,
)
_UNSHOWN = re.compile(
    r"<(head|style|noscript)\b[^>]{0,2000}>.{0,200000}?</\1\s*>|<!--.{0,20000}?-->",
    re.IGNORECASE | re.DOTALL,
)
_MOST_SAID = 300
_TAG = re.compile(r"<[^<>]{1,2000}>")
_BLOCK_END = re.compile(r"</(?:p|div|li|h[1-6]|blockquote|tr|section)\s*>|<br\s*/?>", re.IGNORECASE)
_ENDED = re.compile(r"[.!?…。！？।؟።]")
_ADDRESS = re.compile(r"\S{0,20}(?:://|^data:|^/\S)")
# Values under these names are never what readers read.
_NEVER = re.compile(
    r"css|style|script|query|svg|config|token|schema|template|translation|i18n", re.I
)
# Below such names stand other pages, or the beginning of this one: together they may be longer than
# what it says, so they count so much less.
_OTHERS = re.compile(
    r"related|recommend|latest|trending|popular|similar|sidebar|promo|also|most_?read"
    r"|next|prev|excerpt|teaser|standfirst|summary|abstract",
    re.IGNORECASE,
)
_OF_OTHERS = 0.2
# Smaller strings are labels of buttons; data nested deeper are no article's.
_LEAST_PROSE, _LEAST_TEXT, _DEEPEST, _MOST_BYTES = 60, 250, 40, 5_000_000


@dataclass(frozen=True, slots=True)
class DataText:
    """The lines of a text that stands in a page's data, and where."""

    lines: tuple[str, ...]
    origin: str

    @property
    def size(self) -> int:
        """How many characters it has."""
        return sum(map(len, self.lines))


def with_shadow_roots(html: str) -> str:
    """Return markup in which declared shadow roots are plain elements, as browsers show them.

    >>> with_shadow_roots('<b><template shadowrootmode="open"><p>Hi</template></b>')
    '<b><shadow-root><p>Hi</shadow-root></b>'
    """
    if "shadowroot" not in html:
        return html
    is_shadow: list[bool] = []

    def plain(tag: re.Match[str]) -> str:
        if tag[0][1] != "/":
            is_shadow.append(bool(_SHADOW.search(tag[1])))
            return "<shadow-root>" if is_shadow[-1] else tag[0]
        return "</shadow-root>" if is_shadow and is_shadow.pop() else tag[0]

    return _TEMPLATE.sub(plain, html)


def with_frames_read(html: str) -> str:
    """Return markup of a page of frames in which what it says to readers without them is its body.

    >>> with_frames_read("<frameset><frame src=a><noframes><p>Hi</noframes></frameset>")
    '<div><p>Hi</div>'
    """
    if not re.search(r"<frameset\b", html[:100_000], re.IGNORECASE):
        return html
    return _NOFRAMES.sub(r"<\1div>", _FRAMESET.sub("", html))


def text_in_data(html: str) -> DataText | None:
    """Return the longest text that a page's data hold, or None if they hold none to speak of."""
    texts = (*_texts(html), *_texts_of_attributes(html))
    found = [text for text in texts if text.size >= _LEAST_TEXT]
    # What is meant for search engines comes first, if it is not the beginning of a longer one.
    return max(
        found, key=lambda text: text.size * (2 if text.origin == JSON_LD else 1), default=None
    )


def whole_body(html: str) -> DataText | None:
    """Return the longest article that a page's data tell search engines whole, if they do.

    What its owner keeps for those who pay is left to them.
    """
    if f'"{_BODY}"' not in html:
        return None
    found = [text for text in _texts(html) if text.origin == JSON_LD]
    return max(found, key=lambda text: text.size, default=None)


def needs_browser(html: str) -> bool:
    """Return whether a page says next to nothing by itself and leaves the rest to scripts."""
    rest, scripts, place = [], 0, 0
    while begin := _SCRIPT.search(html, place):
        rest.append(html[place : begin.start()])
        end = _SCRIPT_END.search(html, begin.end())
        scripts, place = scripts + 1, end.end() if end else len(html)
    rest.append(html[place:])
    body = _UNSHOWN.sub(" ", "".join(rest))
    if not scripts or len(" ".join(_TAG.sub(" ", body).split())) > _MOST_SAID:
        return False
    return bool(_MOUNT.search(body) or _ASKS_FOR_SCRIPTS.search(html))


def _texts(html: str) -> Iterator[DataText]:
    for attributes, body in _scripts(html):
        if len(body) < _LEAST_TEXT or len(body) > _MOST_BYTES:
            continue
        if "ld+json" in attributes:
            yield from _bodies(_read(body))
        elif _DATA_TYPE.search(attributes):
            yield _longest(_read(body))
        elif start := _STATE.search(body):
            yield _longest(_read(body[start.end() :]))


def _scripts(html: str) -> Iterator[tuple[str, str]]:
    """Yield the attributes and the text of each script; after one that never ends there is none.

    Looked for one after the other: a pattern for both tags would search to the end of the page
    from each of a thousand scripts that are never closed.
    """
    place = 0
    while begin := _SCRIPT.search(html, place):
        end = _SCRIPT_END.search(html, begin.end())
        if end is None:
            return
        yield begin[1], html[begin.end() : end.start()]
        place = end.end()


def _texts_of_attributes(html: str) -> Iterator[DataText]:
    """Yield the text of state that stands in an attribute, as forums and others leave it."""
    for value in _STATE_ATTRIBUTE.findall(html):
        if len(value) <= _MOST_BYTES:
            yield _longest(_read(unescape(value)))


def _read(body: str) -> Any:
    """Return the JSON value that a script begins with, or None."""
    try:
        return json.JSONDecoder(strict=False).raw_decode(body.strip())[0]
    except (ValueError, RecursionError):
        return None


def _bodies(data: Any, depth: int = 0) -> Iterator[DataText]:
    """Yield the article bodies that objects of schema.org hold, if readers may have them."""
    if depth > _DEEPEST or not isinstance(data, dict | list):
        return
    if isinstance(data, dict) and not _is_closed(data) and isinstance(data.get(_BODY), str):
        yield DataText(tuple(_lines(data[_BODY])), JSON_LD)
    for value in data.values() if isinstance(data, dict) else data:
        yield from _bodies(value, depth + 1)


def _is_closed(thing: dict[str, Any]) -> bool:
    """Whether its owner says that who does not pay reads no more of it than the page shows."""
    free = thing.get("isAccessibleForFree", True)
    return free is False or str(free).lower().rpartition("/")[2] == "false"


def _longest(data: Any) -> DataText:
    """Return the prose under the names that have most of it, each string once."""
    groups: dict[tuple[str, ...], dict[str, None]] = {}
    for path, value in _strings(data, ()):
        if not any(_NEVER.search(name) for name in path[-2:]):
            for line in _lines(value):
                if _is_prose(line):
                    groups.setdefault(path, {})[line] = None
    best = max(groups, key=lambda path: _weight(path) * sum(map(len, groups[path])), default=())
    return DataText(tuple(groups.get(best, ())), STATE)


def _weight(path: tuple[str, ...]) -> float:
    """Return how much text under these names counts: less if it is likely that of other pages."""
    return _OF_OTHERS if any(_OTHERS.search(name) for name in path) else 1.0


def _strings(data: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every string of data with the names above it; lists have no names."""
    if isinstance(data, str):
        # State inside a state is written as a string of its own.
        inner = _read(data) if data[:1] in ("{", "[") and len(path) < _DEEPEST else None
        if isinstance(inner, dict | list):
            yield from _strings(inner, (*path, ""))
        else:
            yield path, data
    elif isinstance(data, dict) and len(path) < _DEEPEST:
        for name, value in data.items():
            yield from _strings(value, (*path, str(name)))
    elif isinstance(data, list) and len(path) < _DEEPEST:
        for value in data:
            yield from _strings(value, (*path, ""))


def _lines(value: str) -> Iterator[str]:
    """Yield the lines of a string that may be markup."""
    has_markup = bool(_TAG.search(value)) or "&lt;" in value
    if has_markup:
        value = _TAG.sub("", _BLOCK_END.sub("\n", unescape(value) if "&lt;" in value else value))
    for line in unescape(value).splitlines():
        if plain := " ".join(line.split()):
            yield plain


def _is_prose(line: str) -> bool:
    if len(line) < _LEAST_PROSE or _ADDRESS.match(line) or line[0] in "{[<":
        return False
    return bool(_ENDED.search(line)) and (line.count(" ") > len(line) / 25 or not line[1].isascii())
