"""Snapshots: numbered lists of index segments, which one queries and cites; never renumbered.

The record of every version that was ever published: numbers are cited, so they never go back. One
line a version, each with a sum of its own. It lies beside the index, not in it, and so stays when a
corpus is moved without its index.
"""

import json
import os
from collections.abc import Container, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, field, replace
from itertools import accumulate
from pathlib import Path
from typing import Any

import xxhash

from izwi.model.commands import typed
from izwi.model.errors import QueryError, StoreError
from izwi.model.records import dataclass
from izwi.store.files import disk_errors, write_text
from izwi.store.layout import Layout
from izwi.store.sums import forget
from izwi.store.takedowns import read_takedowns

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
    # Single ones of them that count no more, as ranges of their numbers among these.
    gone: tuple[tuple[int, int], ...] = ()

    @property
    def idle(self) -> int:
        """How many documents count no more."""
        return self.rows if self.is_gone else sum(last - first for first, last in self.gone)


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """A segment, what it was made from, and how much of it counts."""

    id: str
    fingerprint: str
    shards: tuple[str, ...]
    documents: int
    tokens: int
    # In the order of the documents. A segment that no build made has one, of no shard, once some of
    # it was taken down.
    parts: tuple[SegmentPart, ...] = ()

    @property
    def gone(self) -> tuple[tuple[int, int], ...]:
        """The documents that count no more, as ranges of their numbers."""
        return tuple(
            (begin + first, begin + last)
            for part, begin in self.beginnings
            for first, last in (((0, part.rows),) if part.is_gone else part.gone)
        )

    @property
    def beginnings(self) -> "tuple[tuple[SegmentPart, int], ...]":
        """The parts, each with the number of its first document."""
        begins = accumulate((part.rows for part in self.parts), initial=0)
        return tuple(zip(self.parts, begins, strict=False))

    def without(self, shards: Container[str]) -> "SegmentEntry":
        """Return the same segment with the documents of some shards gone."""
        parts = (replace(part, is_gone=part.is_gone or part.shard in shards) for part in self.parts)
        return self.of_parts(tuple(parts))

    def of_parts(self, parts: "tuple[SegmentPart, ...]") -> "SegmentEntry":
        """Return the same segment with parts that count otherwise."""
        live = [part for part in parts if not part.is_gone]
        return replace(
            self,
            shards=tuple(sorted({part.shard for part in live if part.shard})),
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
            f"{_why_gone(layout, number)}; the newest is {_last_number(layout)}."
        ) from None
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        raise StoreError(
            f"{path} is damaged ({error}). Delete it and run: izwi build {typed(layout.root)}"
        ) from error


def _why_gone(layout: Layout, number: int) -> str:
    """Return why a version cannot be read: it never was, or what it held was deleted."""
    gone = next((row for row in read_versions(layout) if row["number"] == number), None)
    if gone is None or gone["segments"] is not None:
        return f"There is no version {number} of this corpus"
    # Times are written in one form, so they sort as texts.
    asked = sorted(each.asked for each in read_takedowns(layout).entries)
    when = next((time[:10] for time in asked if time >= gone["published"]), "")
    by = f" by the take-down of {when}" if when else " when its files were rewritten"
    return f"Version {number} of this corpus was deleted{by}"


def entry_of(row: Mapping[str, Any]) -> SegmentEntry:
    """Return an entry as it was written, in a manifest or in the segment itself."""
    names = ("id", "fingerprint", "documents", "tokens")
    parts = tuple(map(_part_of, row.get("parts", ())))
    return SegmentEntry(
        **{name: row[name] for name in names}, shards=tuple(row["shards"]), parts=parts
    )


def _part_of(row: Mapping[str, Any]) -> SegmentPart:
    gone = tuple((first, last) for first, last in row.get("gone", ()))
    return SegmentPart(**{**row, "gone": gone})


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


def read_versions(layout: Layout) -> list[dict[str, Any]]:
    """Return the versions on record, the oldest first; one that was withdrawn has no segments."""
    try:
        lines = layout.versions.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return []
    found = {row["number"]: row for row in map(_row, lines) if row}
    return [found[number] for number in sorted(found)]


def damaged_lines(layout: Layout) -> int:
    """Return how many lines of the record are not what was written."""
    try:
        lines = layout.versions.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return 0
    return sum(_row(line) is None for line in lines)


def append_version(layout: Layout, row: dict[str, Any]) -> None:
    """Add a version, on the disk before anything names it."""
    layout.root.mkdir(parents=True, exist_ok=True)
    with layout.versions.open("a+", encoding="utf-8") as file:
        if file.tell() and not _ends_with_a_line(layout):
            file.write("\n")
        file.write(_line(row))
        file.flush()
        os.fsync(file.fileno())


def withdraw_versions(layout: Layout, kept: int) -> None:
    """Take what all versions but one hold out of the record; numbers, dates and settings stay."""
    rows = [
        row if row["number"] == kept else {**row, "segments": None} for row in read_versions(layout)
    ]
    forget(layout, layout.versions)
    write_text(layout.versions, "".join(map(_line, rows)))


def _line(row: dict[str, Any]) -> str:
    text = json.dumps(row, ensure_ascii=False, sort_keys=True)
    return json.dumps({"sum": _sum(text), "version": row}, ensure_ascii=False) + "\n"


def _row(line: str) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
        row: dict[str, Any] = found["version"]
        text = json.dumps(row, ensure_ascii=False, sort_keys=True)
        return row if found["sum"] == _sum(text) else None
    except (ValueError, TypeError, KeyError):
        return None


def _sum(text: str) -> str:
    return xxhash.xxh3_64_hexdigest(text.encode("utf-8", "surrogatepass"))


def _ends_with_a_line(layout: Layout) -> bool:
    with layout.versions.open("rb") as file:
        file.seek(-1, os.SEEK_END)
        return file.read(1) == b"\n"
