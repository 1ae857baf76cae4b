import math
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from izwi.analyse import collocations as looking
from izwi.analyse.collocations import CollocationsAsked, Window, collocations, window_counts
from izwi.analyse.vocabulary import Choice, vocabulary_of
from izwi.analyse.word_forms import are_content_words
from izwi.index.limits import NEVER, Deadline
from izwi.index.reader import Segment
from izwi.index.writer import write_segment
from izwi.model.document import LanguageGuess
from izwi.model.errors import QueryError, QueryTimeout
from izwi.query.concordance import Filter, Narrowing, View, concordance
from izwi.query.cql import parse
from tests.analyse.counting import document, selected, windows, words_of
from tests.index.corpora import corpora, partitions
from tests.query.test_execute import imported

NODE = parse('[lc="a"]')


def asked_for(selection, query=NODE, **wanted):
    choice = Choice(pattern="", least=wanted.pop("least", 1), most=wanted.pop("most", 1000))
    asked = CollocationsAsked(choice=choice, **wanted)
    return collocations(selection, query, asked, text="a")


# Counted by hand: brigade stands at 2 and 8; N = 12.
HAND = document("hand", "the bluelight brigade sped past . another bluelight brigade sped home .")


def test_equation_5_4_on_a_corpus_counted_by_hand():
    with selected(HAND) as selection:
        found = asked_for(selection, parse('[lc="brigade"]'), measure="mi", left=1, right=1)

    words = words_of(HAND)
    assert (len(words), words.count("brigade"), words.count("bluelight")) == (12, 2, 2)
    by_value = {line.value: line for line in found.lines}
    light, sped = by_value["bluelight"], by_value["sped"]
    assert (light.left, light.right, light.total, light.frequency) == (2, 0, 2, 2)
    assert (sped.left, sped.right, sped.total) == (0, 2, 2)
    # log2(f(n,c) N / (f(n) f(c))) = log2(2 * 12 / (2 * 2)).
    assert light.mi == pytest.approx(math.log2(6))
    assert sped.mi == pytest.approx(math.log2(6))


def by_hand(documents, left, right, counting):
    """Count the words near every `a` by going from token to token."""
    counts = {"left": Counter(), "right": Counter()}
    for each in documents:
        words = words_of(each)
        hits = [(at, at + 1) for at, word in enumerate(words) if word == "a"]
        for before, after in windows(words, hits, left, right):
            seen = set()
            for side, near in (("left", before), ("right", after)):
                for word in near:
                    if counting == "tokens" or word not in seen:
                        counts[side][word] += 1
                    seen.add(word)
    return counts


@settings(max_examples=60)
@given(
    st.data(), corpora(), st.integers(0, 3), st.integers(1, 3), st.sampled_from(["tokens", "hits"])
)
def test_counts_are_those_of_a_linear_look(data, documents, left, right, counting):
    parts = data.draw(partitions(documents))
    expected = by_hand(documents, left, right, counting)

    with selected(parts=parts) as selection:
        found = asked_for(selection, left=left, right=right, counting=counting)

    assert {line.value: line.left for line in found.lines if line.left} == expected["left"]
    assert {line.value: line.right for line in found.lines if line.right} == expected["right"]
    frequencies = Counter(word for each in documents for word in words_of(each))
    assert all(line.frequency == frequencies[line.value] for line in found.lines)


@settings(max_examples=40)
@given(corpora(), st.integers(0, 3), st.integers(0, 3), st.booleans())
def test_compiled_and_plain_windows_agree(documents, left, right, is_once):
    window = Window(left, right, is_once=is_once)
    with selected(*documents) as selection:
        part = selection.hits(NODE)[0]
        ways = []
        for is_compiled in (True, False):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(looking, "is_worth_compiling", lambda size, own=is_compiled: own)
                ways.append(window_counts(part, "lc", window))

    first, second = ways
    assert first.left.tolist() == second.left.tolist()
    assert first.right.tolist() == second.right.tolist()
    assert first.places == second.places


def test_within_sentences_no_word_of_another_counts():
    text = document("d", "We saw b. A b came. Then c left.")
    with selected(text) as selection:
        inside = asked_for(selection, counting="sentence")
        across = asked_for(selection, counting="tokens")

    assert {line.value for line in inside.lines} == {"b", "came", "."}
    assert {"we", "saw", "then", "c"} <= {line.value for line in across.lines}
    assert "within the sentence" in inside.counting_words
    assert "across sentences" in across.counting_words


@pytest.mark.parametrize("counting", ["tokens", "sentence"])
def test_a_collocate_opens_the_lines_it_was_counted_in(counting):
    text = document("d", "A b c. Then d e. The a c b.\nNothing here. A a b.")
    with selected(text) as selection:
        found = asked_for(selection, counting=counting, left=2, right=2)
        line = next(line for line in found.lines if line.value == "b")
        opened = concordance(
            selection.segments,
            parse(line.opens.query),
            text="",
            snapshot=1,
            chosen=Filter(),
            view=View(),
            narrowing=Narrowing(line.opens.near, line.opens.window),
        )

    # Every `a` of these is near a b, one of them through the a between.
    assert [each.match.lower() for each in opened] == ["a"] * 4
    assert line.total == 4


