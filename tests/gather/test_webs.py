"""Made sites, friendly and hostile, at default settings: every document, and few other requests.

`benchmarks/truth/traps.py` does the same at length, with more kinds, and some that are held out.
"""

import importlib
from pathlib import Path

import pytest

TRUTH = Path(__file__).parents[2] / "benchmarks" / "truth"
COUNT = 20
# Requests beyond the real pages, at most; fewer where a kind is no trap at all.
MOST = {
    "wikis": {"wiki": 50},
    "forums": {"board": 80},
    "systems": {"shop": 100, "newspaper": 30},
    "endless": {
        "logins": 70,
        "link_farm": 40,
        "told_farm": 40,
        "sessions": 50,
        "sections": 50,
        "tokens_in_paths": 30,
        "calendar": 30,
        "quotations": 40,
    },
    "same_again": {"maze": 40, "page_actions": 50, "devices": 50, "visitors": 40},
    "short_texts": {"sections_of_law": 2, "photo_notes": 2, "dictionary": 2},
    "friendly": {"notes": 2, "profiles": 0, "days": 0, "poems": 0, "comments": 0},
}


@pytest.fixture(params=MOST)
def web(request, monkeypatch):
    """Serve a host of each kind of a sort."""
    monkeypatch.syspath_prepend(TRUTH)
    known = importlib.import_module(f"webs.{request.param}").KINDS
    some = importlib.import_module("webs.measuring").Web(
        {name: known[name] for name in MOST[request.param]}, COUNT
    )
    yield request.param, some
    some.close()


def test_made_sites_lose_no_document_and_cost_few_requests(web, tmp_path):
    sort, served = web
    crawled = importlib.import_module("webs.measuring").crawled

    figures, _ = crawled(tmp_path / "corpus", served, seconds=120, is_built=False)

    assert {each.kind: each.false_traps for each in figures} == dict.fromkeys(MOST[sort], 0)
    too_many = {each.kind: each.beyond for each in figures if each.beyond > MOST[sort][each.kind]}
    assert not too_many


def test_views_of_a_wiki_are_in_the_ledger_and_a_curator_can_open_them(monkeypatch, tmp_path):
    monkeypatch.syspath_prepend(TRUTH)
    measuring = importlib.import_module("webs.measuring")
    served = measuring.Web({"wiki": importlib.import_module("webs.wikis").wiki}, 5)
    try:
        _, corpus = measuring.crawled(tmp_path / "corpus", served, seconds=60, is_built=False)
        views = {each.url: each.value for each in corpus.drops(reason="view", most=100).lines}
        pattern = "wiki-0.example/w/index.php?action&title"
        before = [url for url in served.asked if "action=history" in url]
        corpus.open_trap("wiki-0", pattern)
        corpus.gather(proxy=served.proxy, seconds=60)
    finally:
        served.close()

    assert views[pattern] >= 10
    assert not before
    assert {url for url in served.asked if "action=history" in url}


@pytest.fixture
def guests(monkeypatch, tmp_path):
    """Crawl lists of eight guests each, one behind the other."""
    monkeypatch.syspath_prepend(TRUTH)
    measuring = importlib.import_module("webs.measuring")
    kind = importlib.import_module("webs.held_out_texts").guestbook

    def crawl(settings):
        served = measuring.Web({"guestbook": kind}, 200)
        try:
            figures, corpus = measuring.crawled(
                tmp_path / "corpus", served, seconds=120, is_built=False, settings=settings
            )
        finally:
            served.close()
        return figures[0], corpus.drops(reason="too-deep", most=10).lines

    return crawl


def test_what_a_crawls_depth_leaves_out_is_counted_in_the_ledger(guests):
    _, lines = guests("depth = 9")

    assert [(line.url, line.threshold, line.kind) for line in lines] == [
        ("guestbook-0.example", 9, "pattern")
    ]
    assert lines[0].value >= 1


def test_lists_that_follow_each_other_are_read_to_their_end(guests):
    figures, lines = guests("")

    assert figures.fetched == figures.documents == 200
    assert not lines
