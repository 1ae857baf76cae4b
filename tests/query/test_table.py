"""Every line of the table of other systems' queries does what the table says."""

import re
from pathlib import Path

import pytest

from izwi.analyse.dimensions import dimension
from izwi.analyse.frequency import Counting, frequencies
from izwi.analyse.selection import Selection
from izwi.index.vertical import VerticalShape
from izwi.model.errors import QueryError
from izwi.query.concordance import Filter, View, concordance
from izwi.query.cql import parse
from izwi.query.engine import find
from izwi.query.tree import format_query
from izwi.service.folder import CorpusFolder
from izwi.service.querying import CorpusLookups
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


CONFIG = '[corpus]\nname = "table"\nlanguages = ["en"]\n[gather]\ncontact = "a@b.example"\n'


def read(query, segment, folder):
    """Return a query as a corpus with this segment and a list of words understands it."""
    (folder / "lists").mkdir(exist_ok=True)
    (folder / "lists" / "buildings.txt").write_text("house\nhut\n", encoding="utf-8")
    (folder / "corpus.toml").write_text(CONFIG, encoding="utf-8")
    corpus = CorpusFolder(folder)
    return parse(query, segment.attributes, CorpusLookups(corpus, [segment]))


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('[tag="NN"] within <s/>', "no attribute 'tag'; here it is pos"),
        ('[word="a" & ]', "such as word, lemma, pos, found ']'"),
    ],
)
def test_hints_name_the_attributes_of_the_corpus(query, words):
    shape = VerticalShape(("word", "lemma", "pos"), ("doc", "p", "s"))
    with imported(TEXT, shape) as segment, pytest.raises(QueryError, match=re.escape(words)):
        list(find([segment], parse(query, segment.attributes)))


def test_a_macro_that_calls_itself_is_refused():
    with pytest.raises(QueryError, match="becomes too long"):
        parse("define macro a(0) '/a[] /a[]'; /a[]")


def test_the_table_is_read():
    assert len(list(rows())) > 50


