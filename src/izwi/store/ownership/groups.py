"""Groups of shards: their runs of hashes merged into one.

Runs of several shards merged into one, so that few places have to be asked for an owner. A group is
a cache: it can be made again from its shards' runs at any time. Of each hash it holds the best
owner among its shards' documents, which are counted in order of rank. The documents are written
first; then the hashes, in parts that anybody may make, in any order.

Where documents went from a few shards, as a page that is taken down does, the group is thinned: its
hashes stay as they lie, with the places of who is left, and a small run says who has what they had.
"""

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard, unreadable
from izwi.model.records import dataclass
from izwi.store.files import TEMPORARY, link, make_durable
from izwi.store.ownership.hash_runs import (
    NOBODY,
    Hashes,
    Owners,
    Part,
    Run,
    RunWriter,
    mapped,
    merge_parts,
    open_run,
    parts_for,
    ranges,
    runs_to_merge,
)
from izwi.store.ownership.shard_runs import RANK, Ranks, ShardRun

# A shard and the digest of its run.
Member = tuple[str, str]
# For each document of a group: which member it is of, and its place there.
Homes = NDArray[np.uint32]
Members = tuple[Member, ...]
Groups = tuple[Members, ...]
Places = NDArray[np.uint32]
Mask = NDArray[np.bool_]
# A group of whose documents a larger share went since it was merged is rather made again.
_MOST_GONE = 1 / 16


@dataclass(frozen=True)
class Thinned:
    """What became of the places that the hashes of a group name, and who has what is lost."""

    # For each place its place now, or nobody's.
    moved: Places
    instead: Run

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Make places of what they were in the hashes, whatever is lost given to its heirs."""
        which = np.flatnonzero(owners != NOBODY)
        owners[which] = self.moved[owners[which]]
        lost = which[owners[which] == NOBODY]
        heirs = np.full(len(lost), NOBODY, np.uint32)
        self.instead.fill(keys[lost], heirs)
        owners[lost] = heirs


@dataclass(frozen=True)
class Group:
    """The runs of some shards, asked as one; owners are places in `ranks`, the best first."""

    members: tuple[ShardRun, ...]
    # The hashes, in as many equal parts as there are.
    runs: tuple[Run, ...]
    ranks: Ranks
    homes: Homes
    # The other way round: members after each other, for each document its place in the group; and
    # where each member ends.
    places: Places
    ends: NDArray[np.int64]
    thinned: Thinned | None = None

    def owners(self, keys: Hashes) -> Owners:
        """Return the owners of keys in the group, nobody for those that it does not hold."""
        owners = np.full(len(keys), NOBODY, np.uint32)
        self._fill(keys, owners)
        if self.thinned is not None:
            self.thinned.fill(keys, owners)
        return owners

    def _fill(self, keys: Hashes, owners: Owners) -> None:
        bits = len(self.runs).bit_length() - 1
        if not bits:
            self.runs[0].fill(keys, owners)
            return
        homes = (keys >> np.uint64(64 - bits)).astype(np.int64)
        for number in np.unique(homes).tolist():
            which = np.flatnonzero(homes == number)
            found = owners[which]
            self.runs[number].fill(keys[which], found)
            owners[which] = found

    def places_of(self, member: int) -> NDArray[np.uint32]:
        """Return where in the group the documents of a member are, in their order there."""
        first = int(self.ends[member - 1]) if member else 0
        return self.places[first : int(self.ends[member])]

    def places_in(self, base: int, source: "Group") -> NDArray[np.uint32]:
        """Return where the documents of another group are whose members begin here at `base`."""
        starts = np.concatenate([[0], self.ends]).astype(np.int64)
        homes = source.homes.astype(np.int64)
        found: NDArray[np.uint32] = self.places[starts[homes[:, 0] + base] + homes[:, 1]]
        return found


@dataclass(frozen=True, slots=True)
class Joining:
    """A group that is to be made of others, and the parts its hashes are made in."""

    sources: tuple[Members, ...]
    parts: tuple[Part, ...]

    @property
    def members(self) -> Members:
        """All runs that are to be in it."""
        return tuple(member for group in self.sources for member in group)


def group_folder(layer: Path, members: Sequence[Member]) -> Path:
    """Return the folder of a group; its name says which runs it is made of."""
    text = "\n".join(f"{shard} {digest}" for shard, digest in members)
    return layer / "merged" / xxhash.xxh3_128_hexdigest(text.encode())


def order_folder(layer: Path, groups: Sequence[Sequence[Member]]) -> Path:
    """Return the folder that says how the documents of all groups follow each other by rank."""
    names = "\n".join(group_folder(layer, group).name for group in groups)
    return layer / "merged" / f"{xxhash.xxh3_128_hexdigest(names.encode())}-order"


def open_group(layer: Path, members: Sequence[Member], *, has_hashes: bool = True) -> Group:
    """Open a group, or only its documents; raise CorruptShard if it is not there or not whole."""
    shards = tuple(ShardRun(layer, *member) for member in members)
    if len(shards) == 1:
        ranks = shards[0].ranks()
        places = np.arange(len(ranks), dtype=np.uint32)
        homes = np.stack([np.zeros(len(ranks), np.uint32), places], axis=1)
        own = (shards[0].run(),) if has_hashes else ()
        return Group(shards, own, ranks, homes, places, np.array([len(ranks)]))
    folder = group_folder(layer, members)
    group = _documents(folder, shards)
    # Looked at in order of the hashes: what was passed need not stay in memory.
    runs = tuple(
        open_run(folder / _part_name(part.number), is_held=False, part=part)
        for part in (_parts(folder) if has_hashes else ())
    )
    return replace(group, runs=runs, thinned=_thinned(folder) if has_hashes else None)


def _thinned(folder: Path) -> Thinned | None:
    if not (folder / "moved").exists():
        return None
    try:
        moved = mapped(folder / "moved", np.dtype(np.uint32))
    except (OSError, ValueError) as error:
        raise unreadable(f"{folder} is damaged or missing ({error}).", folder, error) from error
    return Thinned(moved, open_run(folder / "instead", is_held=False))


def is_whole(layer: Path, members: Sequence[Member]) -> bool:
    """Whether all parts of a group are there; a shard's own run is looked after elsewhere."""
    folder = group_folder(layer, members)
    try:
        return len(members) == 1 or not _missing(folder)
    except (OSError, ValueError):
        return False


