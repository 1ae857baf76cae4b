import shlex
from urllib.parse import parse_qs, urlsplit

import izwi
from izwi.web.asking import Asked
from izwi.web.reproduce import ways

FULL = Asked(
    'ja \'n "bakkie"', "2010", "2019-10", ("first-pages",), "left", 5, 3, True, page=1, seed=4
)


def texts(asked, version=2):
    return {way.name: way.text for way in ways("tiny", asked, version, base="http://h")}


def test_a_plain_question_gives_plain_lines():
    assert texts(Asked("bakkie", sort="left"), 3) == {
        "Address": "http://h/c/tiny/conc?q=bakkie&sort=left&v=3",
        "Command": "izwi query tiny 'bakkie' --sort left --size 50 --version 3",
        "Python": 'izwi.open("tiny").concordance("bakkie", sort="left", version=3)',
        "curl": "curl 'http://h/c/tiny/conc.json?q=bakkie&sort=left&v=3'",
    }


def test_the_command_survives_a_shell():
    words = shlex.split(texts(FULL)["Command"])

    assert words[:4] == ["izwi", "query", "tiny", FULL.q]
    assert words[4:] == [
        "--sort",
        "left",
        "--from",
        "2010",
        "--to",
        "2019-10",
        "--source",
        "first-pages",
        "--case",
        "--context",
        "5",
        "--size",
        "3",
        "--seed",
        "4",
        "--version",
        "2",
    ]


def test_a_query_that_begins_with_a_dash_comes_last():
    assert texts(Asked("-s"))["Command"] == "izwi query tiny --size 50 --version 2 -- '-s'"


def test_the_address_carries_the_query_as_typed():
    address = shlex.split(texts(FULL)["curl"])[1]

    assert parse_qs(urlsplit(address).query)["q"] == [FULL.q]


def test_python_finds_the_same_lines(corpus_folder, client):
    asked = Asked("bakkie", "2010", "2019-10", ("first-pages",), "left", 5, 3, seed=4)
    call = texts(asked)["Python"].replace('"tiny"', repr(str(corpus_folder)))

    found = eval(call, {"izwi": izwi, "datetime": __import__("datetime")})

    twin = client.get(f"/c/tiny/conc.json{asked.link(v=2)}").json()
    assert found.hits > 0
    assert [line.id for line in found] == [line["id"] for line in twin["lines"]]


def test_nothing_is_fixed_before_the_first_version():
    assert texts(Asked("a"), 0)["Address"] == "http://h/c/tiny/conc?q=a"
