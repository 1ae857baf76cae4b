from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.dedup.signatures import Sign, SignConfig, exact_signature, normalised
from izwi.model.document import Document, Paragraph, dropped

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
PLAIN = "The robots aren't working in Sète, said Zoë."


def document(text, **fields):
    blocks = tuple(Paragraph(line) for line in text.split("\n"))
    return Document("d", "https://a.example/", WHEN, "s", paragraphs=blocks, **fields)


@pytest.mark.parametrize(
    "variant",
    [
        pytest.param(PLAIN.upper(), id="case"),
        pytest.param("The robots arent working in Sète said Zoë", id="punctuation"),
        pytest.param("“The robots aren’t working in Sète,” said Zoë…", id="quotes"),
        pytest.param("The  robots\u00a0aren't\nworking\tin Sète, said Zoë.", id="spacing"),
        pytest.param("The robots aren't working in Se\u0300te, said Zoe\u0308.", id="nfd"),
        pytest.param("Ｔｈｅ ｒｏｂｏｔｓ aren't working in Sète, said Zoë.", id="full-width"),
        pytest.param("_The_ robots aren't *working* in Sète, said Zoë.", id="underscores"),
        pytest.param("The ro\u00adbots aren't working in Sète, said Zoë.", id="soft-hyphen"),
    ],
)
def test_case_punctuation_and_form_do_not_change_a_signature(variant):
    assert exact_signature(variant) == exact_signature(PLAIN)


def test_case_is_folded_in_every_language():
    assert exact_signature("Die Straße") == exact_signature("DIE STRASSE")


@pytest.mark.parametrize(
    "other",
    [
        pytest.param("The robots aren't working in Sete, said Zoë.", id="accent"),
        pytest.param("The robot aren't working in Sète, said Zoë.", id="letter"),
        pytest.param("The robots aren't working in Sète, said Zoë 2.", id="digit"),
        pytest.param("The robots working aren't in Sète, said Zoë.", id="order"),
    ],
)
def test_letters_and_digits_change_a_signature(other):
    assert exact_signature(other) != exact_signature(PLAIN)


@pytest.mark.parametrize("text", ["", " \n", "...", "—_—", "😀"], ids=ascii)
def test_a_text_without_letters_has_no_signature(text):
    assert exact_signature(text) is None


def test_a_signature_is_the_same_in_every_version():
    # Owners' runs on disk hold these numbers.
    assert exact_signature("The robots are out!") == 6821921866530347287


@given(st.text(alphabet=st.characters(), max_size=60))
def test_a_signature_is_a_64_bit_number_or_none(text):
    signature = exact_signature(text)

    assert (signature is None) == (normalised(text) == "")
    assert signature is None or 0 <= signature < 1 << 64


@given(st.lists(st.sampled_from(["robot", "Taxi", "ROBOT", "taxi", "now-now"]), max_size=4))
def test_texts_have_one_signature_if_and_only_if_their_letters_are_the_same(words):
    text = " ".join(words)
    other = ", ".join(word.swapcase() for word in words)

    assert exact_signature(text) == exact_signature(other)
    assert exact_signature(text) != exact_signature(other + " and more")


def test_the_stage_signs_documents_with_text():
    (signed,) = Sign(SignConfig())(iter([document("The robots\nare out.")]))

    assert signed.signature == exact_signature("The robots are out")


@pytest.mark.parametrize(
    "given_document",
    [
        pytest.param(document(""), id="no-text"),
        pytest.param(document("..."), id="no-letters"),
        pytest.param(document("robots", verdict=dropped("extract", "http-status")), id="dropped"),
    ],
)
def test_the_stage_leaves_the_others_unsigned(given_document):
    assert list(Sign(SignConfig())(iter([given_document]))) == [given_document]
