"""Addresses of an archive's pages: a template with places for dates and page numbers."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

_PLACE = re.compile(r"\{([a-z]+)(?::([^{}]*))?\}")
_KNOWN = ("date", "from", "to", "page")
# Places that are filled from a day.
_OF_DAYS = ("date", "from", "to")
_LONGEST = 200 * 366


def check_template(key: str, template: str) -> None:
    """Raise ValueError, saying what to write, unless only dates and pages have places in it."""
    for match in _PLACE.finditer(template):
        if match[1] not in _KNOWN:
            raise ValueError(
                f"{key}: {match[0]} is no place izwi knows; write {{page}}, {{date:%Y/%m/%d}}, "
                "or {{from}} and {{to}} for the first and last day of a month"
            )
    if "{" in _PLACE.sub("", template):
        raise ValueError(f"{key} = '{template}' has a brace that is not closed or not known")


def has_place(template: str, name: str) -> bool:
    """Return whether a template has a place for dates, of whatever kind, or for pages."""
    names = _OF_DAYS if name == "date" else (name,)
    return any(match[1] in names for match in _PLACE.finditer(template))


def filled(template: str, *, day: date | None = None, page: int | None = None) -> str:
    """Return the address of one page.

    >>> filled("http://a.example/{date:%Y/%m}?p={page}", day=date(2020, 7, 1), page=3)
    'http://a.example/2020/07?p=3'
    >>> filled("http://a.example/?a={from}&b={to:%d.%m.%Y}", day=date(2020, 2, 9))
    'http://a.example/?a=2020-02-01&b=29.02.2020'
    """

    def value(match: re.Match[str]) -> str:
        if match[1] == "page":
            return f"{page or 0:{match[2] or 'd'}}"
        asked = {"from": _month_begins, "to": _month_ends}.get(match[1])
        return f"{asked(day) if asked and day else day:{match[2] or '%Y-%m-%d'}}"

    return _PLACE.sub(value, template)


def _month_begins(day: date) -> date:
    return day.replace(day=1)


def _month_ends(day: date) -> date:
    return (day.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)


def is_daily(template: str) -> bool:
    """Return whether every day has an address of its own.

    >>> is_daily("http://a.example/{date:%Y/%m/%d}"), is_daily("http://a.example/{date:%Y/%m}")
    (True, False)
    """
    days = (date(2024, 2, 28), date(2024, 2, 29))
    return has_place(template, "date") and len({filled(template, day=day) for day in days}) == 2


def days_of(template: str, first: date, last: date, *, newest_first: bool) -> Iterator[date]:
    """Yield one day for each address that the days between two dates have, these included."""
    if (last - first).days > _LONGEST:
        raise ValueError(f"from {first} to {last} is longer than two hundred years")
    seen: set[str] = set()
    span = range((last - first).days + 1)
    for number in reversed(span) if newest_first else span:
        day = first + timedelta(days=number)
        address = filled(template, day=day, page=1)
        if address not in seen:
            seen.add(address)
            yield day
