import numpy as np
import pytest

from izwi.analyse.statistics import Sums, poisson_interval, rates


def sums_of(hits, tokens):
    """Return the sums of one cell from the hits and tokens of its documents."""
    hits, tokens = np.asarray(hits, float), np.asarray(tokens, float)
    return Sums(
        np.array([len(hits)]),
        np.array([int(tokens.sum())]),
        np.array([(tokens**2).sum()]),
        np.array([int(hits.sum())]),
        np.array([(hits**2).sum()]),
        np.array([(hits * tokens).sum()]),
        np.array([int((hits > 0).sum())]),
    )


def coverage(draw, rate, *, documents, rounds=400):
    """Return in which share of simulated corpora the interval holds the true rate."""
    random = np.random.default_rng(7)
    inside = 0
    for _ in range(rounds):
        tokens = random.integers(100, 1500, documents)
        found = rates(sums_of(draw(random, tokens), tokens))
        inside += bool(found.low[0] <= 1e6 * rate <= found.high[0])
    return inside / rounds


def clumped(rate, shape):
    """Return hits that come in clusters: the rate of each document is drawn anew."""
    return lambda random, tokens: random.poisson(
        tokens * rate * random.gamma(shape, 1 / shape, len(tokens))
    )


@pytest.mark.parametrize(
    ("rate", "shape", "documents"),
    [(0.01, 1e6, 60), (0.002, 1e6, 40), (0.01, 0.3, 100), (0.003, 0.1, 200), (0.0005, 1, 300)],
    ids=["even", "even and rare", "clumped", "very clumped", "rare"],
)
def test_intervals_hold_the_true_rate_in_about_95_of_100_corpora(rate, shape, documents):
    covered = coverage(clumped(rate, shape), rate, documents=documents)

    assert covered >= 0.91


def test_an_interval_that_forgot_documents_would_miss_clumped_words():
    def poisson_only(random, tokens):
        hits = clumped(0.01, 0.1)(random, tokens)
        low, high = poisson_interval(np.array([float(hits.sum())]))
        return low[0] / tokens.sum() <= 0.01 <= high[0] / tokens.sum()

    random = np.random.default_rng(7)
    covered = np.mean([poisson_only(random, random.integers(100, 1500, 100)) for _ in range(200)])

    assert covered < 0.7
    assert coverage(clumped(0.01, 0.1), 0.01, documents=100) > 0.9


def test_no_hits_leave_an_upper_end():
    found = rates(sums_of([0, 0, 0], [1000, 1000, 1000]))

    assert found.per_million[0] == found.low[0] == 0
    # Three documents say little: -ln(0.025) of 3,000 tokens, and more.
    assert found.high[0] > 1e6 * 3.69 / 3000


def test_no_text_has_no_rate():
    found = rates(sums_of([], []))

    assert np.isnan(found.per_million[0])


@pytest.mark.parametrize(
    ("count", "low", "high"), [(1, 0.025, 5.57), (10, 4.80, 18.39), (100, 81.4, 121.6)]
)
def test_limits_of_a_count_are_those_of_the_tables(count, low, high):
    found = poisson_interval(np.array([float(count)]))

    assert found[0][0] == pytest.approx(low, rel=0.02, abs=0.02)
    assert found[1][0] == pytest.approx(high, rel=0.01)
