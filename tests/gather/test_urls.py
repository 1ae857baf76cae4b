import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.gather.urls import (
    _SPECIAL,
    LONGEST,
    _canonical,
    canonical,
    is_private_address,
    may_be_text,
    same_host,
)

CANONICAL = {
    "as it is": ("http://example.org/a?b=1", "http://example.org/a?b=1"),
    "capitals": ("HTTP://Example.ORG/A", "http://example.org/A"),
    "no path": ("https://example.org", "https://example.org/"),
    "no path, a query": ("https://example.org?a=1", "https://example.org/?a=1"),
    "usual port": ("http://example.org:80/", "http://example.org/"),
    "usual port of https": ("https://example.org:443/", "https://example.org/"),
    "other port": ("http://example.org:443/", "http://example.org:443/"),
    "empty port": ("http://example.org:/", "http://example.org/"),
    "fragment": ("http://example.org/a#top", "http://example.org/a"),
    "spaces round it": ("  http://example.org/a\n", "http://example.org/a"),
    "space in it": ("http://example.org/a b", "http://example.org/a%20b"),
    "quoted already": ("http://example.org/a%20b", "http://example.org/a%20b"),
    "letters": ("http://example.org/wêreld?x=ö", "http://example.org/w%C3%AAreld?x=%C3%B6"),
    "name in letters": ("http://bücher.example/", "http://xn--bcher-kva.example/"),
    "tracking": ("http://example.org/?utm_source=x&a=1&fbclid=y", "http://example.org/?a=1"),
    "only tracking": ("http://example.org/?utm_source=x", "http://example.org/"),
    "empty parameters": ("http://example.org/?&&a=1&", "http://example.org/?a=1"),
    "order of parameters": ("http://example.org/?b=1&a=2", "http://example.org/?b=1&a=2"),
    "user and password": ("http://me:secret@example.org/", "http://example.org/"),
    "IPv6": ("http://[2001:DB8::1]:8080/a", "http://[2001:db8::1]:8080/a"),
    "IPv4 in circles": ("http://①②⑦.⓪.⓪.①/", "http://127.0.0.1/"),
}


@pytest.mark.parametrize(("url", "expected"), CANONICAL.values(), ids=CANONICAL)
def test_url_has_one_form(url, expected):
    assert canonical(url) == expected


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("b.html", "http://example.org/news/b.html"),
        ("/b", "http://example.org/b"),
        ("../b", "http://example.org/b"),
        ("?page=2", "http://example.org/news/a.html?page=2"),
        ("//other.example/b", "http://other.example/b"),
        ("https://other.example", "https://other.example/"),
        ("#top", "http://example.org/news/a.html"),
        ("", "http://example.org/news/a.html"),
    ],
    ids=["beside", "root", "above", "query", "scheme", "whole", "fragment", "empty"],
)
def test_link_is_read_from_where_it_stands(link, expected):
    assert canonical(link, "http://example.org/news/a.html") == expected


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org",
        "/path/only",
        "ftp://example.org/",
        "javascript:alert(1)",
        "mailto:a@example.org",
        "data:text/html,x",
        "file:///etc/passwd",
        "http://",
        "http:///path",
        "http://example.org:port/",
        "http://example.org:99999/",
        "http://[::1/",
        "http://a@[::1]:80@[:/",
        "http://a..b/",
        "http://" + "a" * 70 + ".example/",
        "http://example.org/" + "a" * LONGEST,
        "http://example.org/\ud800",
        "http://example.org/?a=\udfff",
        "http://\ud800.example/",
    ],
    ids=lambda url: ascii(url)[:30],
)
def test_what_cannot_be_fetched_is_no_url(url):
    assert canonical(url) is None


PIECES = st.text(
    st.sampled_from("aZ09é北\u200d #?&=/:@[]%.~;,+\t\n\\'\"<>{}|^`") | st.characters(), max_size=12
)
URLS = st.one_of(
    st.text(max_size=40),
    st.builds(
        "{}://{}{}/{}?{}#{}".format,
        st.sampled_from(["http", "HTTPS", "ftp"]),
        PIECES | st.sampled_from(["example.org", "BÜCHER.example", "[::1]", "127.0.0.1"]),
        st.sampled_from(["", ":80", ":443", ":8080"]),
        PIECES,
        PIECES | st.sampled_from(["utm_source=a&b=1", "a=1&fbclid=x"]),
        PIECES,
    ),
)


@given(URLS)
def test_form_of_the_form_is_the_form(url):
    once = canonical(url)

    assert once is None or canonical(once) == once


@given(URLS, st.sampled_from(["http://example.org/a/b?c", "https://[::1]:8080/"]))
def test_form_of_a_link_does_not_depend_on_where_it_stands(link, base):
    found = canonical(link, base)

    assert found is None or canonical(found, base) == found == canonical(found)


