"""Title, author, dates and the rest: all claims kept, one chosen by a stated rule.

The rule: of the claims for a property the first counts, in the order JSON-LD, meta elements,
microdata, feed, page. Headlines and authors have rules of their own (headlines.py, authors.py).
So have dates: what a page gives social networks was right in 57 of 60 cases, JSON-LD in 63 of 72;
then come other meta elements, microdata, the URL, `time` elements, vague places, and what readers
see. No date is later than the capture.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from izwi.model.capture import Hints
from izwi.model.document import Claim, Metadata, PublicationDate
from izwi.text.metadata.authors import choose_author
from izwi.text.metadata.claims import (
    data_claims,
    feed_claims,
    host_claims,
    json_ld_claims,
    link_claims,
    meta_claims,
    microdata_claims,
)
from izwi.text.metadata.dates import calendar_day, find_date, month_numbers
from izwi.text.metadata.headlines import choose_headline
from izwi.text.metadata.shown_dates import OF_A_TEASER
from izwi.text.metadata.visible import OF_A_THREAD, shown_claims

_MOST_KEYWORDS = 50


def read_metadata(
    html: str, url: str, hints: Hints, *, captured: date, page_type: str = ""
) -> Metadata:
    """Return what a page, its URL and its feed say; a date is never later than the capture."""
    return choose(read_claims(html, url, hints), url, captured, page_type)


def read_claims(
    html: str, url: str, hints: Hints, page: LexborHTMLParser | None = None
) -> tuple[Claim, ...]:
    """Return every claim about a page, those more trusted first; who has it parsed may give it."""
    page = page or LexborHTMLParser(html)
    if "<rt" in html:  # how characters of a title or a name are read aloud is no part of them
        page.strip_tags(["rt", "rp", "rtc"])
    found = (
        *json_ld_claims(page), *meta_claims(page), *microdata_claims(page), *feed_claims(hints),
        *shown_claims(page, url), *link_claims(page, url), *host_claims(url),
    )  # fmt: skip
    is_dated = any(claim.property in ("datePublished", "dateModified") for claim in found)
    return found if is_dated else (*found, *data_claims(html))


def choose(claims: Sequence[Claim], url: str, captured: date, page_type: str = "") -> Metadata:
    """Return for each property the claim the rule prefers on a page of this type."""
    return Metadata(
        page_type=page_type,
        title=choose_headline(claims, url, page_type),
        author=choose_author(claims),
        date=published(claims, url, captured),
        section=first(claims, "articleSection"),
        site=_site(claims),
        modified=modified(claims, url, captured),
        keywords=_keywords(claims),
        language=first(claims, "inLanguage"),
        licence=first(claims, "license"),
        url_canonical=first(claims, "url"),
        image=first(claims, "image"),
        claims=(*claims, *_explained(conflict(claims, url, captured))),
    )


def _explained(words: str) -> tuple[Claim, ...]:
    """Return why one of several dates was chosen, as a claim of its own."""
    return (Claim("dateConflict", words, "rule"),) if words else ()


def first(claims: Sequence[Claim], name: str) -> str:
    """Return the value of the most trusted claim for a property."""
    return next((claim.value for claim in claims if claim.property == name), "")


def _keywords(claims: Sequence[Claim]) -> tuple[str, ...]:
    """Return the words the page files itself under, each once."""
    listed = (word.strip() for word in first(claims, "keywords").split(","))
    return tuple(dict.fromkeys(word for word in listed if word))[:_MOST_KEYWORDS]


def _site(claims: Sequence[Claim]) -> str:
    """Return the name the site goes by: for sharing, in its feed, else its host."""
    for evidence in ("meta og:site_name", "feed", "URL"):
        for claim in claims:
            if claim.property == "publisher" and claim.evidence == evidence:
                return claim.value
    return first(claims, "publisher")


_URL_DATES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?=[/_-]|$)"), "day"),
    (re.compile(r"/((?:19|20)\d\d)/([^\W\d]{3,12})/(\d\d?)(?=/|$)"), "day"),
    (re.compile(r"/((?:19|20)\d\d)/(\d\d)(?=/)"), "month"),
)
_READ_BY_PEOPLE = frozenset({"shown date", "line of text", "URL"})
_LINE = "line of text"
_SHOWN = frozenset({"shown date", "line of text"})
_STRUCTURED, _VAGUE, _LAST = 2, 5, 9
_DATED_FIRST = {
    "portal": 0, "meta article:published_time": 1, "URL": 3, OF_A_THREAD: 3, "time element": 4,
    "shown date": 6, "page's data": 6, "line of text": 7, OF_A_TEASER: 8,
}  # fmt: skip
# Systems that know no better name for it write the day of the last change there, too.
_VAGUE_PLACES = frozenset({"meta date", "meta dc.date", "meta dcterms.date", "meta ms.date"})
# A page marks up as many days only where it lists other pages.
_MOST_MARKED = 2
_EARLIEST = 1990
_DATE_CLAIMS = ("datePublished", "dateModified")
_MONTHS_FIRST = frozenset({"en", "en-us", "en-ph"})
# Endings of countries that write the month first, now and then or always, and those that anybody
# takes.
_NO_COUNTRY = frozenset(
    {"us", "ph", "ca", "pr", "vi", "gu", "fm", "mh", "pw", "ai", "am", "as", "cc", "co", "eu", "gg",
     "gl", "im", "io", "la", "ly", "me", "sh", "so", "st", "tk", "to", "tv", "vc", "ws"}
)  # fmt: skip
_NUMBERS = re.compile(r"(?<!\d)(\d\d?)([/.-])(\d\d?)\2\d{2,4}(?!\d)")
_MONTHS = 12
# Pages with lists of others have dozens of dates.
_MOST_TOLD = 4


class Dated(NamedTuple):
    """A day that a page or its URL claims, and the words it claims it with."""

    day: PublicationDate
    said: str


def published(claims: Sequence[Claim], url: str, captured: date) -> PublicationDate | None:
    """Return the first date that is possible, in the order of how often each place is right."""
    found = [*_days(claims, "datePublished", url), *_url_dates(url)]
    found = [dated for dated in found if dated.day.value <= captured]
    changes = _days(claims, "dateModified", url)
    changed = [dated for dated in changes if dated.day.value <= captured]
    if not found:
        # A page that tells only when it was changed last was published by then.
        return changed[0].day if changed else None
    lists = len({d.day.value for d in found if d.day.evidence == "microdata"}) > _MOST_MARKED
    found.sort(key=lambda dated: _trust(dated.day, lists))
    best = _before_change(found, changed)
    if best.day.precision != "day":
        return best.day
    lines = {dated.day.value for dated in found if dated.day.evidence == _LINE}
    seen = [dated for dated in changed if dated.day.evidence in ("shown date", "time element")]
    if best.day.evidence == _LINE and len(lines) > 1 and seen:
        # Several dates among short lines are those of other pages.
        return seen[0].day
    return best.day if best.day.evidence in _READ_BY_PEOPLE else _at_the_place(best, found)


def conflict(claims: Sequence[Claim], url: str, captured: date) -> str:
    """Return why one of several dates of publication was believed, in words; nothing if all agree.

    >>> told = [Claim("datePublished", "2021-03-05", "JSON-LD"),
    ...         Claim("datePublished", "1 March 2021", "shown date")]
    >>> conflict(told, "", date(2022, 1, 1))
    '2021-03-05 (JSON-LD) was believed before 2021-03-01 (shown date)'
    """
    chosen = published(claims, url, captured)
    found = [dated.day for dated in (*_days(claims, "datePublished", url), *_url_dates(url))]
    others = {
        day.value: day.evidence
        for day in reversed(found)
        if chosen and day.precision == "day" and day.value != chosen.value
    }
    if not chosen or not others:
        return ""
    listed = ", ".join(f"{day} ({words})" for day, words in sorted(others.items())[:_MOST_TOLD])
    late = " (a date later than the capture is never believed)" if max(others) > captured else ""
    return f"{chosen.value} ({chosen.evidence}) was believed before {listed}{late}"


def modified(claims: Sequence[Claim], url: str, captured: date) -> PublicationDate | None:
    """Return the first date of a change that is possible and not later than the capture."""
    days = (dated.day for dated in _days(claims, "dateModified", url))
    return next((day for day in days if day.value <= captured), None)


def _trust(day: PublicationDate, lists: bool) -> int:
    """Return the rank of a date's evidence, the lowest first."""
    if day.precision != "day":
        return _LAST
    if lists and day.evidence == "microdata":
        return _LAST
    return _DATED_FIRST.get(day.evidence, _VAGUE if day.evidence in _VAGUE_PLACES else _STRUCTURED)


