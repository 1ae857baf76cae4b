"""What is known of languages, and what becomes of corpora in others."""

import pytest
from typer.testing import CliRunner

from izwi.cases.language_tools import identify
from izwi.cases.languages import known_languages, stop_lists
from izwi.cli.main import app
from izwi.cli.render import mostly_foreign, show_report
from izwi.model.errors import ConfigError
from izwi.model.results import FunnelStep, ReasonCount, RunReport
from izwi.service.setup import create
from izwi.text.language.new_language import stop_words


def test_languages_asked_for_are_shown_line_by_line():
    lines = CliRunner().invoke(app, ["languages", "zul", "qaa"]).output.splitlines()

    assert lines[0] == "zul"
    assert "  connected text: yes" in lines
    assert lines[-1].startswith("qaa: not known.")


def test_the_list_of_all_languages_fits_a_window(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")

    lines = CliRunner().invoke(app, ["languages"]).output.splitlines()

    # Ten columns were so narrow that words were cut: "languag", "connect".
    assert lines[0].split() == ["language", "identified", "taken", "for", "also", "known"]
    rows = {line.split()[0]: line for line in lines if line[:1].isalpha()}
    assert "connected text" in rows["zul"]
    # What was not measured leaves its place: one sees which lengths the others are of.
    assert all(line.count(" / ") == 2 for line in rows.values() if " %" in line[:30])


def test_languages_are_listed_with_what_can_be_done():
    known = {each.code: each for each in known_languages()}

    assert sum(each.identified for each in known.values()) > 250
    assert known["eng"].tags == "tagger"
    assert known["zul"].connected
    assert known["swe"].lemmas == "word list"
    assert known["eng"].figures["tags"] > 0.9
    assert known["hun"].figures["identified, 6-15 words"] > 0.9
    assert known["deu"].ordinals
    assert not known["eng"].ordinals
    assert 0.2 < known["afr"].figures["running text stopped"] < 0.7
    assert known["afr"].stop_words == 60
    assert known["eng"].figures["features"] > 0.9


def test_close_languages_are_named_with_how_often_they_are_mistaken():
    known = {each.code: each for each in known_languages()}

    assert {"hrv", "srp"} >= {*known["bos"].close_to} > set()
    assert {"bos", "srp"} >= {*known["hrv"].close_to}
    assert not known["hun"].close_to


def test_stop_lists_of_two_languages_are_one():
    words = stop_lists(["afr", "eng"])

    assert {"die", "the"} <= {*words}
    assert len(words) == len({*words})


def test_a_stop_list_that_other_texts_do_not_bear_out_is_not_offered():
    assert stop_words("kaa")
    assert stop_lists(["kaa"]) == ()


def test_a_language_that_cannot_be_told_is_refused_with_what_to_do(tmp_path):
    with pytest.raises(ConfigError, match="izwi language make xqz"):
        create(tmp_path / "corpus", contact="a@example.org", languages=("xqz",))

    assert not (tmp_path / "corpus" / "corpus.toml").exists()


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("Jó napot kívánok, hogy van ma reggel?", "hun"),
        ("God morgon, hur mår du idag min vän?", "swe"),
        ("Dobrý den, jak se dnes máte?", "ces"),
        ("Καλημέρα σας, τι κάνετε σήμερα;", "ell"),
        ("Conas atá tú inniu, a chara?", "gle"),
        ("今天天气很好，我们去公园散步吧。", "zho"),
        ("今日はとても良い天気ですね。", "jpn"),
        ("Ngiyabonga kakhulu, sizobonana kusasa ekuseni.", "zul"),
    ],
)
def test_languages_of_the_world_are_told(text, code):
    assert identify(text)[0].code == code


def test_a_build_that_drops_most_as_another_language_says_so_last(capsys):
    losses = (ReasonCount("dropped", "language", "other-language", 5),)
    step = FunnelStep("language", 2, None, losses)

    show_report(RunReport("r", "build", "", 1.5, 0, funnel=(step,)))

    assert (
        "5 of 7 documents were dropped as another language than [corpus] languages"
        in (capsys.readouterr().out.splitlines()[-1])
    )
    assert not mostly_foreign([FunnelStep("language", 9, None, losses)])
