"""What was seen on every host: a bounded number of facts, of which each host has its fair share.

A fact is a number whose upper bits stand for its host. What was met longest ago is forgotten first,
and of the hosts with the most; so menus and forms, which every page repeats, are never forgotten,
and a large host does not push out the small ones.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

import xxhash

_FACT_BITS = 48
_FACT = (1 << _FACT_BITS) - 1
# How much is left when there were too many: the next to come need not make room again at once.
_LEFT = 0.9


def fact(host: str, text: str) -> int:
    """Return the number of something said of a host."""
    words = f"{host} {text}".encode("utf-8", "surrogatepass")
    return _place(host) | (xxhash.xxh3_64_intdigest(words) & _FACT)


@lru_cache(maxsize=20_000)
def _place(host: str) -> int:
    return xxhash.xxh3_64_intdigest(host.encode("utf-8", "surrogatepass")) & ~_FACT


@dataclass(slots=True)
class Memory:
    """Facts by host; some 80 bytes each."""

    most: int
    _by_host: dict[int, dict[int, None]] = field(default_factory=dict)
    _count: int = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, number: int) -> bool:
        return number in self._by_host.get(number >> _FACT_BITS, ())

    def add(self, numbers: Iterable[int]) -> list[int]:
        """Remember facts and return those that are new."""
        fresh = []
        for number in numbers:
            known = self._by_host.setdefault(number >> _FACT_BITS, {})
            if number in known:
                del known[number]
            else:
                fresh.append(number)
            known[number] = None
        self._count += len(fresh)
        if self._count > self.most:
            self._forget()
        return fresh

    def _forget(self) -> None:
        """Let hosts with more than their share forget what they met longest ago."""
        share = _share(sorted(map(len, self._by_host.values())), int(self.most * _LEFT))
        for host, known in self._by_host.items():
            if len(known) > share:
                self._by_host[host] = dict.fromkeys(list(known)[len(known) - share :])
        self._count = sum(map(len, self._by_host.values()))


def _share(sizes: list[int], most: int) -> int:
    """Return how much each may have for all to have no more than so much together.

    >>> _share([2, 10, 90], 32), _share([4, 4], 6)
    (20, 3)
    """
    for place, size in enumerate(sizes):
        share = most // (len(sizes) - place)
        if size > share:
            return share
        most -= size
    return max(sizes, default=0)
