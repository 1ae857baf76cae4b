"""How far from its seeds a crawl goes."""

from datetime import UTC, datetime

import pytest

from izwi.gather.sources.crawl import CrawlSource
from izwi.model.capture import Capture, Lead

LIST = "http://blog.example/posts/page/{}/"
PAGE = """<h2><a href="/posts/the-dam-is-full/">The dam is full</a></h2>
<a href="/posts/page/11/">Newer posts</a>
<a class="next" href="/posts/page/13/">Older posts</a>
<a href="/about/us/13/">Next to us</a>"""
COUNTED = '<a href="/posts/page/13/">vroeër nog</a> <a href="/posts/page/19/">laaste</a>'


def depths(found_at, page=PAGE, **settings):
    """Return how deep the links of a list lie that was found so deep."""
    source = CrawlSource("blog", ("http://blog.example/",), **settings)
    lead = Lead(LIST.format(12), "blog", referrer=LIST.format(11), depth=found_at)
    capture = Capture(lead, datetime.now(UTC), 200, "OK", (), page.encode())
    return {each.url: each.depth for each in source.leads_from(capture, capture.body)}


def test_pages_of_a_long_list_count_as_one():
    found = depths(10)

    assert found.pop(LIST.format(13)) == 10
    assert list(found.values()) == [11, 11, 11]


def test_the_next_number_is_the_next_page_whatever_it_is_called():
    assert depths(10, COUNTED) == {LIST.format(13): 10, LIST.format(19): 11}


@pytest.mark.parametrize(
    ("found_at", "settings"), [(9, {}), (10, {"traps": False}), (3, {"depth": 5})]
)
def test_every_page_counts_on_short_ways_and_where_traps_are_not_minded(found_at, settings):
    assert set(depths(found_at, **settings).values()) == {found_at + 1}


def test_what_is_as_deep_as_a_crawl_goes_leads_on_to_nothing():
    assert depths(12, depth=12) == {}


def test_no_list_has_so_many_elements():
    assert set(depths(15, page=PAGE + "<b>" * 100_001).values()) == {16}
