"""The page, feed or site map of a publication for a path: pure, so the same bytes every time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import format_datetime
from functools import cache, lru_cache
from urllib.parse import parse_qsl, urlencode, urlsplit
from zlib import crc32

from jinja2 import Environment, PackageLoader, StrictUndefined

from izwi.demoweb.articles import PUBLICATIONS, Article, Publication, articles_of
from izwi.demoweb.sites import (
    BUILT_AT,
    Charset,
    View,
    article_path,
    article_url,
    long_date,
    published_at,
    section_link,
    sections,
    views,
)

_FEED_SIZE = 15
_SIDE_SIZE = 5
_MISSING = View("plain.html", "404", text=("This page does not exist, or no longer does.",))
_PAGE_NUMBERS = {"page", "p"}


@dataclass(frozen=True, slots=True)
class Page:
    """What the server sends for one address."""

    status: int
    content_type: str
    body: bytes


@lru_cache(maxsize=4096)
def page_for(publication: Publication, target: str) -> Page:
    """Return the page at a path with its query; queries that the site does not know are ignored."""
    path = _known_part(target)
    if file := _file(publication, path):
        return file
    view = views(publication).get(path)
    if view is None:
        return _encoded(publication, path, _MISSING, status=404)
    return _encoded(publication, path, view, status=200)


def index_page() -> Page:
    """Return what the server says about itself to who asks it directly."""
    html = _environment().get_template("index.html").render(publications=PUBLICATIONS.values())
    return Page(200, "text/html; charset=utf-8", html.encode())


def _known_part(target: str) -> str:
    parts = urlsplit(target)
    numbers = [pair for pair in parse_qsl(parts.query) if pair[0] in _PAGE_NUMBERS]
    query = f"?{urlencode(numbers)}" if numbers else ""
    return f"{parts.path or '/'}{query}"


def _file(publication: Publication, path: str) -> Page | None:
    """Return what a site has besides pages for people."""
    articles = articles_of(publication.key)
    if path == "/robots.txt":
        return Page(200, "text/plain; charset=utf-8", _robots(publication).encode())
    if path == "/sitemap.xml":
        return Page(200, "application/xml", _listed("sitemap", publication, articles, "utf-8"))
    if path != publication.feed_path:
        return None
    kind, encoding = publication.feed_kind, publication.feed_encoding
    newest = articles[:_FEED_SIZE]
    return Page(200, f"application/{kind}+xml", _listed(kind, publication, newest, encoding))


def _listed(
    kind: str, publication: Publication, articles: Sequence[Article], encoding: str
) -> bytes:
    """Return a feed or a site map of articles in the encoding that it names."""
    content = {"publication": publication, "articles": articles, "encoding": encoding}
    text = _environment().get_template(f"{kind}.xml").render(content, built=BUILT_AT)
    return text.encode(encoding, "xmlcharrefreplace")


def _robots(publication: Publication) -> str:
    disallowed = "/private/" if publication.private_path else ""
    sitemap = publication.url("/sitemap.xml")
    return f"User-agent: *\nDisallow: {disallowed}\n\nSitemap: {sitemap}\n"


def _encoded(publication: Publication, path: str, view: View, *, status: int) -> Page:
    """Return a rendered page in the bytes, and under the name, that its charset asks for."""
    if view.charset is Charset.CALLED_UTF8:
        body = _render(publication, path, view, meta="utf-8").encode("cp1252", "xmlcharrefreplace")
        return Page(status, "text/html; charset=utf-8", body)
    if view.charset is Charset.CALLED_LATIN1:
        body = _render(publication, path, view, meta="iso-8859-1").encode()
        return Page(status, "text/html", body)
    body = _render(publication, path, view, meta="utf-8").encode()
    return Page(status, "text/html; charset=utf-8", body)


def _render(publication: Publication, path: str, view: View, *, meta: str) -> str:
    name = view.template if view.template == "plain.html" else f"{publication.key}/{view.template}"
    return _environment().get_template(name).render(_context(publication, path, view, meta=meta))


def _context(publication: Publication, path: str, view: View, *, meta: str) -> Mapping[str, object]:
    articles = articles_of(publication.key)
    return {
        "publication": publication,
        "view": view,
        "article": view.article,
        "is_home": path == "/",
        "url": publication.url(path),
        "meta_charset": meta,
        "sections": sections(publication),
        "latest": articles[:_SIDE_SIZE],
        "popular": _popular(articles, path),
        "related": _related(articles, view.article),
        "months": views(publication)[publication.archive_path].links,
    }


def _popular(articles: tuple[Article, ...], path: str) -> list[Article]:
    """Return articles that have nothing to do with the page, in an order of its own."""
    return sorted(articles, key=lambda each: crc32(f"{path} {each.slug}".encode()))[:_SIDE_SIZE]


def _related(articles: tuple[Article, ...], article: Article | None) -> list[Article]:
    if article is None:
        return []
    same = [each for each in articles if each.section == article.section and each != article]
    return same[:_SIDE_SIZE]


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("izwi.demoweb"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["path"] = article_path
    environment.filters["section"] = section_link
    environment.filters["long_date"] = long_date
    environment.filters["moment"] = published_at
    environment.filters["address"] = article_url
    environment.filters["mail_date"] = format_datetime
    return environment