def begin_group(layer: Path, sources: Sequence[Members], memory_bytes: int) -> Joining:
    """Write the documents of several groups as those of one; its hashes are yet to come."""
    members = tuple(member for group in sources for member in group)
    folder = group_folder(layer, members)
    try:  # what a build that was ended has made of it stays
        _documents(folder, tuple(ShardRun(layer, *member) for member in members))
        return Joining(tuple(sources), tuple(_missing(folder)))
    except CorruptShard:
        shutil.rmtree(folder, ignore_errors=True)
    groups = [open_group(layer, group) for group in sources]
    made = _new_folder(folder)
    count = sum(len(run.hashes) for group in groups for run in group.runs)
    parts = parts_for(count, memory_bytes)
    (made / "parts").write_text(str(len(parts)), encoding="ascii")
    ranks = np.concatenate([group.ranks for group in groups])
    order = np.argsort(ranks, kind="stable")
    _write_documents(made, ranks[order], _homes(groups)[order], len(members))
    for path in made.iterdir():
        make_durable(path)
    made.rename(folder)
    return Joining(tuple(sources), tuple(parts))


def _new_folder(folder: Path) -> Path:
    """Return an empty folder that is to have a name when all is in it."""
    made = folder.with_name(f".{folder.name}{TEMPORARY}")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    return made


def _write_documents(folder: Path, ranks: Ranks, homes: Homes, members: int) -> None:
    """Write the documents of a group, which are given in order of rank."""
    ranks.tofile(folder / "ranks")
    homes.tofile(folder / "homes")
    np.lexsort((homes[:, 1], homes[:, 0])).astype(np.uint32).tofile(folder / "places")
    np.cumsum(np.bincount(homes[:, 0], minlength=members)).tofile(folder / "ends")


def join_part(layer: Path, sources: Sequence[Members], part: Part, memory_bytes: int) -> None:
    """Write one part of the hashes of a group that was begun."""
    groups = [open_group(layer, group) for group in sources]
    members = tuple(member for group in sources for member in group)
    folder = group_folder(layer, members)
    new = _documents(folder, tuple(ShardRun(layer, *member) for member in members))
    numbered, base = list[tuple[Run, Places]](), 0
    for group in groups:
        now = new.places_in(base, group)
        before = now if group.thinned is None else _through(group.thinned.moved, now)
        numbered += [(group.runs[number], before) for number in part.within(len(group.runs))]
        numbered += [(group.thinned.instead, now)] if group.thinned is not None else []
        base += len(group.members)
    runs = [run for run, _ in numbered]
    writer = RunWriter(folder, sum(len(part.of(run.hashes)) for run in runs), part)
    for pieces in ranges(runs, part, memory_bytes):
        # Places in one group become places in the new one, where ranks decide between groups.
        renumbered = [
            _renumbered(*piece, places) for piece, (_, places) in zip(pieces, numbered, strict=True)
        ]
        writer.write(*merge_parts(renumbered))
    make_durable(writer.close(_part_name(part.number)).parent)


