import shlex
from urllib.parse import parse_qs, urlsplit

import izwi
from izwi.web.pages.addresses import Asked, Here, ways_of

FULL = Asked(
    'ja \'n "bakkie"', "2010", "2019-10", ("first-pages",), "left", 5, 3, True, page=1, seed=4
)


def texts(asked, version=2):
    place = Here("/c/tiny/conc", tuple(asked.parameters()))
    found = ways_of("tiny", "concordance", place, version=version, base="http://h")
    return {way.name: way.text for way in found}


def test_a_plain_question_gives_plain_lines():
    assert texts(Asked("bakkie", sort="left"), 3) == {
        "Address": "http://h/c/tiny/conc?q=bakkie&sort=left&v=3",
        "Command": "izwi query tiny bakkie --sort left --version 3",
        "Python": 'izwi.open("tiny").concordance("bakkie", sort="left", version=3)',
        "curl": "curl 'http://h/c/tiny/conc.json?q=bakkie&sort=left&v=3'",
    }


def test_the_command_survives_a_shell():
    words = shlex.split(texts(FULL)["Command"])

    assert words[:4] == ["izwi", "query", "tiny", FULL.q]
    assert words[4:] == [
        *("--sort", "left", "--size", "3", "--context", "5", "--seed", "4", "--version", "2"),
        *("--from", "2010", "--to", "2019-10", "--source", "first-pages", "--case"),
    ]


def test_a_query_that_begins_with_a_dash_comes_last():
    assert texts(Asked("-s"))["Command"] == "izwi query tiny --version 2 -- -s"


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


def test_each_analysis_is_named_as_its_use_case_has_it():
    place = Here("/c/tiny/keywords", (("where", 'a="b"'), ("reference", "rest"), ("stop", "the")))

    made = ways_of("tiny", "keywords", place, version=1, base="http://h", least=7)
    found = {way.name: way.text for way in made}

    where = "--where 'a=\"b\"'"
    assert found["Command"] == f"izwi keywords tiny --least 7 --reference rest --version 1 {where}"
    assert found["Python"] == (
        'izwi.open("tiny").keywords(least=7, reference="rest", version=1, where="a=\\"b\\"", '
        'stop=("the",))'
    )


def test_what_changes_nothing_in_the_answer_is_not_repeated():
    place = Here("/c/tiny/coll", (("q", "a"), ("timeout", "5"), ("measures", "1"), ("case", "0")))

    made = ways_of("tiny", "collocations", place, version=0, base="")

    assert made[1].text == "izwi collocations tiny a"
