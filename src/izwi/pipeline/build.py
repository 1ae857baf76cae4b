"""A build: every stage on every shard that lacks it, then a new segment, then a new snapshot."""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from izwi import plugins
from izwi.config.fingerprint import canonical, changed_settings
from izwi.config.schema import CorpusConfig
from izwi.dedup.ownership import Exclusion, NothingExcluded
from izwi.model.errors import CorruptShard
from izwi.model.notation import now_text, size_bytes
from izwi.model.records import dataclass
from izwi.model.results import Listener, Notice, Progress, ShardReport
from izwi.pipeline import owner_changes, touched
from izwi.pipeline.owner_changes import Settler
from izwi.pipeline.runners import Runner, SegmentFailed, Serial, Work, kept_open, path_beside
from izwi.pipeline.stages import Planned, plan
from izwi.pipeline.staleness import (
    Rewritten,
    SegmentPlan,
    built_shards,
    fingerprints,
    is_mostly_idle,
    segments_due,
    segments_to_merge,
    shards_due,
)
from izwi.pipeline.touched import take_over
from izwi.store.catalog import Catalog
from izwi.store.files import disk_errors, file_state, remove_leftovers
from izwi.store.layout import Layout, read_recipe, write_recipe
from izwi.store.snapshots import SegmentEntry, Snapshot, current, publish
from izwi.store.takedowns import read_takedowns

if TYPE_CHECKING:
    from izwi.pipeline.patching import Patch, Purge
    from izwi.pipeline.segmenting import Segmenter
    from izwi.pipeline.shard import Task


# Layers of which single documents can be made anew when owners are others.
_LATE = frozenset({"own", "dup", "select", "tokens"})
# Stages before which it is looked what was made of another layer, by the name of that one.
_TAKEN_BEFORE = {"own": "sift", "select": "dup", "annotate": "select"}


@dataclass(frozen=True, slots=True)
class BuildResult:
    """What a build did."""

    shards_built: int
    failures: tuple[str, ...]
    warnings: tuple[str, ...]
    snapshot: Snapshot


