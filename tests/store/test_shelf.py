import os
import time

import pytest

from izwi.model.errors import NotFound, QueryError, StoreError
from izwi.store import people
from izwi.store.people import Shelf


@pytest.fixture
def small(tmp_path, monkeypatch):
    monkeypatch.setattr(people, "_MOST_FILES", 2)
    return Shelf(tmp_path / "baskets", "basket")


def test_a_file_that_grew_too_large_is_refused(small):
    name = small.new_name()

    with pytest.raises(QueryError, match="2 MB"):
        small.write(name, {"note": "a" * 2_000_000})
    with pytest.raises(NotFound):
        small.read(name)


def test_a_full_shelf_gives_up_what_nobody_touched_for_a_year(small, tmp_path):
    names = [small.new_name(), small.new_name()]
    for name in names:
        small.write(name, {})
    with pytest.raises(StoreError, match="no more than 2"):
        small.new_name()

    long_ago = time.time() - 400 * 24 * 3600
    os.utime(tmp_path / "baskets" / f"{names[0]}.json", (long_ago, long_ago))

    assert small.new_name() not in names
    assert small.read(names[1]) == {}
    with pytest.raises(NotFound):
        small.read(names[0])
