from datetime import date

import numpy as np
import pytest

from izwi.analyse.new_words import NewWordSpread
from izwi.model.errors import QueryError

from .tagged import Text, corpus_of

OLD = [
    Text(["The/the/DT taxi/taxi/NN stopped/stop/VBD"] * 6, "2018-05-01", "http://a.example/1"),
    Text(["A/a/DT locked/lock/VBN gate/gate/NN"] * 6, "2019-05-01", "http://b.example/1"),
]
NEW = [
    Text(["The/the/DT lockdown/lockdown/NN began/begin/VBD"], "2020-03-26", "http://a.example/2"),
    Text(["A/a/DT lockdown/lockdown/NN , Zoom/Zoom/NNP"], "2020-04-26", "http://b.example/2"),
    Text(
        ["The/the/DT lock-down/lock-down/NN of/of/IN Zoom/Zoom/NNP locks/lock/VBZ"] * 2,
        "2020-05-26",
        "http://c.example/2",
    ),
    Text(["My/my/PRP$ lock-down/lock-down/NN Zoom/Zoom/NNP"], "2020-06-26", "http://a.example/3"),
    Text(["Only/only/RB vumbaco/vumbaco/NN"] * 5, "2020-06-27", "http://a.example/4"),
    Text(["The/the/DT lockdown/lockdown/NN"], "", "http://d.example/1"),
]
PERIOD = {"since": date(2020, 1, 1), "until": date(2020, 12, 31), "general": True}


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """Old and new text in two segments; nobody may write here."""
    return corpus_of(tmp_path_factory.mktemp("new") / "new", OLD + NEW[:2], NEW[2:])


@pytest.fixture
def own(tmp_path):
    return corpus_of(tmp_path / "own", OLD, NEW)


def words(found):
    return [line.word for line in found.lines]


def test_what_spreads_is_found_and_spellings_stand_together(built):
    found = built.new_words(**PERIOD, least=2)

    assert words(found) == ["lock-down", "Zoom"]
    first = found.lines[0]
    assert [(each.word, each.hits, each.reason) for each in first.variants] == [
        ("lockdown", 2, "hyphen or apostrophe")
    ]
    assert (first.hits, first.documents, first.sites) == (5, 4, 3)
    assert (found.tokens, found.tokens_before) == (30, 36)


def test_a_score_is_made_of_its_factors(built):
    first = built.new_words(**PERIOD, least=2).lines[0]

    total = sum(factor.weight for factor in first.factors)
    made = sum(factor.value * factor.weight for factor in first.factors) / total
    assert first.score == round(made, 3)
    assert all(0 <= factor.value <= 1 and factor.reason for factor in first.factors)


def test_a_name_scores_lower_and_says_why(built):
    name = built.new_words(**PERIOD, least=2).lines[1]

    by_name = {factor.name: factor for factor in name.factors}
    assert by_name["no name"].value == 0
    assert "perhaps a name" in by_name["no name"].reason


def test_the_first_line_comes_with_the_evidence_of_its_date(built):
    first = built.new_words(**PERIOD, least=2).lines[0].first

    assert first.date == date(2020, 3, 26)
    assert (first.evidence, first.certainty) == ("attribute", "strong")
    assert first.line.document.url == "http://a.example/2"


def test_a_line_opens_what_was_counted(built):
    for line in built.new_words(**PERIOD, least=2).lines:
        found = built.concordance(
            line.cql, mode="cql", since=PERIOD["since"], until=PERIOD["until"]
        )
        assert found.hits == line.hits


def test_one_site_does_not_make_a_word(built):
    assert "vumbaco" not in words(built.new_words(**PERIOD))
    assert "vumbaco" in words(built.new_words(**PERIOD, sites=1))


def test_spellings_spread_together(built):
    found = built.new_words(**PERIOD, least=5, sites=3)

    assert words(found) == ["lock-down"]


