"""Lemmas that nothing attests, for curators."""

import json

import pytest

from izwi.cases.corpus import create_corpus

TEXT = (
    "The doeks and the flobberies were sold beside many bakkies at the market in the town.\n"
    "One gwarrie stood there when two gwarries fell, and he kiffed them while Thabo looked on."
)


@pytest.fixture
def corpus(tmp_path):
    texts = tmp_path / "texts.jsonl"
    row = {"url": "https://a.example/1", "title": "At the market", "text": TEXT}
    texts.write_text(json.dumps(row), encoding="utf-8")
    (tmp_path / "own.tsv").write_text("kiffed\tVERB\tkif\n", encoding="utf-8")
    made = create_corpus(
        tmp_path / "corpus", contact="https://izwi.example/", name="doubts", languages=("en",)
    )
    with (made.path / "corpus.toml").open("a", encoding="utf-8") as file:
        file.write(f'\n[annotate.en]\nlexicon = "{tmp_path / "own.tsv"}"\n')
    made.import_texts(texts)
    made.build(workers=1)
    return made


def test_lemmas_that_no_list_and_no_word_attests_are_listed_with_what_they_may_be(corpus):
    found = {each.lemma: each for each in corpus.doubtful_lemmas(least=1).lines}

    assert {"flobbery", "flobberie"} & set(found)
    [odd] = [each for lemma, each in found.items() if lemma.startswith("flobber")]
    assert odd.forms[0].word == "flobberies"
    assert {odd.lemma, *odd.others} >= {"flobbery", "flobberie"}
    # A word of the corpus, of our list, of the lexicon, and a name attest their lemmas.
    assert not {"gwarrie", "bakkie", "kif", "Thabo", "thabo", "market"} & set(found)


def test_rare_ones_and_those_of_other_languages_are_left_out(corpus):
    assert corpus.doubtful_lemmas(least=1000).lines == ()
    assert corpus.doubtful_lemmas(least=1, language="zul").lines == ()
