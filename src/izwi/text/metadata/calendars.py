"""Days that a page counts otherwise: by Japan's eras, by Ethiopia's calendar, by Persia's."""

import re
from collections.abc import Callable
from datetime import date

_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_ERA = re.compile(
    rf"({'|'.join(_ERAS)})\s*(元|\d{{1,2}})\s*年\s*(\d{{1,2}})\s*月\s*(\d{{1,2}})\s*日"
)
# Letters that sound alike and are written one for the other, in Amharic and in Persian.
_ALIKE = str.maketrans("ሐኀኅሕኃሓሣሥሠيك", "ሀሀህህሃሃሳስሰیک")
_ETHIOPIAN_MONTHS = (
    "መስከረም", "ጥቅምት", "ህዳር", "ታህሳስ", "ጥር", "የካቲት", "መጋቢት", "ሚያዝያ|ሚያዚያ", "ግንቦት", "ሰኔ", "ሀምሌ",
    "ነሀሴ|ነሃሴ", "ጳጉሜን|ጳጉሜ",
)  # fmt: skip
# The year of mercy is Ethiopia's; without the mark these months may be those of Eritrea, which
# are the world's.
_ETHIOPIAN = re.compile(
    rf"({'|'.join(_ETHIOPIAN_MONTHS)})\s*(?:ቀን\s*)?(\d{{1,2}})\s*(?:ቀን)?[፣,]?\s*(\d{{4}})\s*ዓ[./]?\s*ም"
)
_PERSIAN_MONTHS = (
    "فروردین", "اردیبهشت", "خرداد", "تیر", "مرداد|امرداد", "شهریور", "مهر", "آبان", "آذر", "دی",
    "بهمن", "اسفند",
)  # fmt: skip
_PERSIAN = re.compile(
    rf"(?<!\d)(\d{{1,2}})\s+({'|'.join(_PERSIAN_MONTHS)})(?:\s?ماه)?[،,]?\s+(1[34]\d\d)(?!\d)"
)
# The day before the first of each calendar, as Python counts days.
_BEFORE_ETHIOPIAN, _BEFORE_PERSIAN = 2795, 226_894


def place_calendar_day(text: str) -> tuple[date, int] | None:
    """Return the first day that a text with plain digits tells by one of these, and where.

    >>> place_calendar_day("令和5年3月2日"), place_calendar_day("መስከረም 1 ቀን 2008 ዓ.ም.")
    ((datetime.date(2023, 3, 2), 0), (datetime.date(2015, 9, 12), 0))
    >>> place_calendar_day("1 فروردین 1403")
    (datetime.date(2024, 3, 20), 0)
    """
    if era := _ERA.search(text):
        year = _ERAS[era[1]] + (1 if era[2] == "元" else int(era[2]))
        return _placed(lambda: date(year, int(era[3]), int(era[4])), era.start())
    text = text.translate(_ALIKE)
    if match := _ETHIOPIAN.search(text):
        month, day, year = _number_of(match[1], _ETHIOPIAN_MONTHS), int(match[2]), int(match[3])
        if not 1 <= day <= (30 if month <= 12 else 6):
            return None
        days = _BEFORE_ETHIOPIAN + 365 * (year - 1) + year // 4
        return _placed_after(days + 30 * (month - 1) + day, match.start())
    if match := _PERSIAN.search(text):
        month, day, year = _number_of(match[2], _PERSIAN_MONTHS), int(match[1]), int(match[3])
        if not 1 <= day <= (31 if month <= 6 else 30):
            return None
        # Leap years come eight times in thirty-three: long ago it may be a day off.
        days = _BEFORE_PERSIAN + 365 * (year - 1) + (8 * year + 21) // 33
        days += 30 * (month - 1) + min(month - 1, 6)
        return _placed_after(days + day, match.start())
    return None


def _placed_after(days: int, place: int) -> tuple[date, int] | None:
    return _placed(lambda: date.fromordinal(days), place)


def _number_of(name: str, months: tuple[str, ...]) -> int:
    return next(number for number, names in enumerate(months, 1) if name in names.split("|"))


def _placed(day: Callable[[], date], place: int) -> tuple[date, int] | None:
    try:
        return day(), place
    except (ValueError, OverflowError):
        return None
