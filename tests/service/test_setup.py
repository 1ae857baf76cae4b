from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.config.load import load
from izwi.config.schema import check_name
from izwi.model.errors import ConfigError
from izwi.service.setup import (
    add_source,
    check,
    create,
    first_text,
    source_fields,
    source_name,
)

CONTACT = "https://izwi.example/bot"
FEED = {"name": "courant", "type": "feed", "url": "https://courant.example/feed", "every": "2h"}


def written(folder):
    return (folder / "corpus.toml").read_bytes()


def test_a_new_corpus_file_loads_as_what_was_asked(tmp_path):
    folder = tmp_path / "news"

    config = create(
        folder, contact=CONTACT, name="sa-news", title='The "news"', languages=("en",), delay=1.5
    )

    assert load(folder / "corpus.toml") == config
    assert (config.corpus.name, config.corpus.title) == ("sa-news", 'The "news"')
    assert config.corpus.languages == ("en",)
    assert (config.gather.contact, config.gather.delay) == (CONTACT, 1.5)
    assert config.sources == ()


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        pytest.param("news", "news", id="plain"),
        pytest.param("SA News 2020", "sa-news-2020", id="spaces-and-capitals"),
        pytest.param("_news_", "news", id="edges"),
        pytest.param("Nuus_en-alles", "nuus_en-alles", id="kept-signs"),
        pytest.param("новости", "corpus", id="no-latin-letters"),
        pytest.param("x" * 100, "x" * 63, id="long"),
    ],
)
def test_a_corpus_without_a_name_is_named_after_its_folder(tmp_path, folder, name):
    config = create(tmp_path / folder, contact=CONTACT)

    assert config.corpus.name == name
    assert config.corpus.title == folder


@pytest.mark.parametrize("languages", [(), ("en",), ("zu", "af")], ids=["none", "one", "two"])
def test_a_new_corpus_finds_text_in_every_language(tmp_path, languages):
    config = create(tmp_path, contact=CONTACT, name="news", languages=languages)

    assert config.corpus.languages == languages
    assert (config.extract.method, config.extract.options) == ("izwi", None)


def test_the_file_explains_itself(tmp_path):
    create(tmp_path, contact=CONTACT, name="news")

    text = written(tmp_path).decode()
    assert "# seconds between two requests to one host" in text
    assert '# type = "feed"' in text


def test_a_corpus_that_is_there_is_left_as_it_is(tmp_path):
    create(tmp_path, contact=CONTACT, name="news")
    before = written(tmp_path)

    with pytest.raises(ConfigError, match="is there already; it was left as it is"):
        create(tmp_path, contact=CONTACT, name="other")

    assert written(tmp_path) == before


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"contact": " "}, "contact is empty"),
        ({"name": "No Spaces!"}, "'No Spaces!' cannot be a name"),
        ({"delay": -1.0}, "delay = -1.0 is not between 0 and 86400"),
    ],
    ids=["contact", "name", "delay"],
)
def test_a_corpus_that_could_not_be_loaded_is_not_written(tmp_path, fields, words):
    folder = tmp_path / "news"

    with pytest.raises(ConfigError, match=words):
        create(folder, **{"contact": CONTACT} | fields)

    assert not folder.exists()


def test_a_source_is_added(tmp_path):
    create(tmp_path, contact=CONTACT, name="news")

    config = add_source(tmp_path, FEED)

    (source,) = config.sources
    assert (source.name, source.type, source.url) == ("courant", "feed", FEED["url"])
    assert source.every == "2h"
    assert load(tmp_path / "corpus.toml") == config


def test_sources_are_added_in_order(tmp_path):
    create(tmp_path, contact=CONTACT, name="news")
    add_source(tmp_path, FEED)

    config = add_source(
        tmp_path, {"name": "b", "type": "seeds", "urls": ["https://b.example/"], "depth": 2}
    )

    assert [source.name for source in config.sources] == ["courant", "b"]
    assert config.sources[1].depth == 2


def test_fields_without_a_value_are_left_to_their_defaults(tmp_path):
    create(tmp_path, contact=CONTACT, name="news")

    config = add_source(tmp_path, FEED | {"every": "", "method": ""})

    assert config.sources[0].interval.total_seconds() == 3600
    assert b"every" not in written(tmp_path).split(b"[[source]]")[-1]


MINE = f"""# my corpus   \n[corpus]\nname="news"  # short\n
[gather]\ncontact = '{CONTACT}'\n\tdelay=3   # ’n bietjie\n"""


