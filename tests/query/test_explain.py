"""What a query will cost is said before it runs, and what cannot be paid is refused."""

import pytest

from izwi.model.errors import QueryError
from izwi.query.cql import parse
from izwi.query.deadline import Deadline
from izwi.query.engine import find
from izwi.query.explain import explain
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


def test_a_query_that_would_run_away_is_refused_before_it_runs(monkeypatch):
    text = "<doc>\n" + "a\ta\tN\n" * 20_000 + "</doc>\n"
    monkeypatch.setattr("izwi.query.engine.execute", None)

    with (
        imported(text) as segment,
        pytest.raises(QueryError, match="would take about"),
    ):
        list(find([segment], parse('[tag="N"]+ [tag="N"]'), Deadline(1)))


def test_the_same_question_joined_is_answered_at_once():
    text = "<doc>\n" + "a\ta\tN\n" * 20_000 + "</doc>\n"

    with imported(text) as segment:
        (found,) = find([segment], parse("[]*[]*[]*[]*[]*"), Deadline(30))

    assert len(found) == 20_000
    assert set(found.ends.tolist()) == {20_000}
