import pytest
from hypothesis import given
from hypothesis import strategies as st

from izwi.gather.links import Anchor, read_anchors, selected_anchors
from izwi.gather.listing import find_articles, find_next
from izwi.model.errors import SourceError

URL = "http://a.example/archive?page=2"
PARTS = st.lists(
    st.sampled_from(
        ["<a href='/x-y-z'>", "</a>", "<nav>", "</nav>", "<h2>", "<li class='a 1'>", "Next", "»",
         "<link rel=next href='?page=3'>", "words of a title", "\x00", "<a", "<a href='http://[bad'>"]
    ),
    max_size=40,
)  # fmt: skip


@given(PARTS)
def test_any_page_can_be_looked_at(parts):
    body = "".join(parts).encode()

    anchors = read_anchors(body, URL)

    found = find_articles(anchors, URL).articles
    assert len({each.url for each in found}) == len(found)
    assert all(each.url != URL for each in found)
    following = find_next(anchors, URL, 2)
    assert following is None or following.url != URL


def link(text="", url="http://a.example/archive?page=3", **more):
    return Anchor(url, text, **more)


@pytest.mark.parametrize(
    "anchor",
    [
        link("Older posts"), link("Volgende »"), link("Következő oldal"), link("›"), link("3"),
        link("Okulandelayo"), link("下一页"), link("", rel="next"), link("", label="pager-next"),
        link("More", label="Next page"),
    ],
)  # fmt: skip
def test_next_page_is_known_by_many_signs(anchor):
    first, last = (f"http://a.example/archive?page={number}" for number in (1, 9))
    others = [link("1", first), link("« Vorige", first), link("9", last), link("Last »", last)]

    assert find_next([*others, anchor], URL, 2) == anchor
    assert find_next(others, URL, 2) is None


@pytest.mark.parametrize(
    "anchor",
    [
        link(
            "What comes next for the farmers of the Karoo after the drought", "http://a.example/n/1"
        ),
        link("Next", "http://other.test/archive"),
        link("Next", URL),
        link("Previous", label="next-prev"),
    ],
)
def test_other_links_are_not_the_next_page(anchor):
    assert find_next([anchor], URL, 2) is None


def test_selector_finds_links_in_or_at_its_elements():
    body = (
        b'<h2><a href="/one">x</a></h2><h2><span>no link</span></h2><a class="s" href="/two">y</a>'
    )

    found = selected_anchors(body, URL, "h2, a.s")

    assert [each.url for each in found] == ["http://a.example/one", "http://a.example/two"]


@pytest.mark.parametrize(
    "body",
    [
        b"<p>" * 300_000,
        b"<div>" * 50_000,
        b"<a href=/x><b>" * 30_000,
        b"<b>" * 20_000 + b"<p>" * 9_000,
    ],
    ids=["many", "deep", "links", "formatting"],
)
def test_page_that_would_keep_a_parser_busy_is_refused(body):
    with pytest.raises(SourceError, match="no list is so long"):
        read_anchors(body, URL)


def test_page_that_leaves_elements_open_as_people_do_is_read():
    body = b"<ul>" + b'<li><p>One<a href="/x-y-z">words of a title</a><br>' * 2000

    assert {each.url for each in read_anchors(body, URL)} == {"http://a.example/x-y-z"}
