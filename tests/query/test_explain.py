"""What a query will cost is said before it runs, and what cannot be paid is refused."""

import pytest

from izwi.index.limits import Deadline
from izwi.model.errors import QueryError
from izwi.query.cql import parse
from izwi.query.engine import explain, find
from tests.query.test_execute import TEXT, imported


@pytest.mark.parametrize(
    ("query", "rewritten", "way", "anchor"),
    [
        ("[]*[]*[]*[]*[]*", "[]*", "a look at every token and an automaton", ""),
        ("<s/>", "<s/>", "a table of structures", "<s/>"),
        ("1:[] 2:[] & 1.word = 2.word", "1:[] 2:[] & 1.word = 2.word",
         "a look at every token and a join of labels", ""),
    ],
    ids=["runaway", "table", "join"],
)  # fmt: skip
def test_an_explanation_says_how_a_query_is_answered(query, rewritten, way, anchor):
    with imported(TEXT) as segment:
        found = explain([segment], parse(query))

    assert (found.rewritten, found.way, found.anchor) == (rewritten, way, anchor)
    assert found.tokens == 9


@pytest.mark.parametrize(
    "query",
    [
        '[tag="N"]+ [tag="N"]',
        '[tag="N"]{1,900} [tag="N"]{1,900} "a"',
        '"a" within ([tag="N"]* "a")',
        '"a" !containing ([tag="N"]* "a")',
        '(union "a" ([tag="N"]+ "a"))',
        '(meet "a" ([tag="N"]+ "a") -5 5)',
        'A = "a"; B = [tag="N"]+ "a"; A difference B',
        '(([tag="N"]+ "a"){2}){2}',
    ],
)
def test_a_query_that_would_run_away_is_refused_before_it_runs(query, monkeypatch):
    text = "<doc>\n" + "a\ta\tN\n" * 20_000 + "</doc>\n"
    monkeypatch.setattr("izwi.query.engine.execute", None)

    with (
        imported(text) as segment,
        pytest.raises(QueryError, match="would take about"),
    ):
        list(find([segment], parse(query), Deadline(1)))


@pytest.mark.parametrize(
    "query", ['[tag="N"]{1,900} "nothing"', '([]* "nothing")+ "a"', '("no" | "not")+ []* "a"']
)
def test_a_query_with_a_token_that_does_not_occur_costs_nothing(query):
    with imported("<doc>\n" + "a\ta\tN\n" * 20_000 + "</doc>\n") as segment:
        (found,) = find([segment], parse(query), Deadline(1))

    assert not len(found)


@pytest.mark.parametrize("query", ['"a"{0} []* "b"', '"c" within ("a"{0} []* "b")'])
def test_a_repetition_of_nothing_costs_nothing(query):
    with imported(TEXT) as segment:
        assert find([segment], parse(query), Deadline(10)) is not None


@pytest.mark.parametrize(
    "query",
    ['A = [word="a"]; subset A where match: [lbound(s)]',
     'A = a:[word="a"] b:[]; subset A where a: [word=b.word]'],
)  # fmt: skip
def test_a_subset_asks_for_values_of_one_token(query):
    with pytest.raises(QueryError, match="values of one token"):
        parse(query)


def test_the_same_question_joined_is_answered_at_once():
    text = "<doc>\n" + "a\ta\tN\n" * 20_000 + "</doc>\n"

    with imported(text) as segment:
        (found,) = find([segment], parse("[]*[]*[]*[]*[]*"), Deadline(30))

    assert len(found) == 20_000
    assert set(found.ends.tolist()) == {20_000}
