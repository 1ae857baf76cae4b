"""What the names an author gave to elements (class, id, role) say about the text inside them."""

import re
from functools import lru_cache

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
