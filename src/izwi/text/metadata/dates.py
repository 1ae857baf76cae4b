"""Dates as pages write them: ISO, numbers, and months by name in many languages."""

import re
from collections.abc import Mapping
from datetime import date

# Month names and the usual short forms, in lower case; a prefix of three letters or more is enough.
_MONTH_NAMES: Mapping[int, str] = {
    1: "january januar janvier enero gennaio janeiro januari januarie styczeń stycznia "
       "leden ledna január januára "
       "január ianuarie ocak tammikuu tammikuuta января январь січня januara jānvāris "
       "jaanuar sausio jan ιανουαρίου",
    2: "february februar février febrero febbraio fevereiro februari februarie luty "
       "lutego únor února február "
       "februára február şubat helmikuu helmikuuta февраля февраль лютого februara feb "
       "φεβρουαρίου fév fev",
    3: "march märz mars marzo março maart marzec marca březen března marec március "
       "martie mart maaliskuu "
       "maaliskuuta марта март березня mar mär mrt μαρτίου",
    4: "april avril abril aprile kwiecień kwietnia duben dubna apríl apríla április "
       "aprilie nisan huhtikuu "
       "huhtikuuta апреля апрель квітня aprila apr avr abr απριλίου",
    5: "may mai mayo maggio maio mei maj maja květen května máj mája május mayıs "
       "toukokuu toukokuuta мая май травня "
       "mag μαΐου",
    6: "june juni juin junio giugno junho junie czerwiec czerwca červen června jún júna "
       "június iunie haziran "
       "kesäkuu kesäkuuta июня июнь червня juna jun giu ιουνίου",
    7: "july juli juillet julio luglio julho julie lipiec lipca červenec července júl "
       "júla július iulie temmuz "
       "heinäkuu heinäkuuta июля июль липня jula jul lug juil ιουλίου",
    8: "august août agosto augustus augusti sierpień sierpnia srpen srpna augusta "
       "augusztus ağustos elokuu elokuuta "
       "августа август серпня avgusta avgust aug aoû ago αυγούστου",
    9: "september septembre septiembre settembre setembro wrzesień wrzesnia września "
       "září szeptember septembrie "
       "eylül syyskuu syyskuuta сентября сентябрь вересня septembra sep sept set σεπτεμβρίου",
    10: "october oktober octobre octubre ottobre outubro październik października říjen "
        "října október októbra "
        "octombrie ekim lokakuu lokakuuta октября октябрь жовтня oktobra oct okt out ott οκτωβρίου",
    11: "november novembre noviembre novembro listopad listopadu listopada noiembrie "
        "kasım marraskuu marraskuuta "
        "ноября ноябрь novembra nov νοεμβρίου",
    12: "december dezember décembre diciembre dicembre dezembro desember grudzień grudnia "
        "prosinec prosince "
        "decembrie aralık joulukuu joulukuuta декабря декабрь грудня decembra dec dez déc "
        "dic des δεκεμβρίου",
}  # fmt: skip
MONTHS: Mapping[str, int] = {
    name: month for month, names in _MONTH_NAMES.items() for name in names.split()
}
# Days of the week and their short forms, in lower case, as they stand before dates.
_DAY_NAMES = (
    "monday tuesday wednesday thursday friday saturday sunday mon tue tues wed thu thur thurs fri",
    "sat sun montag dienstag mittwoch donnerstag freitag samstag sonnabend sonntag mo di mi do fr",
    "sa so maandag dinsdag woensdag donderdag vrydag vrijdag saterdag zaterdag sondag zondag",
    "lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes",
    "sábado domingo lunedì martedì mercoledì giovedì venerdì sabato domenica",
)
WEEKDAYS = frozenset(name for names in _DAY_NAMES for name in names.split())
# Whatever is written round it, every date below has a year.
_YEAR = re.compile(r"(?:19|20)\d\d")
_ISO = re.compile(r"(?<!\d)((?:19|20)\d\d)[-/.](\d{1,2})[-/.](\d{1,2})(?!\d)")
_COMPACT = re.compile(r"(?<!\d)((?:19|20)\d\d)([01]\d)([0-3]\d)(?:T?\d{4,6}Z?)?(?!\d)")
_EAST = re.compile(r"((?:19|20)\d\d)\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})")
_DAY_FIRST = re.compile(
    r"(?<!\d)(\d{1,2})(?:st|nd|rd|th|er|º|°)?[\s.\-/]*(?:de\s+|d['’])?([^\W\d]{3,12})\.?,?[\s\-/]+(?:de\s+|del\s+)?"
    r"((?:19|20)\d\d)(?!\d)",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(
    r"([^\W\d]{3,12})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+((?:19|20)\d\d)(?!\d)", re.IGNORECASE
)
_YEAR_FIRST = re.compile(r"((?:19|20)\d\d)\.?\s+([^\W\d]{3,12})\s+(\d{1,2})(?!\d)", re.IGNORECASE)
_NUMBERS = re.compile(r"(?<![\d.])(\d{1,2})([./-])\s?(\d{1,2})\2\s?((?:19|20)\d\d)(?!\d)")


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
    text = text[:300]
    if not _YEAR.search(text):
        return None
    for pattern in (_ISO, _EAST):
        match = pattern.search(text)
        if match and (day := calendar_day(match[1], match[2], match[3])):
            return day, match.start()
    return _named(text) or _numbered(text, month_first) or _compact(text)


def calendar_day(year: str, month: str, day: str) -> date | None:
    """Return a day, or None if the calendar has no such day."""
    try:
        return date(int(year), int(month), int(day))
    except ValueError:
        return None


def _named(text: str) -> tuple[date, int] | None:
    for pattern, order in (
        (_DAY_FIRST, (3, 2, 1)),
        (_MONTH_FIRST, (3, 1, 2)),
        (_YEAR_FIRST, (1, 2, 3)),
    ):
        for match in pattern.finditer(text):
            year, name, day = (match[group] for group in order)
            month = MONTHS.get(name.lower())
            if month and (found := calendar_day(year, str(month), day)):
                return found, match.start()
    return None


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
