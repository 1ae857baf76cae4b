"""Who owns what in a corpus: all groups of shards asked as one."""

import json
import shutil
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from izwi.model.errors import CorruptShard
from izwi.store.files import TEMPORARY, make_durable, replacing, write_text
from izwi.store.objects import at_hand, bytes_at_hand
from izwi.store.ownership.groups import Group, Groups, Member, open_group, order_folder
from izwi.store.ownership.hash_runs import NOBODY, Hashes, Owners, Part, Run, mapped
from izwi.store.ownership.shard_runs import RANK, Ranks, ShardRun, Sketch

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
        # Documents that many have text from are asked for again and again.
        self._texts: dict[int, tuple[str, str]] = {}
        self._lists: dict[str, tuple[list[str], list[str]]] = {}

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
            local = group.owners(keys)
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

    @property
    def size(self) -> int:
        """How many documents there are."""
        return int(self._bases[-1])

    def places(self, ranks: Ranks) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Return how many documents are better than each rank, and whether one has it.

        If one has it, that is its number.
        """
        places, are_there = np.zeros(len(ranks), np.int64), np.zeros(len(ranks), np.bool_)
        for group in self._groups:
            found = np.searchsorted(group.ranks, ranks)
            places += found
            known = found < len(group.ranks)
            are_there[known] |= group.ranks[found[known]] == ranks[known]
        return places, are_there

    def name(self, document: int) -> str:
        """Return the id of a document by its number."""
        return self._told(document)[0]

    def publication(self, document: int) -> str:
        """Return where a document was published."""
        return self._told(document)[1]

    def _told(self, document: int) -> tuple[str, str]:
        """Return a document's id and where it was published."""
        if document not in self._texts:
            run, place = self._home(document)
            if run.shard not in self._lists:
                self._lists[run.shard] = run.names(), run.publications()
            names, publications = self._lists[run.shard]
            self._texts[document] = names[place], publications[place]
        return self._texts[document]

    def rank(self, document: int) -> bytes:
        """Return the rank of a document, in full length."""
        place = int(self.order[document])
        number = self._group_of(place)
        found = self._groups[number].ranks[place - self._begins[number]]
        return bytes(found).ljust(RANK.itemsize, b"\0")

    def sketch(self, document: int) -> Sketch:
        """Return the short n-grams of a document."""
        run, place = self._home(document)
        return run.sketch(place)

    def _home(self, document: int) -> tuple[ShardRun, int]:
        place = int(self.order[document])
        number = self._group_of(place)
        group = self._groups[number]
        member, within = group.homes[place - self._begins[number]].tolist()
        return group.members[member], within

    def _group_of(self, place: int) -> int:
        return bisect_right(self._begins, place) - 1

    @cached_property
    def _begins(self) -> list[int]:
        return [int(base) for base in self._bases]

    def _numbered(self, group: int, member: int, run: ShardRun) -> dict[str, int]:
        # A few places of all: who judges a shard need not look at the others' documents.
        places = self._groups[group].places_of(member).astype(np.int64) + int(self._bases[group])
        names = run.names()
        if len(names) != len(places):
            words = f"{run.folder} is damaged: its files do not belong together."
            raise CorruptShard(words, str(run.folder))
        found = dict(zip(names, self.numbers[places].tolist(), strict=True))
        # Who only asks is no document.
        found.pop("", None)
        return found
