from dataclasses import replace
from datetime import UTC, datetime

import pytest

from izwi.annotate.base import Annotate, AnnotateConfig, LanguageChoice, known_tokens
from izwi.annotate.tokens import Tokeniser
from izwi.config.load import parse
from izwi.model.document import Document, LanguageGuess, Paragraph, dropped
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

    tokens = Tokeniser()(["Robots are out.", "A taxi stopped."])
    assert found == replace(DOCUMENT, annotation=replace(tokens, language="und"))


def test_texts_annotated_before_are_not_annotated_again():
    before = Tokeniser()(["Kept from before"])
    gone = replace(DOCUMENT, paragraphs=(Paragraph("Another text."),))
    earlier = [replace(gone, annotation=before), replace(DOCUMENT, annotation=before)]

    again, same, new = Annotate(AnnotateConfig(), earlier)(iter([DOCUMENT] * 3))

    assert same.annotation is before
    assert again.annotation == new.annotation != before


def test_what_was_annotated_before_is_read_one_document_at_a_time():
    read = []
    earlier = (read.append(number) or DOCUMENT for number in range(3))
    found = Annotate(AnnotateConfig(), earlier)(iter([DOCUMENT] * 3))

    next(found)

    assert read == [0]


def test_a_text_in_another_language_is_another_text():
    before = replace(DOCUMENT, annotation=Tokeniser()(["Kept from before"]))
    other = replace(DOCUMENT, language=LanguageGuess("afr", 1.0))

    assert known_tokens(before, DOCUMENT) is before.annotation
    assert known_tokens(before, other) is None


def test_each_language_has_its_own_annotator_and_lexicon():
    choice = LanguageChoice(lexicon=("robots\tPROPN\tRobots",))
    config = AnnotateConfig(languages={"eng": choice}, columns=("lemmas", "upos"))
    english = replace(DOCUMENT, language=LanguageGuess("eng", 1.0))

    first, second = Annotate(config)(iter([english, DOCUMENT]))

    assert (first.annotation.upos[0], first.annotation.lemmas[0]) == ("PROPN", "Robots")
    assert (second.annotation.upos[0], second.annotation.lemmas[0]) == ("", "robots")


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
    with pytest.raises(PluginError, match="There is no annotator 'nosuch'"):
        Annotate(AnnotateConfig("nosuch"))


def test_a_tagger_of_the_corpus_folder_counts_by_its_content(tmp_path):
    (tmp_path / "mine.npz").write_bytes(b"first")
    text = (
        '[corpus]\nname = "x"\nlanguages = ["en"]\n[gather]\ncontact = "https://example.org/"\n'
        '[annotate.en]\nmodel = "mine.npz"\n'
    )

    first = parse(text, str(tmp_path / "corpus.toml")).annotate.languages["eng"]
    (tmp_path / "mine.npz").write_bytes(b"second")
    second = parse(text, str(tmp_path / "corpus.toml")).annotate.languages["eng"]

    assert first.model == str(tmp_path / "mine.npz")
    assert first.digests["model"] != second.digests["model"]
