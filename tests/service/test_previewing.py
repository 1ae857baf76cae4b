"""What a source would give before it is saved, on the demonstration's web."""

import pytest

import izwi
from izwi.cases.corpus import create_corpus
from izwi.cli.main import main
from izwi.service.setup import replayed, source_keys
from tests.demoweb.faults import FaultyWeb as DemoWeb


@pytest.fixture(scope="module")
def web():
    with DemoWeb() as web:
        yield web


@pytest.fixture
def corpus(tmp_path):
    return create_corpus(
        tmp_path / "corpus", contact="https://izwi.example/tests", name="tried",
        languages=("en",), delay=0.0,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("url", "kind", "type"),
    [
        ("http://umgeniherald.example/", "page", "feed"),
        ("http://umgeniherald.example/atom.xml", "feed", "feed"),
        ("http://umgeniherald.example/sitemap.xml", "sitemap", "sitemap"),
        ("http://karoocourant.example/archive", "portal", "portal"),
        ("http://faults.example/ok", "page", "seeds"),
    ],
)
def test_any_address_is_told_for_what_it_is_and_its_first_pages_are_shown(
    corpus, web, url, kind, type
):
    found = corpus.preview_source(url, pages=3, proxy=web.proxy_url)

    assert (found.kind, found.chosen.type) == (kind, type), found.offers
    assert len(found.pages) == (3 if kind != "page" or type == "feed" else 1)
    assert any(page.line.outcome == "kept" and page.title and page.words for page in found.pages)
    # Only corpus.toml, as it was: nothing is stored.
    assert [each.name for each in corpus.path.iterdir()] == ["corpus.toml"]
    assert not corpus.config.sources


def test_what_is_saved_gives_the_pages_that_were_shown(corpus, web):
    found = corpus.preview_source("http://umgeniherald.example/", pages=4, proxy=web.proxy_url)
    corpus.add_source(found.chosen.url, type=found.chosen.type, depth=found.chosen.depth)
    corpus.gather(proxy=web.proxy_url)
    corpus.build(workers=1)

    for page in found.pages:
        line = next(each for each in corpus.drops(url=page.line.url, outcome="").lines)
        assert (line.outcome, line.reason) == (page.line.outcome, page.line.reason)
    again = corpus.preview_source("http://umgeniherald.example/", pages=4, proxy=web.proxy_url)
    assert all(page.is_known for page in again.pages)


def test_pages_that_would_be_dropped_say_why(corpus, web):
    found = corpus.preview_source("http://umgeniherald.example/", pages=10, proxy=web.proxy_url)

    dropped = [page.line for page in found.pages if page.line.outcome != "kept"]
    assert {line.reason for line in dropped} == {"other-language"}
    assert all(line.value is not None for line in dropped)


def test_what_may_not_be_fetched_shows_no_pages(corpus, web):
    found = corpus.preview_source("http://closed.example/", proxy=web.proxy_url)

    assert not found.pages
    assert found.chosen is None
    assert "robots.txt forbids it" in found.problem


def test_addresses_of_web_archives_become_sources_of_their_own():
    assert source_keys("archive", "https://web.archive.org/web/2010*/example.org/*")["way"] == "cdx"
    own = source_keys("archive", "https://archive.example/coll/2010/http://example.org/")
    assert (own["replay"], own["url"]) == ("https://archive.example/coll/", "http://example.org/")
    assert replayed("https://example.org/2010/11/news.html") is None


def test_the_front_of_a_site_without_a_feed_is_the_site(corpus, web, capsys, monkeypatch):
    found = corpus.preview_source("http://faults.example/", pages=2, proxy=web.proxy_url)
    words = ["izwi", "sources", "add", str(corpus.path), "http://faults.example/"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit):
        main()
    said = capsys.readouterr().out
    monkeypatch.setattr("sys.argv", [*words, "--depth", "0"])
    with pytest.raises(SystemExit):
        main()

    site, page = izwi.open(corpus.path).config.sources
    assert (found.chosen.type, [each.type for each in found.offers]) == (
        "crawl",
        ["crawl", "seeds"],
    )
    assert (site.type, site.seeds, site.depth) == ("crawl", ("http://faults.example/",), 20)
    assert (page.type, page.depth) == ("seeds", 0)
    assert "the whole site" in said
    assert "--depth 0" in said
    assert "the whole site" not in capsys.readouterr().out


def test_the_proxy_of_the_machine_is_asked_whoever_looks(corpus, web, monkeypatch):
    monkeypatch.setenv("IZWI_PROXY", web.proxy_url)

    assert corpus.check_source("http://faults.example/ok").is_reached
    assert corpus.preview_source("http://faults.example/ok", pages=1).chosen is not None


@pytest.mark.parametrize(
    ("said", "type", "kept"),
    [
        ("courant.example", "", ("crawl", "seeds", ("https://courant.example",))),
        ("courant.example/feed.xml", "", ("feed", "url", "https://courant.example/feed.xml")),
        ("courant.example/a/{date:%Y/%m}", "portal",
         ("portal", "archive", "https://courant.example/a/{date:%Y/%m}")),
        ("courant.example/*", "archive", ("archive", "url", "courant.example/*")),
    ],
)  # fmt: skip
def test_an_address_as_people_say_it_is_added_with_its_scheme(
    corpus, monkeypatch, capsys, said, type, kept
):
    kind, key, value = kept
    words = ["izwi", "sources", "add", str(corpus.path), said]
    if type:
        words += ["--type", type, "--since", "2020-01-01"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as ended:
        main()

    assert not ended.value.code
    (source,) = izwi.open(corpus.path).config.sources
    assert (source.type, getattr(source, key)) == (kind, value)
    told = "Its address is taken for https://courant.example" in capsys.readouterr().out
    assert told == (type != "archive")


def test_what_is_no_address_is_refused_as_before(corpus):
    for said in ("courant", "not a web address"):
        with pytest.raises(izwi.IzwiError, match="is not a web address"):
            corpus.add_source(said)


def test_a_proxy_without_https_is_said_to_have_none(corpus, web):
    url = "https://karoocourant.example/"
    found = corpus.check_source(url, proxy=web.proxy_url)
    corpus.add_source(url, depth=0)
    corpus.gather(proxy=web.proxy_url)
    (line,) = corpus.drops(url=url).lines

    for words in (found.problem, line.detail):
        assert (
            "the proxy opens no way to https (405 The demo web has no https: write http://)"
            in words
        )
        assert "message=" not in words
