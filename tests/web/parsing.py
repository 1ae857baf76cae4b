"""Reading answers: pages as parsed HTML."""

from lxml import html


def page_of(answer):
    """Return a page, parsed."""
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    return html.fromstring(answer.text)


def words(element):
    """Return the text of an element with single spaces."""
    return " ".join(element.text_content().split())


def one(tree, selector):
    """Return the only element that a CSS selector finds."""
    (found,) = tree.cssselect(selector)
    return found
