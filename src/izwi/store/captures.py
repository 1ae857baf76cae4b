"""Where captures go: open a WARC file, commit, seal, mend after a kill."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from izwi.model.capture import Capture, CaptureEntry, Headers, Lead
from izwi.model.errors import CorruptShard, StoreError
from izwi.model.notation import size_bytes
from izwi.store.catalog import Catalog, Queued, ShardState
from izwi.store.files import disk_errors
from izwi.store.layout import SHARD, Layout
from izwi.store.objects import is_kept
from izwi.store.warc import WarcWriter, is_whole_list, read_capture, read_entries, write_entries

if TYPE_CHECKING:
    from izwi.config.schema import GatherSection

# Four digits of a shard's name.
_MOST_A_DAY = 9999
# What the captures do not tell.
LOST_WITH_CATALOG = "what waited, was refused or failed is not known any more"


class CaptureStore:
    """Appends captures to the open shard; a capture counts once `commit` has returned."""

    def __init__(
        self,
        layout: Layout,
        catalog: Catalog,
        *,
        shard_bytes: int,
        shard_pages: int = 2000,
        software: str,
    ) -> None:
        self._layout = layout
        self._catalog = catalog
        self._shard_bytes = shard_bytes
        self._shard_pages = shard_pages
        self._software = software
        self._shard = ""
        self._content = self._pages = 0
        self._writer: WarcWriter | None = None

    def recover(self) -> list[str]:
        """Bring files and catalog into step after a kill; return what was noticed."""
        # Files first: one that another gatherer begins meanwhile is in the catalog before it is.
        sealed, growing = self._layout.sealed_shards(), list(self._open_files())
        known = {shard.name: shard for shard in self._catalog.shards()}
        others = self._catalog.others_shards()
        with disk_errors():
            notices = [self._adopt(name) for name in sealed if name not in known]
            if sealed and not known:
                notices.append(f"The catalog was lost: {LOST_WITH_CATALOG}.")
            notices += [self._put_aside(name) for name in growing if name not in known]
            # Where no file at all is at hand, a disk is rather not mounted than every file lost.
            is_away = not any(
                self._is_sealed(name) or _size(self._layout.open_warc(name)) for name in known
            )
            for shard in known.values():
                if shard.name not in others:
                    notices += self._mend(shard, is_away=is_away)
        self._catalog.commit()
        return notices

    def append(self, queued: Queued, capture: Capture) -> None:
        """Write a capture at the end of the open shard."""
        with disk_errors():
            writer = self._writer or self._start()
            entry = writer.append(capture)
        self._catalog.add_capture(queued, self._shard, entry)
        self._content += len(capture.body)
        self._pages += 1

    def stored(self, host: str, source: str) -> Iterator[Capture]:
        """Yield the pages of a host that a source brought and that can still be read."""
        for shard, entry in self._catalog.captures_of_host(host, source):
            with suppress(CorruptShard):
                yield read_capture(self._layout.warc(shard), entry)

    def append_revisit(self, lead: Lead, before: CaptureEntry, headers: Headers) -> None:
        """Write that a server still had what was captured before."""
        with disk_errors():
            (self._writer or self._start()).append_revisit(lead, before, headers)

    def commit(self) -> None:
        """Make everything so far durable: the file first, then the catalog that counts it."""
        if self._writer is not None:
            with disk_errors():
                committed = self._writer.commit()
            self._catalog.put_shard(ShardState(self._shard, False, committed, self._content))
        self._catalog.commit()
        if self.is_full:
            self.seal()

    @property
    def is_full(self) -> bool:
        """Whether the open shard has reached its size and wants to be committed and sealed."""
        return self._content >= self._shard_bytes or self._pages >= self._shard_pages

    def seal(self) -> None:
        """Close the open shard for good, if it holds anything that is committed."""
        layout, shard = self._layout, self._shard
        entries = list(self._catalog.captures(shard))
        if self._writer is None or not entries:
            return
        with disk_errors():
            self._writer.seal(layout.warc(shard), layout.captures(shard), entries)
        self._catalog.put_shard(ShardState(shard, True, self._writer.size, self._content))
        self._catalog.commit()
        self._writer, self._content, self._pages = None, 0, 0

    def close(self) -> None:
        """Let go of the open file; what was not committed is cut off by the next run."""
        if self._writer is not None:
            self._writer.close()

    def _start(self) -> WarcWriter:
        # The catalog knows the name before the file exists, so a file it does not know is not ours.
        while not self._catalog.new_shard(name := self._next_name()):
            continue  # another gatherer took it
        self._shard = name
        self._writer = WarcWriter.create(self._layout.open_warc(self._shard), self._software)
        return self._writer

    def _next_name(self) -> str:
        """Return a name later than all others, even if the clock went back."""
        known = {shard.name for shard in self._catalog.shards()}
        files = (SHARD.match(path.name) for path in self._layout.warcs.glob("*"))
        last = max(known | {match[0] for match in files if match}, default="")
        day = max(f"{datetime.now(UTC):%Y-%m-%d}", last[:10])
        number = int(last[11:]) + 1 if last[:10] == day else 1
        if number > _MOST_A_DAY:
            day, number = f"{date.fromisoformat(day) + timedelta(days=1)}", 1
        return f"{day}-{number:04d}"

    def _mend(self, shard: ShardState, *, is_away: bool) -> list[str]:
        """Bring one file into the state the catalog has, and say what is missing."""
        name, growing = shard.name, self._layout.open_warc(shard.name)
        if self._is_sealed(name):
            return self._mend_sealed(shard)
        if shard.committed == 0:
            growing.unlink(missing_ok=True)
            self._catalog.forget_shard(name)
            return []
        size = _size(growing) or 0
        has_list = _size(self._layout.captures(name)) is not None
        if size == 0 and (is_away or has_list) and not self._has_layers(name):
            # It may come back: nothing is forgotten, nothing asked again.
            return self._mend_sealed(shard) if shard.is_sealed else [self._missing(name)]
        if size < shard.committed:
            return self._mend_short(shard, size)
        if shard.is_sealed:  # copied before it got its last name, the catalog after
            os.truncate(growing, shard.committed)
            growing.replace(self._layout.warc(name))
            return self._mend_sealed(shard)
        self.seal()  # there are several if gatherers died together
        self._shard, self._content = name, shard.content
        self._pages = self._catalog.capture_counts().get(name, 0)
        self._writer = WarcWriter(growing, committed=shard.committed)
        return []

    def _mend_short(self, shard: ShardState, size: int) -> list[str]:
        """Keep the whole captures of a file that ends too early, and queue the others again.

        So is a copy made while a gatherer wrote, if the file was copied before the catalog.
        """
        name, growing = shard.name, self._layout.open_warc(shard.name)
        if self._has_layers(name):
            # What was made of them stays; captures that cannot be read get their ledger lines.
            if growing.exists():
                growing.replace(self._layout.warc(name))
            return [f"{growing.name} has lost committed captures.", *self._mend_sealed(shard)]
        whole = (entry.offset + entry.length for entry in self._catalog.captures(name))
        end = max((place for place in whole if place <= size), default=0)
        lost = self._catalog.queue_again(name, beyond=end)
        if end:
            os.truncate(growing, end)
            growing.replace(self._layout.warc(name))
            self._catalog.put_shard(ShardState(name, True, end, shard.content))
            write_entries(self._layout.captures(name), self._catalog.captures(name))
        else:
            growing.unlink(missing_ok=True)
            self._catalog.forget_shard(name)
        words = f"{growing.name} has lost {lost} committed captures."
        return [f"{words} The next gathering asks for them again; imports are to be made again."]

    def _mend_sealed(self, shard: ShardState) -> list[str]:
        name = shard.name
        if not is_whole_list(self._layout.captures(name)):
            write_entries(self._layout.captures(name), self._catalog.captures(name))
        if not shard.is_sealed:
            self._take_unknown(shard)
        return [] if self._is_sealed(name) else [self._missing(name)]

    def _has_layers(self, name: str) -> bool:
        layers = self._layout.layers
        folders = layers.iterdir() if _size(layers) is not None else ()
        return any(_size(folder / f"{name}.parquet") is not None for folder in folders)

    def _missing(self, name: str) -> str:
        return f"{self._layout.warc(name)} is missing; put it back if you have a copy."

    def _is_sealed(self, name: str) -> bool:
        """Whether the file has its last name, here or in an object store."""
        path = self._layout.warc(name)
        return _size(path) is not None or is_kept(path)

    def _take_unknown(self, shard: ShardState) -> None:
        """Take in what was sealed after the catalog was copied, so that nothing is there twice."""
        known = {entry.offset for entry in self._catalog.captures(shard.name)}
        listed = list(read_entries(self._layout.captures(shard.name)))
        self._catalog.take(shard.name, (each for each in listed if each.offset not in known))
        end = max((each.offset + each.length for each in listed), default=0)
        committed = max(shard.committed, end)
        self._catalog.put_shard(ShardState(shard.name, True, committed, shard.content))

    def _adopt(self, name: str) -> str:
        """Take a sealed file the catalog does not know, for instance after the catalog was lost."""
        try:
            entries = list(read_entries(self._layout.captures(name)))
        except CorruptShard as error:
            return f"{self._layout.warc(name)} cannot be taken into the catalog: {error}"
        size = self._layout.warc(name).stat().st_size
        self._catalog.put_shard(ShardState(name, True, size, size))
        self._catalog.take(name, entries)
        self._catalog.commit()
        return f"{name}: {len(entries)} captures were put back into the catalog."

    def _put_aside(self, name: str) -> str:
        path = self._layout.open_warc(name)
        aside = path.with_name(f"{name}.warc.gz.orphan")
        path.replace(aside)
        return f"{path.name} is not in the catalog; it was kept as {aside.name}."

    def _open_files(self) -> Iterable[str]:
        return sorted(
            path.name.removesuffix(".warc.gz.open") for path in self._layout.warcs.glob("*.open")
        )


def _size(path: Path) -> int | None:
    """Return how long a file is, none if it is not there; an error if that cannot be told.

    `Path.exists` and `Path.glob` take a file for missing that cannot be looked at just now.
    """
    try:
        return path.stat().st_size
    except (FileNotFoundError, NotADirectoryError):
        if path.is_symlink():
            raise StoreError(
                f"{path} leads to {path.readlink()}, which is not there now. Is a disk missing?"
            ) from None
        return None


def configured_store(layout: Layout, catalog: Catalog, settings: "GatherSection") -> CaptureStore:
    """Return the store of captures as corpus.toml describes its files."""
    from importlib.metadata import version

    return CaptureStore(
        layout,
        catalog,
        shard_bytes=size_bytes(settings.warc_size),
        shard_pages=settings.warc_pages,
        software=f"izwi/{version('izwi')}",
    )
