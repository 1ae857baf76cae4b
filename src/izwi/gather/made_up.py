"""Whether a host makes text up: an address that nobody can have written brings a page as well.

Pages that are new for ever are no repetition, so nothing else tells a pit of made-up text from a
large archive. Where every page brings text and leads to addresses nobody knew, two addresses of the
same shape are invented and asked. An archive has nothing there, or says so in the same words twice.
An answer that says nothing of what is there (a busy host, a redirect, none) leaves the doubt.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import unquote, urlunsplit

import xxhash

from izwi.gather.evidence import Evidence, number
from izwi.store.leads import split_url

# A page counts as many as it leads to new addresses, up to three: twelve pages of a web of links,
# or as many more as lead to the next alone, are doubted.
_MOST_LINKS, _DOUBTED = 3, 30
# Both must bring text, and so many addresses are invented of a host in all.
PROBES, _MOST_PROBES = 2, 12
# Of what an invented page says so much is new, and half as much as other pages brought.
_NEW_SHARE = 0.7
_SOUNDS = ("ba", "ze", "ko", "li", "nu", "ra", "mo", "vi", "du", "fe", "ga", "ti", "xo", "py")
_DIGIT = re.compile(r"\d")
# A line of the host's own that says that nothing is there has so many words.
_SENTENCE = 4
# The name of one page of many: words with a seam between them, or a number.
_VARIES = re.compile(r"\d|[^\W\d_][-_+][^\W\d_]")
_PART = re.compile(r"[^\W\d_]+|\d+")
# Small enough for systems that count to 2,147,483,647, and far above what a page is numbered.
_FIRST_NUMBER, _NUMBERS = 1_500_000_000, 600_000_000


@dataclass(frozen=True, slots=True)
class Probe:
    """An invented address, and the place it tells of."""

    url: str
    place: str


@dataclass(slots=True)
class Doubts:
    """Which shapes, folders and hosts are doubted, trusted, or known to make text up."""

    known: Evidence

    def note(self, places: Sequence[str], *, fresh: int, new: int) -> None:
        """Take note of a page that brought so much and led to so many addresses nobody knew.

        Its places are its shape, its folder and its host.
        """
        if not fresh or self._is_trusted(places[0]):
            return
        for place in places:
            if not self._is_trusted(place):
                name = number(f"doubt {place}")
                self.known.add(name, min(fresh, _MOST_LINKS), most=2 * _DOUBTED)
                brings = number(f"brings {place}")
                before = self.known.count(brings) or new
                self.known.put(brings, (3 * before + new) // 4)

    def place(self, places: Sequence[str]) -> str | None:
        """Return the narrowest place of a page that is in doubt."""
        if self.known.count(number(f"probes {places[-1]}")) >= _MOST_PROBES:
            return None
        for place in places:
            enough = _DOUBTED * (2 if place == places[-1] else 1)
            if self.known.count(number(f"doubt {place}")) >= enough:
                return place
        return None

    def made_up(self, places: Sequence[str]) -> str | None:
        """Return the place of a page that makes text up."""
        if not self.known.count(number(f"any made-up {places[-1]}")):
            return None
        if self._is_trusted(places[0]):
            return None
        return next((each for each in places if self.known.count(number(f"made-up {each}"))), None)

    def probe(self, url: str, places: Sequence[str]) -> Probe | None:
        """Return an address that nobody can have written, and count it, if a page is in doubt."""
        place = self.place(places)
        if place is None:
            return None
        turn = self.known.add(number(f"probes {places[-1]}"), 1, most=_MOST_PROBES)
        return Probe(invented(url, level=places.index(place), turn=turn), place)

    def leave(self, places: Sequence[str], place: str) -> None:
        """Wait for more pages of a place before it is asked again: its answer told nothing."""
        for each in places[places.index(place) :]:
            name = number(f"doubt {each}")
            self.known.put(name, self.known.count(name) // 2)

    def says_missing(self, host: str, url: str, lines: Iterable[Sequence[str]]) -> bool:
        """Whether a line of an invented page was on another one, and on no true page of its host.

        So says a host that nothing is there, whatever it shows below that.
        """
        echo = set(_PART.findall(unquote(url).lower()))
        own = {
            " ".join(words) for words in lines if len(words) >= _SENTENCE and echo.isdisjoint(words)
        }
        is_missing = any(self.known.knows(host, f"invented {line}") for line in own)
        self.known.unseen(
            host, "invented", {line for line in own if not self.known.knows(host, f" {line}")}
        )
        return is_missing

    def judge(self, places: Sequence[str], place: str, *, new: int, share: float) -> None:
        """Take note of how much an invented address brought, and what share of its words is new.

        One that brings little clears its place; what it told of wider ones counts no more.
        """
        brings = self.known.count(number(f"brings {place}"))
        if share < _NEW_SHARE or new * 2 < brings:
            self.known.put(number(f"trusted {place}"), 1)
        elif self.known.add(number(f"lies {place}"), 1, most=PROBES) >= PROBES:
            self.known.put(number(f"made-up {place}"), 1)
            self.known.put(number(f"any made-up {places[-1]}"), 1)
        else:
            return
        for each in places[places.index(place) :]:
            self.known.put(number(f"doubt {each}"), 0)

    def _is_trusted(self, place: str) -> bool:
        return self.known.count(number(f"trusted {place}")) > 0


def invented(url: str, *, level: int, turn: int) -> str:
    """Return an address like another one (level 0), of its first folder (1), or of its host (2).

    >>> invented("http://a.example/story/old-road.html?from=home", level=0, turn=1)
    'http://a.example/story/raranu-banumo.html?from=home'
    >>> invented("http://a.example/story.php?n=4&of=all", level=0, turn=1)
    'http://a.example/story.php?n=2076736573&of=all'
    """
    scheme, (_, host, path) = url.partition(":")[0], split_url(url)
    folders, _, query = path.partition("?")
    names, salt = folders.split("/"), f"{turn} {url}"
    if level == 0 and query and not _VARIES.search(names[-1]):
        return urlunsplit((scheme, host, folders, _other_keys(query, salt), ""))
    first = (len(names) - 1, min(2, len(names) - 1), 1)[level]
    # An address that ends in a slash goes by the folder before it.
    first -= level == 0 and not names[-1] and len(names) > 2
    made = [*names[:first], *(_invented(each, salt) for each in names[first:])]
    return urlunsplit((scheme, host, "/".join(made), query, ""))


def _other_keys(query: str, salt: str) -> str:
    """Return parameters with other numbers, or all others if there is no number."""
    keys = [each.partition("=") for each in query.split("&")]
    has_number = any(_DIGIT.search(value) for _, _, value in keys)
    return "&".join(
        f"{key}{sign}{_invented(value, salt) if _DIGIT.search(value) or not has_number else value}"
        for key, sign, value in keys
    )


def _invented(name: str, salt: str) -> str:
    """Return a name with other words and numbers, but for its ending."""
    stem, dot, ending = name.rpartition(".")
    if not stem or len(ending) > 5:
        stem, dot, ending = name, "", ""
    return _PART.sub(lambda part: _word(f"{salt} {part[0]} {part.start()}", part[0]), stem) + (
        dot + ending
    )


def _word(salt: str, like: str) -> str:
    chance = xxhash.xxh3_64_intdigest(salt.encode("utf-8", "surrogatepass"))
    if like.isdigit():
        return str(_FIRST_NUMBER + chance % _NUMBERS)
    sounds = (_SOUNDS[chance // 14**place % 14] for place in range(3))
    return "".join(sounds)
