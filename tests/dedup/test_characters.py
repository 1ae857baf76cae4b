import unicodedata
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.dedup.batch import (
    ALONE,
    COMBINING,
    EXPANDED,
    LETTER,
    MARK,
    NOTHING,
    SEPARATOR,
    NgramReading,
    character_tables,
    read_batch,
)


@pytest.mark.parametrize(
    ("character", "kind"),
    [
        ("a", LETTER), ("É", EXPANDED), ("7", LETTER), ("ж", LETTER), ("한", EXPANDED),
        ("ｶ", ALONE), ("𞤀", LETTER), ("℃", EXPANDED),
        ("漢", ALONE), ("ก", ALONE), ("か", ALONE), ("\u0301", COMBINING), ("ﬁ", EXPANDED),
        ("\u00ad", NOTHING), ("\u200b", NOTHING), ("’", MARK), ("!", MARK), ("\u00a0", SEPARATOR),
        ("\n", SEPARATOR), ("\x1e", SEPARATOR), ("\x1f", SEPARATOR),
    ],
)  # fmt: skip
def test_each_character_has_its_kind(character, kind):
    assert character_tables().kinds[ord(character)] == kind


def test_capitals_and_wide_letters_are_hashed_like_small_ones():
    folded = character_tables().folded

    assert {folded[ord(letter)] for letter in "Aaａ"} == {ord("a")}
    assert folded[ord("漢")] == ord("漢")


def test_what_a_character_stands_for_stands_for_itself():
    tables = character_tables()
    expanded = np.flatnonzero(tables.kinds == EXPANDED)

    for place in tables.folded[expanded].tolist():
        count = tables.expansions[place]
        parts = tables.expansions[place + 1 : place + 1 + count]
        assert not (tables.kinds[parts] == EXPANDED).any()


def test_the_stored_tables_are_those_one_would_make(monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    from make_characters import tables_of_copies

    stored, made = character_tables(), tables_of_copies()

    # Characters that only one of two versions of Unicode knows may differ, and they are rare.
    assert (stored.kinds != made.kinds).sum() < 2000
    first = slice(0, 0x500)
    assert (stored.kinds[first] == made.kinds[first]).all()
    assert (stored.plain == made.plain).all()


@settings(deadline=None)
@given(st.text(max_size=40))
def test_all_unicode_forms_of_a_text_are_hashed_alike(text):
    forms = [text, *(unicodedata.normalize(form, text) for form in ("NFC", "NFD", "NFKC", "NFKD"))]

    batch = read_batch([[each] for each in forms], NgramReading())

    assert len(set(batch.document_keys.tolist())) == 1


@settings(deadline=None)
@given(st.text(max_size=40))
def test_no_text_has_more_tokens_than_there_is_room_for(text):
    batch = read_batch([[text]], NgramReading(has_marks=True))

    assert 0 <= batch.document_ends[-1] <= len(text.encode("utf-8", "replace")) * 4 // 3 + 2
