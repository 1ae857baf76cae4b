"""Feeds and site maps, in the vocabularies that sites use."""

from collections.abc import Sequence
from email.utils import format_datetime
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

from izwi.demoweb.articles import Article
from izwi.demoweb.dates import BUILT_AT, published_at
from izwi.demoweb.publications import Publication
from izwi.demoweb.sites import article_url

ATOM = "http://www.w3.org/2005/Atom"
DUBLIN_CORE = "http://purl.org/dc/elements/1.1/"
SITEMAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


def render_rss(publication: Publication, articles: Sequence[Article]) -> bytes:
    """Return an RSS 2.0 feed in the encoding of the publication."""
    rss = Element("rss", {"version": "2.0", "xmlns:dc": DUBLIN_CORE})
    channel = SubElement(rss, "channel")
    _add(channel, "title", publication.name)
    _add(channel, "link", publication.home)
    _add(channel, "description", publication.tagline)
    _add(channel, "language", f"{publication.language}-ZA")
    _add(channel, "lastBuildDate", format_datetime(BUILT_AT))
    for article in articles:
        item = SubElement(channel, "item")
        _add(item, "title", article.title)
        _add(item, "link", article_url(article))
        _add(item, "guid", article_url(article))
        _add(item, "pubDate", format_datetime(published_at(article)))
        _add(item, "category", article.section)
        _add(item, "dc:creator", article.author)
        _add(item, "description", article.teaser)
    return _bytes(rss, publication.feed_encoding)


def render_atom(publication: Publication, articles: Sequence[Article]) -> bytes:
    """Return an Atom feed."""
    feed = Element("feed", {"xmlns": ATOM})
    _add(feed, "title", publication.name)
    _add(feed, "subtitle", publication.tagline)
    _add(feed, "id", publication.home)
    _add(feed, "updated", BUILT_AT.isoformat())
    SubElement(feed, "link", {"rel": "self", "href": publication.url(publication.feed_path)})
    SubElement(feed, "link", {"rel": "alternate", "href": publication.home})
    for article in articles:
        entry = SubElement(feed, "entry", {"xml:lang": article.language})
        _add(entry, "title", article.title)
        _add(entry, "id", article_url(article))
        SubElement(entry, "link", {"rel": "alternate", "href": article_url(article)})
        _add(entry, "published", published_at(article).isoformat())
        _add(entry, "updated", published_at(article).isoformat())
        _add(SubElement(entry, "author"), "name", article.author or publication.name)
        _add(entry, "summary", article.teaser)
    return _bytes(feed, publication.feed_encoding)


def render_sitemap(articles: Sequence[Article]) -> bytes:
    """Return a site map with the true date of every article."""
    urls = Element("urlset", {"xmlns": SITEMAP})
    for article in articles:
        url = SubElement(urls, "url")
        _add(url, "loc", article_url(article))
        _add(url, "lastmod", article.date.isoformat())
    return _bytes(urls, "utf-8")


def _add(parent: Element, tag: str, text: str | None) -> None:
    if text is not None:
        SubElement(parent, tag).text = text


def _bytes(root: Element, encoding: str) -> bytes:
    ElementTree.indent(root)
    body: bytes = ElementTree.tostring(root, encoding=encoding, xml_declaration=True)
    return body
