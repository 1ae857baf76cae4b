from datetime import date

import pytest

from izwi.cases.corpus import Corpus, create_corpus, open_corpus
from izwi.curation.labelling import count_labelled
from izwi.model.curation import LabelledPage
from izwi.model.errors import ConfigError, PluginError, QueryError
from izwi.reports import health
from tests.service import tiny


def test_a_word_is_found_in_a_built_corpus(built):
    found = built.concordance("ROBOTS", sort="date")

    assert (found.hits, found.documents, found.snapshot) == (2, 2, 1)
    assert [line.document.url for line in found] == [
        f"{tiny.HOST}/2020/03/01/robots",
        f"{tiny.HOST}/2020/03/02/oranges",
    ]
    assert [line.document.copies for line in found] == [1, 0]


def test_a_query_is_cut_into_tokens_as_the_text_was(built):
    found = built.concordance("with two of them, one in")

    assert found.tokens == ("with", "two", "of", "them", ",", "one", "in")
    assert found.hits == 2


def test_case_counts_when_asked(built):
    assert built.concordance("the", case=True).hits < built.concordance("the").hits
    assert built.concordance("THE", case=True).hits == 0


def test_filters_reach_the_query(built):
    assert built.concordance("robots", since=date(2020, 3, 2)).hits == 1
    assert built.concordance("robots", until=date(2020, 3, 1), sources=("pages",)).hits == 0


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "The query is empty: type a word or a phrase."),
        (" \n ", "The query is empty"),
        ("robot " * 101, "has 101 tokens; at most 100 can be searched"),
    ],
    ids=["empty", "blank", "long"],
)
def test_a_query_without_or_with_too_many_words_is_refused(built, query, words):
    with pytest.raises(QueryError, match=words):
        built.concordance(query)


@pytest.mark.parametrize(
    ("version", "words"),
    [
        (0, "no version 0"),
        (-1, "no version -1"),
        (7, "no version 7 of this corpus; the newest is 1"),
    ],
)
def test_a_version_that_is_not_there_is_refused(built, version, words):
    with pytest.raises(QueryError, match=words):
        built.concordance("robots", version=version)


@pytest.mark.parametrize(
    "ask",
    [
        lambda corpus, sources: corpus.concordance("robots", sources=sources),
        lambda corpus, sources: corpus.documents(sources=sources),
        lambda corpus, sources: corpus.frequencies("robots", sources=sources),
    ],
)
def test_a_source_that_is_not_there_is_named_with_those_there_are(built, ask):
    with pytest.raises(QueryError, match=r"no source 'page'\. Did you mean 'pages'\? .*feed"):
        ask(built, ("page",))


def test_versions_are_listed_the_newest_first(built):
    (version,) = built.versions()

    assert (version.number, version.is_current) == (1, True)
    assert version.tokens == built.summary().tokens


def test_an_older_version_can_still_be_asked(own_folder):
    path = own_folder / "corpus.toml"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('languages = ["en"]', "languages = []"), encoding="utf-8")
    corpus = Corpus(own_folder)
    corpus.build(workers=1)

    assert corpus.concordance("verkeersligte").hits == 1
    assert corpus.concordance("verkeersligte", version=1).hits == 0


def test_a_corpus_that_was_never_built_answers_with_nothing(tmp_path):
    corpus = create_corpus(tmp_path / "new", contact="https://izwi.example/")

    found = corpus.concordance("robots")

    assert (found.hits, found.snapshot, found.corpus_tokens) == (0, 0, 0)


def test_a_second_build_does_nothing(own_folder):
    report = Corpus(own_folder).build(workers=1)

    assert (report.shards_built, report.snapshot, report.failures) == (0, 1, ())


def test_a_corpus_sums_itself_up(built):
    summary = built.summary()

    assert (summary.name, summary.languages, summary.snapshot) == ("tiny", ("en",), 1)
    assert (summary.documents, summary.captures, summary.copies) == (2, 7, 1)
    assert (summary.first, summary.last) == (date(2020, 3, 1), date(2020, 3, 2))
    assert [(year.year, year.hits, year.tokens) for year in summary.years] == [
        (2020, 2, summary.tokens)
    ]


def test_sources_are_listed_with_what_came_of_them(built):
    feed, pages = built.sources()

    assert (feed.name, feed.type, feed.leads, feed.fetched, feed.documents) == (
        "feed", "feed", 2, 1, 1,
    )  # fmt: skip
    assert (pages.name, pages.type, pages.leads, pages.fetched, pages.documents) == (
        "pages", "seeds", 7, 5, 1,
    )  # fmt: skip
    assert (feed.first, feed.last) == (date(2020, 3, 1), date(2020, 3, 1))


