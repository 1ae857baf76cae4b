"""Roots are found alike by the compiled kernel and the interpreted one."""

import numpy as np

import izwi.kernels.roots
from izwi.annotate.conventions import text_hash
from izwi.annotate.roots import root_list
from izwi.kernels.features_of_words import BEFORE, FACTS
from tests.kernels.interpreted import interpreted

WORDS = ("bayathengisa", "zindlela", "a", "", "dlelathengdlela", "umuntu")


def test_the_interpreted_kernel_finds_the_same_roots():
    found = root_list(map(text_hash, ("theng", "dlela", "isa", "umuntu")), (1, 2, 3, 4))
    codes = np.array([ord(sign) for sign in "".join(WORDS)], np.int64)
    offsets = np.cumsum([0, *map(len, WORDS)])
    compiled, again = (np.zeros((len(WORDS) + 4, FACTS), np.int64) for _ in range(2))

    izwi.kernels.roots.find_roots(codes, offsets, found.slots, found.kinds, compiled)
    # As objects they are numbers of Python, which do not overflow.
    given = [each.astype(object) for each in (codes, offsets, found.slots, found.kinds)]
    interpreted("roots").find_roots(*given, again)

    assert compiled.tolist() == again.tolist()
    assert [bool(value) for value in compiled[2:-2, BEFORE]] == [
        True,
        True,
        False,
        False,
        True,
        True,
    ]
