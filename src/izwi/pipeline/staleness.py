"""What is current, what is stale and why, what is to be done next; nothing is done here."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence, Set
from itertools import accumulate
from pathlib import Path

from izwi.config.fingerprint import canonical, changed_settings
from izwi.config.schema import CorpusConfig
from izwi.model.records import dataclass
from izwi.model.results import StageStatus
from izwi.pipeline.owner_changes import Decided, decided_in
from izwi.pipeline.stages import Planned, plan
from izwi.store.catalog import Catalog
from izwi.store.layout import Layout, read_recipe
from izwi.store.snapshots import SegmentEntry, Snapshot, current
from izwi.store.sums import known_digest, read_sums
from izwi.store.takedowns import read_takedowns

# Shards, and by what an index knows them that is current: before they were rewritten, and after.
Rewritten = Mapping[str, tuple[str, str]]
# So many segments of about one size are merged; each token is then rewritten a few times in the
# life of a corpus, and a query asks few segments (docs/explanation/query.md).
FEWEST_MERGED = 3
# A segment goes along that is at most so many times as large as the smaller ones together.
LARGEST_RATIO = 2
# Of a segment's documents so many may be gone; then it is made again without them.
MOST_IDLE = 0.25
# A segment holds no more tokens: positions are numbers of 31 bits.
MOST_TOKENS = 1 << 30


def shards_due(shards: Sequence[str], built: Set[str], ready: Sequence[Set[str]]) -> list[str]:
    """Return the shards a stage has to do: not built yet, and all it reads is there."""
    return [
        shard for shard in shards if shard not in built and all(shard in layer for layer in ready)
    ]


def stage_status(
    stage: str,
    layer: str,
    fingerprint: str,
    *,
    shards: Sequence[str],
    current: Set[str],
    older: Set[str],
    failures: Mapping[str, str],
    changed: Sequence[str],
) -> StageStatus:
    """Return how a stage stands: every shard is current, failed, stale or missing."""
    open_shards = [shard for shard in shards if shard not in current]
    failing = [shard for shard in open_shards if shard in failures]
    stale = [shard for shard in open_shards if shard in older and shard not in failures]
    return StageStatus(
        stage,
        layer,
        fingerprint,
        current=len(shards) - len(open_shards),
        stale=len(stale),
        missing=len(open_shards) - len(failing) - len(stale),
        failed=len(failing),
        changed=tuple(changed) if stale else (),
        errors=tuple(f"{shard}: {failures[shard]}" for shard in failing),
    )


def changed_keys(before: Mapping[str, object], after: Mapping[str, object]) -> list[str]:
    """Return what differs between two recipes, in a user's words."""
    old, new = _dict(before.get("settings")), _dict(after.get("settings"))
    keys = changed_settings(old, new)
    old, new = _dict(before.get("depends_on")), _dict(after.get("depends_on"))
    keys += [
        f"{name} {old.get(name, '-')} -> {new.get(name, '-')}"
        for name in changed_settings(old, new)
    ]
    if before.get("version") != after.get("version"):
        keys.append("izwi's own code")
    return keys or ["an earlier stage"]


@dataclass(frozen=True, slots=True)
class SegmentMarks:
    """By what it is known that a shard in a segment is what a build would make now.

    >>> SegmentMarks.of("a-b-c-d").judged, str(SegmentMarks("a", "b", "c", "d"))
    ('b', 'a-b-c-d')
    """

    # Of the stage, of who copies whom, of what curators decided, of what was taken down.
    index: str
    judged: str
    decided: str
    down: str

    @classmethod
    def of(cls, text: str) -> "SegmentMarks":
        """Return marks as they are written; those of earlier versions of izwi fit nothing."""
        parts = text.split("-")
        return cls(*parts) if len(parts) == 4 else cls(text, "", "", "")

    def __str__(self) -> str:
        return "-".join((self.index, self.judged, self.decided, self.down))


def short_digest(facts: Iterable[str]) -> str:
    """Return what changes if one of these does."""
    return hashlib.blake2b("\n".join(facts).encode(), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True)
class SegmentPlan:
    """Which segments stay, and which shards the one new segment covers."""

    kept: tuple[SegmentEntry, ...]
    shards: tuple[str, ...]

    @property
    def is_change(self) -> bool:
        """Whether a new segment has to be made."""
        return bool(self.shards)


