"""Snapshots: numbered lists of index segments; what one queries and cites."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from izwi.model.errors import QueryError, StoreError
from izwi.store.files import write_text
from izwi.store.layout import Layout

# Fingerprints of segments that no build made begin with this; a build leaves them alone.
IMPORTED = "imported-"


@dataclass(frozen=True, slots=True)
class SegmentEntry:
    """A segment, what it was made from, and how much it holds."""

    id: str
    fingerprint: str
    shards: tuple[str, ...]
    documents: int
    tokens: int

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
    """Write the next snapshot and make it the current one."""
    number = max(_last_number(layout), _named_number(layout)) + 1
    snapshot = Snapshot(number, published, tuple(segments), versions)
    write_text(_manifest(layout, number), json.dumps(asdict(snapshot), indent=1))
    write_text(layout.snapshots / "current", f"{snapshot.number:04d}\n")
    return snapshot


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
        segments = tuple(
            SegmentEntry(**s | {"shards": tuple(s["shards"])}) for s in row["segments"]
        )
        return Snapshot(row["number"], row["published"], segments, row["versions"])
    except FileNotFoundError:
        raise QueryError(
            f"There is no version {number} of this corpus; the newest is {_last_number(layout)}."
        ) from None
    except (ValueError, KeyError, TypeError, OSError) as error:
        raise StoreError(
            f"{path} is damaged ({error}). Delete it and run: izwi build {layout.root}"
        ) from error


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
