from datetime import date

import pytest

from izwi.cases import all_cases
from izwi.cases.case import request_of
from izwi.model.errors import QueryError
from izwi.web.pages.addresses import Asked


def day(name, text):
    sent = Asked("bakkie", **{name: text}).values()
    return getattr(request_of(all_cases()["concordance"], sent), name)


def first_day(text):
    return day("since", text)


def last_day(text):
    return day("until", text)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2014", date(2014, 1, 1), date(2014, 12, 31)),
        ("2014-03", date(2014, 3, 1), date(2014, 3, 31)),
        ("2016-2", date(2016, 2, 1), date(2016, 2, 29)),
        ("2014-03-09", date(2014, 3, 9), date(2014, 3, 9)),
        (" 2014 ", date(2014, 1, 1), date(2014, 12, 31)),
        ("", None, None),
    ],
)
def test_a_year_a_month_and_a_day_have_a_first_and_a_last_day(text, first, last):
    assert (first_day(text), last_day(text)) == (first, last)


@pytest.mark.parametrize("text", ["14", "2014-13", "2014-02-30", "0000", "March", "2014-", "٢٠١٤"])
@pytest.mark.parametrize("read", [first_day, last_day])
def test_what_is_not_a_date_is_named(text, read):
    with pytest.raises(QueryError, match=f"'{text}' is not a da(te|y)"):
        read(text)


def test_a_link_leaves_out_what_goes_without_saying():
    asked = Asked("bakkie", sort="date", ctx=12, size=50, page=1)

    assert asked.link() == "?q=bakkie"


def test_a_link_keeps_everything_else():
    asked = Asked("ag & so", "2014", "2015", ("a", "b"), "random", 5, 20, True, page=3, seed=7, v=2)

    assert asked.link(page=4) == (
        "?q=ag+%26+so&from=2014&to=2015&src=a&src=b&sort=random&ctx=5&size=20&case=1&page=4&seed=7&v=2"
    )


def test_a_link_that_changes_something_begins_at_the_first_page():
    assert Asked("a", page=3).link(sort="left") == "?q=a&sort=left"
