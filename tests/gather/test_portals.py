"""Large sites as today's systems mark them up, made small: every document once, and no other page.

`benchmarks/truth/portals.py` does the same at length, in eight languages.
"""

import importlib
from pathlib import Path

import pytest

TRUTH = Path(__file__).parents[2] / "benchmarks" / "truth"
COUNT = 12
WANTED = ("newspaper", "agency", "block_theme", "app_pages", "answers")
# How much of the text a reader finds at least: the few sentences that are at hand come again.
FLOORS = {"newspaper": 0.87, "agency": 0.87, "answers": 0.85}
# People's pages of a line or two are kept as notes.
OTHERS = {"answers": 3}


@pytest.fixture
def benchmark(monkeypatch):
    monkeypatch.syspath_prepend(TRUTH)
    return importlib.import_module("portals")


def test_large_sites_become_a_true_corpus(benchmark, tmp_path):
    kinds = benchmark.kinds_of(benchmark.SEEN)
    sites = benchmark.made({name: kinds[name] for name in WANTED}, COUNT, None)
    benchmark.crawled(tmp_path / "corpus", sites)

    truths = {name: truth for name, truth, _ in benchmark.judged(tmp_path / "corpus", sites)}

    truths.pop("all")
    assert [name for name, truth in truths.items() if truth.kept < truth.gold] == []
    poor = {name: truth.f1 for name, truth in truths.items() if truth.f1 < FLOORS.get(name, 0.9)}
    assert poor == {}
    others = {name: truth.others_kept for name, truth in truths.items()}
    assert {name: count for name, count in others.items() if count > OTHERS.get(name, 0)} == {}
    assert not any(truth.owned_by_others or truth.twice for truth in truths.values())
