from datetime import UTC, datetime

import pytest

from izwi.model.document import KEPT, Document, Paragraph, Verdict, dropped, failed


def test_text_is_the_main_paragraphs_one_a_line():
    paragraphs = (
        Paragraph("Home | News", is_main=False),
        Paragraph("First."),
        Paragraph("Second."),
    )

    document = Document("d", "http://a/", datetime.now(UTC), "one", paragraphs=paragraphs)

    assert document.text == "First.\nSecond."


def test_document_without_paragraphs_has_no_text():
    assert Document("d", "http://a/", datetime.now(UTC), "one").text == ""


@pytest.mark.parametrize(
    ("verdict", "is_kept"),
    [(KEPT, True), (dropped("select", "too-short"), False), (failed("extract", "broken"), False)],
    ids=["kept", "dropped", "failed"],
)
def test_only_the_kept_go_on(verdict, is_kept):
    assert verdict.is_kept == is_kept


def test_drop_has_its_measured_value_and_threshold():
    assert dropped("select", "too-short", value=3, threshold=20, detail="words") == Verdict(
        "dropped", "select", "too-short", 3, 20, "words"
    )


def test_failure_says_why():
    assert failed("extract", "broken", detail="x") == Verdict(
        "failed", "extract", "broken", None, None, "x"
    )
