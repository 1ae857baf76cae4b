import html
import json
from urllib.parse import urljoin, urlsplit

import pytest
from selectolax.lexbor import LexborHTMLParser

from izwi.demoweb import PUBLICATIONS, Charset, archive_urls, page_for
from izwi.demoweb.sites import long_date, views
from tests.demoweb.truth import ground_truth

TRUTH = ground_truth()
ENCODING = {
    Charset.RIGHT: "utf-8",
    Charset.CALLED_UTF8: "windows-1252",
    Charset.CALLED_LATIN1: "utf-8",
}


def page_at(url):
    parts = urlsplit(url)
    publication = PUBLICATIONS[parts.netloc.removesuffix(".example")]
    return page_for(publication, parts.path + (f"?{parts.query}" if parts.query else ""))


def text_of(document):
    return html.unescape(page_at(document.url).body.decode(ENCODING[document.charset]))


def printed_date(document):
    shown = document.shown_date or document.date
    if document.publication == "braaiandbakkie":
        return f"{shown:%d/%m/%Y}"
    languages = {"bolandbode": "af", "izwilomphakathi": document.language}
    return long_date(shown, languages.get(document.publication, "en"))


def links_of(url):
    tree = LexborHTMLParser(page_at(url).body.decode("utf-8", "replace"))
    return [urljoin(url, node.attributes["href"] or "") for node in tree.css("a[href]")]


def reachable(start):
    """Return every address of a host that links lead to."""
    seen, waiting = set(), list(start)
    while waiting:
        url = waiting.pop().partition("#")[0]
        if url in seen or urlsplit(url).netloc != urlsplit(start[0]).netloc:
            continue
        seen.add(url)
        waiting += links_of(url)
    return seen


@pytest.mark.parametrize("key", PUBLICATIONS)
def test_links_from_home_and_archive_reach_every_article_and_no_dead_end(key):
    seen = reachable([PUBLICATIONS[key].home, archive_urls()[key]])

    assert {url for url, each in TRUTH.items() if each.publication == key} <= seen
    assert [url for url in seen if page_at(url).status != 200] == []


@pytest.mark.parametrize("key", PUBLICATIONS)
def test_every_page_is_the_same_twice(key):
    publication = PUBLICATIONS[key]
    for path in views(publication):
        first = page_for.__wrapped__(publication, path)

        assert first == page_for.__wrapped__(publication, path)
        assert first.status == 200


@pytest.mark.parametrize("key", PUBLICATIONS)
def test_the_home_page_has_teasers_a_feed_and_the_usual_links(key):
    publication = PUBLICATIONS[key]
    body = page_at(publication.home).body.decode()
    latest = [each for each in TRUTH.values() if each.publication == key][:10]

    assert all(each.url in links_of(publication.home) for each in latest)
    assert LexborHTMLParser(body).css_first('link[rel="alternate"]').attributes["href"]
    assert {publication.url(path) for path in ("/about", "/contact")} <= set(
        links_of(publication.home)
    )


def test_article_pages_show_title_comments_and_the_printed_date():
    for document in TRUTH.values():
        text = text_of(document)

        assert document.title in text
        assert printed_date(document) in text
        assert all(comment.text in text for comment in document.comments)


def test_charsets_of_the_bolandse_bode_are_wrong_in_two_thirds():
    documents = [each for each in TRUTH.values() if each.publication == "bolandbode"]
    counts = [sum(each.charset is kind for each in documents) for kind in Charset]

    assert max(counts) - min(counts) <= 1
    for document in documents:
        page = page_at(document.url)
        if document.charset is Charset.CALLED_UTF8:
            assert page.content_type == "text/html; charset=utf-8"
            with pytest.raises(UnicodeDecodeError):
                page.body.decode("utf-8")
        if document.charset is Charset.CALLED_LATIN1:
            assert page.content_type == "text/html"
            assert b"charset=iso-8859-1" in page.body
            assert not page.body.isascii()
            page.body.decode("utf-8")


def test_the_html_language_is_wrong_in_one_publication_and_right_in_another():
    for document in TRUTH.values():
        if document.publication == "bolandbode":
            assert '<html lang="en-ZA">' in text_of(document)
        if document.publication == "izwilomphakathi":
            assert f'<html lang="{document.language}">' in text_of(document)


def test_each_design_gives_its_date_in_its_own_metadata():
    for document in TRUTH.values():
        tree = LexborHTMLParser(page_at(document.url).body.decode("utf-8", "replace"))
        shown = (document.shown_date or document.date).isoformat()
        if document.publication == "egolipost":
            node = tree.css_first('script[type="application/ld+json"]')
            record = json.loads(node.text())
            assert (record["headline"], record["datePublished"][:10]) == (document.title, shown)
        if document.publication == "umgeniherald":
            node = tree.css_first('meta[property="article:published_time"]')
            assert node.attributes["content"][:10] == shown
        if document.publication == "izwilomphakathi":
            node = tree.css_first('[itemprop="datePublished"]')
            assert node.attributes["datetime"] == shown


def test_a_paragraph_is_whole_inside_one_element():
    for document in TRUTH.values():
        body = page_at(document.url).body.decode(ENCODING[document.charset])
        nodes = {node.text() for node in LexborHTMLParser(body).css("p")}

        assert set(document.paragraphs) <= nodes


def test_tracking_queries_change_nothing_and_unknown_paths_are_missing():
    publication = PUBLICATIONS["karoocourant"]

    tracked = page_for(publication, "/archive?page=2&utm_source=x")

    assert tracked == page_for(publication, "/archive?page=2")
    assert page_for(publication, "/nothing").status == 404
    assert page_for(publication, "/archive?page=999").status == 404


def test_the_private_page_exists_but_robots_may_not_read_it():
    publication = PUBLICATIONS["umgeniherald"]

    assert publication.url("/private/drafts") in links_of(publication.home)
    assert page_for(publication, "/private/drafts").status == 200
    assert b"Disallow: /private/" in page_for(publication, "/robots.txt").body
