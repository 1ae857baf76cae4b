"""Taking pages down: out of serving at once, out of the files by `compact`, never fetched again."""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from izwi.gather.urls import canonical
from izwi.model.capture import CaptureEntry
from izwi.model.errors import QueryError
from izwi.service.runs import Run
from izwi.store import snapshots
from izwi.store.files import disk_errors, replacing
from izwi.store.layout import Layout
from izwi.store.takedowns import Takedown, Takedowns, read_takedowns, write_takedowns
from izwi.store.warc import read_entries, write_entries


@dataclass(frozen=True, slots=True)
class TakedownReport:
    """What was taken down: how many captures, in which shards."""

    target: str
    captures: int
    shards: tuple[str, ...]


def add(layout: Layout, run: Run, target: str, reason: str) -> TakedownReport:
    """Write the decision; the next build leaves the pages out."""
    wanted = Takedown(_target(target), reason, _now())
    known = read_takedowns(layout)
    found = dict(_captures(layout, wanted))
    wanted = replace(wanted, shards=tuple(sorted(found)))
    others = tuple(entry for entry in known.entries if entry.target != wanted.target)
    with disk_errors():
        write_takedowns(layout, Takedowns((*others, wanted)))
    return TakedownReport(wanted.target, sum(found.values()), wanted.shards)


def forget_older(layout: Layout) -> int:
    """Delete earlier snapshots and the segments only they name; return how many snapshots."""
    current = snapshots.current(layout)
    kept = {entry.id for entry in current.segments}
    older = [
        path
        for path in layout.snapshots.glob("[0-9]*.json")
        if path.stem.isdigit() and int(path.stem) != current.number
    ]
    for path in older:
        path.unlink()
    for folder in layout.segments.glob("*"):
        if folder.is_dir() and folder.name not in kept:
            shutil.rmtree(folder)
    return len(older)


def compact(layout: Layout, run: Run) -> tuple[str, ...]:
    """Rewrite the shards that hold what was taken down; return their names."""
    takedowns = read_takedowns(layout)
    shards = sorted({shard for entry in takedowns.entries for shard in entry.shards})
    with disk_errors():
        for shard in shards:
            _rewrite(layout, run, shard, takedowns)
        done = tuple(
            replace(entry, shards=(), compacted=entry.compacted or _now())
            for entry in takedowns.entries
        )
        write_takedowns(layout, Takedowns(done))
    return tuple(shards)


def _rewrite(layout: Layout, run: Run, shard: str, takedowns: Takedowns) -> None:
    """Write a shard anew without what was taken down; its layers are made again by a build."""
    warc, listing = layout.warc(shard), layout.captures(shard)
    new_warc, new_listing = (path.with_name(f"{path.name}.new") for path in (warc, listing))
    # Once the new list exists both are whole, and a run killed here is only to be finished.
    if not new_listing.exists():
        write_entries(new_listing, _write_rest(warc, listing, new_warc, takedowns))
    for path in layout.layers.glob(f"*/{shard}.parquet"):
        path.unlink()
    if new_warc.exists():
        new_warc.replace(warc)
    new_listing.replace(listing)
    run.catalog.replace_captures(shard, read_entries(listing), warc.stat().st_size)
    run.catalog.commit()


def _write_rest(
    warc: Path, listing: Path, new_warc: Path, takedowns: Takedowns
) -> list[CaptureEntry]:
    """Write what may stay to a new file and return where each capture lies in it."""
    entries = list(read_entries(listing))
    kept: list[CaptureEntry] = []
    with replacing(new_warc) as temporary, temporary.open("wb") as output, warc.open("rb") as file:
        output.write(file.read(min((entry.offset for entry in entries), default=0)))
        for entry in entries:
            if not takedowns.covers(entry.url):
                file.seek(entry.offset)
                kept.append(replace(entry, offset=output.tell()))
                output.write(file.read(entry.length))
    return kept


def _captures(layout: Layout, wanted: Takedown) -> Iterator[tuple[str, int]]:
    for shard in layout.sealed_shards():
        count = sum(wanted.covers(entry.url) for entry in read_entries(layout.captures(shard)))
        if count:
            yield shard, count


def _target(text: str) -> str:
    """Return a URL in the form it is remembered under, or a host."""
    found = canonical(text) if "://" in text else text.strip().lower().rstrip(".")
    if not found or ("://" not in text and ("/" in found or "." not in found)):
        raise QueryError(
            f"'{text}' is neither a URL nor a host; write https://example.org/page or example.org."
        )
    return found


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
