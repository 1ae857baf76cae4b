import re

import feedparser
import pytest

from izwi.demoweb import PUBLICATIONS, feed_urls, page_for
from tests.demoweb.truth import ground_truth


@pytest.mark.parametrize("key", PUBLICATIONS)
def test_the_feed_lists_the_latest_articles(key):
    publication = PUBLICATIONS[key]
    page = page_for(publication, publication.feed_path)
    latest = [each for each in ground_truth().values() if each.publication == key][:15]

    feed = feedparser.parse(page.body)

    assert not feed.bozo
    assert feed.version == {"rss": "rss20", "atom": "atom10"}[publication.feed_kind]
    assert [entry.link for entry in feed.entries] == [each.url for each in latest]
    assert [entry.title for entry in feed.entries] == [each.title for each in latest]
    assert all(entry.published_parsed for entry in feed.entries)


def test_the_feed_of_the_bolandse_bode_is_windows_1252_and_says_so():
    publication = PUBLICATIONS["bolandbode"]
    body = page_for(publication, publication.feed_path).body

    assert b"encoding='windows-1252'" in body.splitlines()[0]
    assert not body.isascii()
    with pytest.raises(UnicodeDecodeError):
        body.decode("utf-8")


def test_rss_names_the_authors():
    publication = PUBLICATIONS["egolipost"]
    feed = feedparser.parse(page_for(publication, publication.feed_path).body)
    truth = ground_truth()

    for entry in feed.entries:
        assert entry.get("author") == truth[entry.link].author


@pytest.mark.parametrize("key", PUBLICATIONS)
def test_the_sitemap_has_every_article_with_its_true_date(key):
    body = page_for(PUBLICATIONS[key], "/sitemap.xml").body.decode()

    found = re.findall(r"<loc>(.+)</loc>\s*<lastmod>(.+)</lastmod>", body)

    assert dict(found) == {
        url: each.date.isoformat()
        for url, each in ground_truth().items()
        if each.publication == key
    }


def test_every_publication_has_a_feed_on_its_host():
    for key, url in feed_urls().items():
        assert url.startswith(f"http://{key}.example/")
