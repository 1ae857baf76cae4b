"""What can be gathered without a network: a small invented web, for the demo and the tests."""

from izwi.demoweb.articles import PUBLICATIONS, Article, Comment, Publication, load_articles
from izwi.demoweb.pages import Page, page_for
from izwi.demoweb.server import DemoWeb, Request
from izwi.demoweb.sites import (
    Charset,
    archive_urls,
    article_url,
    feed_urls,
)

__all__ = [
    "PUBLICATIONS",
    "Article",
    "Charset",
    "Comment",
    "DemoWeb",
    "Page",
    "Publication",
    "Request",
    "archive_urls",
    "article_url",
    "feed_urls",
    "load_articles",
    "page_for",
]
