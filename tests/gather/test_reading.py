"""What pages, redirects, feeds and site maps say, without a network."""

import gzip
from datetime import UTC, date, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.gather import fetch, web_archives
from izwi.gather.frontier import next_rest
from izwi.gather.links import read_page
from izwi.gather.permissions import rights_of
from izwi.gather.sources.comments import CommentsSource
from izwi.gather.sources.crawl import CrawlSource
from izwi.gather.sources.feeds import FeedSource
from izwi.gather.sources.portal import PortalSource, days_of, filled
from izwi.gather.sources.sitemaps import SitemapSource, sitemap_entries
from izwi.gather.urls import Habits
from izwi.model.capture import Capture, Lead
from izwi.model.errors import SourceError
from izwi.testing import check_source

HOUR, DAY, WEEK = 3600.0, 86400.0, 604800.0


def capture(url="http://a.example/", headers=(), kind="page", body=b""):
    return Capture(Lead(url, "s", kind), datetime.now(UTC), 200, "OK", tuple(headers), body)


def test_a_page_says_its_address_its_refresh_and_its_feeds():
    body = b"""<head><base href="/x/"><link rel="canonical" href="y">
      <meta http-equiv="refresh" content="0; url='z'">
      <link rel="alternate" type="application/rss+xml" href="/rss"></head>
      <a href="one">1</a><a href="#top">2</a><a href="two" rel="nofollow">3</a>"""

    reading = read_page(body, "http://a.example/")

    assert reading.canonical == "http://a.example/x/y"
    assert reading.refresh == "http://a.example/x/z"
    assert reading.feeds == ("http://a.example/rss",)
    assert reading.links == ("http://a.example/x/one",)


def test_a_page_that_reloads_itself_later_is_no_redirect():
    body = b'<meta http-equiv="refresh" content="300; url=/live">'

    assert read_page(body, "http://a.example/").refresh == ""


@pytest.mark.parametrize(
    ("headers", "body", "reason"),
    [
        pytest.param([], b"<p>", "", id="nothing"),
        pytest.param([("X-Robots-Tag", "NOARCHIVE")], b"", "noarchive", id="header"),
        pytest.param([], b'<meta name="robots" content="noindex, follow">', "noindex", id="meta"),
        pytest.param([("TDM-Reservation", "1")], b"", "tdm-reservation", id="tdm"),
        pytest.param([], b'<meta name="tdm-reservation" content="1">', "tdm-reservation", id="own"),
        pytest.param(
            [("tdm-reservation", "0")], b'<meta name="tdm-reservation" content="1">', "", id="wins"
        ),
    ],
)
def test_signals_of_rights_are_read_and_respected(headers, body, reason):
    rights = rights_of(capture(headers=headers), read_page(body, "http://a.example/"))

    verdict = rights.refusal(("noindex", "noarchive", "tdm-reservation"))

    assert (verdict.reason if verdict else "") == reason
    assert rights.refusal(()) is None


def test_a_host_that_always_adds_www_is_asked_there_at_once():
    habits = Habits()
    for number in range(3):
        path = f"a.example/{number}"
        habits.learn(f"http://{path}", f"http://www.{path}")

    assert habits.preferred("http://a.example/9") == "http://www.a.example/9"
    assert Habits.from_text(habits.as_text()) == habits


def test_habits_are_learnt_several_at_once_and_unlearnt():
    habits = Habits()
    for number in range(3):
        habits.learn(f"http://a.example/{number}", f"https://a.example/{number}/")
    learnt = habits.preferred("http://a.example/9")

    habits.learn("https://a.example/x/", "https://a.example/x")

    assert learnt == "https://a.example/9/"
    assert habits.preferred("http://a.example/9") == "https://a.example/9"


def test_a_redirect_to_another_page_is_no_habit():
    habits = Habits()

    assert not habits.learn("http://a.example/1", "http://a.example/2")


def test_a_feed_rests_as_its_dates_say_and_longer_when_nothing_is_new():
    weekly = ["2026-01-01", "2026-01-08", "2026-01-15"]
    bounds = {"shortest": HOUR, "longest": WEEK}

    rest = next_rest(weekly, last=0.0, news=3, **bounds)

    assert 2 * DAY < rest < 4 * DAY
    assert next_rest(weekly, last=rest, news=0, **bounds) == pytest.approx(1.5 * rest)
    assert next_rest([], last=0.0, news=1, **bounds) == HOUR
    assert next_rest(weekly, last=WEEK, news=0, **bounds) == WEEK


def test_items_of_one_day_may_be_seconds_apart():
    bounds = {"shortest": 10.0, "longest": WEEK}

    assert next_rest(["2026-01-01"] * 5, last=0.0, news=5, **bounds) == 10.0
    assert next_rest(["2026-01-01", "2026-01-02"], last=0.0, news=2, **bounds) == 10.0


def test_rests_go_by_times_and_one_old_item_makes_none_longer():
    bounds = {"shortest": 10.0, "longest": WEEK, "last": 0.0, "news": 5}
    minutes = [f"2026-01-01T09:{minute:02d}:00+02:00" for minute in range(0, 30, 2)]

    assert next_rest(minutes, **bounds) == 60.0
    assert next_rest(["2011-05-01T08:00:00Z", *minutes], **bounds) == 60.0
    assert next_rest([*minutes, "", "yesterday"], **bounds) == 60.0


