"""After shards came, changed or went: which texts have other owners now, and who is to be told.

A shard is judged by the owners of the texts it holds. So it is judged again if, and only if, one
of these is another document than before.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from izwi.dedup.ownership import Exclusion, NothingExcluded
from izwi.model.errors import CorruptShard
from izwi.store.groups import Member, joined_groups, plan_groups
from izwi.store.library import Groups, Library, read_groups
from izwi.store.ngrams import NOBODY, Hashes
from izwi.store.owners import has_excluded, read_holders, read_run_digest
from izwi.store.shardruns import ShardRun

# Hashes looked up at a time.
_TOGETHER = 1 << 20


@dataclass(frozen=True, slots=True)
class Settlement:
    """The runs by which shards are judged from now on, and the shards to be judged again."""

    groups: Groups
    affected: frozenset[str]
    # Those of them that hold other texts than before.
    renewed: frozenset[str]


def settle(layer: Path, shards: Sequence[str]) -> Settlement | None:
    """Return what is to be done about the owners of these shards; None if nothing is."""
    before = read_groups(layer)
    members = [(shard, read_run_digest(layer / f"{shard}.parquet")) for shard in shards]
    old, new = _members(before), set(members)
    if old == new and set(layer.glob("groups.json")):
        return None
    groups = joined_groups(layer, plan_groups(before, members))
    # A shard that changed is judged again whatever it holds; so is whoever a change touches.
    renewed = frozenset(shard for shard, _ in old ^ new)
    return Settlement(groups, renewed | _affected(layer, before, groups), renewed)


def wrongly_held(path: Path, excluded: Exclusion) -> bool:
    """Whether a shard's list has a document that has since been taken out, or put back."""
    if isinstance(excluded, NothingExcluded):
        return has_excluded(path)
    documents = read_holders(path).documents
    return any(each.is_excluded != excluded.covers(each.url) for each in documents)


def _members(groups: Groups) -> set[Member]:
    return {member for group in groups for member in group}


def _affected(layer: Path, before: Groups, after: Groups) -> set[str]:
    """Return the shards of both worlds in which a text has another owner than before."""
    old, new = _members(before), _members(after)
    staying = old & new
    try:
        changed = _changed(layer, before, after, sorted(old ^ new)) if staying else []
        keys = np.unique(np.concatenate([np.empty(0, np.uint64), *changed]))
        return {shard for shard, run in staying if _holds(ShardRun(layer, shard, run), keys)}
    except CorruptShard:
        if all(ShardRun(layer, *member).folder.exists() for member in new):
            # What there was before cannot be read any more, so all are judged again.
            return {shard for shard, _ in staying}
        raise


def _changed(layer: Path, before: Groups, after: Groups, members: Sequence[Member]) -> list[Hashes]:
    old, new = Library(layer, before), Library(layer, after)
    return [
        changed_hashes(keys, old, new)
        for member in members
        for keys in _pieces(ShardRun(layer, *member).run().hashes)
    ]


def changed_hashes(keys: Hashes, before: Library, after: Library) -> Hashes:
    """Return the hashes somebody owned before and somebody else owns now."""
    owners = _owners(keys, before)
    keys, owners = keys[owners != NOBODY], owners[owners != NOBODY]
    now = _owners(keys, after)
    is_owned = now != NOBODY
    keys, owners, now = keys[is_owned], owners[is_owned], now[is_owned]
    changed: Hashes = keys[before.ranks_of(owners) != after.ranks_of(now)]
    return changed


def _owners(keys: Hashes, library: Library) -> "np.ndarray[tuple[int], np.dtype[np.uint32]]":
    owners = np.full(len(keys), NOBODY, np.uint32)
    library.fill(keys, owners)
    return owners


def _pieces(hashes: Hashes) -> Iterator[Hashes]:
    for first in range(0, len(hashes), _TOGETHER):
        yield np.array(hashes[first : first + _TOGETHER])


def _holds(run: ShardRun, keys: Hashes) -> bool:
    owners = np.full(len(keys), NOBODY, np.uint32)
    run.run().fill(keys, owners)
    return bool((owners != NOBODY).any())
