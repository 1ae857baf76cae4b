"""A small invented web on loopback, for the demo and for the tests."""

from izwi.demoweb.articles import PUBLICATIONS, Article, Comment, Publication, load_articles
from izwi.demoweb.pages import Page, page_for
from izwi.demoweb.server import DemoWeb, Request
from izwi.demoweb.sites import (
    Charset,
    TrueDocument,
    archive_urls,
    article_url,
    feed_urls,
    ground_truth,
    home_pages,
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
    "TrueDocument",
    "archive_urls",
    "article_url",
    "feed_urls",
    "ground_truth",
    "home_pages",
    "load_articles",
    "page_for",
]
