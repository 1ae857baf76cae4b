from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.export.characters import mask, mask_document
from tests.export.documents import annotated, document


@pytest.mark.parametrize(
    ("text", "masked", "kind"),
    [
        ("Ask jan.venter@dorp.example.", "Ask xxx.xxxxxx@xxxx.xxxxxxx.", "email"),
        ("Call 051 555 0142 now", "Call 000 000 0000 now", "phone"),
        ("Call +27 (0)51 555-0142", "Call +00 (0)00 000-0000", "phone"),
        ("says @jan_v today", "says @xxx_x today", "user"),
    ],
)
def test_what_points_to_a_person_is_masked(text, masked, kind):
    counts = Counter()

    assert mask(text, counts) == masked
    assert counts == {kind: 1}


@pytest.mark.parametrize(
    "text",
    [
        "In 2010-03-11 and 1999–2014 it rained 1 000 000 000 drops.",
        "The score was 0-0, then 3-1; the book is ISBN 978-0-00-000000-2.",
        "a @ b, 12@, @ 5 rand each",
        "R10 500.00 at 07:30 on 01/02/2010",
    ],
)
def test_sums_dates_and_scores_are_left_alone(text):
    assert mask(text, Counter()) == text


@given(st.text())
def test_a_mask_is_as_long_as_what_it_hides_and_hides_nothing_twice(text):
    once = mask(text, Counter())

    assert len(once) == len(text)
    assert mask(once, Counter()) == once


def test_tokens_and_lemmas_are_masked_with_the_text():
    texts = ("Write to jan@dorp.example soon.",)
    lemmas = ("write", "to", "jan", "@", "dorp", ".", "example", "soon", ".")
    found = replace(document(*texts), annotation=annotated(texts, lemmas=lemmas))
    counts = Counter()

    masked = mask_document(found, counts)

    assert masked.text == "Write to xxx@xxxx.xxxxxxx soon."
    assert masked.annotation.words[2:7] == ("xxx", "@", "xxxx", ".", "xxxxxxx")
    assert masked.annotation.lemmas == (
        "write",
        "to",
        "xxx",
        "@",
        "xxxx",
        ".",
        "xxxxxxx",
        "soon",
        ".",
    )
    assert counts == {"email": 1}