@dataclass(frozen=True, slots=True)
class Builder:
    """A build of one corpus; the corpus lock is held."""

    layout: Layout
    config: CorpusConfig
    catalog: Catalog
    runner: Runner
    listener: Listener
    # Pages taken out of the corpus: they own no text.
    excluded: Exclusion = field(default_factory=NothingExcluded)
    # Shards rewritten without what was taken down.
    rewritten: Rewritten = field(default_factory=dict)

    def run(self) -> BuildResult:
        """Do all that is stale and publish what changed."""
        with kept_open(self.runner):
            return self._run()

    def _run(self) -> BuildResult:
        for folder in (self.layout.layers, self.layout.segments, self.layout.snapshots):
            remove_leftovers(folder)
        owner_changes.remove_replaced(self.layout)
        stages = plan(self.config)
        snapshot = current(self.layout)
        reports: list[ShardReport] = []
        warnings: list[str] = []
        lasting = self._lasting_damage(stages)
        damaged: Sequence[str] = ()
        for _ in range(self._rounds()):
            fresh = list(
                chain.from_iterable(self._run_stage(stages, stage) for stage in stages[:-1])
            )
            reports += fresh
            found = dict.fromkeys(each.damaged for each in fresh)
            damaged = [path for path in found if self._is_derived(path)]
            if not damaged:
                has_failures = any(report.error for report in fresh)
                try:
                    snapshot, damaged = self._index(stages, snapshot, has_failures=has_failures)
                except SegmentFailed as failure:  # the version that is there stays
                    reports += failure.reports
            warnings += map(self._discard, damaged)
            if not damaged:
                break
        owner_changes.remove_replaced(self.layout)
        # A shard that failed in one round may have been done, or have failed again, in the next.
        last = {(report.stage, report.shard): report for report in reports}
        failures = (*lasting, *chain.from_iterable(map(self._failures, last.values())))
        failures += tuple(f"{path} is damaged and could not be made again." for path in damaged)
        built = sum(not report.error for report in reports)
        return BuildResult(built, failures, tuple(warnings), snapshot)

    def _run_stage(self, stages: Sequence[Planned], stage: Planned) -> Iterator[ShardReport]:
        try:
            self._prepare(stages, stage)
            due = self._due(stages, stage)
            tasks = self._tasks(stages, stage, due) if due else []
        except CorruptShard as error:
            shard = Path(error.path).stem
            yield ShardReport(stage.spec.name, shard, error=str(error), damaged=error.path)
            return
        except SegmentFailed as failure:
            yield from failure.reports
            return
        if not tasks:
            return
        with disk_errors():
            write_recipe(self.layout, stage.spec.writes, stage.fingerprint, stage.recipe)
        for report in self._carried_out(stage.spec.name, tasks):
            damage = _state_of(self.layout.warc(report.shard)) if report.damaged_captures else ""
            damage = damage if stage.spec.name == "extract" else ""
            self.catalog.put_report(stage.spec.writes, stage.fingerprint, report, damage=damage)
            self.catalog.commit()
            self.listener(report)
            yield report

    def _prepare(self, stages: Sequence[Planned], stage: Planned) -> None:
        """Remove what has become stale for another reason than its fingerprint."""
        if stage.spec.name in _TAKEN_BEFORE:
            with disk_errors():
                take_over(self.layout, stages, _TAKEN_BEFORE[stage.spec.name])
        if stage.spec.name == "own":
            owner_changes.forget_wrong_holders(self.layout, stage, self.excluded)
        if "own" in stage.spec.reads:
            owner_changes.settle_owners(self.layout, stages, self._settler(stages))
        if stage.spec.name == "sift":
            owner_changes.forget_overruled(self.layout, stages)

    def _settler(self, stages: Sequence[Planned]) -> Settler:
        own = next(planned for planned in stages if planned.spec.writes == "own")
        memory = size_bytes(self.config.build.memory)
        return Settler(self.layout.layer("own", own.fingerprint), self._carried_out, memory)

    def _due(self, stages: Sequence[Planned], stage: Planned) -> list[str]:
        ready = [self._built(stages, layer) for layer in stage.spec.reads]
        built = self._built(stages, stage.spec.writes)
        return shards_due(self.layout.sealed_shards(), built, ready)

    def _tasks(self, stages: Sequence[Planned], stage: Planned, due: Sequence[str]) -> "list[Task]":
        is_sift = stage.spec.name == "sift"
        decided = owner_changes.decided_in(self.layout, stages) if is_sift else {}
        tasks = [self._task(stages, stage, shard, decided.get(shard, {})) for shard in due]
        if "own" not in stage.spec.reads:
            return tasks
        # Of what single documents hold the owners are looked up when these are judged.
        whole = [task.shard for task in tasks if task.again is None]
        with disk_errors():
            answers = {"answers": self._settler(stages).answers(whole)} if whole else {}
        return [
            task if task.again is not None else replace(task, inputs={**task.inputs, **answers})
            for task in tasks
        ]

    def _carried_out(self, stage: str, tasks: "Sequence[Task]") -> Iterator[ShardReport]:
        """Carry out tasks, telling how many documents are done."""
        from izwi.pipeline.shard import run_shard  # the code of all stages, where there is work

        rows_by_shard = self.catalog.capture_counts()
        total, done = sum(rows_by_shard.get(task.shard, 0) for task in tasks), 0
        is_risky = any(path_beside(task.trace).exists() for task in tasks)
        # Where a process ended before, one that may end again without ending this one.
        runner = self.runner if len(tasks) > 1 or is_risky else Serial()
        work: Work = run_shard
        if isinstance(runner, Serial):  # what runs elsewhere tells when a shard is done
            work = partial(run_shard, told=lambda rows: self._tell(stage, done + rows, total))
        self._tell(stage, 0, total)
        for report in runner.map(work, tasks):
            done += rows_by_shard.get(report.shard, 0)
            self._tell(stage, done, total, report.shard)
            yield report

    def _tell(self, stage: str, done: int, total: int, shard: str = "") -> None:
        self.listener(Progress(stage, min(done, total), total, shard))

    def _task(
        self, stages: Sequence[Planned], stage: Planned, shard: str, decided: Mapping[str, str]
    ) -> "Task":
        from izwi.pipeline.shard import Task

        paths = {
            p.spec.writes: self.layout.shard(p.spec.writes, p.fingerprint, shard)
            for p in stages[:-1]
        }
        inputs = {layer: paths[layer] for layer in stage.spec.reads}
        if stage.spec.name == "extract":
            inputs = {"warc": self.layout.warc(shard), "captures": self.layout.captures(shard)}
        task = Task(
            stage.spec.name,
            stage.spec.writes,
            shard,
            stage.config,
            inputs,
            paths[stage.spec.writes],
            self.excluded,
            decided=decided,
            again=self._again(stage, paths),
        )
        if stage.spec.name == "annotate":
            return replace(task, earlier=self._earlier(stages, stage, shard))
        return self._sifted_before(stage, task) if stage.spec.name == "sift" else task

    def _sifted_before(self, stage: Planned, task: "Task") -> "Task":
        """Return a task with the newest verdicts that other settings gave the same texts."""
        wanted = json.loads(canonical(stage.recipe))
        for old in reversed(self._fingerprints(stage)):
            path = self.layout.shard("sift", old, task.shard)
            recipe = read_recipe(self.layout, "sift", old)
            is_alike = {**recipe, "settings": None} == {**wanted, "settings": None}
            if is_alike and old != stage.fingerprint and path.exists():
                changed = tuple(changed_settings(recipe["settings"], wanted["settings"]))
                return replace(task, earlier={"sift": path}, changed=changed)
        return task

    def _again(self, stage: Planned, paths: Mapping[str, Path]) -> "touched.Again | None":
        """Return what was kept aside of the shard of a layer, and what is noted beside it."""
        old = touched.replaced(paths[stage.spec.writes])
        is_whole = touched.whole_beside(paths[stage.spec.writes]).exists()
        if stage.spec.writes not in _LATE or is_whole or not old.exists():
            return None
        layer, shard = paths["own"].parent, paths["own"].stem
        return touched.Again(
            old,
            touched.rows_beside(paths["dup"]),
            touched.hashes_beside(layer),
            touched.names_beside(layer, shard),
            touched.sifted_beside(paths["dup"]),
            touched.chosen_beside(paths["dup"]),
        )

    def _earlier(self, stages: Sequence[Planned], stage: Planned, shard: str) -> dict[str, Path]:
        """Return the newest layers in which the same annotator worked on this shard's texts."""
        paths = {
            p.spec.writes: self.layout.shard(p.spec.writes, p.fingerprint, shard)
            for p in stages[:-1]
        }
        aside = {layer: touched.replaced(paths[layer]) for layer in ("select", "tokens")}
        if all(path.exists() for path in aside.values()):
            return {layer: paths[layer] for layer in stage.spec.reads} | aside
        wanted = json.loads(canonical(stage.recipe))
        for old in reversed(self._fingerprints(stage)):
            recipe = read_recipe(self.layout, stage.spec.writes, old)
            made = recipe.get("upstream", [])
            if {**recipe, "upstream": None} != {**wanted, "upstream": None}:
                continue
            paths = {
                layer: self.layout.shard(layer, fingerprint, shard)
                for layer, fingerprint in zip(stage.spec.reads, made, strict=True)
            }
            paths["tokens"] = self.layout.shard("tokens", old, shard)
            if old != stage.fingerprint and all(path.exists() for path in paths.values()):
                return paths
        return {}

    def _fingerprints(self, stage: Planned) -> list[str]:
        return self.layout.fingerprints(stage.spec.writes)

    def _rounds(self) -> int:
        """Return how often a build may start over: each damaged layer file costs one round."""
        return 2 + sum(1 for _ in self.layout.layers.glob("*/*.parquet"))

    def _lasting_damage(self, stages: Sequence[Planned]) -> list[str]:
        """Have shards extracted anew whose damaged raw file has changed; name the others."""
        text = stages[0]
        damaged = self.catalog.damaged_shards(text.spec.writes, text.fingerprint)
        lasting = []
        for shard, state in damaged.items():
            if _state_of(self.layout.warc(shard)) == state:
                path = self.layout.warc(shard).relative_to(self.layout.root)
                lasting.append(f"{path} is still damaged; put back a copy if you have one.")
            else:
                self.catalog.renew(shard)
                self.catalog.commit()
                self._forget_shard(stages, shard)
        return lasting

    def _forget_shard(self, stages: Sequence[Planned], shard: str) -> None:
        """Remove what was made of a shard, by whatever settings, the last layer first."""
        made = owner_changes.descendants(self.layout, stages, stages[0])
        owner_changes.forget(self.layout, made, shard, has_same_texts=False)
        self.layout.shard("text", stages[0].fingerprint, shard).unlink(missing_ok=True)

    def _discard(self, damaged: str) -> str:
        """Remove a damaged layer file, so that it is made again from what it was made from."""
        path = Path(damaged)
        if path.is_dir():  # a run of hashes, made again with what it lies beside
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)
        message = f"{path.relative_to(self.layout.root)} was damaged; it is made again."
        self.listener(Notice(message))
        return message

    def _is_derived(self, path: str) -> bool:
        """Whether a file can be made again; raw captures cannot, and are left as they are."""
        return bool(path) and self.layout.layers in Path(path).parents

    def _failures(self, report: ShardReport) -> Iterator[str]:
        if report.error and not self._is_derived(report.damaged):
            yield f"{report.stage} {report.shard}: {report.error}"
        if report.damaged_captures and report.stage == "extract":
            path = self.layout.warc(report.shard).relative_to(self.layout.root)
            lost = f"{report.damaged_captures} of its {report.rows} captures"
            yield (
                f"{path} is damaged: {lost} cannot be read (izwi drops --reason damaged-capture). "
                "Put back a copy of the file if you have one."
            )

    def _index(
        self, stages: Sequence[Planned], snapshot: Snapshot, *, has_failures: bool
    ) -> tuple[Snapshot, list[str]]:
        """Publish what changed and return it; or what there was, with a file that is damaged.

        A stage that failed everywhere must not take a good version from its readers.
        """
        renewed = self.catalog.renewed_shards()
        try:
            patch = self._patch(stages, self._without_imported(snapshot))
            purge = self._purge(stages, patch.snapshot)
            due = renewed - purge.shards
            index, planned = segments_due(self.layout, stages, purge.snapshot, due)
            if not planned.is_change and planned.kept == snapshot.segments:
                return snapshot, []
            purged = [
                entry
                for entry in planned.kept
                if purge.concerns(entry) or (not entry.is_imported and is_mostly_idle(entry))
            ]
            planned = replace(planned, kept=self._purged(stages, planned.kept, purged))
            entries = self._segments(stages, index, planned, patch.rows)
        except CorruptShard as error:
            return snapshot, [error.path]
        if has_failures and snapshot.tokens and not any(entry.tokens for entry in entries):
            words = f"A stage failed and nothing could be indexed: version {snapshot.number} stays."
            self.listener(Notice(words))
            return snapshot, []
        versions = {"izwi": plugins.version("izwi"), "fingerprint": index.fingerprint}
        now = now_text()
        with disk_errors():
            made = publish(self.layout, entries, published=now, versions=versions)
        self.catalog.forget_renewed()
        self.catalog.commit()
        return made, []

    def _without_imported(self, snapshot: Snapshot) -> Snapshot:
        """Return the segments without what was taken down in those that no build makes."""
        if not any(entry.is_imported for entry in snapshot.segments):
            return snapshot
        from izwi.pipeline.patching import imported_without

        left = imported_without(self.layout, snapshot.segments, self.excluded)
        return replace(snapshot, segments=left)

    def _patch(self, stages: Sequence[Planned], snapshot: Snapshot) -> "Patch":
        """Return the segments without single documents that changed, and what these are now."""
        from izwi.pipeline.patching import Patch, patched

        changed = {}
        for shard in self.layout.sealed_shards():
            paths = self._index_inputs(stages, stages[-1], shard)
            rows = touched.rows_to_index(paths["dup"])
            if rows is not None and all(path.exists() for path in paths.values()):
                changed[shard] = (paths, rows)
        if not changed:
            return Patch(snapshot, {})
        wanted = fingerprints(self.layout, stages, list(changed))
        return patched(self.layout, snapshot, changed, wanted, self.excluded)

    def _purge(self, stages: Sequence[Planned], snapshot: Snapshot) -> "Purge":
        """Return the segments with rewritten shards marked as they are now."""
        from izwi.pipeline.patching import Purge, marked_anew

        if not self.rewritten:
            return Purge(snapshot, frozenset())
        ready = self._built(stages, "tokens")
        shards = [shard for shard in self.rewritten if shard in ready]
        wanted = fingerprints(self.layout, stages, shards)
        # One that was judged again since is not what was rewritten: it is indexed anew.
        same = {
            shard: marks for shard, marks in wanted.items() if self.rewritten[shard][1] == marks
        }
        before = {shard: self.rewritten[shard][0] for shard in same}
        return marked_anew(self.layout, snapshot, before, same, self.excluded)

    def _purged(
        self,
        stages: Sequence[Planned],
        kept: Sequence[SegmentEntry],
        purged: Sequence[SegmentEntry],
    ) -> tuple[SegmentEntry, ...]:
        """Return segments, those without what is gone from them that have to be."""
        with disk_errors():
            segmenter = self._segmenter(stages, [])
            left = {each.id: segmenter.merged([each]) for each in purged if each.shards}
        gone = {each.id for each in purged if not each.shards}
        return tuple(left.get(entry.id, entry) for entry in kept if entry.id not in gone)

    def _segmenter(self, stages: Sequence[Planned], shards: Sequence[str]) -> "Segmenter":
        from izwi.pipeline.segmenting import Segmenter

        gone = read_takedowns(self.layout)
        return Segmenter(
            self.layout.segments,
            tuple(self.config.index.attributes),
            fingerprints(self.layout, stages, shards).__getitem__,
            self._carried_out,
            gone if gone.entries else NothingExcluded(),
        )

    def _segments(
        self,
        stages: Sequence[Planned],
        index: Planned,
        planned: SegmentPlan,
        rows: Mapping[str, Sequence[int]],
    ) -> list[SegmentEntry]:
        """Index the shards that lack it, and merge small segments; readers keep the old ones."""
        segmenter = self._segmenter(stages, [*planned.shards, *rows])
        some = {shard: each for shard, each in rows.items() if each and shard not in planned.shards}
        shards = [*planned.shards, *some]
        inputs = {shard: self._index_inputs(stages, index, shard) for shard in shards}
        with disk_errors():
            entries = [*planned.kept, *(segmenter.of_shards(inputs, some) if inputs else [])]
            many = segments_to_merge(entries)
            if many:
                merged = segmenter.merged(many)
                entries = [*(entry for entry in entries if entry not in many), merged]
            remove_leftovers(self.layout.segments)
        return entries

    def _index_inputs(
        self, stages: Sequence[Planned], index: Planned, shard: str
    ) -> dict[str, Path]:
        paths = {
            p.spec.writes: self.layout.shard(p.spec.writes, p.fingerprint, shard) for p in stages
        }
        return {layer: paths[layer] for layer in index.spec.reads}

    def _built(self, stages: Sequence[Planned], layer: str) -> set[str]:
        return built_shards(self.layout, stages, layer)


def _state_of(path: Path) -> str:
    """Return what changes when a file is replaced, as the catalog notes it."""
    return " ".join(map(str, file_state(path) or ("absent",)))
