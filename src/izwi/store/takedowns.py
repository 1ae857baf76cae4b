"""What was taken down: a file of the corpus, read by all that fetches, imports or serves.

One JSON object a line, never removed: it is also the record that it was done.
"""

import json
from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import asdict
from functools import cached_property
from urllib.parse import urlsplit

from izwi.model.commands import typed
from izwi.model.errors import StoreError
from izwi.model.records import dataclass
from izwi.store.files import write_text
from izwi.store.layout import Layout
from izwi.store.sums import forget, is_known


@dataclass(frozen=True, slots=True)
class Takedown:
    """One decision: a URL, or a host with all below it."""

    target: str
    reason: str
    asked: str
    # The shards that hold captures of it, until they have been rewritten.
    shards: tuple[str, ...] = ()
    # When the files were rewritten; empty until `izwi compact`.
    compacted: str = ""

    def covers(self, url: str) -> bool:
        """Return whether a URL is taken down by this.

        >>> Takedown("example.org", "", "").covers("http://www.example.org/a")
        True
        """
        if "://" in self.target:
            return url == self.target
        if self.target not in url.lower():  # as nearly always; taking it apart costs ten times that
            return False
        host = (urlsplit(url).hostname or "").lower()
        return host == self.target or host.endswith(f".{self.target}")


@dataclass(frozen=True)
class Takedowns:
    """All decisions of a corpus."""

    entries: tuple[Takedown, ...] = ()

    def covers(self, url: str) -> bool:
        """Return whether a URL is taken down."""
        if not self.entries:
            return False
        if url in self._urls:
            return True
        return any(entry.covers(url) for entry in self._hosts)

    def targets_in(self, shards: Collection[str]) -> list[str]:
        """Return what was taken down, and not yet rewritten, in some shards."""
        held = {id(each): each for shard in shards for each in self._by_shard.get(shard, ())}
        return sorted(entry.target for entry in held.values())

    def concerning(self, shard: str) -> list[Takedown]:
        """Return what may change a shard's lines: what it holds, and what names no shard."""
        return [*self._by_shard.get(shard, ()), *self._by_shard.get("", ())]

    @cached_property
    def _by_shard(self) -> dict[str, list[Takedown]]:
        # Asked for every shard: looking at all entries each time would cost shards times entries.
        found: dict[str, list[Takedown]] = {}
        for entry in self.entries:
            for shard in dict.fromkeys(entry.shards or ("",)):
                found.setdefault(shard, []).append(entry)
        return found

    @cached_property
    def _urls(self) -> frozenset[str]:
        return frozenset(entry.target for entry in self.entries if "://" in entry.target)

    @cached_property
    def _hosts(self) -> tuple[Takedown, ...]:
        return tuple(entry for entry in self.entries if "://" not in entry.target)


def read_takedowns(layout: Layout) -> Takedowns:
    """Return what was taken down in a corpus."""
    try:
        lines = layout.takedowns.read_text(encoding="utf-8").splitlines()
        return Takedowns(tuple(_entry(line) for line in lines if line.strip()))
    except FileNotFoundError:
        if is_known(layout, layout.takedowns):
            raise StoreError(
                f"{layout.takedowns} is missing; what it lists must not be fetched or served. Put "
                f"back a copy, or run: izwi build {typed(layout.root)}"
            ) from None
        return Takedowns()
    except (ValueError, TypeError, KeyError, OSError) as error:
        raise StoreError(
            f"{layout.takedowns} is damaged ({error}). Mend it before you go on: what it lists "
            "must not be fetched or served."
        ) from error


def readable_takedowns(layout: Layout) -> Iterator[Takedown]:
    """Yield what can be read of a damaged list."""
    with suppress(FileNotFoundError):
        for line in layout.takedowns.read_text(encoding="utf-8", errors="replace").splitlines():
            with suppress(ValueError, TypeError, KeyError):
                yield _entry(line)


def _entry(line: str) -> Takedown:
    row = json.loads(line)
    return Takedown(**row | {"shards": tuple(row["shards"])})


def write_takedowns(layout: Layout, takedowns: Takedowns) -> None:
    """Replace the list in one step."""
    forget(layout, layout.takedowns)
    rows = (json.dumps(asdict(entry), ensure_ascii=False) + "\n" for entry in takedowns.entries)
    write_text(layout.takedowns, "".join(rows))
