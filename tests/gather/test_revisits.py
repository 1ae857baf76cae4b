"""What is asked again, and when: lists, pages that changed, pages that have rested."""

import sqlite3
from dataclasses import replace

import pytest

from izwi.demoweb.server import Reply, whole_reply
from izwi.gather.sources.crawl import CrawlSource
from izwi.gather.sources.feeds import FeedSource
from izwi.gather.sources.sitemaps import SitemapSource

HOST = "http://one.example"
LONG_AGO = "2000-01-01T00:00:00+00:00"


def html(body, **headers):
    return replace(whole_reply(f"<html><body>{body}</body></html>".encode()), headers=headers)


def xml(body, **headers):
    return replace(whole_reply(body.encode(), content_type="application/xml"), headers=headers)


def urls_of(*entries, tag="urlset", item="url"):
    rows = "".join(
        f"<{item}><loc>{HOST}{path}</loc>{f'<lastmod>{day}</lastmod>' if day else ''}</{item}>"
        for path, day in entries
    )
    return f"<{tag}>{rows}</{tag}>"


def serve(hosts, pages):
    """Have a host answer with these pages; a function is told how often it was asked before."""

    def answer(visit):
        page = pages.get(visit.path, Reply(404, length=0))
        return page(visit.earlier) if callable(page) else page

    hosts["one.example"] = answer


def let_time_pass(gathering):
    """Make the catalog believe that everything happened long ago."""
    with sqlite3.connect(gathering.layout.catalog) as connection:
        connection.execute("UPDATE outcomes SET decided = ?", (LONG_AGO,))
        connection.execute("UPDATE captures SET time = ?", (LONG_AGO,))
    connection.close()


def test_maps_below_an_index_are_read_again_though_the_index_did_not_change(gathering, hosts):
    index = urls_of(("/child.xml", ""), tag="sitemapindex", item="sitemap")
    pages = {
        "/map.xml": xml(index, ETag='"same"'),
        "/child.xml": lambda earlier: xml(urls_of(*((f"/{n}", "") for n in range(earlier + 1)))),
        "/0": html("nought"),
        "/1": html("one"),
    }
    serve(hosts, pages)
    source = SitemapSource("map", f"{HOST}/map.xml")
    gathering.run(source)
    first = set(gathering.captures)
    gathering.run(source)
    untouched = gathering.paths("one.example").count("/child.xml")
    let_time_pass(gathering)

    gathering.run(source)

    assert {f"{HOST}/0"} == {url for url in first if not url.endswith(".xml")}
    assert untouched == 1
    assert f"{HOST}/1" in gathering.captures
    assert gathering.paths("one.example").count("/0") == 1
    assert [each.status for each in gathering.requests("one.example")].count(304) == 1


def test_page_is_asked_again_when_its_map_says_that_it_changed(gathering, hosts):
    days = ("2001-01-01", "2999-01-01")
    pages = {
        "/map.xml": lambda earlier: xml(urls_of(("/a", days[earlier]), ("/b", "2001-01-01"))),
        "/a": lambda earlier: html(f"version {earlier}"),
        "/b": html("as ever"),
    }
    serve(hosts, pages)
    source = SitemapSource("map", f"{HOST}/map.xml")
    gathering.run(source)
    with sqlite3.connect(gathering.layout.catalog) as connection:
        connection.execute("UPDATE outcomes SET decided = ?", (LONG_AGO,))
    connection.close()

    gathering.run(source)

    assert gathering.paths("one.example").count("/a") == 2
    assert gathering.paths("one.example").count("/b") == 1
    assert b"version 1" in gathering.captures[f"{HOST}/a"].body


