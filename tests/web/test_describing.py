import xml.etree.ElementTree as tree

import pytest

SVG = "{http://www.w3.org/2000/svg}"
BASE = "/api/v1/c/tiny"
DRAWN = [
    "sketch?word=bakkie&least=1",
    "sketch/difference?word=bakkie&other=man&least=1",
    "thesaurus?word=bakkie&least=1",
    "new-words?from=2017&least=1&sites=1",
    "frequencies?q=bakkie&by=year",
    "frequencies?q=bakkie&by=host",
    "wordlist?most=5",
    "dispersion?q=bakkie",
    "collocations?q=bakkie&least=1",
    "trend?q=bakkie&by=year",
    "conc?q=bakkie",
    "summary",
    "card",
]


@pytest.mark.parametrize("asked", DRAWN)
def test_what_can_be_drawn_has_a_twin_that_is_a_picture(client, asked):
    path, _, query = asked.partition("?")

    answer = client.get(f"{BASE}/{path}.svg?{query}")

    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    root = tree.fromstring(answer.content)
    assert root[0].tag == f"{SVG}title"
    for link in root.iter(f"{SVG}a"):
        assert link.get("href").startswith("/c/tiny/conc?")


def test_a_picture_may_have_rules_of_colour_and_nothing_else(client):
    answer = client.get(f"{BASE}/summary.svg")

    policy = answer.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy


def test_marks_of_a_picture_lead_to_lines(client):
    root = tree.fromstring(client.get(f"{BASE}/trend.svg?q=bakkie&by=year&v=1").content)
    links = [link.get("href") for link in root.iter(f"{SVG}a")]

    assert links
    for link in links:
        assert link.endswith("&v=1")
        assert client.get(link).status_code == 200


@pytest.mark.parametrize("asked", DRAWN[:4])
def test_the_same_question_answers_in_json(client, asked):
    answer = client.get(f"{BASE}/{asked}")

    assert answer.status_code == 200
    assert answer.json()["snapshot"] == 2


def test_examples_come_with_their_factors(client):
    found = client.get(f"{BASE}/examples", params={"q": "bakkie", "most": 2}).json()

    assert len(found["lines"]) == 2
    assert {"name", "value", "weight", "reason"} == set(found["lines"][0]["factors"][0])


def test_headwords_come_with_dates_and_evidence(client):
    words = ["bakkie\t2030", "sjambok", "unicorn"]

    found = client.get(f"{BASE}/attestations", params={"word": words}).json()

    verdicts = {line["headword"]: line["verdict"] for line in found["lines"]}
    assert verdicts == {"bakkie": "antedating", "sjambok": "no-known-date", "unicorn": "absent"}
    assert found["lines"][0]["found"]["evidence"]


@pytest.mark.parametrize(
    "asked",
    [
        "sketch?word=bakkie&language=zul",
        "sketch?word=bakkie&pos=nuon",
        "sketch?word=bakkie&where=nonsense",
        "new-words?from=2020&to=2010",
        "new-words?list=../../corpus.toml",
        "new-words?from=yesterday",
        "attestations?word=bakkie%09yesterday",
        "examples?q=",
    ],
)
def test_a_bad_question_is_answered_with_a_sentence(client, asked):
    answer = client.get(f"{BASE}/{asked}")

    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]["message"]


def test_a_word_that_does_not_occur_is_no_error(client):
    found = client.get(f"{BASE}/sketch", params={"word": '<script>"'}).json()

    assert found["hits"] == 0
    assert "does not occur" in found["notes"][0]


def test_a_list_that_lies_with_the_corpus_may_be_named(curator, own_folder):
    (own_folder / "lists").mkdir()
    (own_folder / "lists" / "known.txt").write_text("bakkie\n", encoding="utf-8")

    answer = curator.get(f"{BASE}/new-words?list=known.txt&from=1990&least=1&sites=1")

    assert "bakkie" not in {line["word"] for line in answer.json()["lines"]}


def test_deciding_is_for_curators_and_is_remembered(curator, guarded):
    decision = {"word": "sjambok", "decision": "known", "who": "a", "note": "old"}
    assert guarded.post(f"{BASE}/decisions", json=decision).status_code == 401

    made = curator.post(f"{BASE}/decisions", json=decision)

    assert made.status_code == 201
    assert made.json()["who"] != "a"  # nobody signs as another
    assert curator.get(f"{BASE}/decisions").json() == [made.json()]
    bad = curator.post(f"{BASE}/decisions", json=decision | {"decision": "maybe"})
    assert 400 <= bad.status_code < 500
