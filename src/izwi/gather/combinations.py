"""Which addresses put choices together that can be had one by one: colour and size, tag and tag.

What is on a list of two choices is on the list of each, so these lists lead nowhere new; and there
is no end of them. That it is so on a host is learnt from the first few.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from izwi.gather.evidence import Evidence, number
from izwi.gather.variants import address
from izwi.store.leads import split_url

# So many that led nowhere make a habit; one that did outweighs three.
_HABIT, _AGAINST, _LEAST, _MOST = 5, -3, -12, 10
_MOST_CHOICES = 6
# Numbers and pages are no choices: the second page of a colour is on no other list.
_NO_CHOICE = re.compile(
    r"[\d.,:-]*$|.*\b(?:p|pg|page|pagina|página|seite|sida|side|bladsy|strona|offset|start|from)\b",
    re.IGNORECASE,
)
_TOGETHER = re.compile(r"[+,;]|%2[Cc]")
_BETWEEN = re.compile("[&;]")


@dataclass(slots=True)
class Combinations:
    """What was learnt of choices put together."""

    known: Evidence

    def place(self, url: str) -> str | None:
        """Return where a URL puts choices together each of which was asked alone, if it does."""
        host = split_url(url)[1]
        for place, singles in splits(url):
            if all(self.known.knows(host, f"asked {each}") for each in singles):
                return place
        return None

    def is_needless(self, url: str) -> bool:
        """Whether a URL is one of those that led nowhere."""
        if not self.known.count(number(f"any combination {split_url(url)[1]}")):
            return False
        place = self.place(url)
        return place is not None and self.known.count(number(f"combines {place}")) >= _HABIT

    def learn(self, url: str, place: str, *, leads_on: bool) -> None:
        """Take note of whether choices put together led anywhere."""
        step = _AGAINST if leads_on else 1
        if self.known.add(number(f"combines {place}"), step, least=_LEAST, most=_MOST) >= _HABIT:
            self.known.put(number(f"any combination {split_url(url)[1]}"), 1)


@lru_cache(maxsize=2_000)
def splits(url: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the places at which a URL may put choices together, each with its single choices.

    >>> splits("http://a.example/goods/red/large")
    (('a.example/goods', ('a.example/goods/red', 'a.example/goods/large')),)
    """
    return tuple(_splits(url))


def _splits(url: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    _, host, path = split_url(url)
    folders, _, query = path.partition("?")
    if query:
        keys, place = _BETWEEN.split(query), host + folders.rstrip("/")
        if _are_choices([" ".join(key.partition("=")[::2]) for key in keys]) and _are_choices(
            [key.partition("=")[2] for key in keys]
        ):
            yield f"{place}?", tuple(address(f"http://{place}?{key}") for key in keys)
        return
    names = [host, *folders.strip("/").split("/")]
    *above, last = names
    if _are_choices(parts := _TOGETHER.split(last)):
        yield "/".join([*above, "+"]), tuple("/".join([*above, part]) for part in parts)
    for depth in range(max(2, len(names) - _MOST_CHOICES), len(names) - 1):
        if _are_choices(names[depth:]):
            place = "/".join(names[:depth])
            yield place, tuple(f"{place}/{name}" for name in names[depth:])


def _are_choices(parts: list[str]) -> bool:
    return 1 < len(parts) <= _MOST_CHOICES and not any(map(_NO_CHOICE.match, parts))