def test_the_status_of_a_built_corpus_is_current(built):
    status = built.status()

    assert status.is_current
    assert (status.shards, status.captures, status.waiting, status.snapshot) == (1, 7, 1, 1)


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://a.example/feed", "feed"),
        ("https://a.example/RSS", "feed"),
        ("https://a.example/atom/", "feed"),
        ("https://a.example/index.xml", "feed"),
        ("https://a.example/news", "seeds"),
    ],
)
def test_the_type_of_a_source_is_guessed_from_its_address(tmp_path, url, kind):
    corpus = create_corpus(tmp_path / "new", contact="https://izwi.example/")

    name = corpus.add_source(url)

    (source,) = corpus.config.sources
    assert (source.name, source.type, source.address) == (name, kind, url)


def test_an_unknown_type_of_source_is_refused(tmp_path):
    corpus = create_corpus(tmp_path / "new", contact="https://izwi.example/")

    with pytest.raises(PluginError, match="There is no source 'gopher'"):
        corpus.add_source("https://a.example/", type="gopher")


def test_a_folder_without_a_corpus_cannot_be_opened(tmp_path):
    with pytest.raises(ConfigError, match="izwi init"):
        open_corpus(tmp_path)


def test_gathering_without_a_source_says_what_to_do(tmp_path):
    corpus = create_corpus(tmp_path / "new", contact="https://izwi.example/")

    with pytest.raises(ConfigError, match=r"has no source yet\. Add one: izwi sources add"):
        corpus.gather()


def test_the_parts_of_a_version_are_counted_once(built, monkeypatch):
    first = built.parts
    monkeypatch.setattr("izwi.service.comparing.parts_by", None)

    assert built.parts == first
    assert [part.value for part in first["host"]] == ["courant.example"]


def test_the_ledger_is_read_for_the_health_of_sources_only_if_it_changed(own_folder, monkeypatch):
    corpus = Corpus(own_folder)
    first, asked = corpus.source_health(), []
    real = health.source_health
    monkeypatch.setattr(health, "source_health", lambda *given: asked.append(given) or real(*given))

    assert corpus.source_health() == first
    assert asked == []
    corpus.takedown(f"{tiny.HOST}/2020/03/02/oranges", reason="the author asked")
    later = corpus.source_health()
    assert len(asked) == 1
    assert sum(each.kept for each in later) < sum(each.kept for each in first)


def test_labelled_pages_are_counted_once_while_their_file_stays(own_folder, monkeypatch):
    page = LabelledPage(f"{tiny.HOST}/x", "<p>a</p>", (), time="2026-11-16T00:00:00Z")
    assert count_labelled(own_folder) == 0
    Corpus(own_folder).import_labels([page, LabelledPage(f"{tiny.HOST}/y", "<p>b</p>", ())])
    assert count_labelled(own_folder) == 1
    monkeypatch.setattr("izwi.curation.labelling.read_file", None)

    assert count_labelled(own_folder) == 1


def test_how_a_query_is_answered_is_said_without_running_it(built):
    found = built.explain('[word="the"] []*[]* [word="a"]')

    assert found.rewritten == '[word="the"] []* [word="a"]'
    assert found.tokens >= built.concordance("the").corpus_tokens
    assert "tries every token" in " ".join(found.sentences())


def test_sources_that_others_add_are_seen_and_a_broken_file_keeps_the_old(own_folder):
    with Corpus(own_folder) as one, Corpus(own_folder) as other:
        before = [each.name for each in one.sources()]
        other.add_source("https://more.example/feed", type="feed", name="more")
        seen = [each.name for each in one.sources()]
        (own_folder / "corpus.toml").write_text("[corpus", encoding="utf-8")

        assert seen == [*before, "more"]
        assert [each.name for each in one.sources()] == seen
        assert one.concordance("oranges").hits
        with pytest.raises(ConfigError, match="not valid TOML"):
            one.gather()


def test_a_question_that_checks_no_settings_sees_new_sources_too(own_folder):
    with Corpus(own_folder) as one, Corpus(own_folder) as other:
        with pytest.raises(QueryError, match="more"):
            one.concordance("oranges", sources=("more",))
        other.add_source("https://more.example/feed", type="feed", name="more")

        assert one.concordance("oranges", sources=("more",)).hits == 0
