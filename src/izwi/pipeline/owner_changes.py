"""What a build does when texts have other owners or curators decided: what is judged again.

After shards came, changed or went: which texts have other owners now, and who is to be told. A
shard is judged by the owners of the texts it holds. So it is judged again if, and only if, one of
these is another document than before. All that looks at hashes is done by tasks, each for one part
of all hashes; the answer is the same whatever the parts, and whoever does them in what order.
"""

import json
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from izwi.dedup.ownership import Exclusion, NothingExcluded
from izwi.model.curation import CURATOR, Decision
from izwi.model.errors import CorruptShard
from izwi.model.records import dataclass
from izwi.model.results import ShardReport
from izwi.pipeline import touched
from izwi.pipeline.former_owners import note_changes, write_changes
from izwi.pipeline.runners import SegmentFailed
from izwi.pipeline.stages import Planned
from izwi.store.curation import read_decisions
from izwi.store.files import TEMPORARY, disk_errors, write_text
from izwi.store.layers import read_columns
from izwi.store.layout import Layout, read_recipe
from izwi.store.ownership.groups import (
    Groups,
    Joining,
    Member,
    Members,
    begin_group,
    groups_to_join,
    is_whole,
    join_part,
    plan_groups,
    remove_unused,
    thinned_groups,
)
from izwi.store.ownership.hash_runs import ALL, NOBODY, Hashes, Part, parts_for
from izwi.store.ownership.library import (
    Library,
    pieces,
    read_groups,
    write_answers,
    write_groups,
    write_order,
    write_question,
)
from izwi.store.ownership.shard_runs import (
    RANK,
    Ranks,
    ShardRun,
    has_excluded,
    read_exclusions,
    read_run_digest,
)

if TYPE_CHECKING:
    from izwi.pipeline.shard import Task


# Carries out tasks of one kind, wherever that may be.
Carry = Callable[[str, "Sequence[Task]"], Iterable[ShardReport]]
# What was found out about owners on the way to a judgement.
_ASIDE = f".answers{TEMPORARY}"


@dataclass(frozen=True, slots=True)
class Settlement:
    """The runs by which shards are judged from now on, and the shards to be judged again."""

    groups: Groups
    affected: frozenset[str]
    # Of these it is not known which of their documents are affected: all are judged.
    unclear: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class PartConfig:
    """What a task about one part of all hashes has to know; not every kind of task needs all."""

    part: Part = ALL
    memory_bytes: int = 0
    # The groups before and after, or those that become one.
    before: Groups = ()
    after: Groups = ()
    members: Members = ()


