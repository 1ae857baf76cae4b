"""What a publication has at which path, how it prints dates, what a perfect corpus would hold."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone
from enum import StrEnum
from functools import cache
from itertools import groupby
from zlib import crc32

from izwi.demoweb.articles import (
    FIRST_DAY,
    PUBLICATIONS,
    Article,
    Publication,
    articles_of,
)

_HOME_SIZE = 10
_FURNITURE = {"en": ("About us", "Contact"), "af": ("Oor ons", "Kontak")}


class Charset(StrEnum):
    """How the bytes of a page relate to what is said about them."""

    RIGHT = "utf-8"
    CALLED_UTF8 = "windows-1252 called utf-8"
    CALLED_LATIN1 = "utf-8 called iso-8859-1"


@dataclass(frozen=True, slots=True)
class Link:
    """A path and the words that link to it."""

    path: str
    label: str


@dataclass(frozen=True, slots=True)
class View:
    """What a page shows: an article, a list of articles, links or plain text."""

    template: str
    title: str
    article: Article | None = None
    articles: tuple[Article, ...] = ()
    links: tuple[Link, ...] = ()
    text: tuple[str, ...] = ()
    newer: str | None = None
    older: str | None = None
    charset: Charset = Charset.RIGHT


def article_url(article: Article) -> str:
    """Return the address of an article."""
    return PUBLICATIONS[article.publication].url(article_path(article))


def article_path(article: Article) -> str:
    """Return the path of an article; it always tells the true date, if it tells one."""
    return PUBLICATIONS[article.publication].article_path.format(
        slug=article.slug,
        date=article.date,
        section=_slug(article.section),
        language=article.language,
        number=_number(article),
    )


@cache
def views(publication: Publication) -> Mapping[str, View]:
    """Return everything a publication shows, by path and query."""
    return dict(
        [
            *_paged(publication),
            *_dated(publication),
            *_fixed(publication),
            *((link.path, _section(publication, link)) for link in sections(publication)),
            *_articles(publication),
        ]
    )


@cache
def sections(publication: Publication) -> tuple[Link, ...]:
    """Return the links of a publication's navigation."""
    names = sorted({article.section for article in articles_of(publication.key)})
    return tuple(Link(_section_path(publication, name), name) for name in names)


def section_link(article: Article) -> Link:
    """Return the link to an article's section."""
    publication = PUBLICATIONS[article.publication]
    return Link(_section_path(publication, article.section), article.section)


def _section_path(publication: Publication, name: str) -> str:
    return publication.section_path.format(section=_slug(name))


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _number(article: Article) -> int:
    """Return a number that grows with the date, as content management systems give them."""
    return 10_000 + (article.date - FIRST_DAY).days * 10 + crc32(article.slug.encode()) % 10


def _articles(publication: Publication) -> Iterator[tuple[str, View]]:
    charsets = list(Charset) if publication.has_wrong_charsets else [Charset.RIGHT]
    for i, article in enumerate(articles_of(publication.key)):
        charset = charsets[i % len(charsets)]
        yield (
            article_path(article),
            View("article.html", article.title, article=article, charset=charset),
        )


def _fixed(publication: Publication) -> Iterator[tuple[str, View]]:
    latest = articles_of(publication.key)[:_HOME_SIZE]
    about, contact = _FURNITURE[publication.language]
    yield "/", View("listing.html", publication.name, articles=latest, older=_second(publication))
    yield "/about", View("plain.html", about, text=publication.about)
    yield "/contact", View("plain.html", contact, text=publication.contact)
    if publication.private_path:
        unfinished = ("This page is for the newsroom. No robot should ever have read it.",)
        yield publication.private_path, View("plain.html", "Drafts", text=unfinished)


def _second(publication: Publication) -> str | None:
    if publication.page_path and len(articles_of(publication.key)) > publication.page_size:
        return publication.page_path.format(n=2)
    return None


def _section(publication: Publication, link: Link) -> View:
    found = [each for each in articles_of(publication.key) if section_link(each) == link]
    return View("listing.html", link.label, articles=tuple(found))


def _paged(publication: Publication) -> Iterator[tuple[str, View]]:
    if not publication.page_path:
        return
    found, size = articles_of(publication.key), publication.page_size
    paths = [publication.page_path.format(n=n + 1) for n in range(-(-len(found) // size))]
    for n, path in enumerate(paths):
        view = View(
            "listing.html",
            f"{n + 1} / {len(paths)}",
            articles=found[n * size : (n + 1) * size],
            newer=paths[n - 1] if n else None,
            older=paths[n + 1] if n + 1 < len(paths) else None,
        )
        yield path, view
        if n == 0 and not publication.month_path:
            yield publication.archive_path, view


def _dated(publication: Publication) -> Iterator[tuple[str, View]]:
    """Yield an index of months, the months, and their days where the site has pages of days."""
    if not publication.month_path:
        return
    months = _by_date(publication.month_path, articles_of(publication.key))
    links = tuple(Link(path, _month(group[0].date, publication)) for path, group in months)
    yield publication.archive_path, View("listing.html", "Archive", links=links)
    for link, (path, group) in zip(links, months, strict=True):
        if publication.day_path:
            yield from _days(publication, publication.day_path, link, group)
        else:
            yield path, View("listing.html", link.label, articles=tuple(group))


def _days(
    publication: Publication, pattern: str, month: Link, articles: Sequence[Article]
) -> Iterator[tuple[str, View]]:
    days = _by_date(pattern, articles)
    links = tuple(
        Link(path, long_date(group[0].date, publication.language)) for path, group in days
    )
    yield month.path, View("listing.html", month.label, links=links)
    for link, (path, group) in zip(links, days, strict=True):
        yield path, View("listing.html", link.label, articles=tuple(group))


def _month(day: date, publication: Publication) -> str:
    return f"{month_name(day, publication.language)} {day.year}"


def _by_date(pattern: str, articles: Sequence[Article]) -> list[tuple[str, list[Article]]]:
    groups = groupby(articles, key=lambda article: pattern.format(date=article.date))
    return [(path, list(group)) for path, group in groups]


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


def feed_urls() -> Mapping[str, str]:
    """Return the feed of each publication by its key."""
    return {key: each.url(each.feed_path) for key, each in PUBLICATIONS.items()}


def archive_urls() -> Mapping[str, str]:
    """Return the page where the archive of each publication begins, by its key."""
    return {key: each.url(each.archive_path) for key, each in PUBLICATIONS.items()}
