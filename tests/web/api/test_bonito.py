"""Bonito's interface as the client sgex, and the requests of Lexonomy, see it."""

import json

import pytest
from sgex.job import Job

import izwi

ROOT = "/bonito/run.cgi"


@pytest.fixture
def corpus(corpus_folder):
    with izwi.open(corpus_folder) as corpus:
        yield corpus


@pytest.fixture
def asked(address, corpus, tmp_path, monkeypatch):
    """Ask with sgex; it keeps what it got in a folder of its own."""
    monkeypatch.chdir(tmp_path)

    def ask(kind, **parameters):
        call = {"call_type": kind, "corpname": corpus.name, **parameters}
        job = Job(params=call, server=f"{address}{ROOT}", cache_dir=str(tmp_path / "kept"))
        job.run()
        return job.data.list()[0]

    return ask


def test_a_concordance_has_the_lines_of_ours(asked, corpus):
    found = asked("View", q='q[lc="bakkie"]', pagesize=5).response.json()

    ours = corpus.concordance('[lc="bakkie"]', size=5)
    assert found["concsize"] == ours.hits
    matches = ["".join(each["str"] for each in line["Kwic"]).strip() for line in found["Lines"]]
    assert matches == [line.match for line in ours]
    assert found["Lines"][0]["Left"][0]["str"] == ours.lines[0].left


def test_tokens_with_tags_and_lemmas_become_annotations(asked):
    view = asked("View", q='q"bakkie"', attrs="word,tag,lemma", attr_allpos="all", pagesize=3)

    first = view.lines_to_tacred()[0]

    assert len(first["token"]) == len(first["pos"]) == len(first["lemma"])
    assert "bakkie" in first["lemma"].values()


def test_text_types_of_lines_become_a_table(asked):
    view = asked("View", q='q"bakkie"', refs="#,=doc.source,=doc.site", pagesize=4)

    table = view.ttypes_to_df(["doc.source", "doc.site"])

    assert len(table) == 4
    assert set(table["doc.source"]) <= {"first-pages", "later-pages"}


def test_frequencies_are_those_of_ours(asked, corpus):
    table = asked("Freqs", q='q[lc="bakkie"]', fcrit="doc.source 0").df_from_json()

    ours = {
        line.values[0]: line.hits
        for line in corpus.frequencies('[lc="bakkie"]', by="source").lines
        if line.hits
    }
    assert dict(zip(table["value"], table["frq"], strict=True)) == ours


@pytest.mark.filterwarnings("ignore::pandas.errors.Pandas4Warning")  # sgex's own
def test_a_word_list_is_ours(asked, corpus):
    table = asked("Wordlist", wltype="simple", wlattr="lemma", wlmaxitems=10).df_from_json()

    ours = corpus.wordlist(attribute="lemma", most=10, pattern=".*", case=True)
    assert sorted(table["str"]) == sorted(line.value for line in ours.lines)


def test_sizes_are_a_table(asked, corpus):
    table = asked("CorpInfo").sizes_from_json()

    sizes = dict(zip(table["structure"], table["size"], strict=True))
    assert sizes["token"] == corpus.summary().tokens


@pytest.mark.parametrize(
    ("call", "parameters", "key"),
    [
        ("collx", {"q": 'q[lc="bakkie"]', "cattr": "lemma", "cbgrfns": "tmd"}, "Items"),
        ("wsketch", {"lemma": "bakkie", "lpos": "-n"}, "Gramrels"),
        ("thes", {"lemma": "bakkie"}, "Words"),
        ("extract_keywords", {"ref_corpname": ""}, "keywords"),
        ("subcorp", {}, "SubcorpList"),
    ],
)
def test_analyses_answer_in_the_shape_of_theirs(client, corpus, call, parameters, key):
    answer = client.get(f"{ROOT}/{call}", params={"corpname": corpus.name, **parameters})

    assert answer.status_code == 200
    assert isinstance(answer.json()[key], list)


@pytest.mark.parametrize("name", ["..", "/etc/passwd", "list.txt", "corpus:x"])
def test_a_reference_is_a_corpus_of_the_server_and_no_file(client, corpus, name):
    asked = {"corpname": corpus.name, "ref_corpname": name}

    assert client.get(f"{ROOT}/extract_keywords", params=asked).status_code == 404


def test_what_lexonomy_pulls_from_a_corpus(client, corpus):
    """Examples by a JSON description, definitions by a query of its own."""
    described = {"concordance_query": [{"queryselector": "iqueryrow", "iquery": "bakkie"}]}
    examples = client.get(
        f"{ROOT}/concordance",
        params={
            "corpname": corpus.name,
            "json": json.dumps(described),
            "viewmode": "sen",
            "pagesize": "10",
        },
    ).json()
    asked = {"corpname": corpus.name, "q": 'q[lemma="bakkie"] [lemma="be"]', "viewmode": "sen"}

    assert examples["concsize"] == corpus.concordance("bakkie", mode="word").hits
    assert len(examples["Lines"]) == min(10, examples["concsize"])
    assert client.get(f"{ROOT}/view", params=asked).status_code == 200


@pytest.mark.parametrize(
    ("call", "parameters"),
    [
        ("view", {"q": "q["}),
        ("view", {"q": "x"}),
        ("view", {}),
        ("view", {"json": "[" * 5000}),
        ("view", {"json": "7"}),
        ("view", {"q": 'q"a"', "attrs": "colour"}),
        ("view", {"q": 'q"a"', "pagesize": "many"}),
        ("freqs", {"q": 'q"a"'}),
        ("freqs", {"q": 'q"a"', "fcrit": "colour 0"}),
        ("collx", {"q": 'q"a"', "cfromw": "far"}),
        ("wsketch", {}),
        ("view", {"q": 'q"a"', "format": "xml"}),
        ("shutdown", {}),
    ],
)
def test_what_cannot_be_answered_is_an_error_in_words(client, corpus, call, parameters):
    answer = client.get(f"{ROOT}/{call}", params={"corpname": corpus.name, **parameters})

    assert 400 <= answer.status_code < 500
    assert answer.json()["error"]


def test_an_unknown_corpus_is_not_found(client):
    assert client.get(f"{ROOT}/corp_info", params={"corpname": "x"}).status_code == 404


def test_secrets_of_clients_are_not_repeated(client, corpus):
    asked = {"corpname": corpus.name, "api_key": "a-secret-key"}

    assert "a-secret-key" not in client.get(f"{ROOT}/corp_info", params=asked).text
