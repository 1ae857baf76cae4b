from collections import Counter
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.analyse import trends
from izwi.analyse.categories import (
    NO_PERIOD,
    PERIODS,
    check_period,
    period_end,
    period_label,
    period_start,
    periods_of,
)
from izwi.analyse.trends import trend
from izwi.model.errors import QueryError
from izwi.query.concordance import Filter, View, concordance
from izwi.query.cql import parse
from tests.analyse.counting import document, selected, words_of
from tests.index.corpora import corpora, partitions

QUERY = parse('[lc="a"]')


def followed(selection, by="year", query=QUERY, *, has_panel=False):
    return trend(selection, query, by, has_panel=has_panel, text="a")


@given(st.dates(date(1950, 1, 1), date(2049, 12, 31)), st.sampled_from(PERIODS))
def test_a_day_lies_in_its_period_and_periods_follow_each_other(day, name):
    with selected(document("d", "a", when=day)) as selection:
        number = int(periods_of(selection.segments[0], name)[0])

    assert period_start(name, number) <= day <= period_end(name, number)
    assert (period_start(name, number + 1) - period_end(name, number)).days == 1
    assert period_label(name, number) < period_label(name, number + 1)


@settings(max_examples=50)
@given(st.data(), corpora())
def test_points_are_those_of_a_linear_count(data, documents):
    parts = data.draw(partitions(documents))
    hits, tokens, undated = Counter(), Counter(), 0
    for each in documents:
        if each.metadata.date is None:
            undated += words_of(each).count("a")
            continue
        hits[str(each.metadata.date.value.year)] += words_of(each).count("a")
        tokens[str(each.metadata.date.value.year)] += len(words_of(each))

    with selected(parts=parts) as selection:
        found = followed(selection)

    assert {point.period: point.hits for point in found.points if point.hits} == +hits
    assert {point.period: point.tokens for point in found.points if point.tokens} == +tokens
    assert found.undated_hits == undated
    assert found.hits == sum(hits.values()) + undated
    years = [int(point.period) for point in found.points]
    assert years == list(range(years[0], years[-1] + 1)) if years else True


def yearly(*texts, source="herald", first=2010):
    return [
        document(f"{source}{number}", text, when=date(first + number, 1, 1 + 30 * (number % 2)),
                 source=source)
        for number, text in enumerate(texts)
    ]  # fmt: skip


def test_a_period_without_text_has_no_rate():
    documents = yearly("a b", "b b", "a a b")
    with selected(documents[0], documents[2]) as selection:
        found = followed(selection)

    assert [point.per_million is None for point in found.points] == [False, True, False]
    assert "1 periods have no text" in found.notes[-1]


def test_every_point_opens_its_lines():
    with selected(*yearly("a b", "b", "a a", "c a")) as selection:
        for point in followed(selection).points:
            chosen = Filter(point.opens.since, point.opens.until)
            lines = concordance(
                selection.segments, parse(point.opens.query), text="", snapshot=1, chosen=chosen,
                view=View(),
            )  # fmt: skip
            assert lines.hits == point.hits


def test_periods_that_the_text_does_not_fill_are_marked():
    documents = [document(str(day), "a b", when=day) for day in (
        date(2010, 5, 1), date(2011, 6, 1), date(2012, 6, 1), date(2012, 12, 31))]  # fmt: skip
    with selected(*documents) as selection:
        whole = followed(selection)
    with selected(*documents, chosen=Filter(until=date(2012, 7, 1))) as selection:
        cut = followed(selection)

    assert [point.is_complete for point in whole.points] == [False, True, True]
    assert [point.is_complete for point in cut.points] == [False, True, False]


def test_a_rise_is_found_and_its_slope_is_per_year():
    filler = ["b"] * 99
    texts = [" ".join(["a"] * (1 + 2 * year) + filler[2 * year :]) for year in range(12)]
    with selected(*yearly(*texts, first=2000)) as selection:
        found = followed(selection)

    # Two more of a hundred words every year.
    assert found.slope == pytest.approx(20_000, rel=0.05)
    assert found.slope_low <= found.slope <= found.slope_high
    assert found.tau == 1
    assert found.p < 0.001


def test_few_periods_have_no_slope():
    with selected(*yearly("a", "a b")) as selection:
        found = followed(selection)

    assert found.slope is found.tau is found.p is None