@pytest.mark.parametrize("every", ["10s", "1h"])
def test_every_of_a_list_is_its_longest_rest_too(every):
    address = "http://a.example/list"
    told = [source("f", address, every=every) for source in (FeedSource, SitemapSource)]
    portal = PortalSource("f", "http://a.example/{page}", every=every)
    untold = [source("f", address) for source in (FeedSource, SitemapSource)]

    assert {each.longest_rest for each in (*told, portal)} == {told[0].interval}
    assert {each.longest_rest.total_seconds() for each in untold} == {WEEK}
    assert [each.interval.total_seconds() for each in untold] == [HOUR, DAY]


def test_a_json_feed_gives_its_items_with_their_hints():
    body = b"""{"version": "https://jsonfeed.org/version/1.1", "items": [
      {"id": "1", "url": "/one", "title": "One", "authors": [{"name": "A"}],
       "date_published": "2026-03-04T05:06:07Z"},
      {"id": "http://a.example/two"}, {"id": "3"}, 4]}"""
    source = FeedSource("s", "http://a.example/feed.json")

    one, two = source.leads_from(capture("http://a.example/feed.json", kind="feed"), body)

    assert (one.url, two.url) == ("http://a.example/one", "http://a.example/two")
    assert (one.hints.title, one.hints.author, one.hints.date) == (
        "One",
        "A",
        "2026-03-04T05:06:07+00:00",
    )


SITEMAP = b"""<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
 xmlns:news="http://www.google.com/schemas/sitemap-news/0.9"><url><loc>http://a.example/1</loc>
 <lastmod>2026-01-02</lastmod><news:news><news:title>One</news:title>
 <news:publication_date>2026-01-01</news:publication_date></news:news></url>
 <url><loc> http://a.example/2 </loc></url>"""


@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_a_sitemap_is_read_even_torn_or_packed(pack):
    one, two = sitemap_entries(pack(SITEMAP))

    assert (one.url, one.modified, one.title) == ("http://a.example/1", "2026-01-02", "One")
    assert one.published == "2026-01-01"
    assert two.url == "http://a.example/2"


def test_an_index_leads_to_maps_and_robots_txt_too():
    source = SitemapSource("s", "http://a.example/robots.txt")
    robots = b"User-agent: *\nsitemap: /map.xml\n"
    index = b"<sitemapindex><sitemap><loc>/m1.xml.gz</loc></sitemap></sitemapindex>"

    (first,) = source.leads_from(capture("http://a.example/robots.txt", kind="sitemap"), robots)
    (second,) = source.leads_from(capture(first.url, kind="sitemap"), index)

    assert (first.url, first.kind) == ("http://a.example/map.xml", "sitemap")
    assert (second.url, second.kind) == ("http://a.example/m1.xml.gz", "sitemap")


def test_a_page_is_no_sitemap():
    source = SitemapSource("s", "http://a.example/sitemap.xml")

    with pytest.raises(SourceError, match="no site map"):
        source.leads_from(capture(kind="sitemap"), b"<html><body>Not found")


@pytest.mark.parametrize(
    "source",
    [
        CrawlSource("one", ("http://a.example/",)),
        SitemapSource("one", "http://a.example/sitemap.xml"),
    ],
    ids=["crawl", "sitemap"],
)
def test_sources_conform(source):
    assert check_source(source) is None


@pytest.mark.parametrize("every", ["12 years", "soon"])
def test_a_site_map_rests_for_a_time_that_makes_sense(every):
    with pytest.raises(ValueError, match="every = "):
        SitemapSource("one", "http://a.example/sitemap.xml", every=every)


def test_an_archive_asked_by_intervals_has_one_address_a_month():
    template = "http://a.example/?from={from}&to={to}&p={page}"

    days = days_of(template, date(2019, 12, 15), date(2020, 2, 2), newest_first=False)

    assert [filled(template, day=day, page=1) for day in days] == [
        "http://a.example/?from=2019-12-01&to=2019-12-31&p=1",
        "http://a.example/?from=2020-01-01&to=2020-01-31&p=1",
        "http://a.example/?from=2020-02-01&to=2020-02-29&p=1",
    ]


def test_an_archive_asked_by_intervals_wants_a_first_day():
    with pytest.raises(ValueError, match="since is missing"):
        PortalSource("p", "http://a.example/?from={from}&to={to}")


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        (b"var disqus_identifier = 'story 7';", "thread%3Aident=story+7"),
        (b'this.page.identifier = "a-12" ;', "thread%3Aident=a-12"),
        (b'<div data-disqus-identifier="x">', "thread%3Aident=x"),
        (b"this.page.identifier = PAGE;", "thread%3Alink=http"),
    ],
)
def test_a_thread_is_asked_for_by_the_name_its_page_gives_it(body, asked):
    source = CommentsSource("c", ("s",), forum="f")

    (lead,) = source.threads_of(capture("http://a.example/x"), body)

    assert asked in lead.url


NO_DATE = "Sun, 06 Nov 99999999999999999999 08:49:37 GMT"


def test_a_date_of_no_calendar_is_none():
    body = f"<rss><channel><item><link>/a</link><pubDate>{NO_DATE}</pubDate></item></channel></rss>"
    feed = capture("http://a.example/feed", kind="feed")

    (lead,) = FeedSource("f", "http://a.example/feed").leads_from(feed, body.encode())

    assert (lead.url, lead.hints.date) == ("http://a.example/a", "")
    assert fetch._seconds(NO_DATE) == 0.0
    assert web_archives.stamp_of(NO_DATE) == ""


@given(st.lists(st.datetimes(timezones=st.timezones()).map(str) | st.dates().map(str) | st.text()))
def test_a_rest_lies_within_its_bounds_whatever_the_dates(dates):
    assert 10.0 <= next_rest(dates, shortest=10.0, longest=WEEK, last=0.0, news=1) <= WEEK
