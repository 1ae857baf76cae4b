"""Runs of several shards merged into one, so that few places have to be asked for an owner.

A group is a cache: it can be made again from its shards' runs at any time. Of each hash it holds
the best owner among its shards' documents, which are counted in order of rank.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard
from izwi.store.files import make_durable
from izwi.store.ngrams import (
    Hashes,
    Owners,
    Run,
    RunWriter,
    mapped,
    merge_parts,
    open_run,
    ranges,
    runs_to_merge,
)
from izwi.store.shardruns import RANK, Ranks, ShardRun

# A shard and the digest of its run.
Member = tuple[str, str]
# For each document of a group: which member it is of, and its place there.
Homes = NDArray[np.uint32]


@dataclass(frozen=True)
class Group:
    """The runs of some shards, asked as one; owners are places in `ranks`, the best first."""

    members: tuple[ShardRun, ...]
    run: Run
    ranks: Ranks
    homes: Homes
    # The other way round: members after each other, for each document its place in the group; and
    # where each member ends.
    places: NDArray[np.uint32]
    ends: NDArray[np.int64]

    def places_of(self, member: int) -> NDArray[np.uint32]:
        """Return where in the group the documents of a member are, in their order there."""
        first = int(self.ends[member - 1]) if member else 0
        return self.places[first : int(self.ends[member])]


def group_folder(layer: Path, members: Sequence[Member]) -> Path:
    """Return the folder of a group; its name says which runs it is made of."""
    text = "\n".join(f"{shard} {digest}" for shard, digest in members)
    return layer / "merged" / xxhash.xxh3_128_hexdigest(text.encode())


def order_folder(layer: Path, groups: Sequence[Sequence[Member]]) -> Path:
    """Return the folder that says how the documents of all groups follow each other by rank."""
    names = "\n".join(group_folder(layer, group).name for group in groups)
    return layer / "merged" / f"{xxhash.xxh3_128_hexdigest(names.encode())}-order"


def open_group(layer: Path, members: Sequence[Member]) -> Group:
    """Open a group, which is made first if it is not there or damaged."""
    shards = tuple(ShardRun(layer, *member) for member in members)
    if len(shards) == 1:
        ranks = shards[0].ranks()
        places = np.arange(len(ranks), dtype=np.uint32)
        homes = np.stack([np.zeros(len(ranks), np.uint32), places], axis=1)
        return Group(shards, shards[0].run(), ranks, homes, places, np.array([len(ranks)]))
    folder = group_folder(layer, members)
    try:
        return _opened(folder, shards)
    except (CorruptShard, OSError, ValueError):
        _merge(folder, [open_group(layer, [member]) for member in members])
        return _opened(folder, shards)


def merge_groups(layer: Path, groups: Sequence[Sequence[Member]]) -> tuple[Member, ...]:
    """Merge groups into one, from what they hold already, and return its members."""
    members = tuple(member for group in groups for member in group)
    folder = group_folder(layer, members)
    if not folder.exists():
        _merge(folder, [open_group(layer, group) for group in groups])
    return members


def plan_groups(
    groups: Sequence[tuple[Member, ...]], members: Sequence[Member]
) -> list[tuple[Member, ...]]:
    """Return the groups that still hold, and each run beside them as a group of its own.

    >>> plan_groups([(("a", "1"), ("b", "1")), (("c", "1"),)], [("a", "2"), ("b", "1"), ("c", "1")])
    [(('c', '1'),), (('a', '2'),), (('b', '1'),)]
    """
    wanted = set(members)
    kept = [group for group in groups if wanted.issuperset(group)]
    covered = {member for group in kept for member in group}
    return kept + [(member,) for member in members if member not in covered]


def joined_groups(layer: Path, groups: list[tuple[Member, ...]]) -> tuple[tuple[Member, ...], ...]:
    """Merge groups while too many are of about the same size, and return what there is then."""
    while alike := runs_to_merge([_size(layer, group) for group in groups]):
        merged = merge_groups(layer, [groups[place] for place in alike])
        groups = [group for place, group in enumerate(groups) if place not in alike]
        groups.append(merged)
    return tuple(groups)


def remove_unused(layer: Path, groups: Sequence[Sequence[Member]]) -> None:
    """Delete the runs and groups that are no longer asked."""
    used = {ShardRun(layer, *member).folder.name for group in groups for member in group}
    used |= {group_folder(layer, group).name for group in groups}
    used.add(order_folder(layer, groups).name)
    for path in (*layer.glob("*.ngrams"), *(layer / "merged").glob("*")):
        if path.name not in used:
            shutil.rmtree(path, ignore_errors=True)


def _size(layer: Path, group: Sequence[Member]) -> int:
    if len(group) == 1:
        return ShardRun(layer, *group[0]).size
    try:
        return (group_folder(layer, group) / "hashes").stat().st_size // 8
    except OSError:
        return len(open_group(layer, group).run.hashes)


def _opened(folder: Path, members: tuple[ShardRun, ...]) -> Group:
    run = open_run(folder)
    # Mapped: who judges a shard looks at few documents of all.
    ranks = mapped(folder / "ranks", RANK)
    homes = mapped(folder / "homes", np.dtype(np.uint32)).reshape(-1, 2)
    places = mapped(folder / "places", np.dtype(np.uint32))
    ends = mapped(folder / "ends", np.dtype(np.int64))
    if not len(ranks) == len(homes) == len(places) or len(ends) != len(members):
        raise CorruptShard(f"{folder} is damaged: its files do not belong together.", str(folder))
    return Group(members, run, ranks, homes, places, ends)


def _merge(folder: Path, groups: Sequence[Group]) -> None:
    ranks = np.concatenate([group.ranks for group in groups])
    order = np.argsort(ranks, kind="stable")
    places = np.empty(len(order), np.uint32)
    places[order] = np.arange(len(order), dtype=np.uint32)
    writer = RunWriter(folder.parent, sum(len(group.run.hashes) for group in groups))
    for hashes, owners in _merged_parts(groups, places):
        writer.write(hashes, owners)
    made = writer.close()
    ranks[order].tofile(made / "ranks")
    homes = _homes(groups)[order]
    homes.tofile(made / "homes")
    np.lexsort((homes[:, 1], homes[:, 0])).astype(np.uint32).tofile(made / "places")
    members = sum(len(group.members) for group in groups)
    np.cumsum(np.bincount(homes[:, 0], minlength=members)).astype(np.int64).tofile(made / "ends")
    for path in made.iterdir():
        make_durable(path)
    shutil.rmtree(folder, ignore_errors=True)
    made.rename(folder)


def _merged_parts(
    groups: Sequence[Group], places: NDArray[np.uint32]
) -> Iterator[tuple[Hashes, Owners]]:
    bases = np.cumsum([0, *(len(group.ranks) for group in groups)])
    for parts in ranges([group.run for group in groups]):
        # Places in one group become places in the new one, where ranks decide between groups.
        renumbered = [
            (hashes, places[owners.astype(np.int64) + base])
            for (hashes, owners), base in zip(parts, bases, strict=False)
        ]
        yield merge_parts(renumbered)


def _homes(groups: Sequence[Group]) -> Homes:
    """Return the homes of all documents, members counted through."""
    base, found = 0, []
    for group in groups:
        found.append(group.homes + np.array([base, 0], np.uint32))
        base += len(group.members)
    return np.concatenate(found)
