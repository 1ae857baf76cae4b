import itertools
import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.analyse import statistics as slopes
from izwi.analyse.statistics import change_points, slope_of

VALUES = st.lists(st.integers(0, 20), min_size=4, max_size=25)


@given(VALUES)
def test_slope_and_tau_are_what_their_definitions_say(values):
    found = slope_of(np.arange(len(values), dtype=float), np.array(values, float))

    pairs = list(itertools.combinations(enumerate(values), 2))
    slopes = [(b - a) / (j - i) for (i, a), (j, b) in pairs]
    score = sum((b > a) - (b < a) for (_, a), (_, b) in pairs)
    assert found.slope == pytest.approx(statistics.median(slopes))
    assert found.tau == pytest.approx(score / len(pairs))
    assert found.low <= found.slope <= found.high
    assert 0 <= found.p <= 1


def test_a_known_series():
    rising = slope_of(np.arange(7.0), np.array([1.0, 2, 3, 4, 5, 6, 7]))

    assert rising.slope == 1
    assert rising.tau == 1
    z = (21 - 1) / math.sqrt(7 * 6 * 19 / 18)
    assert rising.p == pytest.approx(math.erfc(z / math.sqrt(2)))


def test_three_points_have_no_slope():
    assert slope_of(np.arange(3.0), np.arange(3.0)) is None


def test_chance_alone_is_seldom_taken_for_a_trend():
    random = np.random.default_rng(5)
    times = np.arange(24.0)

    p = [slope_of(times, random.poisson(30, 24).astype(float)).p for _ in range(400)]

    assert np.mean(np.array(p) < 0.05) < 0.08


def test_a_change_of_level_is_found_where_it_is():
    random = np.random.default_rng(1)
    hits = np.concatenate([random.poisson(20, 30), random.poisson(60, 20)]).astype(float)

    assert change_points(hits, np.full(50, 1e6), 1.0) == [30]


def test_one_high_period_is_no_change_of_level():
    hits = np.full(40, 20.0)
    hits[17] = 90

    assert change_points(hits, np.full(40, 1e6), 4.0) == []


def test_chance_alone_is_seldom_taken_for_a_change():
    random = np.random.default_rng(3)
    found = [
        change_points(random.poisson(25, 60).astype(float), np.full(60, 1e6), 1.0)
        for _ in range(200)
    ]

    assert np.mean([bool(each) for each in found]) < 0.05


@pytest.mark.parametrize("hits", [[], [1.0] * 30, [0.0] * 30], ids=["none", "few", "absent"])
def test_too_little_has_no_changes(hits):
    hits = np.array(hits)
    few = hits / max(1, len(hits)) if hits.any() else hits

    assert change_points(few, np.full(len(few), 1e6), 1.0) == []


def test_a_sample_of_pairs_stands_for_very_many(monkeypatch):
    random = np.random.default_rng(7)
    times = np.arange(600.0)
    values = times + random.normal(0, 100, 600)
    exact = slope_of(times, values)
    monkeypatch.setattr(slopes, "MOST_POINTS", 100)
    monkeypatch.setattr(slopes, "_SAMPLE", 20_000)

    found = slope_of(times, values)

    assert (found.tau, found.p) == (exact.tau, exact.p)
    assert [found.slope, found.low, found.high] == pytest.approx(
        [exact.slope, exact.low, exact.high], rel=0.03
    )
    assert slope_of(times, values) == found


def test_days_over_a_century_have_a_slope():
    found = slope_of(np.arange(9000.0), np.arange(9000.0))

    assert (found.slope, found.tau) == (1, 1)


def test_a_change_among_very_many_periods_is_found_to_the_nearest_group():
    hits = np.repeat([5.0, 9.0], 15_000)

    (place,) = change_points(hits, np.full(30_000, 1000.0), 1.0)

    assert abs(place - 15_000) <= 15


def test_pairs_that_are_kept_cannot_be_changed():
    first, second = slopes._all_pairs(5)

    assert not first.flags.writeable
    assert not second.flags.writeable
