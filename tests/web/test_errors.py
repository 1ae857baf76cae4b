import json

import pytest

from izwi.cases.corpus import Corpus
from izwi.web.app import create_app

from .parsing import one, page_of, words
from .serving import asking


def fault(answer):
    """Return the error that programs get."""
    assert answer.headers["content-type"] == "application/json"
    assert set(answer.json()) == {"error"}
    return answer.json()["error"]


def test_an_unknown_corpus_names_those_there_are(client):
    page, twin = client.get("/c/other"), client.get("/c/other.json")

    assert page.status_code == twin.status_code == 404
    message = "There is no corpus 'other' here. Known corpora: tiny."
    assert words(one(page_of(page), ".problem")) == message
    assert fault(twin) == {"type": "UnknownCorpus", "message": message}


@pytest.mark.parametrize("path", ["/nowhere", "/c", "/static/nothing.css", "/c/tiny/nothing/x"])
def test_an_unknown_page_is_a_page(client, path):
    answer = client.get(path)

    assert answer.status_code == 404
    assert words(one(page_of(answer), ".problem")) == f"There is no page {path} here."


@pytest.mark.parametrize("path", ["/nowhere.json", "/api/v1/nowhere", "/api/v1/c/tiny/nothing"])
def test_an_unknown_address_of_the_interface_is_json(client, path):
    answer = client.get(path)

    assert answer.status_code == 404
    assert fault(answer)["type"] == "NotFound"


def test_an_address_is_shown_as_text(client):
    page = page_of(client.get("/%3Cscript%3Ealert(1)%3C/script%3E"))

    assert not page.cssselect("main script")


def test_a_question_that_cannot_be_answered_is_the_askers_fault(client):
    answer = client.get("/c/tiny/conc.json?q=%20")

    assert answer.status_code == 400
    assert fault(answer) == {
        "type": "QueryError",
        "message": "The query is empty: type a word or a phrase.",
    }


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("size=many", "size"),
        ("seed=-1", "seed"),
        ("v=1000000000000", "v"),
        ("case=perhaps", "case"),
        ("page=1.5", "page"),
    ],
)
def test_a_parameter_that_cannot_be_read_is_named(client, query, name):
    page, twin = (
        client.get(f"/c/tiny/conc?q=a&{query}"),
        client.get(f"/c/tiny/conc.json?q=a&{query}"),
    )

    assert page.status_code == twin.status_code == 400
    sentence = fault(twin)["message"]
    assert sentence.startswith(f"The parameter '{name}' cannot be used: ")
    assert words(one(page_of(page), ".problem")) == sentence


def test_a_method_that_is_not_known_is_refused(client):
    answer = client.post("/c/tiny/conc")

    assert answer.status_code == 405
    assert "cannot be asked with POST" in words(one(page_of(answer), ".problem"))


def test_a_damaged_index_is_a_passing_trouble_without_folders(own_folder):
    for column in own_folder.glob("index/segments/*/cards.arrow"):
        column.write_bytes(b"not arrow")

    with asking(create_app([own_folder])) as client:
        page, twin = client.get("/c/tiny/conc?q=bakkie"), client.get("/c/tiny/conc.json?q=bakkie")

    assert page.status_code == twin.status_code == 503
    assert fault(twin)["type"] == "CorruptShard"
    assert "cards.arrow is damaged" in fault(twin)["message"]
    assert "cards.arrow is damaged" in words(one(page_of(page), ".problem"))
    assert str(own_folder) not in page.text + twin.text


def test_a_surprise_shows_no_traceback_and_is_still_safe(corpus_folder, monkeypatch):
    def fail(self, **options):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(Corpus, "summary", fail)
    with asking(create_app([corpus_folder])) as client:
        client.headers["Connection"] = "close"
        page, twin = client.get("/c/tiny"), client.get("/c/tiny.json")

    assert page.status_code == twin.status_code == 500
    assert fault(twin)["type"] == "InternalError"
    assert "went wrong on the server" in words(one(page_of(page), ".problem"))
    assert "secret" not in page.text + twin.text
    assert "Traceback" not in page.text + twin.text
    assert "default-src 'none'" in page.headers["content-security-policy"]


def test_the_interface_documents_the_shape_of_errors(client):
    openapi = client.get("/api/openapi.json").json()

    answers = openapi["paths"]["/c/{corpus}/conc.json"]["get"]["responses"]
    assert set(answers) == {"200", "default"}
    assert "Problem" in json.dumps(answers["default"])
