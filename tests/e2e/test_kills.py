"""Killed with -9 at any step, run again: the corpus is the one of an undisturbed run.

IZWI_KILLS sets how many kills (default 12); IZWI_KILL_SEED which steps.
"""

import os
import random
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from warcio.checker import Checker

from izwi.demoweb import DemoWeb
from izwi.store.catalog import Catalog
from tests.e2e.conftest import contents, small_corpus
from tests.e2e.killing import Ended, Nursery, nursery

KILLS = int(os.environ.get("IZWI_KILLS", "12"))
SEED = int(os.environ.get("IZWI_KILL_SEED", "20261115"))
# What is done one after another, each in the folder that the one named first left behind, and the
# part of the folder whose steps are counted.
PHASES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "gather": ("", "", ("gather", "CORPUS")),
    "build": ("gather", "layers", ("build", "CORPUS", "--workers", "2")),
    "index": ("gather", "index", ("build", "CORPUS", "--workers", "2")),
    "export": ("index", "", ("export", "CORPUS", "jsonl", "CORPUS/out")),
    "take-down": ("index", "", ("takedown", "CORPUS", "URL", "--reason", "asked by its owner")),
    "compact": ("take-down", "", ("compact", "CORPUS", "--workers", "1")),
}
TAKEN = "http://braaiandbakkie.example/"
IN_A_ROW = 2


@dataclass(frozen=True, slots=True)
class Calm:
    """A phase that nothing disturbed: the folder before it and after it, and its steps."""

    before: Path
    after: Path
    steps: int


@pytest.fixture(scope="module")
def runs(web: DemoWeb) -> Iterator[Nursery]:
    with nursery(web.proxy_url) as made:
        yield made


