"""The score of a variety and its parts."""

from hypothesis import given
from hypothesis import strategies as st

from izwi.text.language.base import VarietyLists, variety_score

LISTS = VarietyLists(
    words=("bakkie", "braai", "robot"),
    spellings=("colour",),
    other_spellings=("color",),
    hosts=(".za",),
)


def test_regional_words_spelling_and_host_each_add_their_part():
    found = variety_score("The bakkie has a nice colour.", LISTS, url="https://a.example.co.za/x")

    assert (found.lexicon, found.spelling, found.host, found.score) == (1.0, 1.0, 1.0, 1.0)
    assert found.found == (("bakkie", 1),)


def test_the_spelling_of_others_takes_away():
    assert variety_score("colour color", LISTS).spelling == 0.5


def test_nothing_known_scores_nothing():
    assert variety_score("The truck is blue.", VarietyLists()).score == 0.0


@given(st.text(max_size=80), st.sampled_from(["a.za", "b.com", ""]))
def test_a_score_lies_between_nothing_and_all(text, host):
    assert 0 <= variety_score(text, LISTS, url=f"http://{host}/").score <= 1
