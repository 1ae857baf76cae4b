import pickle

import pytest
from hypothesis import given, settings

from izwi.model.errors import CqlSyntaxError, QueryError
from izwi.query import tree
from izwi.query.cql import LONGEST, parse
from izwi.query.tree import Query, Region, Repeat, Token, format_query
from tests.query.queries import queries


@settings(max_examples=400)
@given(queries())
def test_a_formatted_query_parses_to_the_same_tree(query):
    assert parse(format_query(query)) == query


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"go"', '[word="go"]'),
        ("'it\"s'", '[word="it\\"s"]'),
        ('[lemma = "go" %cd]', '[lemma="go" %cd]'),
        ('[lemma="a.b" %l]', '[lemma=="a.b"]'),
        ('"a" within s', '[word="a"] within <s/>'),
        ('"a" not within <s/>', '[word="a"] !within <s/>'),
        ('a:[] b:[] :: a.word = b.word', "a:[] b:[] & a.word = b.word"),
        ('"a"{,3}', '[word="a"]{0,3}'),
        ('MU(meet "a" "b")', '(meet [word="a"] [word="b"] 1 1)'),
        ('"a" ;', '[word="a"]'),
    ],
    ids=lambda value: value,
)  # fmt: skip
def test_other_ways_to_write_are_understood(text, expected):
    assert format_query(parse(text)) == expected


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("", 0, "expected a token"),
        ("[word=a]", 6, "expected a value in quotes"),
        ('[word="a" & & tag="b"]', 12, "expected an attribute such as word"),
        ('["a"', 4, "expected '&', '|' or ']', found the end"),
        ('"a', 0, "has no closing quote"),
        ("[word]", 5, "expected '=' or '!=' after the attribute 'word'"),
        ('"a"{3,1}', 3, "3 is more than 1"),
        ('"a" )', 4, "found ')'"),
        ("<s", 2, "expected '>' or '/>'"),
        ("1:[] & 3.lemma=1.lemma", 7, "no token has the label '3:'"),
        ('"a" %x', 5, "expected the flags c"),
        ("(" * 200, 100, "nested more than 100 deep"),
        ('"a" within', 10, "expected a token"),
    ],
    ids=lambda value: str(value)[:30],
)
def test_errors_point_at_the_character(text, position, words):
    with pytest.raises(CqlSyntaxError) as raised:
        parse(text)

    assert raised.value.position == position
    message = str(raised.value).splitlines()
    assert words in message[0]
    assert message[0].startswith(f"At character {position + 1}: ")
    assert message[-1] == " " * min(position, 60) + "^"


def test_a_query_that_is_no_query_is_refused_by_its_length():
    with pytest.raises(CqlSyntaxError, match="characters; at most 65,536"):
        parse("|".join(['"a"'] * LONGEST))


def test_errors_come_home_from_workers():
    with pytest.raises(CqlSyntaxError) as raised:
        parse("[")

    again = pickle.loads(pickle.dumps(raised.value))

    assert (str(again), again.position) == (str(raised.value), raised.value.position)


def test_a_tree_says_what_was_asked():
    assert parse('[lemma!="go"]* within <s/>') == Query(
        Repeat(Token(tree.Test("lemma", "go", is_negated=True)), 0, None),
        parse('"a" within <s/>').limits,
    )
    assert parse("<s/>").pattern == Region("s")


DEEP = {
    "brackets": "(" * 5000 + '"a"' + ")" * 5000,
    "repetitions": '"a"' + "{1,2}" * 10_000,
    "signs": '"a"' + "+" * 50_000,
    "negations": "[" + "!" * 50_000 + 'word="a"]',
    "alternatives": "|".join(['"a"'] * 12_000),
    "sequence": '"a" ' * 12_000,
    "conditions": "[" + "&".join(['word="a"'] * 5000) + "]",
    "regular expression": '"' + "(" * 20_000 + "a" + ")" * 20_000 + '"',
    "within": '"a"' + " within <s/>" * 4000,
    "conditions in brackets": "[" + "(" * 9000 + 'word="a"' + ")" * 9000 + "]",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP.keys())
def test_a_query_of_great_depth_is_read_or_refused_in_a_sentence(text):
    said = ""
    try:
        parse(text)
    except QueryError as error:
        said = str(error).splitlines()[0]
    assert not said or said.endswith(".")
