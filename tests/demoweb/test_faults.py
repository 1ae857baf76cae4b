import gzip
import http.client
import socket
import zlib
from urllib.parse import quote

import feedparser
import pytest
from selectolax.lexbor import LexborHTMLParser

from tests.demoweb.faults import FaultyWeb, reply_from

HOST = "http://faults.example"


def connect(web, path, timeout=120.0):
    """Return a socket that has just asked for a path."""
    connection = socket.create_connection(("127.0.0.1", web.port), timeout=timeout)
    connection.sendall(f"GET {HOST}{path} HTTP/1.1\r\nHost: faults.example\r\n\r\n".encode())
    return connection


def test_ok_is_a_readable_page(fetch):
    answer = fetch(f"{HOST}/ok?n=1")

    assert answer.status == 200
    assert "skollie" in answer.text
    assert len(answer.text.split()) > 100


def test_slow_sends_headers_before_its_body(web):
    with connect(web, "/slow?seconds=600") as connection:
        assert connection.recv(15) == b"HTTP/1.1 200 OK"


def test_slow_takes_its_time(fetch):
    reply = reply_from("faults.example", "/slow?seconds=0.5", 0)

    assert b"One letter at a time" in fetch(f"{HOST}/slow?seconds=0.5").body
    assert reply.pause_seconds * len(reply.pieces) >= 0.5


def test_hang_never_answers(web):
    with connect(web, "/hang", timeout=0.3) as connection, pytest.raises(TimeoutError):
        connection.recv(1)


def test_drop_closes_before_the_promised_end(fetch):
    with pytest.raises(http.client.IncompleteRead):
        fetch(f"{HOST}/drop")


def test_reset_resets(web):
    with connect(web, "/reset") as connection, pytest.raises(ConnectionResetError):
        connection.recv(1)


@pytest.mark.parametrize("code", [200, 204, 304, 403, 404, 410, 429, 500, 503])
def test_status_answers_the_code_asked_for(fetch, code):
    answer = fetch(f"{HOST}/status/{code}")

    assert answer.status == code
    assert ("retry-after" in answer.headers) == (code in (429, 503))


@pytest.mark.parametrize("code", ["100", "999", "abc", "²"])
def test_status_knows_no_other_codes(fetch, code):
    assert fetch(f"{HOST}/status/{quote(code)}").status == 404


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/loop/a", "/loop/b"),
        ("/loop/b", "/loop/a"),
        ("/redirects/3", "http://faults.example/redirects/2"),
        ("/redirects/1", "http://faults.example/ok"),
        ("/to-private", "http://127.0.0.1:1/"),
    ],
)
def test_redirects_lead_on(fetch, path, location):
    answer = fetch(HOST + path)

    assert (answer.status, answer.headers["location"]) == (302, location)


def test_big_is_as_big_as_asked(fetch):
    assert len(fetch(f"{HOST}/big?megabytes=3").body) == pytest.approx(3 * 2**20, abs=100)


def test_endless_goes_on_until_one_leaves(web):
    with connect(web, "/endless") as connection:
        received = 0
        while received < 2 * 2**20:
            received += len(connection.recv(2**16))

    assert received >= 2 * 2**20


def test_the_bomb_is_small_and_swells_to_a_gigabyte(fetch):
    body = fetch(f"{HOST}/bomb").body
    inflate = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
    size, rest = 0, body
    while rest:
        size += len(inflate.decompress(rest, 2**22))
        rest = inflate.unconsumed_tail

    assert len(body) < 2 * 2**20
    assert size == 2**30
    assert inflate.eof


def test_gzip_is_right_or_wrong_as_asked(fetch):
    right, wrong = fetch(f"{HOST}/gzip"), fetch(f"{HOST}/bad-gzip")

    assert right.headers["content-encoding"] == wrong.headers["content-encoding"] == "gzip"
    assert b"skollie" in gzip.decompress(right.body)
    with pytest.raises(gzip.BadGzipFile):
        gzip.decompress(wrong.body)


def test_types_can_be_wrong_in_both_directions(fetch):
    image, binary = fetch(f"{HOST}/wrong-type"), fetch(f"{HOST}/binary")

    assert image.headers["content-type"] == "image/png"
    assert b"<html" in image.body
    assert binary.headers["content-type"] == "text/html"
    assert binary.body == fetch(f"{HOST}/binary").body
    assert b"\0" in binary.body


def test_huge_headers_are_huge(web):
    with connect(web, "/huge-headers") as connection:
        received = b""
        while b"\r\n\r\n" not in received:
            received += connection.recv(2**16)

    assert len(received) > 400_000


def test_feeds_can_be_html_or_malformed(fetch):
    page, feed = fetch(f"{HOST}/feed-that-is-html"), fetch(f"{HOST}/feed-malformed.xml")
    parsed = feedparser.parse(feed.body)

    assert page.headers["content-type"] == "application/rss+xml"
    assert b"<html" in page.body
    assert parsed.bozo
    for n in (1, 2, 3):
        assert f"<link>{HOST}/ok?n={n}</link>" in feed.text
    assert [entry.link for entry in parsed.entries] == [f"{HOST}/ok?n={n}" for n in (1, 2, 3)]


@pytest.mark.parametrize("path", ["/script", "/script/" + quote("<img src=x onerror=alert(5)>")])
def test_script_has_hostile_strings_as_text_only(fetch, path):
    body = fetch(HOST + path).text
    tree = LexborHTMLParser(body)

    assert "<script" not in body
    assert "<img" not in body
    assert tree.css_first("title").text().startswith("<script>alert(1)</script>")
    assert '"><img src=x onerror=alert(2)>' in tree.body.text()
    assert tree.css_first('a[href^="javascript:"]')


def test_nested_is_nested(fetch):
    assert fetch(f"{HOST}/nested").body.count(b"<div>") == 20_000


def test_empty_is_empty(fetch):
    answer = fetch(f"{HOST}/empty")

    assert (answer.status, answer.body) == (200, b"")


@pytest.mark.parametrize(
    ("path", "links"),
    [
        ("/trap/calendar/2020/12", ["/trap/calendar/2020/11", "/trap/calendar/2021/01"]),
        ("/trap/session?sid=5", ["/trap/session?sid=11", "/trap/session?sid=12"]),
    ],
)
def test_traps_link_ever_on(fetch, path, links):
    tree = LexborHTMLParser(fetch(HOST + path).body)

    assert [node.attributes["href"] for node in tree.css("a")] == links


def test_flaky_fails_twice_for_each_server(ask):
    for _ in range(2):
        with FaultyWeb() as web:
            assert [ask(web, f"{HOST}/flaky").status for _ in range(4)] == [503, 503, 200, 200]


def test_the_index_links_to_faults_that_exist(fetch):
    tree = LexborHTMLParser(fetch(f"{HOST}/").body)
    paths = [node.attributes["href"] for node in tree.css("a")]

    assert "/endless" in paths
    missing = [path for path in paths if reply_from("faults.example", path, 0).status == 404]
    assert missing == ["/status/404"]
    assert fetch(f"{HOST}/no-such-fault").status == 404


def test_robots_rules_differ_by_host(fetch):
    assert fetch(f"{HOST}/robots.txt").text.endswith("Disallow:\n")
    assert fetch("http://closed.example/robots.txt").text.endswith("Disallow: /\n")
    assert fetch("http://closed.example/page").status == 200
    assert fetch("http://norobots.example/robots.txt").status == 500
    assert fetch("http://norobots.example/page").status == 200
    assert fetch("http://refused.example/robots.txt").status == 502
