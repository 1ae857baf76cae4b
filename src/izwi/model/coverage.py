"""How much of what a web archive knows of a portal is in the corpus, and the other way round."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

By = Literal["url", "slug"]
_EXAMPLES = 20
_ORIGIN = re.compile(r"^https?://(?:www\d?\.)?([^/:?#]+)(?::\d+)?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Pages in the corpus and in a list, compared by address or by slug."""

    by: By
    ours: int
    theirs: int
    both: int
    # A few of those only one side has.
    only_ours: tuple[str, ...] = ()
    only_theirs: tuple[str, ...] = ()

    @property
    def share(self) -> float | None:
        """The share of the list that the corpus has, None if the list is empty."""
        return round(self.both / self.theirs, 4) if self.theirs else None


def compare(ours: Iterable[str], theirs: Iterable[str], by: By = "url") -> Coverage:
    """Return how two lists of addresses cover each other, as Indig and others (2020, 5.2) do.

    >>> compare(["https://www.a.example:443/x?p=1"], ["http://a.example/x", "http://a.example/y"])
    Coverage(by='url', ours=1, theirs=2, both=1, only_ours=(), only_theirs=('http://a.example/y',))
    """
    key = slug if by == "slug" else plain
    mine, listed = _by_key(ours, key), _by_key(theirs, key)
    return Coverage(
        by,
        len(mine),
        len(listed),
        len(mine.keys() & listed.keys()),
        tuple(sorted(mine[each] for each in mine.keys() - listed.keys())[:_EXAMPLES]),
        tuple(sorted(listed[each] for each in listed.keys() - mine.keys())[:_EXAMPLES]),
    )


def plain(url: str) -> str:
    """Return an address without scheme, www, port, parameters and the slash at its end."""
    bare = _ORIGIN.sub(lambda match: match[1].lower(), url)
    return bare.partition("?")[0].partition("#")[0].rstrip("/")


def slug(url: str) -> str:
    """Return the last part of an address, which often outlives a change of the others.

    >>> slug("http://a.example/2020/07/rain-at-last.html?x=1")
    'rain-at-last.html'
    """
    return plain(url).partition("/")[2].rpartition("/")[2]


def _by_key(urls: Iterable[str], key: Callable[[str], str]) -> dict[str, str]:
    found = ((key(url), url) for url in urls)
    return {name: url for name, url in found if name}