@pytest.mark.parametrize(
    ("query", "is_understood", "words"), [pytest.param(*row, id=row[0]) for row in rows()]
)
def test_a_line_of_the_table_does_what_it_says(query, is_understood, words, tmp_path):
    with imported(TEXT) as segment:
        if is_understood:
            understood = read(query, segment, tmp_path)
            list(find([segment], understood))
            assert parse(format_query(understood)) == understood
        else:
            with pytest.raises(QueryError, match=re.escape(words)):
                list(find([segment], read(query, segment, tmp_path)))


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
        ('define $x = "old burnt"; $x', [(1, 2), (5, 6)]),
        ("[lemma=$buildings]", [(2, 3), (4, 5), (6, 7), (8, 9)]),
        ('~"house"', [(2, 3), (4, 5), (6, 7), (8, 9)]),
        ('[lemma!=~3"house-n" & tag!="DT"]', [(1, 2), (5, 6), (7, 8)]),
        ('ws("house", "adjective", "old")', [(1, 3)]),
        ('[ws("house-n", "modifiers of", "old-j")]', [(1, 3)]),
        ('ws("house", "verb with it as subject")', [(4, 6), (6, 8)]),
        ('term("old house")', [(1, 3)]),
        ('swap(1, "the" 1:[])', [(1, 2), (4, 5)]),
        ('swap(n, [tag="DT"] []* n:[lemma="house"] within s)', [(2, 3), (4, 5)]),
        ("/region[s]", [(0, 3), (3, 6), (6, 9)]),
        ("define macro np(1) '[tag=\"DT\"]? [tag=\"JJ\"]{0,$0} [tag=\"N.*\"]'; /np[2] within s",
         [(0, 3), (1, 3), (2, 3), (3, 5), (4, 5), (6, 7), (8, 9)]),
        ('MACRO is($0=Attribute $1=Value) $0="$1" & tag="NN"; [/is[lemma, "house"]]',
         [(2, 3), (4, 5)]),
        ('<doc_source="herald"> []', [(0, 1)]),
        ('@1:[tag="JJ"] @0:[]', [(1, 3)]),
        ('TAB "the" {0,1} [lemma="house"]', [(0, 3), (3, 5)]),
        ('TAB [tag="DT"] * [tag="N.*|V.*"] within s', [(0, 3), (3, 5)]),
        ("swap(2, ccoll(1, 2, \"the\" 1:[]))", [(1, 2), (4, 5)]),
        ("ccoll(1, 3, 1:[] [] 2:[] & 1.word = 2.word within s)", [(6, 9)]),
        ('[word="the" & lbound(s)]', [(0, 1), (3, 4)]),
        ('[tag="N.*" & rbound(s)] ', [(2, 3), (8, 9)]),
        ('a:[tag="N.*" & rbound(s)] & a.word = "houses"', [(8, 9)]),
        ("[strlen(word) > 5]", [(6, 7), (8, 9)]),
        ("[strlen(word) <= 3 & tag!=\"DT\"]", [(1, 2)]),
        ("[strlen(word) != 3 & tag=\"V.*\"]", [(5, 6), (7, 8)]),
        ("[strlen(word) < 0]", []),
        ('[tag contains "J.*"]', [(1, 2)]),
        ('[tag not contains "N.*|DT|VBD?"]', [(1, 2)]),
        ('[tag matches "J.*"]', [(1, 2)]),
        ('[word="the" -> tag="JJ"] [lemma="burn"]', [(4, 6), (6, 8)]),
        ('[lemma="house" -> word=".*s"] within <doc id="2"/>', [(6, 7), (7, 8), (8, 9)]),
        ('[_.word="old"]', [(1, 2)]),
        ('define $parts = "ol. bur.*"; [word=RE($parts)]', [(1, 2), (5, 6), (7, 8)]),
        ('[lemma="house"] within "the" []* "burnt"', [(2, 3), (4, 5)]),
        ('A = "old"; A^s', [(0, 3)]),
        ('A = "old"; A expand right to s', [(1, 3)]),
        ('A = [lemma="house"]; subset A where match: [tag="NNS" | word="House"]',
         [(4, 5), (6, 7), (8, 9)]),
        ('A = "the" @[]; B = subset A where target: [!tag="JJ"]; B', [(3, 5)]),
        ('set MatchingStrategy shortest; [tag="JJ"]? [tag="N.*"]',
         [(2, 3), (4, 5), (6, 7), (8, 9)]),
        ('[lemma="house"] within (<s/> containing "old")', [(2, 3)]),
        ('[lemma="house"] within (<s/> !containing "old")', [(4, 5), (6, 7), (8, 9)]),
        ('(<s/> containing "the") within <doc id="1"/>', [(0, 3), (3, 6)]),
        ('((<s/> containing "the") containing "burnt")', [(3, 6)]),
        ('<doc/> containing (<s/> containing "old")', [(0, 6)]),
        ('(1:[] [] 2:[] & 1.word = 2.word) within s', [(6, 9)]),
        ('("house" within s) | "burn"', [(2, 3), (7, 8)]),
        ('[lemma="house"] within !<doc id="2"/>', [(2, 3), (4, 5)]),
        ('A = "old" expand to s; A; [lemma="house"]', [(2, 3)]),
        ('A = <s/> containing "burnt"; [lemma="house"] within A', [(4, 5)]),
        ('A = [lemma="house"]; A within <doc id="2"/>', [(6, 7), (8, 9)]),
        ('"house" expand to 2', [(0, 5)]),
        ('"house" expand left to 1 word', [(1, 3)]),
        ('"burnt" expand right to 5 words', [(5, 6)]),
        ('define $w = "old"; define $w += "house"; define $v = $w; [word=$v]', [(1, 2), (2, 3)]),
        ('define $w = "old house"; define $w -= "house"; [word=$w]', [(1, 2)]),
        ('MACRO a(0) "the" ; MACRO b(0) /a[] "old" ; /b[]', [(0, 2)]),
        ('(meet [lemma="house"] "the" -2 2) :: match.tag = "NNS"', []),
        ('(union "house" "the") & match.tag = "DT"', [(0, 1), (3, 4)]),
        ('A = "house"; B = "the"; { A union B } & matchend.tag = "NN"', [(2, 3)]),
        ('a:[] [] b:[] :: !a.word = b.word & a.tag = "NN"', [(2, 5)]),
        ('[tag="DT"] []* within 2 words', [(0, 2), (3, 5)]),
        ('"the" within <doc id>=1/>', [(0, 1), (3, 4)]),
        ('ws("house-n", "modifiers of \\"%w\\"", "old-j")', [(1, 3)]),
        ('"old" # and no other', [(1, 2)]),
        ("<s> []* </s>", [(0, 3), (3, 6), (6, 9)]),
        ('<s> []* "house" []* </s>', [(0, 3)]),
        ('A = [lemma="house"]; B = "old" | "house"; C = inter A B; C', [(2, 3)]),
        ('A = [lemma="house"]; B = "old" | "house"; difference A B', [(4, 5), (6, 7), (8, 9)]),
        ('A = "old"; B = "house"; join A B', [(1, 2), (2, 3)]),
        ('a:[tag="DT"] b:[] :: b.word = "old" -> a.word = "x"', [(3, 5)]),
        ('a:[tag="DT"] b:[] :: b.word = "old" -> a.word = "the"', [(0, 2), (3, 5)]),
        ('<doc_source="herald"> []* </doc_source>', [(0, 6)]),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_what_others_write_finds_what_they_mean(query, expected, tmp_path):
    with imported(TEXT) as segment:
        assert hits(segment, read(query, segment, tmp_path)) == expected


