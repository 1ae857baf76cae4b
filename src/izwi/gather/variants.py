"""Which addresses show again what another one showed: for print, for a visit, in another version.

A variant is its page's address with a parameter, a folder or a place more. Which of these change
nothing is learnt: where three different texts were had again at such addresses, and no other text,
the addresses of that shape are not asked any more beside the pages they are made of. Three may be
an accident (the first pages of a translation say what they translate), so of those that are left
out the fourth, the eighth, the sixteenth and so on are asked all the same: one with new text of its
own ends the habit at once, and what was left out meanwhile is asked.
"""

import re
from dataclasses import dataclass, field
from functools import lru_cache

import xxhash

from izwi.gather.evidence import Evidence, number
from izwi.model.capture import Lead
from izwi.store.leads import split_url

# So many different texts said again make a habit; another text than the page's takes two away. A
# number of a page (?id=) is no variant though some pages say the same, so what speaks against it
# is remembered longer.
_HABIT, _AGAINST, _LEAST = 3, -2, -12
_MOST_KEYS = 6
# Addresses held in memory with what is read from them: some have thousands of letters.
_MOST_ADDRESSES = 2_000
# The first of those left out that is asked all the same; then after twice as many each time.
_FIRST_SAMPLE, _MOST_COUNTED = 4, 1 << 30
# So many pairs of words are looked at of a page (see traps): more words cannot be new.
_MOST_NEW = 512
# An archive that shows one page whole is not that page: it may have four times its words at most.
_SIZES_ABOVE = 2
# Links that were left out, of all shapes together and of one.
_MOST_LEFT_OUT, _MOST_OF_SHAPE = 20_000, 1_000
# What a page says is known by its longest lines, of so many words together at least.
_LINES, _FEWEST_WORDS = 2, 8
_WORDS = re.compile(r"[^\W\d_]+")
_BETWEEN = re.compile("[&;]")
# A name of several words is that of one page, in whatever folder it stands.
_BY_NAME, _ALL = "name", "?"
_NAME = re.compile(r"[^\W\d_]+(?:[-_][^\W_]+)+")
# A page in another language is no variant, though it may show the first until it is translated.
_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}|\d{3}))?", re.IGNORECASE)
_LANGUAGE_KEY = re.compile(r"(?:.*lang.*|.*locale.*|hl|lng)", re.IGNORECASE)


@dataclass(slots=True)
class Variants:
    """What was learnt of the addresses of a run."""

    known: Evidence
    # By shape, what was left out in this run; and shapes that turned out to be none of variants.
    _left_out: dict[str, dict[str, Lead]] = field(default_factory=dict)
    _ended: set[str] = field(default_factory=set)

    def is_one(self, url: str, shape: str) -> bool:
        """Whether a URL shows again what was asked under a simpler address."""
        if not self.known.count(number(f"varies {shape}")):
            return False
        habits = [
            (way, root)
            for way, root in roots(url)
            if self.known.count(number(f"varies {way} {shape}")) >= _HABIT
        ]
        # Only beside a page that was read does its text tell something.
        if any(self._places(url, way, root, shape) for way, root in habits):
            return not self._is_sample(url, shape)
        return any(self._is_queued(url, way, root) for way, root in habits)

    def _is_sample(self, url: str, shape: str) -> bool:
        """Whether a variant is asked all the same, so that a habit that was none can end."""
        host = _host(url)
        if self.known.knows(host, f"sample {url}"):
            return True
        if not self.known.unseen(host, "beside", {url}):
            return False
        count = self.known.add(number(f"left out {shape}"), 1, most=_MOST_COUNTED)
        is_sample = count >= _FIRST_SAMPLE and count & (count - 1) == 0
        if is_sample:
            self.known.unseen(host, "sample", {url})
        return is_sample

    def has_some(self, url: str) -> bool:
        """Whether a URL is what variants with parameters are made of, and these were asked."""
        return self.known.knows(_host(url), f"root {address(url)}")

    def _is_queued(self, url: str, way: str, root: str) -> bool:
        if way == _BY_NAME:
            return False
        scheme = url.partition("//")[0]
        return self.known.catalog.state_of(f"{scheme}//{root}") in ("waiting", "fetched")

    def leave_out(self, lead: Lead, shape: str) -> None:
        """Remember a link that is left out, as long as there is room."""
        if len(self._left_out) * _MOST_OF_SHAPE < _MOST_LEFT_OUT or shape in self._left_out:
            leads = self._left_out.setdefault(shape, {})
            if len(leads) < _MOST_OF_SHAPE:
                leads[lead.url] = lead

    def returned(self) -> dict[str, list[Lead]]:
        """Return by shape what was left out by habits that have ended since this was asked last."""
        found = {
            shape: list(self._left_out.pop(shape, {}).values()) for shape in sorted(self._ended)
        }
        self._ended.clear()
        return found

    def learn(self, url: str, shape: str, text: str, new: int) -> None:
        """Take note of what a page says, of whose pairs of words so many were new."""
        host, lines, words = _host(url), _longest_lines(text), len(_WORDS.findall(text))
        self.known.unseen(host, "asked", {address(url)})
        if not lines:
            return
        said = xxhash.xxh3_64_hexdigest(" ".join(lines).encode("utf-8", "surrogatepass"))
        for way, root in roots(url):
            if places := self._places(url, way, root, shape):
                is_new = new * 4 >= min(words, _MOST_NEW)
                is_again = not is_new and all(
                    any(self.known.knows(host, f"said {place} {line}") for place in places)
                    for line in lines
                )
                if is_again and way == "last" and not self._is_as_long(host, places, words):
                    continue
                if is_new and self._ends(host, f"varies {way} {shape}", shape):
                    continue
                self._weigh(host, f"varies {way} {shape}", said, shape, is_again=is_again)
        own = {address(url), *(_place(way, root, shape) for way, root in roots(url))}
        self.known.unseen(host, "asked", own)
        below = {_place(way, root, shape) for way, root in roots(url) if way == "last"}
        self.known.unseen(host, f"size {words.bit_length()}", {address(url), *below})
        self.known.unseen(host, "root", {root for way, root in roots(url) if way == _ALL})
        self.known.unseen(host, "said", {f"{place} {line}" for place in own for line in lines})

    def _places(self, url: str, way: str, root: str, shape: str) -> list[str]:
        """Return under which of its names a root was asked: itself, or in another variant."""
        places = (root, _place(way, root, shape))
        return [each for each in places if self.known.knows(_host(url), f"asked {each}")]

    def _is_as_long(self, host: str, places: list[str], words: int) -> bool:
        """Whether what was asked at a place has little else than so many words."""
        sizes = range(words.bit_length() + _SIZES_ABOVE)
        return any(
            self.known.knows(host, f"size {size} {place}") for size in sizes for place in places
        )

    def _ends(self, host: str, habit: str, shape: str) -> bool:
        """Whether new text at a variant ends a habit: for long, and what was left out is asked."""
        if self.known.count(number(habit)) < _HABIT:
            return False
        self.known.put(number(habit), _LEAST)
        self.known.put(number(f"left out {shape}"), 0)
        self._ended.add(shape)
        return True

    def _weigh(self, host: str, habit: str, said: str, shape: str, *, is_again: bool) -> None:
        # The same words under many addresses (a form) are one text, and speak once.
        if is_again and not self.known.unseen(host, habit, {said}):
            return
        step = 1 if is_again else _AGAINST
        if self.known.add(number(habit), step, least=_LEAST, most=_HABIT * 4) >= _HABIT:
            self.known.put(number(f"varies {shape}"), 1)


