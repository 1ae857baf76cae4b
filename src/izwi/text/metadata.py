"""Title, author, dates and the rest: all claims kept, one chosen by a stated rule.

The rule: of the claims for a property the first counts, in the order JSON-LD, meta elements,
microdata, feed, page; a date must be possible and not later than the capture. Headlines have
rules of their own in text/headlines.py, authors in text/authors.py.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from izwi.model.capture import Hints
from izwi.model.document import Claim, Metadata, PublicationDate
from izwi.text.authors import choose_author
from izwi.text.claims import (
    feed_claims,
    host_claims,
    json_ld_claims,
    link_claims,
    meta_claims,
    microdata_claims,
)
from izwi.text.dates import calendar_day, find_date
from izwi.text.headlines import choose_headline
from izwi.text.shown import shown_claims

_URL_DATES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?=[/_-]|$)"), "day"),
    (re.compile(r"/((?:19|20)\d\d)/(\d\d)(?=/)"), "month"),
)
_READ_BY_PEOPLE = frozenset({"shown date", "line of text", "URL"})
# What a page gives to social networks was right in 57 of 60 cases, JSON-LD in 63 of 72.
_STRUCTURED, _VAGUE, _LAST = 2, 5, 8
_DATED_FIRST = {
    "portal": 0, "meta article:published_time": 1, "URL": 3, "time element": 4, "shown date": 6,
    "line of text": 7,
}  # fmt: skip
# Systems that know no better name for it write the day of the last change there, too.
_VAGUE_PLACES = frozenset({"meta date", "meta dc.date", "meta dcterms.date"})
_MOST_KEYWORDS = 50


def read_metadata(
    html: str, url: str, hints: Hints, *, captured: date, portal: Sequence[Claim] = ()
) -> Metadata:
    """Return what a page, its URL and its feed say; a date is never later than the capture.

    What the rules for a portal found counts before all else.
    """
    claims = (*portal, *read_claims(html, url, hints))
    return choose(claims, url, captured)


def read_claims(html: str, url: str, hints: Hints) -> tuple[Claim, ...]:
    """Return every claim about a page, those more trusted first."""
    page = LexborHTMLParser(html)
    return (
        *json_ld_claims(page), *meta_claims(page), *microdata_claims(page), *feed_claims(hints),
        *shown_claims(page), *link_claims(page, url), *host_claims(url),
    )  # fmt: skip


def choose(claims: Sequence[Claim], url: str, captured: date) -> Metadata:
    """Return for each property the claim the rule prefers."""
    return Metadata(
        title=choose_headline(claims),
        author=choose_author(claims),
        date=_date(claims, url, captured),
        section=first(claims, "articleSection"),
        site=_site(claims),
        modified=_modified(claims, captured),
        keywords=_keywords(claims),
        language=first(claims, "inLanguage"),
        licence=first(claims, "license"),
        url_canonical=first(claims, "url"),
        image=first(claims, "image"),
        claims=tuple(claims),
    )


def first(claims: Sequence[Claim], name: str) -> str:
    """Return the value of the most trusted claim for a property."""
    return next((claim.value for claim in claims if claim.property == name), "")


def _keywords(claims: Sequence[Claim]) -> tuple[str, ...]:
    """Return the words the page files itself under, each once."""
    listed = (word.strip() for word in first(claims, "keywords").split(","))
    return tuple(dict.fromkeys(word for word in listed if word))[:_MOST_KEYWORDS]


def _modified(claims: Sequence[Claim], captured: date) -> PublicationDate | None:
    """Return the first date of a change that is possible and not later than the capture."""
    days = (_day(claim) for claim in claims if claim.property == "dateModified")
    return next((day for day in days if day and day.value <= captured), None)


def _site(claims: Sequence[Claim]) -> str:
    """Return the name the site goes by: what it calls itself for sharing, else its host."""
    for evidence in ("meta og:site_name", "URL"):
        for claim in claims:
            if claim.property == "publisher" and claim.evidence == evidence:
                return claim.value
    return first(claims, "publisher")


def _date(claims: Sequence[Claim], url: str, captured: date) -> PublicationDate | None:
    """Return the first date that is possible, in the order of how often each place is right."""
    dated = [claim for claim in claims if claim.property == "datePublished"]
    days = [day for claim in dated if (day := _day(claim))]
    days = [day for day in [*days, *_url_dates(url)] if day.value <= captured]
    days.sort(key=_trust)
    if not days:
        # A page that tells only when it was changed last was published by then.
        return _modified(claims, captured)
    best = days[0]
    return _as_shown(best, days) if best.precision == "day" else best


def _trust(day: PublicationDate) -> int:
    """Return the rank of a date's evidence, the lowest first."""
    if day.precision != "day":
        return _LAST
    return _DATED_FIRST.get(day.evidence, _VAGUE if day.evidence in _VAGUE_PLACES else _STRUCTURED)


def _as_shown(best: PublicationDate, days: Sequence[PublicationDate]) -> PublicationDate:
    """Return the day readers see: machines write UTC, and the day is another where it was night."""
    if best.evidence in _READ_BY_PEOPLE:
        return best
    shown = (day for day in days if day.evidence in _READ_BY_PEOPLE)
    near = (day for day in shown if abs((day.value - best.value).days) == 1)
    is_agreed = any(day.value == best.value for day in days if day.evidence in _READ_BY_PEOPLE)
    return best if is_agreed else next(near, best)


def _day(claim: Claim) -> PublicationDate | None:
    day = find_date(claim.value)
    return PublicationDate(day, "day", claim.evidence) if day and day.year >= 1990 else None


def _url_dates(url: str) -> Iterator[PublicationDate]:
    try:
        path = urlsplit(url).path
    except ValueError:
        return
    for pattern, precision in _URL_DATES:
        match = pattern.search(path)
        parts = match.groups() if match else ()
        day = calendar_day(*parts, *["1"] * (3 - len(parts))) if parts else None
        if day:
            yield PublicationDate(day, "day" if precision == "day" else "month", "URL")