def _before_change(found: Sequence[Dated], changed: Sequence[Dated]) -> Dated:
    """Return the best date; one that is that of a change too gives way to an earlier one shown."""
    best = found[0]
    # Meta elements have another name for each, so they never give way: that would lose dates.
    same = [c for c in changed if c.day.evidence == best.day.evidence]
    shown = [dated for dated in found if dated.day.evidence in _SHOWN]
    if same and shown and (same[0].said == best.said or _is_before(same[0], best)):
        return min(best, shown[0], key=lambda dated: dated.day.value)
    return best


def _is_before(change: Dated, best: Dated) -> bool:
    """Return whether a day of publication is later than that of a change, and so one of a change.

    Posts that wait for their hour are changed before it; those have time stamps.
    """
    return _moment(best.said) is None and change.day.value < best.day.value


def _at_the_place(best: Dated, found: Sequence[Dated]) -> PublicationDate:
    """Return the day where the page was written: machines tell UTC, and there it was night."""
    shown = [dated.day for dated in found if dated.day.evidence in _READ_BY_PEOPLE]
    moment = _moment(best.said)
    is_utc = moment is not None and not moment.utcoffset()
    address = [day for day in shown if day.evidence == "URL" and day.precision == "day"]
    if is_utc and address and abs((address[0].value - best.day.value).days) == 1:
        return PublicationDate(address[0].value, "day", best.day.evidence)
    days_shown = {day.value for day in shown if day.evidence == "shown date"}
    local = _local(moment, found) if moment and is_utc else None
    # Where readers are shown the day of UTC, that is the page's own.
    if local and (local in days_shown or best.day.value not in days_shown):
        return PublicationDate(local, "day", best.day.evidence)
    if any(day.value == best.day.value for day in shown):
        return best.day
    # A time stamp with a zone is local already; only what readers see first is believed more.
    has_zone = moment is not None and bool(moment.utcoffset())
    looked_at = [day for day in shown[:1] if day.evidence != _LINE] if has_zone else shown
    near = (day for day in looked_at if abs((day.value - best.day.value).days) == 1)
    return next(near, best.day)


