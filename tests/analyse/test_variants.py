import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.analyse.word_forms import (
    Neighbours,
    difference,
    grouped,
    is_one_letter_away,
    spelling_key,
    words_and_forms,
)


def edits(word, letters="abc"):
    """Yield every word one letter from another: left out, added, changed, swapped."""
    for place in range(len(word) + 1):
        for letter in letters:
            yield word[:place] + letter + word[place:]
            yield word[:place] + letter + word[place + 1 :]
        yield word[:place] + word[place + 1 :]
        if place + 1 < len(word):
            yield word[:place] + word[place + 1] + word[place] + word[place + 2 :]


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        ("load-shedding", "loadshedding", "hyphen or apostrophe"),
        ("Braai", "braai", "capitals"),
        ("café", "cafe", "diacritics"),
        ("lekker", "lekkers", "one letter"),
        ("bakkie", "bakkei", "one letter"),
        ("bakkie", "bakkie", ""),
        ("cat", "cats", ""),
        ("bakkie", "boerewors", ""),
    ],
)
def test_differences_of_spelling_are_named(one, other, reason):
    assert difference(one, other) == reason
    assert difference(other, one) == reason


@given(st.text("abc", min_size=5, max_size=9), st.text("abc", min_size=5, max_size=9))
def test_one_letter_away_is_what_one_edit_gives(one, other):
    is_long = max(len(one), len(other)) >= 6

    expected = one != other and is_long and other in set(edits(one))

    assert is_one_letter_away(one, other) == expected


@given(st.dictionaries(st.text("abé-", min_size=4, max_size=8), st.integers(1, 50), max_size=12))
def test_every_word_is_in_one_group_under_a_commoner_one(hits):
    groups = grouped(hits)

    members = [word for head, own in groups.items() for word in (head, *(v.word for v in own))]
    assert sorted(members) == sorted(hits)
    for head, own in groups.items():
        for variant in own:
            assert variant.hits == hits[variant.word] <= hits[head]
            assert variant.reason == difference(head, variant.word) != ""


@given(st.text("ab", min_size=6, max_size=9), st.text("ab", min_size=6, max_size=9))
def test_neighbours_are_found_wherever_the_letter_is(word, other):
    found = Neighbours({word: 3}).nearest(other)

    is_near = word != other and (
        spelling_key(word) == spelling_key(other) or is_one_letter_away(word, other)
    )
    assert (found is not None) == is_near


def test_forms_of_a_lemma_stand_together_with_its_spellings():
    hits = {"lockdown": 3, "lockdowns": 1, "lock-down": 2, "lock-downs": 1, "zoomed": 2}
    lemmas = {word: word.removesuffix("s") for word in hits}

    groups = words_and_forms(hits, lemmas)

    assert {word: [(v.word, v.reason) for v in own] for word, own in groups.items()} == {
        "lockdown": [
            ("lockdowns", "form of the same lemma"),
            ("lock-down", "hyphen or apostrophe"),
            ("lock-downs", "form of the same lemma"),
        ],
        "zoomed": [],
    }
