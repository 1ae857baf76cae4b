import unicodedata

import numpy as np
import pytest

from izwi.annotate import tokens as of_tokens
from izwi.text import characters as of_blocks


@pytest.mark.parametrize("room", [of_blocks, of_tokens], ids=["text", "annotate"])
def test_the_stored_tables_are_those_one_would_make(room):
    for stored, made in zip(room._tables(), room.made_tables(), strict=True):
        assert stored.dtype == made.dtype
        # Characters that only one of two versions of Unicode knows may differ, and they are rare.
        assert (stored != made).sum() < (1 if unicodedata.unidata_version == "14.0.0" else 2000)
        assert np.array_equal(stored[:0x500], made[:0x500])


def test_small_letters_of_all_scripts_are_looked_up():
    lower = of_blocks.lower_table()

    assert "".join(chr(lower[ord(letter)]) for letter in "AÉЖΣ漢") == "aéжσ漢"
