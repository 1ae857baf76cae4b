"""Title, author, dates and the rest: all claims kept, one chosen by a stated rule.

The rule: of the claims for a property the first counts, in the order JSON-LD, meta elements,
microdata, feed, page; a date must be possible and not later than the capture.
"""

import re
from collections.abc import Iterator, Sequence
from datetime import date
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from izwi.model.capture import Hints
from izwi.model.document import Claim, Metadata, PublicationDate
from izwi.text.authors import choose_author, letters
from izwi.text.claims import (
    feed_claims,
    host_claims,
    json_ld_claims,
    link_claims,
    meta_claims,
    microdata_claims,
)
from izwi.text.dates import calendar_day, find_date
from izwi.text.shown import shown_claims

_URL_DATES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/((?:19|20)\d\d)[/-](\d\d?)[/-](\d\d?)(?=[/_-]|$)"), "day"),
    (re.compile(r"/((?:19|20)\d\d)/(\d\d)(?=/)"), "month"),
)
_LAST_RESORTS = ("line of text",)
_READ_BY_PEOPLE = frozenset({"shown date", "line of text"})
_DATED_FIRST = {"portal": 0, "meta article:published_time": 1}
_WORDS = re.compile(r"\w+")
_SHORTEST_TITLE = 3
_MOST_KEYWORDS = 50
_SEPARATORS = re.compile(r"\s+[|»«·•:—–-]\s+|\s*[|]\s*")


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
        title=_title(claims),
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


def _title(claims: Sequence[Claim]) -> str:
    """Return the headline: what structured data calls so, else a heading that the title repeats."""
    named = {
        claim.evidence: claim.value for claim in reversed(claims) if claim.property == "headline"
    }
    if "portal" in named:
        return named["portal"]
    heading, title = (
        named.get("h1", ""),
        named.get("meta og:title") or named.get("title element", ""),
    )
    # Of the places measured (docs/explanation/extraction.md) the h1 is right most often, if the
    # title speaks of the same thing; if it does not, the h1 is the site's or a section's name.
    is_site = letters(heading) == letters(_SEPARATORS.split(title)[-1]) != letters(title)
    if len(heading) > _SHORTEST_TITLE and _overlap(heading, title) >= 0.5 and not is_site:
        return heading
    said = named.get("JSON-LD") or named.get("meta og:title") or named.get("feed") or title
    return _without_site(said or first(claims, "headline"), claims)


def _overlap(heading: str, title: str) -> float:
    words = set(_WORDS.findall(heading.lower()))
    return len(words & set(_WORDS.findall(title.lower()))) / len(words) if words else 0.0


def _without_site(title: str, claims: Sequence[Claim]) -> str:
    """Return a title without the site's name at its end."""
    parts = _SEPARATORS.split(title)
    if len(parts) < 2:
        return title
    site = set(_WORDS.findall(_site(claims).lower()))
    last = set(_WORDS.findall(parts[-1].lower()))
    is_site = bool(last & site) or "".join(sorted(last)) in _site(claims).lower().replace("-", "")
    return title[: title.rindex(parts[-1])].rstrip(" |»«·•:—–-") if is_site else title


def _date(claims: Sequence[Claim], url: str, captured: date) -> PublicationDate | None:
    """Return the first date that is possible, in the order of how often each place is right."""
    dated = [claim for claim in claims if claim.property == "datePublished"]
    # What a page gives to social networks was right in 57 of 60 cases, JSON-LD in 63 of 72.
    dated.sort(key=lambda claim: _DATED_FIRST.get(claim.evidence, 2))
    found = (_day(claim) for claim in dated)
    days = [day for day in found if day]
    sure = [day for day in days if day.evidence not in _LAST_RESORTS]
    in_url = list(_url_dates(url))
    exact = [day for day in in_url if day.precision == "day"]
    candidates = [*sure, *exact, *days, *in_url]
    best = next((day for day in candidates if day.value <= captured), None)
    return _as_shown(best, days) if best and best.precision == "day" else best


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
