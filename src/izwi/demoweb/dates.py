"""How dates are printed, in three languages, and at what time of the day an article appeared."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from zlib import crc32

from izwi.demoweb.articles import Article

BUILT_AT = datetime(2026, 10, 31, 6, 0, tzinfo=UTC)
_SOUTH_AFRICA = timezone(timedelta(hours=2))
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "af": "Januarie Februarie Maart April Mei Junie Julie Augustus September Oktober November "
    "Desember",
    "zu": "Januwari Februwari Mashi Ephreli Meyi Juni Julayi Agasti Septhemba Okthoba Novemba "
    "Disemba",
}


def month_name(day: date, language: str) -> str:
    """Return the name of a day's month.

    >>> month_name(date(2010, 7, 14), "af")
    'Julie'
    """
    return _MONTHS[language].split()[day.month - 1]


def long_date(day: date, language: str) -> str:
    """Return a date as newspapers write it.

    >>> long_date(date(2010, 7, 14), "en")
    '14 July 2010'
    """
    return f"{day.day} {month_name(day, language)} {day.year}"


def published_at(article: Article) -> datetime:
    """Return the moment that an article's metadata give: its printed date, at an invented hour."""
    minutes = 6 * 60 + crc32(article.slug.encode()) % (14 * 60)
    moment = time(minutes // 60, minutes % 60, tzinfo=_SOUTH_AFRICA)
    return datetime.combine(article.printed_date, moment)
