import pytest

from .parsing import one, page_of, words


def lines(client, **asked):
    answer = client.get("/c/tiny/conc.json", params={"q": "bakkie", "size": 100, **asked})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_lines_can_be_narrowed_by_address(client):
    every = lines(client)
    first = lines(client, first=1)
    some = lines(client, sample=2)
    near = lines(client, near='[word="the" %c]', window=1)

    assert first["hits"] == first["documents"] == every["documents"]
    assert some["hits"] == 2
    assert 0 < near["hits"] < every["hits"]
    assert all(
        " the " in f" {line['left'][-5:]} {line['right'][:5]} ".lower() for line in near["lines"]
    )


def test_a_line_can_be_a_whole_sentence(client):
    line = lines(client, unit="sentence")["lines"][0]

    assert (line["left"] + line["match"] + line["right"]).rstrip()[-1] in '.!?\u201d"'


def test_folded_copies_are_counted_if_asked_for(client):
    without, counted = (lines(client, q="skollie", copies=copies) for copies in (0, 1))

    assert counted["hits"] == 2 * without["hits"]
    assert {line["document"]["copy_of"] for line in without["lines"]} == {""}


def test_documents_are_chosen_by_a_condition(client):
    every, early = lines(client), lines(client, where='date="2010.*"')

    assert 0 < early["hits"] < every["hits"]
    assert {line["document"]["date"][:4] for line in early["lines"]} == {"2010"}


@pytest.mark.parametrize("name", ["/etc/passwd", "http://127.0.0.1:9/", "en"])
def test_a_reader_cannot_name_files_or_addresses_of_the_server(client, name):
    answer = client.get("/c/tiny/conc.json", params={"q": "bakkie", "translate": name})

    assert answer.status_code == 400
    assert f"There is no word list '{name}' here" in answer.json()["error"]["message"]


def test_a_query_that_takes_too_long_says_so(client):
    asked = {"q": "bakkie", "timeout": "0.000001"}

    data = client.get("/c/tiny/conc.json", params=asked)
    page = client.get("/c/tiny/conc", params=asked)

    assert data.status_code == page.status_code == 503
    assert "was stopped after 1e-06 seconds" in data.json()["error"]["message"]
    assert "was stopped after" in words(one(page_of(page), ".problem"))


def test_an_error_in_a_query_points_at_the_character(client):
    page = page_of(client.get("/c/tiny/conc", params={"q": '[word="bakkie"'}))

    problem = one(page, ".problem.pointing").text_content()

    assert problem.splitlines()[-1].strip() == "^"


def test_several_keys_are_named_above_the_lines(client):
    page = page_of(client.get("/c/tiny/conc", params={"q": "bakkie", "sort": "source,left"}))

    assert "by source, then word to the left" in words(one(page, ".kwic caption"))


def test_the_form_keeps_what_was_asked(client):
    asked = {"q": "bakkie", "unit": "sentence", "near": '"the"', "first": "1", "copies": "1"}

    form = one(
        page_of(client.get("/c/tiny/conc", params=asked)), "form.search[role=search]:not(.small)"
    )

    assert one(form, "[name=unit] [selected]").get("value") == "sentence"
    assert one(form, "[name=near]").get("value") == '"the"'
    assert [box.get("name") for box in form.cssselect("input[checked]")] == ["first", "copies"]
