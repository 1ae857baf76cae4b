import threading

import pytest

from izwi.index.limits import Deadline
from izwi.model.errors import CqlSyntaxError, QueryError, QueryTimeout
from izwi.query import values
from izwi.query.cql import parse
from izwi.query.tree import format_query
from tests.query.test_execute import hits, imported

TEXT = "<doc>\n" + "".join(f"w{n}{'ab' * (n % 9)}\ta\tN\n" for n in range(3000)) + "</doc>\n"


def test_a_query_can_be_cancelled_from_elsewhere():
    cancelled = threading.Event()
    cancelled.set()

    with imported(TEXT) as segment, pytest.raises(QueryTimeout, match="cancelled"):
        hits(segment, parse("[]* [] []*"), Deadline(None, cancelled))


def ending(segment, query):
    """Return how a query ends that is given three seconds."""
    try:
        hits(segment, parse(query), Deadline(3))
    except QueryTimeout as error:
        return str(error).removeprefix("The query was ").partition(".")[0]
    return "found"


@pytest.mark.parametrize(
    "query",
    ['"(a|b)*a(a|b){30}"', '"(.*a){12}"', "([]* []*)* []*", '([word="w1.*"]* [])* "nothing"'],
    ids=lambda query: query,
)
def test_catastrophic_patterns_end(query):
    with imported(TEXT) as segment:
        assert ending(segment, query) in ("found", "stopped after 3 seconds")


def test_an_expression_looks_at_the_clock_between_pieces_of_a_lexicon(monkeypatch):
    monkeypatch.setattr(values, "_LEAST_PIECE", 100)
    monkeypatch.setattr(values, "_MOST_PIECE", 100)
    looks = []

    class Watched(Deadline):
        def check(self):
            looks.append(1)

    with imported(TEXT) as segment:
        found = values.allowed(segment.word, parse('"[v-x]1.*b"').pattern.condition, Watched(None))
        plain = [value for value in segment.word.lexicon if value[:2] == "w1" and value[-1] == "b"]

    assert segment.word.values(found) == plain
    assert len(looks) > 100


def test_a_million_alternatives_are_refused_at_once():
    many = " | ".join(f'"w{number}"' for number in range(1_000_000))

    with pytest.raises(CqlSyntaxError, match="characters; at most"):
        parse(many)


def test_as_many_alternatives_as_can_be_typed_are_found_or_refused():
    one = "|".join(f"w{number}" for number in range(9000))
    many = " | ".join(f'"w{number}"' for number in range(5000))

    with imported(TEXT) as segment:
        assert len(hits(segment, parse(f'"{one}"'), Deadline(30))) == 334
        with pytest.raises(QueryError, match="more than 1000 places"):
            hits(segment, parse(many), Deadline(30))


@pytest.mark.parametrize(
    "query",
    [
        "{" * 5000, '"a" within {' * 3000, '"a" within (' * 3000, "swap(1," * 3000,
        "ccoll(1, 2," * 3000,
        'A = "a"; ' + "A union " * 3000 + "A", '("a" within s) | ' * 900 + '"b"',
        'A = "a"; ' + "A = A within s; " * 1500 + "A", 'A = "a"; ' + "A = A union A; " * 40 + "A",
        'A = "a"' + ' union "a"' * 90 + '; "b"' + " within A" * 6000,
        '1:"a" ' + ':: 1.word="a" | 1.word="b" ' * 2000,
    ],
    ids=lambda query: query[:30],
)  # fmt: skip
def test_queries_inside_queries_have_an_end(query):
    with pytest.raises(CqlSyntaxError, match=r"nested more than|put together"):
        parse(query)


def test_a_list_that_is_added_to_itself_has_each_word_once():
    doubled = 'define $w = "old house old"; ' + "define $w += $w; " * 60

    assert parse(f"{doubled}[word=$w]") == parse('[word="old|house"]')


def test_as_many_conditions_as_can_be_typed_are_one_of_another():
    many = parse('1:"a" & ' + " | ".join(f'1.word="w{number}"' for number in range(3000)))

    assert parse(format_query(many)) == many
