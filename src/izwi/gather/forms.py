"""Which form of a URL a host prefers: https, www, a slash at the end.

Learnt from its redirects, and from the addresses its pages give themselves (link rel=canonical).
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from itertools import product
from urllib.parse import urlsplit, urlunsplit

# So many changes of one kind, more than of its opposite, make a habit.
_HABIT = 3
_OPPOSITES = {"www": "bare", "bare": "www", "slash": "no-slash", "no-slash": "slash"}


def changes_of_form(url: str, target: str) -> tuple[str, ...]:
    """Return the changes that make one URL of the other, none if they differ in more than form.

    >>> changes_of_form("http://a.example/b", "https://www.a.example/b/")
    ('https', 'www', 'slash')
    """
    if url == target:
        return ()
    for kinds in product(("", "https"), ("", "www", "bare"), ("", "slash", "no-slash")):
        changes = tuple(filter(None, kinds))
        if reduce(applied, changes, url) == target:
            return changes
    return ()


def applied(url: str, kind: str) -> str:
    """Return a URL with one change of form made."""
    parts = urlsplit(url)
    path = parts.path
    if kind == "https" and parts.scheme == "http":
        return urlunsplit(parts._replace(scheme="https"))
    if kind == "www" and not parts.netloc.startswith("www."):
        return urlunsplit(parts._replace(netloc=f"www.{parts.netloc}"))
    if kind == "bare" and parts.netloc.startswith("www."):
        return urlunsplit(parts._replace(netloc=parts.netloc.removeprefix("www.")))
    if kind == "slash" and not path.endswith("/") and "." not in path.rpartition("/")[2]:
        return urlunsplit(parts._replace(path=f"{path}/"))
    if kind == "no-slash" and len(path) > 1 and path.endswith("/"):
        return urlunsplit(parts._replace(path=path.rstrip("/")))
    return url


@dataclass(slots=True)
class Habits:
    """How often a host made each change; a habit is made before asking, and saves the redirect."""

    counts: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_text(cls, counts: Mapping[str, str]) -> "Habits":
        """Return the habits as the catalog keeps them."""
        return cls({kind: int(count) for kind, count in counts.items()})

    def as_text(self) -> dict[str, str]:
        """Return the habits for the catalog."""
        return {kind: str(count) for kind, count in self.counts.items()}

    def learn(self, url: str, target: str) -> bool:
        """Take note of what a host made of a URL; return whether it changed its form alone."""
        kinds = changes_of_form(url, target)
        for kind in kinds:
            self.counts[kind] = self.counts.get(kind, 0) + 1
        return bool(kinds)

    def preferred(self, url: str) -> str:
        """Return a URL in the form the host prefers."""
        for kind, count in self.counts.items():
            if count - self.counts.get(_OPPOSITES.get(kind, ""), 0) >= _HABIT:
                url = applied(url, kind)
        return url
