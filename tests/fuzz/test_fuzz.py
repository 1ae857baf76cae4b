"""Whatever a page, a file or a query holds: an answer, or an error that says what is wrong."""

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS
from tests.fuzz.throwing import thrown, try_one

FINDS = sorted((Path(__file__).parent / "finds").glob("*.bin"))


@pytest.mark.slow
@pytest.mark.parametrize("name", TARGETS)
def test_nothing_by_chance_breaks_it(name):
    words, data = thrown(name, seed=18, count=TARGETS[name].count)

    assert not words, f"{name} on {data!r:.500}\n{words}"


@pytest.mark.parametrize("path", FINDS, ids=lambda path: path.stem)
def test_what_broke_it_once_does_so_no_more(path, tmp_path):
    try_one(path.stem.partition("-")[0], path.read_bytes(), tmp_path)


def test_there_are_twenty_thousand():
    assert sum(target.count for target in TARGETS.values()) >= 20_000
