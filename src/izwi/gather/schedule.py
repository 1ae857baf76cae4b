"""How time goes in a run, and how long a feed rests: half the time until its next item."""

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from statistics import median

_DAY = 86400.0
# 2026-01-02: a date without a time is no longer.
_LONGEST_DAY = 10


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of a run: it goes on evenly, whatever happens to the machine's clock meanwhile."""

    _ahead: float = field(default_factory=lambda: time.time() - time.monotonic())

    def now(self) -> float:
        """Return the seconds since 1970."""
        return self._ahead + time.monotonic()


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

    A feed that brought nothing rests half as long again as last time; one with news half as long
    as there usually is between two of its items, whatever old ones it shows beside them.

    >>> next_rest(["2026-01-01", "2026-01-11"], shortest=3600, longest=864000, last=0, news=2)
    388800.0
    >>> items = ["2026-01-01T09:00:00Z", "2026-01-01T09:10:00Z", "2009-01-01T09:00:00Z"]
    >>> next_rest([*items, "2026-01-01T09:20:00Z"], shortest=10, longest=864000, last=0, news=3)
    300.0
    """
    if not news and last:
        return min(longest, last * 1.5)
    gaps = [_gap(*pair) for pair in pairwise(sorted(_moments(dates)))]
    return min(max(median(gaps) / 2, shortest), longest) if gaps else shortest


def _moments(dates: Iterable[str]) -> Iterator[tuple[datetime, bool]]:
    """Yield the dates that can be read, each with whether it says the time."""
    for text in dates:
        if moment := read_moment(text):
            yield moment, len(text) > _LONGEST_DAY


def _gap(earlier: tuple[datetime, bool], later: tuple[datetime, bool]) -> float:
    """Return the seconds that lie between two items at least: a day may stand for its last hour."""
    seconds = (later[0] - earlier[0]).total_seconds()
    return seconds if earlier[1] and later[1] else max(0.0, seconds - _DAY)
