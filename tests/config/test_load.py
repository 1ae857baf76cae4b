import pytest

from izwi.config.load import load, parse
from izwi.config.schema import CorpusConfig
from izwi.gather.sources.feeds import FeedSource
from izwi.gather.sources.seeds import SeedsSource
from izwi.model.errors import ConfigError
from izwi.text.extract.justext import JustextOptions

CORPUS = '[corpus]\nname = "news"\n'
GATHER = '[gather]\ncontact = "https://example.org/bot"\n'
MINIMAL = CORPUS + GATHER
FEED = '[[source]]\ntype = "feed"\nname = "one"\nurl = "https://example.org/feed"\n'


def complaint(text, filename="corpus.toml"):
    """Return what is said about a configuration that cannot be used."""
    with pytest.raises(ConfigError) as caught:
        parse(text, filename)
    return str(caught.value)


def test_name_and_contact_are_enough():
    config = parse(MINIMAL)

    assert isinstance(config, CorpusConfig)
    assert (config.corpus.name, config.gather.contact) == ("news", "https://example.org/bot")
    assert config.sources == ()


def test_every_section_is_read():
    config = parse(
        '[corpus]\nname = "news"\ntitle = "News"\nlanguages = ["en", "zul"]\n'
        '[gather]\ncontact = "x"\ndelay = 1\nwarc_size = "1 MiB"\n'
        '[extract]\nmethod = "justext"\noptions = { stoplist = "English", length_low = 50 }\n'
        "[language]\nminimum = 0.8\n"
        "[dedup]\nexact = false\n"
        "[select]\nminimum_words = 5\n"
        '[annotate]\nmethod = "tokens"\n'
        '[index]\nattributes = ["lc", "word"]\n' + FEED
    )

    assert config.corpus.languages == ("en", "zul")
    assert config.gather.delay == 1.0
    assert config.extract.options == JustextOptions(stoplist="English", length_low=50)
    assert config.language.minimum == 0.8
    assert config.dedup.exact is False
    assert config.select.minimum_words == 5
    assert config.index.attributes == ("lc", "word")


def test_sources_become_what_their_type_says():
    seeds = '[[source]]\ntype = "seeds"\nname = "two"\nurls = ["http://a.example/"]\ndepth = 2\n'

    config = parse(MINIMAL + FEED + seeds)

    assert config.sources == (
        FeedSource("one", "https://example.org/feed"),
        SeedsSource("two", ("http://a.example/",), depth=2),
    )


def test_options_left_out_are_the_extractors_own_defaults():
    chosen = parse(MINIMAL + '[extract]\nmethod = "justext"\n')

    assert chosen.extract.options == JustextOptions()
    # The usual extractor is not loaded to be asked for them.
    assert parse(MINIMAL).extract.options is None


def test_byte_order_mark_of_a_windows_editor_is_passed_over():
    assert parse("\ufeff" + MINIMAL).corpus.name == "news"


