from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.cases.questions import read_date
from izwi.model.errors import QueryError


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        pytest.param("2019", date(2019, 1, 1), date(2019, 12, 31), id="year"),
        pytest.param("2019-02", date(2019, 2, 1), date(2019, 2, 28), id="month"),
        pytest.param("2020-02", date(2020, 2, 1), date(2020, 2, 29), id="leap-month"),
        pytest.param("2019-2", date(2019, 2, 1), date(2019, 2, 28), id="month-of-one-digit"),
        pytest.param("2019-12", date(2019, 12, 1), date(2019, 12, 31), id="december"),
        pytest.param("2019-02-14", date(2019, 2, 14), date(2019, 2, 14), id="day"),
        pytest.param("2019-2-4", date(2019, 2, 4), date(2019, 2, 4), id="day-of-one-digit"),
        pytest.param(" 2019 ", date(2019, 1, 1), date(2019, 12, 31), id="spaces"),
        pytest.param("0001", date(1, 1, 1), date(1, 12, 31), id="first-year"),
        pytest.param("9999", date(9999, 1, 1), date(9999, 12, 31), id="last-year"),
    ],
)
def test_a_date_means_its_first_and_its_last_day(text, first, last):
    assert read_date(text, is_end=False) == first
    assert read_date(text, is_end=True) == last


@pytest.mark.parametrize("is_end", [False, True], ids=["first", "last"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is not a date; write 2019, 2019-02 or 2019-02-14"),
        ("yesterday", "'yesterday' is not a date"),
        ("19", "'19' is not a date"),
        ("2019-", "'2019-' is not a date"),
        ("2019/02/14", "is not a date"),
        ("14-02-2019", "is not a date"),
        ("2019-02-14T10:00", "is not a date"),
        ("2019-02-30", "'2019-02-30' is not a day of the calendar"),
        ("2019-02-29", "not a day of the calendar"),
        ("2019-13", "not a day of the calendar"),
        ("2019-00", "not a day of the calendar"),
        ("2019-02-00", "not a day of the calendar"),
        ("0000", "not a day of the calendar"),
    ],
    ids=lambda value: value or "nothing",
)
def test_what_is_no_date_is_refused_with_an_example(text, words, is_end):
    with pytest.raises(QueryError, match=words):
        read_date(text, is_end=is_end)


@given(st.dates())
def test_every_day_is_read_as_itself(day):
    assert read_date(day.isoformat(), is_end=False) == day
    assert read_date(day.isoformat(), is_end=True) == day