@dataclass(frozen=True, slots=True)
class Settler:
    """Settles who owns what in one layer, by tasks that somebody carries out."""

    layer: Path
    carry: Carry
    memory_bytes: int

    def settle(self, shards: Sequence[str]) -> Settlement | None:
        """Return what is to be done about the owners of these shards; None if nothing is."""
        before, layer = read_groups(self.layer), self.layer
        members = [(shard, read_run_digest(layer / f"{shard}.parquet")) for shard in shards]
        old, new = _members(before), set(members)
        whole = [group for group in before if is_whole(layer, group)]
        if old == new and len(whole) == len(before) and set(layer.glob("groups.json")):
            return None
        thin = thinned_groups(layer, whole, members, self.memory_bytes)
        groups = self._joined(groups_to_join(layer, plan_groups(thin, members)))
        write_order(layer, groups)
        # A shard that changed is judged again whatever it holds; so is whoever a change touches.
        renewed = frozenset(shard for shard, _ in old ^ new)
        found = self._affected(before, groups)
        affected = renewed | ({shard for shard, _ in old & new} if found is None else found)
        unclear = {shard for shard in renewed if not self._are_noted(shard, dict(old), dict(new))}
        return Settlement(groups, affected, affected if found is None else frozenset(unclear))

    def _are_noted(self, shard: str, old: Mapping[str, str], new: Mapping[str, str]) -> bool:
        """Note which documents came to a shard or went from it; return whether that is known."""
        if shard not in old or shard not in new:
            return False
        runs = (ShardRun(self.layer, shard, each[shard]) for each in (old, new))
        try:
            before, after = (set(run.names()) for run in runs)
        except CorruptShard:
            return False
        touched.note_names(self.layer, shard, [*(before ^ after)])
        return True

    def answers(self, shards: Sequence[str]) -> Path:
        """Find out who owns what shards hold; return where that is written."""
        groups, folder = read_groups(self.layer), self.layer / _ASIDE
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        digests = dict(_members(groups))
        members = tuple((shard, digests[shard]) for shard in shards)
        parts = self._parts(members)
        write_question(folder, shards, len(parts))
        asked = [
            PartConfig(part, self.memory_bytes, after=groups, members=members) for part in parts
        ]
        self._carried("ask", [self._task("ask", each, folder) for each in asked])
        return folder

    def _joined(self, joined: "Sequence[tuple[Members, ...]]") -> Groups:
        """Make the groups that are not there yet, each of those it is to hold."""
        made = [
            begin_group(self.layer, sources, self.memory_bytes)
            for sources in joined
            if len(sources) > 1
        ]
        tasks = [
            self._task("join", PartConfig(part, self.memory_bytes, before=each.sources))
            for each in made
            for part in each.parts
        ]
        self._carried("join", tasks)
        return tuple(Joining(sources, ()).members for sources in joined)

    def _affected(self, before: Groups, after: Groups) -> set[str] | None:
        """Return the shards of both worlds in which a text has another owner than before.

        None if what there was before cannot be read any more.
        """
        old, new = _members(before), _members(after)
        changed, staying = tuple(sorted(old ^ new)), old & new
        is_first = not staying and {shard for shard, _ in old}.isdisjoint(dict(new))
        if is_first or not changed:
            return set()
        folder = self.layer / f".changes{TEMPORARY}"
        folder.mkdir(exist_ok=True)
        compared = [
            PartConfig(part, self.memory_bytes, before, after, changed)
            for part in self._parts(changed)
        ]
        tasks = [
            self._task("compare", each, folder / f"{each.part.number}.json") for each in compared
        ]
        try:
            self._carried("compare", tasks)
            found = ((each.config.part, _changes_found(each.output)) for each in tasks)
            worlds = (Library(self.layer, each) for each in (before, after))
            note_changes(self.layer, found, *worlds)
            return {shard for each in tasks for shard in json.loads(each.output.read_text())}
        except CorruptShard:
            if all(ShardRun(self.layer, *member).folder.exists() for member in new):
                return None
            raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def _parts(self, members: Members) -> list[Part]:
        """Return the parts in which the hashes of shards are looked at."""
        found = (ShardRun(self.layer, *member) for member in members)
        count = sum(each.size for each in found if each.folder.exists())
        return parts_for(count, self.memory_bytes)

    def _task(self, stage: str, config: PartConfig, output: Path | None = None) -> "Task":
        from izwi.pipeline.shard import Task

        name = f"part {config.part.number + 1} of {1 << config.part.bits}"
        return Task(stage, "own", name, config, {"own": self.layer}, output or self.layer)

    def _carried(self, stage: str, tasks: "Sequence[Task]") -> None:
        failed = [report for report in self.carry(stage, tasks) if report.error] if tasks else []
        for report in failed:
            if report.damaged:
                raise CorruptShard(report.error, report.damaged)
        if failed:
            raise SegmentFailed(failed)


def join(config: PartConfig, layer: Path, output: Path) -> None:
    """Write one part of the hashes of several groups as those of one."""
    join_part(layer, config.before, config.part, config.memory_bytes)


def ask(config: PartConfig, layer: Path, output: Path) -> None:
    """Write who owns what some shards hold in one part of all hashes."""
    write_answers(output, layer, config.after, config.members, config.part)


def compare(config: PartConfig, layer: Path, output: Path) -> None:
    """Write which shards that stay hold a text of a changed one that has another owner now."""
    old, new = Library(layer, config.before), Library(layer, config.after)
    changed = [changed_hashes(keys, old, new) for keys in _moved(layer, config)]
    keys = np.concatenate([np.empty(0, np.uint64), *(hashes for hashes, _ in changed)])
    owners = np.concatenate([np.empty(0, RANK), *(ranks for _, ranks in changed)])
    write_changes(_changes_found(output), keys, owners)
    staying = _members(config.before) & _members(config.after)
    held = [shard for shard, run in staying if _holds(ShardRun(layer, shard, run), keys)]
    write_text(output, json.dumps(sorted(held)))


def _moved(layer: Path, config: PartConfig) -> Iterator[Hashes]:
    """Yield what another document of a changed shard is the best for than before, or none is.

    Whatever else the shard holds has the same owner in the corpus as far as the shard goes.
    """
    before, after = dict(_members(config.before)), dict(_members(config.after))
    for shard in sorted({shard for shard, _ in config.members}):
        runs = [ShardRun(layer, shard, each[shard]) for each in (before, after) if shard in each]
        if len(runs) == 1:
            yield from pieces(config.part.of(runs[0].run().hashes))
        else:
            yield from _moved_between(runs[0], runs[1], config.part)