def test_cut_keeps_the_first_hits_of_all_segments():
    with imported(TEXT) as segment:
        found = find([segment, segment], parse('[lemma="house"] cut 5'))

        assert [len(part) for part in found] == [4, 1]


@pytest.mark.parametrize("query", ["1:[] & f(1.lemma) > 3", "A = 1:[] & f(1.lemma) > 3; A union A"])
def test_frequencies_are_those_of_the_whole_corpus(query):
    with imported(TEXT) as one, imported(TEXT.replace("old", "burn")) as two:
        found = [
            [part.segment.word.values(part.segment.word.column[part.starts]) for part in parts]
            for parts in (find([one], parse(query)), find([one, two], parse(query)))
        ]

    # Four houses in one text; in both together also the and burn, but old only once.
    assert found[0] == [["house", "House", "houses", "houses"]]
    assert [len(words) for words in found[1]] == [8, 9]
    assert "old" not in found[1][0]


def test_cut_keeps_the_hits_from_one_to_another():
    with imported(TEXT) as segment:
        found = find([segment, segment], parse('A = [lemma="house"]; cut A 2 4'))

        assert [part.starts.tolist() for part in found] == [[6, 8], [2]]


@pytest.mark.parametrize(("share", "many"), [("3", 3), ("50%", 4), ("100%", 8), ("100", 8)])
def test_reduce_draws_hits_from_all_segments_and_the_same_again(share, many):
    query = parse(f'"x"; A = [lemma="house"]; reduce A to {share}')
    with imported(TEXT) as segment:
        once, again = (
            [part.starts.tolist() for part in find([segment, segment], query)] for _ in "ab"
        )

    assert sum(map(len, once)) == many
    assert once == again


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ('"the" [] ; sort Last by word on matchend', ["the House", "the old"]),
        ('"the" [] ; sort Last by word on matchend descending', ["the old", "the House"]),
        ("[lemma=\"house|burn\"]; sort by word", ["burn", "burnt", "House", "house", "houses",
                                                "houses"]),
        ("[tag=\"V.*|JJ\"]; sort by word reverse", ["old", "burn", "burnt"]),
        ("[tag=\"V.*|JJ\"]; sort by lemma on match[-1]", ["burnt", "burn", "old"]),
        ('[tag="DT"] []* @[tag="N.*|V.*"] within s; sort by word on target', ["the House burnt",
                                                                           "the old house"]),
        ('[lemma="house"]; sort Last by matchend[1].word,-match.word', ["houses", "houses", "House",
                                                                     "house"]),
    ],
)  # fmt: skip
def test_sort_orders_by_the_keys_of_cqp(asked, expected):
    with imported(TEXT) as segment:
        query = parse(asked)
        found = concordance(
            [segment], query, text="", snapshot=1, chosen=Filter(), view=View(size=10)
        )

    assert [line.match for line in found.lines] == expected


def test_sort_merges_segments_by_the_words_themselves():
    with imported(TEXT) as one, imported(TEXT.replace("old", "new")) as two:
        query = parse('[tag="JJ"]; sort by word descending')
        found = concordance(
            [two, one], query, text="", snapshot=1, chosen=Filter(), view=View(size=10)
        )

    assert [line.match for line in found.lines] == ["old", "new"]


