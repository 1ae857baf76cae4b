"""The order of all documents by rank is written once, and worked out where it is missing."""

import shutil

import numpy as np
import pytest

from izwi.store.ownership.groups import order_folder
from izwi.store.ownership.library import Library, read_groups
from tests.dedup.worlds import World, document


@pytest.fixture
def layer(tmp_path):
    """Return the layer of a world with five shards."""
    world = World(tmp_path / "own")
    for number in range(5):
        names = [f"{number}-{n}" for n in range(3)]
        texts = {name: [f"{name} told of {number * n} cows"] for n, name in enumerate(names)}
        world.put({f"s{number}": [document(name, texts[name], day=9 - number) for name in names]})
    return world.layer


def numbered(layer):
    """Return how a library numbers the documents, and whether it read that from a file."""
    library = Library(layer, read_groups(layer), "s1")
    names = [library.name(number) for number in range(15)]
    # Behind the documents come those without a name, one a shard, who only ask.
    assert [library.numbers[place] for place in library.order] == list(range(20))
    assert {library.name(number) for number in range(15, 20)} == {""}
    return names, isinstance(library.order, np.memmap)


def test_the_order_is_read_from_the_file_that_was_written_once(layer):
    names, is_read = numbered(layer)

    assert is_read
    assert len(set(names)) == 15
    assert [path.name for path in (layer / "merged").glob("*-order")] == [
        order_folder(layer, read_groups(layer)).name
    ]


@pytest.mark.parametrize("shard", [f"s{number}" for number in range(5)])
def test_the_documents_of_a_shard_are_found_without_looking_at_the_others(layer, shard):
    groups = read_groups(layer)
    library = Library(layer, groups, shard)

    found = library.number_by_name

    assert max(map(len, groups)) > 1  # they were merged
    assert {library.name(number): number for number in found.values()} == found
    assert sorted(found) == [f"{shard[1:]}-{n}" for n in range(3)]
    assert "_ranks" not in vars(library)  # those of all documents


@pytest.mark.parametrize("damage", [shutil.rmtree, lambda path: (path / "order").write_bytes(b"1")])
def test_without_a_whole_file_the_order_is_worked_out(layer, damage):
    wanted, _ = numbered(layer)

    damage(order_folder(layer, read_groups(layer)))

    assert numbered(layer) == (wanted, False)