# What stands in the file, and what the complaint has to say: place, key, value, expectation.
MISTAKES = {
    "broken TOML": (CORPUS + "name =\n", ["not valid TOML", "line 3"]),
    "the same key twice": (CORPUS + 'name = "other"\n', ["not valid TOML", "line 3"]),
    "no corpus": (GATHER, ["the table [corpus] is missing"]),
    "no gather": (CORPUS, ["the table [gather] is missing"]),
    "nothing at all": ("", ["the table [corpus] is missing"]),
    "no name": ("[corpus]\n" + GATHER, ["[corpus]", "lacks the key 'name'"]),
    "no contact": (CORPUS + "[gather]\n", ["[gather]", "lacks the key 'contact'"]),
    "unknown section": (MINIMAL + "[langauge]\n", ["'langauge'", "did you mean 'language'?"]),
    "section nobody can guess": (MINIMAL + "[zzz]\n", ["'zzz'", "known keys: corpus, gather"]),
    "unknown key at the top": ("nmae = 1\n" + MINIMAL, ["unknown key 'nmae'"]),
    "unknown key in a section": (MINIMAL + "dealy = 1\n", ["[gather]", "'dealy'", "'delay'"]),
    "unknown key in a source": (
        MINIMAL + FEED + 'evry = "1h"\n',
        ["[[source]] 'one'", "'evry'", "did you mean 'every'?"],
    ),
    "unknown key in options": (
        MINIMAL + '[extract]\nmethod = "justext"\noptions = { lenght_low = 1 }\n',
        ["[extract] options", "'lenght_low'", "did you mean 'length_low'?"],
    ),
    "type as an unknown key": (MINIMAL + "[language]\ntype = 1\n", ["[language]", "'type'"]),
    "section that is a number": ("select = 3\n" + MINIMAL, ["[select]", "table of keys, not 3"]),
    "options that are a list": (
        MINIMAL + "[extract]\noptions = [1]\n",
        ["[extract] options", "table of keys, not [1]"],
    ),
    "text for a number": (
        MINIMAL + 'delay = "slow"\n',
        ["[gather]", "delay = 'slow'", "valid number"],
    ),
    "number for a text": ("[corpus]\nname = 5\n" + GATHER, ["[corpus]", "name = 5", "string"]),
    "text for a list": (
        CORPUS + 'languages = "en"\n' + GATHER,
        ["[corpus]", "languages = 'en'", "tuple"],
    ),
    "half a word": (
        MINIMAL + "[select]\nminimum_words = 1.5\n",
        ["[select]", "minimum_words = 1.5", "integer"],
    ),
    "name that is no name": (
        '[corpus]\nname = "My Corpus"\n' + GATHER,
        ["[corpus]", "name = 'My Corpus'", "lower-case letters"],
    ),
    "name that climbs": (
        '[corpus]\nname = "../x"\n' + GATHER,
        ["[corpus]", "name = '../x'", "lower-case letters"],
    ),
    "empty contact": (
        CORPUS + '[gather]\ncontact = " "\n',
        ["[gather]", "contact is empty", "site owners"],
    ),
    "negative delay": (MINIMAL + "delay = -1\n", ["[gather]", "delay = -1.0", "between 0 and"]),
    "delay that is no number": (MINIMAL + "delay = nan\n", ["delay = nan", "between 0 and"]),
    "no time at all": (MINIMAL + "timeout = 0\n", ["[gather]", "timeout = 0.0", "above 0"]),
    "endless timeout": (MINIMAL + "timeout = inf\n", ["timeout = inf", "up to 86400"]),
    "no concurrency": (MINIMAL + "concurrency = 0\n", ["concurrency = 0", "between 1 and 1000"]),
    "no attempts": (MINIMAL + "attempts = 0\n", ["attempts = 0", "between 1 and 1000"]),
    "negative redirects": (MINIMAL + "max_redirects = -1\n", ["max_redirects = -1", "between 0"]),
    "bad max_size": (MINIMAL + 'max_size = "big"\n', ["[gather] max_size = 'big'", "256 MiB"]),
    "bad warc_size": (MINIMAL + 'warc_size = "1 TB"\n', ["[gather] warc_size = '1 TB'", "256 MiB"]),
    "bad extract size": (
        MINIMAL + '[extract]\nmax_size = "x"\n',
        ["[extract] max_size = 'x'", "is not a size"],
    ),
    "certainty above one": (
        MINIMAL + "[language]\nminimum = 80\n",
        ["[language]", "minimum = 80.0", "between 0 and 1"],
    ),
    "attribute nobody indexes": (
        MINIMAL + '[index]\nattributes = ["word", "lc", "part"]\n',
        ["[index]", "attributes", "'part'"],
    ),
    "stop list nobody has": (
        MINIMAL + '[extract]\nmethod = "justext"\noptions = { stoplist = "Klingon" }\n',
        ["[extract] options", "stoplist = 'Klingon'", "English"],
    ),
    "extractor nobody has": (
        MINIMAL + '[extract]\nmethod = "justxt"\n',
        ["[extract] method", "'justxt'", "Did you mean 'justext'?"],
    ),
    "identifier nobody has": (
        MINIMAL + '[language]\nmethod = "cld9"\n',
        ["[language] method", "'cld9'", "Installed: izwi, kneser-ney"],
    ),
    "annotator nobody has": (
        MINIMAL + '[annotate]\nmethod = "token"\n',
        ["[annotate] method", "'token'", "Did you mean 'tokens'?"],
    ),
    "source of no type": (MINIMAL + '[[source]]\nname = "a"\n', ["[[source]] number 1", "no type"]),
    "source of unknown type": (
        MINIMAL + '[[source]]\nname = "a"\ntype = "fed"\n',
        ["[[source]] 'a' type", "'fed'", "Did you mean 'feed'?"],
    ),
    "source without a name": (
        MINIMAL + '[[source]]\ntype = "feed"\nurl = "http://a.example/"\n',
        ["[[source]]", "lacks the key 'name'"],
    ),
    "source with an unknown extractor": (
        MINIMAL + FEED + 'method = "nothing"\n',
        ["[[source]] 'one' method", "'nothing'", "justext"],
    ),
    "one table for sources": (
        MINIMAL + '[source]\ntype = "feed"\n',
        ["each source as its own table", "[[source]]"],
    ),
    "two sources of one name": (MINIMAL + FEED + FEED, ["two sources are named 'one'"]),
    "feed that is no address": (
        MINIMAL + FEED.replace("https:", "ftp:"),
        ["[[source]] 'one'", "url = 'ftp://example.org/feed'", "write for example"],
    ),
    "feed that never rests": (
        MINIMAL + FEED + 'every = "often"\n',
        ["[[source]] 'one'", "every = 'often'", "is not a duration"],
    ),
    "feed that rests for ever": (
        MINIMAL + FEED + 'every = "9999999999w"\n',
        ["[[source]] 'one'", "every = '9999999999w'", "ten years"],
    ),
    "seeds that are no addresses": (
        MINIMAL + '[[source]]\ntype = "seeds"\nname = "s"\nurls = ["example.org"]\n',
        ["[[source]] 's'", "urls", "'example.org'", "write for example"],
    ),
    "no seeds": (
        MINIMAL + '[[source]]\ntype = "seeds"\nname = "s"\nurls = []\n',
        ["[[source]] 's'", "urls is empty"],
    ),
    "negative depth": (
        MINIMAL + '[[source]]\ntype = "seeds"\nname = "s"\nurls = ["http://a/"]\ndepth = -1\n',
        ["[[source]] 's'", "depth = -1"],
    ),
}


