"""Dates as pages write them: ISO, numbers, and months by name in many languages."""

import re
from collections.abc import Mapping
from datetime import date
from functools import cache, lru_cache
from importlib.resources import files

from izwi.text.metadata.calendars import place_calendar_day

# Days of the week and their short forms, in lower case, as they stand before dates.
_DAY_NAMES = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri",
    "sat sun montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr",
    "sa so maandag dinsdag woensdag donderdag vrydag vrijdag saterdag zaterdag sondag zondag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes",
    "sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica",
)
WEEKDAYS = frozenset(name for names in _DAY_NAMES for name in names.split())
# Whatever is written round it, every date below has a year; behind a Thai month it may count from
# the Buddha.
_YEAR = r"((?:19|20|(?:(?<=[\u0e00-\u0e7f]\s)|(?<=[\u0e00-\u0e7f]\.\s)|(?<=ศ\.))25)\d\d)"
_DATED = re.compile(_YEAR)
_BUDDHA, _LATEST = 543, 2400
# Zeros of the scripts in which dates are written with digits of their own.
_ZEROS = "٠۰०০੦૦୦௦౦೦൦๐໐༠၀០０"
_DIGITS = {ord(zero) + n: str(n) for zero in _ZEROS for n in range(10)}
_DIGIT = re.compile(r"\d")
_LONGEST = 300
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)([01]\d)([0-3]\d)(?:T?\d{4,6}Z?)?(?!\d)")
_EAST = re.compile(r"((?:19|20)\d\d)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})")
_VIETNAMESE = re.compile(
    rf"(\d{{1,2}})\s+tháng\s+(\d{{1,2}}),?\s+(?:năm\s+)?{_YEAR}", re.IGNORECASE
)
# Marks of vowels are no letters, so a name is whatever no sign or digit ends.
_MONTH = r"([^\s\d.,،;:|/()\[\]-]{2,40})"
_DAY_FIRST = re.compile(
    rf"(?<!\d)(\d{{1,2}})(?:st|nd|rd|th|er|º|°)?[\s.\-/]*(?:de\s+|of\s+|d['’])?{_MONTH}\.?[,،]?[\s\-/]+"
    rf"(?:de\s+|del\s+|พ\.ศ\.\s*)?{_YEAR}(?!\d)",
    re.IGNORECASE,
)
# Letters and lists of changes have the time before the year: "Tue Mar  2 10:00:00 GMT 2021".
_CLOCK = r"(?:\d{1,2}:\d\d(?::\d\d)?\s+(?:[a-z]{2,5}\s+|[+-]\d{4}\s+)?)?"
_MONTH_FIRST = re.compile(
    rf"{_MONTH}\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?[,،]?\s+{_CLOCK}{_YEAR}(?!\d)", re.IGNORECASE
)
_YEAR_FIRST = re.compile(
    rf"{_YEAR}(?:\.|ko)?\s+(?:m\.\s+)?{_MONTH}\s+(\d{{1,2}})(?!\d)", re.IGNORECASE
)
# What a name of several words is made of.
_WORD = re.compile(r"[^\s\d.,،;:|/()\[\]_-]+")
_NUMBERS = re.compile(r"(?<![\d.])(\d{1,2})([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d)(?!\d)")


@cache
def month_numbers() -> Mapping[str, int]:
    """Return the months by their names in lower case, in all languages (tools/make_months.py)."""
    lines = (files("izwi.text.metadata") / "months.txt").read_text(encoding="utf-8").splitlines()
    return {name: month for month, line in enumerate(lines, start=1) for name in line.split()}


def find_date(text: str, *, month_first: bool = False) -> date | None:
    """Return the first date a short text names, or None; numbers have the day first if they may.

    >>> find_date("Mittwoch, 3. März 2021, 14 Uhr"), find_date("Aug 5th, 2019")
    (datetime.date(2021, 3, 3), datetime.date(2019, 8, 5))
    """
    found = place_date(text, month_first=month_first)
    return found[0] if found else None


def place_date(text: str, *, month_first: bool = False) -> tuple[date, int] | None:
    """Return the first date a short text names and where it begins.

    >>> place_date("Updated on 3 May 2020")
    (datetime.date(2020, 5, 3), 11)
    """
    text = text[:_LONGEST]
    return _placed(text, month_first) if _DIGIT.search(text) else None


@lru_cache(maxsize=1024)  # rules for dates ask again and again about those that a page has
def _placed(text: str, month_first: bool) -> tuple[date, int] | None:
    if not text.isascii():
        text = text.translate(_DIGITS)
        if found := place_calendar_day(text):
            return found
    if not _DATED.search(text):
        return None
    for pattern in (_ISO, _EAST):
        match = pattern.search(text)
        if match and (day := calendar_day(match[1], match[2], match[3])):
            return day, match.start()
    return _named(text) or _with_long_name(text) or _numbered(text, month_first) or _compact(text)


def calendar_day(year: str, month: str, day: str) -> date | None:
    """Return a day, or None if the calendar has no such day."""
    number = int(year) - _BUDDHA if int(year) > _LATEST else int(year)
    try:
        return date(number, int(month), int(day))
    except ValueError:
        return None


def _named(text: str) -> tuple[date, int] | None:
    for pattern, order in (
        (_DAY_FIRST, (3, 2, 1)),
        (_MONTH_FIRST, (3, 1, 2)),
        (_YEAR_FIRST, (1, 2, 3)),
        (_VIETNAMESE, (3, 2, 1)),
    ):
        for match in pattern.finditer(text):
            year, name, day = (match[group] for group in order)
            month = name if name.isdigit() else month_numbers().get(_folded(name))
            if month and (found := calendar_day(year, str(month), day)):
                return found, match.start()
    return None


def _with_long_name(text: str) -> tuple[date, int] | None:
    other = _with_long_months(text)
    return _named(other) if other != text else None


def _folded(name: str) -> str:
    return name.lower().replace("'", "’")


@cache
def _long_months() -> Mapping[str, list[list[str]]]:
    """Return the months of several words by the first of these, the longest first."""
    found: dict[str, list[list[str]]] = {}
    for name in sorted((name for name in month_numbers() if "_" in name), key=len, reverse=True):
        words = name.split("_")
        found.setdefault(words[0], []).append(words)
    return found


def _with_long_months(text: str) -> str:
    """Return a text in which months of several words are one, with every letter in its place.

    >>> _with_long_months("7 Meán Fómhair 2014")
    '7 Meán_Fómhair 2014'
    """
    spans = [match.span() for match in _WORD.finditer(text)]
    words = [_folded(text[start:end]) for start, end in spans]
    for place, word in enumerate(words):
        for name in _long_months().get(word, ()):
            last = place + len(name) - 1
            if words[place : last + 1] == name:
                start, end = spans[place][0], spans[last][1]
                return text[:start] + re.sub(r"[\s.-]", "_", text[start:end]) + text[end:]
    return text


def _numbered(text: str, month_first: bool) -> tuple[date, int] | None:
    match = _NUMBERS.search(text)
    if not match:
        return None
    first, second, year = match[1], match[3], match[4]
    # With points the day is always first; 13 cannot be a month.
    orders = [(second, first), (first, second)]
    if month_first and match[2] != ".":
        orders.reverse()
    days = (calendar_day(year, month, day) for month, day in orders)
    found = next((day for day in days if day), None)
    return (found, match.start()) if found else None


def _compact(text: str) -> tuple[date, int] | None:
    match = _COMPACT.search(text)
    day = calendar_day(match[1], match[2], match[3]) if match else None
    return (day, match.start()) if match and day else None
