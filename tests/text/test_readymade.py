from dataclasses import replace

import pytest
from hypothesis import given

from izwi.annotate.base import Annotate, AnnotateConfig
from izwi.export.characters import writable_document
from izwi.model.capture import CaptureEntry, Page
from izwi.model.document import (
    READY_MADE,
    BlockCopy,
    Claim,
    CopyOf,
    LanguageGuess,
    Mark,
    Paragraph,
)
from izwi.text.extract.base import Extract, ExtractConfig
from izwi.text.language.base import LanguageConfig
from izwi.text.language.parts import Parts
from izwi.text.other_documents import ready_made_body
from izwi.text.verdicts import Select, SelectConfig, Sift, SiftConfig
from tests.export.documents import DATED, document, hard_documents


def page(found, body):
    entry = CaptureEntry(
        found.url, found.captured, 200, READY_MADE, "", "page", found.source, 0, len(body)
    )
    return Page(entry, body)


def extracted(found):
    (read,) = Extract(ExtractConfig())(iter([page(found, ready_made_body(found))]))
    return read


def test_a_document_made_elsewhere_is_as_it_was():
    marks = (Mark(0, 2, "a", "https://news.example/"),)
    sent = document("It rains.", " ", date=DATED, modified=DATED, keywords=("rain",))
    claims = (Claim("identifier", "7", "import"),)
    sent = replace(
        sent,
        media_type=READY_MADE,
        metadata=replace(sent.metadata, claims=claims),
        paragraphs=(Paragraph("It rains.", "h", marks=marks), Paragraph(" ")),
        language=None,
        given=sent.annotation,
        annotation=None,
    )

    found = extracted(sent)

    assert found == sent
    assert found.metadata.claims == claims


@given(hard=hard_documents())
def test_any_document_that_can_be_written_is_as_it_was(hard):
    sent = replace(writable_document(hard)[0], media_type=READY_MADE, language=None)
    sent = replace(sent, given=sent.annotation, annotation=None)

    assert extracted(sent) == sent


def test_a_damaged_body_fails_alone():
    (found,) = Extract(ExtractConfig())(iter([page(document(), b"{}")]))

    assert (found.verdict.outcome, found.verdict.reason) == ("failed", "extractor-error")


def identify(text):
    return LanguageGuess("nld", 0.9)


def test_its_language_is_what_it_says_and_nothing_is_cut():
    config = LanguageConfig(keep="paragraphs", languages=("en",))
    made = replace(document(language="af"), media_type=READY_MADE)

    found = Parts(config, identify)(made)

    assert (found.language, found.text) == (LanguageGuess("afr", 1.0), made.text)
    silent = Parts(config, identify)(replace(document(), media_type=READY_MADE))
    assert silent.language == LanguageGuess("nld", 0.9)


@pytest.mark.parametrize("languages", [("de",), ()])
def test_nothing_drops_it(languages):
    made = replace(
        document("Short."),
        media_type=READY_MADE,
        copy_of=CopyOf("other", "exact", 1.0),
        copied=(BlockCopy(0, "other", "ngrams", 1.0),),
    )

    (found,) = Select(SelectConfig())(Sift(SiftConfig(languages))(iter([made])))

    assert found.verdict.is_kept
    assert found.left_out == ()


def test_its_tokens_are_those_it_came_with():
    made = document("It rains.")
    own = replace(made.annotation, lemmas=("it", "rain", "."))

    (found,) = Annotate(AnnotateConfig())(iter([replace(made, annotation=None, given=own)]))

    assert found.annotation == own
