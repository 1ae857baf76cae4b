import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.model.languages import iso639_3


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("en", "eng"),
        ("EN", "eng"),
        ("en-ZA", "eng"),
        ("en_US", "eng"),
        (" af ", "afr"),
        ("zul", "zul"),
        ("nso", "nso"),
        ("iw", "heb"),
        ("xx", "xx"),
    ],
)
def test_code_is_kept_in_three_letters_where_there_are_three(written, kept):
    assert iso639_3(written) == kept


@given(st.text(max_size=8))
def test_code_that_is_kept_stays_as_it_is(written):
    kept = iso639_3(written)

    assert iso639_3(kept) in (kept, iso639_3(kept.strip()))
