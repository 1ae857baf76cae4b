import pytest

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
    assert "izwi sketch tiny bakkie" in words(one(page, "main"))


def test_similar_words_open_their_lines_and_what_they_share(client):
    found = client.get("/c/tiny/thesaurus.json?word=man&least=1").json()["lines"]
    page = page_of(client.get("/c/tiny/thesaurus?word=man&least=1"))

    rows = page.cssselect("table.results tbody tr")
    assert [words(row.cssselect("th")[0]) for row in rows] == [each["word"] for each in found]
    for row in rows[:3]:
        for link in row.cssselect("a"):
            assert client.get(link.get("href")).status_code == 200


@pytest.mark.parametrize("path", ["sketch", "sketch-difference", "thesaurus"])
def test_without_a_word_the_page_says_what_it_is_for(client, path):
    page = page_of(client.get(f"/c/tiny/{path}"))

    assert page.cssselect(".hints p")
    assert not page.cssselect("table.plain tbody tr")


def test_a_part_of_speech_that_is_none_is_said(client):
    answer = client.get("/c/tiny/sketch?word=bakkie&pos=nonsense")

    assert answer.status_code == 400
    assert "is not a part of speech here" in words(one(page_of(answer), ".problem"))