def _local(moment: datetime, found: Sequence[Dated]) -> date | None:
    """Return the day of a moment where the page tells the same moment in local time."""
    others = (other for dated in found if (other := _moment(dated.said)) and other.utcoffset())
    same = (other.date() for other in others if abs(other - moment) < timedelta(minutes=1))
    return next(same, None)


def _moment(said: str) -> datetime | None:
    """Return the moment of a full time stamp; one without a zone is taken as UTC."""
    try:
        moment = datetime.fromisoformat(said.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _days(claims: Sequence[Claim], name: str, url: str) -> Iterator[Dated]:
    is_month_first = _writes_months_first(claims, url)
    for claim in claims:
        if claim.property != name:
            continue
        day = find_date(claim.value, month_first=is_month_first)
        if day and day.year >= _EARLIEST:
            yield Dated(PublicationDate(day, "day", claim.evidence), claim.value)


def _writes_months_first(claims: Sequence[Claim], url: str) -> bool:
    """Return whether 03-09-2026 is in March: by the page's other dates, else by its language.

    A number above twelve is no month, and tells of the page's others. Templates say en-US of pages
    of all countries: where the host has that of one, this tells.
    """
    said = [claim.value for claim in claims if claim.property in _DATE_CLAIMS]
    both = {text: (find_date(text), find_date(text, month_first=True)) for text in said}
    sure = {first for first, other in both.values() if first and first == other}
    unsure = [days for days in both.values() if days[0] != days[1]]
    if unsure and any(first in sure for first, _ in unsure):
        return False
    if unsure and any(other in sure for _, other in unsure):
        return True
    numbers = [(int(day), int(month)) for text in said for day, _, month in _NUMBERS.findall(text)]
    if any(month > _MONTHS for _, month in numbers) != any(day > _MONTHS for day, _ in numbers):
        return any(month > _MONTHS for _, month in numbers)
    language = next((claim.value for claim in claims if claim.property == "inLanguage"), "")
    return language.replace("_", "-").lower() in _MONTHS_FIRST and not _has_country(url)


def _has_country(url: str) -> bool:
    """Whether a host is of a country that writes the day first, as its ending says."""
    try:
        ending = (urlsplit(url).hostname or "").rpartition(".")[2]
    except ValueError:
        return False
    return len(ending) == 2 and ending.isalpha() and ending not in _NO_COUNTRY


def _url_dates(url: str) -> Iterator[Dated]:
    try:
        path = urlsplit(url).path
    except ValueError:
        return
    for pattern, precision in _URL_DATES:
        match = pattern.search(path)
        said = match.groups() if match else ()
        parts = [
            part if part.isdigit() else str(month_numbers().get(part.lower())) for part in said
        ]
        day = calendar_day(*parts, *["1"] * (3 - len(parts))) if parts else None
        if day and day.year >= _EARLIEST:
            yield Dated(PublicationDate(day, "day" if precision == "day" else "month", "URL"), "")
