"""Every line of the table of other systems' queries does what the table says."""

import re
from pathlib import Path

import pytest

from izwi.model.errors import QueryError
from izwi.query.cql import parse
from izwi.query.engine import find
from tests.query.test_execute import TEXT, hits, imported

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "cql.md"


def rows():
    """Return the queries of the table, whether they work, and the words of a refusal."""
    text = PAGE.read_text(encoding="utf-8").partition("## What users of Sketch Engine")[2]
    for line in text.splitlines():
        found = re.fullmatch(r"\| (`.*`) \| (works|refused) \| (.*) \|", line)
        if found:
            # A bar in a table is written with a stroke before it.
            for query in re.findall(r"`([^`]+)`", found[1].replace("\\|", "|")):
                yield query, found[2] == "works", found[3]


def test_the_table_is_read():
    assert len(list(rows())) > 30


@pytest.mark.parametrize(
    ("query", "is_understood", "words"), [pytest.param(*row, id=row[0]) for row in rows()]
)
def test_a_line_of_the_table_does_what_it_says(query, is_understood, words):
    with imported(TEXT) as segment:
        if is_understood:
            list(find([segment], parse(query)))
        else:
            with pytest.raises(QueryError, match=re.escape(words)):
                list(find([segment], parse(query)))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('[tag="DT"] []{0,2} within 2', [(0, 2), (3, 5)]),
        ('[lemma="house"] []* [lemma="burn"] within 2 s', [(2, 6), (4, 6), (6, 8)]),
        ("1:[] [] 2:[] & 1.word = 2.word within s", [(6, 9)]),
        ('a:[] b:[] :: a.lemma = "old" | b.tag = "VBD"', [(1, 3), (4, 6)]),
        ("1:[] & f(1.lemma) > 3", [(2, 3), (4, 5), (6, 7), (8, 9)]),
        ('a:[lemma="house"] []* b:[lemma="house"] :: dist(a, b) = 2', [(2, 5), (6, 9)]),
        ('a:[] [lemma="burn"] [lemma=a.lemma]', [(6, 9)]),
        ('[lemma="house"] :: match.doc_source = "courant"', [(6, 7), (8, 9)]),
        ('[]{2} :: matchend.tag = "JJ"', [(0, 2)]),
        ('@[tag="JJ"]', [(1, 2)]),
        ('[lemma="house"] within <doc id>="2"/>', [(6, 7), (8, 9)]),
        ('[lemma="house"] within <doc id!>="2"/>', [(2, 3), (4, 5)]),
        ('define $plants = "old burnt"; [word=$plants]', [(1, 2), (5, 6)]),
        ('"the" [: tag="NN" :]', [(3, 4)]),
        ('[: tag="NN" :] []', [(2, 3), (4, 5)]),
        ('"old" expand to s', [(0, 3)]),
        ('"old" expand left to s', [(0, 2)]),
        ('"old" expand right to s', [(1, 3)]),
        ('A = [lemma="house"]; B = [tag="NN"]; A intersect B', [(2, 3), (4, 5)]),
        ('A = [lemma="house"]; B = [tag="NN"]; A difference B;', [(6, 7), (8, 9)]),
        ('A = "old"; B = "burn"; A union B', [(1, 2), (7, 8)]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_others_write_finds_what_they_mean(query, expected):
    with imported(TEXT) as segment:
        assert hits(segment, parse(query)) == expected


def test_cut_keeps_the_first_hits_of_all_segments():
    with imported(TEXT) as segment:
        found = find([segment, segment], parse('[lemma="house"] cut 5'))

        assert [len(part) for part in found] == [4, 1]


BOOK = "the\tDT old\tJJ book\tNN on\tIN the\tDT table\tNN"
NOUN_PHRASE = '[tag="DT"]? [tag="JJ"]* [tag="NN"] ([tag="IN"] [tag="DT"]? [tag="NN"])*'


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        ("", ["the old book on the table", "old book on the table", "book on the table",
              "the table", "table"]),
        ("(?longest)", ["the old book on the table"]),
        ("(?traditional)", ["the old book", "old book", "book", "the table", "table"]),
        ("(?standard)", ["the old book", "the table"]),
        ("(?shortest)", ["book", "table"]),
    ],
)  # fmt: skip
def test_strategies_choose_as_cqp_does(strategy, expected):
    lines = [token.replace("\t", "\tx\t") for token in BOOK.split(" ")]
    words = [token.partition("\t")[0] for token in lines]
    with imported("\n".join(["<doc>", *lines, "</doc>", ""])) as segment:
        found = hits(segment, parse(f"{strategy} {NOUN_PHRASE}"))

    assert [" ".join(words[start:end]) for start, end in found] == expected