def plan_segments(
    entries: Sequence[SegmentEntry],
    ready: Sequence[str],
    wanted: Mapping[str, str],
    missing: Sequence[SegmentEntry] = (),
) -> SegmentPlan:
    """Return what to do so that every ready shard is current, and each document in one segment.

    `wanted` gives the fingerprint that a current segment has for each shard; `missing` are segments
    that cannot be used. Where little of a segment has changed, that little is gone from it and made
    anew beside it: no large segment is written again for a document.
    """
    current = {shard: wanted.get(shard, "") for shard in ready}
    kept, out = list(entries), list(missing)
    while True:
        # Some documents of a shard may lie in one segment and some in another: all are made anew.
        stale = {shard for entry in kept for shard in _stale(entry, current)}
        stale |= {shard for entry in out for shard in entry.shards}
        useless = [entry for entry in kept if not _is_kept(entry, stale)]
        if not useless:
            break
        kept = [entry for entry in kept if entry not in useless]
        out += useless
    left = tuple(
        entry if stale.isdisjoint(entry.shards) else entry.without(stale) for entry in kept
    )
    covered = {shard for entry in left for shard in entry.shards}
    return SegmentPlan(left, tuple(shard for shard in ready if shard not in covered))


def is_current(entry: SegmentEntry, wanted: Mapping[str, str]) -> bool:
    """Whether all that counts in a built segment is what a build would make now."""
    return bool(entry.parts) and not entry.is_imported and not _stale(entry, wanted)


def _stale(entry: SegmentEntry, wanted: Mapping[str, str]) -> set[str]:
    """Return the shards whose documents in a segment are not what they should be."""
    if entry.is_imported:
        return set()
    return {
        part.shard
        for part in entry.parts
        if not part.is_gone and wanted.get(part.shard) != part.fingerprint
    }


def _is_kept(entry: SegmentEntry, stale: Set[str]) -> bool:
    """Whether a segment stays: all of it is wanted, or so much that the rest may lie in it idle."""
    if entry.is_imported:
        return True
    live = [part for part in entry.parts if not part.is_gone]
    if all(part.shard not in stale for part in live):  # what is idle leaves it without its shards
        return bool(live)
    left = entry.without(stale)
    return not all(part.is_gone for part in left.parts) and _idle_share(left) <= MOST_IDLE


def is_mostly_idle(entry: SegmentEntry) -> bool:
    """Whether a segment is to be written again without what is gone: it is much, but not all."""
    return bool(entry.shards) and MOST_IDLE < _idle_share(entry) < 1


def _idle_share(entry: SegmentEntry) -> float:
    rows = sum(part.rows for part in entry.parts)
    return sum(part.idle for part in entry.parts) / max(1, rows)


