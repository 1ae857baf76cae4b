from dataclasses import replace
from datetime import UTC, datetime

import pytest

from izwi.model.document import (
    KEPT,
    BlockCopy,
    CopyOf,
    Document,
    Paragraph,
    Verdict,
    dropped,
    failed,
)
from izwi.text.verdicts import Select, SelectConfig, decide_among

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
COPY = CopyOf("first", "exact", 1.0)
RESTORED = Verdict("kept", "curator", "restored")


def document(**fields):
    paragraphs = (Paragraph("robot " * 5),)
    return Document("d", "https://a.example/", WHEN, "s", paragraphs=paragraphs, **fields)


@pytest.mark.parametrize(
    ("given_document", "config", "verdict"),
    [
        pytest.param(document(), SelectConfig(), KEPT, id="nothing-against-it"),
        pytest.param(
            document(copy_of=COPY),
            SelectConfig(),
            dropped("dedup", "exact-copy", value=1.0, threshold=1.0, detail="first"),
            id="copy",
        ),
        pytest.param(
            document(copy_of=COPY), SelectConfig(exact=False), KEPT, id="copies-are-wanted"
        ),
        pytest.param(
            document(copy_of=COPY, verdict=dropped("select", "too-short")),
            SelectConfig(),
            dropped("select", "too-short"),
            id="dropped-before",
        ),
        pytest.param(
            document(verdict=failed("extract", "extractor-error", detail="x")),
            SelectConfig(),
            failed("extract", "extractor-error", detail="x"),
            id="failed-before",
        ),
        pytest.param(document(copy_of=COPY, verdict=RESTORED), SelectConfig(), RESTORED),
    ],
)
def test_a_copy_goes_and_all_else_stays_as_it_was_sifted(given_document, config, verdict):
    assert decide_among(given_document, config) == verdict


def test_the_stage_changes_verdicts_and_nothing_else():
    given = [document(), document(copy_of=COPY)]

    judged = list(Select(SelectConfig())(iter(given)))

    assert [replace(each, verdict=KEPT) for each in judged] == given


def test_all_of_a_restored_copy_is_indexed():
    copied = (BlockCopy(0, "first", "exact", 1.0),)

    (found,) = Select(SelectConfig())(
        iter([document(copy_of=COPY, copied=copied, verdict=RESTORED)])
    )

    assert found.left_out == ()
