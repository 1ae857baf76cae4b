"""What a corpus is for is met in it more often: short texts are told so, long ones as ever."""

from datetime import UTC, datetime

import pytest

import izwi
from izwi.config.load import parse
from izwi.model.document import Document, Paragraph
from izwi.pipeline.stages import plan
from izwi.text.language import Language, LanguageConfig
from izwi.text.language.base import expected_of
from izwi.text.language.ngrams import Izwi
from izwi.text.verdicts import SiftConfig, decide_alone

GREETING = "Sawubona mngani wami, unjani namhlanje?"
XHOSA = (
    "Abantwana baya esikolweni yonke imihla kuba bafuna ukufunda ukubhala nokubala, kwaye "
    "ootitshala babo bayavuya xa bebona inkqubela yabo kwizifundo zabo."
)


def told(text, *languages, prior=5.0):
    return Izwi(expected=expected_of(languages, prior))(text)


def document(text):
    when = datetime(2020, 1, 1, tzinfo=UTC)
    return Document("d", "https://a.example/", when, "s", paragraphs=(Paragraph(text),))


def test_a_greeting_is_in_the_language_that_is_expected():
    greeting = "Ngikhathele namhlanje."
    alone, expected = told(greeting), told(greeting, "zul")

    assert alone.code != "zul"
    assert expected.code == "zul"
    assert expected.reason == "expected 5 times as often"


def test_what_is_clearly_another_language_stays_so():
    found = told("The children walk to school every morning", "zul")

    assert found.code == "eng"
    assert found.score > 0.95
    assert "before zul 0.00" in found.reason


@pytest.mark.parametrize("prior", [5.0, 1000.0])
def test_a_paragraph_is_told_alike_whatever_is_expected(prior):
    assert told(XHOSA, "zul", prior=prior) == told(XHOSA)


def test_the_odds_are_multiplied_by_bayes_rule():
    before = {each.code: each.score for each in Izwi().guesses(GREETING)}
    after = {
        each.code: each.score for each in Izwi(expected=expected_of(["zu"], 4.0)).guesses(GREETING)
    }

    odds = before["zul"] / (1 - before["zul"])
    assert after["zul"] / (1 - after["zul"]) == pytest.approx(4 * odds)
    assert sum(after.values()) == pytest.approx(1.0)


def test_commands_and_corpora_say_the_same():
    corpus = Language(LanguageConfig(languages=("zu",)))

    (found,) = corpus(iter([document(GREETING)]))

    assert found.language == izwi.identify(GREETING, expect=["zul"])[0]
    assert found.language == izwi.identify_many([GREETING], expect=["zul"])[0]


def test_a_drop_says_how_near_the_expected_language_was():
    (found,) = Language(LanguageConfig(languages=("ven",)))(iter([document(GREETING)]))

    verdict = decide_alone(found, SiftConfig(("ven",), minimum_words=1))

    assert verdict.reason == "other-language"
    assert verdict.detail.endswith("before ven 0.00, expected 5 times as often")


def test_a_prior_of_one_expects_nothing_and_does_not_depend_on_the_corpus():
    def layer(languages, prior):
        text = (
            f'[corpus]\nname = "n"\nlanguages = {languages}\n[gather]\n'
            f'contact = "https://example.org"\n[language]\nprior = {prior}\n'
        )
        return {each.spec.name: each.fingerprint for each in plan(parse(text, "c.toml"))}[
            "language"
        ]

    assert told(GREETING, "zul", prior=1.0) == told(GREETING)
    assert layer('["zul"]', 1) == layer('["xho"]', 1)
    assert layer('["zul"]', 5) != layer('["xho"]', 5)
    assert layer('["zul"]', 5) != layer('["zul"]', 6)
