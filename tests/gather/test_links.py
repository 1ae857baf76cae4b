import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from selectolax.lexbor import LexborHTMLParser

from izwi.demoweb import PUBLICATIONS, page_for
from izwi.demoweb.sites import views
from izwi.gather.links import page_links, texts_apart
from izwi.gather.urls import canonical, may_be_text

PAGE = "http://one.example/news/a.html"


def links(body):
    return page_links(body.encode(), PAGE)


def as_a_parser_finds_them(body, url):
    """Return the links of a page that has no base, by building its tree."""
    hrefs = (each.attributes.get("href") for each in LexborHTMLParser(body).css("a[href]"))
    found = (canonical(href, url) for href in hrefs if href and not href.startswith("#"))
    return list(dict.fromkeys(link for link in found if link and may_be_text(link)))


def test_links_come_once_in_order_of_appearance():
    found = links('<a href="/b">b</a> <a href="c">c</a> <p><a href="/b#top">b again</a>')

    assert found == ["http://one.example/b", "http://one.example/news/c"]


@pytest.mark.parametrize(
    "tag",
    [
        '<a href="/x">',
        "<a href='/x'>",
        "<a href=/x>",
        "<A HREF='/x'>",
        "<a\n  class=b\n  href = '/x'\n>",
        '<a title="5 > 4" href="/x">',
        "<a title='say \"href=/y\"' href=/x>",
        '<a title="href=/y" href="/x" href="/z">',
        '<a data-href="/y" href="/x">',
        "<a hidden href=/x>",
        '<a href=" /x ">',
        '<p><b><a href="/x"',
    ],
)
def test_link_is_found_however_it_is_written(tag):
    closed = tag if tag.endswith(">") else f"{tag}>"

    assert links(f"<p>{closed}x</a>") == ["http://one.example/x"]


@pytest.mark.parametrize(
    "body",
    [
        '<!-- <a href="/x">x</a> -->',
        '<!-- never closed <a href="/x">x</a>',
        "<script>write('<a href=\"/x\">x</a>')</script>",
        '<SCRIPT type="a">"<a href=/x>"',
        '<textarea><a href="/x">x</a></textarea>',
        '<abbr href="/x">x</abbr>',
        '<link href="/x">',
        "<a name=/x>x</a>",
        "<a href>x</a>",
        '<a href="">x</a>',
        '< a href="/x">',
        '&lt;a href="/x"&gt;',
    ],
)
def test_what_only_looks_like_a_link_is_none(body):
    assert [link for link in links(body) if link.endswith("/x")] == []


def test_links_after_comments_and_scripts_are_found():
    body = '<!--a--><a href="/1">1</a><!--><a href="/2">2</a><script></script><a href="/3">3</a>'

    assert links(body) == [f"http://one.example/{number}" for number in (1, 2, 3)]


def test_links_are_read_from_the_base_of_the_page():
    found = links('<base href="/archive/"><a href="x">x</a><a href="http://two.example/">y</a>')

    assert found == ["http://one.example/archive/x", "http://two.example/"]


def test_base_that_is_no_address_is_passed_over():
    assert links('<base href="javascript:x"><a href="b">b</a>') == ["http://one.example/news/b"]


def test_links_to_what_is_not_text_are_left_out():
    found = links(
        '<a href="a.jpg">1</a><a href="b.mp3">2</a><a href="mailto:x@y.z">3</a>'
        '<a href="javascript:void(0)">4</a><a>5</a><a href>6</a><a href="ok">7</a>'
    )

    assert found == ["http://one.example/news/ok"]


def test_page_without_links_or_html_has_none():
    assert page_links(b"", PAGE) == []
    assert page_links(b"\x00\xff\xfe binary", PAGE) == []


def test_page_with_far_too_many_links_gives_the_first():
    body = "".join(f'<a href="/{number}">x</a>' for number in range(6000))

    found = links(body)

    assert len(found) == 5000
    assert found[0] == "http://one.example/0"


@pytest.mark.parametrize(
    ("href", "path"),
    [
        ("/wêreld", "/w%C3%AAreld"),
        ("/a?b=1&amp;c=2", "/a?b=1&c=2"),
        ("/w&ecirc;reld", "/w%C3%AAreld"),
        ("/&#119;", "/w"),
    ],
    ids=["letters", "ampersand", "named", "numbered"],
)
def test_characters_of_a_link_are_read(href, path):
    assert links(f'<a href="{href}">x</a>') == [f"http://one.example{path}"]


@pytest.mark.parametrize("publication", PUBLICATIONS.values(), ids=PUBLICATIONS)
def test_links_of_whole_pages_are_those_a_parser_finds(publication):
    for path in list(views(publication))[:20]:
        body, url = page_for(publication, path).body, publication.url(path)

        assert page_links(body, url) == as_a_parser_finds_them(body, url)


@given(st.text(alphabet="<>a/ hrefbsc!-\"'=x\n", max_size=60))
def test_whatever_stands_in_a_page_links_are_addresses(body):
    found = links(body)

    assert [canonical(link) for link in found] == found


BOMBS = {
    "nested": "<div>",
    "unclosed links": "<a ",
    "quotes": '<a "',
    "open quotes": "<a '\"",
    "comments": "<!--",
    "scripts": "<script>",
    "options": "<option>",
    "one long tag": "<a " + "x" * 1000,
    "attributes": "x=1 ",
    "spaces": "a " + " " * 1000,
    "links in links": "<a href=/x>",
}


@pytest.mark.parametrize("piece", BOMBS.values(), ids=BOMBS)
def test_no_page_takes_long(piece):
    body = b"<a " + piece.encode() * (2_000_000 // len(piece)) + b">"
    begun = time.process_time()

    page_links(body, PAGE)

    assert time.process_time() - begun < 2.0


def test_the_frames_of_a_page_are_links():
    body = b'<frameset cols="20,80"><frame src="menu.html"><frame name=b src=/text.html></frameset>'

    assert page_links(body, "http://a.example/x/") == [
        "http://a.example/x/menu.html",
        "http://a.example/text.html",
    ]


@pytest.mark.parametrize(
    ("body", "own", "linked"),
    [
        (b"<p>Rain <a href=/a>at last</a> here", "Rain here", "at last"),
        (b"<A HREF=/a><b>One</b></A > two <a>three", "two three", "One"),
        (b"<p>Plain <abbr>text</abbr></p>", "Plain text", ""),
        (b"<script><a>no</a></script>Yes", "Yes", ""),
    ],
)
def test_the_words_of_links_are_told_from_the_others(body, own, linked):
    assert tuple(" ".join(re.findall(r"\w+", each)) for each in texts_apart(body)) == (own, linked)