@given(URLS)
def test_form_is_a_short_ascii_address_of_the_web(url):
    found = canonical(url)

    assert found is None or (found.isascii() and len(found) <= LONGEST)
    assert found is None or found.startswith(("http://", "https://"))


PRIVATE = [
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "0x7f000001",
    "0x7f.0.0.1",
    "0177.0.0.1",
    "2130706433",
    "127.0.0.1.",
    "0",
    "0.0.0.0",
    "10.0.0.1",
    "172.16.0.1",
    "192.168.1.1",
    "100.64.0.1",
    "169.254.169.254",
    "255.255.255.255",
    "::1",
    "[::1]",
    "::",
    "[::ffff:10.0.0.1]",
    "[::ffff:7f00:1]",
    "fc00::1",
    "fe80::1",
    "fe80::1%eth0",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "news.localhost",
    "224.0.0.1",
    "[ff02::1]",
    "2002:7f00:1::",
    "64:ff9b::7f00:1",
    "::7f00:1",
    "fec0::1",
    "feff::1",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "192.88.99.1",
    "192.31.196.1",
    "198.18.0.1",
    "100.64.0.1",
]
PUBLIC = [
    "example.org",
    "www.example.org.",
    "8.8.8.8",
    "1.1.1.1",
    "[2606:4700:4700::1111]",
    "[::ffff:8.8.8.8]",
    "127.0.0.1.example.org",
    "localhost.example.org",
    "0x7f.example",
    "example1",
    "1example",
]


@pytest.mark.parametrize("host", PRIVATE)
def test_address_inside_a_private_network_is_private_however_it_is_written(host):
    assert is_private_address(host)


@pytest.mark.parametrize("host", PUBLIC)
def test_address_on_the_internet_is_public(host):
    assert not is_private_address(host)


@given(st.ip_addresses(v=4))
def test_address_is_as_private_as_the_standard_says(address):
    is_public = address.is_global and not address.is_multicast
    is_public = is_public and not any(address in each for each in _SPECIAL if each.version == 4)

    assert is_private_address(str(address)) != is_public
    assert is_private_address(f"[::ffff:{address}]") != is_public


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://a/story", True),
        ("http://a/story.html", True),
        ("http://a/story.php?file=a.pdf", True),
        ("http://a/story.pdf.html", True),
        ("http://a/photo.JPG", False),
        ("http://a/report.pdf", True),
        ("http://a/film.mp4", False),
        ("http://a/app.js?v=2", False),
        ("http://a/pdf", True),
    ],
)
def test_ending_tells_what_is_not_text(url, expected):
    assert may_be_text(url) == expected


@pytest.mark.parametrize(
    ("url", "other", "expected"),
    [
        ("http://a.example/x", "https://a.example/y", True),
        ("http://www.a.example/", "http://a.example/", True),
        ("http://a.example:8080/", "http://a.example/", True),
        ("http://a.example/", "http://b.example/", False),
        ("http://sub.a.example/", "http://a.example/", False),
        ("http://www.example/", "http://www.other/", False),
    ],
)
def test_hosts_are_the_same_with_and_without_www(url, other, expected):
    assert same_host(url, other) == expected


LINK_PIECES = st.sampled_from(
    ["a", "B", "/", "//", ".", "..", "?", "&", "=", "#", "%20", " ", ";jsessionid=1", "x.html",
     ":", "utm_source=x", "q=1", "ö", "http://", "https://", "example.org",
     "EXAMPLE.org", ":80", "sid=4"]
)  # fmt: skip
LINKS = st.lists(LINK_PIECES, max_size=8).map("".join)
BASES = st.sampled_from(["http://a.example/b/c?d", "https://a.example/", "http://a.example:81/x/"])


@given(LINKS, BASES)
def test_the_short_way_gives_what_the_long_way_gives(link, base):
    assert canonical(link, base) == _canonical(link, base)


def test_session_ids_and_tracking_are_left_out():
    assert canonical("http://a.example/b;jsessionid=F00?PHPSESSID=1&x=2&utm_medium=y") == (
        "http://a.example/b?x=2"
    )


def test_what_is_far_too_long_is_not_remembered():
    picture = "data:image/png;base64," + "A" * 100_000
    before = _canonical.cache_info().currsize

    assert canonical(picture, "http://a.example/") is None
    assert canonical(f"http://a.example/?q={picture}") is None
    assert _canonical.cache_info().currsize == before


@pytest.mark.parametrize("host", ["a\x00b", "a b", 'a"b', "127.0.0.1%2f", "a<b", "*.example"])
def test_a_host_of_signs_that_no_name_has_is_none(host):
    assert canonical(f"http://{host}/") is None
