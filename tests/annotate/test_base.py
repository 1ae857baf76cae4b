from dataclasses import replace
from datetime import UTC, datetime

import pytest

from izwi.annotate.base import Annotate, AnnotateConfig
from izwi.annotate.tokens import Tokeniser
from izwi.model.document import Document, Paragraph, dropped
from izwi.model.errors import PluginError

BLOCKS = (
    Paragraph("Robots are out.", "h"),
    Paragraph("Home | Sport", is_main=False),
    Paragraph("A taxi stopped."),
)
DOCUMENT = Document(
    "d", "https://a.example/", datetime(2020, 1, 1, tzinfo=UTC), "s", paragraphs=BLOCKS
)


def test_the_tokens_of_main_text_are_added():
    (found,) = Annotate(AnnotateConfig())(iter([DOCUMENT]))

    assert found == replace(
        DOCUMENT, annotation=Tokeniser()(["Robots are out.", "A taxi stopped."])
    )


def test_offsets_are_into_the_text_of_the_document():
    (found,) = Annotate(AnnotateConfig())(iter([DOCUMENT]))

    spans = zip(found.annotation.starts, found.annotation.ends, strict=True)
    assert [found.text[a:b] for a, b in spans] == list(found.annotation.words)


def test_documents_that_are_not_kept_are_passed_on_as_they_are():
    other = replace(DOCUMENT, id="e", verdict=dropped("select", "too-short"))

    first, second = Annotate(AnnotateConfig())(iter([other, DOCUMENT]))

    assert first is other
    assert second.annotation is not None


def test_an_unknown_method_is_refused():
    with pytest.raises(PluginError, match="There is no annotator 'spacy'"):
        Annotate(AnnotateConfig("spacy"))