def _renumbered(hashes: Hashes, owners: Owners, places: Places) -> tuple[Hashes, Owners]:
    """Return hashes with the new places of their owners, without those whose owner is gone."""
    found = places[owners.astype(np.int64)]
    is_left = found != NOBODY
    return (hashes, found) if is_left.all() else (hashes[is_left], found[is_left])


def _through(moved: Places, places: Places) -> Places:
    """Return where places are that were moved, and moved again; nobody's stay nobody's."""
    found = np.full(len(moved), NOBODY, np.uint32)
    is_left = moved != NOBODY
    found[is_left] = places[moved[is_left]]
    return found


def plan_groups(groups: Sequence[Members], members: Sequence[Member]) -> list[Members]:
    """Return the groups that still hold, and each run beside them as a group of its own.

    >>> plan_groups([(("a", "1"), ("b", "1")), (("c", "1"),)], [("a", "2"), ("b", "1"), ("c", "1")])
    [(('c', '1'),), (('a', '2'),), (('b', '1'),)]
    """
    wanted = set(members)
    kept = [group for group in groups if wanted.issuperset(group)]
    covered = {member for group in kept for member in group}
    return kept + [(member,) for member in members if member not in covered]


def thinned_groups(
    layer: Path, groups: Sequence[Members], members: Sequence[Member], memory_bytes: int
) -> list[Members]:
    """Return groups, those thinned from whose shards documents went and none came.

    Only what these documents owned is looked for in the other shards; merging all of it anew would
    grow with the corpus. The others, of which more has changed, stay as they are.
    """
    digests = dict(members)
    return [_thin(layer, group, digests, memory_bytes) for group in groups]


def _thin(layer: Path, group: Members, digests: Mapping[str, str], memory_bytes: int) -> Members:
    now = tuple((shard, digests.get(shard, "")) for shard, _ in group)
    if len(group) == 1 or now == group or not all(digest for _, digest in now):
        return group
    if is_whole(layer, now):  # by a build that was ended
        return now
    try:
        old = open_group(layer, group)
        stays = [_stay(*runs) for runs in zip(old.members, _runs(layer, now), strict=True)]
        left = [each for each in stays if each is not None]
        whole = len(old.ranks) if old.thinned is None else len(old.thinned.moved)
        if len(left) < len(stays) or sum(map(np.sum, left)) < (1 - _MOST_GONE) * whole:
            return group
        _write_thinned(layer, group, now, old, left, memory_bytes)
    except CorruptShard:  # whoever merges it anew says what is damaged
        return group
    return now


def _stay(before: ShardRun, now: ShardRun) -> Mask | None:
    """Return which documents of a shard are left; None if others came."""
    ranks = before.ranks()
    if before.digest == now.digest:
        return np.ones(len(ranks), np.bool_)
    found: Mask = np.isin(ranks, now.ranks())
    return found if np.array_equal(ranks[found], now.ranks()) else None


def _write_thinned(
    layer: Path, group: Members, now: Members, old: Group, stays: Sequence[Mask], memory_bytes: int
) -> None:
    folder = group_folder(layer, now)
    shutil.rmtree(folder, ignore_errors=True)
    made = _new_folder(folder)
    is_left = np.zeros(len(old.ranks), np.bool_)
    homes = np.array(old.homes)
    for member, each in enumerate(stays):
        is_left[old.places_of(member)] = each
        own = homes[:, 0] == member
        homes[own, 1] = (np.cumsum(each) - 1).astype(np.uint32)[homes[own, 1]]
    _write_documents(made, old.ranks[is_left], homes[is_left], len(now))
    places = np.where(is_left, np.cumsum(is_left) - 1, NOBODY).astype(np.uint32)
    moved = places if old.thinned is None else _through(old.thinned.moved, places)
    moved.tofile(made / "moved")
    source = group_folder(layer, group)
    shutil.copy2(source / "parts", made / "parts")
    for part in _parts(source):
        name = _part_name(part.number)
        shutil.copytree(source / name, made / name, copy_function=link)
    _write_heirs(made, _documents(made, _runs(layer, now)), old, stays, memory_bytes)
    for path in made.iterdir():
        make_durable(path)
    made.rename(folder)