@pytest.mark.parametrize(
    ("query", "by", "expected"),
    [
        ('[tag="DT"] @[]', "target.lemma", {"old": 1, "house": 1}),
        ('[tag="DT"] @[]', "target[+1].lemma", {"house": 1, "burn": 1}),
        ('[tag="DT"] []* @[tag="N.*"] [tag="V.*"]? within s', "target[-1].word",
         {"old": 1, "the": 1}),
        ('@1:[tag="V.*"]', "keyword.tag", {"VBD": 1, "VB": 1}),
        ('[lemma="house"]', "matchend[1].tag", {"DT": 1, "VBD": 1, "VB": 1, "": 1}),
    ],
)  # fmt: skip
def test_any_attribute_is_counted_at_any_anchor(query, by, expected):
    with imported(TEXT) as segment:
        selection = Selection((segment,), Filter())
        found = frequencies(selection, parse(query), Counting(by=by), text="")
        counts = {line.values[0]: line.hits for line in found.lines}
        opened = {
            line.values[0]: sum(map(len, find([segment], parse(line.opens.query))))
            for line in found.lines
            if line.values[0] and "[" not in by
        }

    assert counts == expected
    assert all(counts[value] == many for value, many in opened.items())


@pytest.mark.parametrize("query", ['"a"', "@[] expand to s", "swap(1, 1:[])", '(meet "a" "b" 1 1)'])
def test_a_label_that_is_not_there_is_named(query):
    with imported(TEXT) as segment, pytest.raises(QueryError, match=r"label 'target'"):
        dimension([segment], "target.word", parse(query))


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


# Words that the first table of the page asks for: word, lemma, tag; a sentence a line.
SAID = (
    "And/and/CC a/a/DT very/very/RB big/big/JJ house/house/NN goes/go/VBZ café/café/NN ././.",
    "the/the/DT dog/dog/NN barks/bark/VBZ at/at/IN the/the/DT cat/cat/NN cat/cat/NN end/end/NN",
    "a/a/DT big/big/JJ house/house/NN old/old/JJ new/new/JJ",
)
# What stands for the dots, and before or behind what is only a part of a query.
_PARTS = (("(meet ...", '(meet "dog" "cat"'), ("...", '"dog"'))
_BEHIND = re.compile(r"[%?*+{]|!?within|!containing")


def first_rows():
    """Return the queries of the first table, parts of queries behind a word."""
    text = PAGE.read_text(encoding="utf-8").partition("## Which of several")[0]
    for line in text.splitlines():
        if not (found := re.fullmatch(r"\| (`.*`) \| (.*) \|", line)):
            continue
        for query in re.findall(r"`([^`]+)`", found[1].replace("\\|", "|")):
            for dots, words in _PARTS:
                query = query.replace(dots, words)
            part = f'"house" {query}' if _BEHIND.match(query) else query
            yield f'{part} "house"' if part.endswith("!containing") else part


def test_the_first_table_is_read():
    assert len(list(first_rows())) > 25


@pytest.mark.parametrize("query", list(first_rows()))
def test_a_line_of_the_first_table_finds_something(query):
    said = "".join(
        f"<s>\n{''.join(each.replace('/', chr(9)) + chr(10) for each in line.split())}</s>\n"
        for line in SAID
    )
    text = f'<doc id="1" source="herald-west" date="2014-05-01">\n<p>\n{said}</p>\n</doc>\n'
    with imported(text) as segment:
        found = hits(segment, parse(query, segment.attributes))

        # Everything stands in a paragraph; no house holds no house, and none stands twice.
        is_empty = query.startswith('"house" !') or re.fullmatch(r'"house" \{[23].*', query)
        assert bool(len(found)) != bool(is_empty)


@pytest.mark.parametrize(
    "query",
    [
        "1:[] & f(1.lemma) > 4",
        "[] within (1:[] & f(1.lemma) > 4)",
        "A = 1:[] & f(1.lemma) > 4; A; []",
        "(1:[] & f(1.lemma) > 4) | (1:[] & f(1.lemma) > 100)",
    ],
)
def test_frequencies_are_those_of_the_corpus_inside_limits_too(query):
    with imported(TEXT) as one, imported(TEXT) as two:
        found = [list(part.starts) for part in find([one, two], parse(query))]

    assert found == [[2, 4, 6, 8], [2, 4, 6, 8]]
