import re

import pytest

from izwi.model.lexicography import SimilarWord, Thesaurus

from .parsing import one, page_of, words


@pytest.mark.parametrize(
    "path",
    ["sketch?word=bakkie&least=1", "sketch-difference?word=bakkie&other=man&least=1"],
)
def test_the_numbers_of_a_sketch_open_their_lines(client, path):
    page = page_of(client.get(f"/c/tiny/{path}"))

    links = page.cssselect('td.n a[href*="/conc?"]')
    assert links
    for link in links[:5]:
        assert client.get(link.get("href")).status_code == 200
        assert int(words(link)) >= 1


def test_a_sketch_has_its_twins_and_says_how_to_repeat_it(client):
    asked = "word=bakkie&least=1"
    rows = client.get(f"/c/tiny/sketch.json?{asked}").json()["relations"]
    page = page_of(client.get(f"/c/tiny/sketch?{asked}"))

    assert [words(each) for each in page.cssselect("main h2")] == [each["name"] for each in rows]
    # The command names the folder, which is called otherwise than the corpus here.
    assert re.search(r"izwi sketch web\d+ bakkie", words(one(page, "main")))


def test_similar_words_open_their_own_and_what_they_share(client, monkeypatch):
    # The corpus is too small for words that are alike.
    made = Thesaurus("cart", "eng", 2, 9, (SimilarWord("man", 0.5, 7, ("object: see",)),))
    monkeypatch.setattr("izwi.analyse.thesaurus.thesaurus", lambda *_asked: made)

    page = page_of(client.get("/c/tiny/thesaurus?word=cart&least=1"))

    (row,) = page.cssselect("table.results tbody tr")
    assert [words(cell) for cell in row] == ["man", "0.50", "7", "object: see"]
    links = [each.get("href") for each in row.cssselect("a")]
    assert [client.get(each).status_code for each in links] == [200, 200]
    # They are compared by the relations they stand in, which no lines show.
    assert not [each for each in links if "/conc?" in each]
    assert words(page.cssselect("table.results thead th")[2]) == "Relations"


@pytest.mark.parametrize("path", ["sketch", "sketch-difference", "thesaurus"])
def test_without_a_word_the_page_says_what_it_is_for(client, path):
    page = page_of(client.get(f"/c/tiny/{path}"))

    assert page.cssselect(".hints p")
    assert not page.cssselect("table.plain tbody tr")


def test_a_part_of_speech_that_is_none_is_said(client):
    answer = client.get("/c/tiny/sketch?word=bakkie&pos=nonsense")

    assert answer.status_code == 400
    assert "is not a part of speech here" in words(one(page_of(answer), ".problem"))
