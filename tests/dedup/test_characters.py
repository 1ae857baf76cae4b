import unicodedata

import pytest

from izwi.dedup.characters import (
    ALONE,
    COMPOSED,
    LETTER,
    MARK,
    NOTHING,
    SEPARATOR,
    character_tables,
)


@pytest.mark.parametrize(
    ("character", "kind"),
    [
        ("a", LETTER), ("É", LETTER), ("7", LETTER), ("ж", LETTER), ("한", LETTER), ("𞤀", LETTER),
        ("漢", ALONE), ("ก", ALONE), ("か", ALONE), ("\u0301", COMPOSED), ("ﬁ", COMPOSED),
        ("\u00ad", NOTHING), ("\u200b", NOTHING), ("’", MARK), ("!", MARK), ("\u00a0", SEPARATOR),
        ("\n", SEPARATOR), ("\x1e", SEPARATOR), ("\x1f", SEPARATOR),
    ],
)  # fmt: skip
def test_each_character_has_its_kind(character, kind):
    kinds, _ = character_tables()

    assert kinds[ord(character)] == kind


def test_capitals_and_wide_letters_are_hashed_like_small_ones():
    _, folded = character_tables()

    assert {folded[ord(letter)] for letter in "Aaａ"} == {ord("a")}
    assert folded[ord("漢")] == ord("漢")
    assert unicodedata.normalize("NFKC", "ａ") == "a"
