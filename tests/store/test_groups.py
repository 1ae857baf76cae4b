"""Groups of shards from which documents went: thinned, and asked as if they were merged anew."""

import random

import numpy as np
import pytest

from izwi.store.ownership.groups import group_folder
from izwi.store.ownership.library import Library, read_groups
from izwi.store.ownership.shard_runs import ShardRun
from tests.dedup.worlds import World, document

DOCUMENTS = 20


class Without:
    """Some pages are out."""

    def __init__(self, *names):
        self.urls = {f"https://a.example/{name}.html" for name in names}

    def covers(self, url):
        return url in self.urls


def shard_of(number):
    """Return documents that share sentences with those of other shards."""
    dice = random.Random(number)
    return [
        document(
            f"{number}-{n}",
            [
                f"the tale of cow {dice.randrange(30)} begins here and ends at the gate"
                for _ in "abc"
            ],
            day=dice.randrange(1, 300),
        )
        for n in range(DOCUMENTS)
    ]


def owned(world):
    """Return who owns each hash of a world, by name."""
    groups = read_groups(world.layer)
    library = Library(world.layer, groups)
    runs = [ShardRun(world.layer, *member).run().hashes for group in groups for member in group]
    keys = np.unique(np.concatenate(runs))
    return dict(zip(keys.tolist(), map(library.name, library.owners(keys).tolist()), strict=True))


def thinned(world):
    """Return the groups of a world that are thinned."""
    groups = read_groups(world.layer)
    return [group for group in groups if (group_folder(world.layer, group) / "moved").exists()]


@pytest.fixture
def grown(tmp_path):
    """Return a world whose shards came one by one."""
    world = World(tmp_path / "grown", memory_bytes=1 << 12)
    for number in range(5):
        world.put({f"s{number}": shard_of(number)})
    assert max(map(len, read_groups(world.layer))) > 1
    return world


def fresh(folder, shards, excluded):
    """Return a world in which nothing ever was that is out."""
    world = World(folder)
    world.excluded = excluded
    world.put({f"s{number}": shard_of(number) for number in range(shards)})
    return world


def best(world, place=0):
    """Return the name of the document of a merged shard that owns most, or nearly."""
    merged = {f"{shard[1:]}-" for group in read_groups(world.layer) for shard, _ in group[1:]}
    names = [name for name in owned(world).values() if name.startswith(tuple(merged))]
    return sorted(set(names), key=lambda name: (-names.count(name), name))[place]


def test_who_went_is_out_of_a_group_without_merging_it_anew(grown, tmp_path):
    gone = best(grown)
    grown.tasks.clear()

    grown.exclude(Without(gone))

    wanted = fresh(tmp_path / "fresh", 5, Without(gone))
    assert thinned(grown)
    assert "join" not in {task.stage for task in grown.tasks}
    assert owned(grown) == owned(wanted)
    assert grown.decisions == wanted.decisions


def test_a_thinned_group_is_thinned_again_and_merged_with_others(grown, tmp_path):
    first, second = best(grown), best(grown, 1)

    grown.exclude(Without(first))
    grown.exclude(Without(first, second))

    assert thinned(grown)
    assert owned(grown) == owned(fresh(tmp_path / "two", 5, Without(first, second)))

    for number in range(5, 24):
        grown.put({f"s{number}": shard_of(number)})

    wanted = fresh(tmp_path / "many", 24, Without(first, second))
    assert not thinned(grown)  # it was merged with others of its size
    assert owned(grown) == owned(wanted)
    assert grown.decisions == wanted.decisions


def test_where_somebody_came_back_or_many_went_the_group_is_made_again(grown, tmp_path):
    gone = best(grown)
    grown.exclude(Without(gone))

    grown.exclude(Without())

    assert not thinned(grown)
    assert owned(grown) == owned(fresh(tmp_path / "all", 5, Without()))

    many = Without(*(f"1-{n}" for n in range(DOCUMENTS - 1)))
    grown.exclude(many)

    assert not thinned(grown)
    assert owned(grown) == owned(fresh(tmp_path / "few", 5, many))