def _moved_between(before: ShardRun, after: ShardRun, part: Part) -> Iterator[Hashes]:
    old, new = before.run(), after.run()
    # Where the documents of before are now; nobody's of those that went.
    is_left = np.isin(before.ranks(), after.ranks())
    places = np.searchsorted(after.ranks(), before.ranks())
    moved = np.where(is_left, places, NOBODY).astype(np.uint32)
    begin = part.slice(old.hashes).start
    for keys in pieces(part.of(old.hashes)):
        owners = np.full(len(keys), NOBODY, np.uint32)
        new.fill(keys, owners)
        expected = moved[old.owners[begin : begin + len(keys)]]
        yield keys[(expected == NOBODY) | (owners != expected)]
        begin += len(keys)
    for keys in pieces(part.of(new.hashes)):
        owners = np.full(len(keys), NOBODY, np.uint32)
        old.fill(keys, owners)
        yield keys[owners == NOBODY]


def _changes_found(output: Path) -> Path:
    return output.with_suffix(".hashes")


def wrongly_held(path: Path, excluded: Exclusion) -> bool:
    """Whether a shard's list has a document that has since been taken out, or put back."""
    if isinstance(excluded, NothingExcluded):
        return has_excluded(path)
    return any(is_out != excluded.covers(url) for url, is_out in read_exclusions(path))


def changed_hashes(keys: Hashes, before: Library, after: Library) -> tuple[Hashes, Ranks]:
    """Return the hashes somebody owned before and somebody else owns now; and by rank, who did."""
    owners = before.owners(keys)
    keys, owners = keys[owners != NOBODY], owners[owners != NOBODY]
    now = after.owners(keys)
    is_owned = now != NOBODY
    keys, owners, now = keys[is_owned], owners[is_owned], now[is_owned]
    ranks = before.ranks_of(owners)
    is_changed = ranks != after.ranks_of(now)
    return keys[is_changed], ranks[is_changed]


def _members(groups: Groups) -> set[Member]:
    return {member for group in groups for member in group}


