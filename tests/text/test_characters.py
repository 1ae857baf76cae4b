import importlib
import unicodedata
from pathlib import Path

import numpy as np
import pytest

from izwi.annotate import tokens as of_tokens
from izwi.kernels.feature_columns import COUNTS
from izwi.text import characters as of_blocks


@pytest.mark.parametrize(
    ("room", "make"),
    [(of_blocks, "tables_of_blocks"), (of_tokens, "tables_of_tokens")],
    ids=["text", "annotate"],
)
def test_the_stored_tables_are_those_one_would_make(room, make, monkeypatch):
    monkeypatch.syspath_prepend(str(Path(__file__).parents[2] / "tools"))
    tables = getattr(importlib.import_module("make_characters"), make)()

    for stored, made in zip(room._tables(), tables, strict=True):
        assert stored.dtype == made.dtype
        # Characters that only one of two versions of Unicode knows may differ, and they are rare.
        assert (stored != made).sum() < (1 if unicodedata.unidata_version == "14.0.0" else 2000)
        assert np.array_equal(stored[:0x500], made[:0x500])


def test_small_letters_of_all_scripts_are_looked_up():
    lower = of_blocks.lower_table()

    assert "".join(chr(lower[ord(letter)]) for letter in "AÉЖΣ漢") == "aéжσ漢"


@pytest.mark.parametrize(
    "paragraph",
    [
        "เรือข้ามฟากที่ไปยังเกาะมาสายอีกครั้งเมื่อวันอังคาร และผู้คนที่ยืนรออยู่บนท่าเรือก็เลิกถามถึงสาเหตุไปนานแล้ว",
        "ကျွန်းသို့သွားသော ကူးတို့သင်္ဘောသည် အင်္ဂါနေ့တွင် ထပ်မံနောက်ကျခဲ့သည်။",
        "សាឡាងទៅកោះបានមកយឺតម្ដងទៀតនៅថ្ងៃអង្គារ ហើយមនុស្សនៅលើផែលែងសួរថាហេតុអ្វីយូរមកហើយ។",
        "ወደ ደሴቱ የሚሄደው ጀልባ ማክሰኞ ዕለት እንደገና ዘግይቶ ደረሰ፧",
    ],
    ids=["Thai", "Burmese", "Khmer", "Amharic"],
)
def test_a_sentence_without_spaces_between_its_words_or_a_point_counts_as_one(paragraph):
    counted = dict(zip(COUNTS, of_blocks.count([paragraph])[0].tolist(), strict=True))

    assert counted["words"] >= 8
    assert counted["stops"] >= 1
    assert counted["is_ended"]
