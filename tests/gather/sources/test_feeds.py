from datetime import timedelta

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from izwi.gather.sources.feeds import FeedSource, feed_items
from izwi.model.capture import Hints, Lead
from izwi.model.errors import SourceError
from tests.store.samples import capture

FEED = "http://one.example/news/feed.xml"
SOURCE = FeedSource("one", FEED)

RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0"><channel><title>News</title><link>http://one.example/</link>
<item><title>Brood &amp; botter</title><link>http://one.example/a?utm_source=rss</link>
<author>Antjie</author><pubDate>Sat, 01 Mar 2014 10:00:00 +0200</pubDate></item>
<item><title>Wêreld</title><link>/b</link></item>
</channel></rss>"""

ATOM = """<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><id>x</id>
<updated>2014-03-02T00:00:00Z</updated>
<entry><title>Umhlaba</title><id>1</id><link href="http://one.example/a"/>
<author><name>Thandi</name></author><published>2014-03-01T10:00:00Z</published>
<updated>2014-03-02T10:00:00Z</updated></entry>
<entry><title>Only updated</title><id>2</id><link rel="alternate" href="b"/>
<updated>2014-03-02T10:00:00Z</updated></entry>
</feed>"""

MALFORMED = """<rss version="2.0"><channel><title>Broken<b></title>
<item><title>Bread & butter</title><link>http://one.example/a</link></item>
<item><title>Second</title><link>http://one.example/b</link></item></channel></rss>"""

HTML = "<!DOCTYPE html><html><head><title>Home</title></head><body><a href='/a'>a</a></body></html>"


def leads(body, kind="feed"):
    raw = body.encode() if isinstance(body, str) else body
    return list(SOURCE.leads_from(capture(FEED, raw, kind=kind), raw))


def urls(body):
    return [lead.url for lead in leads(body)]


def test_items_of_rss_become_leads_with_what_the_feed_says():
    first, second = leads(RSS)

    assert first == Lead(
        "http://one.example/a",
        "one",
        referrer=FEED,
        hints=Hints("Brood & botter", "Antjie", "2014-03-01T08:00:00+00:00"),
    )
    assert (second.url, second.hints) == ("http://one.example/b", Hints("Wêreld"))


def test_items_of_atom_become_leads_with_what_the_feed_says():
    first, second = leads(ATOM)

    assert (first.url, first.hints) == (
        "http://one.example/a",
        Hints("Umhlaba", "Thandi", "2014-03-01T10:00:00+00:00"),
    )
    assert (second.url, second.hints.date) == (
        "http://one.example/news/b",
        "2014-03-02T10:00:00+00:00",
    )


def test_malformed_feed_is_read_as_far_as_it_goes():
    assert urls(MALFORMED) == ["http://one.example/a", "http://one.example/b"]


def test_items_without_an_address_are_passed_over():
    body = RSS.replace("<link>/b</link>", "<link>mailto:editor@one.example</link>")

    assert urls(body) == ["http://one.example/a"]


def test_feed_without_items_is_no_error():
    assert urls('<rss version="2.0"><channel><title>Quiet</title></channel></rss>') == []


@pytest.mark.parametrize(
    "body",
    [HTML, "\n\n" + HTML.lower(), "<html><body>Log in</body></html>"],
    ids=["page", "lower", "bare"],
)
def test_page_in_the_place_of_a_feed_is_an_error_that_names_the_source(body):
    with pytest.raises(SourceError) as caught:
        leads(body)

    assert str(caught.value).startswith(f"Source 'one': {FEED} is a web page, not a feed.")
    assert 'type "seeds"' in str(caught.value)


def test_page_of_an_item_leads_nowhere():
    assert leads(HTML, kind="page") == []


def test_feed_in_another_charset_is_read():
    body = RSS.replace("utf-8", "iso-8859-1").encode("iso-8859-1")

    assert leads(body)[1].hints.title == "Wêreld"


@pytest.mark.parametrize(
    ("written", "date"),
    [
        ("Sat, 01 Mar 2014 10:00:00 GMT", "2014-03-01T10:00:00+00:00"),
        ("2014-03-01", "2014-03-01"),
        ("soon", ""),
        ("", ""),
    ],
    ids=["mail", "ISO", "word", "nothing"],
)
def test_date_of_an_item_is_read_if_it_is_one(written, date):
    body = RSS.replace("Sat, 01 Mar 2014 10:00:00 +0200", written)

    assert leads(body)[0].hints.date == date


def test_title_with_half_a_character_does_not_stop_the_feed():
    body = MALFORMED.replace("Second", "Second &#xD83D;")

    assert len(leads(body)) == 2


@pytest.mark.parametrize("body", [b"", b"\x00\xff", b"{}", b"<a", b"<rss>"], ids=repr)
def test_anything_at_all_can_be_looked_at(body):
    assert feed_items(body) == []


def test_body_that_names_a_file_does_not_open_it(tmp_path):
    path = tmp_path / "secret.xml"
    path.write_text(RSS)

    assert feed_items(str(path).encode()) == []


PIECES = st.sampled_from(
    ["&#xD83D;", "&#x110000;", "&#0;", "&#55357", "&", "<item>", "</item>", "<b>", "<![CDATA[", "é"]
)


@settings(deadline=None)
@example("</item></item></item><item>")
@given(st.lists(PIECES | st.text(max_size=5), max_size=6).map("".join))
def test_whatever_stands_in_a_feed_its_other_items_are_found(piece):
    body = MALFORMED.replace("Second", f"Second {piece}").encode("utf-8", "replace")

    assert leads(body)[0].url == "http://one.example/a"


def test_first_lead_is_the_feed_itself_in_canonical_form():
    source = FeedSource("one", "HTTP://One.example:80/feed?utm_source=x")

    assert list(source.first_leads()) == [Lead("http://one.example/feed", "one", kind="feed")]


def test_feed_rests_as_long_as_it_is_told():
    assert SOURCE.interval == timedelta(hours=1)
    assert FeedSource("one", FEED, every="2d").interval == timedelta(days=2)
    assert SOURCE.address == FEED


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name": "My Feed"}, "cannot be a name"),
        ({"url": "example.org"}, "is not a web address"),
        ({"every": "often"}, "is not a duration"),
        ({"every": "600w"}, "longer than ten years"),
    ],
    ids=["name", "address", "interval", "long interval"],
)
def test_feed_that_makes_no_sense_is_refused(fields, words):
    with pytest.raises(ValueError, match=words):
        FeedSource(**{"name": "one", "url": FEED} | fields)


@pytest.mark.parametrize(
    ("title", "site"),
    [
        pytest.param("The Karoo Courant", "The Karoo Courant", id="a name"),
        pytest.param("Karoo &amp;amp; Courant » Feed", "Karoo & Courant", id="says it is a feed"),
        pytest.param("Latest news", "", id="a part of a site"),
        pytest.param("Comments on: Bread", "", id="a conversation"),
    ],
)
def test_a_feed_names_the_site_of_its_own_pages(title, site):
    elsewhere = "<item><title>x</title><link>http://other.example/c</link></item></channel>"
    feed = RSS.replace("News", title).replace("</channel>", elsewhere)

    assert [lead.hints.site for lead in leads(feed)] == [site, site, ""]
