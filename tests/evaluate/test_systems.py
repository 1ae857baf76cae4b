"""Pages of widespread publishing systems at default settings: text, title, author, date."""

import pytest

import izwi
from tests.evaluate.systempages import PAGES


@pytest.fixture(params=PAGES, ids=lambda page: page.name)
def read(request):
    return request.param, izwi.extract(request.param.html)


def test_the_text_is_read_and_what_stands_round_it_is_not(read):
    page, found = read
    text = " ".join(found.text.split())

    assert [piece for piece in page.wanted if piece not in text] == []
    assert [piece for piece in page.unwanted if piece in text] == []


def test_title_author_and_date_are_those_readers_see(read):
    page, found = read
    said = found.metadata

    assert not page.title or said.title == page.title
    assert not page.author or said.author == page.author
    assert not page.date or (said.date and str(said.date.value) == page.date)


def test_comments_stand_apart_from_the_text(read):
    page, found = read

    assert [text for text in page.comments if text not in found.comments] == []
