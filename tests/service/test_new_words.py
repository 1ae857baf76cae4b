"""New words of the small web's texts, judged by a list that people labelled."""

import json
from datetime import date
from pathlib import Path
from shutil import copytree

import pytest

import izwi
from izwi.analyse import new_words as counting
from izwi.cases.corpus import create_corpus
from izwi.service.lexicography import GeneralList
from tests.demoweb.truth import ground_truth

LABELLED = Path(__file__).with_name("labelled_new_words.tsv")
SINCE = {"since": date(2014, 1, 1), "least": 2, "sites": 1}


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """The English texts of the small web as they were written, without a crawl."""
    folder = tmp_path_factory.mktemp("new")
    texts = folder / "texts.jsonl"
    rows = (
        {
            "url": url, "title": each.title, "date": str(each.date), "site": each.publication,
            "text": "\n".join((each.title, *each.paragraphs)),
        }
        for url, each in ground_truth().items() if each.language == "en" and not each.copy_of
    )  # fmt: skip
    texts.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    made = create_corpus(
        folder / "corpus", contact="https://izwi.example/", name="texts", languages=("en",)
    )
    made.import_texts(texts)
    made.build(workers=1)
    return made


def of_kind(found, kind):
    return [line.word for line in found.lines if line.kind == kind]


def labels():
    lines = LABELLED.read_text(encoding="utf-8").splitlines()
    return dict(line.split("\t")[:2] for line in lines if not line.startswith("#"))


def precision(words):
    said = labels()
    return sum(said.get(word) == "yes" for word in words) / len(words)


def test_of_the_first_twenty_new_words_nine_in_ten_are_worth_a_look(corpus):
    found = of_kind(corpus.new_words(**SINCE), "word")[:20]

    assert len(found) == 20
    assert precision(found) >= 0.9
    without = of_kind(corpus.new_words(**SINCE, general=True), "word")[:20]
    assert precision(without) < 0.5, "the general list makes the difference"


def test_words_of_the_general_list_are_left_out_and_told(corpus):
    found = corpus.new_words(since=date(2018, 1, 1), least=1, sites=1, most=1000)
    every = corpus.new_words(since=date(2018, 1, 1), least=1, sites=1, most=2000, general=True)

    general = {"inspector", "quarrel", "mean", "sjambok"}
    assert general.isdisjoint(of_kind(found, "word"))
    assert general <= {line.word for line in every.lines}
    assert any(
        note.startswith("Left out because they are in the general word list")
        for note in found.notes
    )


def test_names_and_slips_stand_apart_after_the_words(corpus):
    found = corpus.new_words(since=date(2018, 1, 1), least=1, sites=1, most=1000)

    kinds = [line.kind for line in found.lines]
    assert kinds == sorted(kinds, key=("word", "name", "slip").index)
    assert {"hadebe", "estcourt", "piet"} <= set(of_kind(found, "name"))
    assert "piet" not in of_kind(found, "word")


@pytest.mark.parametrize(
    ("language", "word", "is_held"),
    [
        ("eng", "Inspectors", True),
        ("eng", "bakgat", False),
        ("deu", "Häuser", True),
        ("afr", "polisie", True),
        ("afr", "beurtkrag", False),
        ("xyz", "anything", False),
    ],
)
def test_a_general_list_has_the_forms_of_its_words(language, word, is_held):
    assert GeneralList(language).holds(word) is is_held


def test_the_lexicon_of_the_corpus_is_part_of_the_list():
    assert GeneralList("eng", frozenset({"bakgat"})).holds("Bakgat")


def test_the_same_question_is_counted_once(corpus, monkeypatch):
    counted, really = [], counting.new_words

    def noted(segments, search, **more):
        counted.append(search.most)
        return really(segments, search, **more)

    monkeypatch.setattr(counting, "new_words", noted)
    first, again = (corpus.new_words(**SINCE, most=11) for _ in range(2))
    other = corpus.new_words(**SINCE, most=12)

    assert again == first
    assert (len(first.lines), len(other.lines)) == (11, 12)
    assert counted == [11, 12]


def test_words_are_counted_again_once_one_is_decided_on(corpus, tmp_path):
    own = izwi.open(copytree(corpus.path, tmp_path / "own"))
    word = own.new_words(**SINCE).lines[0].word

    own.decide(word, "reject")

    assert word not in {line.word for line in own.new_words(**SINCE).lines}
