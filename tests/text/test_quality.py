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


def test_a_text_with_much_said_once_may_repeat_more():
    said = [
        f"Rule number{n} holds for every visitor of the harbour and its parks" for n in range(12)
    ]
    terms = ". ".join([*said, *said, *said[:6]])
    assert measure_quality(terms).repetition > Rules().maximum_repetition
    assert broken_rule(terms, Rules(minimum_letters=0.0)) is None
    # Less of it, or no end of it, is repetition all the same.
    assert broken_rule(". ".join([*said[:3]] * 3), Rules()).reason == "repetitive"
    assert broken_rule(". ".join(said * 5), Rules()).reason == "repetitive"


GERMAN = "Die Lan\u00addes\u00adre\u00adgie\u00adrung will die Stra\u00adße bau\u00aden. "
BENGALI = "গতকাল সকালে শহরের পুরনো হলঘরে পরিষদের সভা হয়েছিল, আর সবাই নতুন রাস্তা নিয়ে কথা বলেছিল।"
CHINESE = "昨天上午，市议会在老会堂开会，大家都在谈论新的道路和水库的事情，会议一直开到中午。"
THAI = "เมื่อวานนี้ตอนเช้าสภาเมืองประชุมกันที่ห้องประชุมเก่าและพูดถึงถนนสายใหม่กับเรื่องน้ำในเขื่อน"
AMHARIC = "ትናንት ጠዋት የከተማው ምክር ቤት በአሮጌው አዳራሽ ተሰብስቦ ስለ አዲሱ መንገድ ተነጋገረ።"
HINDI = "कल सुबह नगर परिषद की बैठक पुराने सभागार में हुई और सबने नई सड़क के बारे में बात की।"


@pytest.mark.parametrize("text", [GERMAN, BENGALI, CHINESE, THAI, AMHARIC, HINDI])
def test_running_text_of_any_script_breaks_no_rule(text):
    assert broken_rule(text, Rules()) is None


@pytest.mark.parametrize(("text", "least"), [(CHINESE, 20), (THAI, 12), (HINDI, 17)])
def test_words_are_counted_where_there_are_no_spaces(text, least):
    assert least <= measure_quality(text).words <= 30


def test_plain_text_breaks_no_rule():
    assert broken_rule(PLAIN, Rules()) is None


@given(st.text(max_size=100))
def test_shares_lie_between_nothing_and_all(text):
    found = measure_quality(text)

    for share in (found.repetition, found.letters, found.symbols, found.capitals):
        assert 0 <= share <= 1
