"""Sources that rest, packs of sources, and runs by the clock."""

import json
from datetime import UTC, datetime

import pytest

from izwi.cases.corpus import create_corpus, open_corpus
from izwi.cases.long_runs import next_run
from izwi.cases.packs import packs
from izwi.config.load import parse
from izwi.demoweb import DemoWeb
from izwi.model.errors import ConfigError, LaterChange, QueryError
from izwi.reports.health import growth
from izwi.service import setup

PAGES = [
    "http://karoocourant.example/2023/10/sjambok-case-court.html",
    "http://karoocourant.example/2019/10/veld-fire-koppie.html",
]


@pytest.fixture
def corpus(tmp_path):
    made = create_corpus(tmp_path / "own", contact="https://example.org/bot", delay=0.0)
    for url in PAGES:
        made.add_source(url, type="seeds", name=url.rsplit("/", 1)[1].removesuffix(".html"))
    return made


def test_nothing_of_a_paused_source_is_fetched_until_it_is_resumed(corpus):
    with DemoWeb() as web:
        # One page alone is fetched: what the other source found waits in the queue.
        corpus.gather(pages=1, proxy=web.proxy_url)
        corpus.pause_sources(["veld-fire-koppie", "sjambok-case-court"], by="thandi")
        assert corpus.gather(proxy=web.proxy_url).fetched == 0
        corpus.resume_sources(["sjambok-case-court"], by="thandi")
        corpus.gather(proxy=web.proxy_url)
        waiting = corpus.drops(reason="source-paused").lines
        assert all(line.outcome == "waiting" for line in waiting)
        asked = [each.url for each in web.log if each.url in PAGES]
        corpus.resume_sources(["veld-fire-koppie"], by="thandi")
        corpus.gather(proxy=web.proxy_url)

        again = [each.url for each in web.log if each.url in PAGES]

    assert len(asked) <= len(again) == 2
    assert set(again) == set(PAGES)


def test_what_a_paused_source_had_found_waits_and_is_not_dropped(corpus):
    corpus.add_source("http://egolipost.example/", type="seeds", name="egoli", depth=1)
    with DemoWeb() as web:
        corpus.gather(pages=3, proxy=web.proxy_url)
        corpus.pause_sources(["egoli"])
        corpus.gather(proxy=web.proxy_url)
        paused = corpus.drops(reason="source-paused", most=1000).lines
        assert paused
        assert {line.outcome for line in paused} == {"waiting"}
        # Later runs leave them alone: they are not put off anew each time.
        corpus.gather(proxy=web.proxy_url)
        assert corpus.drops(reason="source-paused", most=1000).lines == paused
        corpus.resume_sources(["egoli"])
        corpus.gather(proxy=web.proxy_url)

    assert corpus.drops(reason="source-paused").total == 0


def test_a_paused_source_says_so_and_who_paused_it_is_recorded(corpus):
    corpus.pause_sources(["veld-fire-koppie"], by="thandi")

    assert {each.name: each.state for each in corpus.source_health()} == {
        "sjambok-case-court": "nothing yet",
        "veld-fire-koppie": "paused",
    }
    change = corpus.changes()[0]
    assert (change.who, change.target) == ("thandi", "source.veld-fire-koppie.paused")
    corpus.undo(change.id)
    assert corpus.config.paused == frozenset()
    with pytest.raises((LaterChange, QueryError)):
        corpus.undo(change.id)


def test_a_source_that_is_not_there_cannot_be_paused(corpus):
    with pytest.raises(QueryError, match="no source 'nowhere'"):
        corpus.pause_sources(["nowhere"])


@pytest.mark.parametrize(
    ("line", "words"),
    [('[schedule]\ndaily = "25:00"', "time of day"), ("[schedule]\nlimit = -1", "below 0"),
     ('[[source]]\nname="a"\ntype="seeds"\nurls=["https://a.example/"]\npaused="x"', "paused")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused(line, words):
    with pytest.raises(ConfigError, match=words):
        parse(f'[corpus]\nname = "a"\n[gather]\ncontact = "x"\n{line}\n')


def test_the_next_run_is_today_or_tomorrow():
    assert next_run("03:00", datetime(2026, 1, 1, 2, 59)) == datetime(2026, 1, 1, 3, 0)
    assert next_run("03:00", datetime(2026, 1, 31, 3, 1)) == datetime(2026, 2, 1, 3, 0)


@pytest.mark.parametrize("pack", packs(), ids=lambda pack: pack.name)
def test_a_pack_is_added_once_and_fetches_nothing(corpus, pack):
    added = corpus.add_pack(pack.name, by="thandi")

    assert len(added) >= len(pack.sources)
    assert corpus.add_pack(pack.name) == ()
    assert corpus.runs() == ()
    assert len({source.name for source in pack.sources}) == len(pack.sources)
    assert all(source.rights and source.kind and source.region for source in pack.sources)


def test_a_list_is_added_whole_or_not_at_all(corpus, monkeypatch):
    before = corpus.config.sources
    # Of two with one name the second cannot be there.
    twice = [{"name": "a", "type": "feed", "url": f"https://{x}.example/"} for x in "ab"]
    monkeypatch.setattr(setup, "new_feeds", lambda *_: iter(twice))

    with pytest.raises(ConfigError):
        corpus.import_opml("")

    assert open_corpus(corpus.path).config.sources == before
    assert not any(change.target == "source.a" for change in corpus.changes())


def test_a_pack_is_compared_with_what_stands_in_the_file_now(corpus):
    open_corpus(corpus.path).add_pack("demo")

    assert corpus.add_pack("demo") == ()


def run_with(corpus, name, started, documents):
    folder = corpus.path / "runs" / name
    folder.mkdir(parents=True)
    funnel = [{"documents": documents, "tokens": documents}]
    report = {"started": started, "fetched": 1, "funnel": funnel}
    (folder / "report.json").write_text(json.dumps(report))


def test_growth_is_told_from_yesterday_however_many_runs_there_were(corpus):
    now = datetime(2026, 1, 3, 12, tzinfo=UTC)
    run_with(corpus, "20260102-000000", "2026-01-02T00:00:00+00:00", 100)
    for number in range(90):
        run_with(corpus, f"20260103-{number:06}", "2026-01-03T11:00:00+00:00", 101 + number)

    grown = growth(corpus.path, now)

    assert (grown.documents, grown.new_documents, grown.fetched) == (190, 90, 90)


def test_addresses_nobody_verified_are_not_said_to_be():
    (pack,) = (each for each in packs() if each.name == "south-africa")

    assert len(pack.sources) >= 12
    assert {source.verified for source in pack.sources} == {""}
    assert "verified" in pack.note


def test_a_list_of_changes_leaves_the_labelled_pages_out(corpus):
    from izwi.model.curation import LabelledBlock, LabelledPage

    page = LabelledPage(PAGES[0], "<p>long</p>", (LabelledBlock("long", "main"),), labeller="a")
    corpus.import_labels([page], by="thandi")

    (change,) = (each for each in corpus.changes() if each.kind == "labels")
    assert "html" not in change.after
    assert "<p>long" not in json.dumps(change.after)
    corpus.undo(change.id)
    assert corpus.labels() == ()
