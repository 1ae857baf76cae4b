"""Single documents of the index made anew: they are gone where they stood, and stand beside it.

So a page that was taken down, or another that has its text now, costs no more than itself; the
shard's other documents stay where they are. What is gone leaves the files when segments are merged.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.dedup.ownership import Exclusion, NothingExcluded
from izwi.gather.urls import canonical
from izwi.index.reader import Segment
from izwi.pipeline.staleness import SegmentMarks, short_digest
from izwi.pipeline.touched import former_index, judgement_before
from izwi.store.layers import read_documents
from izwi.store.layout import Layout
from izwi.store.snapshots import SegmentEntry, SegmentPart, Snapshot

Mask = NDArray[np.bool_]
# A shard's layers, and the numbers of its documents that changed.
Changed = tuple[Mapping[str, Path], Sequence[int]]


@dataclass(frozen=True, slots=True)
class Patch:
    """Segments without what changed in them, and what is to be indexed instead, by shard."""

    snapshot: Snapshot
    rows: Mapping[str, Sequence[int]]


def patched(
    layout: Layout,
    snapshot: Snapshot,
    changed: Mapping[str, Changed],
    wanted: Mapping[str, str],
    excluded: Exclusion,
) -> Patch:
    """Return what becomes of the segments in which single documents of shards changed.

    `wanted` gives what the shards are marked with from now on.
    """
    fitting = {
        shard: each
        for shard, each in changed.items()
        if _fits(snapshot, shard, each[0]["dup"], wanted[shard])
    }
    found = {shard: _looked_at(*each, excluded) for shard, each in fitting.items()}
    names = {shard: names for shard, (names, _) in found.items()}
    marks = {shard: wanted[shard] for shard in fitting}
    segments = tuple(_without(layout, entry, names, marks, excluded) for entry in snapshot.segments)
    rows = {shard: rows for shard, (_, rows) in found.items()}
    return Patch(replace(snapshot, segments=segments), rows)


def _looked_at(
    layers: Mapping[str, Path], numbers: Sequence[int], excluded: Exclusion
) -> tuple[set[str], list[int]]:
    """Return the names of documents, and the numbers of those that are to be indexed."""
    names, rows = set[str](), list[int]()
    # Tokens are by far the most, and say nothing about it.
    layers = {name: path for name, path in layers.items() if name != "tokens"}
    # One after the other: a change may touch more of them than fit into memory.
    for row, document in zip(numbers, read_documents(layers, numbers), strict=True):
        names.add(document.id)
        is_indexed = document.verdict.is_kept or document.is_folded
        if is_indexed and not excluded.covers(document.url):
            rows.append(row)
    return names, rows


def imported_without(
    layout: Layout, entries: Sequence[SegmentEntry], excluded: Exclusion
) -> tuple[SegmentEntry, ...]:
    """Return segments, those that came from outside without what was taken down."""
    if isinstance(excluded, NothingExcluded):
        return tuple(entries)
    left = (
        _imported_without(layout, entry, excluded) if entry.is_imported else entry
        for entry in entries
    )
    # Of what is all gone nothing is kept: an empty segment has nothing to be asked for.
    return tuple(entry for entry in left if not entry.is_imported or _has_some(entry))


def _imported_without(layout: Layout, entry: SegmentEntry, excluded: Exclusion) -> SegmentEntry:
    segment = Segment(layout.segments / entry.id, entry.gone)
    rows = segment.cards.num_rows
    whole = SegmentPart("", entry.fingerprint, rows, entry.documents, entry.tokens, gone=entry.gone)
    found = _part_without(segment, whole, 0, set(), AsOthersWrite(excluded))
    return entry if found.gone == entry.gone else entry.of_parts((found,))


def _has_some(entry: SegmentEntry) -> bool:
    return not entry.parts or any(part.idle < part.rows for part in entry.parts)


@dataclass(frozen=True, slots=True)
class AsOthersWrite:
    """What was taken out, for addresses in whatever form somebody else noted them."""

    excluded: Exclusion

    def covers(self, url: str) -> bool:
        """Whether a page is out, by the address as it stands or as it would be remembered."""
        return self.excluded.covers(url) or self.excluded.covers(canonical(url) or "")


@dataclass(frozen=True, slots=True)
class Purge:
    """Segments that know rewritten shards as they are now, and which of them these are."""

    snapshot: Snapshot
    shards: frozenset[str]

    def concerns(self, entry: SegmentEntry) -> bool:
        """Whether a segment holds, if not counts, what was in a shard before."""
        return any(part.shard in self.shards and part.idle for part in entry.parts)


def marked_anew(
    layout: Layout,
    snapshot: Snapshot,
    before: Mapping[str, str],
    now: Mapping[str, str],
    excluded: Exclusion,
) -> Purge:
    """Return what becomes of segments when shards lost pages that had gone from the index before.

    A shard counts only if all that is indexed of it was current then, and no such page is left.
    """
    live = [part for entry in snapshot.segments for part in entry.parts if not part.is_gone]
    fitting = {part.shard for part in live if part.shard in now} - {
        part.shard for part in live if part.fingerprint != before.get(part.shard)
    }
    for entry in snapshot.segments:
        if not fitting.isdisjoint(entry.shards):
            fitting -= _wrongly_live(layout, entry, excluded)
    segments = tuple(
        entry
        if fitting.isdisjoint(entry.shards)
        else entry.of_parts(tuple(_renamed(part, fitting, now) for part in entry.parts))
        for entry in snapshot.segments
    )
    return Purge(replace(snapshot, segments=segments), frozenset(fitting))


def _wrongly_live(layout: Layout, entry: SegmentEntry, excluded: Exclusion) -> set[str]:
    """Return the shards of which a segment still counts what was taken down."""
    segment = Segment(layout.segments / entry.id, entry.gone)
    return {
        part.shard
        for part, begin in entry.beginnings
        if not part.is_gone
        and (
            _is_covered(segment, part, begin, excluded)
            & ~segment.is_gone[begin : begin + part.rows]
        ).any()
    }


def _renamed(part: SegmentPart, shards: set[str], now: Mapping[str, str]) -> SegmentPart:
    is_meant = part.shard in shards and not part.is_gone
    return replace(part, fingerprint=now[part.shard]) if is_meant else part


def _fits(snapshot: Snapshot, shard: str, dup: Path, wanted: str) -> bool:
    """Whether all that is indexed of a shard is what it was before single documents changed."""
    parts = [
        part
        for entry in snapshot.segments
        for part in entry.parts
        if part.shard == shard and not part.is_gone
    ]
    judged = judgement_before(dup)
    if not parts or not judged:
        return False
    now, former = SegmentMarks.of(wanted), former_index(dup.parent)
    expected = replace(now, judged=short_digest([judged]), index=former or now.index)
    return all(
        replace(SegmentMarks.of(part.fingerprint), down=now.down) == expected for part in parts
    )


def _without(
    layout: Layout,
    entry: SegmentEntry,
    names: Mapping[str, set[str]],
    marks: Mapping[str, str],
    excluded: Exclusion,
) -> SegmentEntry:
    """Return a segment without documents of some shards, which are marked as they are now."""
    if names.keys().isdisjoint(entry.shards):
        return entry
    segment = Segment(layout.segments / entry.id, entry.gone)
    parts = (
        replace(
            _part_without(segment, part, begin, names[part.shard], excluded),
            fingerprint=marks[part.shard],
        )
        if part.shard in names and not part.is_gone
        else part
        for part, begin in entry.beginnings
    )
    return entry.of_parts(tuple(parts))


def _part_without(
    segment: Segment, part: SegmentPart, begin: int, names: set[str], excluded: Exclusion
) -> SegmentPart:
    own = slice(begin, begin + part.rows)
    # Whatever was noted, what is marked as current has nothing in it that was taken down.
    is_gone = segment.is_gone[own] | _is_covered(segment, part, begin, excluded)
    if names:
        ids = segment.cards.column("id").slice(begin, part.rows).to_pylist()
        is_gone |= np.fromiter((each in names for each in ids), np.bool_, part.rows)
    counts = ~(is_gone | segment.is_copy[own])
    return replace(
        part,
        documents=int(counts.sum()),
        tokens=int(segment.document_lengths[own][counts].sum()),
        gone=_ranges(is_gone),
    )


def _is_covered(segment: Segment, part: SegmentPart, begin: int, excluded: Exclusion) -> Mask:
    """Return which documents of a part were taken down."""
    urls = segment.cards.column("url").slice(begin, part.rows).to_pylist()
    return np.fromiter(map(excluded.covers, urls), np.bool_, part.rows)


def _ranges(mask: Mask) -> tuple[tuple[int, int], ...]:
    """Return where a mask is set, as ranges.

    >>> _ranges(np.array([True, False, True, True]))
    ((0, 1), (2, 4))
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return tuple((first, last) for first, last in list(pairwise(edges.tolist()))[::2])
