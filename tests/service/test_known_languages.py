"""What is known of languages, and what becomes of corpora in others."""

import pytest

from izwi.cases.languages import identify, known_languages
from izwi.cli.render import mostly_foreign
from izwi.model.errors import ConfigError
from izwi.model.results import FunnelStep, ReasonCount
from izwi.service.setup import create


def test_languages_are_listed_with_what_can_be_done():
    known = {each.code: each for each in known_languages()}

    assert sum(each.identified for each in known.values()) > 250
    assert known["eng"].tags == "tagger"
    assert known["zul"].connected
    assert known["swe"].lemmas == "word list"
    assert known["eng"].figures["tags"] > 0.9
    assert known["hun"].figures["identified, 6-15 words"] > 0.9


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


def test_a_build_that_drops_most_as_another_language_says_so():
    losses = (ReasonCount("dropped", "language", "other-language", 5),)

    assert "5 of 7 documents" in mostly_foreign([FunnelStep("language", 2, None, losses)])
    assert not mostly_foreign([FunnelStep("language", 9, None, losses)])