def _write_heirs(
    made: Path, new: Group, old: Group, stays: Sequence[Mask], memory_bytes: int
) -> None:
    """Write who has now what those owned who went: the best that is left in any of the shards."""
    lists = [
        (run.hashes, ~each[run.owners])
        for run, each in (
            (member.run(), each) for member, each in zip(old.members, stays, strict=True)
        )
        if not each.all()
    ]
    if old.thinned is not None:
        known = old.thinned.instead.hashes
        lists.append((known, np.ones(len(known), np.bool_)))
    count = sum(int(is_lost.sum()) for _, is_lost in lists)
    writer = RunWriter(made, count)
    for part in parts_for(count, memory_bytes):
        keys = np.unique(
            np.concatenate(
                [
                    np.empty(0, np.uint64),
                    *(
                        hashes[cut][is_lost[cut]]
                        for hashes, is_lost in lists
                        for cut in [part.slice(hashes)]
                    ),
                ]
            )
        )
        heirs = np.full(len(keys), NOBODY, np.uint32)
        for member, run in enumerate(new.members):
            owners = np.full(len(keys), NOBODY, np.uint32)
            run.run().fill(keys, owners)
            found = np.flatnonzero(owners != NOBODY)
            heirs[found] = np.minimum(heirs[found], new.places_of(member)[owners[found]])
        writer.write(keys[heirs != NOBODY], heirs[heirs != NOBODY])
    writer.close("instead")


def _runs(layer: Path, members: Members) -> tuple[ShardRun, ...]:
    return tuple(ShardRun(layer, *member) for member in members)


def groups_to_join(layer: Path, groups: Sequence[Members]) -> list[tuple[Members, ...]]:
    """Return which groups become one, while too many are of about the same size; others alone."""
    found: list[tuple[tuple[Members, ...], int]]
    found = [((group,), _size(layer, group)) for group in groups]
    while alike := runs_to_merge([size for _, size in found]):
        sources = tuple(group for place in alike for group in found[place][0])
        # What they share is not known yet: no matter for a size.
        joined = sources, sum(found[place][1] for place in alike)
        found = [each for place, each in enumerate(found) if place not in alike] + [joined]
    return [sources for sources, _ in found]


def remove_unused(layer: Path, groups: Sequence[Sequence[Member]]) -> None:
    """Delete the runs and groups that are no longer asked."""
    used = {ShardRun(layer, *member).folder.name for group in groups for member in group}
    used |= {group_folder(layer, group).name for group in groups}
    used.add(order_folder(layer, groups).name)
    for path in (*layer.glob("*.ngrams"), *(layer / "merged").glob("*")):
        if path.name not in used:
            shutil.rmtree(path, ignore_errors=True)


def _size(layer: Path, group: Members) -> int:
    if len(group) == 1:
        return ShardRun(layer, *group[0]).size
    return sum(len(run.hashes) for run in open_group(layer, group).runs)


def _part_name(number: int) -> str:
    return f"part-{number:04x}"


def _parts(folder: Path) -> list[Part]:
    """Return the parts in which the hashes of a group are written."""
    count = int((folder / "parts").read_text(encoding="ascii"))
    return [Part(number, count.bit_length() - 1) for number in range(count)]


def _missing(folder: Path) -> list[Part]:
    return [part for part in _parts(folder) if not (folder / _part_name(part.number)).exists()]


def _documents(folder: Path, members: tuple[ShardRun, ...]) -> Group:
    """Open a group without its hashes."""
    try:
        _parts(folder)
        # Mapped: who judges a shard looks at few documents of all.
        ranks = mapped(folder / "ranks", RANK)
        homes = mapped(folder / "homes", np.dtype(np.uint32)).reshape(-1, 2)
        places = mapped(folder / "places", np.dtype(np.uint32))
        ends = mapped(folder / "ends", np.dtype(np.int64))
    except (OSError, ValueError) as error:
        raise unreadable(f"{folder} is damaged or missing ({error}).", folder, error) from error
    if not len(ranks) == len(homes) == len(places) or len(ends) != len(members):
        raise CorruptShard(f"{folder} is damaged: its files do not belong together.", str(folder))
    return Group(members, (), ranks, homes, places, ends)


def _homes(groups: Sequence[Group]) -> Homes:
    """Return the homes of all documents, members counted through."""
    base, found = 0, []
    for group in groups:
        found.append(group.homes + np.array([base, 0], np.uint32))
        base += len(group.members)
    return np.concatenate(found)
