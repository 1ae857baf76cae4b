"""A word of a query that the index has as several is said with what to write."""

import pytest
from fastapi.testclient import TestClient
from lxml import html
from typer.testing import CliRunner

from izwi.cases.corpora import import_vertical
from izwi.cases.corpus import Corpus
from izwi.cli.main import app
from izwi.web.app import create_app

WORDS = ["The", "load", "-", "shedding", "is", "back", "and", "the", "robots", "do", "n't", "work"]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cut")
    text = '<doc id="a">\n' + "\n".join(WORDS) + "\n</doc>\n"
    (folder / "a.vert").write_text(text, encoding="utf-8")
    import_vertical(folder / "a.vert", folder / "dark")
    return Corpus(folder / "dark")


@pytest.mark.parametrize(
    "query",
    [
        '[word="load-shedding"]',
        '"load-shedding"',
        '"The" "load-shedding" "is"',
        '"do" | "load-shedding" "was"',
        '"don\'t" "work"',
    ],
)
def test_what_is_proposed_is_the_query_cut_as_the_texts_are(corpus, query):
    found = corpus.concordance(query, mode="cql")
    again = corpus.concordance(found.instead, mode="cql") if found.instead else found

    assert again.hits > 0
    assert bool(found.instead) != bool(found.hits)


@pytest.mark.parametrize(
    "query",
    [
        pytest.param('[word="load-shifting"]', id="pieces-that-do-not-occur"),
        pytest.param('[word="load-.*shedding"]', id="a-pattern"),
        pytest.param('[word!="load-shedding" & word="x"]', id="a-negation"),
        pytest.param('"robot"', id="one-word"),
        pytest.param("load-shifting", id="a-phrase"),
    ],
)
def test_nothing_is_proposed_for(corpus, query):
    assert corpus.concordance(query).instead == ""


def test_command_and_page_say_what_to_write(corpus):
    query = '[word="load-shedding"]'
    wanted = corpus.concordance(query).instead

    printed = CliRunner().invoke(app, ["query", str(corpus.path), query]).stdout
    client = TestClient(create_app([corpus.path]), base_url="http://127.0.0.1")
    page = html.fromstring(client.get(f"/c/{corpus.name}/conc", params={"q": query}).text)

    assert printed.splitlines()[1] == f"As the words were cut, write: {wanted}"
    (link,) = (each for each in page.cssselect(".hints a") if wanted in each.text_content())
    assert "No lines" not in client.get(link.get("href")).text
    assert wanted in corpus.concordance(query)._repr_html_().replace("&quot;", '"')


@pytest.mark.parametrize(
    ("option", "value", "limits"),
    [
        ("--where", 'section="nowhere"', {"where": 'section="nowhere"'}),
        ("--until", "1901-01-01", {"until": "1901-01-01"}),
        ("--near", '"zzz"', {"near": '"zzz"'}),
    ],
)
def test_what_only_limits_exclude_is_not_said_to_be_missing(corpus, option, value, limits):
    there = corpus.concordance("the")
    printed = CliRunner().invoke(app, ["query", str(corpus.path), "the", option, value]).stdout
    client = TestClient(create_app([corpus.path]), base_url="http://127.0.0.1")
    names = {"until": "to"}
    params = {"q": "the"} | {names.get(name, name): each for name, each in limits.items()}
    answer = client.get(f"/c/{corpus.name}/conc", params=params)
    first = html.fromstring(answer.text).cssselect(".hints li")[0]

    assert f"without them there are {there.hits:,} lines" in printed
    assert "No line holds" not in printed
    assert "Check the spelling" not in answer.text
    assert f"{there.hits:,}" in first.text_content()
    (link,) = first.cssselect("a")
    assert "No lines" not in client.get(link.get("href")).text


def test_without_limits_a_word_is_missing(corpus):
    assert corpus.concordance("zzzz").unfiltered == 0
    assert corpus.concordance("zzzz", where='section="nowhere"').unfiltered == 0


@pytest.mark.parametrize(
    ("where", "told"), [('section="nowhere"', "0 documents"), ('id!="none"', "It holds")]
)
def test_saving_a_subcorpus_says_how_many_documents_it_holds(
    corpus, tmp_path, monkeypatch, where, told
):
    monkeypatch.setenv("IZWI_WORKSPACE", str(tmp_path))
    words = ["subcorpora", "save", str(corpus.path), "part", where]
    made = corpus.save_subcorpus("part", where)

    assert made.documents == (0 if told == "0 documents" else corpus.summary().documents)
    printed = CliRunner().invoke(app, words).stdout
    assert told in printed
    assert ("Use it" in printed) == bool(made.documents)
