import shutil

import pytest

from izwi.web.app import create_app

from .serving import asking

QUESTIONS = (
    "frequencies?q=the&by=source",
    "frequencies?q=the&by=word&and_by=year",
    "wordlist?most=5",
    "ngrams?size=2&most=5",
    "dispersion?q=the",
    "collocations?q=the&measure=ll&most=5",
    "keywords?src=first-pages&most=5",
    "terms?src=first-pages&most=5",
    "trend?q=the&by=year",
    "compare?first=where:source%3D%22first-pages%22&q=bakkie",
)


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_analysis_is_json(client, question):
    answer = client.get(f"/api/v1/c/tiny/{question}")

    assert answer.status_code == 200, answer.text
    assert answer.json()["snapshot"] == 2


@pytest.mark.parametrize(
    ("question", "status"),
    [
        ("frequencies?q=the&by=planet", 400),
        ("frequencies", 400),
        ("collocations?q=the&left=999", 400),
        ("collocations?q=the&timeout=1e9", 400),
        ("keywords?reference=/etc/passwd", 400),
        ("keywords?reference=corpus:nowhere", 404),
        ("compare?first=../tiny", 400),
        ("trend?q=the&from=soon", 400),
        ("wordlist?most=99999999", 400),
    ],
)
def test_bad_questions_are_problems_and_no_file_can_be_read(client, question, status):
    answer = client.get(f"/api/v1/c/tiny/{question}")

    assert answer.status_code == status, answer.text
    assert "root:" not in answer.text


def test_frequency_lists_of_the_corpus_and_other_corpora_are_references(corpus_folder, tmp_path):
    own = shutil.copytree(corpus_folder, tmp_path / "own")
    (own / "references").mkdir()
    (own / "references" / "british.tsv").write_text("the\t100\nof\t50\n", encoding="utf-8")
    with asking(create_app([own])) as client:
        listed = client.get("/api/v1/c/tiny/keywords?reference=british").json()
        itself = client.get("/api/v1/c/tiny/keywords?reference=corpus:tiny").json()

    assert listed["reference_tokens"] == 150
    assert itself["reference"] == "the corpus tiny"
