"""Pages whose elements lie too deep inside each other: parsers need the square of the depth."""

import re

# Fewer tags cannot make a tree so deep that parsing it takes a second.
_FEW_TAGS = 20_000
# Browsers go no deeper than 512.
_DEEPEST = 1_000
# Nothing here can be read twice: an unfinished tag ends where the next one begins.
_TAG = re.compile(r"<(/?)([a-zA-Z][^\s<>/]{0,30})[^<>]*>?")
# These have no end tag, or end by themselves where the next one begins.
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param"}
_VOID |= {"source", "track", "wbr"}
_ENDING = {"colgroup", "dd", "dt", "li", "optgroup", "option", "p", "rp", "rt", "tbody", "td"}
_ENDING |= {"tfoot", "th", "thead", "tr"}
_FLAT = frozenset(_VOID | _ENDING)


def shallow(html: str) -> str:
    """Return a page without the tags of elements that lie too deep; their text stays.

    >>> shallow("<p>as it is")
    '<p>as it is'
    """
    if html.count("<") <= _FEW_TAGS:
        return html
    depth = 0

    def kept(tag: re.Match[str]) -> str:
        nonlocal depth
        if tag[2].lower() in _FLAT:
            return tag[0]
        if not tag[1]:
            depth += 1
        is_kept = depth <= _DEEPEST
        if tag[1]:
            depth = max(0, depth - 1)
        return tag[0] if is_kept else ""

    return _TAG.sub(kept, html)
