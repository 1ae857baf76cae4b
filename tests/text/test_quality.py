"""Rules of quality give their value and their threshold."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.text.quality import Rules, broken_rule, measure_quality

PLAIN = "The bus was late again this morning, so the children had to walk to school."


@pytest.mark.parametrize(
    ("text", "rules", "reason"),
    [
        (PLAIN, Rules(maximum_words=5), "too-long"),
        ("Buy now! " * 20, Rules(), "repetitive"),
        ("12 34 56 78 90 a", Rules(), "few-letters"),
        ("nice ★★★★★ shop ★★★★★", Rules(minimum_letters=0.0), "many-symbols"),
        (PLAIN.upper(), Rules(), "many-capitals"),
        ("a b c d e f", Rules(), "short-words"),
        ("abcdefghijklmnopqrstuvwxyz " * 2, Rules(), "long-words"),
    ],
)
def test_a_broken_rule_is_named_with_value_and_threshold(text, rules, reason):
    verdict = broken_rule(text, rules)

    assert verdict.reason == reason
    assert verdict.value is not None
    assert verdict.threshold is not None


def test_plain_text_breaks_no_rule():
    assert broken_rule(PLAIN, Rules()) is None


@given(st.text(max_size=100))
def test_shares_lie_between_nothing_and_all(text):
    found = measure_quality(text)

    for share in (found.repetition, found.letters, found.symbols, found.capitals):
        assert 0 <= share <= 1
