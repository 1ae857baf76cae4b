import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.analyse import keywords
from izwi.analyse.keywords import KeyFrequencies

COUNTS = st.integers(0, 10_000)


def frequencies(focus, reference, focus_tokens, reference_tokens):
    return KeyFrequencies(
        np.array([float(focus)]), np.array([float(reference)]), focus_tokens, reference_tokens
    )


@given(COUNTS, COUNTS, st.integers(10_000, 10**8), st.integers(10_000, 10**8))
def test_measures_are_what_their_definitions_say(a, b, c, d):
    found = frequencies(a, b, c, d)
    here, there = 1e6 * a / c, 1e6 * b / d
    expected = [c * (a + b) / (c + d), d * (a + b) / (c + d)]
    likelihood = 2 * sum(o * math.log(o / e) for o, e in zip((a, b), expected, strict=True) if o)

    assert keywords.simple(found, 10.0)[0] == pytest.approx((here + 10) / (there + 10))
    ratio = math.log2((max(a, 0.5) / c) / (max(b, 0.5) / d))
    assert keywords.logratio(found)[0] == pytest.approx(ratio, abs=1e-9)
    assert abs(keywords.ll(found)[0]) == pytest.approx(max(likelihood, 0), abs=1e-6)
    if b:
        assert keywords.percent_difference(found)[0] == pytest.approx(100 * (here - there) / there)
    else:
        assert keywords.percent_difference(found)[0] == math.inf


def test_log_likelihood_tells_more_from_less():
    assert keywords.ll(frequencies(50, 10, 10_000, 10_000))[0] > 0
    assert keywords.ll(frequencies(10, 50, 10_000, 10_000))[0] < 0


def test_a_known_difference():
    # 100 against 50 in texts of equal size: LL = 2 (100 ln 4/3 + 50 ln 2/3).
    assert keywords.ll(frequencies(100, 50, 10**6, 10**6))[0] == pytest.approx(16.99, abs=0.01)
    assert keywords.logratio(frequencies(100, 50, 10**6, 10**6))[0] == 1
    assert keywords.percent_difference(frequencies(100, 50, 10**6, 10**6))[0] == 100


@pytest.mark.parametrize("sizes", [(0, 0), (0, 100), (100, 0)])
def test_texts_without_tokens_divide_by_nothing(sizes):
    found = frequencies(0, 0, *sizes)

    for measure in ("simple", "logratio", "ll"):
        assert np.isfinite(keywords.keyness_scores(found, measure, 1.0)).all()
