"""How long a feed rests: half the time it takes to bring something new, within bounds."""

from collections.abc import Iterable
from datetime import UTC, date, datetime

_DAY = 86400.0


def read_moment(text: str) -> datetime | None:
    """Return a W3C date or moment as UTC, None if it is none; a day counts from its beginning.

    >>> read_moment("2026-01-02").isoformat()
    '2026-01-02T00:00:00+00:00'
    """
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def next_rest(
    dates: Iterable[str], *, shortest: float, longest: float, last: float, news: int
) -> float:
    """Return the seconds until a feed is asked again.

    A feed that brought nothing rests half as long again as last time; one with news as long as
    the dates of its items say.

    >>> next_rest(["2026-01-01", "2026-01-11"], shortest=3600, longest=864000, last=0, news=2)
    194400.0
    >>> next_rest(["2026-01-01"] * 5, shortest=10, longest=864000, last=0, news=5)
    10.0
    """
    if not news and last:
        return min(longest, last * 1.5)
    days = sorted(date.fromisoformat(text) for text in dates if text)
    if len(days) < 2:
        return shortest
    # Dates are whole days: what lies between the last hour of one and the first of another may be
    # a day less than they say, and items of one day may be seconds apart.
    span = max(0, (days[-1] - days[0]).days - 1) * _DAY
    return float(min(max(span / len(days) / 2, shortest), longest))
