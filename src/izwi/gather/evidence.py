"""What is known of addresses and pages: counts by name and facts by host, kept in the catalog.

Both are bounded in memory; the catalog has the counts and the last million facts, so what a killed
run had seen is not new to the next.
"""

from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field

import xxhash

from izwi.gather.memory import Memory, fact
from izwi.store.catalog import Catalog

# Facts in memory (80 bytes each), of all hosts together, and in the catalog (8 bytes).
MOST_FACTS, _MOST_KEPT = 400_000, 1_000_000


@dataclass(slots=True)
class Evidence:
    """Counts and facts that several rules share."""

    catalog: Catalog
    seen: Memory = field(default_factory=lambda: Memory(MOST_FACTS))
    _counts: dict[int, int] = field(default_factory=dict)
    _unwritten: "array[int]" = field(default_factory=lambda: array("Q"))

    def __post_init__(self) -> None:
        for facts in self.catalog.facts():
            self.seen.add(array("Q", facts))

    def count(self, name: int, first: int = 0) -> int:
        """Return the count of a name, or what it begins with."""
        if name not in self._counts:
            if len(self._counts) > MOST_FACTS:
                self._counts.clear()
            known = self.catalog.credit(name)
            self._counts[name] = first if known is None else known
        return self._counts[name]

    def put(self, name: int, count: int, first: int = 0) -> None:
        """Remember the count of a name."""
        if count != self.count(name, first):
            self._counts[name] = count
            self.catalog.put_credit(name, count)

    def add(self, name: int, step: int, *, least: int = 0, most: int) -> int:
        """Change a count that begins with 0, inside bounds, and return it."""
        count = max(least, min(most, self.count(name) + step))
        self.put(name, count)
        return count

    def knows(self, host: str, text: str) -> bool:
        """Whether something was said of a host."""
        return fact(host, text) in self.seen

    def unseen(self, host: str, place: str, texts: Iterable[str]) -> int:
        """Return how many of some texts are new at a place of a host, and remember them."""
        return self.remember({fact(host, f"{place} {text}") for text in texts})

    def remember(self, facts: Iterable[int]) -> int:
        """Return how many facts are new, and remember them."""
        fresh = self.seen.add(facts)
        self._unwritten.extend(fresh)
        return len(fresh)

    def write(self) -> None:
        """Give the catalog what is new."""
        if self._unwritten:
            self.catalog.add_facts(self._unwritten.tobytes(), most=_MOST_KEPT * 8)
            self._unwritten = array("Q")


def number(name: str) -> int:
    """Return a hash that SQLite takes as a number."""
    return xxhash.xxh3_64_intdigest(name.encode("utf-8", "surrogatepass")) >> 1
