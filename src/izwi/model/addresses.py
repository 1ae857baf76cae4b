"""What addresses say that those who find text and those who say whose it is both ask."""

import re
from urllib.parse import urljoin, urlsplit

# Who wrote a post is linked beside it, and is no title of another page.
PERSON = re.compile(
    r"(?i)(?:^|[/?&_;-]|\baction=)(?:users?|u|members?|memberlist|profiles?|people|authors?|showuser|uid)"
    r"(?=[/.?=;&]|$)|/[@~][\w.-]+/?$"
)


def link_address(page: str, target: str) -> str:
    """Return the address that a page's link leads to; nothing where nobody could follow it.

    >>> link_address("http://example.org/news/", "dam#top"), link_address("http://a.org/", "//[b")
    ('http://example.org/news/dam#top', '')
    """
    try:
        found = urljoin(page, target)
        urlsplit(found)
    except ValueError:
        return ""
    return found
