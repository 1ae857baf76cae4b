"""Which addresses show again what another one showed: for print, for a visit, in another version.

A variant is its page's address with a parameter, a folder or a place more. Which of these change
nothing is learnt: where three different texts were had again at such addresses, and no other text,
the addresses of that shape are not asked any more beside the pages they are made of.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

import xxhash

from izwi.gather.evidence import Evidence, number
from izwi.store.leads import split_url

# So many different texts said again make a habit; another text than the page's takes two away. A
# number of a page (?id=) is no variant though some pages say the same, so what speaks against it
# is remembered longer.
_HABIT, _AGAINST, _LEAST = 3, -2, -12
_MOST_KEYS = 6
# What a page says is known by its longest lines, of so many words together at least.
_LINES, _FEWEST_WORDS = 2, 8
_WORDS = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile("[&;]")
# A name of several words is that of one page, in whatever folder it stands.
_BY_NAME, _ALL = "name", "?"
_NAME = re.compile(r"[^\W\d_]+(?:[-_][^\W_]+)+")


@dataclass(slots=True)
class Variants:
    """What was learnt of the addresses of a run."""

    known: Evidence

    def is_one(self, url: str, shape: str) -> bool:
        """Whether a URL shows again what was asked under a simpler address."""
        if not self.known.count(number(f"varies {shape}")):
            return False
        return any(
            self.known.count(number(f"varies {way} {shape}")) >= _HABIT
            and (self._places(url, way, root, shape) or self._is_queued(url, way, root))
            for way, root in roots(url)
        )

    def has_some(self, url: str) -> bool:
        """Whether a URL is what variants with parameters are made of, and these were asked."""
        return self.known.knows(_host(url), f"root {address(url)}")

    def _is_queued(self, url: str, way: str, root: str) -> bool:
        if way == _BY_NAME:
            return False
        scheme = url.partition("//")[0]
        return self.known.catalog.find_lead(f"{scheme}//{root}") is not None

    def learn(self, url: str, shape: str, text: str, new: int) -> None:
        """Take note of what a page says, of whose pairs of words so many were new."""
        host, lines = _host(url), _longest_lines(text)
        self.known.unseen(host, "asked", {address(url)})
        if not lines:
            return
        said = xxhash.xxh3_64_hexdigest(" ".join(lines).encode("utf-8", "surrogatepass"))
        for way, root in roots(url):
            if places := self._places(url, way, root, shape):
                is_again = new * 4 < len(_WORDS.findall(text)) and all(
                    any(self.known.knows(host, f"said {place} {line}") for place in places)
                    for line in lines
                )
                self._weigh(host, f"varies {way} {shape}", said, shape, is_again=is_again)
        own = {address(url), *(_place(way, root, shape) for way, root in roots(url))}
        self.known.unseen(host, "asked", own)
        self.known.unseen(host, "root", {root for way, root in roots(url) if way == _ALL})
        self.known.unseen(host, "said", {f"{place} {line}" for place in own for line in lines})

    def _places(self, url: str, way: str, root: str, shape: str) -> list[str]:
        """Return under which of its names a root was asked: itself, or in another variant."""
        places = (root, _place(way, root, shape))
        return [each for each in places if self.known.knows(_host(url), f"asked {each}")]

    def _weigh(self, host: str, habit: str, said: str, shape: str, *, is_again: bool) -> None:
        # The same words under many addresses (a form) are one text, and speak once.
        if is_again and not self.known.unseen(host, habit, {said}):
            return
        step = 1 if is_again else _AGAINST
        if self.known.add(number(habit), step, least=_LEAST, most=_HABIT * 4) >= _HABIT:
            self.known.put(number(f"varies {shape}"), 1)


@lru_cache(maxsize=20_000)
def address(url: str) -> str:
    """Return an address with its parameters in order.

    >>> address("http://a.example/story/?b=2&a=1")
    'a.example/story?a=1&b=2'
    """
    _, host, path = split_url(url)
    folders, _, query = path.partition("?")
    return _written(host + folders, _BETWEEN.split(query) if query else [])


@lru_cache(maxsize=20_000)
def roots(url: str) -> tuple[tuple[str, str], ...]:
    """Return the addresses of which a URL may be a variant, each with the way that leads to it.

    >>> [root for _, root in roots("http://a.example/m/old-road?print=1")]
    ['a.example/m/old-road', 'a.example/m', 'a.example/old-road', 'a.example old-road']
    """
    _, host, path = split_url(url)
    folders, _, query = path.partition("?")
    folders, found = folders.rstrip("/"), list[tuple[str, str]]()
    if query:
        found.append((_ALL, host + folders))
        keys = sorted(_BETWEEN.split(query))
        if 1 < len(keys) <= _MOST_KEYS:
            found += [
                (f"?{key.partition('=')[0]}", _written(host + folders, keys[:at] + keys[at + 1 :]))
                for at, key in enumerate(keys)
            ]
    _, *names = folders.split("/")
    if len(names) > 1:
        found.append(("last", "/".join([host, *names[:-1]])))
        found.append(("first", "/".join([host, *names[1:]])))
    if names and _NAME.match(names[-1]):
        found.append((_BY_NAME, f"{host} {names[-1].partition('.')[0]}"))
    return tuple(found)


def _written(place: str, keys: list[str]) -> str:
    place = place.rstrip("/")
    return f"{place}?{'&'.join(sorted(keys))}" if keys else place


def _place(way: str, root: str, shape: str) -> str:
    """Return what variants of a root share: pages of one folder are none of each other's."""
    return root if way == _BY_NAME else f"{way} {shape} {root}"


def _host(url: str) -> str:
    return split_url(url)[1]


def _longest_lines(text: str) -> list[str]:
    """Return the words of the longest lines of a text, none of a text of a few words."""
    lines = {" ".join(_WORDS.findall(line.lower())) for line in text.splitlines()}
    longest = sorted(lines, key=lambda line: (-len(line), line))[:_LINES]
    return longest if sum(line.count(" ") + 1 for line in longest) >= _FEWEST_WORDS else []
