from contextlib import suppress
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.gather.sources.portal import check_template, days_of, filled
from izwi.gather.web_archives import CdxRow, chosen, moment_of, read_cdx, read_timemap, stamp_of

STAMPS = st.datetimes(datetime(1996, 1, 1), datetime(2099, 1, 1)).map("{:%Y%m%d%H%M%S}".format)
ROWS = st.lists(
    st.builds(CdxRow, st.sampled_from([f"http://a.example/{n}" for n in range(5)]), STAMPS),
    max_size=20,
)


@given(st.binary(max_size=300))
def test_any_answer_is_rows_or_an_error_that_is_expected(body):
    with suppress(ValueError, KeyError, TypeError, IndexError):
        assert all(isinstance(row, CdxRow) for row in read_cdx(body).rows)
    with suppress(ValueError):
        mementos, maps = read_timemap(body)
        assert mementos or maps or not body.decode("utf-8", "replace").strip()


@given(ROWS, st.sampled_from(["first", "last", "all"]))
def test_one_row_is_chosen_for_each_url_whatever_their_order(rows, rule):
    found = chosen(rows, rule)

    assert set(found) == set(chosen(reversed(rows), rule))
    assert {row.url for row in found} == {row.url for row in rows}
    if rule != "all":
        best = min if rule == "first" else max
        assert all(
            row.stamp == best(each.stamp for each in rows if each.url == row.url) for row in found
        )


@given(STAMPS)
def test_stamps_are_moments(stamp):
    assert f"{moment_of(stamp):%Y%m%d%H%M%S}" == stamp


@pytest.mark.parametrize("stamp", ["", "9", "20209999", "x"])
def test_other_digits_are_none(stamp):
    assert moment_of(stamp) is None or moment_of(stamp).tzinfo is UTC
    assert stamp_of(stamp) == ""


@given(st.dates(date(1990, 1, 1), date(2030, 1, 1)), st.integers(0, 800), st.booleans())
def test_every_address_of_an_interval_comes_once(first, length, newest_first):
    template = "http://a.example/{date:%Y/%m}"
    last = date.fromordinal(first.toordinal() + length)

    days = list(days_of(template, first, last, newest_first=newest_first))

    months = (last.year - first.year) * 12 + last.month - first.month + 1
    addresses = [filled(template, day=day) for day in days]
    assert len(addresses) == len(set(addresses)) == months
    assert addresses == sorted(addresses, reverse=newest_first)


@pytest.mark.parametrize("template", ["{pag}", "{page", "{date:%Y}}{"])
def test_wrong_places_are_told(template):
    with pytest.raises(ValueError, match="archive"):
        check_template("archive", template)
