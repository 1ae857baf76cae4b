"""Which URLs a crawl may take: hosts, patterns, depth; and which answers: types, sizes.

Patterns are plain globs, so none can be slow.
"""

import re
from dataclasses import dataclass, replace
from functools import cached_property
from urllib.parse import urlsplit

from izwi.gather.fetch import Limits
from izwi.model.notation import size_bytes

# Hosts whose answer is remembered.
_MOST_HOSTS = 10_000


@dataclass(frozen=True)
class Scope:
    """The rules of one crawl; empty rules allow everything."""

    # Domains with all below them ("example.org"), or a whole ending (".za").
    domains: tuple[str, ...] = ()
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    depth: int | None = None

    def refusal(self, url: str, depth: int) -> str:
        """Return why a URL is outside, empty if it is inside.

        >>> Scope(domains=(".za",), exclude=("*/private/*",)).refusal("http://a.co.za/b", 1)
        ''
        """
        if self.depth is not None and depth > self.depth:
            return "too-deep"
        if not self._has_host(_host(url)):
            return "other-domain"
        if self.include and not any(pattern.fullmatch(url) for pattern in self._included):
            return "not-included"
        if any(pattern.fullmatch(url) for pattern in self._excluded):
            return "excluded"
        return ""

    def _has_host(self, host: str) -> bool:
        if host not in self._hosts:
            if len(self._hosts) > _MOST_HOSTS:
                self._hosts.clear()
            self._hosts[host] = not self.domains or any(
                host.endswith(domain) if domain.startswith(".") else is_below(host, domain)
                for domain in self.domains
            )
        return self._hosts[host]

    @cached_property
    def _hosts(self) -> dict[str, bool]:
        return {}

    @cached_property
    def _included(self) -> tuple["Glob", ...]:
        return tuple(map(Glob, self.include))

    @cached_property
    def _excluded(self) -> tuple["Glob", ...]:
        return tuple(map(Glob, self.exclude))


@dataclass(frozen=True)
class Glob:
    """A pattern in which * stands for any text: matched from left to right, never going back."""

    pattern: str

    def fullmatch(self, text: str) -> bool:
        """Return whether the whole text is as the pattern says.

        >>> Glob("*/news/*.html").fullmatch("http://a.example/news/1.html")
        True
        """
        first, *rest = self._parts
        if not rest:
            return text == first
        *middle, last = rest
        if not (text.startswith(first) and text.endswith(last)):
            return False
        place, end = len(first), len(text) - len(last)
        for part in middle:
            found = text.find(part, place, end)
            if found < 0:
                return False
            place = found + len(part)
        return place <= end

    @cached_property
    def _parts(self) -> list[str]:
        return re.sub(r"\*+", "*", self.pattern).split("*")


def refusal_of(source: object, url: str, depth: int) -> str:
    """Return why a URL is outside the rules of a source; empty if it is inside, or has none."""
    rules = getattr(source, "refusal", None)
    return str(rules(url, depth)) if rules is not None else ""


def limits_of(source: object, limits: Limits) -> Limits:
    """Return the limits of one source: its own types and size, if it has any, inside the corpus's.

    A source may have `types` (media types, or their beginnings) and `max_size`.
    """
    types: tuple[str, ...] = getattr(source, "types", ())
    size: str = getattr(source, "max_size", "")
    if not (types or size):
        return limits
    largest = min(limits.max_bytes, size_bytes(size)) if size else limits.max_bytes
    return replace(limits, max_bytes=largest, types=types or limits.types)


def is_below(host: str, domain: str) -> bool:
    """Return whether a host is a domain or one below it.

    >>> is_below("www.example.org", "example.org"), is_below("badexample.org", "example.org")
    (True, False)
    """
    return host == domain or host.endswith(f".{domain}")


def _host(url: str) -> str:
    """Return the host of a canonical URL, without its port."""
    start = url.find("://") + 3
    end = url.find("/", start)
    host = url[start:end] if end > 0 else url[start:]
    return host if ":" not in host else urlsplit(url).hostname or ""