@lru_cache(maxsize=_MOST_ADDRESSES)
def address(url: str) -> str:
    """Return an address with its parameters in order.

    >>> address("http://a.example/story/?b=2&a=1")
    'a.example/story?a=1&b=2'
    """
    _, host, path = split_url(url)
    folders, _, query = path.partition("?")
    return _written(host + folders, _BETWEEN.split(query) if query else [])


@lru_cache(maxsize=_MOST_ADDRESSES)
def roots(url: str) -> tuple[tuple[str, str], ...]:
    """Return the addresses of which a URL may be a variant, each with the way that leads to it.

    >>> [root for _, root in roots("http://a.example/m/old-road?print=1")]
    ['a.example/m/old-road', 'a.example/m', 'a.example/old-road', 'a.example old-road']
    """
    _, host, path = split_url(url)
    folders, _, query = path.partition("?")
    folders, found = folders.rstrip("/"), list[tuple[str, str]]()
    keys = sorted(_BETWEEN.split(query)) if query else []
    has_language = any(map(_names_language, keys))
    if query:
        if not has_language:
            found.append((_ALL, host + folders))
        if 1 < len(keys) <= _MOST_KEYS:
            found += [
                (f"?{key.partition('=')[0]}", _written(host + folders, keys[:at] + keys[at + 1 :]))
                for at, key in enumerate(keys)
                if not _names_language(key)
            ]
    _, *names = folders.split("/")
    if len(names) > 1 and not _LANGUAGE.fullmatch(names[-1]):
        found.append(("last", "/".join([host, *names[:-1]])))
    if len(names) > 1 and not _LANGUAGE.fullmatch(names[0]):
        found.append(("first", "/".join([host, *names[1:]])))
    has_language = has_language or any(map(_LANGUAGE.fullmatch, names[:-1]))
    if names and _NAME.match(names[-1]) and not has_language:
        found.append((_BY_NAME, f"{host} {names[-1].partition('.')[0]}"))
    return tuple(found)


def _names_language(key: str) -> bool:
    """Whether a parameter says in which language a page is shown.

    >>> [_names_language(key) for key in ("lang=zulu", "to=en-ZA", "print=yes", "id=77")]
    [True, True, False, False]
    """
    name, _, value = key.partition("=")
    return bool(_LANGUAGE_KEY.fullmatch(name) or _LANGUAGE.fullmatch(value))


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
