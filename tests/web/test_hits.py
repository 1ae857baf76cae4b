import pytest

from .parsing import one, page_of, words


@pytest.fixture(scope="module")
def line(client):
    return client.get("/c/tiny/conc.json?q=bakkie&size=1").json()["lines"][0]


def test_a_hit_has_a_page_with_its_paragraph_and_citations(client, line):
    page = page_of(client.get(f"/c/tiny/hit/{line['id']}"))

    context = words(one(page, ".context"))
    assert line["match"] in context
    assert len(context) > len(line["left"] + line["match"] + line["right"])
    styles = [words(each) for each in page.cssselect(".ways dt")]
    assert styles == ["izwi", "Chicago", "MLA", "APA", "OED", "BibTeX"]
    assert line["document"]["url"] in words(one(page, ".ways"))


def test_the_part_under_a_line_is_not_a_whole_page(client, line):
    text = client.get(f"/c/tiny/hit/{line['id']}?part=1").text

    assert "<html" not in text
    assert "<blockquote" in text


def test_every_hit_of_an_earlier_version_is_there_in_the_next(client):
    lines = client.get("/c/tiny/conc.json?q=the&size=60&v=1").json()["lines"]

    assert len(lines) == 60
    for each in lines:
        now = client.get(f"/c/tiny/hit/{each['id']}.json")
        assert now.status_code == 200
        assert now.json()["match"] == each["match"]


def test_a_hit_is_found_without_naming_its_corpus(client, line):
    assert line["id"] in client.get(f"/h/{line['id']}").text
    assert client.get("/h/abc.1.12345678").status_code == 404


def test_a_hit_that_is_in_no_version_says_so(client, line):
    document, _, _ = line["id"].rsplit(".", 2)

    changed = client.get(f"/c/tiny/hit/{document}.1.00000000")
    unknown = client.get("/c/tiny/hit/nothing.1.00000000")
    wrong = client.get("/c/tiny/hit/nonsense")

    assert (changed.status_code, unknown.status_code, wrong.status_code) == (410, 404, 400)
    assert "its text has changed" in changed.text


def test_a_hit_of_a_later_version_only_points_to_no_earlier_one(client):
    late = client.get("/c/tiny/conc.json?q=alert&size=1").json()["lines"][0]

    answer = client.get(f"/c/tiny/hit/{late['id']}?v=1")

    assert answer.status_code == 410
    assert "This hit is gone" in answer.text
