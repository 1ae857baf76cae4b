"""The passes over a page give the same compiled and interpreted; neither leaves its bounds."""

import random

import numpy as np
import pytest

import izwi.kernels.lean
import izwi.kernels.scan
from izwi.text import blocks
from tests.kernels.interpreted import interpreted
from tests.text.test_lean import PIECES

PAGES = (
    b"",
    b"<",
    b'<p onclick="go()" class=a>Hi  there<!-- no --><script>x</script>',
    b"<title> a  b </title><svg><desc/><style>x</svg><plaintext><b>",
    b'<div style="display: none" id=postBody>caf\xc3\xa9 &amp; <a href="x">More</a><br><br>'
    b"\xe4\xb8\xad</div>",
    b"<p>" + b"<b>x" * 410 + b"</b>" * 410,
    b"<b>" * 587 + b"x<p>y</p>",
    b"<div class='comment' aria-hidden=\"true\">" * 405 + b"<p>\xf0\x9f\x98\x80\xff",
)


def soups():
    """Return pages put together by chance, the same every time."""
    chance = random.Random(18)
    for _ in range(40):
        pieces = chance.choices(PIECES, k=chance.randrange(60))
        page = bytearray("".join(pieces).encode())
        for _ in range(chance.randrange(4)):
            if page:
                page[chance.randrange(len(page))] = chance.randrange(256)
        yield bytes(page)


ALL = [*PAGES, *soups()]


@pytest.mark.parametrize("is_whole", [False, True])
def test_lean_is_the_same_interpreted(is_whole):
    plain = interpreted("lean")

    for page in ALL:
        assert izwi.kernels.lean.lean(page, is_whole) == plain.lean(page, is_whole)


def filled(module, page):
    """Return the tables that a pass fills."""
    seen = np.frombuffer(page, dtype=np.uint8)
    tables = blocks.tables_for(seen, page.count(b"<"))
    for table in tables:
        table[:] = 0
    tables.open_nodes[:] = -1
    # Views give numbers of Python, which do not overflow when interpreted.
    known = tuple(memoryview(table) for table in blocks._known())
    sizes = module.scan(page, tuple(memoryview(table) for table in tables), known)
    return sizes, [table.tolist() for table in tables]


def test_scan_is_the_same_interpreted():
    plain = interpreted("scan")

    for page in ALL:
        assert filled(izwi.kernels.scan, page) == filled(plain, page)


@pytest.mark.parametrize("module", [izwi.kernels.scan, interpreted("scan")])
def test_what_would_be_written_out_of_bounds_is_an_error(module):
    tables = blocks.tables_for(np.zeros(4, dtype=np.uint8), 1)

    with pytest.raises(IndexError):
        module.scan(b"<p>word" * 100, tables, blocks._known())