def segments_to_merge(entries: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Return the built segments that are to become one: the small ones, once there are several.

    >>> sizes = (1000, 9, 8, 5)
    >>> many = [SegmentEntry(str(size), "f", (str(size),), 1, size) for size in sizes]
    >>> [entry.tokens for entry in segments_to_merge(many)]
    [5, 8, 9]
    """
    built = [entry for entry in entries if not entry.is_imported]
    return sorted(small_ones(built), key=lambda entry: entry.shards)


def small_ones(entries: Sequence[SegmentEntry]) -> list[SegmentEntry]:
    """Return the segments, in their order, that are small beside others, if they are several."""
    built = sorted(entries, key=lambda entry: entry.tokens)
    smaller = accumulate((entry.tokens for entry in built), initial=0)
    alike = [
        place
        for place, (entry, before) in enumerate(zip(built, smaller, strict=False))
        if place == 0 or entry.tokens <= LARGEST_RATIO * before
    ]
    group = built[: alike[-1] + 1] if alike else []
    while sum(entry.tokens for entry in group) > MOST_TOKENS:
        group.pop()
    return [each for each in entries if each in group] if len(group) >= FEWEST_MERGED else []


def _dict(value: object) -> dict[str, object]:
    return dict(value) if isinstance(value, Mapping) else {}


def built_shards(layout: Layout, stages: Sequence[Planned], layer: str) -> set[str]:
    """Return the shards for which a layer is current."""
    planned = next(stage for stage in stages if stage.spec.writes == layer)
    return layout.built_shards(layer, planned.fingerprint)


def fingerprints(
    layout: Layout, stages: Sequence[Planned], shards: Sequence[str]
) -> dict[str, str]:
    """Return what a current segment of each shard is marked with.

    What is a copy of what is part of it: a shard that was judged otherwise is indexed anew. So are
    what was taken down in it, and what curators decided about its documents.
    """
    dup = next(planned for planned in stages if planned.spec.writes == "dup")
    folder = layout.layer("dup", dup.fingerprint)
    gone, sums = read_takedowns(layout), read_sums(layout, _below(layout, folder))
    decided = decided_in(layout, stages) if layout.curation.exists() else {}
    found = {}
    for shard in shards:
        judged = known_digest(layout, layout.shard("dup", dup.fingerprint, shard), sums)
        verdicts = [f"{each} {verdict}" for each, verdict in _verdicts(decided, shard)]
        marks = SegmentMarks(
            stages[-1].fingerprint,
            short_digest([judged]),
            short_digest(verdicts),
            short_digest(gone.targets_in((shard,))),
        )
        found[shard] = str(marks)
    return found


def _below(layout: Layout, folder: Path) -> str:
    """Return the name of a folder in the corpus, as it is written before those of its files."""
    is_here = folder.is_relative_to(layout.root)
    return f"{folder.relative_to(layout.root).as_posix()}/" if is_here else ""


def _verdicts(decided: Decided, shard: str) -> list[tuple[str, str]]:
    return sorted((each, verdict) for each, verdict in decided.get(shard, {}).items() if verdict)


def segments_due(
    layout: Layout, stages: Sequence[Planned], snapshot: Snapshot, renewed: Set[str]
) -> tuple[Planned, SegmentPlan]:
    """Return the index stage and which of its segments stay or are to be made.

    A segment stays if it is there, current for the most part, and none of its shards was made anew
    from another file; one that came from outside always does, since no build could make it again.
    """
    from izwi.index.assemble import is_whole

    index = stages[-1]
    layers = [built_shards(layout, stages, layer) for layer in index.spec.reads]
    ready = [shard for shard in layout.sealed_shards() if all(shard in layer for layer in layers)]
    missing = [
        entry
        for entry in snapshot.segments
        if not entry.is_imported
        and not (
            is_whole(layout.segments / entry.id)
            # Also where they are gone from it: their texts must leave the file.
            and renewed.isdisjoint(part.shard for part in entry.parts)
        )
    ]
    entries = [entry for entry in snapshot.segments if entry not in missing]
    wanted = fingerprints(layout, stages, ready)
    return index, plan_segments(entries, ready, wanted, missing)


def statuses(layout: Layout, config: CorpusConfig, catalog: Catalog) -> list[StageStatus]:
    """Return how each stage stands, the index last."""
    stages = plan(config)
    shards = layout.sealed_shards()
    layers = [_layer_status(layout, stage, shards, catalog) for stage in stages[:-1]]
    return [*layers, _index_status(layout, stages, shards, catalog)]


def _layer_status(
    layout: Layout, stage: Planned, shards: list[str], catalog: Catalog
) -> StageStatus:
    layer, now = stage.spec.writes, stage.fingerprint
    others = [old for old in layout.fingerprints(layer) if old != now]
    older = set().union(*(layout.built_shards(layer, old) for old in others))
    wanted = json.loads(canonical(stage.recipe))
    changed = changed_keys(read_recipe(layout, layer, others[-1]), wanted) if others else []
    return stage_status(
        stage.spec.name,
        layer,
        now,
        shards=shards,
        current=layout.built_shards(layer, now),
        older=older,
        failures=catalog.failed_shards(layer, now),
        changed=changed,
    )


def _index_status(
    layout: Layout, stages: Sequence[Planned], shards: list[str], catalog: Catalog
) -> StageStatus:
    snapshot = current(layout)
    index, planned = segments_due(layout, stages, snapshot, catalog.renewed_shards())
    kept = {shard for entry in planned.kept for shard in entry.shards}
    before = {shard for entry in snapshot.segments for shard in entry.shards}
    return stage_status(
        index.spec.name,
        index.spec.writes,
        index.fingerprint,
        shards=shards,
        current=kept,
        older=before - kept,
        failures={},
        changed=["an earlier stage"],
    )
