import contextlib
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from izwi.index import assemble
from izwi.index.assemble import Origin
from izwi.index.limits import Deadline
from izwi.index.reader import Segment
from izwi.index.vertical import VerticalShape, import_vertical
from izwi.model.errors import QueryError, QueryTimeout
from izwi.query.cql import parse
from izwi.query.execute import execute
from tests.index.corpora import MEMORY
from tests.query.matcher import Plain, search
from tests.query.queries import queries, vertical_texts

SHAPE = VerticalShape(("word", "lemma", "tag"), ("doc", "p", "s"))


@contextmanager
def imported(text, shape=SHAPE):
    """Give a segment made of vertical text."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        source = Path(folder) / "corpus.vert"
        source.write_text(text, encoding="utf-8")
        entry = import_vertical(
            source, Path(folder) / "segments", shape, Origin("imported"), memory_bytes=1 << 20
        )
        yield Segment(Path(folder) / "segments" / entry.id)


def read_plain(text):
    """Return the same corpus as lists."""
    tokens, structures, opened = [], {"doc": [], "p": [], "s": []}, {}
    for line in text.splitlines():
        if line.startswith("</"):
            start, said = opened.pop(line[2:-1])
            if len(tokens) > start:
                structures[line[2:-1]].append((start, len(tokens), said))
        elif line.startswith("<"):
            name = line[1:-1].split()[0]
            opened[name] = (len(tokens), {"n": line.split('"')[1]} if '"' in line else {})
        else:
            tokens.append(dict(zip(("word", "lemma", "tag"), line.split("\t"), strict=True)))
    return Plain(tokens, structures)


def hits(segment, query, deadline=None):
    found = execute(segment, query, deadline or Deadline(None))
    return list(zip(found.starts.tolist(), found.ends.tolist(), strict=True))


@settings(max_examples=400)
@given(vertical_texts(), queries(), st.booleans(), st.sampled_from([1, 64]))
def test_hits_are_those_of_a_matcher_that_tries_everything(text, query, has_lists, compiled_from):
    # A structure nobody opened with an attribute has none.
    text += '<doc>\n<p n="1">\n<s n="1">\na\ta\tN\n</s>\n</p>\n</doc>\n'

    # Small lexicons have no lists of places unless they are made to.
    with pytest.MonkeyPatch.context() as patch, contextlib.ExitStack() as stack:
        patch.setattr(assemble, "POSTINGS_FROM", 1 if has_lists else 256)
        patch.setattr("izwi.index.columns._COMPILED_FROM", compiled_from)
        segment = stack.enter_context(imported(text))
        try:
            found = hits(segment, query)
        except QueryError as error:
            assume("at most" not in str(error))
            raise

    assert found == search(read_plain(text), query)


TEXT = """<doc id="1" source="herald">
<p>
<s>
the\tthe\tDT
old\told\tJJ
house\thouse\tNN
</s>
<s>
the\tthe\tDT
House\thouse\tNN
burnt\tburn\tVBD
</s>
</p>
</doc>
<doc id="2" source="courant">
<p>
<s>
houses\thouse\tNNS
burn\tburn\tVB
houses\thouse\tNNS
</s>
</p>
</doc>
"""


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ('"house"', [(2, 3)]),
        ('"house" %c', [(2, 3), (4, 5)]),
        ('[lemma="house"]', [(2, 3), (4, 5), (6, 7), (8, 9)]),
        ('[tag="DT"] []{0,1} [lemma="house"]', [(0, 3), (3, 5)]),
        ('[tag="N.*"] [tag="V.*"]', [(4, 6), (6, 8)]),
        ('[tag="DT"] []* within <s/>', [(0, 3), (3, 6)]),
        ('<s> [tag="DT"]', [(0, 1), (3, 4)]),
        ("[] </s>", [(2, 3), (5, 6), (8, 9)]),
        ("<s/>", [(0, 3), (3, 6), (6, 9)]),
        ('<s/> containing "burnt"', [(3, 6)]),
        ('<s/> !containing "burnt"', [(0, 3), (6, 9)]),
        ('[lemma="house"] within <doc source="courant"/>', [(6, 7), (8, 9)]),
        ('[lemma="house"] !within <doc id="2"/>', [(2, 3), (4, 5)]),
        ("1:[] [] 2:[] & 1.word = 2.word", [(6, 9)]),
        ('1:[] 2:[] & 1.lemma = 2.word', []),
        ('(meet [lemma="house"] [lemma="burn"] -1 1)', [(4, 5), (6, 7), (8, 9)]),
        ('(meet [lemma="house"] [tag="JJ"] s)', [(2, 3)]),
        ('(union "old" "burn")', [(1, 2), (7, 8)]),
        ('[word="the" & tag!="DT"]', []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_queries_find_what_they_say(query, expected):
    with imported(TEXT) as segment:
        assert hits(segment, parse(query)) == expected


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ('[colour="red"]', "no attribute 'colour'. Known attributes: word, lemma, tag"),
        ('"a" within <book/>', "no structure <book>. Known structures: <doc>, <p>, <s>"),
        ('<s colour="red"/>', "<s> has no attribute 'colour'"),
        ('<doc colour="red"/>', "attribute 'colour'. Known attributes: id, source, url"),
        ('"a("', "is not a regular expression: missing"),
        ('[]{1000} []{1000}', "more than 1000 places"),
        ('[] (union "a" "b")', "meet and union stand alone"),
        ('"zzz" [colour="red"]', "no attribute 'colour'"),
        ('"zzz" ([word="a" | !colour="red"])*', "no attribute 'colour'"),
        ('"zzz" [: colour="red" :]', "no attribute 'colour'"),
        ('<doc colour="red"> "zzz"', "attribute 'colour'"),
        ('"zzz" </sentence>', "no structure <sentence>; here it is <s>"),
    ],
    ids=lambda value: value,
)  # fmt: skip
def test_what_cannot_be_asked_is_said(query, words):
    with imported(TEXT) as segment, pytest.raises(QueryError, match=words.replace("(", r"\(")):
        hits(segment, parse(query))


def test_a_query_that_runs_away_is_stopped():
    text = "<doc>\n" + "a\ta\tN\n" * 20_000 + "</doc>\n"

    with imported(text) as segment, pytest.raises(QueryTimeout, match="stopped after"):
        hits(segment, parse('[tag="N"]+'), Deadline(0.05))


def test_labels_with_too_many_ways_are_refused(monkeypatch):
    monkeypatch.setattr("izwi.query.execute._STEPS", 1000)
    text = "<doc>\n" + "a\ta\tN\n" * 60 + "</doc>\n"

    with imported(text) as segment, pytest.raises(QueryError, match="too many ways"):
        hits(segment, parse('("a"|[tag="N"]|[])* 1:[] ("a"|[])* 2:[] & 1.word != 2.word'))


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("1:[] 2:[] & 1.lemma = 2.lemma", []),
        ("1:[] []{0,1} 2:[] & 1.lemma = 2.lemma", [(2, 5), (6, 9)]),
        ("1:[] 2:[] within s & 1.tag = 2.tag", []),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_labels_at_fixed_distances_are_joined(query, expected, monkeypatch):
    monkeypatch.setattr("izwi.query.execute._automaton_hits", None)

    with imported(TEXT) as segment:
        assert hits(segment, parse(query)) == expected


def test_whole_structures_come_from_their_table(monkeypatch):
    monkeypatch.setattr("izwi.query.execute._automaton_hits", None)

    with imported(TEXT) as segment:
        assert hits(segment, parse('<doc source="courant"/>')) == [(6, 9)]
        assert hits(segment, parse('<s/> within <doc id="1"/>')) == [(0, 3), (3, 6)]


def test_many_hits_take_the_compiled_way_and_find_the_same():
    sentence = "<s>\nthe\tthe\tDT\nhouse\thouse\tNN\n</s>\n"
    text = "<doc>\n<p>\n" + sentence * 200 + "</p>\n</doc>\n"

    with imported(text) as segment:
        whole = hits(segment, parse('<s/> containing "house"'))
        without = hits(segment, parse('[tag="DT"] []{0,2} !containing <s/>'))
        united = hits(segment, parse('(union "the" "house") within <s/>'))
        met = hits(segment, parse('(meet "the" "house" -1 1) within <s/>'))

    assert whole == [(place, place + 2) for place in range(0, 400, 2)]
    assert without == [(place, place + 1) for place in range(0, 400, 2)]
    assert united == [(place, place + 1) for place in range(400)]
    assert met == [(place, place + 1) for place in range(0, 400, 2)]
