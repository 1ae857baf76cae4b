"""Title, author, date, section and site of a page, each from the most trusted place that has it."""

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

from selectolax.lexbor import LexborHTMLParser

from izwi.model.capture import Hints
from izwi.model.document import Metadata, PublicationDate
from izwi.text.decode import tidy

_ARTICLE = re.compile(r"(Article|Posting|Report|WebPage)$")
_URL_DATES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"/((?:19|20)\d\d)[/-](\d\d)[/-](\d\d)(?=[/_-]|$)"), "day"),
    (re.compile(r"/((?:19|20)\d\d)/(\d\d)(?=/)"), "month"),
)
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_SPACE = re.compile(r"\s+")


def read_metadata(html: str, url: str, hints: Hints, *, captured: date) -> Metadata:
    """Return what a page, its URL and its feed say; a date is never later than the capture."""
    page = LexborHTMLParser(html)
    article = _json_ld(page)
    return Metadata(
        title=_first(
            article.get("headline"), _meta(page, "og:title"), hints.title, _text(page, "title")
        ),
        author=_first(_names(article.get("author")), _meta(page, "author"), hints.author),
        date=_date(page, article, url, hints, captured),
        section=_first(article.get("articleSection"), _meta(page, "article:section")),
        site=_first(_meta(page, "og:site_name"), urlsplit(url).hostname),
    )


def _date(
    page: LexborHTMLParser, article: dict[str, Any], url: str, hints: Hints, captured: date
) -> PublicationDate | None:
    """Return the first date that is possible, in the order of how often each place is right."""
    claims = (
        (article.get("datePublished"), "JSON-LD"),
        (_meta(page, "article:published_time"), "meta article:published_time"),
        (_itemprop(page, "datePublished"), "microdata"),
        (hints.date, "feed"),
        (_attribute(page, "time[datetime]", "datetime"), "time element"),
    )
    found = (_day(value, evidence) for value, evidence in claims)
    candidates = [*(day for day in found if day), *_url_dates(url)]
    return next((day for day in candidates if day.value <= captured), None)


def _day(value: object, evidence: str) -> PublicationDate | None:
    match = _ISO.search(value) if isinstance(value, str) else None
    day = _calendar_day(*match.groups()) if match else None
    return PublicationDate(day, "day", evidence) if day else None


def _url_dates(url: str) -> Iterator[PublicationDate]:
    for pattern, precision in _URL_DATES:
        match = pattern.search(urlsplit(url).path)
        parts = match.groups() if match else ()
        day = _calendar_day(*parts, *["1"] * (3 - len(parts))) if parts else None
        if day:
            yield PublicationDate(day, "day" if precision == "day" else "month", "URL")


def _calendar_day(year: str, month: str, day: str) -> date | None:
    try:
        return datetime(int(year), int(month), int(day)).date()
    except ValueError:
        return None


def _json_ld(page: LexborHTMLParser) -> dict[str, Any]:
    """Return the first schema.org object that describes an article or a page."""
    for script in page.css('script[type="application/ld+json"]')[:20]:
        try:
            data = json.loads(script.text())
        except (ValueError, RecursionError):
            continue
        for item in _objects(data):
            kind = item.get("@type")
            if any(
                _ARTICLE.search(str(name)) for name in (kind if isinstance(kind, list) else [kind])
            ):
                return item
    return {}


def _objects(data: object) -> Iterable[dict[str, Any]]:
    if isinstance(data, list):
        return (item for item in data if isinstance(item, dict))
    if isinstance(data, dict) and isinstance(data.get("@graph"), list):
        return (item for item in data["@graph"] if isinstance(item, dict))
    return [data] if isinstance(data, dict) else []


def _names(author: object) -> str:
    people = author if isinstance(author, list) else [author]
    names = (person.get("name") if isinstance(person, dict) else person for person in people)
    return ", ".join(name for name in names if isinstance(name, str))


def _meta(page: LexborHTMLParser, name: str) -> str:
    return _attribute(page, f'meta[property="{name}"], meta[name="{name}"]', "content")


def _itemprop(page: LexborHTMLParser, name: str) -> str:
    return _attribute(page, f'[itemprop="{name}"]', "content") or _attribute(
        page, f'[itemprop="{name}"]', "datetime"
    )


def _attribute(page: LexborHTMLParser, selector: str, name: str) -> str:
    node = page.css_first(selector)
    return (node.attributes.get(name) or "") if node else ""


def _text(page: LexborHTMLParser, selector: str) -> str:
    node = page.css_first(selector)
    return node.text() if node else ""


def _first(*values: object) -> str:
    texts = (_SPACE.sub(" ", tidy(value)).strip() for value in values if isinstance(value, str))
    return next((text for text in texts if text), "")[:500]
