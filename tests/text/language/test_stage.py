import re
from datetime import UTC, datetime

import pycld2
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.model.document import Document, Paragraph, dropped
from izwi.model.errors import PluginError
from izwi.model.languages import iso639_3
from izwi.text.language import UNKNOWN, Language, LanguageConfig
from izwi.text.language.cld2 import Pycld2
from izwi.text.language.ngrams import Izwi

ENGLISH = "The taxi stopped at the robot, but the driver did not see that the light was green."
AFRIKAANS = (
    "Die kinders loop elke oggend skool toe, want die bus kom nooit betyds by hulle aan nie."
)
ISIZULU = "Abantwana baya esikoleni nsuku zonke ekuseni ngoba bafuna ukufunda ukubhala nokubala."


def document(text, **fields):
    when = datetime(2020, 1, 1, tzinfo=UTC)
    return Document("d", "https://a.example/", when, "s", paragraphs=(Paragraph(text),), **fields)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        pytest.param(ENGLISH, "eng", id="english"),
        pytest.param(AFRIKAANS, "afr", id="afrikaans"),
        pytest.param(ISIZULU, "zul", id="isizulu"),
        pytest.param(ENGLISH.upper(), "eng", id="capitals"),
        pytest.param("\x00" + ENGLISH.replace(" ", "\x1f"), "eng", id="control-characters"),
        pytest.param("\ud800" + ENGLISH + "\udfff", "eng", id="unpaired-surrogates"),
    ],
)
def test_a_sentence_is_told_by_its_language(text, code):
    guess = Pycld2()(text)

    assert guess.code == code
    assert guess.score > 0.9


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("a", id="one-letter"),
        pytest.param(" \n\t ", id="spaces"),
        pytest.param("😀 👍🏽 😀", id="emoji"),
        pytest.param("https://example.org/2020/03/01/index.html", id="url"),
        pytest.param("12 345,67", id="numbers"),
        pytest.param("\x00\x01\x02\x7f\x9f", id="control-characters"),
        pytest.param("\ud800\udc00\udfff", id="surrogates"),
        pytest.param("\ufdd0\uffff\U0010ffff", id="non-characters"),
        pytest.param(bytes(range(256)).decode("latin-1"), id="binary"),
        pytest.param("ᚠᚢᚦᚨᚱᚲ ᚷᚹᚺᚾᛁᛃ ᛇᛈᛉᛊᛏᛒ " * 5, id="script-without-a-language"),
    ],
)
def test_what_has_no_language_is_und(text):
    assert Pycld2()(text) == UNKNOWN


def test_two_languages_share_the_score():
    guess = Pycld2()(f"{AFRIKAANS} {AFRIKAANS} {ENGLISH}")

    assert guess.code == "afr"
    assert 0.5 < guess.score < 0.8


def test_a_guess_the_detector_does_not_trust_is_und():
    mixed = (
        "The bus der Hund ein Die that skool bafuna nooit ngoba hulle betyds zonke est chien dans "
        "esikoleni green. but oggend le the ukubhala want"
    )

    assert Pycld2()(mixed) == UNKNOWN


def test_only_the_beginning_of_a_long_text_is_read():
    assert Pycld2()(ENGLISH * 500 + AFRIKAANS * 5000).code == "eng"


@given(st.text(alphabet=st.characters(), max_size=200))
def test_any_text_gets_a_code_and_a_score(text):
    guess = Pycld2()(text)

    assert re.fullmatch("[a-z]{2,3}", guess.code)
    assert 0 <= guess.score <= 1
    assert (guess.code == "und") == (guess == UNKNOWN)


def test_every_language_the_adapter_names_has_an_iso_639_3_code():
    codes = {code for _, code in pycld2.LANGUAGES if not code.startswith("xx-")}

    assert [code for code in sorted(codes) if not re.fullmatch("[a-z]{3}", iso639_3(code))] == []


def test_the_stage_writes_the_language_of_documents_with_text():
    stage = Language(LanguageConfig())

    english, zulu = stage(iter([document(ENGLISH), document(ISIZULU)]))

    assert (english.language.code, zulu.language.code) == ("eng", "zul")


@pytest.mark.parametrize(
    "given_document",
    [
        pytest.param(document(""), id="no-text"),
        pytest.param(document(ENGLISH, verdict=dropped("extract", "empty")), id="dropped"),
    ],
)
def test_the_stage_leaves_the_others_as_they_are(given_document):
    assert list(Language(LanguageConfig())(iter([given_document]))) == [given_document]


def test_only_main_text_is_read():
    blocks = (Paragraph(AFRIKAANS), Paragraph(ENGLISH * 20, is_main=False))
    when = datetime(2020, 1, 1, tzinfo=UTC)
    mixed = Document("d", "https://a.example/", when, "s", paragraphs=blocks)

    (found,) = Language(LanguageConfig())(iter([mixed]))

    assert found.language == Izwi()(AFRIKAANS)


def test_an_unknown_method_is_refused():
    with pytest.raises(PluginError, match="Did you mean 'pycld2'"):
        Language(LanguageConfig("pycld3"))
