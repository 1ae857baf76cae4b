"""A crawl killed with -9 again and again: nothing committed is lost, or fetched a second time.

IZWI_KILLS sets how many kills (default 6); the server's own log and the files decide.
"""

import os
import random
import sqlite3
from pathlib import Path

import pytest

import izwi
from izwi.demoweb import DemoWeb
from izwi.gather.address_shapes import CREDITS, patterns
from izwi.store.catalog import Catalog
from tests.demoweb.faults import FaultyWeb
from tests.e2e.conftest import edit
from tests.e2e.killing import Nursery, nursery
from tests.e2e.test_kills import _is_clean

KILLS = int(os.environ.get("IZWI_KILLS", "6"))
SEEDS = ("http://umgeniherald.example/archive/", "http://bolandbode.example/")
CONNECTIONS = len(SEEDS)


@pytest.mark.slow
@pytest.mark.timeout(3000)
def test_a_crawl_killed_many_times_loses_nothing_and_asks_for_nothing_twice(tmp_path: Path) -> None:
    chance = random.Random(int(os.environ.get("IZWI_KILL_SEED", "20261115")))
    with FaultyWeb() as web, nursery(web.proxy_url) as runs:
        calm = _corpus(tmp_path / "calm")
        steps = runs.run("gather", calm, folder=calm).steps
        expected = set(_captured(calm))
        kills, corpora = 0, 0
        while kills < KILLS:
            corpora += 1
            folder, log = _corpus(tmp_path / f"killed-{corpora}"), len(web.log)
            now = min(6, KILLS - kills)
            for _ in range(now):
                _kill(folder, web, runs, chance.randint(steps // 10, steps // 3))
            assert runs.run("gather", folder, folder=folder).status == 0
            kills += now

            # What was under way at a kill is asked again, and as many answers not yet committed.
            asked = [each.url for each in web.log[log:]]
            assert len(asked) - len(set(asked)) <= now * 2 * CONNECTIONS
            captured = _captured(folder)
            assert len(captured) == len(set(captured))
            # A kill between a page's capture and what it taught may cost or save a trap's page.
            differing = set(captured) ^ expected
            assert len(differing) <= CREDITS[2], sorted(differing)
            trapped = _trapped(calm) | _trapped(folder)
            assert not [url for url in differing if not trapped & _patterns(url)]
            assert _is_clean(folder)


def _kill(folder: Path, web: DemoWeb, runs: Nursery, step: int) -> None:
    """Kill a crawl at a step; what is committed stays, and is not asked again."""
    before, log = _captured(folder), len(web.log)
    assert runs.run("gather", folder, folder=folder, step=step).status in (0, -9)
    again = {each.url for each in web.log[log:]} & set(before)
    assert not again, f"fetched though committed: {sorted(again)[:5]}"
    assert set(before) <= set(_captured(folder)), "a committed capture was lost"


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
    edit(folder, "[gather]\n", f"[gather]\nconcurrency = {CONNECTIONS}\n")
    return folder


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