def _holds(run: ShardRun, keys: Hashes) -> bool:
    owners = np.full(len(keys), NOBODY, np.uint32)
    run.run().fill(keys, owners)
    return bool((owners != NOBODY).any())


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer that may have to go, and whether it is what the present settings make."""

    name: str
    fingerprint: str
    is_current: bool


def forget_wrong_holders(layout: Layout, own: Planned, excluded: Exclusion) -> None:
    """Have shards held anew from which a page was taken out, or put back."""
    for shard in layout.built_shards("own", own.fingerprint):
        path = layout.shard("own", own.fingerprint, shard)
        if wrongly_held(path, excluded):
            touched.replaced(path).parent.mkdir(exist_ok=True)
            path.replace(touched.replaced(path))


def settle_owners(layout: Layout, stages: Sequence[Planned], settler: Settler) -> None:
    """Bring the owners up to date, and remove what was judged by other owners."""
    own = next(planned for planned in stages if planned.spec.writes == "own")
    held = layout.built_shards("own", own.fingerprint)
    if not held:
        return
    was_settled = touched.hashes_beside(settler.layer).exists()
    with disk_errors():
        settled = settler.settle([shard for shard in layout.sealed_shards() if shard in held])
        if settled is None:
            return
        stale = descendants(layout, stages, own)
        for shard in settled.affected:
            # Kept aside in an earlier round, too: what is noted tells what changed since then only.
            # (What former settings left aside has its own notes.)
            is_again = was_settled and any(
                touched.replaced(path).exists() for path in _judgements(layout, stale, shard)
            )
            # Where its texts were made anew, nothing that was made of them is left.
            forget(layout, stale, shard, has_same_texts=True)
            if is_again or shard in settled.unclear:
                _have_made_whole(layout, stale, shard)
        # Killed before this line, the next build finds the same shards affected.
        write_groups(settler.layer, settled.groups)
        remove_unused(settler.layer, settled.groups)


def remove_replaced(layout: Layout) -> None:
    """Delete what was kept while layers were made again, and who owns what shards held then."""
    for name in (touched.ASIDE, _ASIDE):
        for folder in layout.layers.glob(f"*/{name}"):
            shutil.rmtree(folder, ignore_errors=True)


def descendants(layout: Layout, stages: Sequence[Planned], of: Planned) -> list[Layer]:
    """Return the layers made of one layer, by whatever settings, the last first."""
    stale, found = {of.fingerprint}, list[Layer]()
    for planned in stages[stages.index(of) + 1 : -1]:
        for fingerprint in layout.fingerprints(planned.spec.writes):
            recipe = read_recipe(layout, planned.spec.writes, fingerprint)
            # What nobody can say of what it was made is made again.
            if not stale.isdisjoint(recipe.get("upstream") or stale):
                stale.add(fingerprint)
                is_current = fingerprint == planned.fingerprint
                found.append(Layer(planned.spec.writes, fingerprint, is_current))
    return found[::-1]


def forget(layout: Layout, layers: Sequence[Layer], shard: str, *, has_same_texts: bool) -> None:
    """Remove a shard of layers, in this order; kept aside where its texts are the same."""
    for layer in layers:
        path = layout.shard(layer.name, layer.fingerprint, shard)
        if has_same_texts and layer.is_current and path.exists():
            touched.replaced(path).parent.mkdir(exist_ok=True)
            path.replace(touched.replaced(path))
        path.unlink(missing_ok=True)


def _have_made_whole(layout: Layout, layers: Sequence[Layer], shard: str) -> None:
    """Have all documents of a shard done where nothing tells which ones are concerned."""
    for layer in layers:
        path = layout.shard(layer.name, layer.fingerprint, shard)
        if touched.replaced(path).exists():
            touched.whole_beside(path).touch()
    for path in _judgements(layout, layers, shard):
        touched.forget_rows(path)


def _judgements(layout: Layout, layers: Sequence[Layer], shard: str) -> list[Path]:
    return [
        layout.shard(each.name, each.fingerprint, shard) for each in layers if each.name == "dup"
    ]


Decided = dict[str, dict[str, str]]
_LAST = ("select", "tokens")
_OUTCOMES = {"keep": "kept", "drop": "dropped"}


def decided_in(layout: Layout, stages: Sequence[Planned]) -> Decided:
    """Return what was decided about documents, by shard; an empty verdict was taken back."""
    decisions = read_decisions(layout)
    if not decisions:
        return {}
    sealed = set(layout.sealed_shards())
    found: Decided = {}
    lost: dict[str, Decision] = {}
    for decision in decisions:
        if decision.shard in sealed:
            found.setdefault(decision.shard, {})[decision.document] = decision.verdict
        else:
            lost[decision.document] = decision
    # Small files are joined now and then: their documents lie elsewhere since.
    for shard, document in _places(layout, stages, lost):
        found.setdefault(shard, {})[document] = lost[document].verdict
    return found


def forget_overruled(layout: Layout, stages: Sequence[Planned]) -> None:
    """Remove the verdicts of shards about whose documents curators have decided otherwise since."""
    by_layer = {planned.spec.writes: planned for planned in stages}
    text, sift, own = (by_layer[name].fingerprint for name in ("text", "sift", "own"))
    # Copies were told before; only whether the owners are others is asked again.
    judged = [each for each in descendants(layout, stages, by_layer["sift"]) if each.name in _LAST]
    built = layout.built_shards("sift", sift)
    for shard, decided in decided_in(layout, stages).items():
        if shard not in built:
            continue
        ids = read_columns(layout.shard("text", text, shard), ["id"])
        verdicts = read_columns(layout.shard("sift", sift, shard), ["verdict"])
        rows = zip(
            ids.column("id").to_pylist(), verdicts.column("verdict").to_pylist(), strict=True
        )
        overruled = [
            (decided[id], verdict["outcome"])
            for id, verdict in rows
            if id in decided and not _is_obeyed(decided[id], verdict)
        ]
        if not overruled:
            continue
        with disk_errors():
            # The last layer first: whatever a kill leaves is made again.
            forget(layout, judged, shard, has_same_texts=True)
            _have_made_whole(layout, judged, shard)
            if any(_OUTCOMES.get(asked) != outcome for asked, outcome in overruled):
                layout.shard("own", own, shard).unlink(missing_ok=True)
            layout.shard("sift", sift, shard).unlink()


def _is_obeyed(decided: str, verdict: Mapping[str, str]) -> bool:
    """Whether a verdict is what was decided; of what has no text nobody can decide."""
    if verdict["stage"] == "extract":
        return True
    is_ours = verdict["stage"] == CURATOR
    wanted = _OUTCOMES.get(decided)
    return is_ours and verdict["outcome"] == wanted if wanted else not is_ours


def _places(
    layout: Layout, stages: Sequence[Planned], lost: Mapping[str, Decision]
) -> Iterator[tuple[str, str]]:
    if not lost:
        return
    text = stages[0].fingerprint
    for shard in sorted(layout.built_shards("text", text)):
        ids = read_columns(layout.shard("text", text, shard), ["id"]).column("id").to_pylist()
        yield from ((shard, id) for id in ids if id in lost)
