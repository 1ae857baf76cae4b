"""Killed with -9 at random moments, run again: the corpus is the one of an undisturbed run.

IZWI_KILLS sets how many kills (default 8); IZWI_KILL_SEED which moments.
"""

import os
import random
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest
from warcio.checker import Checker

from izwi.demoweb import DemoWeb
from tests.e2e.conftest import command_line, contents, environment, small_corpus

KILLS = int(os.environ.get("IZWI_KILLS", "8"))
SEED = int(os.environ.get("IZWI_KILL_SEED", "20261115"))

# One lane to one host gives a fixed order, so even the shards must be the same; others race.
LANES = {
    "one host, many shards": (("braaiandbakkie",), {"warc_size": "120 kB"}),
    "two hosts, one shard": (("bolandbode", "karoocourant"), {}),
}


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("publications", "settings"), LANES.values(), ids=LANES.keys())
def test_a_corpus_killed_at_random_moments_ends_like_an_undisturbed_one(
    tmp_path: Path, web: DemoWeb, publications: tuple[str, ...], settings: dict[str, object]
) -> None:
    chance = random.Random(SEED)
    calm = small_corpus(tmp_path / "calm", publications=publications, **settings)
    began = time.monotonic()
    assert _run(calm, web).returncode == 0
    duration = time.monotonic() - began

    kills, corpora = 0, 0
    while kills < KILLS / len(LANES):
        corpora += 1
        killed = small_corpus(tmp_path / f"killed-{corpora}", publications=publications, **settings)
        kills += _kill_until_done(killed, web, chance, duration)

        assert contents(killed) == contents(calm)
        assert _shards(killed) == _shards(calm) or len(publications) > 1
        assert _is_clean(killed)


def _kill_until_done(folder: Path, web: DemoWeb, chance: random.Random, duration: float) -> int:
    """Kill a corpus at random moments, at most six times, then let it end; return how often."""
    committed: dict[tuple[str, str], str] = {}
    for kills in range(6):
        if _run_and_kill(folder, web, after=chance.uniform(0.3, duration * 1.2)):
            return kills
        before, committed = committed, _captures(folder)
        assert before.items() <= committed.items(), "a committed capture was lost"
    finished = _run(folder, web)
    assert finished.returncode == 0, finished.stderr
    return 6


def _run(folder: Path, web: DemoWeb) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command_line("run", folder),
        env=environment(web.proxy_url),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def _run_and_kill(folder: Path, web: DemoWeb, *, after: float) -> bool:
    """Run a corpus and kill it after so many seconds; return whether it had finished."""
    trouble = folder / "trouble.txt"
    with trouble.open("w", encoding="utf-8") as errors:
        process = subprocess.Popen(
            command_line("run", folder),
            env=environment(web.proxy_url),
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        try:
            process.wait(timeout=after)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait(timeout=10)
            return False
    assert process.returncode == 0, trouble.read_text(encoding="utf-8")
    return True


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
