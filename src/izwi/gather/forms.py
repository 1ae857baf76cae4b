"""Which form of a URL a host prefers, learnt from its redirects: https, www, a slash at the end."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from urllib.parse import urlsplit, urlunsplit

# So many redirects of one kind make a habit.
_HABIT = 3


def change_of_form(url: str, target: str) -> str:
    """Return what kind of change a redirect makes, empty if it is not one of form alone.

    >>> change_of_form("http://a.example/b", "http://www.a.example/b")
    'www'
    """
    kinds = ("https", "www", "bare", "slash", "no-slash")
    return next((kind for kind in kinds if url != target and applied(url, kind) == target), "")


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
        """Take note of a redirect; return whether it was one of form."""
        kind = change_of_form(url, target)
        if kind:
            self.counts[kind] = self.counts.get(kind, 0) + 1
        return bool(kind)

    def preferred(self, url: str) -> str:
        """Return a URL in the form the host prefers."""
        for kind, count in self.counts.items():
            if count >= _HABIT:
                url = applied(url, kind)
        return url