@pytest.mark.parametrize(
    "before",
    [
        pytest.param(MINE, id="comments"),
        pytest.param(MINE.rstrip("\n"), id="no-line-end"),
        pytest.param(MINE + "\n\n\n", id="blank-lines-at-the-end"),
        pytest.param(MINE + "# the end", id="comment-at-the-end"),
        pytest.param(MINE.replace("\n", "\r\n"), id="windows-line-ends"),
    ],
)
def test_everything_else_stays_byte_for_byte(tmp_path, before):
    (tmp_path / "corpus.toml").write_bytes(before.encode())

    add_source(tmp_path, FEED)

    assert written(tmp_path).startswith(before.encode())
    added = written(tmp_path)[len(before.encode()) :]
    assert added.split()[0] == b"[[source]]"
    assert added.endswith(b"\r\n" if "\r\n" in before else b"\n")
    assert len(load(tmp_path / "corpus.toml").sources) == 1


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        (FEED | {"type": "feeds"}, "There is no source 'feeds'. Did you mean 'feed'?"),
        (FEED | {"url": "courant"}, "'courant' is not a web address"),
        (FEED | {"every": "soon"}, "'soon' is not a duration"),
        (FEED | {"depth": 1}, "unknown key 'depth'"),
        (FEED | {"name": "No Spaces!"}, "cannot be a name"),
        (FEED | {"name": "first"}, "two sources are named 'first'"),
    ],
    ids=["type", "url", "every", "key", "name", "same-name"],
)
def test_a_bad_source_is_refused_and_the_file_unchanged(tmp_path, fields, words):
    create(tmp_path, contact=CONTACT, name="news")
    add_source(tmp_path, FEED | {"name": "first"})
    before = written(tmp_path)

    with pytest.raises(ConfigError) as raised:
        add_source(tmp_path, fields)

    assert words in str(raised.value)
    assert written(tmp_path) == before
    assert {path.name for path in tmp_path.iterdir()} == {"corpus.toml", "curation.sqlite"}


def test_a_source_needs_a_corpus(tmp_path):
    with pytest.raises(ConfigError, match=r"no corpus\.toml in .*\. Make a corpus with: izwi init"):
        add_source(tmp_path, FEED)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("url", "kind", "name"),
    [
        ("https://www.courant.example/news/feed.xml", "feed", "courant-feed"),
        ("http://courant.example", "seeds", "courant"),
        ("https://courant.co.za/?p=1&q=2#top", "seeds", "courant"),
        ("https://news.courant.co.za:8080/", "sitemap", "news-courant-sitemap"),
        ("https://co.za/", "seeds", "co"),
        ("HTTPS://WWW.Courant.example/", "crawl", "courant-crawl"),
        ("http://localhost/", "seeds", "localhost"),
        ("https://новости.рф/", "feed", "source-feed"),
        ("", "seeds", "source"),
        (f"https://{'x' * 100}.example/", "feed", f"{'x' * 40}-feed"),
    ],
)
def test_a_source_is_named_after_its_site_and_sort(url, kind, name):
    assert source_name(url, kind) == name


def test_a_second_source_of_a_site_gets_a_number():
    taken = ["courant-feed", "courant-feed-2"]

    assert source_name("http://courant.example/sport.xml", "feed", taken) == "courant-feed-3"


@given(st.text(max_size=80) | st.text(max_size=80).map("https://{}".format))
def test_any_address_gives_a_name_that_can_be_used(url):
    name = source_name(url)

    check_name(name)
    assert len(name) <= 60


def test_a_relative_path_is_named_after_the_folder_it_stands_for(tmp_path, monkeypatch):
    (tmp_path / "nuus").mkdir()
    monkeypatch.chdir(tmp_path / "nuus")

    config = create(Path(), contact=CONTACT)

    assert config.corpus.name == "nuus"


def fields_of(url, name):
    return {"name": name, "type": "seeds", "urls": [url]}


def test_addresses_are_checked_before_anything_is_written(tmp_path):
    text = first_text(tmp_path / "news", contact=CONTACT)

    check(text, [fields_of("https://a.example/", "a")])
    with pytest.raises(ConfigError):
        check(text, [fields_of("https://a.example/", "a"), fields_of("nonsense", "b")])

    assert not (tmp_path / "news").exists()


@pytest.mark.parametrize("code", ["xx", "anglish", "e", "12", "en glish", ""])
def test_a_code_that_is_no_language_is_refused(tmp_path, code):
    with pytest.raises(ConfigError, match="not a language code"):
        create(tmp_path / "c", contact="https://izwi.example/", languages=(code,))

    assert not (tmp_path / "c" / "corpus.toml").exists()


SITE = "https://courant.example"


@pytest.mark.parametrize(
    ("path", "given", "keys"),
    [
        pytest.param("/", {}, ("crawl", 20), id="front"),
        pytest.param("", {}, ("crawl", 20), id="front-without-slash"),
        pytest.param("/news/", {}, ("seeds", 1), id="section"),
        pytest.param("/en/sport/", {}, ("seeds", 1), id="section-of-a-section"),
        pytest.param("/2019/04/rain-at-last/", {}, ("seeds", 0), id="story-with-a-slash"),
        pytest.param("/story.html", {}, ("seeds", 0), id="page"),
        pytest.param("/?p=7", {}, ("seeds", 0), id="page-by-number"),
        pytest.param("/", {"depth": 0}, ("seeds", 0), id="front-alone"),
        pytest.param("/", {"depth": 2}, ("seeds", 2), id="front-so-far"),
        pytest.param("/news/", {"depth": 0}, ("seeds", 0), id="section-alone"),
        pytest.param("/", {"type": "seeds"}, ("seeds", 0), id="as-the-type-says"),
    ],
)
def test_a_front_is_the_site_a_section_its_links_and_a_page_itself(path, given, keys):
    fields = source_fields(SITE + path, **given)

    assert (fields["type"], fields["depth"]) == keys
