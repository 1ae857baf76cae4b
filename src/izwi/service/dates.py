"""Dates as people type them into a filter: a year, a month or a day."""

import calendar
import re
from datetime import date

from izwi.model.errors import QueryError

_FORM = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")


def read_date(text: str, *, is_end: bool) -> date:
    """Return the first or the last day that a date means.

    >>> read_date("2019", is_end=False), read_date("2019-02", is_end=True)
    (datetime.date(2019, 1, 1), datetime.date(2019, 2, 28))
    """
    match = _FORM.fullmatch(text.strip())
    if match is None:
        raise QueryError(f"'{text}' is not a date; write 2019, 2019-02 or 2019-02-14.")
    year, month, day = (int(part) if part else None for part in match.groups())
    assert year is not None
    try:
        chosen_month = (12 if is_end else 1) if month is None else month
        last = calendar.monthrange(year, chosen_month)[1]
        return date(year, chosen_month, (last if is_end else 1) if day is None else day)
    except (ValueError, calendar.IllegalMonthError):
        raise QueryError(f"'{text}' is not a day of the calendar.") from None
