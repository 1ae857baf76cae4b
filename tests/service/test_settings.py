import pytest

from izwi.cases.corpus import Corpus
from izwi.model.errors import ConfigError, LaterChange, QueryError
from izwi.service.settings import change_settings, remove_sources, with_settings
from izwi.store.layout import Layout

TEXT = """\
# mine
[corpus]
name = "news"   # short

[gather]
contact = "x"

[language]
minimum = 0.5                    # how sure

[[source]]
name = "a"
type = "seeds"
urls = ["https://a.example/"]

[[source]]
name = "b"
type = "feed"
url = "https://b.example/feed"
"""


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "corpus.toml").write_text(TEXT, encoding="utf-8")
    return Corpus(tmp_path)


def text_of(corpus):
    return (corpus.path / "corpus.toml").read_text(encoding="utf-8")


def test_a_key_is_changed_and_every_other_line_stays(corpus):
    corpus.change_settings({"language.minimum": 0.7}, by="thandi", comment="surer")

    before, after = TEXT.splitlines(), text_of(corpus).splitlines()
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert len(changed) == 1
    assert changed[0].startswith("minimum = 0.7")
    assert changed[0].count("#") == 1
    assert "how sure; " in changed[0]
    assert "thandi surer" in changed[0]
    assert corpus.config.language.minimum == 0.7


def test_a_key_that_was_not_there_is_put_into_its_table(corpus):
    corpus.change_settings({"select.minimum_words": 5, "extract.options.cutoff": 0.4}, by="t")

    assert corpus.config.select.minimum_words == 5
    assert corpus.config.extract.options.cutoff == 0.4


def test_a_source_is_changed_by_its_name(corpus):
    corpus.change_settings({"source.b.every": "3h"}, by="t")

    assert [getattr(each, "every", "") for each in corpus.config.sources] == ["", "3h"]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"language.minimum": 7}, ConfigError),
        ({"language.nonsense": 1}, ConfigError),
        ({"minimum": 1}, QueryError),
        ({"source.c.every": "1h"}, QueryError),
        ({"extract.options": {"a": None}}, ConfigError),
        ({"source.x": 5}, ConfigError),
        ({"source.x": {"name": "y", "type": "feed", "url": "https://y.example/"}}, ConfigError),
        ({"corpus.title": "\ud800"}, QueryError),
        ({}, QueryError),
    ],
)
def test_what_makes_no_sense_changes_nothing(corpus, settings, error):
    with pytest.raises(error):
        corpus.change_settings(settings, by="t")

    assert text_of(corpus) == TEXT
    assert corpus.changes() == ()


def test_settings_can_be_looked_at_without_being_written(corpus):
    found = with_settings(Layout(corpus.path), {"language.minimum": 0.9})

    assert found.language.minimum == 0.9
    assert text_of(corpus) == TEXT


def test_a_change_is_taken_back(corpus):
    corpus.change_settings({"language.minimum": 0.7, "select.minimum_words": 5}, by="t")

    corpus.undo(1, by="s")

    assert corpus.config.language.minimum == 0.5
    assert corpus.config.select.minimum_words == 20
    with pytest.raises(QueryError, match="already"):
        corpus.undo(1, by="s")


def test_a_change_that_was_changed_again_is_not_taken_back(corpus):
    corpus.change_settings({"language.minimum": 0.7}, by="t")
    corpus.change_settings({"language.minimum": 0.8}, by="s")

    with pytest.raises(LaterChange, match="again since"):
        corpus.undo(1, by="t")

    assert corpus.config.language.minimum == 0.8


def test_a_removed_source_is_put_back(corpus):
    remove_sources(Layout(corpus.path), ["a"], who="t")
    assert [each.name for each in Corpus(corpus.path).config.sources] == ["b"]

    corpus.undo(1, by="t")

    assert {each.name for each in corpus.config.sources} == {"a", "b"}


def test_an_error_inside_a_change_leaves_no_record(corpus):
    with pytest.raises(ConfigError):
        change_settings(Layout(corpus.path), {"gather.delay": "slow"}, who="t")

    assert corpus.changes() == ()


def test_a_removed_source_with_a_date_is_recorded_and_put_back(corpus):
    dated = '[[source]]\nname = "c"\ntype = "archive"\nurl = "https://c.example/"\n'
    (corpus.path / "corpus.toml").write_text(f"{TEXT}\n{dated}since = 2014-01-01\n", "utf-8")
    before = Corpus(corpus.path).config.sources

    remove_sources(Layout(corpus.path), ["c"], who="t")
    assert [change.who for change in corpus.changes()] == ["t"]
    corpus.undo(1, by="t")

    assert set(corpus.config.sources) == set(before)


def test_what_cannot_be_recorded_is_not_written(corpus, monkeypatch):
    monkeypatch.setattr("izwi.store.curation._json", lambda value: 1 / 0)

    with pytest.raises(ZeroDivisionError):
        remove_sources(Layout(corpus.path), ["a"], who="t")

    assert text_of(corpus) == TEXT
