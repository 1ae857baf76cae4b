"""Which patterns of URLs bring nothing new: calendars, session ids, facets, endless paths.

Every URL belongs to three patterns: its host, its first folder, its shape (digits and values of
parameters taken out). Each begins with a credit. A page earns if its text was not seen on that host
before, or if it leads to a page of another shape that none of its own shape led to, as archives do
(inside one folder only the first few shapes count: facets have no end of them); one that does
neither costs. A pattern without credit is asked no more. So an archive of a hundred
thousand articles goes on for ever, and a calendar of empty months ends after a few.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import xxhash

from izwi.model.capture import Lead
from izwi.model.document import Verdict, dropped
from izwi.store.catalog import Catalog
from izwi.store.leads import split_url

STAGE = "fetch"
# What a host, a first folder and a shape may cost before they must bring something new.
CREDITS = (30, 15, 8)
# The same folder so often in one path is a link that a server resolves against itself.
_MOST_REPEATS = 2
_DEEPEST = 15
# A line of a page counts from this length on; shorter ones are menus and dates.
_SHORTEST_LINE = 25
# A page is new if so many of its lines are; one may be an echo of its address.
_NEW_LINES = 2
_MOST_FACTS = 200_000
_MOST_SHAPES = 6
_DIGITS = re.compile(r"\d+")
_VALUES = re.compile(r"=[^&]*")


@dataclass(slots=True)
class Traps:
    """The credits of all patterns met in this run; the catalog keeps them for the next."""

    catalog: Catalog
    _credits: dict[int, int] = field(default_factory=dict)
    # Hashes of the lines and links seen, of all hosts together; the oldest are forgotten.
    _seen: dict[int, None] = field(default_factory=dict)
    # The first shapes met in each folder.
    _shapes: dict[str, set[str]] = field(default_factory=dict)

    def verdict(self, url: str) -> Verdict | None:
        """Return why a URL found by a link is not worth a request, None if it is."""
        winding = _winding(url)
        if winding is not None:
            return winding
        for name, pattern, credit in patterns(url):
            if self._left(pattern, credit) <= 0:
                return dropped(STAGE, "trap", value=0, threshold=credit, detail=name)
        return None

    def sift(self, leads: Iterable[Lead]) -> list[Lead]:
        """Return the leads that are worth a request, and count the others in the catalog."""
        wanted: list[Lead] = []
        refused: dict[tuple[str, str, str], tuple[Verdict, set[str]]] = {}
        for lead in leads:
            verdict = self.verdict(lead.url)
            if verdict is None:
                wanted.append(lead)
            else:
                key = (verdict.detail, verdict.reason, lead.source)
                refused.setdefault(key, (verdict, set()))[1].add(lead.url)
        for (pattern, reason, source), (verdict, urls) in refused.items():
            # The same link on the next page is not another one.
            links = self._unseen(reason, urls)
            if links:
                self.catalog.refuse(pattern, verdict, source=source, links=links)
        return wanted

    def learn(self, url: str, text: str, links: Iterable[str]) -> None:
        """Take note of what a page brought: its text, and where it leads that is no trap."""
        shape = shape_of(url)
        lines = self._unseen(split_url(url)[1], _telling_lines(text))
        ways = self._unseen(shape, {link for link in links if self._is_way(shape, url, link)})
        gain = 1 if ways or lines >= _NEW_LINES else -1
        for _, pattern, credit in patterns(url):
            left = min(credit, self._left(pattern, credit) + gain)
            if left != self._credits.get(pattern):
                self._credits[pattern] = left
                self.catalog.put_credit(pattern, left)

    def _left(self, pattern: int, credit: int) -> int:
        if pattern not in self._credits:
            if len(self._credits) > _MOST_FACTS:
                self._credits.clear()
                self._shapes.clear()
            known = self.catalog.credit(pattern)
            self._credits[pattern] = credit if known is None else known
        return self._credits[pattern]

    def _is_way(self, shape: str, url: str, link: str) -> bool:
        """Whether a link leads out of its page's shape, and not only to one of endless others."""
        other = shape_of(link)
        if other == shape:
            return False
        folder = patterns(link)[1][0]
        if folder != patterns(url)[1][0]:
            return True
        known = self._shapes.setdefault(folder, set())
        if len(known) < _MOST_SHAPES:
            known.add(other)
        return other in known

    def _unseen(self, place: str, facts: set[str]) -> int:
        """Return how many facts are new at a place, and remember them."""
        hashes = {xxhash.xxh3_64_intdigest(f"{place} {fact}".encode()) for fact in facts}
        fresh = [each for each in hashes if each not in self._seen]
        self._seen.update(dict.fromkeys(fresh))
        while len(self._seen) > _MOST_FACTS:
            del self._seen[next(iter(self._seen))]
        return len(fresh)


@lru_cache(maxsize=20_000)
def _winding(url: str) -> Verdict | None:
    """Return whether a path goes round in circles, or far too deep."""
    _, host, path = split_url(url)
    folders = [part for part in path.partition("?")[0].split("/") if part]
    repeats = max((folders.count(part) for part in set(folders)), default=0)
    if repeats > _MOST_REPEATS:
        return dropped(STAGE, "repeated-path", value=repeats, threshold=_MOST_REPEATS, detail=host)
    if len(folders) > _DEEPEST:
        return dropped(STAGE, "deep-path", value=len(folders), threshold=_DEEPEST, detail=host)
    return None


@lru_cache(maxsize=20_000)
def patterns(url: str) -> tuple[tuple[str, int, int], ...]:
    """Return the patterns of a URL, the widest first: name, hash and first credit of each.

    >>> [name for name, _, _ in patterns("http://a.example/news/2020/07?page=2")]
    ['a.example', 'a.example/news', 'a.example/news/#/#?page']
    """
    _, host, path = split_url(url)
    folders, _, query = path.partition("?")
    first = folders.split("/")[1] if folders.count("/") > 1 else ""
    keys = "&".join(sorted(_VALUES.sub("", query).split("&"))) if query else ""
    shape = _DIGITS.sub("#", folders) + (f"?{keys}" if keys else "")
    names = (host, f"{host}/{_DIGITS.sub('#', first)}", f"{host}{shape}")
    return tuple(
        (name, xxhash.xxh3_64_intdigest(f"{credit} {name}".encode()) >> 1, credit)
        for name, credit in zip(names, CREDITS, strict=True)
    )


def shape_of(url: str) -> str:
    """Return a URL's narrowest pattern."""
    return patterns(url)[-1][0]


def _telling_lines(text: str) -> set[str]:
    # Most lines are short; without digits they only become shorter.
    long = (line for line in text.splitlines() if len(line) >= _SHORTEST_LINE)
    lines = (_DIGITS.sub("", line).strip() for line in long)
    return {line for line in lines if len(line) >= _SHORTEST_LINE}
