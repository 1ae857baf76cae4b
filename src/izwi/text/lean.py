"""A page without what its blocks are not made of: scripts, styles, comments, most attributes.

More than half of a page's bytes are such, and a parser reads, keeps and writes them all. One
compiled pass over the bytes leaves them out first, so that the rest is parsed as it would be in
the whole page. The pass also sees what makes parsers slow, elements too deep inside each other and
tags with too many attributes, and can leave just that out.
"""

from typing import NamedTuple

from izwi.kernels import lean as kernel


class Lean(NamedTuple):
    """Markup without what is not read, and whether the page would make a parser slow."""

    markup: bytes
    is_hostile: bool


def lean(utf8: bytes) -> Lean:
    """Return markup without what is not read; it parses to the same blocks.

    >>> lean(b'<p onclick="go()" class=a>Hi  there<!-- no --><script>x</script>').markup
    b'<p class=a>Hi there<!----><script></script>'
    """
    return Lean(*kernel.lean(utf8))


def without_hostility(utf8: bytes) -> bytes:
    """Return markup without the tags of elements that lie too deep and attributes beyond count.

    >>> without_hostility(b"<p title='as it is'>  <!-- is -->")
    b"<p title='as it is'>  <!-- is -->"
    """
    return kernel.lean(utf8, is_whole=True)[0]
