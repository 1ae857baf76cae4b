"""Sites of genres that nobody tuned for, made small: every text once, whole, and no list of texts.

`benchmarks/truth/genres.py` does the same at length, in fifteen languages.
"""

import importlib
from pathlib import Path

import pytest

TRUTH = Path(__file__).parents[2] / "benchmarks" / "truth"
COUNT = 8
# How much of a text a reader finds: sentences of the small grammar come again elsewhere.
FLOOR = 0.8
WANTED = ("poems", "plays", "serial", "interviews", "manual_pages", "transcripts")


@pytest.fixture
def web(monkeypatch):
    monkeypatch.syspath_prepend(TRUTH)
    return importlib.import_module("genres"), importlib.import_module("portals")


def test_sites_of_many_genres_become_a_true_corpus(web, tmp_path):
    genres, portals = web
    kinds = portals.kinds_of(genres.SEEN)
    sites = portals.made({name: kinds[name] for name in WANTED}, COUNT, None)
    portals.crawled(tmp_path / "corpus", sites)

    truths = {name: truth for name, truth, _ in portals.judged(tmp_path / "corpus", sites)}

    truths.pop("all")
    assert [name for name, truth in truths.items() if truth.kept < truth.gold - 1] == []
    poor = {name: truth.f1_kept for name, truth in truths.items() if truth.f1_kept < FLOOR}
    assert poor == {}
    assert not any(truth.others_kept or truth.owned_by_others for truth in truths.values())
