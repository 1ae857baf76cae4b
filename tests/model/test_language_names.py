"""Languages are asked for by code or by name, wherever one is asked for."""

import pytest
from typer.testing import CliRunner

import izwi
from izwi.cli.main import app
from izwi.config.load import load
from izwi.config.schema import CorpusSection
from izwi.model.errors import ConfigError
from izwi.model.languages import iso639_3, names_like
from izwi.service.setup import create
from izwi.text.language.world import named_languages


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ("isiZulu", "zul"),
        ("Zulu", "zul"),
        ("zu", "zul"),
        ("zu-ZA", "zul"),
        ("ZUL", "zul"),
        ("Northern Sotho", "nso"),
        ("Sesotho sa Leboa", "nso"),
        ("sepedi", "nso"),
        ("Deutsch", "deu"),
        ("français", "fra"),
        ("Српски", "srp"),
        ("Nigerian Pidgin", "pcm"),
        ("Norwegian Bokmål", "nob"),
        ("english", "eng"),
        ("chinese-simplified", "zho"),
        ("nobody-speaks-this", "nobody"),
        ("und", "und"),
    ],
)
def test_a_language_is_understood_by_code_and_by_name(asked, code):
    assert iso639_3(asked) == code


def test_nearly_all_languages_that_are_told_have_a_name():
    lines = (iso639_3(name) for name in ("Swahili", "Kiswahili", "Scots", "Kirundi", "Rundi"))

    assert list(lines) == ["swa", "swa", "sco", "run", "run"]
    assert "similar: isizulu is zul" in names_like("isiZuluu")
    assert len(named_languages()) == 347


def test_a_corpus_made_with_a_name_has_the_code(tmp_path):
    create(tmp_path / "c", contact="https://example.org", languages=("isiZulu", "en"))

    assert load(tmp_path / "c" / "corpus.toml").corpus.languages == ("zul", "en")


def test_a_name_nobody_knows_is_refused_with_those_that_are_near(tmp_path):
    with pytest.raises(ConfigError, match="similar: isizulu is zul"):
        create(tmp_path / "c", contact="https://example.org", languages=("isiZuluu",))


def test_a_name_in_a_corpus_toml_is_refused_with_its_code():
    with pytest.raises(ValueError, match='its code is zul: write "zul"'):
        CorpusSection("news", languages=("isiZulu",))


def test_commands_take_names(tmp_path):
    told = CliRunner().invoke(
        app, ["identify", "Sawubona mngani wami, unjani namhlanje?", "--expect", "isiZulu"]
    )
    made = CliRunner().invoke(app, ["language", "make", "isiZulu", "--text", "none.txt"])

    assert told.output.startswith("zul")
    assert "The code of isiZulu is zul." in str(made.exception)


@pytest.mark.parametrize("name", ["isiZulu", "zulu", "ZULU"])
def test_a_corpus_is_made_for_a_language_by_its_name(tmp_path, name):
    ways = {
        "command": lambda folder: CliRunner().invoke(
            app, ["init", str(folder), "--contact", "a@b.example", "--language", name]
        ),
        "python": lambda folder: izwi.create(folder, contact="a@b.example", languages=(name,)),
    }

    for way, make in ways.items():
        make(tmp_path / way)

    assert {izwi.open(tmp_path / way).config.corpus.languages for way in ways} == {("zul",)}


def test_what_is_no_language_is_refused_with_what_is_near(tmp_path):
    with pytest.raises(ConfigError, match=r"similar: isizulu is zul.*izwi languages"):
        izwi.create(tmp_path / "news", contact="a@b.example", languages=("isiZulo",))
    with pytest.raises(ConfigError, match=r"'isizulo' cannot be expected.*isizulu is zul"):
        izwi.identify("Sawubona", expect=["isiZulo"])
