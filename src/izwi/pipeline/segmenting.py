"""The index of new shards: a segment for each, made by tasks, and these merged by tasks.

What is merged at once is written under names that the next build removes, so that a build that is
ended leaves nothing behind. Of several segments at most so many are merged by one task, so that
workers share the work and none needs more memory than another.
"""

import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from izwi.dedup.ownership import Exclusion
from izwi.index.assemble import Origin, read_entry
from izwi.model.errors import CorruptShard
from izwi.model.results import ShardReport
from izwi.pipeline.runners import SegmentFailed
from izwi.pipeline.shard import SegmentConfig, Task
from izwi.pipeline.staleness import MOST_TOKENS
from izwi.store.files import TEMPORARY
from izwi.store.snapshots import MERGED, SegmentEntry, SegmentPart

# Segments merged by one task.
MOST_MERGED = 16

Carry = Callable[[str, Sequence[Task]], Iterator[ShardReport]]
Fingerprint = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Segmenter:
    """Makes segments in a folder by tasks that somebody carries out."""

    folder: Path
    attributes: tuple[str, ...]
    fingerprint_of: Fingerprint
    carry: Carry
    excluded: Exclusion

    def of_shards(
        self,
        inputs: Mapping[str, Mapping[str, Path]],
        rows: Mapping[str, Sequence[int]] | None = None,
    ) -> list[SegmentEntry]:
        """Return new segments of shards, given by their layers: one, unless they are too large.

        Of some of a shard's documents only, where their numbers are given.
        """
        is_last = len(inputs) == 1
        tasks = [
            replace(
                self._task("index", self._origin((shard,), is_last=is_last), layers),
                rows=(rows or {}).get(shard),
            )
            for shard, layers in inputs.items()
        ]
        made = self._carried("index", tasks)
        if is_last:
            return made
        return [self.merged(batch) for batch in batches(made)]

    def merged(self, entries: Sequence[SegmentEntry]) -> SegmentEntry:
        """Return one segment with the documents of several."""
        while len(entries) > MOST_MERGED:
            groups = list(_groups(entries))
            entries = self._carried("merge", [self._merge(group) for group in groups])
        return self._carried("merge", [self._merge(entries, is_last=True)])[0]

    def _merge(self, entries: Sequence[SegmentEntry], *, is_last: bool = False) -> Task:
        live = (part for entry in entries for part in entry.parts if not part.is_gone)
        parts = tuple(replace(part, rows=part.rows - part.idle, gone=()) for part in live)
        shards = tuple(sorted({part.shard for part in parts}))
        inputs = {entry.id: self.folder / entry.id for entry in entries}
        gone = {entry.id: entry.gone for entry in entries}
        return self._task("merge", self._origin(shards, parts, is_last=is_last), inputs, gone)

    def _origin(
        self, shards: tuple[str, ...], parts: tuple[SegmentPart, ...] = (), *, is_last: bool
    ) -> Origin:
        name = str(uuid.uuid4()) if is_last else f".{uuid.uuid4()}{TEMPORARY}"
        # Of several shards each has its own; together they have none.
        fingerprint = self.fingerprint_of(shards[0]) if not parts else MERGED
        return Origin(fingerprint, shards, name, parts)

    def _task(
        self,
        stage: str,
        origin: Origin,
        inputs: Mapping[str, Path],
        gone: Mapping[str, tuple[tuple[int, int], ...]] | None = None,
    ) -> Task:
        config = SegmentConfig(origin, self.attributes, gone or {})
        output = self.folder / origin.id
        return Task(stage, "segment", origin.shards[0], config, inputs, output, self.excluded)

    def _carried(self, stage: str, tasks: Sequence[Task]) -> list[SegmentEntry]:
        """Return the segments that tasks made, in the order of the tasks."""
        failed = [report for report in self.carry(stage, tasks) if report.error]
        for report in failed:
            if report.damaged:
                raise CorruptShard(report.error, report.damaged)
        if failed:
            raise SegmentFailed(failed)
        return [read_entry(task.output) for task in tasks]


def batches(entries: Sequence[SegmentEntry]) -> Iterator[list[SegmentEntry]]:
    """Yield neighbours that fit into one segment.

    >>> many = [SegmentEntry(str(n), "f", (str(n),), 1, MOST_TOKENS // 2) for n in range(3)]
    >>> [[entry.id for entry in batch] for batch in batches(many)]
    [['0', '1'], ['2']]
    """
    batch: list[SegmentEntry] = []
    for entry in entries:
        if batch and sum(each.tokens for each in batch) + entry.tokens > MOST_TOKENS:
            yield batch
            batch = []
        batch.append(entry)
    if batch:
        yield batch


def _groups(entries: Sequence[SegmentEntry]) -> Iterator[Sequence[SegmentEntry]]:
    """Yield neighbours in groups of about one size."""
    count = -(-len(entries) // MOST_MERGED)
    for number in range(count):
        first, last = (len(entries) * place // count for place in (number, number + 1))
        yield entries[first:last]
