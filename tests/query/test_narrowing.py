from datetime import date

import pytest

from izwi.model.errors import MissingExtra, QueryError
from izwi.model.tabular import frame
from izwi.query.concordance import Filter, Narrowing, View, concordance
from izwi.query.cql import parse
from izwi.query.cql_cursor import looks_like_cql
from izwi.query.simple import by_word_list, phrase_query, read_word_list, tokens_of
from tests.index.corpora import document, on_disk

DOCUMENTS = [
    document(
        "a", "The old dog barks. A dog sleeps here.\nAnother dog runs.", when=date(2014, 1, 1)
    ),
    document("b", "No cat here. The dog and the cat.", when=date(2019, 1, 1), source="courant"),
]


def lines(query, *, view=None, narrowing=None, chosen=None):
    with on_disk(DOCUMENTS) as segments:
        found = concordance(
            segments, parse(query), text=query, snapshot=1, chosen=chosen or Filter(),
            view=view or View(), narrowing=narrowing,
        )  # fmt: skip
        return [f"{line.left}|{line.match}|{line.right}" for line in found]


def test_lines_can_be_whole_sentences_or_paragraphs():
    assert lines('"sleeps"', view=View(unit="sentence")) == ["A dog |sleeps| here."]
    assert lines('"sleeps"', view=View(unit="paragraph")) == [
        "The old dog barks. A dog |sleeps| here."
    ]


def test_context_in_characters_ends_with_whole_words():
    (line,) = lines('"sleeps"', view=View(unit="characters", context=7))

    assert line == "A dog |sleeps| here."


def test_only_hits_near_something_stay():
    near = Narrowing(near='"old"', window=1)

    assert lines('"dog"', narrowing=near) == [
        "The old |dog| barks. A dog sleeps here. Another dog runs."
    ]


def test_the_first_hit_of_each_document():
    found = lines('"dog"', narrowing=Narrowing(is_first_only=True), view=View(context=1))

    assert found == ["old |dog| barks", "The |dog| and"]


def test_a_sample_is_repeated_by_its_seed_and_keeps_corpus_order():
    one, again = (
        lines('"dog"', narrowing=Narrowing(sample=2), view=View(seed=3)) for _ in range(2)
    )

    assert one == again
    assert len(one) == 2


def test_documents_are_chosen_by_a_condition():
    found = lines('"dog"', chosen=Filter(where='source="cour.*" & title!=""'), view=View(context=1))

    assert found == ["The |dog| and"]


def test_several_keys_sort_one_after_the_other():
    found = lines('"dog"', view=View("left,newest", context=1))

    assert found == ["A |dog| sleeps", "Another |dog| runs", "old |dog| barks", "The |dog| and"]


def test_good_examples_come_first():
    long = document("c", "A dog. One two three four dog five six seven eight nine ten.")

    with on_disk([long]) as segments:
        found = concordance(
            segments, parse('"dog"'), text="", snapshot=1, chosen=Filter(), view=View("example"),
        )  # fmt: skip

    assert [line.right.split()[0] for line in found] == ["five", "."]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: View(unit="pages"), "Context is one of tokens, characters"),
        (lambda: Narrowing(window=0), "The window has 1 to 100 tokens, not 0"),
        (lambda: Narrowing(sample=-1), "at least one line"),
        (lambda: lines('"a"', chosen=Filter(where="source=")), "at character 8"),
    ],
    ids=["unit", "window", "sample", "where"],
)  # fmt: skip
def test_what_makes_no_sense_is_said(make, words):
    with pytest.raises(QueryError, match=words):
        make()


@pytest.mark.parametrize(
    ("text", "is_cql"),
    [("load-shedding", False), ("said .", False), ('"now now"', False), ('[lemma="go"]', True),
     ('"go" []', True), ("<s/>", True), ("1:[] 2:[]", True), ("(meet", True),
     ('~"house"', True), ("~ house", False), ('ws("a", "b")', True), ("$list", True), ("$5", False),
     ("/np[2]", True), ("and/or", False), ('"a"; sort by word', True)],
    ids=str,
)  # fmt: skip
def test_cql_is_told_from_a_phrase(text, is_cql):
    assert looks_like_cql(text) == is_cql


def test_an_asterisk_stands_for_any_text():
    tokens = tokens_of("the * bark*", str.split)

    with on_disk(DOCUMENTS) as segments:
        query = phrase_query(tokens, ("word", "lc"), is_exact_case=False)
        assert not list(concordance(
            segments, query, text="", snapshot=1, chosen=Filter(), view=View()
        ))  # fmt: skip
        query = phrase_query(("the", "*", "dog", "bark*"), ("word", "lc"), is_exact_case=False)
        (line,) = concordance(segments, query, text="", snapshot=1, chosen=Filter(), view=View())

    assert line.match == "The old dog barks"


def test_a_word_list_translates_the_query(tmp_path):
    path = tmp_path / "words.tsv"
    path.write_text("hond\tdog; hound\nkat\tcat\nou hond\told dog\n", encoding="utf-8")
    table = read_word_list(path)

    def found(text):
        query = by_word_list(
            text.split(),
            table,
            lambda meaning: (
                phrase_query(meaning.split(), ("word", "lc"), is_exact_case=False).pattern
            ),
        )
        with on_disk(DOCUMENTS) as segments:
            page = concordance(segments, query, text="", snapshot=1, chosen=Filter(), view=View())
            return [line.match for line in page]

    assert found("hond") == ["dog"] * 4
    assert found("ou hond") == ["old dog"]
    with pytest.raises(QueryError, match="no translation of 'perd'"):
        found("perd")


def test_a_missing_library_is_named_with_the_line_that_installs_it():
    with pytest.raises(MissingExtra, match=r"pip install 'izwi\[no_such_library\]'"):
        frame([], "no_such_library")


@pytest.mark.parametrize(("library", "method"), [("pandas", "df"), ("polars", "pl")])
def test_lines_become_a_data_frame(library, method):
    pytest.importorskip(library)
    with on_disk(DOCUMENTS) as segments:
        page = concordance(
            segments, parse('"cat"'), text="cat", snapshot=1, chosen=Filter(), view=View()
        )

    frame_of_lines = getattr(page, method)()

    assert list(frame_of_lines["match"]) == ["cat", "cat"]
    assert list(frame_of_lines["source"]) == ["courant", "courant"]


def test_a_reversed_range_of_dates_is_said_to_be_one():
    with pytest.raises(QueryError, match="reversed"):
        Filter(since=date(2020, 2, 1), until=date(2020, 1, 1))
