from hypothesis import given
from hypothesis import strategies as st

from izwi.gather.urls import _canonical, canonical, may_be_text

PIECES = st.sampled_from(
    ["a", "B", "/", "//", ".", "..", "?", "&", "=", "#", "%20", " ", ";jsessionid=1", "x.html",
     ":", "utm_source=x", "q=1", "ö", "http://", "https://", "example.org",
     "EXAMPLE.org", ":80", "sid=4"]
)  # fmt: skip
LINKS = st.lists(PIECES, max_size=8).map("".join)
BASES = st.sampled_from(["http://a.example/b/c?d", "https://a.example/", "http://a.example:81/x/"])


@given(LINKS, BASES)
def test_the_short_way_gives_what_the_long_way_gives(link, base):
    assert canonical(link, base) == _canonical(link, base)


@given(LINKS, BASES)
def test_canonical_form_is_its_own_canonical_form(link, base):
    found = canonical(link, base)

    assert found is None or canonical(found) == found


def test_session_ids_and_tracking_are_left_out():
    assert canonical("http://a.example/b;jsessionid=F00?PHPSESSID=1&x=2&utm_medium=y") == (
        "http://a.example/b?x=2"
    )


def test_the_ending_of_the_path_tells_what_may_be_text():
    assert may_be_text("http://a.example/b?file=c.jpg")
    assert not may_be_text("http://a.example/b.jpg?c=d")