@pytest.fixture(scope="module")
def calm(tmp_path_factory: pytest.TempPathFactory, runs: Nursery) -> dict[str, Calm]:
    root = tmp_path_factory.mktemp("calm")
    new = small_corpus(root / "new", publications=("braaiandbakkie",), depth=0, warc_pages=9)
    found: dict[str, Calm] = {}
    for phase, (earlier, below, _) in PHASES.items():
        before = found[earlier].after if earlier else new
        after = shutil.copytree(before, root / phase)
        ended = runs.run(*_command(phase, after), folder=after, below=below)
        assert ended.status == 0, ended.said
        found[phase] = Calm(before, after, ended.steps)
    return found


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("phase", PHASES)
def test_what_is_killed_at_any_step_ends_like_what_was_not(
    tmp_path: Path, runs: Nursery, calm: dict[str, Calm], phase: str
) -> None:
    chance = random.Random(f"{SEED} {phase}")
    whole = calm[phase]
    assert whole.steps > 20

    for number in range(max(1, KILLS // len(PHASES) // IN_A_ROW)):
        folder = shutil.copytree(whole.before, tmp_path / f"killed-{number}")
        for _ in range(IN_A_ROW):
            _kill(runs, phase, folder, chance.randint(1, whole.steps))
        ended = runs.run(*_command(phase, folder), folder=folder)

        assert ended.status == 0, ended.said
        assert _state(phase, folder) == _state(phase, whole.after)
        assert _is_clean(folder)


@pytest.mark.slow
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("phase", PHASES)
def test_a_disk_full_at_any_step_is_one_sentence_and_room_lets_it_go_on(
    tmp_path: Path, runs: Nursery, calm: dict[str, Calm], phase: str
) -> None:
    chance = random.Random(f"{SEED} full {phase}")
    whole, below = calm[phase], PHASES[phase][1]
    # The process that writes the files is the one that meets the full disk.
    command = ["1" if word == "2" else word for word in _command(phase, tmp_path / "c")]
    folder = shutil.copytree(whole.before, tmp_path / "c")

    for step in (chance.randint(1, whole.steps), chance.randint(1, whole.steps)):
        ended = runs.run(*command, folder=folder, below=below, step=step, lacks="room")
        if ended.status:  # the last steps of a run may need no room
            assert ended.status == 2, ended.said
            said = ended.said.splitlines()  # what is there from before is no complaint
            told = [line for line in said if " done, " not in line and line[:6] != "note: "]
            assert len(told) == 1, ended.said
            assert "disk is full" in told[0]
    ended = runs.run(*command, folder=folder)

    assert ended.status == 0, ended.said
    assert _state(phase, folder) == _state(phase, whole.after)
    assert _is_clean(folder)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_memory_that_lacks_from_any_step_on_is_one_sentence_and_nothing_is_lost(
    tmp_path: Path, runs: Nursery, calm: dict[str, Calm]
) -> None:
    refused = 0
    for phase, number in product(PHASES, range(max(1, KILLS // 12))):
        chance, whole = random.Random(f"{SEED} memory {phase} {number}"), calm[phase]
        folder = shutil.copytree(whole.before, tmp_path / f"{phase}-{number}")
        command = ["1" if word == "2" else word for word in _command(phase, folder)]

        step = chance.randint(1, whole.steps // 2)
        below = PHASES[phase][1]
        refused += _is_refused(
            runs.run(*command, folder=folder, below=below, step=step, lacks="memory")
        )
        again = runs.run(*command, folder=folder)

        assert again.status == 0, again.said
        assert _state(phase, folder) == _state(phase, whole.after)
    built = calm["index"].after
    _is_refused(runs.run("query", built, "the", folder=built, step=1, lacks="memory"))
    assert refused >= 1  # most libraries in C++ end their process instead


def _is_refused(ended: Ended) -> bool:
    """Return whether a command said that memory lacks, in one sentence; it may do without."""
    # Libraries in C++ end their process where Python raises an error.
    assert ended.status in (0, 2, -signal.SIGABRT), ended.said
    if ended.status == 2:
        told = [line for line in ended.said.splitlines() if " done, " not in line]
        assert len(told) == 1, ended.said
        assert "not enough memory" in told[0]
    return ended.status == 2


def _kill(runs: Nursery, phase: str, folder: Path, step: int) -> None:
    """Kill a run at a step, if it gets there; no commit may be lost by it."""
    committed = _captures(folder)
    below = PHASES[phase][1]
    ended = runs.run(*_command(phase, folder), folder=folder, below=below, step=step)
    assert ended.status in (0, -9), ended.said
    if phase != "compact":
        assert committed.items() <= _captures(folder).items(), "a committed capture was lost"


def _command(phase: str, folder: Path) -> list[str]:
    _, _, words = PHASES[phase]
    return [each.replace("CORPUS", str(folder)).replace("URL", TAKEN) for each in words]


def _state(phase: str, folder: Path) -> Any:
    """Return what a phase was to bring about, so that two folders can be compared."""
    if phase == "gather":
        with Catalog.read(folder / "catalog.sqlite") as catalog:
            lines = {(line.url, line.outcome, line.reason) for line in catalog.ledger_lines()}
        return _shards(folder), lines
    if phase == "export":
        out = folder / "out"
        return {
            path.relative_to(out): path.read_bytes() for path in out.rglob("*") if path.is_file()
        }
    return contents(folder)


def _captures(folder: Path) -> dict[tuple[str, str], str]:
    """Return what the catalog counts as captured, read as a bystander."""
    path = folder / "catalog.sqlite"
    if not path.exists():
        return {}
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        rows = connection.execute("SELECT url, time, digest FROM captures").fetchall()
    except sqlite3.OperationalError:
        rows = []  # killed before the tables were made
    finally:
        connection.close()
    return {(url, when): digest for url, when, digest in rows}


def _shards(folder: Path) -> list[list[str]]:
    """Return the URLs of each shard, in order."""
    connection = sqlite3.connect(f"{(folder / 'catalog.sqlite').as_uri()}?mode=ro", uri=True)
    try:
        rows = connection.execute(
            'SELECT shard, url FROM captures ORDER BY shard, "offset"'
        ).fetchall()
    finally:
        connection.close()
    names = list(dict.fromkeys(shard for shard, _ in rows))
    return [[url for shard, url in rows if shard == name] for name in names]


def _is_clean(folder: Path) -> bool:
    files = sorted(folder.glob("warc/*"))
    warcs = [str(path) for path in files if path.name.endswith(".warc.gz")]
    assert not [path for path in files if path.suffix in (".open", ".orphan")]

    class Arguments:
        inputs = warcs
        verbose = False

    checker = Checker(Arguments())
    checker.process_all()
    return bool(warcs) and not checker.exit_value