def test_a_new_form_of_an_older_word_is_left_out_and_told(built):
    found = built.new_words(**PERIOD, least=1, sites=1)

    assert "locks" not in words(found)
    assert "Left out as new forms of older words: 1." in found.notes


def test_words_in_a_list_are_left_out_and_told(built, tmp_path):
    (tmp_path / "known.txt").write_text("LOCK-DOWN\tnoun\n\nlockdown\n", encoding="utf-8")

    found = built.new_words(**PERIOD, least=2, lists=[tmp_path / "known.txt"])

    assert words(found) == ["Zoom"]
    assert "Left out because they are on a list: 2." in found.notes


def test_a_list_that_is_not_there_is_named(built):
    with pytest.raises(QueryError, match=r"nothing\.txt cannot be read"):
        built.new_words(**PERIOD, lists=["nothing.txt"])


def test_decisions_are_remembered_and_the_last_counts(own):
    own.decide("zoom", "name", by="a", note="a company")
    assert words(own.new_words(**PERIOD, least=2)) == ["lock-down"]

    shown = own.new_words(**PERIOD, least=2, decided=True)
    assert {line.word: line.decision for line in shown.lines} == {"lock-down": "", "Zoom": "name"}

    own.decide("Zoom", "later", by="b")
    assert words(own.new_words(**PERIOD, least=2)) == ["lock-down", "Zoom"]
    assert [(each.who, each.decision) for each in own.decisions()] == [
        ("a", "name"),
        ("b", "later"),
    ]


@pytest.mark.parametrize(("word", "decision"), [("zoom", "maybe"), (" ", "accept")])
def test_a_decision_that_means_nothing_is_refused(own, word, decision):
    with pytest.raises(QueryError):
        own.decide(word, decision)


def test_a_period_without_text_says_so(built):
    found = built.new_words(since=date(1990, 1, 1), until=date(1990, 12, 31))

    assert found.lines == ()
    assert found.notes == ("There is no dated text in the period.",)


def test_a_period_with_nothing_before_it_says_so(built):
    found = built.new_words(since=date(2000, 1, 1), until=date(2030, 1, 1), least=1)

    assert "every word looks new" in found.notes[0]


def test_a_period_that_ends_before_it_begins_is_refused(built):
    with pytest.raises(QueryError, match="before it begins"):
        built.new_words(since=date(2021, 1, 1), until=date(2020, 1, 1))


def test_a_corpus_without_dates_says_so(tmp_path):
    corpus = corpus_of(tmp_path / "undated", [Text(["dog bark"])])

    with pytest.raises(QueryError, match="No document has a date"):
        corpus.new_words()


def test_without_a_period_the_last_year_is_looked_at(built):
    found = built.new_words()

    assert (found.since, found.until) == (date(2019, 6, 28), date(2020, 6, 27))


def test_capitals_after_the_period_make_no_name(tmp_path):
    period = [Text(["Gizmo works"], f"2020-0{n}-01", f"http://{n}.example/") for n in (1, 2, 3)]
    later = Text(["the Gizmo works"] * 9, "2022-01-01", "http://a.example/9")
    corpus = corpus_of(tmp_path / "later", [*OLD, *period, later])

    (found,) = (each for each in corpus.new_words(**PERIOD).lines if each.word == "Gizmo")

    by_name = {factor.name: factor for factor in found.factors}
    assert (by_name["no name"].value, by_name["no name"].reason) == (1, "in lower case")


def test_a_document_with_two_spellings_counts_once():
    sites, months = frozenset({"Courant"}), frozenset({1})
    one = NewWordSpread(("load-shed",), 3, np.array([1, 2, 1 << 32]), sites, months, 0, 0)
    other = NewWordSpread(("loadshed",), 2, np.array([2, 3]), sites, months, 0, 0)

    assert (one + other).documents.tolist() == [1, 2, 3, 1 << 32]
