"""A crawl killed with -9 again and again: nothing committed is lost, or fetched a second time.

IZWI_KILLS sets how many kills (default 6); the server's own log and the files decide.
"""

import os
import random
import sqlite3
import subprocess
from pathlib import Path

import pytest

import izwi
from izwi.demoweb import DemoWeb
from izwi.gather.traps import CREDITS, patterns
from izwi.store.catalog import Catalog
from tests.e2e.conftest import command_line, environment
from tests.e2e.test_kills import _is_clean

KILLS = int(os.environ.get("IZWI_KILLS", "6"))
SEEDS = ("http://umgeniherald.example/archive/", "http://bolandbode.example/")


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_crawl_killed_many_times_loses_nothing_and_asks_for_nothing_twice(tmp_path: Path) -> None:
    chance = random.Random(int(os.environ.get("IZWI_KILL_SEED", "20261115")))
    with DemoWeb(delay=0.05) as web:
        calm = _corpus(tmp_path / "calm")
        assert _gather(calm, web, None)
        expected = set(_captured(calm))
        kills, corpora = 0, 0
        while kills < KILLS:
            corpora += 1
            folder = _corpus(tmp_path / f"killed-{corpora}")
            kills += _kill_until_done(folder, web, chance, most=KILLS - kills)

            captured = _captured(folder)
            assert len(captured) == len(set(captured))
            # A kill between a page's capture and what it taught may cost or save a trap's page.
            differing = set(captured) ^ expected
            assert len(differing) <= CREDITS[2], sorted(differing)
            trapped = _trapped(calm) | _trapped(folder)
            assert not [url for url in differing if not trapped & _patterns(url)]
            assert _is_clean(folder)


def _kill_until_done(folder: Path, web: DemoWeb, chance: random.Random, *, most: int) -> int:
    for kills in range(most):
        before, log = _captured(folder), len(web.log)
        has_ended = _gather(folder, web, chance.uniform(0.5, 2.5))
        again = {each.url for each in web.log[log:]} & set(before)
        assert not again, f"fetched though committed: {sorted(again)[:5]}"
        assert set(before) <= set(_captured(folder)), "a committed capture was lost"
        if has_ended:
            return kills
    assert _gather(folder, web, None)
    return most


def _trapped(folder: Path) -> set[str]:
    """Return the patterns of which a crawl left pages out as the same again."""
    with Catalog.read(folder / "catalog.sqlite") as catalog:
        lines = [line for line in catalog.ledger_lines() if line.reason == "trap"]
    return {line.detail or line.url for line in lines}


def _patterns(url: str) -> set[str]:
    return {name for name, _, _ in patterns(url)}


def _corpus(folder: Path) -> Path:
    corpus = izwi.create(folder, contact="https://izwi.example/tests", name="killed", delay=0.0)
    for number, seed in enumerate(SEEDS):
        corpus.add_source(seed, type="crawl", name=f"crawl-{number}", depth=6)
    return folder


def _gather(folder: Path, web: DemoWeb, after: float | None) -> bool:
    """Gather, killed after so many seconds; return whether it had ended."""
    process = subprocess.Popen(
        command_line("gather", folder),
        env=environment(web.proxy_url),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(timeout=after)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(timeout=10)
        return False
    assert process.returncode == 0
    return True


def _captured(folder: Path) -> list[str]:
    """Return the URLs whose captures are committed, read as a bystander."""
    path = folder / "catalog.sqlite"
    if not path.exists():
        return []
    connection = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    try:
        return [row[0] for row in connection.execute("SELECT url FROM captures")]
    except sqlite3.OperationalError:
        return []  # killed before the tables were made
    finally:
        connection.close()
