"""Snapshots: numbered lists of index segments; what one queries and cites."""

import json
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

from izwi.model.errors import QueryError, StoreError
from izwi.store.files import disk_errors, write_text
from izwi.store.layout import Layout
from izwi.store.versions import append_version, read_versions, withdraw_versions

# Fingerprints of segments that no build made begin with this; a build leaves them alone.
IMPORTED = "imported-"
# What a segment of several shards is marked with: each of its parts has a fingerprint of its own.
MERGED = "merged"


@dataclass(frozen=True, slots=True)
class SegmentPart:
    """The documents of one shard in a segment, where they follow each other."""

    shard: str
    # What a segment of this shard alone is marked with.
    fingerprint: str
    # Documents, those that are copies of others among them.
    rows: int
    # Documents that are no copies, and their tokens.
    documents: int
    tokens: int
    # Whether these documents count no more: they stand in another segment now, or nowhere.
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """A segment, what it was made from, and how much of it counts."""

    id: str
    fingerprint: str
    shards: tuple[str, ...]
    documents: int
    tokens: int
    # In the order of the documents; none of a segment that no build made.
    parts: tuple[SegmentPart, ...] = ()

    @property
    def gone(self) -> tuple[tuple[int, int], ...]:
        """The documents that count no more, as ranges of their numbers."""
        ends = accumulate(part.rows for part in self.parts)
        pairs = zip(self.parts, ends, strict=True)
        return tuple((end - part.rows, end) for part, end in pairs if part.is_gone)

    def without(self, shards: Container[str]) -> "SegmentEntry":
        """Return the same segment with the documents of some shards gone."""
        parts = tuple(
            replace(part, is_gone=part.is_gone or part.shard in shards) for part in self.parts
        )
        live = [part for part in parts if not part.is_gone]
        return replace(
            self,
            shards=tuple(sorted(part.shard for part in live)),
            documents=sum(part.documents for part in live),
            tokens=sum(part.tokens for part in live),
            parts=parts,
        )

    @property
    def is_imported(self) -> bool:
        """Whether the segment came from outside, so that no layer can make it again."""
        return self.fingerprint.startswith(IMPORTED)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of the corpus that stays as it is."""

    number: int
    published: str
    segments: tuple[SegmentEntry, ...]
    versions: dict[str, str] = field(default_factory=dict)

    @property
    def documents(self) -> int:
        """Documents in all segments."""
        return sum(segment.documents for segment in self.segments)

    @property
    def tokens(self) -> int:
        """Tokens in all segments."""
        return sum(segment.tokens for segment in self.segments)


EMPTY = Snapshot(0, "", ())


def publish(
    layout: Layout, segments: Sequence[SegmentEntry], *, published: str, versions: dict[str, str]
) -> Snapshot:
    """Write the next snapshot and make it the current one; numbers never go back."""
    adopt(layout)
    number = max(last_number(layout), _named_number(layout)) + 1
    snapshot = Snapshot(number, published, tuple(segments), versions)
    append_version(layout, asdict(snapshot))
    _write(layout, asdict(snapshot))
    return snapshot


def adopt(layout: Layout) -> None:
    """Put versions into the record that were published before there was one."""
    known = {row["number"] for row in read_versions(layout)}
    for number in numbers(layout):
        if number not in known:
            with suppress(StoreError):
                append_version(layout, asdict(read(layout, number)))


def restore(layout: Layout) -> list[str]:
    """Write manifests again that are not what was published, and return what was done."""
    done = []
    rows = [row for row in read_versions(layout) if _is_there(layout, row)]
    for row in rows:
        path = _manifest(layout, row["number"])
        if not path.exists() or path.read_text(encoding="utf-8", errors="replace") != _text(row):
            with disk_errors():
                write_text(path, _text(row))
            done.append(f"{path.relative_to(layout.root)} was damaged; it is written again.")
    newest = max(numbers(layout), default=0)
    if newest and _named_number(layout) != newest:
        with disk_errors():
            write_text(layout.snapshots / "current", f"{newest:04d}\n")
    return done


def withdraw_older(layout: Layout, kept: int) -> int:
    """Forget what the versions before one hold; their numbers and dates stay on record."""
    adopt(layout)
    withdraw_versions(layout, kept)
    older = [number for number in numbers(layout) if number != kept]
    for number in older:
        _manifest(layout, number).unlink()
    return len(older)


def _is_there(layout: Layout, row: dict[str, Any]) -> bool:
    """Whether a version was not withdrawn, and its segments are there to be read."""
    segments = row.get("segments")
    if segments is None:
        return False
    return all((layout.segments / entry["id"]).is_dir() for entry in segments)


def _text(row: dict[str, Any]) -> str:
    return json.dumps(row, indent=1)


def _write(layout: Layout, row: dict[str, Any]) -> None:
    write_text(_manifest(layout, row["number"]), _text(row))
    write_text(layout.snapshots / "current", f"{row['number']:04d}\n")


def current(layout: Layout) -> Snapshot:
    """Return the snapshot that readers see; an empty one before the first build."""
    number = current_number(layout)
    return read(layout, number) if number else EMPTY


def current_number(layout: Layout) -> int:
    """Return the number of the current snapshot, 0 before the first.

    If its manifest is gone, the newest that is left is the current one.
    """
    number = _named_number(layout)
    return number if _manifest(layout, number).exists() else _last_number(layout)


def read(layout: Layout, number: int) -> Snapshot:
    """Return a snapshot by its number."""
    path = _manifest(layout, number)
    try:
        row = json.loads(path.read_text(encoding="utf-8"))
        segments = tuple(map(entry_of, row["segments"]))
        return Snapshot(row["number"], row["published"], segments, row["versions"])
    except FileNotFoundError:
        raise QueryError(
            f"There is no version {number} of this corpus; the newest is {_last_number(layout)}."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise StoreError(
            f"{path} is damaged ({error}). Delete it and run: izwi build {layout.root}"
        ) from error


def entry_of(row: Mapping[str, Any]) -> SegmentEntry:
    """Return an entry as it was written, in a manifest or in the segment itself."""
    names = ("id", "fingerprint", "documents", "tokens")
    parts = tuple(SegmentPart(**part) for part in row.get("parts", ()))
    return SegmentEntry(
        **{name: row[name] for name in names}, shards=tuple(row["shards"]), parts=parts
    )


def numbers(layout: Layout) -> list[int]:
    """Return the numbers of the snapshots that are there, the oldest first."""
    stems = (path.stem for path in layout.snapshots.glob("[0-9]*.json"))
    return sorted(int(stem) for stem in stems if stem.isdigit())


def _manifest(layout: Layout, number: int) -> Path:
    return layout.snapshots / f"{number:04d}.json"


def _named_number(layout: Layout) -> int:
    try:
        return int((layout.snapshots / "current").read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return 0


def _last_number(layout: Layout) -> int:
    return max(numbers(layout), default=0)


def last_number(layout: Layout) -> int:
    """Return the highest number that was ever given to a version."""
    recorded: list[int] = [row["number"] for row in read_versions(layout)]
    return max(_last_number(layout), *recorded, 0)
