"""What an element of a page holds for readers, and what its name says of it."""

from selectolax.lexbor import LexborNode

from izwi.text.elements import hint_words
from izwi.text.metadata.claims import clean

_COMMENTS = frozenset({"comment", "comments", "commentlist", "reply", "replies", "kommentare"})
_MOST_ANCESTORS = 12


def names_of(node: LexborNode) -> tuple[str, ...]:
    """Return the words of an element's classes."""
    return hint_words(f'class="{node.attributes.get("class") or ""}"')


def text_of(node: LexborNode) -> str:
    """Return the text of an element on one line."""
    return clean(node.text(deep=True, separator=" ")[:1000])


def pieces_of(node: LexborNode) -> list[str]:
    """Return the texts of the elements in a byline, each by itself."""
    lines = node.text(deep=True, separator="\n")[:1000].split("\n")
    return [text for line in lines if (text := clean(line))]


def is_among_comments(node: LexborNode) -> bool:
    """Return whether the names of an element or one round it say that readers wrote it."""
    inner: LexborNode | None = node
    for _ in range(_MOST_ANCESTORS):
        if inner is None or inner.tag in ("body", "main", "html"):
            return False
        if not _COMMENTS.isdisjoint(names_of(inner)):
            return True
        inner = inner.parent
    return False
