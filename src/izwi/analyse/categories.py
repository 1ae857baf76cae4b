"""What documents are sorted by: their source, their site, any other thing known of them, time."""

from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from izwi.index.reader import NO_DATE, Segment
from izwi.model.analyses import PERIODS, escaped
from izwi.model.errors import QueryError
from izwi.query.conditions import structure_values

# How many of the units of NumPy one period has.
_UNITS = {"day": ("D", 1), "week": ("D", 7), "month": ("M", 1), "quarter": ("M", 3)}
_UNITS |= {"year": ("Y", 1), "decade": ("Y", 10)}
# A date that names only its month is no use for weeks, and so on.
_EXACT_ENOUGH = {
    "day": ("day",),
    "week": ("day",),
    "month": ("day", "month"),
    "quarter": ("day", "month"),
}
# Weeks begin on Mondays; 1970 began on a Thursday.
_MONDAY = 3
_EPOCH = date(1970, 1, 1)
NO_PERIOD = np.int64(np.iinfo(np.int64).min)


def check_period(name: str) -> str:
    """Return the name of a kind of period, or raise an error that lists them."""
    if name not in PERIODS:
        raise QueryError(f"A period is one of {', '.join(PERIODS)}, not '{name}'.")
    return name


def periods_of(segment: Segment, name: str) -> NDArray[np.int64]:
    """Return the number of each document's period; NO_PERIOD if its date is absent or too vague."""
    return segment.remembered(("period", name), lambda: _numbered(segment, name))


def _numbered(segment: Segment, name: str) -> NDArray[np.int64]:
    unit, size = _UNITS[name]
    days = segment.dates.astype("datetime64[D]")
    counted = days.astype(f"datetime64[{unit}]").astype(np.int64)
    if name == "week":
        counted = counted + _MONDAY
    known = segment.dates != NO_DATE
    if name in _EXACT_ENOUGH:
        precision = np.asarray(segment.cards.column("date_precision").to_pylist(), object)
        known = known & np.isin(precision.astype(str), [*_EXACT_ENOUGH[name], ""])
    # Decades are counted from the year 0, other periods from 1970.
    return np.where(known, (counted + (1970 if name == "decade" else 0)) // size, NO_PERIOD)


def period_start(name: str, number: int) -> date:
    """Return the first day of a period.

    >>> period_start("month", 529), period_start("decade", 201)
    (datetime.date(2014, 2, 1), datetime.date(2010, 1, 1))
    """
    if name in ("day", "week"):
        return _EPOCH + timedelta(number if name == "day" else 7 * number - _MONDAY)
    if name == "decade":
        return date(max(1, 10 * number), 1, 1)
    months = number * {"month": 1, "quarter": 3, "year": 12}[name]
    return date(1970 + months // 12, months % 12 + 1, 1)


def period_end(name: str, number: int) -> date:
    """Return the last day of a period; the calendar ends with the year 9999.

    >>> period_end("decade", 201), period_end("decade", 999)
    (datetime.date(2019, 12, 31), datetime.date(9999, 12, 31))
    """
    try:
        return period_start(name, number + 1) - timedelta(1)
    except (ValueError, OverflowError):
        return date.max


def period_label(name: str, number: int) -> str:
    """Return what a period is called.

    >>> [period_label(name, n) for name, n in (("quarter", 177), ("week", 2348), ("decade", 201))]
    ['2014-Q2', '2015-W01', '2010s']
    """
    start = period_start(name, number)
    match name:
        case "day":
            return start.isoformat()
        case "week":
            year, week, _ = start.isocalendar()
            return f"{year:04}-W{week:02}"
        case "month":
            return f"{start.year:04}-{start.month:02}"
        case "quarter":
            return f"{start.year:04}-Q{(start.month + 2) // 3}"
        case "year":
            return f"{start.year:04}"
    return f"{start.year:04}s"


_HOST = r"^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#@]*@)?(?P<host>[^/?#:]*)"


@dataclass(frozen=True, slots=True)
class Cell:
    """The documents with one value: what it is called, and what chooses them."""

    label: str
    where: str = ""
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class Categories:
    """The value each document of a segment has, by number; -1 for none."""

    keys: tuple[str | int, ...]
    numbers: NDArray[np.int64]


def categories_of(segment: Segment, name: str) -> Categories:
    """Return what the documents of a segment are sorted into."""
    return segment.remembered(("categories", name), lambda: _categories(segment, name))


def _categories(segment: Segment, name: str) -> Categories:
    if name in PERIODS:
        periods = periods_of(segment, name)
        keys, numbers = np.unique(periods, return_inverse=True)
        if len(keys) and keys[0] == NO_PERIOD:
            keys, numbers = keys[1:], numbers - 1
        return Categories(tuple(keys.tolist()), numbers.astype(np.int64))
    values, numbers = _hosts(segment) if name == "host" else _values(segment, name)
    return Categories(tuple(values), numbers)


def _values(segment: Segment, name: str) -> tuple[list[str], NDArray[np.int64]]:
    if name == "source":
        numbers, names = segment.sources
        return names, numbers
    return structure_values(segment, "doc", name)


def _hosts(segment: Segment) -> tuple[list[str], NDArray[np.int64]]:
    """Return the host of each document's address; its source where there is no address."""
    urls = segment.cards.column("url").combine_chunks().fill_null("")
    hosts = pc.extract_regex(urls, _HOST).field("host").fill_null("")
    sources = segment.cards.column("source").combine_chunks().fill_null("")
    names = pc.if_else(pc.equal(hosts, ""), sources, pc.utf8_lower(hosts))
    coded = names.combine_chunks() if isinstance(names, pa.ChunkedArray) else names
    coded = coded.dictionary_encode()
    return coded.dictionary.to_pylist(), np.asarray(coded.indices.to_numpy()).astype(np.int64)


def cell_of(name: str, key: str | int) -> Cell:
    """Return what a value is called and which documents have it."""
    if isinstance(key, int):
        return Cell(
            period_label(name, key), since=period_start(name, key), until=period_end(name, key)
        )
    if name == "host":
        address = f'url="[^/]*//([^/@]*@)?{escaped(key)}([:/?#].*)?" %c'
        return Cell(key, f'({address}) | source="{escaped(key)}"')
    return Cell(key, f'{name}="{escaped(key)}"')