def test_a_change_of_level_names_its_first_period():
    texts = ["a " + "b " * 99] * 15 + ["a " * 30 + "b " * 70] * 15
    with selected(*yearly(*texts, first=1990)) as selection:
        changes = followed(selection).changes

    assert [change.period for change in changes] == ["2005"]
    assert changes[0].before == pytest.approx(10_000)
    assert changes[0].after == pytest.approx(300_000)


def test_a_fixed_panel_leaves_out_publications_that_come_and_go():
    documents = [
        *yearly("a b", "a b", "a b", source="herald"),
        *yearly("a a a", source="late", first=2012),
    ]
    with selected(*documents) as selection:
        free = followed(selection)
        fixed = followed(selection, has_panel=True)

    assert free.points[-1].hits == 4
    assert fixed.panel == ("Herald",)
    assert [point.hits for point in fixed.points] == [1, 1, 1]
    assert fixed.points[-1].opens.where == 'publication="Herald"'


def test_no_source_for_a_panel_is_said():
    documents = [*yearly("a", source="one"), *yearly("a", source="two", first=2011)]
    with selected(*documents) as selection:
        found = followed(selection, has_panel=True)

    assert found.panel == ()
    assert "No publication has text in every period" in found.notes[0]
    assert sum(point.hits for point in found.points) == 0


def test_a_date_too_vague_for_its_period_is_in_none():
    one = document("d", "a b", when=date(2010, 1, 1))
    vague = replace(
        one, metadata=replace(one.metadata, date=replace(one.metadata.date, precision="year"))
    )
    with selected(vague) as selection:
        by_month, by_year = followed(selection, "month"), followed(selection, "year")
        assert periods_of(selection.segments[0], "month").tolist() == [NO_PERIOD]

    assert (by_month.points, by_month.undated_hits) == ((), 1)
    assert "exact enough" in by_month.notes[0]
    assert by_year.points[0].hits == 1


@pytest.mark.parametrize("parts", [[], [[document("d", "")]]], ids=["no segment", "no token"])
def test_empty_texts_have_no_points_and_say_so(parts):
    with selected(parts=parts) as selection:
        found = followed(selection)

    assert sum(point.tokens for point in found.points) == 0
    assert found.notes


def test_a_word_that_does_not_occur_has_rates_of_zero():
    with selected(*yearly("b", "b", "b", "b", "b", "b")) as selection:
        found = followed(selection)

    assert {point.per_million for point in found.points} == {0}
    assert all(point.high > 0 for point in found.points)
    assert "does not occur" in found.notes[0]
    assert found.slope == 0
    assert np.isclose(found.p, 1)


def test_periods_nobody_knows_are_listed():
    with pytest.raises(QueryError, match="month"):
        check_period("fortnight")


@pytest.mark.parametrize("by", PERIODS)
def test_the_last_day_of_the_calendar_ends_the_last_period(by):
    with selected(document("d", "a b", when=date.max)) as selection:
        (point,) = followed(selection, by).points

    assert point.end == date.max


def test_one_wrong_date_does_not_make_millions_of_periods():
    documents = [document("1", "a b", when=date(2010, 1, 1)), document("2", "a", when=date.max)]
    with selected(*documents) as selection:
        assert len(followed(selection, "year").points) == 7990
        with pytest.raises(QueryError, match="choose a longer period"):
            followed(selection, "day")


def test_a_vague_date_does_not_complete_a_period():
    exact = [document(str(m), "a b", when=date(2010, m, 15)) for m in (2, 3, 4)]
    vague = document("v", "a b", when=date(2010, 1, 1))
    vague = replace(
        vague, metadata=replace(vague.metadata, date=replace(vague.metadata.date, precision="year"))
    )
    with selected(vague, *exact) as selection:
        found = followed(selection, "month")

    assert [point.is_complete for point in found.points] == [False, True, False]


def test_a_slope_of_a_sample_says_so(monkeypatch):
    monkeypatch.setattr(trends, "MOST_POINTS", 2)
    with selected(*yearly(*["a b"] * 6)) as selection:
        found = followed(selection)

    assert "estimated from a sample" in found.notes[-1]


def test_the_period_goes_by_how_many_hits_there_are():
    rare = yearly("a", "b", "b", "a")
    often = yearly("a " * 40, "a " * 40)
    with selected(*rare) as few, selected(*often) as many:
        assert followed(few, by="auto").by == "year"
        assert followed(many, by="auto").by == "quarter"