@pytest.mark.parametrize(("text", "words"), MISTAKES.values(), ids=MISTAKES)
def test_complaint_names_file_place_value_and_what_was_expected(text, words):
    message = complaint(text, "/data/news/corpus.toml")

    assert message.startswith("/data/news/corpus.toml: ")
    assert [word for word in words if word not in message] == []
    assert message.endswith((".", "?"))


@pytest.mark.parametrize("mistake", ["text for a number", "negative delay", "no name"])
def test_complaint_is_one_line_without_pydantics_own_words(mistake):
    message = complaint(MISTAKES[mistake][0])

    assert "\n" not in message
    assert "pydantic" not in message


def test_file_is_read_as_utf8(tmp_path):
    path = tmp_path / "corpus.toml"
    path.write_text(CORPUS + 'title = "Ízwi – ẞ"\n' + GATHER, encoding="utf-8")

    assert load(path).corpus.title == "Ízwi – ẞ"


def test_missing_file_says_how_to_make_one(tmp_path):
    with pytest.raises(ConfigError, match=r"There is no corpus\.toml in .*izwi init"):
        load(tmp_path / "corpus.toml")


def test_file_in_another_charset_says_where_and_what_to_do(tmp_path):
    path = tmp_path / "corpus.toml"
    path.write_bytes('[corpus]\ntitle = "é"\n'.encode("cp1252"))

    with pytest.raises(ConfigError) as caught:
        load(path)

    assert str(path) in str(caught.value)
    assert "not UTF-8 (byte 18). Save it as UTF-8." in str(caught.value)


def test_folder_in_the_place_of_the_file_is_an_error_of_the_configuration(tmp_path):
    (tmp_path / "corpus.toml").mkdir()

    with pytest.raises(ConfigError, match="cannot be read"):
        load(tmp_path / "corpus.toml")


def test_the_lexicon_of_a_language_is_read_with_the_file(tmp_path):
    (tmp_path / "words.tsv").write_text("maas\tNOUN\tmaas\n", encoding="utf-8")
    path = tmp_path / "corpus.toml"
    path.write_text(MINIMAL + '[annotate.en]\nlexicon = "words.tsv"\n', encoding="utf-8")

    config = load(path)

    assert config.annotate.languages["eng"].lexicon_lines == ("maas\tNOUN\tmaas",)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        pytest.param('[annotate.en]\nlexicon = "none.tsv"\n', "none.tsv", id="no-such-file"),
        pytest.param('[annotate.en]\nlexikon = "a"\n', "did you mean 'lexicon'", id="typing-error"),
        pytest.param(
            '[annotate.en]\nmethod = "izwy"\n', "Did you mean 'izwi'", id="no-such-method"
        ),
    ],
)
def test_a_wrong_table_of_a_language_is_named(table, words):
    with pytest.raises(ConfigError, match=words) as raised:
        parse(MINIMAL + table)

    assert "[annotate.en]" in str(raised.value)
