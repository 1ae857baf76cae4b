"""A paragraph shown where it stands in the archived page."""

from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode

HERE = "here"
_STYLE = "outline: 3px solid #c2410c; outline-offset: 3px; scroll-margin: 4rem"
_MOST_STEPS = 200


def marked(markup: str, words: str) -> str:
    """Return a page in which the smallest element that holds some words is named and outlined.

    >>> "here" in marked("<div><p>One  two.</p></div>", "One two.")
    True
    """
    tree = LexborHTMLParser(markup)
    wanted = _plain(words)
    place = _smallest(tree.body, wanted) if tree.body is not None and wanted else None
    if place is None:
        return markup
    place.attrs["id"] = HERE
    place.attrs["style"] = _STYLE
    return tree.html or markup


def _smallest(node: LexborNode, wanted: str) -> LexborNode | None:
    """Return the deepest element whose text holds the words."""
    if wanted not in _plain(node.text()):
        return None
    for _ in range(_MOST_STEPS):
        inner = next((each for each in _elements(node) if wanted in _plain(each.text())), None)
        if inner is None:
            break
        node = inner
    return node


def _elements(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        if child.is_element_node:
            yield child
        child = child.next


def _plain(text: str) -> str:
    return "".join(text.split())
