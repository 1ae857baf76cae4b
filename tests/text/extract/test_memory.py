"""Memory stays flat however many pages go by; benchmarks/extraction/memory.py does it at length."""

import gc
import tracemalloc

import izwi

_PAGE = """<html><head><title>Story {n}</title></head><body><div id="menu-{n}" class="nav c{n}">
<a href="/{n}">Home {n}</a></div><div class="story s{n}"><p>In the year {n} the old bakkie of the
miller went over the pass with {n} bags of meal, and nobody had seen so many bags before.</p>
<p>The miller of house {n} said that he would not do it again before the rains.</p></div></body>"""


def _held_after(first, last):
    """Return the bytes in use after some pages, each different from all others."""
    for number in range(first, last):
        found = izwi.extract(_PAGE.format(n=number), f"http://a.example/{number}")
        assert found.metadata.title
    gc.collect()
    return tracemalloc.get_traced_memory()[0]


def test_pages_leave_nothing_behind():
    _held_after(0, 50)
    tracemalloc.start()
    try:
        before = _held_after(50, 150)
        after = _held_after(150, 450)
    finally:
        tracemalloc.stop()

    # 300 pages of 500 characters; a kept page would be ten times that with its tables.
    assert after - before < 300_000