def test_pages_of_a_crawl_are_asked_again_after_their_rest_and_only_then(gathering, hosts):
    pages = {
        "/": lambda earlier: html("".join(f'<a href="/{n}">x</a>' for n in range(1 + earlier))),
        "/0": html("nought", ETag='"0"'),
        "/1": html("one"),
    }
    serve(hosts, pages)
    source = CrawlSource("crawl", (f"{HOST}/",), revisit="30d")
    gathering.run(source)
    gathering.run(source)
    before = gathering.paths("one.example")
    let_time_pass(gathering)

    gathering.run(source)
    after = gathering.paths("one.example")
    gathering.run(source)

    assert before == ["/robots.txt", "/", "/0"]
    assert after == [*before, "/", "/0", "/1"]
    assert gathering.paths("one.example") == after
    assert [each.status for each in gathering.requests("one.example")].count(304) == 1


def test_the_front_of_a_crawl_is_asked_again_after_a_day_for_what_is_new(gathering, hosts):
    pages = {
        "/": lambda earlier: html("".join(f'<a href="/{n}">x</a>' for n in range(1 + earlier))),
        "/0": html("nought"),
        "/1": html("one"),
        "/story": html("a seed that is a document"),
    }
    serve(hosts, pages)
    source = CrawlSource("crawl", (f"{HOST}/", f"{HOST}/story"))
    gathering.run(source)
    gathering.run(source)
    before = gathering.paths("one.example")
    let_time_pass(gathering)

    gathering.run(source)

    assert sorted(before) == ["/", "/0", "/robots.txt", "/story"]
    assert gathering.paths("one.example") == [*before, "/", "/1"]


@pytest.mark.parametrize("revisit", ["often", "1s", "99y"])
def test_rest_that_makes_no_sense_is_refused(revisit):
    with pytest.raises(ValueError, match="revisit"):
        CrawlSource("crawl", (f"{HOST}/",), revisit=revisit)


def test_feed_of_a_home_page_is_found_and_read_again(gathering, hosts):
    def feed(earlier):
        items = "".join(
            f"<item><title>{n}</title><link>{HOST}/{n}</link></item>" for n in range(1 + earlier)
        )
        return xml(f'<rss version="2.0"><channel><title>x</title>{items}</channel></rss>')

    link = '<link rel="alternate" type="application/rss+xml" href="/rss">'
    home = whole_reply(f"<!doctype html><html><head>{link}</head></html>".encode())
    pages = {"/": replace(home, headers={"ETag": '"1"'}), "/rss": feed}
    serve(hosts, pages | {f"/{n}": html(f"story {n}") for n in range(2)})
    source = FeedSource("feed", f"{HOST}/")
    gathering.run(source)
    let_time_pass(gathering)

    gathering.run(source)

    assert {f"{HOST}/0", f"{HOST}/1"} <= set(gathering.captures)
    assert gathering.paths("one.example").count("/rss") == 2
    assert gathering.notices == []


def test_pages_that_are_missing_but_do_not_say_so_end_after_their_credit(gathering, hosts):
    missing = (
        "<p>We are sorry, but the page that you look for cannot be found here.</p>"
        "<p>Perhaps one of these other pages is what you were looking for today?</p>"
    )

    def answer(visit):
        if visit.path == "/robots.txt":
            return Reply(404, length=0)
        number = int(visit.path.rpartition("-")[2] or 0) if "-" in visit.path else 0
        ways = "".join(f'<a href="/page-{3 * number + n}">x</a>' for n in (1, 2, 3))
        return html(missing + ways)

    hosts["one.example"] = answer

    gathering.run(CrawlSource("crawl", (f"{HOST}/",)))

    assert len(gathering.paths("one.example")) <= 20
    assert gathering.waiting == 0


def test_run_stops_after_so_many_bytes_and_the_next_goes_on(gathering, hosts):
    pages = {f"/{n}": html("x" * 10_000) for n in range(5)}
    serve(hosts, pages | {"/": html("".join(f'<a href="/{n}">x</a>' for n in range(5)))})
    source = CrawlSource("crawl", (f"{HOST}/",))

    first = gathering.run(source, size=15_000)
    second = gathering.run(source)

    assert (first, second) == (3, 3)
