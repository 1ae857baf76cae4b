"""Who owns what in a corpus: runs of shards merged into groups, all groups asked as one.

Runs of several shards merged into one, so that few places have to be asked for an owner. A group is
a cache: it can be made again from its shards' runs at any time. Of each hash it holds the best
owner among its shards' documents, which are counted in order of rank. The documents are written
first; then the hashes, in parts that anybody may make, in any order.
"""

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard, unreadable
from izwi.model.records import dataclass
from izwi.store.files import TEMPORARY, make_durable, replacing, write_text
from izwi.store.objects import at_hand, bytes_at_hand
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
from izwi.store.ownership.shard_runs import RANK, Ranks, ShardRun, Sketch

# A shard and the digest of its run.
Member = tuple[str, str]
# For each document of a group: which member it is of, and its place there.
Homes = NDArray[np.uint32]
Members = tuple[Member, ...]


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
    places: NDArray[np.uint32]
    ends: NDArray[np.int64]

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of those keys without one that the group holds."""
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
    return replace(group, runs=runs)


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
    made = folder.with_name(f".{folder.name}{TEMPORARY}")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    count = sum(len(run.hashes) for group in groups for run in group.runs)
    parts = parts_for(count, memory_bytes)
    (made / "parts").write_text(str(len(parts)), encoding="ascii")
    ranks = np.concatenate([group.ranks for group in groups])
    order = np.argsort(ranks, kind="stable")
    ranks[order].tofile(made / "ranks")
    homes = _homes(groups)[order]
    homes.tofile(made / "homes")
    np.lexsort((homes[:, 1], homes[:, 0])).astype(np.uint32).tofile(made / "places")
    np.cumsum(np.bincount(homes[:, 0], minlength=len(members))).tofile(made / "ends")
    for path in made.iterdir():
        make_durable(path)
    made.rename(folder)
    return Joining(tuple(sources), tuple(parts))


def join_part(layer: Path, sources: Sequence[Members], part: Part, memory_bytes: int) -> None:
    """Write one part of the hashes of a group that was begun."""
    groups = [open_group(layer, group) for group in sources]
    members = tuple(member for group in sources for member in group)
    folder = group_folder(layer, members)
    new = _documents(folder, tuple(ShardRun(layer, *member) for member in members))
    runs, numbers, base = list[Run](), list[NDArray[np.uint32]](), 0
    for group in groups:
        within = [group.runs[number] for number in part.within(len(group.runs))]
        runs += within
        numbers += [new.places_in(base, group)] * len(within)
        base += len(group.members)
    writer = RunWriter(folder, sum(len(part.of(run.hashes)) for run in runs), part)
    for pieces in ranges(runs, part, memory_bytes):
        # Places in one group become places in the new one, where ranks decide between groups.
        renumbered = [
            (hashes, places[owners.astype(np.int64)])
            for (hashes, owners), places in zip(pieces, numbers, strict=True)
        ]
        writer.write(*merge_parts(renumbered))
    make_durable(writer.close(_part_name(part.number)).parent)


def plan_groups(groups: Sequence[Members], members: Sequence[Member]) -> list[Members]:
    """Return the groups that still hold, and each run beside them as a group of its own.

    >>> plan_groups([(("a", "1"), ("b", "1")), (("c", "1"),)], [("a", "2"), ("b", "1"), ("c", "1")])
    [(('c', '1'),), (('a', '2'),), (('b', '1'),)]
    """
    wanted = set(members)
    kept = [group for group in groups if wanted.issuperset(group)]
    covered = {member for group in kept for member in group}
    return kept + [(member,) for member in members if member not in covered]


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


Groups = tuple[Members, ...]
_QUESTION = "question.json"
# What is asked of the documents of other shards: few of them, so that no more is read than that.
_OF_DOCUMENTS = ("names.json", "publications.json", "gram_ends", "grams")
# Hashes looked up at a time.
_TOGETHER = 1 << 18


def read_groups(layer: Path) -> Groups:
    """Return the runs that the judged shards were judged by, in groups."""
    try:
        found = json.loads((layer / "groups.json").read_text(encoding="utf-8"))
        return tuple(tuple((shard, run) for shard, run in group) for group in found)
    except (OSError, ValueError, TypeError):
        return ()


def write_groups(layer: Path, groups: Sequence[Sequence[Member]]) -> None:
    """Write by which runs shards are judged from now on."""
    write_text(layer / "groups.json", json.dumps(groups))


def write_order(layer: Path, groups: Groups) -> None:
    """Write how the documents of all groups follow each other, once for all who will ask."""
    folder = order_folder(layer, groups)
    if folder.exists():
        return
    library = Library(layer, groups)
    made = folder.with_name(f".{folder.name}{TEMPORARY}")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(parents=True)
    library.order.astype(np.uint32).tofile(made / "order")
    library.numbers.astype(np.uint32).tofile(made / "numbers")
    for path in made.iterdir():
        make_durable(path)
    made.rename(folder)


def write_answers(
    folder: Path, layer: Path, groups: Groups, members: Sequence[Member], part: Part
) -> None:
    """Write who owns what shards hold in one part of all hashes, shard after shard."""
    library = Library(layer, groups)
    ends = np.zeros(len(members), np.int64)
    with replacing(_answers(folder, part.number)) as temporary, temporary.open("wb") as file:
        for place, member in enumerate(members):
            hashes = part.of(ShardRun(layer, *member).run().hashes)
            for keys in pieces(hashes):
                library.owners(keys).tofile(file)
            ends[place] = len(hashes)
    with replacing(_answers(folder, part.number, "ends")) as temporary:
        np.cumsum(ends).tofile(temporary)


def pieces(hashes: Hashes) -> Iterator[Hashes]:
    """Yield some hashes at a time, so that what is mapped of a large run is soon let go."""
    for first in range(0, len(hashes), _TOGETHER):
        yield np.array(hashes[first : first + _TOGETHER])


def write_question(folder: Path, shards: Sequence[str], parts: int) -> None:
    """Note in which order shards are asked about, and in how many parts."""
    write_text(folder / _QUESTION, json.dumps({"shards": shards, "parts": parts}))


def answered(layer: Path, shard: str, folder: Path) -> "Library":
    """Return the library as who judges a shard asks it, the answers taken from a folder."""
    groups = read_groups(layer)
    run = ShardRun(layer, shard, _digests(groups)[shard]).run()
    question = json.loads((folder / _QUESTION).read_text(encoding="utf-8"))
    place, raw = question["shards"].index(shard), b""
    for number in range(question["parts"]):
        ends = np.fromfile(at_hand(_answers(folder, number, "ends")), np.int64)
        first = int(ends[place - 1]) if place else 0
        raw += bytes_at_hand(_answers(folder, number), 4 * first, 4 * (int(ends[place]) - first))
    owners = np.frombuffer(raw, np.uint32)
    if len(owners) != len(run.hashes):
        raise CorruptShard(f"{folder} is damaged: an answer is missing.", str(folder))
    return Library(layer, groups, shard, replace(run, owners=owners))


def asked_by_judge(layer: Path, shard: str, folder: Path) -> tuple[set[Path], set[Path]]:
    """Return the files that who judges a shard opens, and those where single places are read."""
    digests = _digests(read_groups(layer))
    runs = [ShardRun(layer, *member).folder for member in digests.items()]
    own = ShardRun(layer, shard, digests[shard]).folder
    opened = {layer / "groups.json", folder / _QUESTION, *own.iterdir()}
    opened |= {path for path in (layer / "merged").glob("*/*") if path.is_file()}
    opened |= {run / "ranks" for run in runs}
    looked_at = {run / name for run in runs for name in _OF_DOCUMENTS} | set(folder.iterdir())
    return opened, looked_at - opened


def _digests(groups: Groups) -> dict[str, str]:
    return {shard: digest for group in groups for shard, digest in group}


def _answers(folder: Path, part: int, what: str = "owners") -> Path:
    return folder / f"{part:04x}.{what}"


class Library:
    """The documents of a corpus and what they own; a document's number is its place by rank.

    Who judges a shard asks for what the shard holds; that was answered before, part by part.
    """

    def __init__(
        self, layer: Path, groups: Groups, shard: str = "", answers: Run | None = None
    ) -> None:
        self._layer = layer
        self._members = groups
        self._shard = shard
        self._known = answers

    @cached_property
    def _groups(self) -> list[Group]:
        has_hashes = self._known is None
        return [open_group(self._layer, each, has_hashes=has_hashes) for each in self._members]

    @cached_property
    def order(self) -> NDArray[np.integer]:
        """For each document, in order of rank, its place when all groups are counted through."""
        found = self._written("order")
        if found is not None:
            return found
        # Each group is sorted already, which a stable sort makes use of.
        return np.argsort(self._ranks, kind="stable")

    def _written(self, name: str) -> NDArray[np.uint32] | None:
        """Return what was written once for all, or nothing if it is not there or not whole."""
        try:
            found = mapped(order_folder(self._layer, self._members) / name, np.dtype(np.uint32))
        except (OSError, ValueError):
            return None
        return found if len(found) == int(self._bases[-1]) else None

    @cached_property
    def _ranks(self) -> Ranks:
        return np.concatenate([np.empty(0, RANK), *(group.ranks for group in self._groups)])

    @cached_property
    def numbers(self) -> NDArray[np.uint32]:
        """For each document, when all groups are counted through, its place by rank."""
        found = self._written("numbers")
        if found is not None:
            return found
        numbers = np.empty(len(self.order), np.uint32)
        numbers[self.order] = np.arange(len(numbers), dtype=np.uint32)
        return numbers

    @cached_property
    def _bases(self) -> NDArray[np.int64]:
        return np.cumsum([0, *(len(group.ranks) for group in self._groups)])

    @cached_property
    def number_by_name(self) -> Mapping[str, int]:
        """The documents of the library's own shard by their ids."""
        for place, group in enumerate(self._groups):
            for member, run in enumerate(group.members):
                if run.shard == self._shard:
                    return self._numbered(place, member, run)
        return {}

    def fill(self, keys: Hashes, owners: Owners) -> None:
        """Fill in the owners of the keys that are known: the smallest number of all holders."""
        if self._known is not None:
            self._known.fill(keys, owners)
            return
        for group, base in zip(self._groups, self._bases.tolist(), strict=False):
            local = np.full(len(keys), NOBODY, np.uint32)
            group.fill(keys, local)
            found = np.flatnonzero(local != NOBODY)
            numbers = self.numbers[local[found].astype(np.int64) + base]
            owners[found] = np.minimum(owners[found], numbers)

    def owners(self, keys: Hashes) -> Owners:
        """Return the owners of keys."""
        found = np.full(len(keys), NOBODY, np.uint32)
        self.fill(keys, found)
        return found

    def ranks_of(self, numbers: NDArray[np.uint32]) -> Ranks:
        """Return the ranks of documents."""
        found: Ranks = self._ranks[self.order[numbers]]
        return found

    def name(self, document: int) -> str:
        """Return the id of a document by its number."""
        run, place = self._home(document)
        return run.names()[place]

    def publication(self, document: int) -> str:
        """Return where a document was published."""
        run, place = self._home(document)
        return run.publications()[place]

    def rank(self, document: int) -> bytes:
        """Return the rank of a document, in full length."""
        place = int(self.order[document])
        number = int(np.searchsorted(self._bases, place, side="right")) - 1
        found = self._groups[number].ranks[place - self._bases[number]]
        return bytes(found).ljust(RANK.itemsize, b"\0")

    def sketch(self, document: int) -> Sketch:
        """Return the short n-grams of a document."""
        run, place = self._home(document)
        return run.sketch(place)

    def _home(self, document: int) -> tuple[ShardRun, int]:
        place = int(self.order[document])
        number = int(np.searchsorted(self._bases, place, side="right")) - 1
        group = self._groups[number]
        member, within = group.homes[place - self._bases[number]].tolist()
        return group.members[member], within

    def _numbered(self, group: int, member: int, run: ShardRun) -> dict[str, int]:
        # A few places of all: who judges a shard need not look at the others' documents.
        places = self._groups[group].places_of(member).astype(np.int64) + int(self._bases[group])
        names = run.names()
        if len(names) != len(places):
            words = f"{run.folder} is damaged: its files do not belong together."
            raise CorruptShard(words, str(run.folder))
        return dict(zip(names, self.numbers[places].tolist(), strict=True))
