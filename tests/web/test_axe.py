"""Every page for readers, in two widths and two themes, through axe."""

import pytest

from .axe import violations, violations_everywhere

pytestmark = pytest.mark.browser

PATHS = (
    "/",
    "/preferences",
    "/c/tiny",
    "/c/tiny/conc",
    "/c/tiny/conc?q=bakkie&size=20",
    "/c/tiny/conc?q=zzzz&from=2010",
    "/c/tiny/conc?q=[",
    "/api/docs",
    "/no-such-page",
)


@pytest.mark.parametrize("path", PATHS)
def test_axe_finds_nothing_amiss(visit, path):
    assert violations_everywhere(visit(), path) == []


def test_axe_would_find_something(visit):
    page = visit()
    page.goto("/")
    page.evaluate("document.querySelector('h1').outerHTML = '<img src=\"data:,\">'")

    found = violations(page)

    assert any(line.startswith("image-alt") for line in found)
