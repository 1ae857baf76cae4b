"""A searchable corpus straight from vertical text, without gathering or building."""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from izwi.config.load import load
from izwi.config.units import size_bytes
from izwi.index.assemble import Origin
from izwi.index.merge import merge_segments
from izwi.index.reader import Segment
from izwi.index.vertical import VerticalShape, import_vertical
from izwi.model.errors import ConfigError, SourceError
from izwi.pipeline.staleness import small_ones
from izwi.service import setup
from izwi.store import snapshots
from izwi.store.files import disk_errors
from izwi.store.layout import Layout
from izwi.store.lock import writing
from izwi.store.snapshots import SegmentEntry

_NAME = re.compile(r"[A-Za-z_][\w-]*")
_REGISTRY = re.compile(r"^\s*(ATTRIBUTE|STRUCTURE)\s+\"?([\w-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import added, and the version it made."""

    name: str
    path: str
    snapshot: int
    documents: int
    tokens: int


def vertical(
    source: str | Path,
    folder: str | Path,
    *,
    attributes: tuple[str, ...] = (),
    structures: tuple[str, ...] = (),
    registry: str | Path | None = None,
    name: str = "",
    memory: str = "1 GiB",
) -> Imported:
    """Add a file of vertical text to a corpus folder, which is made if it is not there.

    What the columns and tags are called comes from the arguments, else from a registry file as CWB
    and Manatee have them, else it is `word` and doc, p, s.
    """
    path, layout = Path(source), Layout(Path(folder).resolve())
    if not path.is_file():
        raise SourceError(f"{path} is not a file, so there is nothing to import.")
    shape = shape_of(attributes, structures, Path(registry) if registry else None)
    if not layout.config.exists():
        setup.create(layout.root, contact=f"imported from {path.name}", name=name)
    origin = Origin(f"{snapshots.IMPORTED}{_digest(path)}")
    with disk_errors(), writing(layout.lock, "izwi import"):
        entry = import_vertical(
            path, layout.segments, shape, origin, memory_bytes=_memory_bytes(memory)
        )
        before = snapshots.current(layout)
        made = snapshots.publish(
            layout,
            _merged(layout, [*before.segments, entry]),
            published=datetime.now(UTC).isoformat(timespec="seconds"),
            versions={"izwi": version("izwi")},
        )
    corpus = load(layout.config).corpus.name
    return Imported(corpus, str(layout.root), made.number, entry.documents, entry.tokens)


def _merged(layout: Layout, entries: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Return the segments with small imported ones of the same shape made one.

    A hundred imports would leave a hundred segments, and each question would ask all of them.
    """
    by_shape: dict[str, list[SegmentEntry]] = {}
    for entry in entries:
        if entry.is_imported:
            by_shape.setdefault(_shape(Segment(layout.segments / entry.id)), []).append(entry)
    found = list(entries)
    for alike in by_shape.values():
        many = small_ones(alike)
        if many:
            digest = hashlib.blake2b("".join(each.id for each in many).encode(), digest_size=6)
            origin = Origin(f"{snapshots.IMPORTED}{digest.hexdigest()}")
            segments = [Segment(layout.segments / each.id) for each in many]
            found[found.index(many[0])] = merge_segments(layout.segments, segments, origin)
            found = [each for each in found if each not in many]
    return found


def _shape(segment: Segment) -> str:
    """Return what segments have in common that can be merged: attributes of tokens and tags."""
    tags = {name: segment.structure(name).attributes.column_names for name in segment.structures}
    return repr((segment.attributes, tags))


def shape_of(
    attributes: tuple[str, ...], structures: tuple[str, ...], registry: Path | None
) -> VerticalShape:
    """Return the columns and tags of vertical text, checked."""
    if registry is not None:
        found = _REGISTRY.findall(registry.read_text(encoding="utf-8"))
        attributes = attributes or tuple(name for kind, name in found if kind == "ATTRIBUTE")
        structures = structures or tuple(name for kind, name in found if kind == "STRUCTURE")
    shape = VerticalShape(attributes or ("word",), structures or ("doc", "p", "s"))
    for each in (*shape.attributes, *shape.structures):
        if not _NAME.fullmatch(each):
            raise ConfigError(f"'{each}' cannot be the name of an attribute or a structure.")
    if "word" not in shape.attributes:
        raise ConfigError("One of the attributes has to be called word: lines are shown by it.")
    if len(set(shape.attributes)) < len(shape.attributes):
        raise ConfigError(f"An attribute is named twice: {', '.join(shape.attributes)}.")
    return shape


def _memory_bytes(memory: str) -> int:
    try:
        return size_bytes(memory)
    except ValueError as error:
        raise ConfigError(f"memory = {error}") from None


def _digest(path: Path) -> str:
    facts = path.stat()
    text = f"{path.name} {facts.st_size} {facts.st_mtime_ns}"
    return hashlib.blake2b(text.encode(), digest_size=6).hexdigest()
