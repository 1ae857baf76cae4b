import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.analyse import collocations
from izwi.analyse.collocations import BY_NAME, Pairs


@st.composite
def tables(draw):
    """Draw observed, collocate, node, window and corpus size that fit each other."""
    tokens = draw(st.integers(50, 10_000_000))
    node = draw(st.integers(1, max(1, tokens // 20)))
    window = draw(st.integers(node, min(tokens - 1, 10 * node)))
    collocate = draw(st.integers(1, tokens - window))
    observed = draw(st.integers(1, min(window, collocate)))
    return observed, collocate, node, window, tokens


def pairs_of(observed, collocate, node, window, tokens):
    return Pairs(np.array([float(observed)]), np.array([float(collocate)]), node, tokens, window)


def directly(name, o, c, n, w, size):
    """Compute a measure from its definition, cell by cell, with plain numbers."""
    expected = w * c / size
    cells = [[o, w - o], [c - o, size - w - c + o]]
    rows, columns = (w, size - w), (c, size - c)
    by_chance = [[rows[i] * columns[j] / size for j in range(2)] for i in range(2)]
    every = [(cells[i][j], by_chance[i][j]) for i in range(2) for j in range(2)]
    return {
        "mi": math.log2(o * size / (n * c)),
        "mi3": math.log2(o**3 * size / (n * c)),
        "t": (o - expected) / math.sqrt(o),
        "z": (o - expected) / math.sqrt(expected),
        "ll": 2 * sum(a * math.log(a / b) for a, b in every if a > 0),
        "chi2": sum((a - b) ** 2 / b for a, b in every),
        "dice": 2 * o / (n + c),
        "logdice": 14 + math.log2(2 * o / (n + c)),
        "minsens": min(o / n, o / c),
        "deltap": o / w - (c - o) / (size - w),
        "deltap_back": o / c - (w - o) / (size - c),
    }[name]


@pytest.mark.parametrize("name", BY_NAME)
@given(table=tables())
def test_measures_are_what_their_definitions_say(name, table):
    found = float(BY_NAME[name](pairs_of(*table))[0])

    assert found == pytest.approx(directly(name, *table), rel=1e-6, abs=1e-4)


# Examples of Manning and Schütze (1999), chapter 5: bigrams, so a window is one place a node.
N = 14_307_668


def test_t_and_chi_square_of_new_companies():
    pairs = pairs_of(8, 4675, 15828, 15828, N)

    assert float(collocations.t(pairs)[0]) == pytest.approx(0.999932, abs=2e-4)
    assert float(collocations.chi2(pairs)[0]) == pytest.approx(1.55, abs=0.01)


def test_mutual_information_of_ayatollah_ruhollah():
    pairs = pairs_of(20, 20, 42, 42, N)

    assert float(collocations.mi(pairs)[0]) == pytest.approx(18.38, abs=0.01)


def test_log_likelihood_of_most_powerful():
    pairs = pairs_of(150, 932, 12593, 12593, N)

    assert float(collocations.ll(pairs)[0]) == pytest.approx(1291.42, rel=1e-3)


def test_words_that_only_occur_together_have_the_highest_log_dice():
    assert float(collocations.logdice(pairs_of(7, 7, 7, 7, 1000))[0]) == 14


def test_windows_that_overlap_give_no_negative_cells():
    # "a a a": each occurrence is in the windows of the others, more often than it occurs.
    pairs = pairs_of(6, 3, 3, 6, 10)

    assert all(np.isfinite(measure(pairs)).all() for measure in BY_NAME.values())
