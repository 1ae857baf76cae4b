"""What a first visit to any reading page costs, as a browser counts it."""

import gzip

import pytest

from .test_analyses import PAGES

pytestmark = pytest.mark.browser

MOST_BYTES, MOST_REQUESTS = 60_000, 5
PATHS = (
    "/",
    "/help/words",
    "/c/tiny",
    "/c/tiny/conc?q=the&size=50",
    *(f"/c/tiny/{page}" for page in PAGES),
)


@pytest.mark.parametrize("path", PATHS)
def test_a_first_visit_is_small_and_asks_for_little(visit, path):
    page, sizes = visit(), []
    page.on("response", lambda answer: sizes.append(answer))

    page.goto(path)
    page.wait_for_load_state("networkidle")

    bodies = [gzip.compress(answer.body()) for answer in sizes if answer.status == 200]
    assert len(sizes) <= MOST_REQUESTS
    assert sum(map(len, bodies)) <= MOST_BYTES
