"""Refrains are said again; what a page shows twice is said once."""

from datetime import UTC, datetime

import pytest

from izwi.model.document import BlockCopy, Document, Paragraph
from izwi.text.refrains import refrains
from izwi.text.verdicts import Select, SelectConfig

WHEN = datetime(2020, 1, 1, tzinfo=UTC)
FIRST = "The boats went out before the light, and nobody asked why."
SECOND = "The nets were dry, the wind was north, the harbour bell was slow."
THIRD = "My brother sang, my father slept, the gulls came down like snow."
REFRAIN = "O bring them home, bring them home, before the night comes down."
LONG = "It was said in the town that the harbour would be closed for the winter. " * 12


def _document(*texts: str, method: str = "repeated", stubs: tuple[int, ...] = ()) -> Document:
    seen: set[str] = set()
    again = [n for n, text in enumerate(texts) if text in seen or seen.add(text)]
    copied = [BlockCopy(n, "", method, 1.0) for n in again]
    copied += [BlockCopy(n, "", "stub", 1.0) for n in stubs]
    copied.sort(key=lambda each: each.paragraph)
    paragraphs = tuple(Paragraph(text) for text in texts)
    return Document(
        "d", "https://a.example/", WHEN, "s", paragraphs=paragraphs, copied=tuple(copied)
    )


@pytest.mark.parametrize(
    ("texts", "stay"),
    [
        ((FIRST, REFRAIN, SECOND, REFRAIN, THIRD, REFRAIN), {3, 5}),
        ((FIRST, REFRAIN, THIRD, SECOND, REFRAIN, THIRD), {4, 5}),
        ((FIRST, REFRAIN, REFRAIN), set()),
        ((FIRST, SECOND, THIRD, FIRST, SECOND, THIRD), set()),
        ((FIRST, "Monday", FIRST, SECOND), set()),
        ((REFRAIN, LONG, REFRAIN), set()),
        ((FIRST, SECOND), set()),
    ],
    ids=[
        "a-refrain",
        "two-paragraphs",
        "at-once",
        "a-text-shown-twice",
        "a-title-again",
        "far-apart",
        "none",
    ],
)
def test_what_comes_again_after_other_words_is_a_refrain(texts, stay):
    assert refrains(_document(*texts)) == stay


def test_a_refrain_of_several_paragraphs_is_one():
    texts = (FIRST, REFRAIN, THIRD, SECOND, SECOND + FIRST, REFRAIN, THIRD)

    assert refrains(_document(*texts)) == {5, 6}


def test_a_line_between_refrains_stays_with_them():
    texts = (FIRST, REFRAIN, SECOND, REFRAIN, "Amen, amen.")

    assert refrains(_document(*texts, stubs=(4,))) == {3, 4}


def test_what_others_own_is_no_refrain():
    assert not refrains(_document(FIRST, REFRAIN, SECOND, REFRAIN, method="ngrams"))


def test_refrains_are_part_of_what_is_searched():
    song = _document(FIRST, REFRAIN, SECOND, REFRAIN, REFRAIN)

    (kept,) = Select(SelectConfig())(iter([song]))

    assert kept.left_out == (4,)