@pytest.mark.parametrize("measure", ["mi", "ll", "total", "left", "frequency", "deltap_back"])
def test_lines_come_in_the_order_of_the_measure(measure):
    with selected(HAND, document("more", "the brigade , the home the end")) as selection:
        found = asked_for(selection, parse('[lc="brigade"]'), measure=measure)

    scores = [getattr(line, measure) for line in found.lines]
    assert scores == sorted(scores, reverse=True)


def test_only_the_strongest_are_shown_and_all_are_counted():
    with selected(HAND) as selection:
        every = asked_for(selection, parse('[lc="brigade"]'))
        some = asked_for(selection, parse('[lc="brigade"]'), most=2)

    assert some.lines == every.lines[:2]
    assert some.total == every.total == len(every.lines)


def test_change_over_time_adds_up():
    documents = [
        document("one", "a b a b", when=_day(2010)),
        document("two", "a b c", when=_day(2012)),
        document("three", "a b"),
    ]
    with selected(*documents) as selection:
        found = asked_for(selection, over="year", left=0, right=1)

    line = next(line for line in found.lines if line.value == "b")
    assert [(each.period, each.together, each.hits) for each in line.periods] == [
        ("2010", 2, 2),
        ("2012", 1, 1),
    ]


def _day(year):
    from datetime import date

    return date(year, 5, 5)


def test_a_word_that_does_not_occur_has_no_collocates_and_says_so():
    with selected(HAND) as selection:
        found = asked_for(selection, parse('[lc="nowhere"]'))

    assert found.lines == ()
    assert found.notes == ("The query does not occur in the chosen documents.",)


def test_no_documents_have_no_collocates_and_say_so():
    with selected(HAND, chosen=Filter(sources=("nowhere",))) as selection:
        found = asked_for(selection)

    assert found.lines == ()
    assert "No document matches" in found.notes[0]


def test_an_empty_corpus_has_no_collocates():
    with selected(parts=[]) as selection:
        assert asked_for(selection).lines == ()


@pytest.mark.parametrize(
    "wanted",
    [{"counting": "words"}, {"measure": "x"}, {"left": 0, "right": 0}, {"left": 51}, {"least": 0}],
)
def test_what_makes_no_sense_is_refused(wanted):
    with selected(HAND) as selection, pytest.raises(QueryError):
        asked_for(selection, **wanted)


def test_longer_hits_have_windows_round_them():
    with selected(document("d", "x the big a house y")) as selection:
        found = asked_for(selection, parse('"big" "a"'), left=1, right=1)

    assert {(line.value, line.left, line.right) for line in found.lines} == {
        ("the", 1, 0),
        ("house", 0, 1),
    }


def told_in(folder, language, text, deadline=NEVER):
    """Return which words of a text are content words if every one is tagged as a noun."""
    made = document("d", text)
    annotation = replace(made.annotation, xpos=("NN",) * len(made.annotation.words))
    given = replace(made, language=LanguageGuess(language, 0.9), annotation=annotation)
    entry = write_segment(
        folder, [given], shards=["0"], fingerprint="f", attributes=("word", "lc", "pos")
    )
    return told_of([Segment(folder / entry.id)], text, deadline)


def told_of(segments, text, deadline=NEVER):
    """Return which words of a text are content words by the tags of some segments."""
    vocabulary = vocabulary_of(segments, "word")
    numbers = vocabulary.lookup(text.split())
    return are_content_words(segments, "word", vocabulary, numbers, deadline).tolist()


@pytest.mark.parametrize(
    ("language", "expected"), [("eng", [True, True, False]), ("afr", [False, False, True])]
)
def test_words_that_help_are_those_of_the_language(tmp_path, language, expected):
    assert told_in(tmp_path, language, "word het have") == expected


def test_content_words_are_told_by_tags_of_another_name():
    with imported("<doc>\nhouse\thouse\tNN\nthe\tthe\tDT\n</doc>\n") as segment:
        assert told_of([segment], "house the") == [True, False]


def test_content_words_are_told_by_all_places_whether_few_or_many_are_asked_for():
    one = "<doc>\n" + "work\twork\tNN\nthe\tthe\tDT\n" * 3 + "of\tof\tIN\n" * 60 + "</doc>\n"
    two = "<doc>\n" + "work\twork\tMD\nthe\tthe\tDT\n" * 4 + "old\told\tJJ\n" * 60 + "</doc>\n"
    with imported(one) as first, imported(two) as second:
        assert told_of([first], "work") == [True]
        assert told_of([first, second], "work") == [False]
        assert told_of([first, second], "old work of the") == [True, False, False, False]


def test_telling_content_words_ends_in_time(tmp_path):
    with pytest.raises(QueryTimeout):
        told_in(tmp_path, "eng", "word", Deadline(-1))
